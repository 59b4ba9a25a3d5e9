package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// byFour is the numbers 0 to 15, each four times.
var byFour Mem

// keys makes the kernels of the key schedule.
func keys() {
	expand()
	spread()
}

// expand computes the round keys.
func expand() {
	TEXT("expandAVX512", NOSPLIT, "func(keys *[160]byte, key *byte)")
	Pragma("noescape")
	Doc("expandAVX512 computes the round keys (section 4.4).")
	keys, key, c := RDI, RSI, RBX
	Load(Param("keys"), keys)
	Load(Param("key"), key)
	g := newSingle(there)
	a1, a0 := z[10], z[11]
	store := func() {
		VMOVDQU(a1.AsX(), Mem{Base: keys})
		VMOVDQU(a0.AsX(), Mem{Base: keys, Disp: 16})
		ADDQ(U8(32), keys)
	}
	VBROADCASTI32X4(Mem{Base: key}, a1)
	VBROADCASTI32X4(Mem{Base: key, Disp: 16}, a0)
	store()
	LEAQ(roundConstants, c)
	repeat("pair", RCX, 4, func() {
		repeat("eight", RDX, 4, func() {
			for range 2 {
				// F[C](a1, a0) = (LSX[C](a1) xor a0, a1)
				VMOVDQA64(a1, g.x)
				g.add(Mem{Base: c})
				ADDQ(U8(16), c)
				g.substitute()
				g.linear(a0)
				VMOVDQA64(a1, a0)
				VMOVDQA64(g.x, a1)
			}
		})
		store()
	})
	leave()
}

// spread writes the round keys in the forms that the other kernels and the generic
// code take.
func spread() {
	TEXT("spreadAVX512", NOSPLIT, "func(words *[160]uint32, encrypt, decrypt *uint64, keys *[160]byte)")
	Pragma("noescape")
	Doc("spreadAVX512 writes each byte of the round keys four times to words, and the schedules",
		"of the generic code.")
	byFour = permutation("byFour", func(n int) int { return n / 4 })
	backwards := permutation("backwards", func(n int) int { return 15 - n/4 })
	words, encrypt, decrypt, keys := RDI, RSI, RDX, RAX
	Load(Param("words"), words)
	Load(Param("encrypt"), encrypt)
	Load(Param("decrypt"), decrypt)
	Load(Param("keys"), keys)
	ADDQ(U32(9*64), decrypt)
	VMOVDQU64(byFour, Z2)
	VMOVDQU64(backwards, Z3)
	planes := func(v VecPhysical, at GPPhysical) {
		for b := 7; b >= 0; b-- {
			VPMOVB2M(v, K1)
			KMOVQ(K1, Mem{Base: at, Disp: 8 * b})
			if b > 0 {
				VPADDB(v, v, v)
			}
		}
	}
	repeat("key", RCX, 10, func() {
		VMOVDQU(Mem{Base: keys}, X0)
		VPERMB(Z0, Z3, Z1)
		VPERMB(Z0, Z2, Z0)
		VMOVDQU64(Z0, Mem{Base: words})
		planes(Z1, encrypt) // a_0 first
		planes(Z0, decrypt) // the bytes in reverse order
		ADDQ(U8(16), keys)
		ADDQ(U8(64), words)
		ADDQ(U8(64), encrypt)
		SUBQ(U8(64), decrypt)
	})
	leave()
}
