package keystream

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"xcipher/internal/conform"
)

// toy is a stream cipher whose blocks are the first bytes of SHA-512 of key,
// nonce and counter.
type toy struct {
	buf    Buf
	size   int
	seed   [32 + 8]byte
	next   uint64 // counter of the next block
	left   uint64
	blocks int // blocks made in the last call
}

type keySizeError int

func (e keySizeError) Error() string { return fmt.Sprintf("toy: invalid key size %d", int(e)) }

func newToy(size int, key, nonce []byte) (cipher.Stream, error) {
	if len(key) != 32 {
		return nil, keySizeError(len(key))
	}
	if len(nonce) != 8 {
		return nil, errors.New("toy: nonce must have 8 bytes")
	}
	s := &toy{size: size, left: math.MaxUint64}
	copy(s.seed[:], key)
	copy(s.seed[32:], nonce)
	return s, nil
}

// block writes block i of the key stream to dst, whole or in part.
func (s *toy) block(dst []byte, i uint64) {
	in := [48]byte{}
	copy(in[:], s.seed[:])
	binary.LittleEndian.PutUint64(in[40:], i)
	sum := sha512.Sum512(in[:])
	copy(dst, sum[:s.size])
}

// xor is what a cipher does with what Begin returns.
func (s *toy) xor(dst, src []byte, last *[64]byte) {
	if len(dst) != len(src) {
		panic("dst and src have different lengths")
	}
	for s.blocks = 0; len(src) > 0; s.blocks++ {
		var block [64]byte
		s.block(block[:s.size], s.next)
		s.next++
		s.left--
		n := min(s.size, len(src))
		for i := range n {
			dst[i] = src[i] ^ block[i]
		}
		if n < s.size {
			copy(last[:s.size], block[:])
		}
		dst, src = dst[n:], src[n:]
	}
}

func (s *toy) XORKeyStream(dst, src []byte) {
	s.blocks = 0
	if dst, src = s.buf.Begin("toy", s.size, s.left, dst, src); len(src) > 0 {
		s.xor(dst, src, &s.buf.Last)
	}
}

func fresh(t testing.TB, size int) *toy {
	t.Helper()
	s, err := newToy(size, make([]byte, 32), make([]byte, 8))
	if err != nil {
		t.Fatal(err)
	}
	return s.(*toy)
}

// keyStream returns n bytes of key stream.
func keyStream(t testing.TB, size, n int) []byte {
	s := fresh(t, size)
	out := make([]byte, n+size)
	for i := 0; i < n; i += size {
		s.block(out[i:], uint64(i/size))
	}
	return out[:n]
}

func TestConformance(t *testing.T) {
	for _, size := range []int{16, 64} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			conform.TestStream(t, 32, []int{8}, func(key, nonce []byte) (cipher.Stream, error) { return newToy(size, key, nonce) })
		})
	}
}

// TestSplits cuts messages in three at every pair of places.
func TestSplits(t *testing.T) {
	for _, size := range []int{1, 3, 8, 16, 64} {
		limit := 3*size + 1
		if size > 16 {
			limit = 2*size + 1
		}
		want := keyStream(t, size, limit)
		out, zeros := make([]byte, limit), make([]byte, limit)
		for a := 0; a <= limit; a++ {
			for b := a; b <= limit; b++ {
				s := fresh(t, size)
				at, made := 0, 0
				for _, to := range []int{a, b, limit} {
					s.XORKeyStream(out[at:], zeros[at:to])
					at = to
					made += s.blocks
					if need := (at + size - 1) / size; made != need {
						t.Fatalf("blocks of %d, split at %d and %d: %d blocks made for %d bytes, want %d", size, a, b, made, at, need)
					}
				}
				if !bytes.Equal(out, want) {
					t.Fatalf("blocks of %d, split at %d and %d: wrong key stream", size, a, b)
				}
			}
		}
	}
}

// TestBegin checks what Begin returns.
func TestBegin(t *testing.T) {
	var b Buf
	for i := range b.Last {
		b.Last[i] = byte(i)
	}
	dst, src := make([]byte, 100), make([]byte, 50)
	if d, s := b.Begin("toy", 16, 10, dst, nil); d != nil || s != nil {
		t.Errorf("nothing to do, but %d and %d bytes are returned", len(d), len(s))
	}
	d, s := b.Begin("toy", 16, 10, dst, src) // 3 blocks and 2 bytes
	if len(d) != 50 || len(s) != 50 || &d[0] != &dst[0] || &s[0] != &src[0] {
		t.Errorf("first call returns %d and %d bytes, want all 50", len(d), len(s))
	}
	// 14 bytes are unread: 2 to 15 of the last block.
	if d, s := b.Begin("toy", 16, 0, dst, src[:10]); d != nil || s != nil {
		t.Errorf("a call within the unread bytes returns %d and %d bytes", len(d), len(s))
	}
	if want := []byte{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0}; !bytes.Equal(dst[:11], want) {
		t.Errorf("unread key stream is %v, want %v", dst[:11], want)
	}
	d, s = b.Begin("toy", 16, 1, dst, src[:4+16])
	if len(d) != 16 || len(s) != 16 || &d[0] != &dst[4] || &s[0] != &src[4] {
		t.Errorf("a call of 4 unread bytes and a block returns %d and %d bytes", len(d), len(s))
	}
	if want := []byte{12, 13, 14, 15}; !bytes.Equal(dst[:4], want) {
		t.Errorf("unread key stream is %v, want %v", dst[:4], want)
	}
	// The block was whole: nothing is unread.
	if d, _ := b.Begin("toy", 16, 1, dst, src[:1]); len(d) != 1 {
		t.Errorf("after whole blocks, a byte comes from an old block")
	}
}

