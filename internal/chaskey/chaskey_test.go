package chaskey

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
)

var (
	_ batch.Kernel = (*Kernel)(nil)
	_ batch.Chain  = (*Kernel)(nil)

	allRounds = []int{Rounds8, Rounds12, Rounds16}
)

// refPermute is pi in the order of the paper, on an array in place.
func refPermute(b []byte, rounds int) {
	var v [4]uint32
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	rotl := func(x *uint32, n int) { *x = *x<<n | *x>>(32-n) }
	for range rounds {
		v[0] += v[1]
		rotl(&v[1], 5)
		v[1] ^= v[0]
		rotl(&v[0], 16)
		v[2] += v[3]
		rotl(&v[3], 8)
		v[3] ^= v[2]
		v[0] += v[3]
		rotl(&v[3], 13)
		v[3] ^= v[0]
		v[2] += v[1]
		rotl(&v[1], 7)
		v[1] ^= v[2]
		rotl(&v[2], 16)
	}
	for i := range v {
		binary.LittleEndian.PutUint32(b[4*i:], v[i])
	}
}

// refDouble doubles a little-endian polynomial with integer arithmetic.
func refDouble(b []byte) []byte {
	be := bytes.Clone(b)
	slices.Reverse(be)
	x := new(big.Int).SetBytes(be)
	x.Lsh(x, 1)
	if x.Bit(128) == 1 {
		modulus := new(big.Int).Lsh(big.NewInt(1), 128)
		x.Xor(x, modulus.Add(modulus, big.NewInt(0x87)))
	}
	x.FillBytes(be)
	slices.Reverse(be)
	return be
}

func xor(a, b []byte) []byte {
	c := make([]byte, len(a))
	for i := range c {
		c[i] = a[i] ^ b[i]
	}
	return c
}

// refEncrypt is pi(x ^ in) ^ out.
func refEncrypt(x, in, out []byte, rounds int) []byte {
	y := xor(x, in)
	refPermute(y, rounds)
	return xor(y, out)
}

func store(s State) []byte {
	b := make([]byte, Size)
	s.Store(b)
	return b
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func random(t testing.TB) func(n int) []byte {
	r := conform.Rand(t)
	return func(n int) []byte {
		b := make([]byte, 0, n+8)
		for len(b) < n {
			b = binary.LittleEndian.AppendUint64(b, r.Uint64())
		}
		return b[:n]
	}
}

func TestPermute(t *testing.T) {
	rnd := random(t)
	for range 1000 {
		x := rnd(Size)
		for _, rounds := range allRounds {
			want := bytes.Clone(x)
			refPermute(want, rounds)
			if got := store(Load(x).Permute(rounds)); !bytes.Equal(got, want) {
				t.Fatalf("%d rounds: pi(%x) = %x, want %x", rounds, x, got, want)
			}
			if back := store(Load(want).Invert(rounds)); !bytes.Equal(back, x) {
				t.Fatalf("%d rounds: inverse of %x = %x, want %x", rounds, want, back, x)
			}
		}
	}
	for _, rounds := range allRounds {
		if (State{}).Permute(rounds) != (State{}) || (State{}).Invert(rounds) != (State{}) {
			t.Errorf("%d rounds: pi(0) is not 0", rounds)
		}
	}
}

func TestDouble(t *testing.T) {
	for _, v := range [][2]string{
		{"00000000000000000000000000000080", "87000000000000000000000000000000"},
		{"ffffffffffffffffffffffffffffffff", "79ffffffffffffffffffffffffffffff"},
		{"00000080000000000000000000000000", "00000000010000000000000000000000"},
		{"00000000000000800000000000000000", "00000000000000000100000000000000"},
		{"00000000000000000000008000000000", "00000000000000000000000001000000"},
		{"01000000000000000000000000000000", "02000000000000000000000000000000"},
	} {
		if got := store(Load(unhex(v[0])).Double()); !bytes.Equal(got, unhex(v[1])) {
			t.Errorf("2 * %s = %x, want %s", v[0], got, v[1])
		}
	}
	rnd := random(t)
	for range 1000 {
		x := rnd(Size)
		if got, want := store(Load(x).Double()), refDouble(x); !bytes.Equal(got, want) {
			t.Fatalf("2 * %x = %x, want %x", x, got, want)
		}
	}
}

// kernels calls f for the block cipher and for the hutorny form.
func kernels(t *testing.T, f func(t *testing.T, k *Kernel, in, out []byte, rounds int)) {
	rnd := random(t)
	for _, rounds := range allRounds {
		key := rnd(Size)
		t.Run(fmt.Sprintf("E%d", rounds), func(t *testing.T) { f(t, NewKernel(key, rounds), key, key, rounds) })
	}
	key := rnd(Size)
	t.Run("F8", func(t *testing.T) { f(t, NewHutornyKernel(key), make([]byte, Size), key, Rounds8) })
}

// maxBlocks reaches past four batches of the widest kernel there may be, 96 blocks.
const maxBlocks = 4*96 + 1

func blockCounts() (n []int) {
	for i := range 100 {
		n = append(n, i)
	}
	return append(n, 127, 128, 129, 191, 192, 193, maxBlocks)
}

func TestBlocks(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		kernels(t, func(t *testing.T, k *Kernel, in, out []byte, rounds int) {
			src := random(t)(maxBlocks * Size)
			want := make([]byte, 0, len(src))
			for b := range slices.Chunk(src, Size) {
				want = append(want, refEncrypt(b, in, out, rounds)...)
			}
			dst := make([]byte, len(src))
			for _, n := range blockCounts() {
				n *= Size
				clear(dst)
				k.EncryptBlocks(dst[:n], src[:n])
				if !bytes.Equal(dst[:n], want[:n]) {
					t.Fatalf("%d bytes: wrong ciphertext", n)
				}
				if !bytes.Equal(dst[n:], make([]byte, len(dst)-n)) {
					t.Fatalf("%d bytes: wrote past the end", n)
				}
				k.DecryptBlocks(dst[:n], dst[:n])
				if !bytes.Equal(dst[:n], src[:n]) {
					t.Fatalf("%d bytes: wrong plaintext, in place", n)
				}
				k.EncryptBlocks(dst[:n], dst[:n])
				if !bytes.Equal(dst[:n], want[:n]) {
					t.Fatalf("%d bytes: wrong ciphertext, in place", n)
				}
				k.DecryptBlocks(dst[:n], want[:n])
				if !bytes.Equal(dst[:n], src[:n]) {
					t.Fatalf("%d bytes: wrong plaintext", n)
				}
			}
		})
	})
}

