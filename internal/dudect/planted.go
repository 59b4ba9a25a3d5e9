package main

import "crypto/subtle"

// plantedTest is a function of which it is known whether it leaks.
type plantedTest struct {
	name  string
	leaky bool
	tests []test
}

var (
	table [1 << 16]byte
	sink  byte
)

func init() { randomly(table[:]) }

// lookUp reads a table that is larger than the first cache, at secret places.
//
//go:noinline
func lookUp(b []byte) {
	v := sink
	for i := 0; i+2 <= len(b); i += 2 {
		v = table[int(b[i])<<8|int(b[i+1]^v&1)]
	}
	sink = v
}

// compare stops at the first difference.
//
//go:noinline
func compare(a, b []byte) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// arithmetic leaks nothing.
//
//go:noinline
func arithmetic(b []byte) {
	for _, v := range b {
		sink = sink<<1 ^ v*5 + sink>>7
	}
}

func planted() []plantedTest {
	tag := random(32)
	fixed := func(b []byte) { copy(b, tag) }
	return []plantedTest{
		{"planted-table", true, []test{text("table of 64 KiB", 512, lookUp)}},
		{"planted-compare", true, []test{{"early exit", len(tag), fixed, randomly, func(b []byte) { compare(b, tag) }}}},
		{"planted-nothing", false, []test{
			text("arithmetic", 256, arithmetic),
			{"comparison without exit", len(tag), fixed, randomly, func(b []byte) { subtle.ConstantTimeCompare(b, tag) }},
		}},
	}
}
