package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"xcipher/_asm/poly1305/powers"
)

const lanes512 = 8

func blocksAVX512() {
	const lanes = lanes512
	places := GLOBL("places", RODATA|NOPTR)
	for i := range 2 * lanes {
		DATA(8*i, U64(i))
	}
	order := GLOBL("order", RODATA|NOPTR)
	for i, block := range powers.LaneOrder(lanes) {
		DATA(8*i, U64(block))
	}
	constants := []struct {
		to    VecPhysical
		value Mem
	}{
		{low26, constant("low26", mask26)},
		{low52, constant("low52", mask52)},
		{five, constant("five", 5)},
		{bit24, constant("bit24", 1<<24)},
		{fold, constant("fold", 5<<26)},
	}

	TEXT("blocksAVX512", 0, fmt.Sprintf("func(h *[3]uint64, powers *[%d]uint64, p []byte)", powers.Words(lanes)))
	Pragma("noescape")
	Doc("blocksAVX512 does what blocksGeneric does, for 8 blocks or more.")
	t := &ifma{step: AllocLocal(9 * 32), end: AllocLocal(9 * 64)}
	for _, c := range constants {
		VPBROADCASTQ(c.value, c.to)
	}
	t.start(places, order)
	Load(Param("powers"), RAX)
	table := powers.At(Mem{Base: RAX}, lanes)
	expand(4, table.Steps, t.step)
	expand(8, table.Ends, t.end)

	p := RSI
	Comment("Whole batches are left, at the end")
	Load(Param("p").Base(), p)
	Load(Param("p").Len(), RAX)
	ADDQ(RAX, p)
	DECQ(RAX)
	ANDQ(I32(-128), RAX)
	SUBQ(RAX, p)
	groups(RAX, 128, func(g int) { t.group(g, p) })
	t.finish()
}

// start makes h of the first batch: zeros in front, so that whole batches follow,
// then one to eight blocks, with the accumulator added to the first of them.
func (t *ifma) start(places, order Mem) {
	Comment("empty = -blocks mod 8")
	p, empty := RSI, RCX
	Load(Param("p").Base(), p)
	Load(Param("p").Len(), empty)
	SHRQ(Imm(4), empty)
	NEGQ(empty)
	ANDQ(Imm(7), empty)
	VPBROADCASTQ(empty, Z3)
	VMOVDQU64(order, Z4)
	VPCMPUQ(Imm(5), Z3, Z4, K3) // block >= empty
	VPCMPEQQ(Z3, Z4, K4)        // block = empty

	Comment("Move the first eight blocks up behind the empty ones")
	ADDQ(empty, empty)
	VPBROADCASTQ(empty, Z3)
	MOVL(U32(0xffff), EAX)
	SHLL(CL, EAX)
	KMOVB(EAX, K1)
	SHRL(Imm(8), EAX)
	KMOVB(EAX, K2)
	batch := [2]VecPhysical{Z0, Z1}
	for i, r := range batch {
		VMOVDQU64(places.Offset(64*i), r)
		VPSUBQ(Z3, r, r)
		VMOVDQU64(Mem{Base: p, Disp: 64 * i}, loads[i])
	}
	VPERMI2Q_Z(loads[1], loads[0], K1, batch[0])
	VPERMI2Q_Z(loads[1], loads[0], K2, batch[1])
	h := hDigits
	split(batch, h)
	VPANDQ(low52, h[0], h[0])
	VPANDQ(low52, h[1], h[1])
	VPORQ(bit24, h[2], K3, h[2])

	Comment("Add h, in digits of 52 bits, and carry")
	Load(Param("h"), RDI)
	MOVQ(Mem{Base: RDI}, RAX)
	MOVQ(Mem{Base: RDI, Disp: 8}, RBX)
	MOVQ(Mem{Base: RDI, Disp: 16}, RDX)
	MOVQ(RAX, R8)
	VPBROADCASTQ_Z(R8, K4, Z0)
	VPANDQ(low52, Z0, Z0)
	SHRQ(Imm(52), RAX)
	MOVQ(RBX, R8)
	SHLQ(Imm(12), R8)
	ORQ(R8, RAX)
	VPBROADCASTQ_Z(RAX, K4, Z1)
	VPANDQ(low52, Z1, Z1)
	SHRQ(Imm(40), RBX)
	SHLQ(Imm(24), RDX)
	ORQ(RBX, RDX)
	VPBROADCASTQ_Z(RDX, K4, Z2)
	for j, digit := range []VecPhysical{Z0, Z1, Z2} {
		VPADDQ(digit, h[j], h[j])
		if j < 2 {
			VPSRLQ(Imm(52), h[j], Z3)
			VPADDQ(Z3, h[j+1], h[j+1])
		}
	}
}

// finish multiplies the lanes, adds them, and stores the accumulator.
func (t *ifma) finish() {
	Comment("Multiply each lane by its power")
	s := &sums{regs: bankA}
	s.multiply(hDigits, false, func(i, j int, to VecPhysical) { VMOVDQU64(forms(t.end, i, j, 64), to) })
	d := total(s, &sums{})

	Comment("Add the lanes of all four sums")
	VPUNPCKLQDQ(d[1], d[0], Z12)
	VPUNPCKHQDQ(d[1], d[0], Z13)
	VPUNPCKLQDQ(d[3], d[2], Z14)
	VPUNPCKHQDQ(d[3], d[2], Z15)
	VPADDQ(Z13, Z12, Z0)
	VPADDQ(Z15, Z14, Z1)
	VEXTRACTI64X4(Imm(1), Z0, Y2)
	VEXTRACTI64X4(Imm(1), Z1, Y3)
	VPADDQ(Y2, Y0, Y0)
	VPADDQ(Y3, Y1, Y1)
	VEXTRACTI128(Imm(1), Y0, X2)
	VEXTRACTI128(Imm(1), Y1, X3)
	VPADDQ(X2, X0, X0)
	VPADDQ(X3, X1, X1)
	VMOVQ(X0, R8)
	VPEXTRQ(Imm(1), X0, RAX)
	VMOVQ(X1, RBX)
	VPEXTRQ(Imm(1), X1, RCX)
	VZEROUPPER()

	Comment("h = d0 + 2^52 d1 + 2^104 d2 + 2^156 d3, and 2^156 = 5 2^26")
	LEAQ(Mem{Base: RCX, Index: RCX, Scale: 4}, RCX)
	SHLQ(Imm(26), RCX)
	ADDQ(RCX, R8)
	MOVQ(RAX, R9)
	SHRQ(Imm(12), R9)
	SHLQ(Imm(52), RAX)
	MOVQ(RBX, R10)
	SHRQ(Imm(24), R10)
	SHLQ(Imm(40), RBX)
	ADDQ(RAX, R8)
	ADCQ(RBX, R9)
	ADCQ(Imm(0), R10)
	finish()
}