// TestLeft uses up the last blocks, in all possible pieces.
func TestLeft(t *testing.T) {
	const overflow = "toy: counter overflow"
	for _, size := range []int{1, 8, 16, 64} {
		for _, blocks := range []int{0, 1, 3} {
			total := blocks * size
			want := keyStream(t, size, total)
			for first := 0; first <= total; first++ {
				s := fresh(t, size)
				s.left = uint64(blocks)
				dst, src := make([]byte, total+size+1), make([]byte, total+size+1)
				s.XORKeyStream(dst, src[:first])
				for _, more := range []int{total - first + 1, total - first + 2, total - first + size + 1} {
					s := *s
					out := bytes.Repeat([]byte{42}, len(src)+first)
					conform.MustPanic(t, overflow, func() { s.XORKeyStream(out, src[:more]) })
					if !bytes.Equal(out, bytes.Repeat([]byte{42}, len(out))) {
						t.Fatalf("%d blocks of %d bytes left: something is written before the panic", blocks, size)
					}
					// The last bytes are still there.
					s.XORKeyStream(out, src[:total-first])
					if !bytes.Equal(out[:total-first], want[first:]) {
						t.Fatalf("%d blocks of %d bytes left: a refused call changes the state", blocks, size)
					}
				}
				s.XORKeyStream(dst[first:], src[first:total])
				if !bytes.Equal(dst[:total], want) {
					t.Fatalf("%d blocks of %d bytes left: wrong key stream", blocks, size)
				}
				conform.MustPanic(t, overflow, func() { s.XORKeyStream(dst, src[:1]) })
				s.XORKeyStream(dst, nil) // needs no block
			}
		}
	}
	var b Buf
	src := make([]byte, 1000)
	for _, left := range []uint64{math.MaxUint64, math.MaxUint64 - 1, 1 << 63, 16} {
		b = Buf{}
		if d, _ := b.Begin("toy", 64, left, src, src); len(d) != len(src) {
			t.Errorf("%d blocks left: %d bytes of %d remain to do", left, len(d), len(src))
		}
	}
}

// TestRefusals checks that the slices are looked at before the counter is.
func TestRefusals(t *testing.T) {
	for _, unread := range []int{0, 5} {
		s := fresh(t, 16)
		s.XORKeyStream(make([]byte, 16), make([]byte, 16-unread))
		s.left = 0
		p := bytes.Repeat([]byte{42}, 200)
		conform.MustPanic(t, "toy: output smaller than input", func() { s.XORKeyStream(p[:99], p[100:]) })
		conform.MustPanic(t, "toy: output smaller than input", func() { s.XORKeyStream(p[:99], p[:100]) })
		conform.MustPanic(t, "toy: output smaller than input", func() { s.XORKeyStream(nil, p[:1]) })
		conform.MustPanic(t, "toy: invalid buffer overlap", func() { s.XORKeyStream(p[1:101], p[:100]) })
		conform.MustPanic(t, "toy: invalid buffer overlap", func() { s.XORKeyStream(p, p[1:101]) })
		conform.MustPanic(t, "toy: counter overflow", func() { s.XORKeyStream(p[100:], p[:100]) })
		if !bytes.Equal(p, bytes.Repeat([]byte{42}, 200)) {
			t.Errorf("something is written before a panic")
		}
		s.XORKeyStream(p, p[:unread]) // the rest of dst does not count
	}
	p := make([]byte, 10)
	Check("toy", p, p)
	Check("toy", p, p[:5])
	Check("toy", p[:5], p[5:])
	Check("toy", p, p[5:5])
	Check("toy", nil, nil)
	conform.MustPanic(t, "toy: output smaller than input", func() { Check("toy", p[:4], p[5:]) })
	conform.MustPanic(t, "toy: invalid buffer overlap", func() { Check("toy", p, p[4:9]) })
	Check("toy", p, p[5:]) // the first five bytes of dst
}

func TestAllocs(t *testing.T) {
	var b Buf
	if n := unsafe.Sizeof(b); n > 72 {
		t.Errorf("a Buf has %d bytes: streams should stay small", n)
	}
	dst, src := make([]byte, 100), make([]byte, 100)
	conform.Allocs(t, "a new Buf and Begin", 0, func() {
		var b Buf
		b.Begin("toy", 16, 100, dst, src[:33])
		b.Begin("toy", 16, 100, dst, src)
	})
}
