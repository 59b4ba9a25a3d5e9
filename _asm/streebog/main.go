// Command streebog generates the kernels of package hash/streebog.
//
// Each kernel is the round function g of the generic code for many blocks, with
// the sums N and Sigma, and stage 3. A byte of a state is 8r+c, row r, column c:
//
//	LPS(x)[8r+b] = the sum over c of L[c][b](pi(x[8c+r]))
//
// where L[c][b] is linear (function l).
package main

import (
	"encoding/binary"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	avx512()
	g := newGFNI()
	g.write()
	avx2("AVX2GFNI", g)
	p := newPlain()
	p.write()
	avx2("AVX2", p)
	Generate()
}

// table puts data into a read-only symbol.
func table(name string, data []byte) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := 0; i < len(data); i += 8 {
		DATA(i, U64(binary.LittleEndian.Uint64(data[i:])))
	}
	return m
}
