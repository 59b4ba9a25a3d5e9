//go:build amd64 && gc && !purego

package poly1305

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

// kernels are those that this machine has, with the numbers of blocks they take.
func kernels() (all []kernel) {
	if cpu.AVX512 {
		all = append(all, kernel{impl.AVX512, func(h *[3]uint64, r *[2]uint64, p []byte) {
			var powers Powers
			powersMULX(&powers, r)
			blocksAVX512(h, &powers, p)
		}, 8, 1})
	}
	if cpu.AVX2 {
		all = append(all, kernel{impl.AVX2, blocksAVX2, 4, 4})
	}
	return all
}

type kernel struct {
	name        string
	blocks      func(h *[3]uint64, r *[2]uint64, p []byte)
	least, step int // blocks
}

// check compares a kernel with the generic code.
func (k kernel) check(t *testing.T, key []byte, h *big.Int, msg []byte) {
	t.Helper()
	k.checkR(t, start(key, h).r, h, msg)
}

func (k kernel) checkR(t *testing.T, r [2]uint64, h *big.Int, msg []byte) {
	t.Helper()
	got, want := start(make([]byte, KeySize), h), start(make([]byte, KeySize), h)
	got.r, want.r = r, r
	k.blocks(&got.h, &got.r, msg)
	blocksGeneric(want, msg)
	if got.r != r {
		t.Fatalf("%s: r has changed", k.name)
	}
	a, b := accumulator(got), accumulator(want)
	if a.Cmp(new(big.Int).Add(pow2(130), pow2(64))) >= 0 {
		t.Fatalf("%s, %d blocks: accumulator %x is too large", k.name, len(msg)/BlockSize, a)
	}
	if a.Mod(a, prime).Cmp(b.Mod(b, prime)) != 0 {
		t.Fatalf("%s, r %x, accumulator %x, %d blocks: %x, want %x", k.name, r, h, len(msg)/BlockSize, a, b)
	}
}

// anyStart is an accumulator as a state may hold it: often 0, or at an edge.
func anyStart(r *rand.Rand, edges []*big.Int) *big.Int {
	switch r.IntN(3) {
	case 0:
		return new(big.Int)
	case 1:
		return edges[r.IntN(len(edges))]
	default:
		return number(random(r, 16))
	}
}

// TestKernels compares on every number of blocks, whether or not it is enough to
// be given to the kernel, at every alignment and at the ends of pages.
func TestKernels(t *testing.T) {
	r, edges := conform.Rand(t), edges()
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for _, k := range kernels() {
		for n := k.least; n <= 110; n += k.step {
			size := n * BlockSize
			for range rounds {
				k.check(t, extremes(r, KeySize), anyStart(r, edges), extremes(r, size))
			}
			msg := extremes(r, size)
			for _, p := range conform.Edges(t, size) {
				copy(p, msg)
				k.check(t, extremes(r, KeySize), anyStart(r, edges), p)
			}
			room := make([]byte, size+64)
			for off := n % 3; off < 64; off += 3 {
				p := room[off:][:size]
				copy(p, msg)
				k.check(t, extremes(r, KeySize), anyStart(r, edges), p)
			}
		}
		for range 20 {
			n := k.least + k.step*r.IntN(1000)
			k.check(t, extremes(r, KeySize), anyStart(r, edges), extremes(r, n*BlockSize))
		}
	}
}

// TestKernelCarries has all multipliers of few bits: powers of r are then numbers
// of few bits too, or, around 2^130, close to p.
func TestKernelCarries(t *testing.T) {
	r, edges := conform.Rand(t), edges()
	for _, k := range kernels() {
		for bit := range 124 {
			for _, others := range []byte{0, 0xff} {
				key := extremes(r, KeySize)
				for i := range 16 {
					key[i] = others
				}
				key[bit/8] ^= 1 << (bit % 8)
				for _, n := range []int{8, 12, 16, 20, 24, 28, 36, 40, 44, 72, 76} {
					k.check(t, key, anyStart(r, edges), extremes(r, n*BlockSize))
				}
			}
		}
	}
}

