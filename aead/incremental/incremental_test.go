package incremental_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"xcipher/aead/incremental"
	"xcipher/aead/mgm"
	"xcipher/block/magma"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

func random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

// inPieces are the AEADs of the catalog that must work in pieces.
func inPieces(t testing.TB) map[string]cipher.AEAD {
	m := make(map[string]cipher.AEAD)
	for _, a := range catalog.Algorithms() {
		if a.Kind != catalog.AEAD || a.Name == "saturnin-short" {
			continue
		}
		if testing.Short() && !slices.Contains(ofEachScheme, a.Name) {
			continue
		}
		aead, err := catalog.NewAEAD(a.Name, random(a.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		m[a.Name] = aead
	}
	if len(m) < len(ofEachScheme) {
		t.Fatalf("only %d AEADs", len(m))
	}
	return m
}

// ofEachScheme is one AEAD for each implementation of pieces.
var ofEachScheme = []string{"kuznyechik-mgm", "magma-mgm", "chaskey12-cloc", "aes128-silc", "saturnin-ctr-cascade", "chacha20-poly1305"}

// seal writes text in pieces of up to limit bytes, exactly limit if that is negative.
func seal(t *testing.T, a cipher.AEAD, nonce, text, aad []byte, limit int) []byte {
	t.Helper()
	var out bytes.Buffer
	s, err := incremental.NewSealer(a, &out, nonce, aad)
	if err != nil {
		t.Fatal(err)
	}
	for rest := text; len(rest) > 0; {
		n := -limit
		if limit > 0 {
			n = 1 + rand.IntN(limit)
		}
		n = min(n, len(rest))
		if k, err := s.Write(rest[:n]); k != n || err != nil {
			t.Fatalf("Write of %d bytes: %d, %v", n, k, err)
		}
		rest = rest[n:]
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Write([]byte("more")); n != 0 || err == nil {
		t.Fatalf("Write after Close returns %d, %v", n, err)
	}
	return out.Bytes()
}

func TestAgainstOneShot(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		for name, a := range inPieces(t) {
			t.Run(name, func(t *testing.T) {
				nonce, aad := random(a.NonceSize()), random(100)
				lengths := []int{0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 65535, 65536, 65537, 150000}
				if testing.Short() {
					lengths = []int{0, 1, 16, 33, 1000, 65537}
				}
				for _, n := range lengths {
					text := random(n)
					want := a.Seal(nil, nonce, text, aad)
					for _, limit := range []int{-1, -7, -8, -9, -15, -16, -17, -31, -32, -33, 40, 5000, -65536, -1 << 20} {
						if limit >= -33 && limit < 100 && n > 1000 {
							continue // every small piece is covered by short messages
						}
						if got := seal(t, a, nonce, text, aad, limit); !bytes.Equal(got, want) {
							t.Fatalf("%d bytes in pieces of %d differ from Seal", n, limit)
						}
					}
					r, err := incremental.NewOpener(a, bytes.NewReader(want), nonce, aad)
					if err != nil {
						t.Fatalf("%d bytes: %v", n, err)
					}
					if err := iotest.TestReader(r, text); err != nil {
						t.Fatalf("%d bytes: %v", n, err)
					}
				}
			})
		}
	})
}

func TestMegabytes(t *testing.T) {
	for name, a := range inPieces(t) {
		n := 3 << 20
		if testing.Short() {
			n = 200_000
		}
		text, nonce := random(n), random(a.NonceSize())
		ct := seal(t, a, nonce, text, nil, -1<<20)
		if want := a.Seal(nil, nonce, text, nil); !bytes.Equal(ct, want) {
			t.Fatalf("%s: differs from Seal", name)
		}
		r, err := incremental.NewOpener(a, bytes.NewReader(ct), nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%s: %v, %d bytes", name, err, len(got))
		}
	}
}

// A source need not start at its beginning.
func TestPosition(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce, text := random(a.NonceSize()), random(1000)
		r := bytes.NewReader(a.Seal(random(77), nonce, text, nil))
		r.Seek(77, io.SeekStart)
		o, err := incremental.NewOpener(a, r, nonce, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := io.ReadAll(o); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// openError returns the error of a failed Open.
func openError(a cipher.AEAD, nonce []byte) error {
	_, err := a.Open(nil, nonce, random(a.Overhead()), nil)
	return err
}

func TestForgeries(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce, aad, text := random(a.NonceSize()), random(20), random(150_000)
		good := a.Seal(nil, nonce, text, aad)
		flip := func(i int) []byte {
			b := bytes.Clone(good)
			b[i] ^= 1 << rand.IntN(8)
			return b
		}
		reordered := bytes.Clone(good)
		copy(reordered[:65536], good[65536:])
		copy(reordered[65536:], good[:65536])
		for what, ct := range map[string][]byte{
			"first byte": flip(0), "second chunk": flip(70_000), "last of text": flip(len(text) - 1),
			"tag": flip(len(text)), "last of tag": flip(len(good) - 1), "reordered": reordered,
			"cut": good[:len(good)-1], "cut in the text": good[:100], "tag alone": good[len(text):],
			"shorter than a tag": good[:a.Overhead()-1], "nothing": nil, "longer": append(bytes.Clone(good), 0),
		} {
			r, err := incremental.NewOpener(a, bytes.NewReader(ct), nonce, aad)
			if r != nil || err != openError(a, nonce) {
				t.Errorf("%s: %s: %v, %v", name, what, r, err)
			}
		}
		if r, err := incremental.NewOpener(a, bytes.NewReader(good), nonce, aad[1:]); r != nil || err == nil {
			t.Errorf("%s: other additional data: %v, %v", name, r, err)
		}
	}
}

// A source that changes after it was verified gives no byte of a changed chunk.
func TestChangedSource(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce, text := random(a.NonceSize()), random(200_000)
		good := a.Seal(nil, nonce, text, nil)
		for what, change := range map[string]struct {
			of    func(b []byte) []byte
			valid int // bytes that may be returned
		}{
			"first chunk":  {func(b []byte) []byte { b[5] ^= 1; return b }, 0},
			"second chunk": {func(b []byte) []byte { b[100_000] ^= 1; return b }, 65536},
			"last chunk":   {func(b []byte) []byte { b[len(text)-1] ^= 1; return b }, 3 * 65536},
			"tag":          {func(b []byte) []byte { b[len(text)] ^= 1; return b }, 3 * 65536},
			"swapped":      {func(b []byte) []byte { copy(b[65536:], good[:65536]); copy(b, good[65536:131072]); return b }, 0},
			"cut":          {func(b []byte) []byte { return b[:100_000] }, 65536},
			"cut tag":      {func(b []byte) []byte { return b[:len(b)-1] }, 3 * 65536},
			"longer":       {func(b []byte) []byte { return append(b, 1) }, 3 * 65536},
			"empty":        {func(b []byte) []byte { return nil }, 0},
		} {
			src := &source{b: bytes.Clone(good)}
			r, err := incremental.NewOpener(a, src, nonce, nil)
			if err != nil {
				t.Fatal(err)
			}
			src.b = change.of(src.b)
			got, err := io.ReadAll(r)
			if !errors.Is(err, openError(a, nonce)) || !strings.Contains(fmt.Sprint(err), "changed") {
				t.Errorf("%s: %s: %v", name, what, err)
			}
			if len(got) > change.valid || !bytes.Equal(got, text[:len(got)]) {
				t.Errorf("%s: %s: %d bytes returned, want at most %d", name, what, len(got), change.valid)
			}
			if n, err := r.Read(make([]byte, 10)); n != 0 || err == nil || err == io.EOF {
				t.Errorf("%s: %s: reading on gives %d, %v", name, what, n, err)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	block, _ := aes.NewCipher(make([]byte, 16))
	gcm, _ := cipher.NewGCM(block)
	short, err := catalog.NewAEAD("saturnin-short", make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]cipher.AEAD{"AES-GCM": gcm, "Saturnin-Short": short} {
		nonce := make([]byte, a.NonceSize())
		s, err := incremental.NewSealer(a, io.Discard, nonce, nil)
		if s != nil || fmt.Sprint(err) != "incremental: this AEAD cannot work in pieces" {
			t.Errorf("%s: %v, %v", name, s, err)
		}
		r, err := incremental.NewOpener(a, bytes.NewReader(make([]byte, 99)), nonce, nil)
		if r != nil || fmt.Sprint(err) != "incremental: this AEAD cannot work in pieces" {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	for name, a := range inPieces(t) {
		for _, n := range []int{0, a.NonceSize() - 1, a.NonceSize() + 1} {
			want := fmt.Sprintf("incremental: invalid nonce size %d, must be %d", n, a.NonceSize())
			s, err := incremental.NewSealer(a, io.Discard, make([]byte, n), nil)
			if s != nil || fmt.Sprint(err) != want {
				t.Errorf("%s: %v, %v", name, s, err)
			}
			r, err := incremental.NewOpener(a, bytes.NewReader(make([]byte, 99)), make([]byte, n), nil)
			if r != nil || fmt.Sprint(err) != want {
				t.Errorf("%s: %v, %v", name, r, err)
			}
		}
	}
}

// The RFC's form of MGM refuses nonces and the empty message.
func TestRefusedMessages(t *testing.T) {
	b, err := magma.NewCipher(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	a, err := mgm.NewRFC9058(b, 8)
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, 8)
	var out bytes.Buffer
	s, err := incremental.NewSealer(a, &out, nonce, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); fmt.Sprint(err) != "mgm: empty message with empty additional data" || out.Len() != 0 {
		t.Errorf("empty message: %v, %d bytes", err, out.Len())
	}
	if _, err := s.Write([]byte("x")); err == nil {
		t.Error("Write after a failed Close succeeds")
	}
	nonce[0] = 0x80
	if s, err := incremental.NewSealer(a, &out, nonce, nil); s != nil || fmt.Sprint(err) != "mgm: first bit of the nonce is set" {
		t.Errorf("nonce with first bit: %v, %v", s, err)
	}
	if r, err := incremental.NewOpener(a, bytes.NewReader(make([]byte, 99)), nonce, nil); r != nil || err != openError(a, make([]byte, 8)) {
		t.Errorf("nonce with first bit: %v, %v", r, err)
	}
}

// Additional data and nonce are not kept.
func TestArgumentsAreNotKept(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce, aad, text := random(a.NonceSize()), random(300), random(3000)
		want := a.Seal(nil, nonce, text, aad)
		n, d := bytes.Clone(nonce), bytes.Clone(aad)
		var out bytes.Buffer
		s, err := incremental.NewSealer(a, &out, n, d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := incremental.NewOpener(a, bytes.NewReader(want), n, d)
		if err != nil {
			t.Fatal(err)
		}
		clear(n)
		clear(d)
		s.Write(text)
		s.Close()
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s: the sealer kept its arguments", name)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: the opener kept its arguments", name)
		}
	}
}
