//go:build amd64 && gc && !purego

package streebog

import (
	"strings"
	"testing"

	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

// TestKernel checks that each tier runs its own kernel, and that all are tested here
// that this machine has.
func TestKernel(t *testing.T) {
	want := map[string]int{impl.AVX512: avx512, impl.AVX2GFNI: avx2GFNI, impl.AVX2: avx2, impl.Generic: generic}
	ran := map[string]bool{}
	conform.Each(t, func(t *testing.T) {
		tier := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]
		if ran[tier] = true; kernel() != want[tier] {
			t.Errorf("kernel %d", kernel())
		}
	})
	for tier, has := range map[string]bool{
		impl.AVX512: cpu.AVX512, impl.AVX2GFNI: cpu.AVX2GFNI, impl.AVX2: cpu.AVX2, impl.Generic: true,
	} {
		if ran[tier] != has {
			t.Errorf("%s: ran %v, want %v", tier, ran[tier], has)
		}
	}
}
