package randnonce

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/cryptotest"

	"xcipher/aead/chachapoly"
	"xcipher/aead/mgm"
	"xcipher/aead/saturnin"
	"xcipher/block/kuznyechik"
	"xcipher/internal/conform"
)

type newAEAD = func(key []byte) (cipher.AEAD, error)

// over returns the constructor of a mode over a cipher.
func over(block func(key []byte) (cipher.Block, error), mode func(b cipher.Block) (cipher.AEAD, error)) newAEAD {
	return func(key []byte) (cipher.AEAD, error) {
		b, err := block(key)
		if err != nil {
			return nil, err
		}
		return mode(b)
	}
}

// gcm returns AES-GCM with nonces of size bytes.
func gcm(size int) newAEAD {
	return over(aes.NewCipher, func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(b, size) })
}

// inner are AEADs to wrap.
var inner = []struct {
	name     string
	new      newAEAD
	keySizes []int
}{
	{"ChaCha20-Poly1305", chachapoly.New, []int{32}},
	{"XChaCha20-Poly1305", chachapoly.NewX, []int{32}},
	{"AES-GCM", over(aes.NewCipher, cipher.NewGCM), []int{16, 24, 32}},
	{"AES-GCM-16", gcm(16), []int{16, 24, 32}},
	{"Kuznyechik-MGM", over(kuznyechik.NewCipher, mgm.New), []int{32}},
	{"Saturnin-CTR-Cascade", saturnin.NewCTRCascade, []int{32}},
}

// wrapped returns the constructor of what New makes.
func wrapped(within newAEAD) newAEAD {
	return func(key []byte) (cipher.AEAD, error) {
		a, err := within(key)
		if err != nil {
			return nil, err
		}
		return New(a)
	}
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		for _, v := range inner {
			t.Run(v.name, func(t *testing.T) {
				conform.TestAEAD(t, conform.AEAD{KeySizes: v.keySizes, New: wrapped(v.new), Random: true})
			})
		}
	})
}

// TestFormat opens with the AEAD within what its wrapper seals, and the other way.
func TestFormat(t *testing.T) {
	r := conform.Rand(t)
	for _, v := range inner {
		within := must[cipher.AEAD](t)(v.new(random(r, v.keySizes[0])))
		a := must[cipher.AEAD](t)(New(within))
		size := within.NonceSize()
		if a.NonceSize() != 0 || a.Overhead() != size+within.Overhead() {
			t.Errorf("%s: NonceSize %d, Overhead %d", v.name, a.NonceSize(), a.Overhead())
		}
		seen := make(map[string]bool)
		for n := range 200 {
			text, aad := random(r, n), random(r, n%20)
			sealed := a.Seal(nil, nil, text, aad)
			nonce, ct := sealed[:size], sealed[size:]
			if seen[string(nonce)] {
				t.Fatalf("%s: nonce %x comes twice", v.name, nonce)
			}
			seen[string(nonce)] = true
			if got, err := within.Open(nil, nonce, ct, aad); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%s: %d bytes: the AEAD within: %v", v.name, n, err)
			}
			own := random(r, size)
			if got, err := a.Open(nil, nil, within.Seal(own, own, text, aad), aad); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%s: %d bytes of the AEAD within: %v", v.name, n, err)
			}
		}
	}
}

// TestStandard exchanges messages with cipher.NewGCMWithRandomNonce, in place and
// not.
func TestStandard(t *testing.T) {
	r := conform.Rand(t)
	for _, keySize := range []int{16, 24, 32} {
		block := must[cipher.Block](t)(aes.NewCipher(random(r, keySize)))
		own := must[cipher.AEAD](t)(New(must[cipher.AEAD](t)(cipher.NewGCM(block))))
		std := must[cipher.AEAD](t)(cipher.NewGCMWithRandomNonce(block))
		if own.NonceSize() != std.NonceSize() || own.Overhead() != std.Overhead() {
			t.Errorf("NonceSize %d and Overhead %d, want %d and %d", own.NonceSize(), own.Overhead(), std.NonceSize(), std.Overhead())
		}
		for n := range 300 {
			text, aad := random(r, n), random(r, r.IntN(40))
			for i, p := range [][2]cipher.AEAD{{own, std}, {std, own}} {
				from, to := p[0], p[1]
				buf := append(make([]byte, 0, n+100), text...)
				for _, sealed := range [][]byte{from.Seal(nil, nil, text, aad), from.Seal(buf[:0], nil, buf, aad)} {
					for _, dst := range [][]byte{nil, make([]byte, 0, n), sealed[:0]} {
						if got, err := to.Open(dst, nil, sealed, aad); err != nil || !bytes.Equal(got, text) {
							t.Fatalf("direction %d, %d bytes: %v", i, n, err)
						}
					}
				}
			}
		}
	}
}