func TestChain(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		kernels(t, func(t *testing.T, k *Kernel, in, out []byte, rounds int) {
			rnd := random(t)
			const blocks = 70
			start, src := rnd(Size), rnd(blocks*Size)
			st, want := start, make([]byte, 0, len(src))
			for n := range blocks + 1 {
				m := src[:n*Size]
				got, dst := bytes.Clone(start), make([]byte, len(m))
				k.Chain(nil, m, got)
				if !bytes.Equal(got, st) {
					t.Fatalf("%d blocks: chain ends in %x, want %x", n, got, st)
				}
				got = bytes.Clone(start)
				k.Chain(dst, m, got)
				if !bytes.Equal(got, st) || !bytes.Equal(dst, want) {
					t.Fatalf("%d blocks: wrong chain", n)
				}
				got = bytes.Clone(start)
				copy(dst, m)
				k.Chain(dst, dst, got)
				if !bytes.Equal(got, st) || !bytes.Equal(dst, want) {
					t.Fatalf("%d blocks: wrong chain, in place", n)
				}
				if n < blocks {
					st = refEncrypt(xor(st, src[n*Size:][:Size]), in, out, rounds)
					want = append(want, st...)
				}
			}
		})
	})
}

// TestEncryptMAC compares with the definition, and with the message in two pieces.
func TestEncryptMAC(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		kernels(t, func(t *testing.T, k *Kernel, in, out []byte, rounds int) {
			rnd := random(t)
			const blocks = 40
			for fix := range Size {
				c0, st0, src := rnd(Size), rnd(2*Size), rnd(blocks*Size)
				c, st, want := bytes.Clone(c0), bytes.Clone(st0), []byte{}
				for n := range blocks + 1 {
					check := func(dst, src []byte, cut int, form string) {
						t.Helper()
						gotC, gotST := [Size]byte(c0), [2 * Size]byte(st0)
						k.EncryptMAC(dst[:cut], src[:cut], &gotC, &gotST, fix)
						k.EncryptMAC(dst[cut:], src[cut:], &gotC, &gotST, fix)
						if !bytes.Equal(dst, want) || !bytes.Equal(gotC[:], c) || !bytes.Equal(gotST[:], st) {
							t.Fatalf("fix %d, %d blocks%s: wrong\ndst %x, want %x\nc %x, want %x\nst %x, want %x",
								fix, n, form, dst, want, gotC, c, gotST, st)
						}
					}
					m := src[:n*Size]
					check(make([]byte, len(m)), m, len(m), "")
					check(make([]byte, len(m)), m, n/3*Size, " in two pieces")
					m = bytes.Clone(m)
					check(m, m, len(m), " in place")
					if n < blocks {
						x := bytes.Clone(c)
						x[fix] |= 0x80
						s := refEncrypt(x, in, out, rounds)
						st = append(s, refEncrypt(xor(st[Size:], c), in, out, rounds)...)
						c = xor(src[n*Size:][:Size], s)
						want = append(want, c...)
					}
				}
			}
		})
	})
}

func TestAbsorb(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rnd := random(t)
		for _, rounds := range allRounds {
			st, m := rnd(Size), rnd(20*Size)
			start := Load(st)
			for n := range 21 {
				if got := store(Absorb(start, m[:n*Size], rounds)); !bytes.Equal(got, st) {
					t.Fatalf("%d rounds, %d blocks: %x, want %x", rounds, n, got, st)
				}
				if n < 20 {
					st = xor(st, m[n*Size:][:Size])
					refPermute(st, rounds)
				}
			}
		}
	})
}

// TestBounds puts every slice next to a page that cannot be read.
func TestBounds(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		k := NewKernel(make([]byte, Size), Rounds8)
		for _, blocks := range blockCounts() {
			n := blocks * Size
			for _, src := range conform.Edges(t, n) {
				for _, dst := range conform.Edges(t, n) {
					k.EncryptBlocks(dst, src)
					k.DecryptBlocks(dst, src)
					for _, st := range conform.Edges(t, Size) {
						k.Chain(dst, src, st)
						k.Chain(nil, src, st)
					}
				}
				Absorb(State{}, src, Rounds8)
			}
		}
	})
}
