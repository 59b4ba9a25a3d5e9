package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// held loads the first and the last round key and the ones between into registers.
func held(keys GPPhysical, first, last VecPhysical, inner []VecPhysical) {
	VMOVDQU(roundKey(keys, 0), first)
	for i, r := range inner {
		VMOVDQU(roundKey(keys, 1+i), r)
	}
	VMOVDQU(roundKey(keys, rounds), last)
}

// chain makes the kernel of batch.Chain. The last round key of a block is k10 ^ k0
// ^ the next block, so that the rounds follow each other without a break.
func chain() {
	keys, dst, src, st, step, left := RAX, RDI, RSI, RDX, R8, RCX
	function("chainAVX2", "func(keys *[176]byte, dst, src, st *byte, step, blocks int)", []string{
		"chainAVX2 sets st to E(st ^ block) for every block of src, one or more, and",
		"writes it to dst, which moves on by step bytes."},
		map[string]GPPhysical{"keys": keys, "dst": dst, "src": src, "st": st, "step": step, "blocks": left})
	s, first, last, next, folded, out := X0, X1, X2, X3, X4, X5
	inner := x[6:][:rounds-1]
	held(keys, first, last, inner)
	VPXOR(Mem{Base: src}, first, s)
	VPXOR(Mem{Base: st}, s, s)
	DECQ(left)
	JEQ(LabelRef("final"))
	Label("block")
	ADDQ(Imm(size), src)
	VPXOR(Mem{Base: src}, first, next)
	VPXOR(next, last, folded)
	for _, k := range inner {
		VAESENC(k, s, s)
	}
	VAESENCLAST(folded, s, s)
	VPXOR(next, s, out)
	VMOVDQU(out, Mem{Base: dst})
	ADDQ(step, dst)
	DECQ(left)
	JNE(LabelRef("block"))
	Label("final")
	for _, k := range inner {
		VAESENC(k, s, s)
	}
	VAESENCLAST(last, s, s)
	VMOVDQU(s, Mem{Base: dst})
	VMOVDQU(s, Mem{Base: st})
	RET()
}

// encryptMAC makes the kernel of CLOC and SILC: two chains side by side. The last
// round key of the first is k10 ^ plaintext, which gives the ciphertext at once; that
// of the second is k10 ^ k0, to which the ciphertext is added.
func encryptMAC(tier string) {
	keys, dst, src, c, st, fix, left := RAX, RDI, RSI, RDX, R8, R9, RCX
	function("encryptMAC"+tier, "func(keys *[176]byte, dst, src *byte, c *[16]byte, st *[32]byte, fix, blocks int)", []string{
		"encryptMAC" + tier + " is EncryptMAC for one or more blocks."},
		map[string]GPPhysical{"keys": keys, "dst": dst, "src": src, "c": c, "st": st, "fix": fix, "blocks": left})
	s, t, text, fixed, first, last, both := X0, X1, X2, X3, X4, X5, X6
	inner := x[7:][:rounds-1]
	held(keys, first, last, inner)
	VPXOR(first, last, both)
	VMOVDQU(topBit(fix), fixed)
	halves(Mem{Base: c}, s)
	halves(Mem{Base: st, Disp: size}, t)
	VPXOR(first, t, t)

	Label("block")
	VPXOR(s, t, t)
	if tier == "AVX512" {
		VPTERNLOGQ(U8(orXor), first, fixed, s)
	} else {
		VPOR(fixed, s, s)
		VPXOR(first, s, s)
	}
	VPXOR(Mem{Base: src}, last, text)
	for _, k := range inner {
		VAESENC(k, s, s)
		VAESENC(k, t, t)
	}
	VAESENCLAST(text, s, s)
	VAESENCLAST(both, t, t)
	VMOVDQU(s, Mem{Base: dst})
	ADDQ(Imm(size), src)
	ADDQ(Imm(size), dst)
	DECQ(left)
	JNE(LabelRef("block"))

	VMOVDQU(s, Mem{Base: c})
	Comment("The key stream is the sum of text and ciphertext")
	VPXOR(text, last, text)
	VPXOR(text, s, s)
	VMOVDQU(s, Mem{Base: st})
	VPXOR(first, t, t)
	VMOVDQU(t, Mem{Base: st, Disp: size})
	RET()
}
