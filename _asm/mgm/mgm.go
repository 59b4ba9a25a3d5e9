// Command mgm generates the carry-less products of package aead/mgm.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	reverse64, reverse128 := reversal("reverse64", 8), reversal("reverse128", 16)
	for _, tier := range []string{"AVX2", "AVX512"} {
		add64(tier, reverse64)
		add128(tier, reverse128)
	}
	Generate()
}

// reversal makes a constant that reverses the bytes of blocks.
func reversal(name string, size int) Mem {
	m := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i := 0; i < 64; i += 8 {
		var v uint64
		for j := range 8 {
			v |= uint64((i+j)%16^(size-1)) << (8 * j)
		}
		DATA(i, U64(v))
	}
	return m
}

var (
	h, p, n = RSI, RDI, RCX

	// Sums of products: of both low words, of both high ones, and of one of each.
	// With blocks of 64 bits the first two are of blocks at even and odd places.
	low, high, mixed = Z0, Z1, Z2
	reverse          = Z3
	hs, ps           = Z4, Z5
	found            = []VecPhysical{Z6, Z7, Z8, Z9}
)

// width picks how much of a register is used: 16 bytes or 64.
type width func(v VecPhysical) VecPhysical

func asX(v VecPhysical) VecPhysical { return v.AsX().(VecPhysical) }
func asZ(v VecPhysical) VecPhysical { return v }

func xor(w width, v, sum VecPhysical) {
	if v, sum := w(v), w(sum); sum.Size() == 64 {
		VPXORQ(v, sum, sum)
	} else {
		VPXOR(v, sum, sum)
	}
}

// start loads the arguments and the constant, and clears the sums.
func start(tier string, reversal Mem, sums ...VecPhysical) {
	Load(Param("h"), h)
	Load(Param("p"), p)
	Load(Param("n"), n)
	if tier == "AVX512" {
		VMOVDQU64(reversal, reverse)
	} else {
		VMOVDQU(reversal, asX(reverse))
	}
	for _, sum := range sums {
		VPXOR(asX(sum), asX(sum), asX(sum)) // all of the register
	}
}

// loop multiplies while n is at least so many bytes.
func loop(name string, bytes int, w width, multiply func(w width)) {
	JMP(LabelRef(name + "Test"))
	Label(name)
	if bytes == 64 {
		VMOVDQU64(Mem{Base: h}, hs)
		VMOVDQU64(Mem{Base: p}, ps)
	} else {
		VMOVDQU(Mem{Base: h}, asX(hs))
		VMOVDQU(Mem{Base: p}, asX(ps))
	}
	multiply(w)
	ADDQ(I32(bytes), h)
	ADDQ(I32(bytes), p)
	SUBQ(I32(bytes), n)
	Label(name + "Test")
	CMPQ(n, I32(bytes))
	JGE(LabelRef(name))
}

// loops multiplies all: with AVX-512 64 bytes at a time first.
func loops(tier string, multiply func(w width), sums ...VecPhysical) {
	if tier == "AVX512" {
		loop("wide", 64, asZ, multiply)
		for _, sum := range sums {
			VEXTRACTI64X4(Imm(1), sum, found[0].AsY())
			VPXOR(found[0].AsY(), sum.AsY(), sum.AsY())
			VEXTRACTI128(Imm(1), sum.AsY(), found[0].AsX())
			VPXOR(found[0].AsX(), sum.AsX(), sum.AsX())
		}
	}
	loop("narrow", 16, asX, multiply)
}

// finish adds a sum to a pair of words, the high one first.
func finish(pair string, sum VecPhysical) {
	Load(Param(pair), RAX)
	VPSHUFD(Imm(0b01_00_11_10), asX(sum), asX(sum))
	VPXOR(Mem{Base: RAX}, asX(sum), asX(sum))
	VMOVDQU(asX(sum), Mem{Base: RAX})
}

// product multiplies a word of hs and one of ps, the low ones or the high ones.
func product(w width, ofH, ofP uint64, dst VecPhysical) {
	VPCLMULQDQ(Imm(ofP<<4|ofH), w(hs), w(ps), w(dst))
}

// reversed reverses the bytes of the operands' blocks.
func reversed(w width) {
	VPSHUFB(w(reverse), w(hs), w(hs))
	VPSHUFB(w(reverse), w(ps), w(ps))
}

func add64(tier string, reversal Mem) {
	TEXT("add64"+tier, attr.NOSPLIT, "func(low *[2]uint64, h, p *byte, n int)")
	Pragma("noescape")
	Doc("add64" + tier + " adds the products of blocks of 64 bits, n bytes at h and p.")
	start(tier, reversal, low, high)
	loops(tier, func(w width) {
		reversed(w)
		product(w, 0, 0, found[0])
		product(w, 1, 1, found[1])
		xor(w, found[0], low)
		xor(w, found[1], high)
	}, low, high)
	TESTQ(n, n)
	JEQ(LabelRef("even"))
	VMOVQ(Mem{Base: h}, asX(hs))
	VMOVQ(Mem{Base: p}, asX(ps))
	reversed(asX)
	product(asX, 0, 0, found[0])
	xor(asX, found[0], low)
	Label("even")
	xor(asX, high, low)
	finish("low", low)
	VZEROUPPER()
	RET()
}

func add128(tier string, reversal Mem) {
	TEXT("add128"+tier, attr.NOSPLIT, "func(low, high, mixed *[2]uint64, h, p *byte, n int)")
	Pragma("noescape")
	Doc("add128"+tier+" adds the products of blocks of 128 bits, n bytes at h and p.", "mixed gets the sum of all, as from sums of the halves.")
	start(tier, reversal, low, high, mixed)
	loops(tier, func(w width) {
		reversed(w)
		product(w, 0, 0, found[0])
		product(w, 1, 1, found[1])
		product(w, 0, 1, found[2])
		product(w, 1, 0, found[3])
		xor(w, found[0], low)
		xor(w, found[1], high)
		xor(w, found[2], mixed)
		xor(w, found[3], mixed)
	}, low, high, mixed)
	xor(asX, low, mixed)
	xor(asX, high, mixed)
	finish("low", low)
	finish("high", high)
	finish("mixed", mixed)
	VZEROUPPER()
	RET()
}
