package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// backward is a step over so many bytes of src and dst, from their end, which is left
// bytes away. The first block stays.
func backward(label string, width, bytes int, left GPPhysical, body func(disp int)) {
	step(label, width, bytes+size, left, func() {
		body(-bytes)
		SUBQ(I32(bytes), left)
	})
}

// The kernels for CFB decryption take the blocks from the last one on: the result may
// overwrite the ciphertext, of which each block is still needed for the next.
const (
	decryptCFBSignature = "func(keys *[176]byte, dst, src *byte, first *[16]byte, fix, blocks int)"
	decryptCFBDoc       = " is DecryptCFB for one or more blocks."
)

func decryptCFB() {
	keys, dst, src, first, fix, left := RAX, RDI, RSI, RDX, R8, RCX
	function("decryptCFBAVX2", decryptCFBSignature, []string{"decryptCFBAVX2" + decryptCFBDoc},
		map[string]GPPhysical{"keys": keys, "dst": dst, "src": src, "first": first, "fix": fix, "blocks": left})
	SHLQ(Imm(4), left)
	fixed := X10
	VMOVDQU(topBit(fix), fixed)
	key := encryption.fromMemory(keys)
	finish := func(b VecPhysical, disp int) {
		VPXOR(Mem{Base: src, Index: left, Scale: 1, Disp: disp}, b, b)
		VMOVDQU(b, Mem{Base: dst, Index: left, Scale: 1, Disp: disp})
	}
	for width := most; width > 0; width /= 2 {
		backward(fmt.Sprintf("by%d", width), width, width*size, left, func(disp int) {
			whitening := key(0)
			for i, b := range x[:width] {
				VPOR(Mem{Base: src, Index: left, Scale: 1, Disp: disp + size*(i-1)}, fixed, b)
				VPXOR(whitening, b, b)
			}
			encryption.apply(x[:width], key)
			for i, b := range x[:width] {
				finish(b, disp+size*i)
			}
		})
	}
	b := x[:1]
	halves(Mem{Base: first}, b[0])
	VPXOR(key(0), b[0], b[0])
	encryption.apply(b, key)
	finish(b[0], -size)
	RET()
}

func wideDecryptCFB() {
	keys, dst, src, first, fix, left := RAX, RDI, RSI, RDX, R8, RCX
	function("decryptCFBAVX512", decryptCFBSignature, []string{"decryptCFBAVX512" + decryptCFBDoc},
		map[string]GPPhysical{"keys": keys, "dst": dst, "src": src, "first": first, "fix": fix, "blocks": left})
	SHLQ(Imm(4), left)
	fixed := Z27
	VBROADCASTI32X4(topBit(fix), fixed)
	key := inRegisters(keys)
	narrow := func(r int) VecPhysical { return key(r).AsX().(VecPhysical) }
	for width := most; width > 0; width /= 2 {
		backward(fmt.Sprintf("by%d", width*4), width, width*64, left, func(disp int) {
			for i, b := range z[:width] {
				VMOVDQU64(Mem{Base: src, Index: left, Scale: 1, Disp: disp + 64*i - size}, b)
				VPTERNLOGQ(U8(orXor), key(0), fixed, b)
			}
			encryption.apply(z[:width], key)
			for i, b := range z[:width] {
				VPXORQ(Mem{Base: src, Index: left, Scale: 1, Disp: disp + 64*i}, b, b)
				VMOVDQU64(b, Mem{Base: dst, Index: left, Scale: 1, Disp: disp + 64*i})
			}
		})
	}
	for width := 2; width > 0; width /= 2 {
		backward(fmt.Sprintf("by%d", width), width, width*size, left, func(disp int) {
			for i, b := range x[:width] {
				VMOVDQU(Mem{Base: src, Index: left, Scale: 1, Disp: disp + size*(i-1)}, b)
				VPTERNLOGQ(U8(orXor), narrow(0), fixed.AsX(), b)
			}
			encryption.apply(x[:width], narrow)
			for i, b := range x[:width] {
				VPXOR(Mem{Base: src, Index: left, Scale: 1, Disp: disp + size*i}, b, b)
				VMOVDQU(b, Mem{Base: dst, Index: left, Scale: 1, Disp: disp + size*i})
			}
		})
	}
	b := x[:1]
	halves(Mem{Base: first}, b[0])
	VPXORQ(narrow(0), b[0], b[0])
	encryption.apply(b, narrow)
	VPXOR(Mem{Base: src, Index: left, Scale: 1, Disp: -size}, b[0], b[0])
	VMOVDQU(b[0], Mem{Base: dst, Index: left, Scale: 1, Disp: -size})
	VZEROUPPER()
	RET()
}

// orXor is the table of (result | second) ^ third for VPTERNLOG, whose operands in
// our order are third, second, result.
const orXor = (0xf0 | 0xcc) ^ 0xaa
