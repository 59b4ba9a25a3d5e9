package xcipher_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"testing"

	"xcipher/aead/randnonce"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// seal and open are how most Go programs use a cipher.AEAD: a random nonce in
// front of the ciphertext.
func seal(a cipher.AEAD, text, ad []byte) []byte {
	nonce := make([]byte, a.NonceSize(), a.NonceSize()+len(text)+a.Overhead())
	rand.Read(nonce)
	return a.Seal(nonce, nonce, text, ad)
}

func open(a cipher.AEAD, sealed, ad []byte) ([]byte, error) {
	if len(sealed) < a.NonceSize() {
		return nil, errors.New("too short")
	}
	return a.Open(nil, sealed[:a.NonceSize()], sealed[a.NonceSize():], ad)
}

// limits returns message lengths and additional data that an AEAD takes.
func limits(a catalog.Algorithm) (ns []int, ad []byte) {
	for _, n := range lengths() {
		if a.MaxMessage == 0 || uint64(n) <= a.MaxMessage {
			ns = append(ns, n)
		}
	}
	if !a.NoAAD {
		ad = []byte("additional data")
	}
	return ns, ad
}

func TestAEADs(t *testing.T) {
	each(t, catalog.AEAD, func(t *testing.T, a catalog.Algorithm) {
		rng := conform.Rand(t)
		key := random(rng, a.KeySize)
		ours, other := must(catalog.NewAEAD(a.Name, key))(t), otherAEAD(t, a.Name, key)
		if ours.NonceSize() != other.NonceSize() || ours.Overhead() != other.Overhead() {
			t.Fatalf("sizes %d, %d and %d, %d", ours.NonceSize(), ours.Overhead(), other.NonceSize(), other.Overhead())
		}
		ns, ad := limits(a)
		for _, n := range ns {
			text := random(rng, n)
			for _, way := range []struct{ from, to cipher.AEAD }{{ours, ours}, {ours, other}, {other, ours}} {
				sealed := seal(way.from, text, ad)
				if got, err := open(way.to, sealed, ad); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%d bytes from %T to %T: %v", n, way.from, way.to, err)
				}
				sealed[rng.IntN(len(sealed))] ^= 1 << rng.IntN(8)
				if _, err := open(way.to, sealed, ad); err == nil {
					t.Errorf("%d bytes: a changed ciphertext opens", n)
				}
			}
		}
	})
}

// randnonce makes of every AEAD what cipher.NewGCMWithRandomNonce is for AES.
func TestRandomNonce(t *testing.T) {
	block := must(aes.NewCipher(make([]byte, 32)))(t)
	std := must(cipher.NewGCMWithRandomNonce(block))(t)
	ours := must(randnonce.New(must(cipher.NewGCM(block))(t)))(t)
	text, ad := []byte("text"), []byte("additional data")
	for _, way := range []struct{ from, to cipher.AEAD }{{std, ours}, {ours, std}} {
		if got, err := way.to.Open(nil, nil, way.from.Seal(nil, nil, text, ad), ad); err != nil || !bytes.Equal(got, text) {
			t.Errorf("from %T to %T: %q, %v", way.from, way.to, got, err)
		}
	}
	each(t, catalog.AEAD, func(t *testing.T, a catalog.Algorithm) {
		rng := conform.Rand(t)
		key := random(rng, a.KeySize)
		r, err := randnonce.New(must(catalog.NewAEAD(a.Name, key))(t))
		if a.NonceSizes[0] < 12 {
			if err == nil {
				t.Errorf("nonces of %d bytes may not be random", a.NonceSizes[0])
			}
			return
		}
		if err != nil || r.NonceSize() != 0 || r.Overhead() != a.NonceSizes[0]+a.Size {
			t.Fatalf("%v, %v", r, err)
		}
		ns, ad := limits(a)
		for _, n := range ns {
			text := random(rng, n)
			sealed := r.Seal(nil, nil, text, ad)
			if got, err := open(otherAEAD(t, a.Name, key), sealed, ad); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes: not a nonce in front of a ciphertext: %v", n, err)
			}
			if got, err := r.Open(nil, nil, sealed, ad); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	})
}
