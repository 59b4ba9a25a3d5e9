//go:build amd64 && gc && !purego

package chacha

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"xcipher/internal/conform"
	"xcipher/internal/impl"
)

// kernels are the kernels in assembly.
var kernels = []struct {
	kernel
	name  string
	batch int // blocks
	tier  string
}{
	{kernelHorizontal4AVX2, "horizontal4AVX2", 4, impl.AVX2},
	{kernelHorizontal5AVX2, "horizontal5AVX2", 4, impl.AVX2},
	{kernelVertical8AVX2, "vertical8AVX2", 8, impl.AVX2},
	{kernelHorizontal2AVX512, "horizontal2AVX512", 2, impl.AVX512},
	{kernelHorizontal4AVX512, "horizontal4AVX512", 4, impl.AVX512},
	{kernelHorizontal5AVX512, "horizontal5AVX512", 4, impl.AVX512},
	{kernelHorizontal6AVX512, "horizontal6AVX512", 6, impl.AVX512},
	{kernelHorizontal8AVX512, "horizontal8AVX512", 8, impl.AVX512},
	{kernelVertical16AVX512, "vertical16AVX512", 16, impl.AVX512},
	{kernelVertical32AVX512, "vertical32AVX512", 32, impl.AVX512},
}

func hasTier(tier string) bool {
	return tier == impl.AVX2 && useAVX2 || tier == impl.AVX512 && useAVX512
}

func currentTier() string {
	switch {
	case useAVX512:
		return impl.AVX512
	case useAVX2:
		return impl.AVX2
	}
	return impl.Generic
}

// TestTiers asserts what makes some numbers of blocks in each tier, one kernel
// behind the other.
func TestTiers(t *testing.T) {
	names := map[kernel]string{kernelGeneric: "generic"}
	for _, k := range kernels {
		names[k.kernel] = k.name
	}
	plans := map[string]map[int]string{
		impl.Generic: {1: "generic:1", 2: "generic:2", 1000: "generic:1000"},
		impl.AVX2: {
			1: "generic:1", 2: "horizontal4AVX2:2", 4: "horizontal4AVX2:4",
			5: "vertical8AVX2:5", 8: "vertical8AVX2:8", 9: "vertical8AVX2:8 generic:1",
			12: "vertical8AVX2:8 horizontal4AVX2:4", 13: "vertical8AVX2:13",
			1001: "vertical8AVX2:1000 generic:1", 2050: "vertical8AVX2:1024 vertical8AVX2:1024 horizontal4AVX2:2",
		},
		impl.AVX512: {
			1: "horizontal2AVX512:1", 2: "horizontal2AVX512:2", 3: "horizontal4AVX512:3", 4: "horizontal4AVX512:4",
			5: "horizontal6AVX512:5", 6: "horizontal6AVX512:6", 7: "horizontal8AVX512:7", 8: "horizontal8AVX512:8",
			9: "vertical16AVX512:9", 16: "vertical16AVX512:16", 17: "vertical16AVX512:16 horizontal2AVX512:1",
			24: "vertical16AVX512:16 horizontal8AVX512:8", 25: "vertical32AVX512:25", 32: "vertical32AVX512:32",
			33: "vertical32AVX512:32 horizontal2AVX512:1", 56: "vertical32AVX512:32 vertical16AVX512:16 horizontal8AVX512:8",
			57: "vertical32AVX512:57", 1024: "vertical32AVX512:1024",
			2080: "vertical32AVX512:1024 vertical32AVX512:1024 vertical32AVX512:32",
		},
	}
	// The same if the first block is apart.
	plansApart := map[string]map[int]string{
		impl.Generic: {1: "generic:1", 2: "generic:2", 1000: "generic:1000"},
		impl.AVX2: {
			1: "generic:1", 2: "horizontal4AVX2:2", 5: "horizontal5AVX2:5", 6: "vertical8AVX2:6", 9: "vertical8AVX2:9",
			10: "vertical8AVX2:9 generic:1", 17: "vertical8AVX2:17", 129: "vertical8AVX2:129",
		},
		impl.AVX512: {
			1: "horizontal2AVX512:1", 2: "horizontal2AVX512:2", 3: "horizontal4AVX512:3", 5: "horizontal5AVX512:5",
			6: "horizontal6AVX512:6", 7: "horizontal8AVX512:7", 9: "vertical16AVX512:9",
		},
	}
	seen := map[string]bool{}
	conform.Each(t, func(t *testing.T) {
		tier := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]
		if tier != currentTier() {
			t.Errorf("the tier is %s", currentTier())
		}
		seen[tier] = true
		check := func(apart bool, blocks int, want string) {
			var plan []string
			for left, apart := blocks, apart; left > 0; apart = false {
				k, n := choose(left, apart)
				plan = append(plan, fmt.Sprintf("%s:%d", names[k], n))
				left -= n
			}
			if got := strings.Join(plan, " "); got != want {
				t.Errorf("%d blocks, the first apart %v: %s, want %s", blocks, apart, got, want)
			}
		}
		for blocks, want := range plans[tier] {
			check(false, blocks, want)
		}
		for blocks, want := range plansApart[tier] {
			check(true, blocks, want)
		}
	})
	if !seen[impl.Generic] || seen[impl.AVX2] != useAVX2 || seen[impl.AVX512] != useAVX512 {
		t.Errorf("saw the tiers %v", seen)
	}
}

