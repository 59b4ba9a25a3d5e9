// Package asmcheck reads assembly for amd64 and tells where a secret could leak
// or a rule of Go be broken. Only tests use it.
//
// In every function it follows what was loaded from memory, and everything that
// was computed from that: all of it counts as secret data. Arguments are pointers
// and lengths, constants come from read-only symbols; those, counters, and what is
// computed from them alone are public. The rules:
//
//   - no address depends on data, nor which lanes of a vector reach memory;
//   - no jump depends on data, and no division works on it;
//   - registers' upper halves are cleared (VZEROUPPER) before each return from
//     code that used Y or Z registers;
//   - BP is restored, R14 (the g of Go's own calling convention) is not written,
//     and SP is changed by constants only;
//   - nothing beyond the stack frame is reached by an offset from SP;
//   - a function that uses Y, Z or K registers has its tier in its name, and one
//     for AVX2 uses neither Z nor K nor X16 and up, and no EVEX encoding (function
//     EVEX looks for them in assembled code);
//   - what cannot be followed is not there: calls, indirect jumps, PUSH and POP,
//     raw bytes, macros, and instructions that this package does not know.
//
// Where it cannot tell, it takes a value for data. It reads the subset of Go's
// assembly language that avo writes.
package asmcheck

import (
	"fmt"
	"strings"
)

// Violation is one breach of a rule.
type Violation struct {
	Function string
	Line     int
	Rule     string
	Text     string // of the line
}

func (v Violation) String() string {
	return fmt.Sprintf("line %d: %s: %s: %s", v.Line, v.Function, v.Rule, v.Text)
}

// The rules, as they are reported.
const (
	ruleAddress  = "address depends on data"
	ruleMask     = "masked access depends on data"
	ruleBranch   = "branch depends on data"
	ruleDivision = "division of data"
	ruleJump     = "jump that cannot be followed"
	ruleEnd      = "end without return"
	ruleUpper    = "return without VZEROUPPER"
	ruleBP       = "return with changed BP"
	ruleR14      = "writes R14"
	ruleSP       = "writes SP"
	ruleFrame    = "reaches beyond its stack frame"
	ruleEVEX     = "AVX-512 in an AVX2 function"
	ruleTier     = "no tier in the function's name"
	ruleUnknown  = "unknown instruction or operand"
	ruleSyntax   = "directive that cannot be followed"
)

// Result is what Check found.
type Result struct {
	Violations   []Violation
	Functions    []string
	Instructions int
}

// Check reads one file of assembly.
func Check(src string) Result {
	f := parse(src)
	r := Result{Violations: f.violations}
	for _, fn := range f.functions {
		r.Functions = append(r.Functions, fn.name)
		r.Instructions += len(fn.code)
		r.Violations = append(r.Violations, fn.check(f.constants)...)
	}
	return r
}

// isAVX2 reports whether a function is for CPUs with AVX2 but without AVX-512.
func isAVX2(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "avx2") && !strings.Contains(name, "512")
}

func hasTier(name string) bool {
	return isAVX2(name) || strings.Contains(strings.ToLower(name), "avx512")
}
