// Command cpu generates the CPUID instruction for package internal/cpu.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")

	TEXT("leaf7", NOSPLIT, "func() (ecx uint32)")
	Doc("leaf7 returns ECX of CPUID leaf 7, subleaf 0. The caller knows that the leaf exists.")
	MOVL(U32(7), EAX)
	XORL(ECX, ECX)
	CPUID()
	Store(ECX, ReturnIndex(0))
	RET()

	Generate()
}
