package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels on general registers take a short message from beginning to end, or the
// end of a long one. The multiplication by r that belongs to a block waits for the
// next block, which is added beside it, h = h r + block: behind the last carry of h r
// it would take time of its own.
var (
	h           = [3]GPPhysical{R8, R9, R10} // accumulator, in limbs of 64 bits
	r0, r1, s1  = R11, R12, R13              // multiplier, and 5 r1 / 4
	source, end = RSI, R15                   // of whole blocks
	low, high   = RSI, R15                   // a block that is not in memory
)

func sumMULX() {
	TEXT("sumMULX", NOSPLIT, "func(tag *[16]byte, key *[32]byte, aad, text []byte)")
	Pragma("noescape")
	Doc("sumMULX sets tag to that of aad and text, each filled up with zeros, and of",
		"their lengths.")
	multiplier()
	for _, limb := range h {
		XORL(limb.As32(), limb.As32())
	}
	absorb("aad", nil)
	absorb("text", []string{"aad"})
	Comment("The lengths")
	Load(Param("aad").Len(), low)
	Load(Param("text").Len(), high)
	MOVQ(low, RAX)
	ORQ(high, RAX)
	JEQ(LabelRef("empty"))
	step(low, high)
	JMP(LabelRef("last"))
	Label("empty")
	add(low, high)
	Label("last")
	tag()
}

func tailMULX() {
	TEXT("tailMULX", NOSPLIT, "func(tag *[16]byte, key *[32]byte, h *[3]uint64, tail []byte, aad, text uint64)")
	Pragma("noescape")
	Doc("tailMULX goes on from h with tail, filled up with zeros, and two lengths, and",
		"sets tag. tail is less than a block.")
	multiplier()
	Load(Param("h"), RAX)
	for i, limb := range h {
		MOVQ(Mem{Base: RAX, Disp: 8 * i}, limb)
	}
	Load(Param("tail").Len(), RCX)
	TESTQ(RCX, RCX)
	JEQ(LabelRef("lengths"))
	Load(Param("tail").Base(), source)
	partial("tail")
	add(low, high)
	Load(Param("aad"), low)
	Load(Param("text"), high)
	step(low, high)
	JMP(LabelRef("last"))
	Label("lengths")
	Load(Param("aad"), low)
	Load(Param("text"), high)
	add(low, high)
	Label("last")
	tag()
}

// multiplier loads r and s1.
func multiplier() {
	Comment("r, clamped, and 5 r1 / 4")
	Load(Param("key"), RAX)
	MOVQ(U64(0x0ffffffc0fffffff), r0)
	ANDQ(Mem{Base: RAX}, r0)
	MOVQ(U64(0x0ffffffc0ffffffc), r1)
	ANDQ(Mem{Base: RAX, Disp: 8}, r1)
	MOVQ(r1, s1)
	SHRQ(Imm(2), s1)
	ADDQ(r1, s1)
}

// absorb absorbs a parameter. If those before it are empty too, h is 0 at its first
// block, and there is nothing to multiply.
func absorb(name string, before []string) {
	label := func(what string) string { return name + what }
	// ifFirst jumps if nothing was absorbed yet.
	ifFirst := func(to string) {
		if before == nil {
			JMP(LabelRef(to))
		}
		for _, other := range before {
			Load(Param(other).Len(), RDX)
			TESTQ(RDX, RDX)
			JEQ(LabelRef(to))
		}
	}
	Commentf("The %s", name)
	Load(Param(name).Base(), source)
	Load(Param(name).Len(), RCX)
	MOVQ(RCX, end)
	ANDQ(I32(-16), end)
	JEQ(LabelRef(label("Tail")))
	ADDQ(source, end)
	ifFirst(label("First"))
	Label(label("Blocks"))
	step(Mem{Base: source}, Mem{Base: source, Disp: 8})
	Label(label("Next"))
	ADDQ(Imm(16), source)
	CMPQ(source, end)
	JNE(LabelRef(label("Blocks")))
	Load(Param(name).Len(), RCX)
	ANDQ(Imm(15), RCX)
	JEQ(LabelRef(label("Done")))
	partial(name + "End")
	JMP(LabelRef(label("Step")))
	Label(label("First"))
	add(Mem{Base: source}, Mem{Base: source, Disp: 8})
	JMP(LabelRef(label("Next")))
	Label(label("Tail"))
	TESTQ(RCX, RCX)
	JEQ(LabelRef(label("Done")))
	partial(name)
	ifFirst(label("FirstTail"))
	Label(label("Step"))
	step(low, high)
	JMP(LabelRef(label("Done")))
	Label(label("FirstTail"))
	add(low, high)
	Label(label("Done"))
}

