package magma

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"xcipher/internal/conform"
)

// work is one thing that kernels do, and the generic code that does the same.
type work struct {
	name           string
	kernel, always func(k *keyWords, dst, src, state []byte)
}

var works = []work{
	{
		"encrypt",
		func(k *keyWords, dst, src, _ []byte) { k.EncryptBlocks(dst, src) },
		func(k *keyWords, dst, src, _ []byte) { cryptGeneric(k, dst, src, encrypt) },
	},
	{
		"decrypt",
		func(k *keyWords, dst, src, _ []byte) { k.DecryptBlocks(dst, src) },
		func(k *keyWords, dst, src, _ []byte) { cryptGeneric(k, dst, src, decrypt) },
	},
	{"count in all", counting((*keyWords).XORCounter, 0, 8), counting(counterGeneric, 0, 8)},
	{"count in the right half", counting((*keyWords).XORCounter, 4, 8), counting(counterGeneric, 4, 8)},
	{"count in the left half", counting((*keyWords).XORCounter, 0, 4), counting(counterGeneric, 0, 4)},
	{"count in bytes 2 to 6", counting((*keyWords).XORCounter, 2, 7), counting(counterGeneric, 2, 7)},
	{"count in byte 0", counting((*keyWords).XORCounter, 0, 1), counting(counterGeneric, 0, 1)},
	{
		"chain",
		func(k *keyWords, dst, src, st []byte) { k.Chain(dst, src, st) },
		func(k *keyWords, dst, src, st []byte) { chainGeneric(k, dst, src, st) },
	},
}

func counting(f func(k *keyWords, dst, src, ctr []byte, from, to int), from, to int) func(k *keyWords, dst, src, ctr []byte) {
	return func(k *keyWords, dst, src, ctr []byte) { f(k, dst, src, ctr, from, to) }
}

// widest is two batches of the widest kernel and one block.
const widest = 2*128 + 1

// eachWork runs f in each tier for everything that kernels do.
func eachWork(t *testing.T, f func(t *testing.T, rng *rand.Rand, k *keyWords, w work)) {
	conform.Each(t, func(t *testing.T) {
		for _, w := range works {
			t.Run(w.name, func(t *testing.T) {
				rng, key := conform.Rand(t), make([]byte, KeySize)
				fill(rng, key)
				f(t, rng, newKeyWords(key), w)
			})
		}
	})
}

// startState is a chaining value, or a counter that carries soon.
func startState(rng *rand.Rand) []byte {
	st := make([]byte, BlockSize)
	fill(rng, st)
	for i := rng.IntN(BlockSize); i < BlockSize-1; i++ {
		st[i] = 0xff
	}
	return st
}

// TestKernels has all numbers of blocks, in random places of memory.
func TestKernels(t *testing.T) {
	eachWork(t, func(t *testing.T, rng *rand.Rand, k *keyWords, w work) {
		src, memory := make([]byte, widest*BlockSize), make([]byte, 64+widest*BlockSize+64)
		want, last := make([]byte, len(src)), -1
		for n := 0; n <= widest; n++ {
			if testing.Short() && n%16 > 1 && n > 20 {
				continue
			}
			src := src[:n*BlockSize]
			fill(rng, src)
			st := startState(rng)
			after := bytes.Clone(st)
			want := want[:len(src)]
			w.always(k, want, src, after)
			for _, inPlace := range []bool{false, true} {
				fill(rng, memory)
				before := bytes.Clone(memory)
				from := rng.IntN(64)
				dst, in, state := memory[from:][:len(src)], src, bytes.Clone(st)
				if inPlace {
					copy(dst, src)
					in = dst
				}
				w.kernel(k, dst, in, state)
				if !bytes.Equal(dst, want) || !bytes.Equal(state, after) {
					t.Fatalf("%d blocks at offset %d, in place %v: wrong", n, from, inPlace)
				}
				copy(before[from:], want)
				if !bytes.Equal(memory, before) {
					t.Fatalf("%d blocks: writes beyond them", n)
				}
			}
			last = n
		}
		if last < widest-1 {
			t.Errorf("only up to %d blocks", last)
		}
	})
}

// TestUnaligned has all places of source and destination in a cache line.
func TestUnaligned(t *testing.T) {
	eachWork(t, func(t *testing.T, rng *rand.Rand, k *keyWords, w work) {
		for _, n := range []int{1, 3, 8, 16, 21, 32, 64, 128, 129} {
			memory, out := make([]byte, 64+n*BlockSize), make([]byte, 64+n*BlockSize)
			want := make([]byte, n*BlockSize)
			for from := range 64 {
				to := rng.IntN(64)
				src, dst := memory[from:][:n*BlockSize], out[to:][:n*BlockSize]
				fill(rng, src)
				st := startState(rng)
				w.always(k, want, src, bytes.Clone(st))
				w.kernel(k, dst, src, st)
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d blocks from offset %d to %d: wrong", n, from, to)
				}
			}
		}
	})
}

// TestEdges works beside memory that can be neither read nor written.
func TestEdges(t *testing.T) {
	eachWork(t, func(t *testing.T, rng *rand.Rand, k *keyWords, w work) {
		for n := 1; n <= widest; n += 1 + n/16 {
			for _, src := range conform.Edges(t, n*BlockSize) {
				for _, dst := range conform.Edges(t, n*BlockSize) {
					for _, state := range conform.Edges(t, BlockSize) {
						fill(rng, src)
						copy(state, startState(rng))
						want, after := make([]byte, len(src)), bytes.Clone(state)
						w.always(k, want, src, after)
						w.kernel(k, dst, src, state)
						if !bytes.Equal(dst, want) || !bytes.Equal(state, after) {
							t.Fatalf("%d blocks at the edge of a page: wrong", n)
						}
					}
				}
			}
		}
	})
}

// TestSplits makes blocks in several calls that take their states from each other.
func TestSplits(t *testing.T) {
	eachWork(t, func(t *testing.T, rng *rand.Rand, k *keyWords, w work) {
		for range 30 {
			src := make([]byte, rng.IntN(3*widest)*BlockSize)
			fill(rng, src)
			st := startState(rng)
			after, want, got := bytes.Clone(st), make([]byte, len(src)), make([]byte, len(src))
			w.always(k, want, src, after)
			for done := 0; done < len(src); {
				n := min(len(src)-done, (1+rng.IntN([]int{2, 40, 300}[rng.IntN(3)]))*BlockSize)
				w.kernel(k, got[done:done+n], src[done:done+n], st)
				done += n
			}
			if !bytes.Equal(got, want) || !bytes.Equal(st, after) {
				t.Fatalf("%d blocks in several calls: wrong", len(src)/BlockSize)
			}
		}
	})
}

// TestChain compares the serial path with the standard word for word.
func TestChain(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for n := range 20 {
			key, src, st := make([]byte, KeySize), make([]byte, n*BlockSize), make([]byte, BlockSize)
			fill(rng, key, src, st)
			k, schedule := newKeyWords(key), refSchedule(key)
			next, silent := slices.Clone(st), slices.Clone(st)
			var want []byte
			for block := range slices.Chunk(src, BlockSize) {
				for i := range next {
					next[i] ^= block[i]
				}
				next = refCrypt(schedule, next)
				want = append(want, next...)
			}
			if k.Chain(nil, src, silent); !bytes.Equal(silent, next) {
				t.Fatalf("%d blocks without results: wrong state", n)
			}
			if k.Chain(src, src, st); !bytes.Equal(src, want) || !bytes.Equal(st, next) {
				t.Fatalf("%d blocks: wrong", n)
			}
		}
	})
}
