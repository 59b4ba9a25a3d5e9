package chaskey

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
)

var (
	_ batch.Counter      = (*Kernel)(nil)
	_ batch.CBCDecrypter = (*Kernel)(nil)
)

// work is one thing that kernels do, and the generic code that does the same.
// state is a chaining value or a counter, of one block or of three.
type work struct {
	name            string
	kernel, generic func(k *Kernel, dst, src, state []byte)
}

var works = []work{
	{
		"encrypt",
		func(k *Kernel, dst, src, _ []byte) { k.EncryptBlocks(dst, src) },
		func(k *Kernel, dst, src, _ []byte) { encryptBlocksGeneric(k, dst, src) },
	},
	{
		"decrypt",
		func(k *Kernel, dst, src, _ []byte) { k.DecryptBlocks(dst, src) },
		func(k *Kernel, dst, src, _ []byte) { decryptBlocksGeneric(k, dst, src) },
	},
	counting("count in all", 0, 16),
	counting("count in the right half", 8, 16),
	counting("count in the left half", 0, 8),
	counting("count in the last word", 12, 16),
	counting("count in bytes 5 to 15", 5, 16),
	counting("count in bytes 13 to 15", 13, 16),
	counting("count in bytes 3 to 9", 3, 10),
	{
		"chain",
		func(k *Kernel, dst, src, st []byte) { k.Chain(dst, src, st[:Size]) },
		func(k *Kernel, dst, src, st []byte) {
			s := chainGeneric(k, Load(st).XOR(k.out), k.in.XOR(k.out), dst, src)
			s.XOR(k.out).Store(st)
		},
	},
	{
		"last of a chain",
		func(k *Kernel, dst, src, st []byte) { k.Chain(nil, src, st[:Size]); copy(dst, src) },
		func(k *Kernel, dst, src, st []byte) {
			s := absorbGeneric(Load(st).XOR(k.out), k.in.XOR(k.out), src, k.rounds)
			s.XOR(k.out).Store(st)
			copy(dst, src)
		},
	},
	{
		"decrypt CBC",
		func(k *Kernel, dst, src, st []byte) { k.DecryptCBC(dst, src, st[:Size]) },
		func(k *Kernel, dst, src, st []byte) { decryptCBCGeneric(k, dst, src, st[:Size]) },
	},
	cfbMAC(0), cfbMAC(3), cfbMAC(6), cfbMAC(15),
}

func counting(name string, from, to int) work {
	return work{
		name,
		func(k *Kernel, dst, src, ctr []byte) { k.XORCounter(dst, src, ctr[:Size], from, to) },
		func(k *Kernel, dst, src, ctr []byte) {
			var block [Size]byte
			for ; len(src) > 0; dst, src = dst[Size:], src[Size:] {
				encryptBlocksGeneric(k, block[:], ctr[:Size])
				subtle.XORBytes(dst, src[:Size], block[:])
				batch.Increment(ctr[from:to])
			}
		},
	}
}

func cfbMAC(fix int) work {
	type function func(k *Kernel, dst, src []byte, c *[Size]byte, st *[2 * Size]byte, fix int)
	with := func(f function) func(k *Kernel, dst, src, state []byte) {
		return func(k *Kernel, dst, src, state []byte) {
			f(k, dst, src, (*[Size]byte)(state), (*[2 * Size]byte)(state[Size:]), fix)
		}
	}
	return work{fmt.Sprintf("CFB and MAC, byte %d", fix), with((*Kernel).EncryptMAC), with(encryptMACGeneric)}
}

// widest is two batches of the widest kernel and one block.
const widest = 2*64 + 1

// eachWork runs f in each tier for everything that kernels do.
func eachWork(t *testing.T, f func(t *testing.T, rnd func(n int) []byte, k *Kernel, w work)) {
	conform.Each(t, func(t *testing.T) {
		kernels(t, func(t *testing.T, k *Kernel, _, _ []byte, _ int) {
			for _, w := range works {
				t.Run(w.name, func(t *testing.T) { f(t, random(t), k, w) })
			}
		})
	})
}

// startState is a chaining value, or a counter that carries soon: somewhere bytes of
// ff begin, up to the last byte, or only up to one of those where counters end. Or its
// last word comes to its highest bit soon.
func startState(rnd func(n int) []byte) []byte {
	st, r := rnd(3*Size), rnd(3)
	if r[0]%8 == 7 {
		copy(st[12:], []byte{0x7f, 0xff, 0xff, 0xc0 | r[1]})
		return st
	}
	end := []int{Size, Size, 10, 8}[r[0]%4]
	for i := int(r[1]) % end; i < end-1; i++ {
		st[i] = 0xff
	}
	if r[2]%2 == 0 {
		st[end-1] |= 0xc0
	}
	return st
}

