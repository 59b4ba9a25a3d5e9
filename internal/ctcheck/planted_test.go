//go:build valgrind

package ctcheck_test

import (
	"bytes"
	"testing"

	"xcipher/internal/ctcheck"
)

var (
	table [256]byte
	sink  byte
)

//go:noinline
func lookUp(b []byte) {
	for _, v := range b {
		sink ^= table[v]
	}
}

//go:noinline
func branch(b []byte) {
	for _, v := range b {
		if v&0x10 != 0 {
			sink++
		}
	}
}

//go:noinline
func compare(b []byte) {
	if bytes.Equal(b, table[:len(b)]) {
		sink++
	}
}

//go:noinline
func arithmetic(b []byte) {
	for _, v := range b {
		sink = sink<<1 ^ v*5 + sink>>7
	}
}

// A check that finds nothing must be one that would have found something.
func TestPlantedFaults(t *testing.T) {
	section(t, "planted faults", func(s *suite) {
		for _, fault := range []struct {
			name string
			f    func([]byte)
		}{{"table", lookUp}, {"branch", branch}, {"comparison", compare}} {
			b := s.secret(32)
			s.leak(fault.name, 32, func() { fault.f(b) })
			ctcheck.Declassify(b)
			sink = 0
			s.quiet(fault.name+" after Declassify", func() { fault.f(b) })
		}
		b := s.secret(32)
		s.quiet("arithmetic", func() { arithmetic(b) })
		s.reveal("arithmetic", []byte{sink})
		sink = 0
	})
}
