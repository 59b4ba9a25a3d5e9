package saturnin

import (
	"crypto/subtle"

	"xcipher/internal/authenc"
	"xcipher/internal/saturnin"
)

// short is Short with a key: one block, the nonce, the message, 0x80 and zeros.
type short struct{ c *saturnin.Cipher }

func (s *short) NonceSize() int { return NonceSize }
func (s *short) Overhead() int  { return Overhead }

func (s *short) Seal(dst, nonce, plaintext, aad []byte) []byte {
	params.CheckNonce(nonce)
	if len(plaintext) > MaxShortMessage {
		panic("saturnin: message too large")
	}
	if len(aad) > 0 {
		panic("saturnin: additional data not supported")
	}
	ret, out := authenc.Grow(dst, blockSize)
	authenc.CheckOverlap("saturnin", out, plaintext, nil)
	var block [blockSize]byte
	copy(block[:], nonce)
	block[NonceSize+copy(block[NonceSize:], plaintext)] = 0x80
	s.c.EncryptBlocks(out, block[:])
	return ret
}

// Open writes nothing before the block is verified. Only then is the length of
// the message, and so the place of the plaintext, known.
func (s *short) Open(dst, nonce, ciphertext, aad []byte) ([]byte, error) {
	params.CheckNonce(nonce)
	if len(ciphertext) != blockSize || len(aad) > 0 {
		return nil, errOpen
	}
	var block [blockSize]byte
	s.c.DecryptBlocks(block[:], ciphertext)
	n, padded := unpad((*[blockSize - NonceSize]byte)(block[NonceSize:]))
	if padded&subtle.ConstantTimeCompare(block[:NonceSize], nonce) != 1 {
		return nil, errOpen
	}
	ret, out := authenc.Grow(dst, n)
	authenc.CheckOverlap("saturnin", out, ciphertext, nil)
	copy(out, block[NonceSize:])
	return ret, nil
}

// unpad returns how many bytes come before the last 0x80, and 1 if only zeros
// follow on that, else 0.
func unpad(p *[blockSize - NonceSize]byte) (n, padded int) {
	behind := 1 // only zeros were found so far
	for i := len(p) - 1; i >= 0; i-- {
		mark := behind & subtle.ConstantTimeByteEq(p[i], 0x80)
		n |= i & -mark
		padded |= mark
		behind &= subtle.ConstantTimeByteEq(p[i], 0)
	}
	return n, padded
}
