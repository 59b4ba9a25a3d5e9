package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for one block at a time, made for low latency. The state is two
// registers, a byte for each column: X with the rows A and B, A in the low half of
// the byte, Y with C and D. S and the MDS matrix are one step, the sum of eight look-
// ups of nibbles, in tables that registers hold. SR is not undone: each step moves
// the rows from the frame they are in to that of the next.

var (
	forward  = bytesOf("forward", tables(substitute, mds))
	backward = bytesOf("backward", tables(unsubstitute, unmds))
	inverse  = bytesOf("inverse", tables(func(_ int, v byte) byte { return v }, unmds))
	// unsigma undoes S for the rows A and C, then for B and D.
	unsigma = bytesOf("unsigma", tables(unsubstitute, func(c [4]byte) [4]byte { return c })[:32])

	lowHalf = bytesOf("lowHalf", repeated(16, 0x0f))

	sheetRotated = rowsOf("sheetRotated", func(row int) []byte { return moveKey(row, 11, sheet, slice) })
	sliceSheet   = rowsOf("sliceSheet", func(row int) []byte { return move(row, slice, sheet) })
	normalSlice  = rowsOf("normalSlice", func(row int) []byte { return move(row, normal, slice) })
	sliceNormal  = rowsOf("sliceNormal", func(row int) []byte { return move(row, slice, normal) })
)

func repeated(n int, v byte) (b []byte) {
	for range n {
		b = append(b, v)
	}
	return b
}

// rowsOf is a symbol with a shuffle for each row.
func rowsOf(name string, f func(row int) []byte) Mem {
	var b []byte
	for row := range 4 {
		b = append(b, f(row)...)
	}
	return bytesOf(name, b)
}

// A step says how the rows B, C and D move: by a frame, or back from it.
type step struct {
	rotate  [4]uint8 // VPROLD of the register with the row; it moves halves of bytes, too
	dwords  [4]uint8 // VPSHUFD
	shuffle Mem
}

var (
	toSlice   = step{rotate: [4]uint8{0, 4, 16, 20}, shuffle: normalSlice}
	fromSlice = step{rotate: [4]uint8{0, 20, 16, 4}, shuffle: sliceNormal}
	toSheet   = step{dwords: [4]uint8{0xe4, 0x93, 0x4e, 0x39}}
	fromSheet = step{dwords: [4]uint8{0xe4, 0x39, 0x4e, 0x93}}
)

// columns is a block, or what is added to it: X and Y.
type columns struct{ x, y Op }

func at(m Mem) columns { return columns{m, m.Offset(16)} }

// nibbles is the registers of a kernel.
type nibbles struct {
	wide  bool // AVX-512
	state columns
	t     []VecPhysical
	tab   [8]VecPhysical
	low   Op // lowHalf

	gather, units Op // with AVX-512
}

func newNibbles(wide bool) *nibbles {
	n := &nibbles{
		wide: wide, state: columns{X0, X1}, t: []VecPhysical{X2, X3, X4, X5, X6, X7},
		tab: [8]VecPhysical{X8, X9, X10, X11, X12, X13, X14, X15}, low: lowHalf,
	}
	if wide {
		n.low, n.gather, n.units = X20, X27, X28
		VMOVDQU64(lowHalf, X20)
		VMOVDQU64(gather, X27)
		VMOVDQU64(units, X28)
	}
	return n
}

// load loads the first tables of a symbol.
func (n *nibbles) load(table Mem, tables int) {
	for i, r := range n.tab[:tables] {
		VMOVDQU(table.Offset(16*i), r)
	}
}

func (n *nibbles) copy(from, to Op) {
	if n.wide {
		VMOVDQU64(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

func (n *nibbles) xor(a, b, to Op) {
	if n.wide {
		VPXORQ(a, b, to)
	} else {
		VPXOR(a, b, to)
	}
}

// add adds three to the last of them. It may be ready last, and a register a is lost.
func (n *nibbles) add(a, b, to Op) {
	if n.wide {
		VPTERNLOGQ(Imm(0x96), a, b, to)
		return
	}
	if v, ok := a.(VecPhysical); ok {
		VPXOR(b, v, v)
		VPXOR(v, to, to)
	} else {
		VPXOR(a, to, to)
		VPXOR(b, to, to)
	}
}

// lookUp has the nibbles in the low half of index; what is above it does not matter.
func (n *nibbles) lookUp(table, index, to Op) {
	if n.wide {
		VPERMB(table, index, to)
	} else {
		VPSHUFB(index, table, to)
	}
}

// index brings the nibbles of a row into the low halves of bytes, moved by s.
func (n *nibbles) index(row int, s step, to VecPhysical) {
	from := [4]Op{n.state.x, n.state.x, n.state.y, n.state.y}[row]
	if n.wide && s.rotate[row] != 0 {
		VPROLD(U8(s.rotate[row]), from, to)
		return
	}
	if row%2 == 1 {
		VPSRLW(U8(4), from, to)
		from = to
	}
	if !n.wide {
		VPAND(n.low, from, to)
		from = to
	}
	switch {
	case row == 0:
	case s.dwords[row] != 0:
		VPSHUFD(U8(s.dwords[row]), from, to)
	default:
		VPSHUFB(s.shuffle.Offset(16*row), from, to)
	}
}

// round is S, the MDS matrix and the addition of keys, of which there are none or
// two; or the inverse with other tables. The state comes to other registers, and back
// in the next round.
func (n *nibbles) round(s step, keys ...columns) {
	x, y := n.state.x.(VecPhysical), n.state.y.(VecPhysical)
	b, c, d := n.t[0], n.t[1], n.t[2]
	n.index(1, s, b)
	n.index(2, s, c)
	n.index(3, s, d)
	if !n.wide {
		n.index(0, s, x)
	}
	n.lookUp(n.tab[4], x, y)
	n.lookUp(n.tab[0], x, x)
	b0, c0, d0 := n.t[3], n.t[4], n.t[5]
	n.lookUp(n.tab[2], c, c0)
	n.lookUp(n.tab[1], b, b0)
	n.lookUp(n.tab[3], d, d0)
	n.lookUp(n.tab[6], c, c)
	n.lookUp(n.tab[5], b, b)
	n.lookUp(n.tab[7], d, d)
	if len(keys) > 0 {
		n.add(keys[1].x, keys[0].x, x)
		n.add(keys[1].y, keys[0].y, y)
	}
	n.xor(c0, x, x)
	n.xor(c, y, y)
	// What is ready last is the operand that can be.
	n.add(x, b0, d0)
	n.add(y, b, d)
	n.state, n.t[2], n.t[5] = columns{d0, d}, y, x
}

// choose makes to of the low halves of to and the high halves of from.
func (n *nibbles) choose(from, to Op) {
	if n.wide {
		VPTERNLOGQ(Imm(0xe4), n.low, from, to) // low ? to : from
		return
	}
	VPXOR(from, to, to)
	VPAND(n.low, to, to)
	VPXOR(from, to, to)
}

// reframe moves the rows of h.
func (n *nibbles) reframe(h columns, s step) {
	t := n.t[5]
	shuffled := func(row int, from, to Op) {
		if s.dwords[row] != 0 {
			VPSHUFD(U8(s.dwords[row]), from, to)
		} else {
			VPSHUFB(s.shuffle.Offset(16*row), from, to)
		}
	}
	shuffled(1, h.x, t)
	if s.dwords[1] == 0 {
		shuffled(0, h.x, h.x) // A moves as keys are rotated
	}
	n.choose(t, h.x)
	shuffled(3, h.y, t)
	shuffled(2, h.y, h.y)
	n.choose(t, h.y)
}
