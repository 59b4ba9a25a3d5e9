// Package authenc holds the contract of cipher.AEAD. An algorithm implements
// Scheme, or Opener, and does one thing after all checks are made; AEAD does the
// rest.
package authenc

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"slices"

	"xcipher/internal/alias"
)

// MaxTagSize is the longest tag in bytes.
const MaxTagSize = 32

// Params describes an AEAD. It is shared by all AEADs with the same sizes.
type Params struct {
	Name      string // package that the caller sees, the start of every panic
	NonceSize int    // bytes
	Overhead  int    // bytes of tag, up to MaxTagSize
	Err       error  // what a failed Open returns: a package variable

	// Check is asked before any work is done, unless it is nil. text and aad are
	// lengths in bytes. An answer other than "" makes Seal panic with it and Open
	// return Err: for length limits and for nonces that the algorithm excludes.
	Check func(nonce []byte, text, aad uint64) (refusal string)
}

// Sealer is the half of an algorithm that Scheme and Opener share. Lengths and
// overlap have been checked: dst and src (or ct) have the same length and are the
// same slice or disjoint, and aad does not overlap dst. The algorithm is safe for
// concurrent use.
type Sealer interface {
	// Seal writes the ciphertext and returns the tag, at its start.
	Seal(dst, src, nonce, aad []byte) (tag [MaxTagSize]byte)
}

// Scheme is an algorithm alone. The AEAD compares tags, clears and copies.
type Scheme interface {
	Sealer

	// Authenticate returns the tag of a ciphertext, and whatever Decrypt would
	// have to compute again.
	Authenticate(ct, nonce, aad []byte) (tag, carry [MaxTagSize]byte)

	// Decrypt writes the plaintext. It is called only after the tags were equal.
	Decrypt(dst, ct, nonce []byte, carry [MaxTagSize]byte)
}

// Opener is an algorithm alone, for which more than MaxTagSize bytes would be worth
// carrying from the verification of a short message to its decryption.
type Opener interface {
	Sealer

	// Open compares tag with that of the ciphertext, in constant time, and tells
	// whether they are equal. Only then it writes the plaintext, and nothing before.
	// dst may overlap tag.
	Open(dst, ct, nonce, aad, tag []byte) (ok bool)
}

// Beginner is implemented by schemes that can work in pieces.
type Beginner interface {
	// Begin starts a message. nonce and aad are not kept.
	Begin(nonce, aad []byte) Incremental
}

// Incremental is one message in pieces of any length. Sealing is Encrypt for
// each piece and Tag. Opening is Absorb for each piece and Tag, and then, with a
// second Incremental, Decrypt for each piece. Both directions end with one Tag.
type Incremental interface {
	Encrypt(dst, src []byte) // encrypts and absorbs a piece
	Decrypt(dst, src []byte) // decrypts a piece without absorbing it
	Absorb(ct []byte)        // authenticates a piece without decrypting it
	Tag() [MaxTagSize]byte
}

// AEAD is a cipher.AEAD over a Scheme or an Opener.
type AEAD struct {
	p      *Params
	sealer Sealer
	scheme Scheme // nil if there is an opener
	opener Opener
}

// New returns an AEAD. It keeps p and s.
func New(p *Params, s Scheme) *AEAD { return &AEAD{p: p, sealer: s, scheme: s} }

// NewOpener returns an AEAD. It keeps p and o.
func NewOpener(p *Params, o Opener) *AEAD { return &AEAD{p: p, sealer: o, opener: o} }

// Of returns what one of our AEADs was made from, a Scheme or an Opener; ok is
// false for any other.
func Of(a cipher.AEAD) (s Sealer, p *Params, ok bool) {
	if own, ok := a.(*AEAD); ok {
		return own.sealer, own.p, true
	}
	return nil, nil, false
}

// NonceSize returns the size in bytes of the nonce.
func (a *AEAD) NonceSize() int { return a.p.NonceSize }

// Overhead returns the size in bytes of the tag.
func (a *AEAD) Overhead() int { return a.p.Overhead }

// Seal encrypts and authenticates plaintext, authenticates aad, and appends the
// result to dst.
func (a *AEAD) Seal(dst, nonce, plaintext, aad []byte) []byte {
	p := a.p
	p.CheckNonce(nonce)
	if p.Check != nil {
		if refusal := p.Check(nonce, uint64(len(plaintext)), uint64(len(aad))); refusal != "" {
			panic(p.Name + ": " + refusal)
		}
	}
	ret, out := Grow(dst, len(plaintext)+p.Overhead)
	CheckOverlap(p.Name, out, plaintext, aad)
	tag := a.sealer.Seal(out[:len(plaintext)], plaintext, nonce, aad)
	copy(out[len(plaintext):], tag[:p.Overhead])
	return ret
}

// Open authenticates ciphertext and aad, decrypts, and appends the result to
// dst. It decrypts nothing before the tag is verified.
func (a *AEAD) Open(dst, nonce, ciphertext, aad []byte) ([]byte, error) {
	p := a.p
	p.CheckNonce(nonce)
	n := len(ciphertext) - p.Overhead
	if n < 0 || p.Check != nil && p.Check(nonce, uint64(n), uint64(len(aad))) != "" {
		return nil, p.Err
	}
	ct, tag := ciphertext[:n], ciphertext[n:]
	ret, out := Grow(dst, n)
	CheckOverlap(p.Name, out, ct, aad)
	var ok bool
	if a.opener != nil {
		ok = a.opener.Open(out, ct, nonce, aad, tag)
	} else {
		ok = a.openScheme(out, ct, nonce, aad, tag)
	}
	if !ok {
		clear(out)
		return nil, p.Err
	}
	return ret, nil
}

// openScheme is Opener.Open for a Scheme.
func (a *AEAD) openScheme(dst, ct, nonce, aad, tag []byte) (ok bool) {
	want, carry := a.scheme.Authenticate(ct, nonce, aad)
	if subtle.ConstantTimeCompare(want[:a.p.Overhead], tag) != 1 {
		return false
	}
	a.scheme.Decrypt(dst, ct, nonce, carry)
	return true
}

// Equal16 compares tags of 16 bytes in constant time, for an Opener. It does what
// subtle.ConstantTimeCompare does byte by byte.
func Equal16(x, y *[16]byte) bool {
	low := binary.LittleEndian.Uint64(x[:8]) ^ binary.LittleEndian.Uint64(y[:8])
	high := binary.LittleEndian.Uint64(x[8:]) ^ binary.LittleEndian.Uint64(y[8:])
	return low|high == 0
}

// CheckNonce panics if nonce has the wrong length.
func (p *Params) CheckNonce(nonce []byte) {
	if len(nonce) != p.NonceSize {
		panic(p.Name + ": incorrect nonce length")
	}
}

// Grow returns dst with room for n more bytes, and that room. It allocates only
// if the capacity of dst does not suffice.
func Grow(dst []byte, n int) (all, room []byte) {
	all = slices.Grow(dst, n)[:len(dst)+n]
	return all, all[len(dst):]
}

// CheckOverlap panics if out, which will be written, overlaps in other than
// exactly, or aad at all.
func CheckOverlap(name string, out, in, aad []byte) {
	if alias.InexactOverlap(out, in) {
		panic(name + ": invalid buffer overlap of output and input")
	}
	if alias.AnyOverlap(out, aad) {
		panic(name + ": invalid buffer overlap of output and additional data")
	}
}