func TestNonceSizes(t *testing.T) {
	key := make([]byte, 32)
	for _, size := range []int{1, 7, 8, 11} {
		a, err := New(must[cipher.AEAD](t)(gcm(size)(key)))
		want := fmt.Sprintf("randnonce: invalid nonce size %d, want at least 12", size)
		if a != nil || err == nil || err.Error() != want {
			t.Errorf("%v, %v, want %q", a, err, want)
		}
	}
	if a, err := New(must[cipher.AEAD](t)(wrapped(chachapoly.New)(key))); a != nil || err == nil {
		t.Errorf("random nonces twice: %v, %v", a, err)
	}
	for _, size := range []int{12, 13, 31, 32, 33, 100} {
		a := must[cipher.AEAD](t)(wrapped(gcm(size))(key))
		sealed := a.Seal(nil, nil, []byte("message"), nil)
		if len(sealed) != size+7+16 {
			t.Errorf("nonce of %d bytes: %d bytes sealed", size, len(sealed))
		}
		if text, err := a.Open(sealed[:0], nil, sealed, nil); err != nil || string(text) != "message" {
			t.Errorf("nonce of %d bytes: %q, %v", size, text, err)
		}
	}
}

// TestExcludedNonces wraps what refuses some of its nonces.
func TestExcludedNonces(t *testing.T) {
	block := must[cipher.Block](t)(kuznyechik.NewCipher(make([]byte, 32)))
	for _, tagSize := range []int{4, 16} {
		a, err := New(must[cipher.AEAD](t)(mgm.NewRFC9058(block, tagSize)))
		if a != nil || err == nil || !strings.Contains(err.Error(), "take mgm.New instead") {
			t.Errorf("tag of %d bytes: %v, %v", tagSize, a, err)
		}
	}
}

// TestDeterministic repeats the random source of a test.
func TestDeterministic(t *testing.T) {
	a := must[cipher.AEAD](t)(wrapped(chachapoly.NewX)(make([]byte, 32)))
	seal := func(seed uint64) []byte {
		cryptotest.SetGlobalRandom(t, seed)
		return a.Seal(a.Seal(nil, nil, []byte("one"), nil), nil, []byte("two"), nil)
	}
	first := seal(1)
	if again := seal(1); !bytes.Equal(first, again) {
		t.Errorf("the same source gives %x and %x", first, again)
	}
	if other := seal(2); bytes.Equal(first, other) {
		t.Errorf("another source gives the same")
	}
}

func TestErrors(t *testing.T) {
	r := conform.Rand(t)
	for _, v := range inner {
		within := must[cipher.AEAD](t)(v.new(random(r, v.keySizes[0])))
		a := must[cipher.AEAD](t)(New(within))
		want := errOpen
		sealed := a.Seal(nil, nil, []byte("message"), nil)
		for n := range sealed {
			if text, err := a.Open(nil, nil, sealed[:n], nil); text != nil || err != want {
				t.Errorf("%s: %d bytes: %x, %v, want %v", v.name, n, text, err, want)
			}
		}
		sealed[r.IntN(len(sealed))] ^= 1
		if text, err := a.Open(nil, nil, sealed, nil); text != nil || err != want {
			t.Errorf("%s: forgery: %x, %v, want %v", v.name, text, err, want)
		}
	}
	a := must[cipher.AEAD](t)(New(credulous{}))
	if text, err := a.Open(nil, nil, make([]byte, 15), nil); text != nil || fmt.Sprint(err) != "randnonce: message authentication failed" {
		t.Errorf("short ciphertext: %x, %v", text, err)
	}
	if text, err := a.Open(nil, nil, make([]byte, 16), nil); len(text) != 0 || err != nil {
		t.Errorf("ciphertext that is long enough: %x, %v", text, err)
	}
}

// credulous is an AEAD that takes everything.
type credulous struct{}

func (credulous) NonceSize() int { return 12 }
func (credulous) Overhead() int  { return 4 }
func (credulous) Seal(dst, nonce, text, aad []byte) []byte {
	return append(append(dst, text...), "tag!"...)
}
func (credulous) Open(dst, _, ct, _ []byte) ([]byte, error) {
	return append(dst, ct[:len(ct)-4]...), nil
}

// sloppy is an AEAD that uses dst up to its capacity, as the interface allows, and
// leaves there what it has written when it fails.
type sloppy struct{ cipher.AEAD }

func (s sloppy) Seal(dst, nonce, text, aad []byte) []byte {
	n := bytes.Clone(nonce)
	sealed := s.AEAD.Seal(nil, nonce, text, aad)
	scribble(dst)
	if !bytes.Equal(nonce, n) {
		panic("the nonce is in the capacity of dst")
	}
	return append(dst, sealed...)
}

func (s sloppy) Open(dst, nonce, ct, aad []byte) ([]byte, error) {
	n := bytes.Clone(nonce)
	text, err := s.AEAD.Open(nil, nonce, ct, aad)
	scribble(dst)
	if !bytes.Equal(nonce, n) {
		return nil, errors.New("the nonce is in the capacity of dst")
	}
	if err != nil {
		return nil, err
	}
	return append(dst, text...), nil
}

