package xcipher_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	xhkdf "golang.org/x/crypto/hkdf"
	xpbkdf2 "golang.org/x/crypto/pbkdf2"

	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// eachHash runs f for everything in the catalog that is a hash.Hash: hashes, and
// MACs under a random key.
func eachHash(t *testing.T, f func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash)) {
	t.Helper()
	each(t, catalog.Hash, func(t *testing.T, a catalog.Algorithm) {
		f(t, a, func() hash.Hash { return must(catalog.NewHash(a.Name))(t) })
	})
	each(t, catalog.MAC, func(t *testing.T, a catalog.Algorithm) {
		size := a.KeySize
		if a.AnyKey {
			size = 40
		}
		key := random(conform.Rand(t), size)
		f(t, a, func() hash.Hash { return must(catalog.NewMAC(a.Name, key))(t) })
	})
}

func sum(newHash func() hash.Hash, parts ...[]byte) []byte {
	h := newHash()
	h.Write(slices.Concat(parts...))
	return h.Sum(nil)
}

// hmacSum is HMAC after RFC 2104.
func hmacSum(newHash func() hash.Hash, key []byte, parts ...[]byte) []byte {
	size := newHash().BlockSize()
	if len(key) > size {
		key = sum(newHash, key)
	}
	inner, outer := make([]byte, size), make([]byte, size)
	copy(inner, key)
	copy(outer, key)
	for i := range size {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	return sum(newHash, outer, sum(newHash, inner, slices.Concat(parts...)))
}

// hkdfExpand is HKDF-Expand after RFC 5869, section 2.3.
func hkdfExpand(newHash func() hash.Hash, prk []byte, info string, n int) []byte {
	var out, t []byte
	for i := byte(1); len(out) < n; i++ {
		t = hmacSum(newHash, prk, t, []byte(info), []byte{i})
		out = append(out, t...)
	}
	return out[:n]
}

// pbkdf2Key is PBKDF2 after RFC 8018, section 5.2.
func pbkdf2Key(newHash func() hash.Hash, password, salt []byte, iterations, n int) []byte {
	var out []byte
	for i := uint32(1); len(out) < n; i++ {
		u := hmacSum(newHash, password, salt, binary.BigEndian.AppendUint32(nil, i))
		t := bytes.Clone(u)
		for range iterations - 1 {
			u = hmacSum(newHash, password, u)
			for j := range t {
				t[j] ^= u[j]
			}
		}
		out = append(out, t...)
	}
	return out[:n]
}

func TestHMAC(t *testing.T) {
	eachHash(t, func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash) {
		rng := conform.Rand(t)
		for _, size := range []int{0, 1, a.Size, a.BlockSize - 1, a.BlockSize, a.BlockSize + 1, 200} {
			key := random(rng, size)
			h := hmac.New(newHash, key)
			if h.Size() != a.Size || h.BlockSize() != a.BlockSize {
				t.Fatalf("HMAC has sizes %d and %d, want %d and %d", h.Size(), h.BlockSize(), a.Size, a.BlockSize)
			}
			for _, n := range lengths() {
				x := random(rng, n)
				h.Reset() // from the second time on by UnmarshalBinary, where there is one
				h.Write(x[:n/2])
				clone, err := h.(hash.Cloner).Clone()
				if err != nil {
					t.Fatal(err)
				}
				clone.Write([]byte("elsewhere"))
				h.Write(x[n/2:])
				if got, want := h.Sum(nil), hmacSum(newHash, key, x); !hmac.Equal(got, want) {
					t.Errorf("key of %d bytes, message of %d: %x, want %x", size, n, got, want)
				}
				if got, want := clone.Sum(nil), hmacSum(newHash, key, x[:n/2], []byte("elsewhere")); !hmac.Equal(got, want) {
					t.Errorf("key of %d bytes, clone after %d: %x, want %x", size, n/2, got, want)
				}
			}
		}
	})
}

