package saturnin

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"testing"

	block "xcipher/block/saturnin"
	"xcipher/internal/authenc"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

// withSizes returns a constructor with other sizes, in bytes.
func withSizes(nonceSize, tagSize int) func(key []byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) { return NewCTRCascadeWithSizes(key, nonceSize, tagSize) }
}

func TestConform(t *testing.T) {
	keySizes := []int{KeySize}
	for name, a := range map[string]conform.AEAD{
		"CTRCascade":       {KeySizes: keySizes, New: NewCTRCascade},
		"CTRCascade,1,16":  {KeySizes: keySizes, New: withSizes(1, 16)},
		"CTRCascade,20,31": {KeySizes: keySizes, New: withSizes(20, 31)},
		"Short":            {KeySizes: keySizes, New: NewShort, MaxMessage: MaxShortMessage, NoAAD: true, NoSeparateTag: true},
	} {
		t.Run(name, func(t *testing.T) {
			conform.Each(t, func(t *testing.T) { conform.TestAEAD(t, a) })
		})
	}
}

func load(t *testing.T, name string) *vectors.File {
	f, err := vectors.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCTRCascadeVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunAEAD(t, load(t, "saturnin_ctr_cascade"), func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
			switch {
			case g.IVSize == 128 && g.TagSize == 256:
				return NewCTRCascade
			case g.TagSize < 128:
				return nil
			}
			return withSizes(g.IVSize/8, g.TagSize/8)
		})
		// Refused are the empty nonces, skipped the tags of 8 bytes.
		if res != (vectors.Result{Run: 149, Refused: 2, Skipped: 5}) {
			t.Errorf("ran %+v", res)
		}
	})
}

// TestCTRCascadeRefused runs the vectors with sizes that the constructors refuse
// over the scheme, which knows no limits.
func TestCTRCascadeRefused(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		ran := 0
		res := vectors.RunAEAD(t, load(t, "saturnin_ctr_cascade"), func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
			if g.IVSize > 0 && g.TagSize >= 128 {
				return nil
			}
			ran += len(g.Tests)
			p := params
			p.NonceSize, p.Overhead = g.IVSize/8, g.TagSize/8
			return func(key []byte) (cipher.AEAD, error) { return authenc.New(&p, newCascade(key)), nil }
		})
		if ran != 7 || res != (vectors.Result{Run: 7, Skipped: 147}) {
			t.Errorf("ran %+v", res)
		}
	})
}

func TestShortVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunAEAD(t, load(t, "saturnin_short"), func(*vectors.Group) func(key []byte) (cipher.AEAD, error) {
			return NewShort
		})
		if res != (vectors.Result{Run: 329}) {
			t.Errorf("ran %+v", res)
		}
	})
}

func TestSizes(t *testing.T) {
	key := make([]byte, KeySize)
	for nonceSize := -1; nonceSize <= 40; nonceSize++ {
		for tagSize := -1; tagSize <= 40; tagSize++ {
			a, err := NewCTRCascadeWithSizes(key, nonceSize, tagSize)
			good := nonceSize >= 1 && nonceSize <= 20 && tagSize >= 16 && tagSize <= 32
			if (err == nil) != good || (a != nil) != good {
				t.Fatalf("nonces of %d bytes and tags of %d: %v, %v", nonceSize, tagSize, a, err)
			}
			if good && (a.NonceSize() != nonceSize || a.Overhead() != tagSize) {
				t.Fatalf("nonces of %d bytes and tags of %d became %d and %d", nonceSize, tagSize, a.NonceSize(), a.Overhead())
			}
		}
	}
	for _, newAEAD := range []func(key []byte) (cipher.AEAD, error){NewCTRCascade, NewShort, withSizes(16, 32)} {
		if a, err := newAEAD(key[:31]); a != nil || err != KeySizeError(31) || err.Error() != "saturnin: invalid key size 31" {
			t.Errorf("key of 31 bytes: %v, %v", a, err)
		}
		a, err := newAEAD(key)
		if err != nil || a.NonceSize() != NonceSize || a.Overhead() != Overhead {
			t.Errorf("a key of zeros: %v, %v", a, err)
		}
	}
}

// TestPieces compares messages in pieces with whole ones.
func TestPieces(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		random := func(n int) []byte {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			return b
		}
		for range 100 {
			key, nonce := random(KeySize), random(1+rng.IntN(maxNonceSize))
			aad, text := random(rng.IntN(100)), random(rng.IntN(600))
			a, err := NewCTRCascadeWithSizes(key, len(nonce), Overhead)
			if err != nil {
				t.Fatal(err)
			}
			want := a.Seal(nil, nonce, text, aad)
			s, _, _ := authenc.Of(a)
			begin := func() authenc.Incremental {
				lentNonce, lentAAD := bytes.Clone(nonce), bytes.Clone(aad)
				m := s.(authenc.Beginner).Begin(lentNonce, lentAAD)
				clear(lentNonce)
				clear(lentAAD)
				return m
			}
			each := func(f func(from, to int)) {
				for from, to := 0, 0; from < len(text); from = to {
					to = min(len(text), from+rng.IntN(150))
					f(from, to)
				}
			}
			sealed := make([]byte, len(text))
			m := begin()
			each(func(from, to int) { m.Encrypt(sealed[from:to], text[from:to]) })
			tag := m.Tag()
			if sealed = append(sealed, tag[:]...); !bytes.Equal(sealed, want) {
				t.Fatalf("%d bytes sealed in pieces: %x, want %x", len(text), sealed, want)
			}
			m = begin()
			each(func(from, to int) { m.Absorb(want[from:to]) })
			if tag = m.Tag(); !bytes.Equal(tag[:], want[len(text):]) {
				t.Fatalf("%d bytes absorbed in pieces: %x, want %x", len(text), tag, want[len(text):])
			}
			m = begin()
			each(func(from, to int) { m.Decrypt(sealed[from:to], sealed[from:to]) })
			if !bytes.Equal(sealed[:len(text)], text) {
				t.Fatalf("%d bytes are decrypted wrongly in pieces", len(text))
			}
		}
	})
}

