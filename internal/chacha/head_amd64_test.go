//go:build amd64 && gc && !purego

package chacha

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"xcipher/internal/conform"
	"xcipher/internal/cpu"
)

type headFunc func(key *[32]byte, powers *[33]uint64, dst, src []byte, s *[16]uint32, rounds int, last *[64]byte)

var headKernels = []struct {
	name   string
	run    headFunc
	blocks int
}{
	{"head8AVX512", head8AVX512, 8},
	{"head16AVX512", head16AVX512, 16},
}

// exponents are those of the powers in their order: for steps of four batches of
// eight blocks, three and two, and for the blocks of a batch as they are unpacked.
var exponents = []int{32, 24, 16, 8, 4, 7, 3, 6, 2, 5, 1}

var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))

func number(limbs ...uint64) *big.Int {
	n := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		n.Add(n.Lsh(n, 64), new(big.Int).SetUint64(limbs[i]))
	}
	return n
}

// checkPowers compares powers with those of the multiplier in key (RFC 8439, section
// 2.5).
func checkPowers(t *testing.T, key []byte, powers *[33]uint64) {
	t.Helper()
	r := number(binary.LittleEndian.Uint64(key)&0x0ffffffc0fffffff, binary.LittleEndian.Uint64(key[8:])&0x0ffffffc0ffffffc)
	for i, e := range exponents {
		got := number(powers[i], powers[11+i], powers[22+i])
		want := new(big.Int).Exp(r, big.NewInt(int64(e)), prime)
		if got.BitLen() > 131 || new(big.Int).Mod(got, prime).Cmp(want) != 0 {
			t.Fatalf("r^%d of r = %x is %x, want %x", e, r, got, want)
		}
	}
}

// TestHeadKernels compares with the generic code: all numbers of blocks, with and
// without one behind, in place and not, at all alignments, and with a carry of the
// counter in each place.
func TestHeadKernels(t *testing.T) {
	if !cpu.AVX512 {
		return
	}
	for _, k := range headKernels {
		t.Run(k.name, func(t *testing.T) {
			r := conform.Rand(t)
			a := arena{was: random(r, k.blocks*BlockSize+256)}
			a.buf = make([]byte, len(a.was))
			for blocks := range k.blocks + 1 {
				for before := range k.blocks + 4 {
					for _, rounds := range []int{8, 12, 20} {
						checkHead(t, r, k.run, rounds, &a, blocks, before, blocks < k.blocks && r.IntN(2) == 0)
					}
				}
			}
		})
	}
}

func checkHead(t *testing.T, r *rand.Rand, run headFunc, rounds int, a *arena, blocks, before int, hasLast bool) {
	t.Helper()
	n := blocks * BlockSize
	text := random(r, n)
	offset := r.IntN(128)
	dst, src := a.slice(offset, n), text
	if r.IntN(2) == 0 {
		copy(dst, src)
		src = dst
	}
	start := randomState(r, before)
	s, end := start, start
	var key [KeySize]byte
	var powers [33]uint64
	var last *[BlockSize]byte
	if hasLast {
		last = new([BlockSize]byte)
	}
	run(&key, &powers, dst, src, (*[16]uint32)(&s), rounds, last)
	if s != start {
		t.Fatalf("%d blocks: the state has changed", blocks)
	}
	want := make([]byte, BlockSize+n+BlockSize)
	copy(want[BlockSize:], text)
	xorBlocksGeneric(want, want, &end, rounds)
	if !bytes.Equal(key[:], want[:KeySize]) {
		t.Fatalf("%d rounds, %d blocks: key %x, want %x", rounds, blocks, key, want[:KeySize])
	}
	if !bytes.Equal(dst, want[BlockSize:][:n]) {
		t.Fatalf("%d rounds, %d blocks, carry behind %d: wrong key stream", rounds, blocks, before)
	}
	if hasLast && !bytes.Equal(last[:], want[BlockSize+n:]) {
		t.Fatalf("%d rounds, %d blocks, carry behind %d: wrong last block", rounds, blocks, before)
	}
	if !a.intact(offset, n) {
		t.Fatalf("%d blocks: writes beside dst", blocks)
	}
	checkPowers(t, key[:], &powers)
}

// TestHead has all lengths, which choose the kernel too.
func TestHead(t *testing.T) {
	if most := headKernels[len(headKernels)-1].blocks; HeadSize != most*BlockSize {
		t.Errorf("HeadSize = %d, want %d blocks", HeadSize, most)
	}
	conform.Each(t, func(t *testing.T) {
		if TakesHead() != useAVX512 {
			t.Fatalf("TakesHead() = %v", TakesHead())
		}
		if !TakesHead() {
			return
		}
		r := conform.Rand(t)
		for n := range HeadSize + 1 {
			rounds := []int{20, 12, 8}[n%3]
			text := random(r, n)
			got, want := make([]byte, n), make([]byte, n)
			a := randomState(r, r.IntN(20))
			b := a
			var key [KeySize]byte
			var first, last [BlockSize]byte
			var powers [33]uint64
			a.Head(&key, &powers, got, text, rounds)
			xorBlocksGeneric(first[:], first[:], &b, rounds)
			xorKeyStreamGeneric(want, text, &b, rounds, &last)
			if !bytes.Equal(key[:], first[:KeySize]) || !bytes.Equal(got, want) || a != b {
				t.Fatalf("%d bytes, %d rounds: wrong", n, rounds)
			}
			checkPowers(t, key[:], &powers)
		}
	})
}

// TestHeadPages lets the kernels work next to memory that cannot be touched.
func TestHeadPages(t *testing.T) {
	if !cpu.AVX512 {
		return
	}
	r := conform.Rand(t)
	keys, lasts := conform.Edges(t, KeySize), conform.Edges(t, BlockSize)
	for _, k := range headKernels {
		for blocks := range k.blocks {
			n := blocks * BlockSize
			dsts, srcs := conform.Edges(t, n), conform.Edges(t, n)
			for i := range dsts {
				copy(srcs[i], random(r, n))
				s := randomState(r, 100)
				end := s
				var powers [33]uint64
				k.run((*[KeySize]byte)(keys[i]), &powers, dsts[i], srcs[i], (*[16]uint32)(&s), 8, (*[BlockSize]byte)(lasts[i]))
				want := make([]byte, BlockSize+n+BlockSize)
				copy(want[BlockSize:], srcs[i])
				xorBlocksGeneric(want, want, &end, 8)
				if !bytes.Equal(keys[i], want[:KeySize]) || !bytes.Equal(dsts[i], want[BlockSize:][:n]) || !bytes.Equal(lasts[i], want[BlockSize+n:]) {
					t.Fatalf("%s: %d blocks, edge %d: wrong", k.name, blocks, i)
				}
			}
		}
	}
}

// BenchmarkHead is to be compared with BenchmarkKernels, which makes no block 0 and
// no powers.
func BenchmarkHead(b *testing.B) {
	if !cpu.AVX512 {
		return
	}
	for _, n := range []int{8 * BlockSize, HeadSize} {
		for _, rounds := range []int{20, 12, 8} {
			b.Run(fmt.Sprintf("size=%d/rounds=%d", n, rounds), func(b *testing.B) {
				buf := make([]byte, n)
				var s State
				var key [KeySize]byte
				var powers [33]uint64
				b.SetBytes(int64(n))
				for b.Loop() {
					s.Head(&key, &powers, buf, buf, rounds)
				}
			})
		}
	}
}
