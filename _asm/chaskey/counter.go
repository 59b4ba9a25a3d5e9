package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Counter mode. Only the last word differs from block to block, and, where it
// carries, once in a call, the three words before it. So v0 and v1 come in half-way
// through the first round, and v2 as it enters that; all three also as they are
// after the carry. No carry decides a branch.

const counterSignature = "func(k *[12]uint32, c *[7]uint32, dst, src *byte, n, rounds int)"

// counterArguments begins the kernel, and returns where the words of c are.
func (p parallel) counterArguments() func(i int) Mem {
	name := p.name("counter")
	TEXT(name, attr.NOSPLIT, counterSignature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s XORs n batches of %d encrypted counter blocks to src. c is a", name, p.batch()),
		"counter of the Go code.")
	arguments()
	c := R8
	Load(Param("c"), c)
	return func(i int) Mem { return Mem{Base: c, Disp: 4 * i} }
}

// counterRounds makes the rounds, the first without what has been done of it.
func (p parallel) counterRounds() {
	p.ordered(slices.DeleteFunc(slices.Clone(inOrder), func(i int) bool { return entered[i] }))
	for range 3 {
		p.round()
	}
	repeat(rounds, p.round)
}

func (p parallel) counterAVX512() {
	word := p.counterArguments()
	start, next, step := p.reg(20), p.reg(21), p.reg(22) // numbers, in the order of bytes of the CPU
	reverse, last, out := p.reg(23), p.reg(24), p.reg(25)
	before, after := zmm[26:29], zmm[29:32]
	VPBROADCASTD(word(0), start)
	VMOVDQA32(start, next)
	VPBROADCASTD(stepTable, step)
	VMOVDQU32(reverseTable, reverse)
	VPBROADCASTD(keyIn.Offset(12), last)
	p.broadcast(keyOut, out)
	for i := range 3 {
		VPBROADCASTD(word(1+i), before[i])
		VPBROADCASTD(word(4+i), after[i])
	}
	SUBQ(Imm(4), rounds) // those after the first four

	Label("batch")
	p.each(func(n int, s set) {
		v, carried := s.v, []Register{K1, K2, K3, K4}[n]
		VPADDD(orderTable, next, v[3])
		VPADDD(step, next, next)
		VPCMPUD(Imm(1), start, v[3], carried) // less than the first
		for i := range 3 {
			VPBLENDMD(after[i], before[i], carried, v[i])
		}
		VPSHUFB(reverse, v[3], v[3])
		VPXORD(last, v[3], v[3])
	})
	p.counterRounds()
	p.xorToSource(func(set) VecPhysical { return out })
}

// counterAVX2 has fewer registers, and only signed comparisons: so the numbers have
// their highest bit inverted, but for the last word of the blocks.
func (p parallel) counterAVX2() {
	word := p.counterArguments()
	start, next := Y12, Y13
	VPBROADCASTD(word(0), start)
	VPXOR(signTable, start, start)
	VPADDD(orderTable2, start, next)
	p.loadRotations(8)
	SUBQ(Imm(4), rounds)

	Label("batch")
	p.each(func(_ int, s set) {
		v, carried, change := s.v, s.t[0], s.t[1]
		VPCMPGTD(next, start, carried)
		for i := range 3 {
			VPBROADCASTD(word(4+i), change)
			VPBROADCASTD(word(1+i), v[i])
			VPXOR(v[i], change, change)
			VPAND(carried, change, change)
			VPXOR(change, v[i], v[i])
		}
		VPXOR(signTable, next, v[3])
		VPSHUFB(reverseTable, v[3], v[3])
		VPBROADCASTD(keyIn.Offset(12), change)
		VPXOR(change, v[3], v[3])
		VPADDD(stepTable2, next, next)
	})
	p.counterRounds()
	p.xorToSource(func(s set) VecPhysical {
		p.broadcast(keyOut, s.t[0])
		return s.t[0]
	})
}

// xorToSource ends a batch; out returns the key after the rounds.
func (p parallel) xorToSource(out func(s set) VecPhysical) {
	p.each(func(n int, s set) {
		s.transpose()
		key := out(s)
		for i, v := range s.v {
			p.vpxor3(p.at(src, n, i), key, v)
			p.move(v, p.at(dst, n, i))
		}
	})
	p.advance()
}

// The tables of counter mode. order has the place in a set of the block whose last
// word is in a lane: lane l of the 128-bit part i of parts has block parts*l + i, as
// transpose gives that to part i of register l.
var (
	orderTable, orderTable2, stepTable, stepTable2, signTable, reverseTable Mem
)

func init() {
	order := func(parts int) func(i int) uint32 {
		return func(i int) uint32 { return uint32(i%4*parts + i/4) }
	}
	constant := func(v uint32) func(int) uint32 { return func(int) uint32 { return v } }
	orderTable = wordTable("order512", 16, order(4))
	orderTable2 = wordTable("order256", 8, order(2))
	stepTable = wordTable("step512", 1, constant(16))
	stepTable2 = wordTable("step256", 8, constant(8))
	signTable = wordTable("sign", 8, constant(1<<31))
	reverseTable = byteTable("reverse", 64, func(i int) int { return i ^ 3 })
}