// TestChunks compares long messages, which are sealed in chunks, with messages in pieces.
func TestChunks(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key, nonce := make([]byte, KeySize), make([]byte, NonceSize)
		text := make([]byte, 2*chunk+40)
		rng := conform.Rand(t)
		for i := range text {
			text[i] = byte(rng.Uint32())
		}
		c := newCascade(key)
		for _, n := range []int{chunk - 1, chunk, chunk + 1, 2 * chunk, 2*chunk + 1, 2*chunk + 40} {
			want, got := make([]byte, n), make([]byte, n)
			m := c.Begin(nonce, nil)
			m.Encrypt(want, text[:n])
			if tag := c.Seal(got, text[:n], nonce, nil); !bytes.Equal(got, want) || tag != m.Tag() {
				t.Errorf("%d bytes are sealed wrongly", n)
			}
		}
	})
}

// TestCounter compares with cipher.NewCTR where the counter has three bytes.
func TestCounter(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key, text := make([]byte, KeySize), make([]byte, 65600*blockSize+7)
		b, err := block.NewCipherWithDomain(key, 10, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, nonceSize := range []int{1, 16, 20} {
			if testing.Short() {
				text = text[:300*blockSize+7]
			}
			nonce, first := bytes.Repeat([]byte{0xff}, nonceSize), make([]byte, blockSize)
			first[copy(first, nonce)] = 0x80
			first[blockSize-1] = 1
			want := make([]byte, len(text))
			cipher.NewCTR(b, first).XORKeyStream(want, text)
			a, err := NewCTRCascadeWithSizes(key, nonceSize, Overhead)
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Seal(nil, nonce, text, nil); !bytes.Equal(got[:len(text)], want) {
				t.Errorf("nonces of %d bytes: another key stream than that of CTR", nonceSize)
			}
		}
	})
}

func TestShortRefusals(t *testing.T) {
	a, err := NewShort(make([]byte, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, NonceSize)
	conform.MustPanic(t, "saturnin: message too large", func() { a.Seal(nil, nonce, make([]byte, 16), nil) })
	conform.MustPanic(t, "saturnin: additional data not supported", func() { a.Seal(nil, nonce, nil, make([]byte, 1)) })
	conform.MustPanic(t, "saturnin: incorrect nonce length", func() { a.Seal(nil, nonce[1:], nil, nil) })
	conform.MustPanic(t, "saturnin: incorrect nonce length", func() { a.Open(nil, nonce[1:], nil, nil) })
	sealed := a.Seal(nil, nonce, []byte("message"), nil)
	if _, err := a.Open(nil, nonce, sealed, make([]byte, 1)); err != errOpen {
		t.Errorf("Open with additional data: %v", err)
	}
	if text, err := a.Open(nil, nonce, sealed, []byte{}); err != nil || string(text) != "message" {
		t.Errorf("Open: %q, %v", text, err)
	}
}

// TestUnpad tries every length and, in front and behind, bytes that look like the
// padding or differ from it in one bit.
func TestUnpad(t *testing.T) {
	rng := conform.Rand(t)
	values := []byte{0, 0x80, 0x81, 0x40, 0xc0, 1, 0xff}
	for range 20000 {
		var p [16]byte
		for i := range rng.IntN(17) {
			p[i] = values[rng.IntN(len(values))]
		}
		text := bytes.TrimRight(p[:], "\x00")
		want, good := max(0, len(text)-1), 0
		if len(text) > 0 && text[want] == 0x80 {
			good = 1
		}
		if n, ok := unpad(&p); ok != good || good == 1 && n != want {
			t.Fatalf("%x: %d, %d, want %d, %d", p, n, ok, want, good)
		}
	}
}

func BenchmarkSeal(b *testing.B) {
	for _, n := range []int{0, 32, 64, 1024, 8192} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a, _ := NewCTRCascade(make([]byte, KeySize))
			nonce, text := make([]byte, NonceSize), make([]byte, n, n+Overhead)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				a.Seal(text[:0], nonce, text, nil)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{64, 8192} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a, _ := NewCTRCascade(make([]byte, KeySize))
			nonce, dst := make([]byte, NonceSize), make([]byte, n)
			sealed := a.Seal(nil, nonce, dst, nil)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := a.Open(dst[:0], nonce, sealed, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkShort(b *testing.B) {
	a, _ := NewShort(make([]byte, KeySize))
	nonce, text := make([]byte, NonceSize), make([]byte, MaxShortMessage)
	sealed := a.Seal(nil, nonce, text, nil)
	dst := make([]byte, Overhead)
	b.Run("Seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a.Seal(dst[:0], nonce, text, nil)
		}
	})
	b.Run("Open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.Open(dst[:0], nonce, sealed, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
