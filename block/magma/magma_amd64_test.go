//go:build amd64 && gc && !purego

package magma

import (
	"path"
	"slices"
	"strings"
	"testing"

	"xcipher/internal/asmcheck"
	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

// TestTier tells which kernels each tier takes.
func TestTier(t *testing.T) {
	want := map[string]map[int]int{ // number of blocks: size of batches
		impl.AVX512:  {1: 16, 2: 16, 8: 16, 16: 16, 17: 32, 32: 32, 33: 64, 64: 64, 96: 64, 97: 128, 128: 128, 1000: 128},
		impl.AVX2:    {1: 8, 2: 8, 8: 8, 9: 32, 32: 32, 33: 32, 128: 32, 1000: 32},
		impl.Generic: {1: 0, 64: 0, 1000: 0},
	}
	var ran []string
	conform.Each(t, func(t *testing.T) {
		tier := path.Base(t.Name())
		for n, batch := range want[tier] {
			if got := batchFor(n); got != batch {
				t.Errorf("%d blocks are made in batches of %d, want %d", n, got, batch)
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

// TestTables recomputes the tables of the kernels from the boxes.
func TestTables(t *testing.T) {
	want := map[string][]byte{}
	add := func(name string, v int) { want[name] = append(want[name], byte(v)) }
	for i, box := range boxes {
		for _, v := range box {
			add([]string{"even512", "odd512"}[i%2], int(v)<<(4*(i%2)))
			add("tables8", int(v)<<(4*(i%2)))
		}
	}
	// A byte of t(a) <<< 11 gets parts of three boxes: here is what box i has in bytes
	// p+1 and p+2, where p is its own.
	for i, box := range boxes {
		for _, shift := range []int{8, 16}[:1+i%2] {
			for n := range 16 {
				if i%2 == 1 {
					n ^= 8 // the highest bit of each byte is inverted
				}
				add("tables2", int(uint64(box[n])<<(4*i+11)>>(i/2*8+shift)&0xff))
			}
		}
	}
	got := constants(t)
	for name, table := range want {
		if string(got[name]) != string(table) {
			t.Errorf("%s is %x, want %x", name, got[name], table)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok && strings.HasPrefix(name, "tables") {
			t.Errorf("%s is not known here", name)
		}
	}
}

// constants returns those of the assembly.
func constants(t *testing.T) map[string][]byte {
	t.Helper()
	m, err := asmcheck.Constants("magma_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
