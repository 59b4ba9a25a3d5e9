package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// order512 has the number of the block that each lane of a vertical kernel holds:
// the one order in which the transposition below yields blocks 0 to 3, then 4 to
// 7, and so on. Lane l of 128-bit part p holds block 4l + p, of the second set
// block 16 + 4l + p.
var order512 Mem

// lanes has the number of the block in each 128-bit part of a horizontal kernel,
// where word 12, the low half of the counter, is in a row of the matrix.
var lanes, four Mem

func init() {
	var order [32]uint32
	for i := range order {
		order[i] = uint32(i&^15 + 4*(i%4) + i%16/4)
	}
	order512 = table("order512", order[:])
	lanes = table("lanes", rows(4, func(part int) uint32 { return uint32(part) }))
	four = table("four", rows(4, func(int) uint32 { return 4 }))
}

// rows returns rows d of n blocks, with word 12 of each and zeros.
func rows(n int, word12 func(part int) uint32) []uint32 {
	words := make([]uint32, 4*n)
	for part := range n {
		words[4*part] = word12(part)
	}
	return words
}

// step512 makes one step of some quarter rounds side by side: all additions, then
// all XORs, then all rotations, so that none waits for the one before it.
func step512(x []VecPhysical, steps []step) {
	for _, s := range steps {
		VPADDD(x[s.add], x[s.to], x[s.to])
	}
	for _, s := range steps {
		VPXORD(x[s.to], x[s.xor], x[s.xor])
	}
	for _, s := range steps {
		VPROLD(Imm(s.n), x[s.xor], x[s.xor])
	}
}

// verticalAVX512 holds word i of 16 blocks in register i, and in register 16 + i
// that of 16 more if there are two sets. One set keeps the vector units busy where
// an operation takes one cycle; where it takes two, two sets do. They fill all
// registers, but no operation needs another one.
func verticalAVX512(sets int) {
	name := fmt.Sprintf("vertical%dAVX512", 16*sets)
	begin(name, fmt.Sprintf("%s makes %d blocks at a time.", name, 16*sets))
	var saved Mem
	if sets == 2 {
		saved = AllocLocal(16 * 64)
	}
	arguments()
	MOVQ(word(12), counter)
	Label("batch")
	for set := range sets {
		x := zmm[16*set:][:16]
		for i := range x {
			if i != 12 && i != 13 {
				VPBROADCASTD(word(i), x[i])
			}
		}
		counters512(set, x[12], x[13])
	}
	doubleRounds("rounds", func() {
		for _, round := range [][]quarter{columns, diagonals} {
			for i := range 4 {
				var steps []step
				for set := range sets {
					for _, q := range round {
						q = quarter{16*set + q.a, 16*set + q.b, 16*set + q.c, 16*set + q.d}
						steps = append(steps, q.steps()[i])
					}
				}
				step512(zmm, steps)
			}
		}
	})
	out := &output{}
	if sets == 2 {
		for i, x := range zmm[16:] {
			VMOVDQU64(x, at(saved, 64*i))
		}
	}
	for set := range sets {
		if set == 1 {
			for i, x := range zmm[:16] {
				VMOVDQU64(at(saved, 64*i), x)
			}
		}
		finish512(set, out)
	}
	ADDQ(U8(16*sets), counter)
	out.more("batch")
	out.end()
}

// counters512 sets low and high to words 12 and 13 of a set.
func counters512(set int, low, highs VecPhysical) {
	MOVQ(counter, high)
	SHRQ(Imm(32), high)
	VPBROADCASTD(counter.As32(), highs)
	VPADDD(at(order512, 64*set), highs, low)
	VPCMPUD(Imm(1), highs, low, K1) // less than before: there is a carry
	VPBROADCASTD(high.As32(), highs)
	INCL(high.As32())
	VPBROADCASTD(high.As32(), K1, highs)
}

