// Command magma generates the kernels of package block/magma.
//
// All of them keep the two halves of many blocks in separate registers, and make
// the rounds in pairs instead of exchanging the halves. The names are those of
// the generic code: a1 and a0 are the halves, t is the substitution.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// boxes are Pi'_0 to Pi'_7 of RFC 8891, section 4.1.
var boxes = [8][16]uint8{
	{12, 4, 6, 2, 10, 5, 11, 9, 14, 8, 13, 7, 0, 3, 15, 1},
	{6, 8, 2, 3, 9, 10, 5, 12, 1, 14, 4, 7, 11, 13, 0, 15},
	{11, 3, 5, 8, 2, 15, 10, 13, 14, 1, 7, 4, 12, 9, 6, 0},
	{12, 8, 2, 1, 13, 4, 15, 6, 7, 0, 10, 5, 3, 14, 9, 11},
	{7, 15, 5, 10, 8, 1, 6, 13, 0, 9, 3, 14, 11, 4, 2, 12},
	{5, 13, 15, 6, 9, 2, 12, 10, 11, 7, 8, 1, 4, 3, 14, 0},
	{8, 14, 2, 5, 6, 9, 1, 12, 15, 4, 11, 0, 13, 10, 3, 7},
	{1, 7, 14, 13, 0, 5, 8, 3, 4, 15, 10, 6, 9, 12, 11, 2},
}

func main() {
	ConstraintExpr("amd64,gc,!purego")
	c := newConstants512()
	for _, pairs := range []int{1, 2, 4, 8} {
		f := avx512{c, pairs}
		f.crypt()
		f.counter()
	}
	f := newAVX2()
	f.crypt()
	f.counter()
	g := newFew()
	g.tier = "AVX512"
	g.chain()
	g.tier = "AVX2"
	g.crypt()
	g.counter()
	g.chain()
	Generate()
}

// data makes a read-only symbol of bytes.
func data(name string, b []byte) Mem {
	m := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i := 0; i < len(b); i += 8 {
		var v uint64
		for j := range 8 {
			v |= uint64(b[i+j]) << (8 * j)
		}
		DATA(i, U64(v))
	}
	return m
}

// words makes a read-only symbol of 64-bit words.
func words(name string, w ...uint64) Mem {
	m := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i, v := range w {
		DATA(8*i, U64(v))
	}
	return m
}
