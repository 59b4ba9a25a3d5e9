package batch

import (
	"bytes"
	"crypto/cipher"
	"runtime"
	"testing"
	"unsafe"

	"xcipher/internal/conform"
)

// TestAgree compares the modes of the kinds of toy and of crypto/cipher over
// a block without hooks, for many lengths, in one call, in two at every place,
// and in place.
func TestAgree(t *testing.T) {
	rng := conform.Rand(t)
	for _, size := range sizes {
		kinds := kernels(size)
		std := hidden{New("toy", kinds["plain"])}
		iv := bytes.Repeat([]byte{0xff}, size)
		iv[size-1] = byte(rng.Uint32())
		x := make([]byte, 2*BufSize+2*size+1)
		for i := range x {
			x[i] = byte(rng.Uint32())
		}
		stream := make([]byte, len(x))
		cipher.NewCTR(std, iv).XORKeyStream(stream, x)
		whole := len(x) / size * size
		enc, dec := make([]byte, whole), make([]byte, whole)
		cipher.NewCBCEncrypter(std, iv).CryptBlocks(enc, x[:whole])
		cipher.NewCBCDecrypter(std, iv).CryptBlocks(dec, x[:whole])
		for name, k := range kinds {
			b := New("toy", k)
			y := make([]byte, len(x))
			for _, n := range []int{3*size + 1, BufSize + size + 3, len(x)} {
				for at := 0; at <= n; at += 1 + n/(4*size) {
					s := b.NewCTR(iv)
					s.XORKeyStream(y, x[:at])
					s.XORKeyStream(y[at:n], x[at:n])
					if !bytes.Equal(y[:n], stream[:n]) {
						t.Fatalf("%s, blocks of %d: CTR of %d bytes, then %d: differs from crypto/cipher", name, size, at, n-at)
					}
				}
			}
			for at := 0; at <= whole; at += size {
				for direction, want := range map[bool][]byte{true: enc, false: dec} {
					m := b.NewCBCDecrypter(iv)
					if direction {
						m = b.NewCBCEncrypter(iv)
					}
					copy(y, x)
					m.CryptBlocks(y[:at], y[:at])
					m.CryptBlocks(y[at:whole], x[at:whole])
					if !bytes.Equal(y[:whole], want) {
						t.Fatalf("%s, blocks of %d: CBC (encryption %v) of %d bytes, then %d: differs from crypto/cipher", name, size, direction, at, whole-at)
					}
				}
			}
		}
	}
}

// TestOddSizes uses block sizes that do not divide the work space.
func TestOddSizes(t *testing.T) {
	for _, size := range []int{1, 3, 12, 20, 24} {
		b := New("toy", newToy(size, []byte("0123456789abcdef")))
		iv := bytes.Repeat([]byte{0xff}, size)
		x := make([]byte, 3*BufSize+1)
		for i := range x {
			x[i] = byte(i * i)
		}
		want := make([]byte, len(x))
		for s, at := cipher.NewCTR(hidden{b}, iv), 0; at < len(x); at += 100 {
			s.XORKeyStream(want[at:min(len(x), at+100)], x[at:min(len(x), at+100)])
		}
		for n := BufSize - size; n < BufSize+size; n++ {
			y := make([]byte, len(x))
			s := b.NewCTR(iv)
			for at := 0; at < len(x); at += n {
				end := min(len(x), at+n)
				s.XORKeyStream(y[at:end], x[at:end])
			}
			if !bytes.Equal(y, want) {
				t.Errorf("blocks of %d: CTR in steps of %d differs from crypto/cipher", size, n)
			}
		}
		for _, n := range []int{0, size, len(x) / size * size} {
			y := make([]byte, n)
			cipher.NewCBCEncrypter(hidden{b}, iv).CryptBlocks(want, x[:n])
			if b.NewCBCEncrypter(iv).CryptBlocks(y, x[:n]); !bytes.Equal(y, want[:n]) {
				t.Errorf("blocks of %d: CBC of %d bytes differs from crypto/cipher", size, n)
			}
			cipher.NewCBCDecrypter(hidden{b}, iv).CryptBlocks(want, x[:n])
			if b.NewCBCDecrypter(iv).CryptBlocks(y, x[:n]); !bytes.Equal(y, want[:n]) {
				t.Errorf("blocks of %d: CBC decryption of %d bytes differs from crypto/cipher", size, n)
			}
		}
	}
}

