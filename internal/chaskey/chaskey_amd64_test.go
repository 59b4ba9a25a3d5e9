//go:build amd64 && gc && !purego

package chaskey

import (
	"path"
	"slices"
	"testing"

	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

// TestTier tells which kernels each tier takes.
func TestTier(t *testing.T) {
	want := map[string]map[int]int{ // number of blocks: size of batches
		impl.AVX512:  {1: 0, 2: 4, 8: 4, 9: 16, 16: 16, 63: 16, 64: 64, 1000: 64},
		impl.AVX2:    {1: 0, 2: 0, 3: 16, 16: 16, 1000: 16},
		impl.Generic: {1: 0, 64: 0, 1000: 0},
	}
	var ran []string
	conform.Each(t, func(t *testing.T) {
		tier := path.Base(t.Name())
		for n, batch := range want[tier] {
			if got := batchFor(n); got != batch {
				t.Errorf("%d blocks are made in batches of %d, want %d", n, got, batch)
			}
			if got := counterBatch(n); n >= counterMin && got != max(batch, 16) && batch != 0 {
				t.Errorf("%d counters are made in batches of %d, want %d", n, got, max(batch, 16))
			}
		}
		ran = append(ran, tier)
	})
	for tier, has := range map[string]bool{impl.AVX512: cpu.AVX512, impl.AVX2: cpu.AVX2, impl.Generic: true} {
		if slices.Contains(ran, tier) != has {
			t.Errorf("tier %s ran: %v, want %v", tier, !has, has)
		}
	}
}
