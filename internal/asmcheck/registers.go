package asmcheck

import (
	"fmt"
	"strings"
)

// reg is a register in all its widths: AL is AX, and X3, Y3, Z3 are one.
type reg uint8

const (
	noReg reg = iota
	regAX
	regBX
	regCX
	regDX
	regSI
	regDI
	regBP
	regSP
	regR8
	regR14 = regR8 + 6
	regV0  = regR8 + 8
	regK0  = regV0 + 32
	flagC  = regK0 + 8 // the carry flag
	flagO  = flagC + 1 // the overflow flag
	flagZ  = flagC + 2 // all other flags: no instruction sets only some of them
	regFP  = 100       // pseudo-registers
	regSB  = 101
)

var registers = func() map[string]reg {
	m := map[string]reg{"FP": regFP, "SB": regSB}
	for i, name := range strings.Fields("AX BX CX DX SI DI BP SP R8 R9 R10 R11 R12 R13 R14 R15") {
		r := regAX + reg(i)
		m[name] = r
		if i < 4 {
			m[name[:1]+"L"], m[name[:1]+"H"] = r, r
		} else {
			m[name+"B"] = r
		}
	}
	for i := range reg(32) {
		for _, width := range "XYZ" {
			m[fmt.Sprintf("%c%d", width, i)] = regV0 + i
		}
	}
	for i := range reg(8) {
		m[fmt.Sprintf("K%d", i)] = regK0 + i
	}
	return m
}()

func (r reg) isGeneral() bool { return r >= regAX && r < regV0 }
func (r reg) isVector() bool  { return r >= regV0 && r < regK0 }
func (r reg) isMask() bool    { return r >= regK0 && r < flagC }

// set is a set of registers and flags.
type set uint64

// bit is the set of r alone, empty for noReg and the pseudo-registers.
func (r reg) bit() set { return 1 << r &^ 1 }

const (
	allFlags   set = 1<<flagC | 1<<flagO | 1<<flagZ
	allVectors set = (1<<32 - 1) << regV0
)