// TestLookAhead counts what the kernel has to do.
func TestLookAhead(t *testing.T) {
	for _, size := range sizes {
		ahead := int64(BufSize / size)
		p := make([]byte, 4*BufSize)
		for _, c := range []struct {
			name   string
			pieces []int
			calls  int64 // of the kernel
			blocks int64
		}{
			{"nothing", []int{0, 0, 0}, 0, 0},
			{"one block", []int{size}, 1, 1},
			{"a short message", []int{5 * size}, 1, 5},
			{"a part of a block", []int{size - 1}, 1, 1},
			{"a part of a block, in bytes", []int{1, 1, 1, 1}, 1, 1},
			{"blocks and a part", []int{5*size + 1}, 2, 6},
			{"a batch", []int{BufSize}, 1, ahead},
			{"two batches and a part", []int{2*BufSize + 1}, 3, 2*ahead + 1},
			{"batches only", []int{BufSize, BufSize, BufSize}, 3, 3 * ahead},
			{"two short calls", []int{size, size}, 2, 1 + ahead},
			{"many short calls", []int{size, size, size, size, 1, 2 * size}, 2, 1 + ahead},
			{"a batch between short calls", []int{size, size, BufSize - size, BufSize, size}, 4, 1 + 3*ahead},
		} {
			k := newToy(size, []byte("0123456789abcdef"))
			s := New("toy", k).NewCTR(make([]byte, size))
			for _, n := range c.pieces {
				s.XORKeyStream(p[:n], p[:n])
			}
			if calls, blocks := k.calls.Load(), k.done.Load(); calls != c.calls || blocks != c.blocks {
				t.Errorf("blocks of %d, %s: %d calls of the kernel with %d blocks, want %d with %d", size, c.name, calls, blocks, c.calls, c.blocks)
			}
		}
	}
}

// TestStreamSize checks that a CTR stream, made per message, is a small object, and
// that a message in one call needs no other.
func TestStreamSize(t *testing.T) {
	if n := unsafe.Sizeof(ctr{}); n > 128 {
		t.Errorf("a CTR stream has %d bytes, want at most 128", n)
	}
	b := New("toy", newToy(16, []byte("0123456789abcdef")))
	iv, p := make([]byte, 16), make([]byte, 5000)
	for _, n := range []int{16, 20, 100, 1024, 5000} {
		conform.Allocs(t, "CTR of one message", 1, func() { b.NewCTR(iv).XORKeyStream(p[:n], p[:n]) })
	}
	conform.Allocs(t, "CTR in short calls", 2, func() {
		s := b.NewCTR(iv)
		for range 200 {
			s.XORKeyStream(p[:20], p[:20])
		}
	})
	conform.Allocs(t, "CBC of one message", 1, func() { b.NewCBCDecrypter(iv).CryptBlocks(p[:160], p[:160]) })
	runtime.KeepAlive(p)
}

// TestRefused checks that refused calls reach no kernel.
func TestRefused(t *testing.T) {
	for _, size := range sizes {
		k := newToy(size, []byte("0123456789abcdef"))
		b := New("toy", k)
		iv, p := make([]byte, size), make([]byte, 10*size)
		s, e, d := b.NewCTR(iv), b.NewCBCEncrypter(iv), b.NewCBCDecrypter(iv)
		conform.MustPanic(t, "toy: output smaller than input", func() { s.XORKeyStream(p[:size], p[:size+1]) })
		conform.MustPanic(t, "toy: invalid buffer overlap", func() { s.XORKeyStream(p[1:], p[:size]) })
		for _, m := range []cipher.BlockMode{e, d} {
			conform.MustPanic(t, "toy: input not full blocks", func() { m.CryptBlocks(p, p[:size+1]) })
			conform.MustPanic(t, "toy: output smaller than input", func() { m.CryptBlocks(p[:size], p[:2*size]) })
			conform.MustPanic(t, "toy: invalid buffer overlap", func() { m.CryptBlocks(p[1:], p[:size]) })
		}
		if n := k.calls.Load(); n != 0 {
			t.Errorf("refused calls reach the kernel %d times", n)
		}
		if !bytes.Equal(p, make([]byte, len(p))) {
			t.Errorf("refused calls write something")
		}
	}
}
