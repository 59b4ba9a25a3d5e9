package main

// words are v0 to v3, of one block or of many side by side.
type words interface {
	add(to, from int) // v[to] += v[from]
	xor(to, from int) // v[to] ^= v[from]
	rotate(i, n int)  // v[i] <<<= n
}

// operations are those of a round of pi, in the order of the generic code.
func operations(v words) []func() {
	return []func(){
		func() { v.add(0, 1) },
		func() { v.add(2, 3) },
		func() { v.rotate(1, 5) },
		func() { v.rotate(3, 8) },
		func() { v.xor(1, 0) },
		func() { v.xor(3, 2) },
		func() { v.rotate(0, 16) },

		func() { v.add(0, 3) },
		func() { v.add(2, 1) },
		func() { v.rotate(3, 13) },
		func() { v.rotate(1, 7) },
		func() { v.xor(3, 0) },
		func() { v.xor(1, 2) },
		func() { v.rotate(2, 16) },
	}
}

// entered are the operations of the first round that only v0 and v1 take part in.
var entered = map[int]bool{0: true, 2: true, 4: true, 6: true}

// inOrder makes the operations as they come.
var inOrder = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}

// Kernels for one block, or two, make them in another order, which depends on the
// same results. There are CPUs where each unit has a queue of its own, and which queue
// an instruction goes to is settled as it comes: then a chain of operations waits for
// others of no hurry, more or less of them by the order. These are the best of some
// hundred orders on a Zen 4. They come within 4 % of what the chain allows for one
// block, and the number of units for two; inOrder takes 12 % more time. For many
// blocks nothing was better than inOrder in every build.
var (
	orderOne = []int{0, 2, 4, 6, 1, 3, 5, 8, 10, 12, 13, 7, 9, 11}
	orderTwo = []int{0, 2, 1, 3, 4, 6, 5, 7, 8, 9, 11, 10, 12, 13}
)

// ordered makes a round of pi in blocks side by side.
func ordered(order []int, blocks ...words) {
	for _, i := range order {
		for _, v := range blocks {
			operations(v)[i]()
		}
	}
}
