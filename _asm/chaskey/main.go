// Command chaskey generates the kernels of package internal/chaskey.
//
// The names are those of the generic code: v0 to v3 are the words of a block, in
// and out the keys before and after the permutation pi. Parallel kernels hold one
// word of many blocks in a register; four registers are a set. Serial kernels, for
// chains of blocks, hold each word in a register of its own.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	for _, p := range []parallel{
		{"AVX512", 64, 4},
		{"AVX512", 64, 1},
		{"AVX512", 16, 1},
		{"AVX2", 32, 2},
	} {
		p.crypt("encrypt", 0, 16, 8, p.round)
		p.crypt("decrypt", 16, 0, -8, p.unround)
	}
	parallel{"AVX512", 64, 4}.decryptCBC()
	parallel{"AVX512", 64, 1}.decryptCBC()
	parallel{"AVX2", 32, 2}.decryptCBC()
	parallel{"AVX512", 64, 4}.counterAVX512()
	parallel{"AVX512", 64, 1}.counterAVX512()
	parallel{"AVX2", 32, 2}.counterAVX2()
	lane{X0, X1, X2, X3}.encryptMAC()
	encryptMAC()
	absorb()
	chain()
	Generate()
}

const blockSize = 16 // bytes

// Registers that hold the same in all kernels.
var (
	key      = RAX // in, out, and in ^ out
	dst, src = RDI, RSI
	blocks   = RCX // or batches that are left
	rounds   = RDX
	round    = RBX // rounds that are left
)

var (
	xmm = []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15}
	ymm = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	zmm = []VecPhysical{
		Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
	}
)

// arguments loads what all kernels share.
func arguments() {
	Load(Param("k"), key)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("n"), blocks)
	Load(Param("rounds"), rounds)
}

// repeat makes as many rounds as count says, a multiple of 4 and not 0.
func repeat(count Op, body func()) {
	MOVQ(count, round)
	Label("rounds")
	for range 4 {
		body()
	}
	SUBQ(Imm(4), round)
	JNZ(LabelRef("rounds"))
}

func param(name string) Op {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// wordTable makes a read-only table of n words.
func wordTable(name string, n int, word func(i int) uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range n {
		DATA(4*i, U32(word(i)))
	}
	return m
}

// byteTable makes an order of bytes in each 128-bit part of n bytes.
func byteTable(name string, n int, place func(i int) int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range n {
		DATA(i, U8(place(i%16)))
	}
	return m
}
