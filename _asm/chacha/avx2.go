package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var (
	order256, sign Mem
	lanes256       Mem                // numbers of blocks, in word 12 of rows d
	one, two       Mem                // for all blocks
	rotations      = map[uint64]Mem{} // by whole bytes, for VPSHUFB
)

func init() {
	// As order512 for two 128-bit parts: lane l of part p holds block 2l + p.
	var order [8]uint32
	for i := range order {
		order[i] = uint32(2*(i%4) + i/4)
	}
	order256 = table("order256", order[:])
	sign = table("sign", slices.Repeat([]uint32{1 << 31}, 8))
	lanes256 = table("lanes256", rows(2, func(part int) uint32 { return uint32(part) }))
	one = table("one", rows(2, func(int) uint32 { return 1 }))
	two = table("two", rows(2, func(int) uint32 { return 2 }))
	for _, r := range []struct {
		n    uint64
		name string
	}{{16, "rotate16"}, {8, "rotate8"}} {
		var words [8]uint32
		for i := range words {
			for j := range uint64(4) { // byte j comes from byte j - n/8 of its word
				words[i] |= uint32(4*uint64(i%4)+(j-r.n/8)%4) << (8 * j)
			}
		}
		rotations[r.n] = table(r.name, words[:])
	}
}

// rows returns rows d of n blocks, with word 12 of each and zeros.
func rows(n int, word12 func(part int) uint32) []uint32 {
	words := make([]uint32, 4*n)
	for part := range n {
		words[4*part] = word12(part)
	}
	return words
}

// rotate256 rotates words left.
func rotate256(n uint64, x, t VecPhysical) {
	if mask, ok := rotations[n]; ok {
		VPSHUFB(mask, x, x)
		return
	}
	VPSLLD(Imm(n), x, t)
	VPSRLD(Imm(32-n), x, x)
	VPXOR(t, x, x)
}

// step256 is step512; each rotation has its own register in t.
func step256(x []VecPhysical, steps []step, t []VecPhysical) {
	for _, s := range steps {
		VPADDD(x[s.add], x[s.to], x[s.to])
	}
	for _, s := range steps {
		VPXOR(x[s.to], x[s.xor], x[s.xor])
	}
	for i, s := range steps {
		rotate256(s.n, x[s.xor], t[i])
	}
}

// verticalAVX2 holds word i of eight blocks in register i. There are two registers
// for row c, 8 and 9: the other half of the row waits in memory, and registers 10
// and 11 are free for rotations.
func verticalAVX2() {
	begin("vertical8AVX2", "vertical8AVX2 makes 8 blocks at a time, and beside the first of them one to",
		"first.")
	words := AllocLocal(8 * 32)  // 8 to 15, while registers lack
	halves := AllocLocal(8 * 32) // first half of each block
	t := ymm[10:12]
	swap := func(from, to int) { // c words from, from+1 to memory; to, to+1 to registers
		for i := range 2 {
			VMOVDQU(ymm[8+i], at(words, 32*(from+i)))
		}
		for i := range 2 {
			VMOVDQU(at(words, 32*(to+i)), ymm[8+i])
		}
	}
	arguments()
	MOVQ(word(12), counter)
	TESTQ(first, first)
	JZ(LabelRef("batch"))
	INCQ(counter)
	Label("batch")
	for _, i := range []int{10, 11} {
		VPBROADCASTD(word(i), t[0])
		VMOVDQU(t[0], at(words, 32*(i-8)))
	}
	counters256(ymm[12], ymm[13], 10)
	for i, x := range ymm {
		if i < 10 || i > 13 {
			VPBROADCASTD(word(i), x)
		}
	}
	var doubleRound []func()
	pair := func(quarters []quarter) {
		for i := range 4 {
			var steps []step
			for _, q := range quarters {
				q.c = 8 + q.c%2
				steps = append(steps, q.steps()[i])
			}
			doubleRound = append(doubleRound, func() { step256(ymm, steps, t) })
		}
	}
	pair(columns[:2])
	doubleRound = append(doubleRound, func() { swap(0, 2) })
	pair(columns[2:])
	pair(diagonals[:2])
	doubleRound = append(doubleRound, func() { swap(2, 0) })
	pair(diagonals[2:])
	beside(doubleRound)
	for _, i := range []int{8, 9, 12, 13, 14, 15} {
		VMOVDQU(ymm[i], at(words, 32*(i-8)))
	}
	for i, x := range ymm[:8] {
		t := ymm[8+i]
		VPBROADCASTD(word(i), t)
		VPADDD(t, x, x)
	}
	transpose256()
	for i, y := range ymm[8:] {
		VMOVDQU(y, at(halves, 32*i))
	}
	counters256(ymm[8], ymm[9], 10)
	for i, x := range ymm[:8] {
		t := ymm[10]
		if i == 4 || i == 5 {
			t = ymm[8+i-4]
		} else {
			VPBROADCASTD(word(8+i), t)
		}
		VPADDD(at(words, 32*i), t, x)
	}
	transpose256()
	out := &output{blocks: 1} // that to first is done
	for i, y := range ymm[8:] {
		VMOVDQU(at(halves, 32*i), ymm[i])
		block256(ymm[i], y, out)
	}
	ADDQ(Imm(8), counter)
	out.more("batch")
	out.end()
}