// TestSumWithPowers has texts of all lengths up to some batches, with additional data
// and without.
func TestSumWithPowers(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		if TakesPowers() != useAVX512 {
			t.Fatalf("TakesPowers() = %v", TakesPowers())
		}
		if !TakesPowers() {
			return
		}
		r := conform.Rand(t)
		for n := 8 * BlockSize; n < 1300; n++ {
			key, text := extremes(r, KeySize), extremes(r, n)
			aad := extremes(r, r.IntN([]int{1, 40, 600}[n%3]))
			var tag [TagSize]byte
			var powers Powers
			powersMULX(&powers, &start(key, new(big.Int)).r)
			SumWithPowers(&tag, (*[KeySize]byte)(key), &powers, aad, text)
			if want := referenceSum(key, aad, text); tag != want {
				t.Fatalf("key %x, %d bytes with %d of data: tag %x, want %x", key, n, len(aad), tag, want)
			}
		}
	})
}

// roots have a power just above a multiple of 2^128: its two low limbs overflowed
// when it was computed, which otherwise happens once in 2^40 times. The bits that a
// kernel relies on are clamped, the others are not.
var roots = []struct {
	exponent int64
	r        [2]uint64
}{
	{2, [2]uint64{0x08f8f3193c35183a, 0x0d7d751fc2bd20b8}},
	{2, [2]uint64{0x0153e66242c9f07f, 0x0e97a93c50299f64}},
	{2, [2]uint64{0x05572f0726366286, 0x065a2534e99fbf70}},
	{3, [2]uint64{0x086af410b8493edc, 0x0f22b0ac96543708}},
	{3, [2]uint64{0x07bf9ddf85b6d942, 0x0f0a8488389995cc}},
	{3, [2]uint64{0x0e503d7349e744dd, 0x056700c3e2d911a4}},
	{4, [2]uint64{0x0c6468762d3a7ef4, 0x0bafa1944cbaf7c4}},
	{4, [2]uint64{0x0e0fbb92aba0ce84, 0x0eb40d0bf60988a4}},
	{4, [2]uint64{0x087415e78d36456f, 0x068a064bd1ad0778}},
	{5, [2]uint64{0x0e2d27f21ba22af8, 0x05c25b5c53565904}},
	{5, [2]uint64{0x0a4273a87df3e4df, 0x0ad0cdefbd73c99c}},
	{5, [2]uint64{0x070cf04d84174c0f, 0x0abf500e956ffe6c}},
	{6, [2]uint64{0x03e001af6c539a73, 0x06f68b91d6cff9b8}},
	{6, [2]uint64{0x022469e88c58b8f8, 0x053c787e35486ac4}},
	{6, [2]uint64{0x0b9861a49024a41a, 0x0be94463daf46808}},
	{7, [2]uint64{0x0bf449eaaadf1127, 0x028f1c4516806018}},
	{7, [2]uint64{0x0f96d41798aad177, 0x08981f202811e5b8}},
	{7, [2]uint64{0x06fbcc9f75bff5c4, 0x02131975c4371284}},
	{8, [2]uint64{0x098880e724dced3e, 0x0ca56ca60b54afa0}},
	{8, [2]uint64{0x0b4f25f49a8abaf1, 0x09e45039fed9a058}},
	{8, [2]uint64{0x09a4fed29d11116c, 0x0ca26f14b7b14edc}},
	{12, [2]uint64{0x09834dd53151c690, 0x06cea331829ba148}},
	{12, [2]uint64{0x0602366385fd8a6b, 0x003c05263884b224}},
	{12, [2]uint64{0x01f359fe821b951c, 0x005b8616b0386a08}},
	{16, [2]uint64{0x0aeb444fa1db2a6c, 0x0ac732a66f425a70}},
	{16, [2]uint64{0x02cafd763da30560, 0x08f633d4c2d07b60}},
	{16, [2]uint64{0x0ffb141e0a1b0d24, 0x02d9b970643b7ff4}},
	{24, [2]uint64{0x0a3602d140149b25, 0x0ccc149911b23780}},
	{24, [2]uint64{0x0adf127c365b084b, 0x074d1359f83cb51c}},
	{24, [2]uint64{0x03b3f78eceab6658, 0x0f837751e1e9be94}},
	{32, [2]uint64{0x0c31da12753f69cf, 0x035da82957a5d790}},
	{32, [2]uint64{0x0240ee3dcf57e895, 0x05d1a1e088224810}},
	{32, [2]uint64{0x024488348c649bb8, 0x0a1b784395706cec}},
}

