package incremental

import (
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"xcipher/internal/authenc"
	"xcipher/internal/catalog"
)

// Chunks and digests stay under 16 MiB up to 2 TiB.
func TestMemoryOfChunks(t *testing.T) {
	for text := int64(1); text <= 2<<40; text += text/3 + 1 {
		chunk := chunkFor(text)
		if n := min(chunk, text) + text/chunk*sha256.Size; n > 16<<20 {
			t.Errorf("%d bytes of text take %d bytes of memory", text, n)
		}
	}
	for text, want := range map[int64]int64{
		0: 64 << 10, 2 << 30: 64 << 10, 16 << 30: 64 << 10, 17 << 30: 128 << 10, 1 << 40: 4 << 20, 16 << 40: 32 << 20,
	} {
		if got := chunkFor(text); got != want {
			t.Errorf("%d bytes in chunks of %d, want %d", text, got, want)
		}
	}
}

var errToy = errors.New("toy: failed")

// countingScheme accepts 100 bytes, and panics where there is no algorithm.
type countingScheme struct{ authenc.Scheme }

func (countingScheme) Begin(nonce, aad []byte) authenc.Incremental { return identity{} }

type identity struct{}

func (identity) Encrypt(dst, src []byte)       { copy(dst, src) }
func (identity) Decrypt(dst, src []byte)       { copy(dst, src) }
func (identity) Absorb([]byte)                 {}
func (identity) Tag() [authenc.MaxTagSize]byte { return [authenc.MaxTagSize]byte{} }

func TestLengthLimit(t *testing.T) {
	a := authenc.New(&authenc.Params{Name: "toy", NonceSize: 1, Overhead: 4, Err: errToy,
		Check: func(_ []byte, text, aad uint64) string {
			if text+aad > 100 {
				return "message too large"
			}
			return ""
		}}, countingScheme{})
	if s, err := NewSealer(a, io.Discard, make([]byte, 1), make([]byte, 101)); s != nil || err == nil {
		t.Errorf("too much additional data: %v, %v", s, err)
	}
	s, err := NewSealer(a, io.Discard, make([]byte, 1), make([]byte, 40))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Write(make([]byte, 60)); n != 60 || err != nil {
		t.Errorf("up to the limit: %d, %v", n, err)
	}
	if n, err := s.Write(make([]byte, 1)); n != 0 || err == nil || err.Error() != "toy: message too large" {
		t.Errorf("over the limit: %d, %v", n, err)
	}
	if err := s.Close(); err == nil {
		t.Error("Close after a refused Write succeeds")
	}
}

// TestGigabytes seals and opens 2 GiB in constant memory.
func TestGigabytes(t *testing.T) {
	if testing.Short() || runtime.GOOS == "js" {
		t.SkipNow()
	}
	const size = 2 << 30
	a, err := catalog.NewAEAD("chacha8-poly1305", make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "sealed"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	nonce := make([]byte, a.NonceSize())
	s, err := NewSealer(a, f, nonce, nil)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	want, got := sha256.New(), sha256.New()
	if n, err := io.Copy(io.MultiWriter(s, want), io.LimitReader(&pattern{}, size)); n != size || err != nil {
		t.Fatal(n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	r, err := NewOpener(a, f, nonce, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(got, r); n != size || err != nil {
		t.Fatal(n, err)
	}
	runtime.ReadMemStats(&after)
	if [32]byte(got.Sum(nil)) != [32]byte(want.Sum(nil)) {
		t.Error("the text differs")
	}
	// Everything that was ever allocated, freed or not.
	if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
		t.Errorf("%d MiB were allocated", n>>20)
	}
}

// pattern is text that repeats after a prime number of bytes.
type pattern struct{ n byte }

func (p *pattern) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = p.n
		if p.n++; p.n == 251 {
			p.n = 0
		}
	}
	return len(b), nil
}

// Sealing in pieces of 64 KiB, beside the one-shot form.
func BenchmarkSealer(b *testing.B) {
	for _, name := range []string{"kuznyechik-mgm", "saturnin-ctr-cascade", "aes128-cloc", "chacha20-poly1305"} {
		alg, _ := catalog.Lookup(name)
		a, err := catalog.NewAEAD(name, make([]byte, alg.KeySize))
		if err != nil {
			b.Fatal(err)
		}
		text, nonce := make([]byte, 1<<20), make([]byte, a.NonceSize())
		out := make([]byte, 0, len(text)+a.Overhead())
		b.Run(name+"/one-shot", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				a.Seal(out, nonce, text, nil)
			}
		})
		b.Run(name+"/pieces", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s, err := NewSealer(a, io.Discard, nonce, nil)
				if err != nil {
					b.Fatal(err)
				}
				for i := 0; i < len(text); i += chunkSize {
					s.Write(text[i : i+chunkSize])
				}
				s.Close()
			}
		})
	}
}
