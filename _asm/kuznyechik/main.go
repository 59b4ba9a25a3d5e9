// Command kuznyechik generates the kernels of package block/kuznyechik.
package main

import (
	"encoding/binary"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	tables()
	one()
	lanes()
	sixteen()
	keys()
	sliced()
	wide()
	oneByOne()
	Generate()
}

// bytesOf is a read-only symbol with the bytes b, a multiple of 8.
func bytesOf(name string, b []byte) Mem {
	m := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i := 0; i < len(b); i += 8 {
		DATA(i, U64(binary.LittleEndian.Uint64(b[i:])))
	}
	return m
}

// wordsOf is a read-only symbol with the words w.
func wordsOf(name string, w ...uint64) Mem {
	m := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i, v := range w {
		DATA(8*i, U64(v))
	}
	return m
}

// repeat runs body n times.
func repeat(label string, counter Op, n int, body func()) {
	MOVQ(U32(uint32(n)), counter)
	Label(label)
	body()
	DECQ(counter)
	JNZ(LabelRef(label))
}

func leave() {
	VZEROUPPER()
	RET()
}