// arena gives out pieces at any alignment of a buffer, and tells whether
// something else in it was written.
type arena struct{ buf, was []byte }

func (a *arena) slice(offset, n int) []byte {
	copy(a.buf, a.was)
	return a.buf[offset:][:n]
}

func (a *arena) intact(offset, n int) bool {
	return bytes.Equal(a.buf[:offset], a.was[:offset]) && bytes.Equal(a.buf[offset+n:], a.was[offset+n:])
}

// randomState returns a state whose counter carries to the high half behind some
// blocks, to 0 at times.
func randomState(r *rand.Rand, before int) (s State) {
	for i := range s {
		s[i] = r.Uint32()
	}
	s[12] = -uint32(before)
	if r.IntN(4) == 0 {
		s[13] = ^uint32(0)
	}
	return s
}

// TestKernels compares each kernel with the generic code, whatever choose would
// use it for: all numbers of blocks up to two batches and one, with and without a
// block before and behind, in place and not, at all alignments, and with a carry
// in each place.
func TestKernels(t *testing.T) {
	r := conform.Rand(t)
	for _, k := range kernels {
		if !hasTier(k.tier) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			most := 2*k.batch + 1
			text := random(r, most*BlockSize)
			a := arena{was: random(r, len(text)+256)}
			a.buf = make([]byte, len(a.was))
			want := make([]byte, len(text))
			for blocks := range most + 1 {
				for before := range most + 3 {
					start := randomState(r, before)
					rounds := []int{8, 12, 20}[before%3]
					var first, last *[BlockSize]byte
					if r.IntN(2) == 0 {
						first = (*[BlockSize]byte)(random(r, BlockSize))
					}
					if r.IntN(2) == 0 {
						last = (*[BlockSize]byte)(random(r, BlockSize))
					}
					n := blocks * BlockSize
					offset := r.IntN(128)
					dst := a.slice(offset, n)
					src := text[:n]
					if r.IntN(2) == 0 {
						copy(dst, src)
						src = dst
					}
					s, end := start, start
					k.run(first, dst, src, &s, rounds, last)

					var wantFirst, wantLast [BlockSize]byte
					if first != nil {
						xorBlocksGeneric(wantFirst[:], wantFirst[:], &end, rounds)
						if *first != wantFirst {
							t.Fatalf("%d blocks, carry behind %d: wrong first block", blocks, before)
						}
					}
					xorBlocksGeneric(want[:n], text[:n], &end, rounds)
					if !bytes.Equal(dst, want[:n]) {
						t.Fatalf("%d blocks, carry behind %d, first %v, last %v: wrong key stream", blocks, before, first != nil, last != nil)
					}
					if last != nil {
						xorBlocksGeneric(wantLast[:], wantLast[:], &end, rounds)
						if *last != wantLast {
							t.Fatalf("%d blocks, carry behind %d: wrong last block", blocks, before)
						}
					}
					if s != end {
						t.Fatalf("%d blocks, carry behind %d: state %x, want %x", blocks, before, s, end)
					}
					if !a.intact(offset, n) {
						t.Fatalf("%d blocks: writes beside dst", blocks)
					}
				}
			}
		})
	}
}