// finish512 adds the state, transposes the words of 16 blocks, and writes them.
func finish512(set int, out *output) {
	x, t := zmm[:16], zmm[16:]
	counters512(set, t[0], t[1])
	for i := range x {
		switch i {
		case 12, 13:
			VPADDD(t[i-12], x[i], x[i])
		default:
			VPADDD_BCST(word(i), x[i], x[i])
		}
	}
	// In each 128-bit part, four words of four blocks become four rows.
	for i := 0; i < 16; i += 4 {
		r, t := x[i:], t[i:]
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
		blocks512([]VecPhysical{x[i], x[4+i], x[8+i], x[12+i]}, t[8*(i%2):], out)
	}
}

// blocks512 writes four blocks, whose rows a, b, c and d are in the 128-bit parts
// of r. It uses eight registers t.
func blocks512(r, t []VecPhysical, out *output) {
	VSHUFI32X4(Imm(0x44), r[1], r[0], t[0]) // a0 a1 b0 b1
	VSHUFI32X4(Imm(0x44), r[3], r[2], t[1]) // c0 c1 d0 d1
	VSHUFI32X4(Imm(0xee), r[1], r[0], t[2]) // a2 a3 b2 b3
	VSHUFI32X4(Imm(0xee), r[3], r[2], t[3]) // c2 c3 d2 d3
	for i, z := range t[4:8] {
		// Parts 0 and 2 of both (a0 b0 c0 d0), or parts 1 and 3.
		VSHUFI32X4(Imm([]uint64{0x88, 0xdd}[i%2]), t[i/2*2+1], t[i/2*2], z)
	}
	for _, z := range t[4:8] {
		out.block(
			func(to Mem) { VMOVDQU64(z, to) },
			func() {
				VPXORD(Mem{Base: src}, z, z)
				VMOVDQU64(z, Mem{Base: dst})
			})
	}
}

// horizontalAVX512 holds each row of four blocks in a register, and those of four
// more in others if there are two groups.
func horizontalAVX512(groups int) {
	name := fmt.Sprintf("horizontal%dAVX512", 4*groups)
	begin(name, fmt.Sprintf("%s makes %d blocks at a time.", name, 4*groups))
	arguments()
	input, fours := zmm[16:][:4], zmm[20]
	d := []VecPhysical{input[3], zmm[21]} // of each group
	for i, z := range input {
		VBROADCASTI32X4(word(4*i), z)
	}
	VMOVDQU64(four, fours)
	VPADDQ(lanes, d[0], d[0]) // carries from word 12 to 13
	Label("batch")
	if groups == 2 {
		VPADDQ(fours, d[0], d[1])
	}
	for g := range groups {
		for i, in := range []VecPhysical{input[0], input[1], input[2], d[g]} {
			VMOVDQA64(in, zmm[4*g+i])
		}
	}
	doubleRounds("rounds", func() {
		for _, shuffles := range [][]rowShuffle{toDiagonals, toColumns} {
			for i := range 4 {
				var steps []step
				for g := range groups {
					steps = append(steps, quarter{4 * g, 4*g + 1, 4*g + 2, 4*g + 3}.steps()[i])
				}
				step512(zmm, steps)
			}
			for _, s := range shuffles {
				for g := range groups {
					VPSHUFD(Imm(s.order), zmm[4*g+s.row], zmm[4*g+s.row])
				}
			}
		}
	})
	out := &output{}
	for g := range groups {
		r := zmm[4*g:][:4]
		for i, in := range []VecPhysical{input[0], input[1], input[2], d[g]} {
			VPADDD(in, r[i], r[i])
		}
		blocks512(r, zmm[24:], out)
	}
	VPADDQ(fours, d[groups-1], d[0])
	out.more("batch")
	out.end()
}

// rowShuffle moves word order>>2i&3 of a row to place i.
type rowShuffle struct {
	row   int
	order uint64
}

// Between rounds of a horizontal kernel the rows shift against each other. Row b
// stays where it is, as it is the last that a round is done with.
var (
	toDiagonals = []rowShuffle{{0, 0x93}, {2, 0x39}, {3, 0x4e}}
	toColumns   = []rowShuffle{{0, 0x39}, {2, 0x93}, {3, 0x4e}}
)
