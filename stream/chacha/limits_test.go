package chacha

import (
	"bytes"
	"math"
	"testing"

	"xcipher/internal/conform"
)

// TestLimits goes to the last block of each counter, cut at every place, and asks
// for more.
func TestLimits(t *testing.T) {
	eachForm(t, func(t *testing.T, v variant, nonceSize int) {
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		const n = 3 * BlockSize
		start := uint64(math.MaxUint64 - 2)
		if nonceSize == NonceSize {
			start = math.MaxUint32 - 2
		}
		want := next(at(t, v.rounds, key, nonce, start), n)
		for i := range uint64(3) { // each block, reached by its number
			if got := next(at(t, v.rounds, key, nonce, start+i), BlockSize); !bytes.Equal(got, want[BlockSize*i:][:BlockSize]) {
				t.Errorf("block %d differs from that in one call", start+i)
			}
		}
		for cut := 0; cut <= n; cut++ {
			s := at(t, v.rounds, key, nonce, start)
			if got := next(s, cut); !bytes.Equal(got, want[:cut]) {
				t.Fatalf("first %d bytes differ from those in one call", cut)
			}
			for _, more := range []int{n - cut + 1, n - cut + BlockSize, n - cut + 40*BlockSize} {
				dst, src := bytes.Repeat([]byte{0xa5}, more), random(r, more)
				conform.MustPanic(t, "chacha: counter overflow", func() { s.XORKeyStream(dst, src) })
				if !bytes.Equal(dst, bytes.Repeat([]byte{0xa5}, more)) {
					t.Fatalf("%d bytes at %d of %d: written before the panic", more, cut, n)
				}
			}
			if got := next(s, n-cut); !bytes.Equal(got, want[cut:]) {
				t.Fatalf("bytes %d to %d differ from those in one call", cut, n)
			}
			s.XORKeyStream(nil, nil)
			s.XORKeyStream(make([]byte, 1), []byte{})
			for _, more := range []int{1, BlockSize, n} {
				conform.MustPanic(t, "chacha: counter overflow", func() { next(s, more) })
			}
			s.XORKeyStream(nil, nil)
		}
	})
}

// TestCounterCarry passes block 2^32 with the counters of 64 bits, with the carry
// behind each of the first 41 blocks.
func TestCounterCarry(t *testing.T) {
	eachForm(t, func(t *testing.T, v variant, nonceSize int) {
		if nonceSize == NonceSize {
			return // its counter ends there
		}
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		s := at(t, v.rounds, key, nonce, math.MaxUint32)
		if got, want := append(next(s, 64), next(s, 11)...), next(at(t, v.rounds, key, nonce, math.MaxUint32), 75); !bytes.Equal(got, want) {
			t.Errorf("75 bytes from block 2^32-1: %x in two calls, %x in one", got, want)
		}
		const blocks = 43
		for before := range uint64(41) {
			start := 1<<32 - before
			var want []byte
			for i := range uint64(blocks) {
				want = append(want, next(at(t, v.rounds, key, nonce, start+i), BlockSize)...)
			}
			if got := next(at(t, v.rounds, key, nonce, start), len(want)); !bytes.Equal(got, want) {
				t.Errorf("carry behind %d blocks: one call differs from single blocks", before)
			}
		}
	})
}

// TestContinuation makes a call of every length, and sees the next one go on.
func TestContinuation(t *testing.T) {
	eachForm(t, func(t *testing.T, v variant, nonceSize int) {
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		const longest, more = 1100, 200
		step := 1
		if testing.Short() {
			step = 17
		}
		for n := 1; n <= longest; n += step {
			a, err := v.new(key, nonce)
			if err != nil {
				t.Fatal(err)
			}
			b := at(t, v.rounds, key, nonce, 0)
			if got, want := append(next(a, n), next(a, more)...), next(b, n+more); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes and %d more differ from one call", n, more)
			}
		}
	})
}

// TestChunks makes many short calls in a row.
func TestChunks(t *testing.T) {
	key := unhex("e10201b2ee7fbbbc1bed123eb54143980df7939465dcb978ea3a90ad03dac182")
	nonce := unhex("99ddf4866387f3f7a9794536")
	want := unhex("e7790915b2dd3e0999bd6a0c752fc051417055399bca3811e32fe289a24dda342afab8cd02810d88060cebb726b297f31b586128f8aaa8cfb5dcdf8b5f6cc9e3")
	conform.Each(t, func(t *testing.T) {
		s := at(t, 20, key, nonce, 0)
		var got []byte
		for len(got) < 2048 {
			for _, n := range []int{4, 16, 4, 4, 4, 4, 16, 4, 4, 4, 4, 16} {
				got = append(got, next(s, n)...)
			}
		}
		if !bytes.Equal(got[:64], want) {
			t.Errorf("key stream %x, want %x", got[:64], want)
		}
		if whole := next(at(t, 20, key, nonce, 0), len(got)); !bytes.Equal(got, whole) {
			t.Errorf("chunks differ from one call")
		}
	})
}
