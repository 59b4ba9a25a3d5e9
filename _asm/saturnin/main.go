// Command saturnin generates the kernels of package internal/saturnin.
package main

import (
	"encoding/binary"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	for _, wide := range []bool{true, false} {
		cascade(wide)
		encrypt(wide)
		decrypt(wide)
	}
	encryptSliced()
	decryptSliced()
	counterSliced()
	encryptNarrow()
	decryptNarrow()
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

// load loads arguments into registers.
func load(names []string, to ...Register) {
	for i, name := range names {
		Load(Param(name), to[i])
	}
}

func leave() {
	VZEROUPPER()
	RET()
}
