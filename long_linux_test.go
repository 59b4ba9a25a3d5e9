//go:build amd64 || arm64

package xcipher_test

import (
	"bytes"
	"crypto/cipher"
	"hash"
	"io"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"xcipher/aead/incremental"
	"xcipher/internal/authenc"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// gigabytes is the length of messages that need more than 32 bits for it, and for
// the number of their quarters. It is odd.
const gigabytes = 5<<30 + 12345

// window is how much memory there is behind the addresses of an output, again and
// again: what is in it in the end is the end of the output.
const window = 16 << 20

// zeros returns so many bytes, with memory only where they are written to.
func zeros(t *testing.T, n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(b) })
	return b
}

// windows returns so many bytes at consecutive addresses, of which those that are
// window apart are the same memory.
func windows(t *testing.T, n int) []byte {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(window); err != nil {
		t.Fatal(err)
	}
	size := (n/window + 1) * window
	base, err := unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.MunmapPtr(base, uintptr(size)) })
	for at := 0; at < size; at += window {
		if _, err := unix.MmapPtr(int(f.Fd()), 0, unsafe.Add(base, at), window, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED); err != nil {
			t.Fatal(err)
		}
	}
	return unsafe.Slice((*byte)(base), size)[:n]
}

// long is something done with gigabytes of zeros, in one call and in pieces. Both
// return the end of the output; one gets that of inPieces.
type long struct {
	name     string
	one      func(dst, src, want []byte) []byte
	inPieces func(src []byte) []byte
}

// pieces are of an odd length.
func pieces(src []byte, unit int, f func(piece []byte)) {
	for piece := range slices.Chunk(src, (1<<20/unit+3)*unit) {
		f(piece)
	}
}

// tail keeps the end of what is written to it.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if n := len(t.b) - 4<<20; n > 4<<20 {
		t.b = append(t.b[:0], t.b[n:]...)
	}
	return len(p), nil
}

// end is what of b is compared.
func end(b []byte) []byte { return b[len(b)-min(len(b), 1<<20):] }

func longs(t *testing.T) (all []long) {
	rng := conform.Rand(t)
	stream := func(name string, start func() cipher.Stream) {
		all = append(all, long{name,
			func(dst, src, _ []byte) []byte {
				start().XORKeyStream(dst, src)
				return end(dst[:len(src)])
			},
			func(src []byte) []byte {
				var out tail
				s, buf := start(), make([]byte, 2<<20)
				pieces(src, 1, func(piece []byte) {
					s.XORKeyStream(buf, piece)
					out.Write(buf[:len(piece)])
				})
				return end(out.b)
			}})
	}
	sum := func(name string, h hash.Hash) {
		all = append(all, long{name,
			func(_, src, _ []byte) []byte { h.Reset(); h.Write(src); return h.Sum(nil) },
			func(src []byte) []byte {
				h.Reset()
				pieces(src, 1, func(piece []byte) { h.Write(piece) })
				return h.Sum(nil)
			}})
	}
	for _, name := range []string{"streebog512", "saturnin-hash"} {
		sum(name, must(catalog.NewHash(name))(t))
	}
	for _, name := range []string{"kuznyechik-cmac", "chaskey8-mac"} {
		a, _ := catalog.Lookup(name)
		sum(name, must(catalog.NewMAC(name, random(rng, a.KeySize)))(t))
	}
	for _, name := range []string{"chacha20", "chacha8"} {
		key, nonce := random(rng, 32), random(rng, 12)
		stream(name, func() cipher.Stream { return must(catalog.NewStream(name, key, nonce))(t) })
	}
	for _, name := range []string{"kuznyechik", "magma", "saturnin", "chaskey8"} {
		a, _ := catalog.Lookup(name)
		b, iv := must(catalog.NewBlock(name, random(rng, a.KeySize)))(t), random(rng, a.BlockSize)
		stream(name+" CTR", func() cipher.Stream { return cipher.NewCTR(b, iv) })
		all = append(all, long{name + " CBC decryption",
			func(dst, src, _ []byte) []byte {
				src = src[:len(src)/a.BlockSize*a.BlockSize]
				cipher.NewCBCDecrypter(b, iv).CryptBlocks(dst, src)
				return end(dst[:len(src)])
			},
			func(src []byte) []byte {
				src = src[:len(src)/a.BlockSize*a.BlockSize]
				var out tail
				m, buf := cipher.NewCBCDecrypter(b, iv), make([]byte, 2<<20)
				pieces(src, a.BlockSize, func(piece []byte) {
					m.CryptBlocks(buf, piece)
					out.Write(buf[:len(piece)])
				})
				return end(out.b)
			}})
	}
	for _, name := range []string{"chacha20-poly1305", "kuznyechik-mgm", "saturnin-ctr-cascade", "aes128-cloc"} {
		a, _ := catalog.Lookup(name)
		c := must(catalog.NewAEAD(name, random(rng, a.KeySize)))(t)
		all = append(all, opening(t, name, c, random(rng, c.NonceSize()), random(rng, 100)))
	}
	return all
}

