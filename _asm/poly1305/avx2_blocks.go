package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"xcipher/_asm/poly1305/powers"
)

func blocksAVX2() {
	const lanes = 4
	behind := GLOBL("behind", RODATA|NOPTR)
	for i := range lanes {
		DATA(8*i, U64(1<<24))
	}
	low := constant("low26", mask26)

	TEXT("blocksAVX2", 0, "func(h *[3]uint64, r *[2]uint64, p []byte)")
	Pragma("noescape")
	Doc("blocksAVX2 does what blocksGeneric does, for a multiple of 4 blocks, at least 4.")
	t := &words{powers: powers.At(AllocLocal(8*powers.Words(lanes)), lanes), step: AllocLocal(32 * stepRows), end: AllocLocal(32 * endRows)}
	loadR()
	t.powers.Compute()
	VPBROADCASTQ(low, lowY)
	t.expandForms()
	Comment("Limbs of r^4, r^2, r^3, r")
	expand26(t.powers.Ends, t.end)

	p := RSI
	Load(Param("p").Base(), p)
	t.start(p, behind)
	Load(Param("p").Len(), RAX)
	SUBQ(Imm(64), RAX)
	groups(RAX, 64, func(g int) { t.group(g, p, behind) })
	t.finish()
}

// start makes h of the first batch, with the accumulator added to its first block.
func (t *words) start(p Register, behind Mem) {
	Comment("h, in limbs of 26 bits, plus the first batch")
	Load(Param("h"), RDI)
	VMOVQ(Mem{Base: RDI}, X5)
	VMOVQ(Mem{Base: RDI, Disp: 8}, X6)
	VMOVQ(Mem{Base: RDI, Disp: 16}, X7)
	splitLimbs(Y5, Y6, hLimbs)
	VPSLLQ(Imm(24), Y7, Y7)
	VPADDQ(Y7, hLimbs[4], hLimbs[4])
	load(p, 0, Y5, Y6)
	splitLimbs(Y5, Y6, acc)
	VPOR(behind, acc[4], acc[4])
	for j := range acc {
		VPADDQ(acc[j], hLimbs[j], hLimbs[j])
	}
	ADDQ(Imm(64), p)
}

// finish multiplies the lanes, adds them, and stores the accumulator.
func (t *words) finish() {
	Comment("Multiply each lane by its power")
	acc.multiply(hLimbs, t.end, true, func(row Mem, to VecPhysical) { VMOVDQU(row, to) })

	Comment("Add the lanes of all sums")
	d := acc
	for j := 0; j < 4; j += 2 {
		VPUNPCKHQDQ(d[j+1], d[j], tmp)
		VPUNPCKLQDQ(d[j+1], d[j], d[j])
		VPADDQ(tmp, d[j], d[j])
	}
	VPSRLDQ(Imm(8), d[4], tmp)
	VPADDQ(tmp, d[4], d[4])
	for j := 0; j < 5; j += 2 {
		VEXTRACTI128(Imm(1), d[j], tmp.AsX())
		VPADDQ(tmp.AsX(), d[j].AsX(), d[j].AsX())
	}
	sums := []GPPhysical{R8, RAX, RBX, RCX, RDX}
	for j, s := range sums {
		if j%2 == 0 {
			VMOVQ(d[j].AsX(), s)
		} else {
			VPEXTRQ(Imm(1), d[j-1].AsX(), s)
		}
	}
	VZEROUPPER()

	Comment("h = d0 + 2^26 d1 + 2^52 d2 + 2^78 d3 + 2^104 d4")
	XORL(R9L, R9L)
	XORL(R10L, R10L)
	for j, s := range sums {
		if j == 0 {
			continue // it is R8
		}
		low := 26 * j % 64
		MOVQ(s, RSI)
		SHLQ(Imm(uint64(low)), s)
		SHRQ(Imm(uint64(64-low)), RSI)
		if j < 3 {
			ADDQ(s, R8)
			ADCQ(RSI, R9)
		} else {
			ADDQ(s, R9)
			ADCQ(RSI, R10)
		}
	}
	finish()
}
