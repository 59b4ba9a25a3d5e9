package saturnin

import (
	"bytes"
	"crypto/subtle"
	"math/rand/v2"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
)

// widest is the number of blocks that the widest kernel takes at a time.
const widest = 32

// parts are those of counter blocks that count, in tests.
var parts = [][2]int{{0, 32}, {16, 32}, {0, 16}, {21, 32}, {24, 32}, {25, 32}, {30, 32}, {31, 32}}

// crypted is a text and what the generic code makes of it.
type crypted struct {
	c                                   *Cipher
	text, encrypted, decrypted, chained []byte
	ctr, stream, counted                []byte
}

// newCrypted makes texts of n blocks, and counters [from:to] that are about to carry.
func newCrypted(rng *rand.Rand, superRounds, domain, n, from, to int) (c crypted) {
	c.c = NewCipher(NewDomain(superRounds, domain), randomBytes(rng, KeySize))
	c.text = randomBytes(rng, n*BlockSize)
	c.encrypted, c.decrypted = make([]byte, n*BlockSize), make([]byte, n*BlockSize)
	c.c.encryptGeneric(c.encrypted, c.text)
	c.c.decryptGeneric(c.decrypted, c.text)
	c.ctr = randomBytes(rng, BlockSize)
	for i := from + rng.IntN(to-from); i < to-1; i++ {
		c.ctr[i] = 0xff
	}
	c.stream, c.counted = make([]byte, n*BlockSize), bytes.Clone(c.ctr)
	c.c.xorCounterGeneric(c.stream, nil, c.counted, from, to)
	c.chained = bytes.Clone(c.ctr)
	if n > 0 {
		c.c.domain.cascadeGeneric((*[KeySize]byte)(c.chained), c.text)
	}
	return c
}

// check compares all methods with the generic code, in pieces, from src to dst, which
// may be the same.
func (c *crypted) check(t *testing.T, dst, src []byte, pieces []int, from, to int) {
	t.Helper()
	run := func(what string, want []byte, f func(dst, src []byte)) {
		copy(src, c.text)
		d, s := dst, src
		for _, n := range pieces {
			f(d[:n], s[:n])
			d, s = d[n:], s[n:]
		}
		if !bytes.Equal(dst, want) {
			t.Errorf("R = %d: %s of %v bytes differs from the generic code", c.c.domain.superRounds, what, pieces)
		}
	}
	run("EncryptBlocks", c.encrypted, c.c.EncryptBlocks)
	run("DecryptBlocks", c.decrypted, c.c.DecryptBlocks)
	ctr := bytes.Clone(c.ctr)
	want := make([]byte, len(c.text))
	subtle.XORBytes(want, c.stream, c.text)
	run("XORCounter", want, func(dst, src []byte) { c.c.XORCounter(dst, src, ctr, from, to) })
	if !bytes.Equal(ctr, c.counted) {
		t.Errorf("XORCounter of %v bytes from %x, counting [%d:%d], leaves %x, want %x", pieces, c.ctr, from, to, ctr, c.counted)
	}
	copy(ctr, c.ctr)
	run("key stream", c.stream, func(dst, _ []byte) { c.c.XORCounter(dst, nil, ctr, from, to) })
	copy(src, c.text)
	state := [KeySize]byte(c.ctr)
	for _, n := range pieces {
		c.c.domain.Cascade(&state, src[:n])
		src = src[n:]
	}
	if !bytes.Equal(state[:], c.chained) {
		t.Errorf("R = %d: Cascade of %v bytes differs from the generic code", c.c.domain.superRounds, pieces)
	}
}

// TestKernels compares with the generic code for every number of blocks up to two of
// the widest batches and one, at page edges and in place, in one piece and in many.
func TestKernels(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for n := range 2*widest + 2 {
			if testing.Short() && n%4 != 1 {
				continue
			}
			for _, part := range [][2]int{{0, BlockSize}, parts[n%len(parts)]} {
				c := newCrypted(rng, 10, n%16, n, part[0], part[1])
				size := n * BlockSize
				from, to := conform.Edges(t, size), conform.Edges(t, size)
				for i := range 2 {
					c.check(t, to[i], from[1-i], []int{size}, part[0], part[1])
					c.check(t, to[i], to[i], []int{size}, part[0], part[1])
				}
				var pieces []int
				for left := n; left > 0; {
					m := 1 + rng.IntN(left)
					pieces = append(pieces, m*BlockSize)
					left -= m
				}
				c.check(t, to[0], to[0], pieces, part[0], part[1])
			}
		}
	})
}

// TestRounds has all numbers of super-rounds and domains go through all kernels.
func TestRounds(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for superRounds := 1; superRounds <= MaxSuperRounds; superRounds++ {
			if testing.Short() && superRounds%3 != 1 {
				continue
			}
			for _, n := range []int{1, 2, widest, widest + 1} {
				c := newCrypted(rng, superRounds, rng.IntN(MaxDomain+1), n, 0, BlockSize)
				buf := make([]byte, n*BlockSize)
				c.check(t, buf, buf, []int{n * BlockSize}, 0, BlockSize)
			}
		}
	})
}

func TestUnaligned(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for _, n := range []int{1, 3, 15, 16, 32, 65} {
			c := newCrypted(rng, 10, 1, n, 0, BlockSize)
			size := n * BlockSize
			a, b := make([]byte, size+64), make([]byte, size+64)
			for i := range 64 {
				if testing.Short() && i%5 != 1 {
					continue
				}
				c.check(t, a[i:][:size], b[(7*i+3)%64:][:size], []int{size}, 0, BlockSize)
			}
		}
	})
}

// TestWraps has counters wrap at each block of two batches, with all bytes above ff.
func TestWraps(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		c := NewCipher(NewDomain(10, 1), randomBytes(rng, KeySize))
		const blocks = 2*widest + 7
		got, want := make([]byte, blocks*BlockSize), make([]byte, blocks*BlockSize)
		for _, part := range parts {
			for before := range blocks + 3 {
				if testing.Short() && before%3 != 1 && before%16 != 0 {
					continue
				}
				ctr := bytes.Repeat([]byte{0xff}, BlockSize)
				ctr[part[1]-1] = byte(-before)
				if before%2 == 1 && part[1]-part[0] > 2 { // the carry ends somewhere
					ctr[part[0]+rng.IntN(part[1]-2-part[0])]--
				}
				wantCtr := bytes.Clone(ctr)
				c.XORCounter(got, nil, ctr, part[0], part[1])
				batch.Fill(want, wantCtr, part[0], part[1])
				c.encryptGeneric(want, want)
				if !bytes.Equal(got, want) || !bytes.Equal(ctr, wantCtr) {
					t.Errorf("counting [%d:%d] wraps wrongly after %d blocks", part[0], part[1], before)
				}
			}
		}
	})
}
