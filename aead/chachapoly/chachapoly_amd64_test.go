//go:build amd64 && gc && !purego

package chachapoly

import (
	"strings"
	"testing"

	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

// TestHeadTier asserts that long texts, and only those, begin with a head in the tier
// of AVX-512, and none in another.
func TestHeadTier(t *testing.T) {
	seen := map[string]bool{}
	conform.Each(t, func(t *testing.T) {
		tier := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]
		seen[tier] = true
		for _, n := range []int{0, 64, 320, 321, 512, 513, 1024, 1025, 1 << 20} {
			if got, want := takesHead(n), tier == impl.AVX512 && n > 320; got != want {
				t.Errorf("%d bytes: head %v, want %v", n, got, want)
			}
		}
	})
	if seen[impl.AVX512] != cpu.AVX512 || !seen[impl.Generic] {
		t.Errorf("saw the tiers %v", seen)
	}
}
