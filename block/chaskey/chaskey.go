// Package chaskey implements the Chaskey block cipher as a cipher.Block, with 8,
// 12 or 16 rounds: 128-bit blocks, 128-bit keys.
//
// The cipher is the core of the Chaskey MAC by N. Mouha, B. Mennink, A. Van
// Herrewege, D. Watanabe, B. Preneel and I. Verbauwhede, "Chaskey: An Efficient
// MAC Algorithm for 32-bit Microcontrollers", SAC 2014: a permutation pi of
// additions, rotations and exclusive ors between two additions of the key,
// E(x) = pi(x ^ K) ^ K. ISO/IEC 29192-6:2019 has the 12-round form. For
// authentication use package mac/chaskey, which does not go through this cipher.
//
// Choose NewCipher12 for new designs. Published attacks reach 7 rounds, which
// leaves NewCipher8 a margin of one: it is here for what is already in use.
// NewCipherLTS, with 16 rounds, is the designers' choice for long-term security.
//
// An attacker who sees D blocks under one key and computes pi T times finds the
// key when D*T reaches 2^128, and modes lose their security near 2^64 blocks: stay
// below 2^48 blocks (4 PiB) under one key. Where the processor has AES
// instructions, crypto/aes is fast too, and better studied.
//
// Because pi has no constants, pi(0) = 0 and E(K) = K under every key. That is a
// property of the cipher and gives no attack.
//
// The cipher is constant-time: it uses no tables and no branches on data.
package chaskey

import (
	"crypto/cipher"
	"strconv"

	"xcipher/internal/batch"
	"xcipher/internal/chaskey"
)

// Sizes in bytes.
const (
	KeySize   = 16
	BlockSize = 16
)

// KeySizeError is the length of a key that is not KeySize bytes long.
type KeySizeError int

func (e KeySizeError) Error() string {
	return "chaskey: invalid key size " + strconv.Itoa(int(e))
}

// NewCipher8 returns Chaskey with 8 rounds, the number of the original paper.
func NewCipher8(key []byte) (cipher.Block, error) { return newCipher(key, chaskey.Rounds8) }

// NewCipher12 returns Chaskey-12, with 12 rounds.
func NewCipher12(key []byte) (cipher.Block, error) { return newCipher(key, chaskey.Rounds12) }

// NewCipherLTS returns Chaskey-LTS, with 16 rounds.
func NewCipherLTS(key []byte) (cipher.Block, error) { return newCipher(key, chaskey.Rounds16) }

func newCipher(key []byte, rounds int) (cipher.Block, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	return batch.New("chaskey", chaskey.NewKernel(key, rounds)), nil
}