// counters256 sets low and highs to words 12 and 13, and uses two registers from t on.
func counters256(low, highs VecPhysical, t int) {
	// VPCMPGTD compares signed words. To flip the signs makes that unsigned.
	MOVQ(counter, high)
	SHRQ(Imm(32), high)
	VMOVD(counter.As32(), xmm[t])
	VPBROADCASTD(xmm[t], ymm[t])
	VPADDD(order256, ymm[t], low)
	VPXOR(sign, ymm[t], ymm[t])
	VPXOR(sign, low, ymm[t+1])
	VPCMPGTD(ymm[t+1], ymm[t], ymm[t]) // more before than now: carry, as -1
	VMOVD(high.As32(), xmm[t+1])
	VPBROADCASTD(xmm[t+1], highs)
	VPSUBD(ymm[t], highs, highs)
}

// transpose256 turns eight words of eight blocks, in registers 0 to 7, into eight
// half blocks in registers 8 to 15.
func transpose256() {
	x, t := ymm[:8], ymm[8:]
	for i := 0; i < 8; i += 4 {
		r := x[i:]
		VPUNPCKLDQ(r[1], r[0], t[0])
		VPUNPCKHDQ(r[1], r[0], t[1])
		VPUNPCKLDQ(r[3], r[2], t[2])
		VPUNPCKHDQ(r[3], r[2], t[3])
		VPUNPCKLQDQ(t[2], t[0], r[0])
		VPUNPCKHQDQ(t[2], t[0], r[1])
		VPUNPCKLQDQ(t[3], t[1], r[2])
		VPUNPCKHQDQ(t[3], t[1], r[3])
	}
	for i := range 4 {
		VPERM2I128(Imm(0x20), x[4+i], x[i], t[2*i])
		VPERM2I128(Imm(0x31), x[4+i], x[i], t[2*i+1])
	}
}

// block256 writes one block from its halves.
func block256(low, high VecPhysical, out *output) {
	out.block(
		func(to Mem) {
			VMOVDQU(low, to)
			VMOVDQU(high, at(to, 32))
		},
		func() {
			VPXOR(Mem{Base: src}, low, low)
			VPXOR(Mem{Base: src, Disp: 32}, high, high)
			VMOVDQU(low, Mem{Base: dst})
			VMOVDQU(high, Mem{Base: dst, Disp: 32})
		})
}

// horizontalAVX2 holds each row of two blocks in a register, and those of two more
// in others. If apart, the block to first is made beside them.
func horizontalAVX2(apart bool) {
	if apart {
		begin("horizontal5AVX2", "horizontal5AVX2 makes one block to first and beside it 4 at a time.")
	} else {
		begin("horizontal4AVX2", "horizontal4AVX2 makes 4 blocks at a time.")
	}
	const groups = 2
	arguments()
	input, t, d := ymm[8:11], ymm[11:13], ymm[13:15]
	for i, y := range input {
		VBROADCASTI128(word(4*i), y)
	}
	rowD(xmm[13])
	VINSERTI128(Imm(1), xmm[13], d[0], d[0])
	VPADDQ(lanes256, d[0], d[0]) // carries from word 12 to 13
	if apart {
		skipFirst(d[0])
	}
	Label("batch")
	VPADDQ(two, d[0], d[1])
	for g := range groups {
		for i, in := range []VecPhysical{input[0], input[1], input[2], d[g]} {
			VMOVDQA(in, ymm[4*g+i])
		}
	}
	var doubleRound []func()
	for _, shuffles := range [][]rowShuffle{toDiagonals, toColumns} {
		for i := range 4 {
			var steps []step
			for g := range groups {
				steps = append(steps, quarter{4 * g, 4*g + 1, 4*g + 2, 4*g + 3}.steps()[i])
			}
			doubleRound = append(doubleRound, func() { step256(ymm, steps, t) })
		}
		for _, s := range shuffles {
			doubleRound = append(doubleRound, func() {
				for g := range groups {
					VPSHUFD(Imm(s.order), ymm[4*g+s.row], ymm[4*g+s.row])
				}
			})
		}
	}
	out := &output{}
	if apart {
		beside(doubleRound)
		out.blocks = 1 // that to first is done
	} else {
		doubleRounds("rounds", func() { emit(doubleRound) })
	}
	for g := range groups {
		r := ymm[4*g:][:4]
		for i, in := range []VecPhysical{input[0], input[1], input[2], d[g]} {
			VPADDD(in, r[i], r[i])
		}
		for _, part := range []uint64{0x20, 0x31} {
			VPERM2I128(Imm(part), r[1], r[0], t[0])
			VPERM2I128(Imm(part), r[3], r[2], t[1])
			block256(t[0], t[1], out)
		}
	}
	VPADDQ(two, d[1], d[0])
	out.more("batch")
	out.end()
}
