// Command ctcheck generates valgrind's client request for package internal/ctcheck.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	// Not excluded by purego: that build is checked too.
	ConstraintExpr("linux,amd64,gc,valgrind")

	TEXT("request", NOSPLIT, "func(args *[6]uint64) (result uint64)")
	Pragma("noescape")
	Doc("request makes a client request of valgrind: args are its number and five arguments.",
		"Without valgrind these instructions change nothing, and the result is 0.")
	Load(Param("args"), RAX)
	XORL(EDX, EDX)
	// The marker that valgrind looks for; the rotations add up to 128 bits.
	for _, n := range []uint8{3, 13, 61, 51} {
		ROLQ(Imm(uint64(n)), RDI)
	}
	XCHGQ(RBX, RBX)
	Store(RDX, ReturnIndex(0))
	RET()

	Generate()
}