func TestHKDF(t *testing.T) {
	eachHash(t, func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash) {
		rng := conform.Rand(t)
		for _, n := range []int{1, a.Size, a.Size + 1, 5*a.Size - 1, 255 * a.Size} {
			secret, salt, info := random(rng, 32), random(rng, rng.IntN(100)), string(random(rng, rng.IntN(50)))
			prk := hmacSum(newHash, salt, secret)
			want := hkdfExpand(newHash, prk, info, n)
			if got := must(hkdf.Extract(newHash, secret, salt))(t); !bytes.Equal(got, prk) {
				t.Error("hkdf.Extract is wrong")
			}
			if got := must(hkdf.Expand(newHash, prk, info, n))(t); !bytes.Equal(got, want) {
				t.Errorf("hkdf.Expand is wrong for %d bytes", n)
			}
			if got := must(hkdf.Key(newHash, secret, salt, info, n))(t); !bytes.Equal(got, want) {
				t.Errorf("hkdf.Key is wrong for %d bytes", n)
			}
			if got := xhkdf.Extract(newHash, secret, salt); !bytes.Equal(got, prk) {
				t.Error("x/crypto's hkdf.Extract is wrong")
			}
			for _, r := range []io.Reader{
				xhkdf.New(newHash, secret, salt, []byte(info)),
				iotest.OneByteReader(xhkdf.Expand(newHash, prk, []byte(info))),
			} {
				got := make([]byte, n)
				if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want) {
					t.Errorf("x/crypto's HKDF is wrong for %d bytes: %v", n, err)
				}
			}
		}
		if _, err := hkdf.Expand(newHash, make([]byte, a.Size), "", 255*a.Size+1); err == nil {
			t.Error("hkdf.Expand gives more than 255 digests")
		}
	})
}

func TestPBKDF2(t *testing.T) {
	eachHash(t, func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash) {
		rng := conform.Rand(t)
		for _, c := range []struct{ iterations, size int }{{1, a.Size}, {2, 1}, {30, 2*a.Size + 3}} {
			password, salt := random(rng, rng.IntN(100)), random(rng, 8+rng.IntN(100))
			want := pbkdf2Key(newHash, password, salt, c.iterations, c.size)
			if got := must(pbkdf2.Key(newHash, string(password), salt, c.iterations, c.size))(t); !bytes.Equal(got, want) {
				t.Errorf("crypto/pbkdf2: wrong after %d iterations", c.iterations)
			}
			if got := xpbkdf2.Key(password, salt, c.iterations, c.size, newHash); !bytes.Equal(got, want) {
				t.Errorf("x/crypto/pbkdf2: wrong after %d iterations", c.iterations)
			}
		}
	})
}

func TestECDSA(t *testing.T) {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	eachHash(t, func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash) {
		digest := sum(newHash, []byte("signed"))
		signature := must(ecdsa.SignASN1(rand.Reader, key, digest))(t)
		if !ecdsa.VerifyASN1(&key.PublicKey, digest, signature) {
			t.Error("the signature does not verify")
		}
		if ecdsa.VerifyASN1(&key.PublicKey, sum(newHash, []byte("another")), signature) {
			t.Error("the signature verifies for another message")
		}
	})
}

func TestHashIO(t *testing.T) {
	eachHash(t, func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash) {
		rng := conform.Rand(t)
		for _, n := range lengths() {
			x := random(rng, n)
			want := sum(newHash, x)
			var copied bytes.Buffer
			hashes := []hash.Hash{newHash(), newHash(), newHash(), newHash(), newHash()}
			_, err1 := io.Copy(io.MultiWriter(hashes[0], &copied, hashes[1]), iotest.HalfReader(bytes.NewReader(x)))
			through, err2 := io.ReadAll(io.TeeReader(iotest.HalfReader(bytes.NewReader(x)), hashes[2]))
			_, err3 := io.Copy(hashes[3], bytes.NewReader(x))
			_, err4 := fmt.Fprintf(hashes[4], "%s", x)
			for _, err := range []error{err1, err2, err3, err4} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(copied.Bytes(), x) || !bytes.Equal(through, x) {
				t.Errorf("%d bytes do not pass unchanged", n)
			}
			for i, how := range []string{"io.MultiWriter", "io.MultiWriter", "io.TeeReader", "io.Copy", "fmt.Fprintf"} {
				if got := hashes[i].Sum(nil); !bytes.Equal(got, want) {
					t.Errorf("%s: %x after %d bytes, want %x", how, got, n, want)
				}
			}
		}
	})
}
