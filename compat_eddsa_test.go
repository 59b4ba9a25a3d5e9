package xcipher_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"crypto/subtle"
	"hash"
	"slices"
	"testing"

	"filippo.io/edwards25519"

	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// eddsa is EdDSA over edwards25519 (RFC 8032, section 5.1, without prehash and
// context) with any hash of 64 bytes where the RFC has SHA-512.
type eddsa struct {
	t       *testing.T
	newHash func() hash.Hash
}

// scalar is the hash of all parts, as a little-endian number modulo the order.
func (e eddsa) scalar(parts ...[]byte) *edwards25519.Scalar {
	return must(edwards25519.NewScalar().SetUniformBytes(sum(e.newHash, parts...)))(e.t)
}

// expand is section 5.1.5, steps 1 to 4: the secret scalar, the secret prefix,
// and the public key.
func (e eddsa) expand(seed []byte) (s *edwards25519.Scalar, prefix, public []byte) {
	h := sum(e.newHash, seed)
	s = must(edwards25519.NewScalar().SetBytesWithClamping(h[:32]))(e.t)
	return s, h[32:], new(edwards25519.Point).ScalarBaseMult(s).Bytes()
}

func (e eddsa) public(seed []byte) []byte {
	_, _, public := e.expand(seed)
	return public
}

// sign is section 5.1.6.
func (e eddsa) sign(seed, message []byte) []byte {
	s, prefix, public := e.expand(seed)
	r := e.scalar(prefix, message)
	commitment := new(edwards25519.Point).ScalarBaseMult(r).Bytes()
	k := e.scalar(commitment, public, message)
	return append(commitment, edwards25519.NewScalar().MultiplyAdd(k, s, r).Bytes()...)
}

// verify is section 5.1.7, with the equation without cofactor: R = [S]B - [k]A.
func (e eddsa) verify(public, message, signature []byte) bool {
	if len(signature) != 64 {
		return false
	}
	a, err := new(edwards25519.Point).SetBytes(public)
	if err != nil {
		return false
	}
	s, err := edwards25519.NewScalar().SetCanonicalBytes(signature[32:])
	if err != nil {
		return false
	}
	k := e.scalar(signature[:32], public, message)
	r := new(edwards25519.Point).VarTimeDoubleScalarBaseMult(k, a.Negate(a), s)
	return subtle.ConstantTimeCompare(r.Bytes(), signature[:32]) == 1
}

// With SHA-512 the lines above are crypto/ed25519.
func TestEdDSAIsEd25519(t *testing.T) {
	rng, e := conform.Rand(t), eddsa{t, sha512.New}
	for _, n := range lengths() {
		seed, message := random(rng, ed25519.SeedSize), random(rng, n)
		key := ed25519.NewKeyFromSeed(seed)
		public := e.public(seed)
		if !bytes.Equal(public, key[32:]) {
			t.Errorf("public key %x, want %x", public, key[32:])
		}
		want := ed25519.Sign(key, message)
		if got := e.sign(seed, message); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: signature %x, want %x", n, got, want)
		}
		if !e.verify(public, message, want) {
			t.Errorf("%d bytes: the signature of crypto/ed25519 does not verify", n)
		}
	}
}

// Only the constructor changes: every hash of the catalog that is long enough.
func TestEdDSA(t *testing.T) {
	n := 0
	each(t, catalog.Hash, func(t *testing.T, a catalog.Algorithm) {
		if a.Size != 64 {
			return
		}
		n++
		rng := conform.Rand(t)
		e := eddsa{t, func() hash.Hash { return must(catalog.NewHash(a.Name))(t) }}
		for _, n := range lengths() {
			seed, message := random(rng, 32), random(rng, n)
			public, signature := e.public(seed), e.sign(seed, message)
			if !e.verify(public, message, signature) {
				t.Errorf("%d bytes: does not verify", n)
			}
			if !bytes.Equal(signature, e.sign(seed, message)) {
				t.Errorf("%d bytes: two signatures differ", n)
			}
			if e.verify(public, append(slices.Clone(message), 0), signature) {
				t.Errorf("%d bytes: a longer message verifies", n)
			}
			if n > 0 {
				changed := slices.Clone(message)
				changed[rng.IntN(n)] ^= 1 << rng.IntN(8)
				if e.verify(public, changed, signature) {
					t.Errorf("%d bytes: a changed message verifies", n)
				}
			}
			signature[rng.IntN(64)] ^= 1 << rng.IntN(8)
			if e.verify(public, message, signature) {
				t.Errorf("%d bytes: a changed signature verifies", n)
			}
			if ed25519.Verify(public, message, e.sign(seed, message)) {
				t.Errorf("%d bytes: it verifies as SHA-512's", n)
			}
		}
	})
	if n == 0 {
		t.Error("no hash of 64 bytes: Streebog-512 is one")
	}
}
