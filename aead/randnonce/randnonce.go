// Package randnonce makes the nonces of an AEAD: it wraps any cipher.AEAD as
// cipher.NewGCMWithRandomNonce does AES-GCM, in the same format. Seal draws a nonce
// from crypto/rand and puts it before the ciphertext, where Open finds it:
//
//	nonce || ciphertext || tag
//
// A nonce must never repeat under one key, and random ones may. By the birthday
// bound, the probability that two are equal reaches 2^-32 after this many messages:
//
//	nonce      messages   for instance
//	12 bytes   2^32.5     chachapoly.New, AES-GCM, CLOC
//	15 bytes   2^44.5     mgm.New over Kuznyechik
//	16 bytes   2^48.5     saturnin.NewCTRCascade
//	24 bytes   2^80.5     chachapoly.NewX
//
// Take a new key before that, or the longest nonce: chachapoly.NewX needs no count
// of messages. Nonces below 12 bytes are refused; count them, with the AEAD as it is.
//
// No sequence number reaches the AEAD any more, so a protocol must find repeated and
// reordered messages by other means, such as a number in the additional data.
//
// All other limits are those of the AEAD within, and what is done here besides is
// constant-time.
package randnonce

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"xcipher/internal/alias"
	"xcipher/internal/authenc"
)

const (
	name    = "randnonce"
	minSize = 12 // of a nonce, in bytes
)

var (
	errOpen     = errors.New(name + ": message authentication failed")
	errExcluded = errors.New(name + ": not every nonce is valid with this AEAD; take mgm.New instead of mgm.NewRFC9058")
)

// New returns an AEAD whose nonces are those of a, made at random. Its NonceSize
// is 0, so that Seal and Open take a nil nonce, and its Overhead is greater than
// that of a by the size of the nonce. As usual, dst may be plaintext[:0] or
// ciphertext[:0], at the cost of moving the text.
//
// It is an error if a has nonces of less than 12 bytes, and also if it is of
// mgm.NewRFC9058, which excludes half of its nonces: take mgm.New. All nonces of an
// AEAD from elsewhere must be valid. If a is safe for concurrent use, so is the
// result.
//
// Tests that need the same nonces each time get them from testing/cryptotest.
func New(a cipher.AEAD) (cipher.AEAD, error) {
	size := a.NonceSize()
	if size < minSize {
		return nil, fmt.Errorf("%s: invalid nonce size %d, want at least %d", name, size, minSize)
	}
	if excludesNonces(a) {
		return nil, errExcluded
	}
	return &aead{a, size, size + a.Overhead()}, nil
}

// excludesNonces tells whether an AEAD of this module refuses a nonce of ones, which
// a format that reserves bits of it does.
func excludesNonces(a cipher.AEAD) bool {
	_, p, ok := authenc.Of(a)
	return ok && p.Check != nil && p.Check(bytes.Repeat([]byte{0xff}, p.NonceSize), 1, 0) != ""
}

type aead struct {
	within   cipher.AEAD
	size     int // of its nonce, in bytes
	overhead int // of both together, in bytes
}

// NonceSize implements cipher.AEAD.
func (a *aead) NonceSize() int { return 0 }

// Overhead implements cipher.AEAD.
func (a *aead) Overhead() int { return a.overhead }

// Seal implements cipher.AEAD.
func (a *aead) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkNonce(nonce)
	all, out := authenc.Grow(dst, len(plaintext)+a.overhead)
	authenc.CheckOverlap(name, out, plaintext, additionalData)
	nonce, text := out[:a.size], out[a.size:]
	if alias.AnyOverlap(out, plaintext) {
		// They start at the same byte, where the nonce will be.
		copy(text, plaintext)
		plaintext = text[:len(plaintext)]
	}
	rand.Read(nonce)
	return a.within.Seal(all[:len(dst)+a.size], nonce, plaintext, additionalData)
}

// Open implements cipher.AEAD.
func (a *aead) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkNonce(nonce)
	n := len(ciphertext) - a.overhead
	if n < 0 {
		return nil, errOpen
	}
	var out []byte // stays empty if dst will be made anew
	if room := dst[len(dst):cap(dst)]; len(room) >= n {
		out = room[:n]
		authenc.CheckOverlap(name, out, ciphertext, additionalData)
		if len(room) > 0 && &room[0] == &ciphertext[0] {
			if len(room) >= len(ciphertext) && !alias.AnyOverlap(ciphertext, additionalData) {
				return a.openInPlace(dst, out, ciphertext, additionalData)
			}
			ciphertext = bytes.Clone(ciphertext) // what is behind out must not change
		}
	}
	return a.open(dst, out, ciphertext[:a.size], ciphertext[a.size:], additionalData)
}

// openInPlace moves the nonce behind the rest of the ciphertext, so that this
// starts where the plaintext will.
func (a *aead) openInPlace(dst, out, ciphertext, additionalData []byte) ([]byte, error) {
	var buf [32]byte // most nonces fit; passed on, it would have to be allocated
	saved := append(buf[:0], ciphertext[:a.size]...)
	n := copy(ciphertext, ciphertext[a.size:])
	copy(ciphertext[n:], saved)
	// Opening may change dst up to its capacity: it ends before the nonce.
	return a.open(dst[:len(dst):len(dst)+n], out, ciphertext[n:], ciphertext[:n], additionalData)
}

func (a *aead) open(dst, out, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	text, err := a.within.Open(dst, nonce, ciphertext, additionalData)
	if err != nil {
		clear(out)
		return nil, errOpen
	}
	return text, nil
}

func checkNonce(nonce []byte) {
	if len(nonce) != 0 {
		panic(name + ": incorrect nonce length")
	}
}
