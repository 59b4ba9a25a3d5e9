package kuznyechik

import (
	"bytes"
	"crypto/subtle"
	"math/rand/v2"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
)

// crypted is a text and what the generic code makes of it.
type crypted struct {
	k                             *roundKeys
	text, encrypted, decrypted    []byte
	ctr, stream, counted, chained []byte
}

// newCrypted makes texts of n blocks, and counters [from:to] that are about to carry.
func newCrypted(rng *rand.Rand, n, from, to int) (c crypted) {
	c.k = newRoundKeys(random(rng, KeySize))
	c.text = random(rng, n*BlockSize)
	c.encrypted, c.decrypted = make([]byte, n*BlockSize), make([]byte, n*BlockSize)
	encryptGeneric(&c.k.encrypt, c.encrypted, c.text)
	decryptGeneric(&c.k.decrypt, c.decrypted, c.text)
	c.ctr = random(rng, BlockSize)
	for i := from + rng.IntN(to-from); i < to-1; i++ {
		c.ctr[i] = 0xff
	}
	c.stream, c.counted = make([]byte, n*BlockSize), bytes.Clone(c.ctr)
	counterGeneric(&c.k.encrypt, c.stream, nil, c.counted, from, to)
	c.chained = make([]byte, n*BlockSize)
	chainGeneric(&c.k.encrypt, c.chained, c.text, bytes.Clone(c.ctr))
	return c
}

// fields are the parts of a counter block that CTR, MGM and GCM count.
var fields = [][2]int{{0, 16}, {8, 16}, {0, 8}, {12, 16}}

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
			t.Errorf("%s of %v bytes differs from the generic code", what, pieces)
		}
	}
	run("EncryptBlocks", c.encrypted, c.k.EncryptBlocks)
	run("DecryptBlocks", c.decrypted, c.k.DecryptBlocks)
	ctr := bytes.Clone(c.ctr)
	want := make([]byte, len(c.text))
	subtle.XORBytes(want, c.stream, c.text)
	run("XORCounter", want, func(dst, src []byte) { c.k.XORCounter(dst, src, ctr, from, to) })
	if !bytes.Equal(ctr, c.counted) {
		t.Errorf("XORCounter of %v bytes from %x, counting [%d:%d], leaves %x, want %x", pieces, c.ctr, from, to, ctr, c.counted)
	}
	copy(ctr, c.ctr)
	run("key stream", c.stream, func(dst, _ []byte) { c.k.XORCounter(dst, nil, ctr, from, to) })
	copy(ctr, c.ctr)
	run("Chain", c.chained, func(dst, src []byte) { c.k.Chain(dst, src, ctr) })
	copy(src, c.text)
	copy(ctr, c.ctr)
	c.k.Chain(nil, src, ctr)
	if n := len(c.chained); n > 0 && !bytes.Equal(ctr, c.chained[n-BlockSize:]) {
		t.Errorf("Chain without dst of %d bytes differs from the generic code", len(src))
	}
}

// TestKernels compares with the generic code for every number of blocks up to two
// of the widest batches and one, at page edges and in place, in one piece and in many.
func TestKernels(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for n := range 2*many + 2 {
			if testing.Short() && n%4 != 1 {
				continue
			}
			for _, field := range fields {
				c := newCrypted(rng, n, field[0], field[1])
				size := n * BlockSize
				from, to := conform.Edges(t, size), conform.Edges(t, size)
				for i := range 2 {
					c.check(t, to[i], from[1-i], []int{size}, field[0], field[1])
					c.check(t, to[i], to[i], []int{size}, field[0], field[1])
				}
				var pieces []int
				for left := n; left > 0; {
					m := 1 + rng.IntN(left)
					pieces = append(pieces, m*BlockSize)
					left -= m
				}
				c.check(t, to[0], to[0], pieces, field[0], field[1])
			}
		}
	})
}

// TestLong goes beyond what a kernel takes in one call.
func TestLong(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		size := 64<<10 + 3*BlockSize
		c := newCrypted(conform.Rand(t), size/BlockSize, 0, BlockSize)
		c.check(t, make([]byte, size), make([]byte, size), []int{size}, 0, BlockSize)
	})
}

func TestUnaligned(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for _, n := range []int{1, 3, 7, 15, 31, 64, 65} {
			c := newCrypted(rng, n, 0, BlockSize)
			size := n * BlockSize
			a, b := make([]byte, size+64), make([]byte, size+64)
			for i := range 64 {
				c.check(t, a[i:][:size], b[(7*i+3)%64:][:size], []int{size}, 0, BlockSize)
			}
		}
	})
}

// TestWraps has counters wrap at each block of a batch, with all bytes above ff.
func TestWraps(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		k := newRoundKeys(random(rng, KeySize))
		got, want := make([]byte, 2*many*BlockSize), make([]byte, 2*many*BlockSize)
		for _, field := range fields {
			for low := range 256 {
				ctr := bytes.Repeat([]byte{0xff}, BlockSize)
				ctr[field[1]-1] = byte(low)
				if low%2 == 1 { // the carry ends somewhere
					ctr[field[0]+rng.IntN(field[1]-1-field[0])]--
				}
				for _, n := range []int{16 * BlockSize, 32 * BlockSize, 2 * many * BlockSize} {
					got, want := got[:n], want[:n]
					gotCtr, wantCtr := bytes.Clone(ctr), bytes.Clone(ctr)
					k.XORCounter(got, nil, gotCtr, field[0], field[1])
					batch.Fill(want, wantCtr, field[0], field[1])
					k.EncryptBlocks(want, want)
					if !bytes.Equal(got, want) || !bytes.Equal(gotCtr, wantCtr) {
						t.Errorf("%d bytes, counting [%d:%d] from %d, are wrong", n, field[0], field[1], low)
					}
				}
			}
		}
	})
}

// TestSchedules compares the forms of the round keys that each tier makes with those
// of the reference and of the generic code.
func TestSchedules(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for range 100 {
			key := random(rng, KeySize)
			k := newRoundKeys(key)
			var encrypt, decrypt schedule
			expand(&encrypt, &decrypt, key)
			if k.encrypt != encrypt || k.decrypt != decrypt {
				t.Fatal("the schedules of the generic code differ")
			}
			k.checkKernelKeys(t, newReference(key))
		}
	})
}
