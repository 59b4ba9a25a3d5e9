package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// order512 has the number of the block that each lane of a vertical kernel holds:
// the one order in which the transposition below yields blocks 0 to 3, then 4 to
// 7, and so on. Lane l of 128-bit part p holds block 4l + p, of the second set
// block 16 + 4l + p.
var order512 Mem

func init() {
	var order [32]uint32
	for i := range order {
		order[i] = uint32(i&^15 + 4*(i%4) + i%16/4)
	}
	order512 = table("order512", order[:])
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

// quickStep512 makes one step of one quarter round in three cycles, where a rotation
// takes two of them and all else one: it rotates both before they are XORed, and
// what is rotated as such was there early.
func quickStep512(x []VecPhysical, s step, t []VecPhysical) {
	VPROLD(Imm(s.n), x[s.xor], x[s.xor])
	VPADDD(x[s.add], x[s.to], x[s.to])
	VPSLLD(Imm(s.n), x[s.to], t[0])
	VPSRLD(Imm(32-s.n), x[s.to], t[1])
	VPTERNLOGD(Imm(0x96), t[0], t[1], x[s.xor]) // XOR of all three
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
		begin512(set)
	}
	doubleRounds("rounds", func() { emit(verticalDoubleRound(sets)) })
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

// begin512 sets the words of a set.
func begin512(set int) {
	x := zmm[16*set:][:16]
	for i := range x {
		if i != 12 && i != 13 {
			VPBROADCASTD(word(i), x[i])
		}
	}
	counters512(set, x[12], x[13])
}

// verticalDoubleRound returns the instructions of a double round, in parts.
func verticalDoubleRound(sets int) (parts []func()) {
	for _, round := range [][]quarter{columns, diagonals} {
		for i := range 4 {
			var steps []step
			for set := range sets {
				for _, q := range round {
					q = quarter{16*set + q.a, 16*set + q.b, 16*set + q.c, 16*set + q.d}
					steps = append(steps, q.steps()[i])
				}
			}
			// Two at a time: only half of the vector units can rotate, and so they
			// have something to do all the time.
			for pair := range slices.Chunk(steps, 2) {
				parts = append(parts, func() { step512(zmm, pair) })
			}
		}
	}
	return parts
}

func emit(parts []func()) {
	for _, part := range parts {
		part()
	}
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

// rows512 holds each row of two blocks in a register of 256 bits, and those of two
// more in others for each further group. Registers of 512 bits would take half as many
// instructions, but more time.
type rows512 struct{ groups int }

func (t *rows512) rows() []VecPhysical  { return ymm32[:4*t.groups] }
func (t *rows512) input() []VecPhysical { return ymm32[16:19] }
func (t *rows512) d() []VecPhysical     { return ymm32[20:][:t.groups] } // input of each group

// loadInput loads the rows that all blocks share.
func (t *rows512) loadInput() {
	for i, y := range t.input() {
		VBROADCASTI32X4(word(4*i), y)
	}
}

// begin copies the input. The first of d is there.
func (t *rows512) begin() {
	for g, d := range t.d() {
		r := t.rows()[4*g:]
		if g > 0 {
			VPADDQ(two, t.d()[g-1], d)
		}
		for i, in := range t.input() {
			VMOVDQA64(in, r[i])
		}
		VMOVDQA64(d, r[3])
	}
}

// finish adds the input and writes the blocks.
func (t *rows512) finish(out *output) {
	low, high := ymm32[24], ymm32[25]
	for g, d := range t.d() {
		r := t.rows()[4*g:]
		for i, in := range t.input() {
			VPADDD(in, r[i], r[i])
		}
		VPADDD(d, r[3], r[3])
		for _, part := range []uint64{0, 3} {
			VSHUFI32X4(Imm(part), r[1], r[0], low)
			VSHUFI32X4(Imm(part), r[3], r[2], high)
			out.block(
				func(to Mem) {
					VMOVDQU64(low, to)
					VMOVDQU64(high, at(to, 32))
				},
				func() {
					VPXORD(Mem{Base: src}, low, low)
					VPXORD(Mem{Base: src, Disp: 32}, high, high)
					VMOVDQU64(low, Mem{Base: dst})
					VMOVDQU64(high, Mem{Base: dst, Disp: 32})
				})
		}
	}
}

// horizontalAVX512 makes so many groups at a time. If apart, the block to first is
// made beside them.
func horizontalAVX512(groups int, apart bool) {
	blocks := 2 * groups
	if apart {
		name := fmt.Sprintf("horizontal%dAVX512", 1+blocks)
		begin(name, fmt.Sprintf("%s makes one block to first and beside it %d at a time.", name, blocks))
	} else {
		name := fmt.Sprintf("horizontal%dAVX512", blocks)
		begin(name, fmt.Sprintf("%s makes %d blocks at a time.", name, blocks))
	}
	arguments()
	t := &rows512{groups}
	t.loadInput()
	rowD(xmm[0])
	VINSERTI128(Imm(1), xmm[0], ymm[0], ymm[0])
	VPADDQ(lanes256, ymm[0], t.d()[0]) // carries from word 12 to 13
	if apart {
		skipFirst(t.d()[0])
	}
	Label("batch")
	t.begin()
	var quick []VecPhysical
	if groups == 1 {
		quick = ymm32[24:26]
	}
	out := &output{}
	if doubleRound := horizontalDoubleRound(t.rows(), quick); apart {
		beside(doubleRound)
		out.blocks = 1 // that to first is done
	} else {
		doubleRounds("rounds", func() { emit(doubleRound) })
	}
	t.finish(out)
	VPADDQ(two, t.d()[groups-1], t.d()[0])
	out.more("batch")
	out.end()
}

// horizontalDoubleRound returns the instructions of a double round, in parts. y has the
// rows of all groups.
func horizontalDoubleRound(y, quick []VecPhysical) (parts []func()) {
	for _, shuffles := range [][]rowShuffle{toDiagonals, toColumns} {
		for i := range 4 {
			var steps []step
			for g := 0; g < len(y); g += 4 {
				steps = append(steps, quarter{g, g + 1, g + 2, g + 3}.steps()[i])
			}
			parts = append(parts, func() {
				if quick != nil {
					quickStep512(y, steps[0], quick)
				} else {
					step512(y, steps)
				}
			})
			for _, s := range shuffles {
				if i != s.after {
					continue
				}
				parts = append(parts, func() {
					for g := 0; g < len(y); g += 4 {
						VPSHUFD(Imm(s.order), y[g+s.row], y[g+s.row])
					}
				})
			}
		}
	}
	return parts
}

// rowShuffle moves word order>>2i&3 of a row to place i, after a step that no longer
// needs the row as it was.
type rowShuffle struct {
	row   int
	order uint64
	after int
}

// Between rounds of a horizontal kernel the rows shift against each other. Row b
// stays where it is, as it is the last that a round is done with.
var (
	toDiagonals = []rowShuffle{{0, 0x93, 2}, {2, 0x39, 3}, {3, 0x4e, 3}}
	toColumns   = []rowShuffle{{0, 0x39, 2}, {2, 0x93, 3}, {3, 0x4e, 3}}
)
