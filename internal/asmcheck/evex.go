package asmcheck

import (
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What "go tool asm -S" prints: a line for each function, one for each of its
// instructions, and its code in hexadecimal.
var (
	listedFunction    = regexp.MustCompile(`^(\S+) STEXT `)
	listedInstruction = regexp.MustCompile(`^\t0x([0-9a-f]{4,}) \d+ \(.*:(\d+)\)\t(\S+)(.*)$`)
	listedCode        = regexp.MustCompile(`^\t0x[0-9a-f]{4,}((?: [0-9a-f]{2})+) `)
)

// EVEX reads a listing of "go tool asm -S", and returns the functions in it and
// the instructions with EVEX encodings in those for AVX2. The assembler takes an
// EVEX encoding, without a word, for an instruction that has no other, such as
// VPTERNLOGD or VPROLD.
func EVEX(listing string) (functions []string, violations []Violation) {
	type instruction struct {
		pc, line int
		text     string
	}
	var (
		name string
		list []instruction
		code []byte
	)
	finish := func() {
		for _, in := range list {
			if isAVX2(name) && in.pc < len(code) && isEVEX(code[in.pc:]) {
				violations = append(violations, Violation{name, in.line, ruleEVEX, in.text})
			}
		}
		list, code = nil, nil
	}
	for line := range strings.Lines(listing) {
		line = strings.TrimSuffix(line, "\n")
		if m := listedFunction.FindStringSubmatch(line); m != nil {
			finish()
			name = m[1][strings.LastIndexByte(m[1], '.')+1:]
			functions = append(functions, name)
		} else if m := listedInstruction.FindStringSubmatch(line); m != nil {
			pc, _ := strconv.ParseInt(m[1], 16, 32)
			number, _ := strconv.Atoi(m[2])
			if n := len(list); n > 0 && list[n-1].pc == int(pc) {
				list = list[:n-1] // it has no code
			}
			list = append(list, instruction{int(pc), number, strings.Join(strings.Fields(m[3]+m[4]), " ")})
		} else if m := listedCode.FindStringSubmatch(line); m != nil {
			b, _ := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
			code = append(code, b...)
		}
	}
	finish()
	return functions, violations
}

// isEVEX reports whether an instruction of 64-bit mode starts with the EVEX byte,
// which there means nothing else.
func isEVEX(code []byte) bool {
	prefixes := []byte{0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3}
	for len(code) > 0 && slices.Contains(prefixes, code[0]) {
		code = code[1:]
	}
	return len(code) > 0 && code[0] == 0x62
}