// opening takes the zeros for a ciphertext. Its plaintext, sealed in pieces, must
// come out as zeros and a tag; with that tag the zeros open in one call.
func opening(t *testing.T, name string, c cipher.AEAD, nonce, aad []byte) long {
	return long{name,
		func(dst, src, want []byte) []byte {
			sealed := src[:len(src)+c.Overhead()]
			copy(sealed[len(src):], want[len(want)-c.Overhead():])
			defer clear(sealed[len(src):])
			plain, err := c.Open(dst[:0], nonce, sealed, aad)
			if err != nil {
				t.Fatal(err)
			}
			return append(bytes.Clone(end(plain)), sealed[len(src):]...)
		},
		func(src []byte) []byte {
			scheme, _, _ := authenc.Of(c)
			decrypter := scheme.(authenc.Beginner).Begin(nonce, aad)
			var sealed bytes.Buffer
			s := must(incremental.NewSealer(c, &sealed, nonce, aad))(t)
			var out tail
			buf := make([]byte, 2<<20)
			pieces(src, 1, func(piece []byte) {
				plain := buf[:len(piece)]
				decrypter.Decrypt(plain, piece)
				out.Write(plain)
				if n, err := s.Write(plain); n != len(plain) || err != nil {
					t.Error(n, err)
				}
				if !bytes.Equal(sealed.Bytes(), piece) {
					t.Fatal("the plaintext is sealed to something else")
				}
				sealed.Reset()
			})
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			return append(bytes.Clone(end(out.b)), sealed.Bytes()...)
		}}
}

// TestGigabytes hashes, authenticates, encrypts, decrypts and seals 5 GiB in pieces,
// and does the same in one call. Without -full there are only some MiB.
func TestGigabytes(t *testing.T) {
	n := 8<<20 + 12345
	switch {
	case *fullTests:
		n = gigabytes
	case testing.Short():
		n = 1<<20 + 12345
	}
	src, dst := zeros(t, n+64)[:n], windows(t, n+64)
	for _, l := range longs(t) {
		t.Run(l.name, func(t *testing.T) {
			begin := time.Now()
			want := bytes.Clone(l.inPieces(src))
			middle := time.Now()
			if got := l.one(dst, src, want); !bytes.Equal(got, want) {
				t.Errorf("%d bytes differ in pieces", n)
			}
			t.Logf("%d bytes: %.1f s in pieces, %.1f s in one call", n, middle.Sub(begin).Seconds(), time.Since(middle).Seconds())
		})
	}
}

// TestLimitOfMagma seals no message that is longer than Magma-MGM takes, with -full
// also the longest one, at once and in pieces. Additional data counts.
func TestLimitOfMagma(t *testing.T) {
	const most = 1<<29 - 1
	a := must(catalog.NewAEAD("magma-mgm", make([]byte, 32)))(t)
	nonce, src, dst := make([]byte, a.NonceSize()), zeros(t, most+1+a.Overhead()), windows(t, most+64)
	conform.MustPanic(t, "mgm: message too large", func() { a.Seal(dst[:0], nonce, src[:most+1], nil) })
	conform.MustPanic(t, "mgm: message too large", func() { a.Seal(dst[:0], nonce, src[:most-9], src[:10]) })
	if out, err := a.Open(dst[:0], nonce, src, nil); out != nil || err == nil {
		t.Errorf("Open of too much: %d bytes, %v", len(out), err)
	}
	if !*fullTests {
		return
	}
	sealed := end(a.Seal(dst[:0], nonce, src[:most-9], src[:9]))
	var out tail
	s := must(incremental.NewSealer(a, &out, nonce, src[:9]))(t)
	if n, err := io.Copy(s, bytes.NewReader(src[:most-9])); n != most-9 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if n, err := s.Write(src[:1]); n != 0 || err == nil {
		t.Errorf("one byte too much: %d, %v", n, err)
	}
	if err := s.Close(); err == nil {
		t.Error("Close after that succeeds")
	}
	s = must(incremental.NewSealer(a, &out, nonce, src[:9]))(t)
	s.Write(src[:most-9])
	if err := s.Close(); err != nil || !bytes.Equal(end(out.b), sealed) {
		t.Errorf("the longest message: %v, or it differs in pieces", err)
	}
}