func scribble(dst []byte) {
	rest := dst[len(dst):cap(dst)]
	for i := range rest {
		rest[i] = 0x5a
	}
}

func TestSloppy(t *testing.T) {
	r := conform.Rand(t)
	a := must[cipher.AEAD](t)(New(sloppy{must[cipher.AEAD](t)(chachapoly.New(random(r, 32)))}))
	for n := range 100 {
		text := random(r, n)
		buf := append(make([]byte, 0, n+a.Overhead()+r.IntN(50)), text...)
		sealed := a.Seal(buf[:0], nil, buf, nil)
		forged := bytes.Clone(sealed)
		if got, err := a.Open(sealed[:0], nil, sealed, nil); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		forged[r.IntN(len(forged))] ^= 1
		if got, err := a.Open(forged[:0], nil, forged, nil); err == nil || got != nil {
			t.Fatalf("forgery of %d bytes: %x, %v", n, got, err)
		}
		if !bytes.Equal(forged[:n], make([]byte, n)) {
			t.Fatalf("forgery of %d bytes leaves %x", n, forged[:n])
		}
	}
}

// TestTightInPlace has dst start with the ciphertext, but the ciphertext reach
// beyond its capacity, or hold the additional data: then it must not change there.
func TestTightInPlace(t *testing.T) {
	r := conform.Rand(t)
	a := must[cipher.AEAD](t)(wrapped(chachapoly.New)(random(r, 32)))
	for n := range 100 {
		text := random(r, n)
		sealed := a.Seal(nil, nil, text, nil)
		for capacity := n; capacity <= len(sealed); capacity++ {
			buf := bytes.Clone(sealed)
			got, err := a.Open(buf[:0:capacity], nil, buf, nil)
			if err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%d bytes, capacity %d: %v", n, capacity, err)
			}
			if n > 0 && &got[0] != &buf[0] {
				t.Fatalf("%d bytes, capacity %d: not in place", n, capacity)
			}
			if !bytes.Equal(buf[capacity:], sealed[capacity:]) {
				t.Fatalf("%d bytes, capacity %d: changes what is behind dst", n, capacity)
			}
		}
		// The last bytes are additional data too.
		within := a.(*aead).within
		for range 100000 { // until the last byte of the tag is the one that was authenticated
			nonce, last := random(r, within.NonceSize()), byte(r.Uint32())
			sealed = within.Seal(nonce, nonce, text, []byte{last})
			if sealed[len(sealed)-1] == last {
				break
			}
		}
		got, err := a.Open(sealed[:0], nil, sealed, sealed[len(sealed)-1:])
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%d bytes, additional data in the tag: %v", n, err)
		}
	}
}

// TestShort wraps an AEAD with no separate tag, whose ciphertext tells nothing of
// the length of the text.
func TestShort(t *testing.T) {
	r := conform.Rand(t)
	a := must[cipher.AEAD](t)(wrapped(saturnin.NewShort)(random(r, 32)))
	for n := range saturnin.MaxShortMessage + 1 {
		buf := append(make([]byte, 0, 100), random(r, n)...)
		text := bytes.Clone(buf)
		sealed := a.Seal(buf[:0], nil, buf, nil)
		for _, dst := range [][]byte{nil, []byte("prefix"), sealed[:0]} {
			got, err := a.Open(dst, nil, sealed, nil)
			if err != nil || string(got) != string(dst)+string(text) {
				t.Fatalf("%d bytes: %x, %v, want %x", n, got, err, text)
			}
		}
	}
}

func TestAllocs(t *testing.T) {
	for _, v := range inner {
		a := must[cipher.AEAD](t)(wrapped(v.new)(make([]byte, v.keySizes[0])))
		for _, n := range []int{0, 64, 1024} {
			buf := make([]byte, n, n+a.Overhead())
			conform.Allocs(t, fmt.Sprintf("%s, %d bytes in place", v.name, n), 0, func() {
				sealed := a.Seal(buf[:0], nil, buf[:n], nil)
				if _, err := a.Open(sealed[:0], nil, sealed, nil); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func BenchmarkInPlace(b *testing.B) {
	block := must[cipher.Block](b)(aes.NewCipher(make([]byte, 32)))
	std := must[cipher.AEAD](b)(cipher.NewGCMWithRandomNonce(block))
	own := must[cipher.AEAD](b)(New(must[cipher.AEAD](b)(cipher.NewGCM(block))))
	chacha := must[cipher.AEAD](b)(wrapped(chachapoly.NewX)(make([]byte, 32)))
	for _, n := range []int{64, 1024, 8192} {
		for _, v := range []struct {
			name string
			a    cipher.AEAD
		}{{"standard", std}, {"AES-GCM", own}, {"XChaCha20-Poly1305", chacha}} {
			b.Run(fmt.Sprintf("size=%d/%s", n, v.name), func(b *testing.B) {
				buf := make([]byte, n, n+v.a.Overhead())
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					sealed := v.a.Seal(buf[:0], nil, buf[:n], nil)
					if _, err := v.a.Open(sealed[:0], nil, sealed, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