func TestRoots(t *testing.T) {
	rnd, edges := conform.Rand(t), edges()
	for _, v := range roots {
		power := accumulator(&State{h: [3]uint64{v.r[0], v.r[1]}})
		power.Exp(power, big.NewInt(v.exponent), prime)
		if power.Mod(power, pow2(128)).BitLen() > 40 || v.r[0]>>60 != 0 || v.r[1]>>60 != 0 || v.r[1]&3 != 0 {
			t.Fatalf("%#x is not as it should be", v.r)
		}
		for _, k := range kernels() {
			for _, n := range []int{8, 16, 24, 32, 40, 48, 72} {
				k.checkR(t, v.r, anyStart(rnd, edges), extremes(rnd, n*BlockSize))
			}
		}
	}
}

// TestTier checks that every tier uses its own kernel where that pays, and no other.
func TestTier(t *testing.T) {
	seen := map[string]bool{}
	conform.Each(t, func(t *testing.T) {
		tier := t.Name()[strings.LastIndex(t.Name(), "/")+1:]
		least := map[string]int{impl.AVX512: leastAVX512, impl.AVX2: leastAVX2}
		for n := range 200 {
			want := impl.Generic
			if from, ok := least[tier]; ok && n >= from {
				want = tier
			}
			got := impl.Generic
			switch {
			case pickAVX512(n):
				got = impl.AVX512
			case pickAVX2(n):
				got = impl.AVX2
			}
			if got != want {
				t.Errorf("%d blocks: %s, want %s", n, got, want)
			}
			short := tier != impl.Generic && n < leastAVX512
			for _, other := range []int{0, 23 * BlockSize} {
				if pickMULX(other, n*BlockSize) != short || pickMULX(n*BlockSize, other) != short {
					t.Errorf("%d blocks and %d bytes are short: want %v", n, other, short)
				}
			}
		}
		seen[tier] = true
	})
	want := map[string]bool{impl.AVX512: cpu.AVX512, impl.AVX2: cpu.AVX2, impl.Generic: true}
	for tier, there := range want {
		if seen[tier] != there {
			t.Errorf("tier %s tested: %v, want %v", tier, seen[tier], there)
		}
	}
}

// BenchmarkKernels has the kernels alone, from the fewest blocks on.
func BenchmarkKernels(b *testing.B) {
	all := append(kernels(), kernel{name: impl.Generic, least: 1})
	for _, k := range all {
		for _, n := range []int{8, 16, 20, 24, 28, 32, 64, 512, 4096} {
			b.Run(fmt.Sprintf("%s/blocks=%d", k.name, n), func(b *testing.B) {
				m, msg := start(make([]byte, KeySize), new(big.Int)), make([]byte, n*BlockSize)
				m.r = [2]uint64{0x0ffffffc0fffffff, 0x0ffffffc0ffffffc}
				b.SetBytes(int64(len(msg)))
				b.ReportAllocs()
				for b.Loop() {
					m.r[0] ^= m.h[0] & 1
					if k.blocks == nil {
						blocksGeneric(m, msg)
					} else {
						k.blocks(&m.h, &m.r, msg)
					}
				}
			})
		}
	}
}
