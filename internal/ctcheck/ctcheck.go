// Package ctcheck marks secrets for valgrind, to test that code is constant-time.
//
// The idea is Adam Langley's ctgrind. Memory that holds a secret is declared
// uninitialised. Valgrind's memcheck follows every bit that is computed from it,
// and reports each branch and each address that depends on one; arithmetic and
// moves are not reported. So a call that raises Errors has leaked something.
//
// The marks are real in programs that are built with the tag valgrind for
// linux/amd64 and run under valgrind. Elsewhere the functions do nothing. The
// tests of this package run everything in the module that way:
//
//	go test -v ./internal/ctcheck
//
// Valgrind executes AVX2 and knows neither AVX-512 nor GFNI, so the tiers that
// are checked are avx2 and generic. It does not tell of instructions whose time
// depends on their operands. For the other tiers package asmcheck reads the assembly.
package ctcheck

// Here because go generate passes over files that need the tag.
//go:generate env GOWORK=off go -C ../../_asm run ./ctcheck -out ../internal/ctcheck/valgrind_amd64.s -stubs ../internal/ctcheck/valgrind_amd64_stubs.go -pkg ctcheck

// Requests, from valgrind.h and memcheck.h.
const (
	runningOnValgrind = 0x1001
	countErrors       = 0x1201
	makeUndefined     = 'M'<<24 | 'C'<<16 | 1
	makeDefined       = 'M'<<24 | 'C'<<16 | 2
	getVBits          = 'M'<<24 | 'C'<<16 | 8
)

// Secret marks the contents of b as secret.
func Secret(b []byte) { ask(makeUndefined, b, nil) }

// Declassify marks the contents of b as public: ciphertexts and tags on their way
// out, and every result before it is compared or printed.
func Declassify(b []byte) { ask(makeDefined, b, nil) }

// IsSecret reports whether a bit of b depends on a secret. It is false for all b
// where the marks are not real.
func IsSecret(b []byte) bool {
	undefined := make([]byte, len(b)) // a set bit for each bit that is
	ask(getVBits, b, undefined)
	var any byte
	for _, bits := range undefined {
		any |= bits
	}
	return any != 0
}

// Errors returns how often a branch or an address depended on a secret so far.
func Errors() int { return int(ask(countErrors, nil, nil)) }

// Running reports whether the marks are real.
func Running() bool { return ask(runningOnValgrind, nil, nil) != 0 }
