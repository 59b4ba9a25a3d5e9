// Package chachapoly implements the authenticated ciphers ChaCha20-Poly1305 (RFC
// 8439, 2018) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, 2020), and the
// same with 12 and 8 rounds of ChaCha.
//
//	New    NewX     20 rounds, the standard; interchangeable with
//	                golang.org/x/crypto/chacha20poly1305
//	New12  NewX12   12 rounds
//	New8   NewX8     8 rounds
//
// Keys have 32 bytes and tags 16, which Seal adds to the ciphertext. The nonce has
// 12 bytes, or 24 in the forms with an X. A message has at most 2^38-64 bytes
// (256 GiB): Seal panics and Open fails beyond. Additional data has no limit.
//
// A nonce must never repeat under one key: a repetition gives away the XOR of the
// messages and lets others forge. Count nonces of 12 bytes; if they are random,
// two of 2^32 messages share one with a probability of 2^-33. Nonces of 24 bytes
// may be random however many the messages are: prefer NewX where nothing can be
// counted, or package aead/randnonce, which makes and carries the nonce. A key
// must not serve two of the six forms.
//
// The forms with 12 and 8 rounds are not standardised. They are those of the crate
// chacha20poly1305 of RustCrypto: block 0, the key stream and the HChaCha step of
// the X forms all have the reduced number of rounds. They are faster, with a
// smaller margin against future attacks. Where in doubt use 20.
//
// The implementation is constant-time. An AEAD is safe for concurrent use.
package chachapoly

import (
	"crypto/cipher"
	"errors"
	"strconv"

	"xcipher/internal/authenc"
	"xcipher/internal/chacha"
	"xcipher/internal/poly1305"
)

const (
	KeySize    = chacha.KeySize   // size of a key in bytes
	NonceSize  = 12               // size of the nonce of New, New12 and New8 in bytes
	NonceSizeX = 24               // size of the nonce of NewX, NewX12 and NewX8 in bytes
	Overhead   = poly1305.TagSize // size of the tag in bytes
)

// maxMessage is how many bytes the counter of 32 bits serves behind block 0.
const maxMessage = (1<<32 - 1) * chacha.BlockSize

// KeySizeError is returned for a key that does not have KeySize bytes.
type KeySizeError int

// Error implements error.
func (k KeySizeError) Error() string {
	return "chachapoly: invalid key size " + strconv.Itoa(int(k))
}

var (
	errOpen = errors.New("chachapoly: message authentication failed")
	params  = &authenc.Params{Name: "chachapoly", NonceSize: NonceSize, Overhead: Overhead, Err: errOpen, Check: checkLength}
	paramsX = &authenc.Params{Name: "chachapoly", NonceSize: NonceSizeX, Overhead: Overhead, Err: errOpen, Check: checkLength}
)

// New returns ChaCha20-Poly1305 under a 32-byte key, with nonces of 12 bytes.
func New(key []byte) (cipher.AEAD, error) { return newAEAD(key, 20, params) }

// NewX returns XChaCha20-Poly1305 under a 32-byte key, with nonces of 24 bytes.
func NewX(key []byte) (cipher.AEAD, error) { return newAEAD(key, 20, paramsX) }

// New12 is New with 12 rounds.
func New12(key []byte) (cipher.AEAD, error) { return newAEAD(key, 12, params) }

// NewX12 is NewX with 12 rounds, those of HChaCha included.
func NewX12(key []byte) (cipher.AEAD, error) { return newAEAD(key, 12, paramsX) }

// New8 is New with 8 rounds.
func New8(key []byte) (cipher.AEAD, error) { return newAEAD(key, 8, params) }

// NewX8 is NewX with 8 rounds, those of HChaCha included.
func NewX8(key []byte) (cipher.AEAD, error) { return newAEAD(key, 8, paramsX) }

func newAEAD(key []byte, rounds int, p *authenc.Params) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	s := &scheme{rounds: rounds}
	s.key.Init(key, make([]byte, NonceSize), 0, rounds)
	return authenc.NewOpener(p, s), nil
}

// checkLength enforces the limit of RFC 8439, section 2.8.
func checkLength(_ []byte, text, _ uint64) string {
	if text > maxMessage {
		return "message too large"
	}
	return ""
}
