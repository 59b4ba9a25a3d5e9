// Command poly1305 generates the kernels of package internal/poly1305.
//
// Both work on several lanes: each takes every eighth (fourth) block, and
// multiplies by r^8 (r^4) between its blocks. At the end the lanes are multiplied
// by r^8, r^7 and so on down to r, and added. The accumulator and the powers of r are
// numbers modulo p = 2^130 - 5, in digits that suit the multiplications at hand:
//
//	64, 64, 2 bits        h and r as the generic code has them, and powers in memory
//	44, 44, 42 bits       powers, while they are computed (package powers)
//	52, 52, 26 bits       AVX-512, for IFMA's products of 52 bits
//	26 bits, five times   AVX2, for products of 32 bits
//
// The top digit, and others until they are carried, may be larger.
//
// A power R that multiplies message digits of weights 1, w, w^2... is kept as
// R, R w, R w^2... modulo p, so that digit i times form i needs no reduction:
//
//	(x0 + x1 w + x2 w^2) R = x0 R + x1 (R w) + x2 (R w^2)
package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"xcipher/_asm/poly1305/powers"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	powersMULX()
	blocksAVX512()
	blocksAVX2()
	sumMULX()
	tailMULX()
	Generate()
}

const (
	mask26 = 1<<26 - 1
	mask52 = 1<<52 - 1
)

// powersMULX computes the powers that the AVX-512 kernel takes.
func powersMULX() {
	TEXT("powersMULX", 0, fmt.Sprintf("func(powers *[%d]uint64, r *[2]uint64)", powers.Words(lanes512)))
	Pragma("noescape")
	Doc("powersMULX computes the powers of r for blocksAVX512.")
	loadR()
	Load(Param("powers"), R15)
	powers.At(Mem{Base: R15}, lanes512).Compute()
	RET()
}

// loadR sets CX and DX to r.
func loadR() {
	Load(Param("r"), RAX)
	MOVQ(Mem{Base: RAX}, RCX)
	MOVQ(Mem{Base: RAX, Disp: 8}, RDX)
}

// vector returns register i, in the width of so many lanes of 64 bits.
func vector(lanes, i int) VecPhysical {
	if lanes == 8 {
		return zmm[i]
	}
	return zmm[i].AsY().(VecPhysical)
}

var zmm = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
	Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}

// constant returns a 64-bit integer in memory.
func constant(name string, v uint64) Mem {
	if _, ok := constants[name]; !ok {
		constants[name] = ConstData(name, U64(v))
	}
	return constants[name]
}

var constants = map[string]Mem{}

// groups absorbs length bytes of whole batches: first a group of one to three
// batches, then groups of four.
func groups(length GPPhysical, batch int, group func(g int)) {
	count := RCX
	Comment("A group of one to three batches, then groups of four")
	SHRQ(Imm(uint64(bits.TrailingZeros(uint(batch)))), length)
	MOVQ(length, count)
	SHRQ(Imm(2), count)
	ANDQ(Imm(3), length)
	JEQ(LabelRef("fours"))
	CMPQ(length, Imm(2))
	JEQ(LabelRef("two"))
	JHI(LabelRef("three"))
	group(1)
	JMP(LabelRef("fours"))
	Label("two")
	group(2)
	JMP(LabelRef("fours"))
	Label("three")
	group(3)
	Label("fours")
	TESTQ(count, count)
	JEQ(LabelRef("end"))
	Label("loop")
	group(4)
	DECQ(count)
	JNE(LabelRef("loop"))
	Label("end")
}

// finish folds the accumulator R8 + 2^64 R9 + 2^128 R10, where R10 is far below
// 2^64, and stores it. The last limb is at most 4 then, as the generic code has it.
func finish() {
	Comment("h = h mod 2^130 + 5 (h / 2^130)")
	foldTop([3]GPPhysical{R8, R9, R10}, RAX, RCX)
	Load(Param("h"), RDI)
	for i, limb := range []Register{R8, R9, R10} {
		MOVQ(limb, Mem{Base: RDI, Disp: 8 * i})
	}
	RET()
}

// foldTop brings what lies above 2^130 back to the bottom, five times.
func foldTop(h [3]GPPhysical, t0, t1 GPPhysical) {
	MOVQ(h[2], t0)
	MOVQ(h[2], t1)
	ANDQ(I32(-4), t0)
	SHRQ(Imm(2), t1)
	ANDQ(I32(3), h[2])
	ADDQ(t1, t0)
	ADDQ(t0, h[0])
	ADCQ(I32(0), h[1])
	ADCQ(I32(0), h[2])
}