// partial sets low and high to the last CX bytes at source, 1 to 15, and zeros. It
// reads no others, but some of them twice.
func partial(name string) {
	more, four, loaded := name+"More", name+"Four", name+"Loaded"
	bytes, shift, other := RCX, RDX, RDI
	add := func() { // other to AX, shifted
		SHLXQ(shift, other, other)
		ORQ(other, RAX)
	}
	XORL(EBX, EBX)
	MOVQ(bytes, shift)
	CMPQ(bytes, Imm(8))
	JHI(LabelRef(more))
	CMPQ(bytes, Imm(4))
	JCC(LabelRef(four))
	Comment("First byte, that in the middle, and last byte of 1, 2 or 3")
	MOVBLZX(Mem{Base: source}, EAX)
	SHRQ(Imm(1), shift)
	MOVBLZX(Mem{Base: source, Index: shift, Scale: 1}, other.As32())
	SHLQ(Imm(3), shift)
	add()
	MOVBLZX(Mem{Base: source, Index: bytes, Scale: 1, Disp: -1}, other.As32())
	MOVQ(bytes, shift)
	SHLQ(Imm(3), shift)
	SUBQ(Imm(8), shift)
	add()
	JMP(LabelRef(loaded))
	Label(four)
	Comment("First and last four of 4 to 8")
	MOVL(Mem{Base: source}, EAX)
	MOVL(Mem{Base: source, Index: bytes, Scale: 1, Disp: -4}, other.As32())
	SHLQ(Imm(3), shift)
	SUBQ(Imm(32), shift)
	add()
	JMP(LabelRef(loaded))
	Label(more)
	Comment("First and last eight of 9 to 15")
	MOVQ(Mem{Base: source}, RAX)
	MOVQ(Mem{Base: source, Index: bytes, Scale: 1, Disp: -8}, RBX)
	SHLQ(Imm(3), shift)
	NEGQ(shift) // modulo 64, that is 8 (16 - bytes)
	SHRXQ(shift, RBX, RBX)
	Label(loaded)
	MOVQ(RAX, low)
	MOVQ(RBX, high)
}

// add adds a block, with a bit behind its end.
func add(low, high Op) {
	ADDQ(low, h[0])
	ADCQ(high, h[1])
	ADCQ(Imm(1), h[2])
}

// step multiplies by r, as the generic code does, and adds a block.
func step(low, high Op) {
	multiply(func() { add(low, high) })
}

// multiply multiplies by r. block may add to the accumulator before the last carry.
func multiply(block func()) {
	h0, h1, h2 := h[0], h[1], h[2]
	a0, a1, b0, b1, t0, t1 := h0, RAX, RBX, RCX, RDI, h1
	// a = h0 r0 + h1 s1
	// b = h0 r1 + h1 r0
	MOVQ(h0, RDX)
	MULXQ(r0, a0, a1)
	MULXQ(r1, b0, b1)
	MOVQ(h1, RDX)
	MULXQ(s1, t0, t1)
	ADDQ(t0, a0)
	ADCQ(t1, a1)
	MULXQ(r0, t0, t1)
	ADDQ(t0, b0)
	ADCQ(t1, b1)
	// h = a + 2^64 (b + h2 s1) + 2^128 h2 r0
	MOVQ(h2, t0)
	IMULQ(s1, t0)
	IMULQ(r0, h2)
	ADDQ(t0, a1)
	MOVQ(b0, h1)
	ADDQ(a1, h1)
	ADCQ(b1, h2)
	// What lies above 2^130, h2 / 4, comes back at the bottom five times.
	above, fourfold := RAX, RBX
	MOVQ(h2, fourfold)
	MOVQ(h2, above)
	ANDQ(I32(-4), fourfold)
	SHRQ(Imm(2), above)
	ANDQ(Imm(3), h2)
	ADDQ(fourfold, above)
	block()
	ADDQ(above, h0)
	ADCQ(Imm(0), h1)
	ADCQ(Imm(0), h2)
}

// tag multiplies for the last time, reduces the accumulator modulo p and adds s modulo 2^128, as the generic code
// does.
func tag() {
	multiply(func() {})
	Comment("h is p or more exactly if h + 5 reaches 2^130")
	h0, h1, h2 := h[0], h[1], h[2]
	g0, g1, reached := RAX, RBX, h2
	MOVQ(h0, g0)
	MOVQ(h1, g1)
	ADDQ(Imm(5), g0)
	ADCQ(Imm(0), g1)
	ADCQ(Imm(0), h2)
	SHRQ(Imm(2), h2)
	NEGQ(reached) // all ones or zero
	for _, x := range [][2]GPPhysical{{h0, g0}, {h1, g1}} {
		XORQ(x[0], x[1])
		ANDQ(reached, x[1])
		XORQ(x[1], x[0])
	}
	Comment("Plus s")
	Load(Param("key"), RAX)
	ADDQ(Mem{Base: RAX, Disp: 16}, h0)
	ADCQ(Mem{Base: RAX, Disp: 24}, h1)
	Load(Param("tag"), RAX)
	Comment("In one store, as loads of all of it will follow soon")
	VMOVQ(h0, X0)
	VPINSRQ(Imm(1), h1, X0, X0)
	VMOVDQU(X0, Mem{Base: RAX})
	RET()
}
