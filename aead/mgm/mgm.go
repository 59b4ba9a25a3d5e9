// Package mgm implements the multilinear Galois mode (RFC 9058, R 1323565.1.026-2019)
// over any cipher.Block of 64 or 128 bits, as an authenticated cipher.AEAD.
//
// New drops in wherever an AEAD is wanted: every nonce of NonceSize bytes is
// valid. NewRFC9058 takes nonces as the RFC writes them, for TLS 1.3 and other
// protocols that fix the format. On nonces of which the RFC's form starts with a
// zero byte both are the same function.
//
// A nonce must never repeat under one key: a repetition gives away the XOR of
// the messages and lets others forge. With 128-bit blocks (Kuznyechik) nonces of
// New have 15 bytes and may be random: two of 2^44 messages share one with a
// probability of 2^-33. With 64-bit blocks (Magma) they have 7 bytes: count them.
//
// Additional data and message together must be below 2^29 bytes (512 MiB) with
// 64-bit blocks and 2^61 bytes with 128-bit ones: Seal panics and Open fails
// beyond. Under one key stay far below 2^(n/2) blocks in all messages together.
// Over the ciphers of this module MGM runs in constant time; prefer Kuznyechik,
// or xcipher/aead/chachapoly where the standard is free to choose.
package mgm

import (
	"crypto/cipher"
	"errors"
	"strconv"

	"xcipher/internal/authenc"
	"xcipher/internal/batch"
)

// BlockSizeError is returned for a block size, in bytes, that MGM is not defined for.
type BlockSizeError int

func (n BlockSizeError) Error() string {
	return "mgm: unsupported block size " + strconv.Itoa(int(n)) + ", must be 8 or 16"
}

// TagSizeError is returned for a tag size, in bytes, that is out of range.
type TagSizeError int

func (n TagSizeError) Error() string {
	return "mgm: invalid tag size " + strconv.Itoa(int(n)) + ", must be 4 to the block size"
}

var errOpen = errors.New("mgm: message authentication failed")

// New returns an MGM over b, a cipher of 8- or 16-byte blocks. The nonce has one
// byte less than the block, the tag is as long as the block.
//
// The value ICN of the RFC is a zero byte and the nonce. The RFC excludes an
// empty message with empty additional data, where its formula would give the same
// tag E(0) under every nonce. Here that tag is E(H_1), with H_1 = E(Z_1) as in the
// RFC, which is bound to the nonce.
func New(b cipher.Block) (cipher.AEAD, error) {
	k, err := kernel(b)
	if err != nil {
		return nil, err
	}
	size := k.BlockSize()
	s := &scheme{k: k, counter: batch.CounterOf(k), size: size, pad: 1}
	p := &authenc.Params{
		Name: "mgm", NonceSize: size - 1, Overhead: size, Err: errOpen,
		Check: func(_ []byte, text, aad uint64) string { return checkLength(size, text, aad) },
	}
	return authenc.New(p, s), nil
}

// NewRFC9058 returns an MGM over b, a cipher of 8- or 16-byte blocks, with the
// RFC's nonce and a tag cut to its first tagSize bytes, 4 to the block size.
//
// The nonce is as long as the block and its first bit must be 0; for a set bit
// Seal panics and Open fails. TLS 1.3 (RFC 9367) clears the bit of the IV once,
// which the sequence number cannot reach. For an empty message with empty
// additional data, which the RFC excludes, Seal panics and Open fails. Package
// xcipher/aead/randnonce refuses the result, as half of its nonces are invalid; it
// takes that of New.
func NewRFC9058(b cipher.Block, tagSize int) (cipher.AEAD, error) {
	k, err := kernel(b)
	if err != nil {
		return nil, err
	}
	size := k.BlockSize()
	if tagSize < 4 || tagSize > size {
		return nil, TagSizeError(tagSize)
	}
	s := &scheme{k: k, counter: batch.CounterOf(k), size: size}
	p := &authenc.Params{
		Name: "mgm", NonceSize: size, Overhead: tagSize, Err: errOpen,
		Check: func(nonce []byte, text, aad uint64) string {
			switch {
			case nonce[0]&0x80 != 0:
				return "first bit of the nonce is set"
			case text == 0 && aad == 0:
				return "empty message with empty additional data"
			}
			return checkLength(size, text, aad)
		},
	}
	return authenc.New(p, s), nil
}

func kernel(b cipher.Block) (batch.Kernel, error) {
	k := batch.Of(b)
	if size := k.BlockSize(); size != 8 && size != 16 {
		return nil, BlockSizeError(size)
	}
	return k, nil
}

// checkLength enforces RFC 9058 section 4.1: the length of additional data and
// message together is below 2^(n/2) bits.
func checkLength(size int, text, aad uint64) string {
	limit := uint64(1) << (size*4 - 3) // bytes
	if text >= limit || aad >= limit || text+aad >= limit {
		return "message too large"
	}
	return ""
}
