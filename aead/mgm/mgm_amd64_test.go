//go:build amd64 && gc && !purego

package mgm

import (
	"path"
	"slices"
	"testing"

	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

// TestTier tells which products each tier takes.
func TestTier(t *testing.T) {
	want := map[string]int{impl.AVX512: 64, impl.AVX2GFNI: 16, impl.AVX2: 16, impl.Generic: 0}
	var ran []string
	conform.Each(t, func(t *testing.T) {
		tier := path.Base(t.Name())
		if got := stride(); got != want[tier] {
			t.Errorf("%d bytes at once, want %d", got, want[tier])
		}
		ran = append(ran, tier)
	})
	for tier, has := range map[string]bool{impl.AVX512: cpu.AVX512, impl.AVX2: cpu.AVX2, impl.Generic: true} {
		if slices.Contains(ran, tier) != has {
			t.Errorf("tier %s ran: %v, want %v", tier, !has, has)
		}
	}
}