// TestKernels has all numbers of blocks, in random places of memory.
func TestKernels(t *testing.T) {
	eachWork(t, func(t *testing.T, rnd func(n int) []byte, k *Kernel, w work) {
		random, memory, zero := rnd(widest*Size), make([]byte, 64+widest*Size+64), make([]byte, 64+widest*Size+64)
		for n := range widest + 1 {
			if testing.Short() && n%16 > 1 && n > 20 {
				continue
			}
			src, st := random[:n*Size], startState(rnd)
			after, want := bytes.Clone(st), make([]byte, n*Size)
			w.generic(k, want, src, after)
			for _, inPlace := range []bool{false, true} {
				clear(memory)
				from := int(rnd(1)[0] % 64)
				dst, in, state := memory[from:][:len(src)], src, bytes.Clone(st)
				if inPlace {
					copy(dst, src)
					in = dst
				}
				w.kernel(k, dst, in, state)
				if !bytes.Equal(dst, want) || !bytes.Equal(state, after) {
					t.Fatalf("%d blocks at offset %d, in place %v: wrong", n, from, inPlace)
				}
				clear(dst)
				if !bytes.Equal(memory, zero) {
					t.Fatalf("%d blocks: writes beyond them", n)
				}
			}
		}
	})
}

// TestUnaligned has all places of source and destination in a cache line.
func TestUnaligned(t *testing.T) {
	eachWork(t, func(t *testing.T, rnd func(n int) []byte, k *Kernel, w work) {
		step := 1
		if testing.Short() {
			step = 5
		}
		for _, n := range []int{1, 3, 4, 7, 16, 21, 64, 65} {
			memory, out, st := rnd(64+n*Size), make([]byte, 64+n*Size), startState(rnd)
			for from := 0; from < 64; from += step {
				to := int(rnd(1)[0] % 64)
				src, dst, want := memory[from:][:n*Size], out[to:][:n*Size], make([]byte, n*Size)
				w.generic(k, want, src, bytes.Clone(st))
				w.kernel(k, dst, src, bytes.Clone(st))
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d blocks from offset %d to %d: wrong", n, from, to)
				}
			}
		}
	})
}

// TestEdges works beside memory that can be neither read nor written.
func TestEdges(t *testing.T) {
	eachWork(t, func(t *testing.T, rnd func(n int) []byte, k *Kernel, w work) {
		for n := 1; n <= widest; n += 1 + n/4 {
			for _, src := range conform.Edges(t, n*Size) {
				for _, dst := range conform.Edges(t, n*Size) {
					for _, state := range conform.Edges(t, 3*Size) {
						copy(src, rnd(len(src)))
						copy(state, startState(rnd))
						want, after := make([]byte, len(src)), bytes.Clone(state)
						w.generic(k, want, src, after)
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
	eachWork(t, func(t *testing.T, rnd func(n int) []byte, k *Kernel, w work) {
		below := func(n int) int { b := rnd(2); return (int(b[0])<<8 | int(b[1])) % n }
		for range 20 {
			src, st := rnd(below(3*widest)*Size), startState(rnd)
			after, want, got := bytes.Clone(st), make([]byte, len(src)), make([]byte, len(src))
			w.generic(k, want, src, after)
			for done := 0; done < len(src); {
				n := min(len(src)-done, (1+below([]int{2, 40, 200}[below(3)]))*Size)
				w.kernel(k, got[done:done+n], src[done:done+n], st)
				done += n
			}
			if !bytes.Equal(got, want) || !bytes.Equal(st, after) {
				t.Fatalf("%d blocks in several calls: wrong", len(src)/Size)
			}
		}
	})
}

// TestLong has more blocks than a kernel makes in one call, and a counter whose last
// word wraps on the way.
func TestLong(t *testing.T) {
	eachWork(t, func(t *testing.T, rnd func(n int) []byte, k *Kernel, w work) {
		if testing.Short() && k.rounds != Rounds8 {
			return
		}
		src, st := bytes.Repeat(rnd(50*Size), 50), startState(rnd)
		copy(st[8:], []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfa})
		after, want := bytes.Clone(st), make([]byte, len(src))
		w.generic(k, want, src, after)
		w.kernel(k, src, src, st)
		if !bytes.Equal(src, want) || !bytes.Equal(st, after) {
			t.Fatalf("%d blocks: wrong", len(src)/Size)
		}
	})
}

// TestNoSource has counter mode write the key stream itself.
func TestNoSource(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		kernels(t, func(t *testing.T, k *Kernel, _, _ []byte, _ int) {
			rnd := random(t)
			for n := range widest + 1 {
				for _, from := range []int{0, 13} {
					ctr, got := startState(rnd)[:Size], rnd(n*Size)
					want, after := make([]byte, n*Size), bytes.Clone(ctr)
					k.XORCounter(want, make([]byte, n*Size), after, from, Size)
					k.XORCounter(got, nil, ctr, from, Size)
					if !bytes.Equal(got, want) || !bytes.Equal(ctr, after) {
						t.Fatalf("%d blocks: wrong", n)
					}
				}
			}
		})
	})
}