// TestKernelEdges lets each kernel work next to memory that cannot be touched,
// with all that it reads and writes.
func TestKernelEdges(t *testing.T) {
	r := conform.Rand(t)
	for _, k := range kernels {
		if !hasTier(k.tier) {
			continue
		}
		longest := (2*k.batch + 1) * BlockSize
		dsts, srcs := conform.Edges(t, longest), conform.Edges(t, longest)
		firsts, lasts := conform.Edges(t, BlockSize), conform.Edges(t, BlockSize)
		for n := 0; n <= longest; n += BlockSize {
			for i := range dsts {
				dst, src := dsts[i][:n], srcs[i][:n]
				if r.IntN(2) == 0 { // at one end or the other: one of the two is beside the page
					dst, src = dsts[i][longest-n:], srcs[i][longest-n:]
				}
				copy(src, random(r, n))
				start := randomState(r, r.IntN(100))
				s, end := start, start
				k.run((*[BlockSize]byte)(firsts[i]), dst, src, &s, 8, (*[BlockSize]byte)(lasts[i]))
				want := make([]byte, BlockSize+n+BlockSize)
				copy(want[BlockSize:], src)
				xorBlocksGeneric(want, want, &end, 8)
				if got := slices.Concat(firsts[i], dst, lasts[i]); !bytes.Equal(got, want) {
					t.Fatalf("%s: %d bytes, edge %d: wrong key stream", k.name, n, i)
				}
			}
		}
	}
}

// TestEveryLength compares all lengths up to two batches of the widest kernel and
// more with the generic code: in one call and in two, with a block before and
// without, in place and not, at all alignments.
func TestEveryLength(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		const longest = 66 * BlockSize
		text := random(r, longest)
		a := arena{was: random(r, longest+256)}
		a.buf = make([]byte, len(a.was))
		want := make([]byte, longest)
		for n := range longest + 1 {
			start := randomState(r, r.IntN(100))
			rounds := []int{8, 12, 20}[n%3]
			dst := a.slice(n%64, n)
			src := text[:n]
			if r.IntN(2) == 0 {
				copy(dst, src)
				src = dst
			}
			s, end := start, start
			var first, wantFirst, last, wantLast [BlockSize]byte
			if r.IntN(2) == 0 {
				s.BlockAndXOR(&first, dst, src, rounds)
				xorBlocksGeneric(wantFirst[:], wantFirst[:], &end, rounds)
			} else {
				cut := r.IntN(n/BlockSize+1) * BlockSize
				s.XORKeyStream(dst[:cut], src[:cut], rounds, &last)
				if last != wantLast {
					t.Fatalf("%d bytes: last is written without a last block", cut)
				}
				s.XORKeyStream(dst[cut:], src[cut:], rounds, &last)
			}
			xorKeyStreamGeneric(want[:n], text[:n], &end, rounds, &wantLast)
			if first != wantFirst {
				t.Fatalf("%d bytes: wrong first block", n)
			}
			if last != wantLast && first == [BlockSize]byte{} {
				t.Fatalf("%d bytes: wrong key stream of the last block", n)
			}
			if !bytes.Equal(dst, want[:n]) {
				t.Fatalf("%d bytes: wrong key stream", n)
			}
			if s != end {
				t.Fatalf("%d bytes: state %x, want %x", n, s, end)
			}
			if !a.intact(n%64, n) {
				t.Fatalf("%d bytes: writes beside dst", n)
			}
		}
	})
}

// BenchmarkKernels runs each kernel on one batch.
func BenchmarkKernels(b *testing.B) {
	for _, k := range kernels {
		if !hasTier(k.tier) {
			continue
		}
		for _, rounds := range []int{20, 12, 8} {
			b.Run(fmt.Sprintf("%s/rounds=%d", k.name, rounds), func(b *testing.B) {
				buf := make([]byte, k.batch*BlockSize)
				var s State
				b.SetBytes(int64(len(buf)))
				for b.Loop() {
					k.run(nil, buf, buf, &s, rounds, nil)
				}
			})
		}
	}
}
