// Package saturnin implements the Saturnin block cipher as a cipher.Block.
//
// It has blocks of 32 bytes and keys of 32 bytes, and was made with quantum
// computers in mind. The specification is "Saturnin: a suite of lightweight
// symmetric algorithms for post-quantum security", version 1.1 of 2019, by
// Canteaut, Duval, Leurent, Naya-Plasencia, Perrin, Pornin and Schrottenloher
// (round 2 of NIST's lightweight cryptography project; Saturnin was no finalist).
// Its authors claim security up to time and data of 2^224 for one key; keys that
// are related to each other need at least 16 super-rounds.
//
// A block cipher alone protects no message: it lacks a mode, a nonce and a tag.
// Use xcipher/aead/saturnin for messages and xcipher/hash/saturnin for hashing.
// With cipher.NewCTR an IV must never repeat under one key, nor may the counters
// of two messages overlap.
//
// The code is constant-time.
package saturnin

import (
	"crypto/cipher"
	"errors"
	"strconv"

	"xcipher/internal/batch"
	"xcipher/internal/saturnin"
)

const (
	// KeySize is the size of a key in bytes.
	KeySize = saturnin.KeySize

	// BlockSize is the size of a block in bytes.
	BlockSize = saturnin.BlockSize
)

// KeySizeError is returned for a key of another size than KeySize.
type KeySizeError int

func (n KeySizeError) Error() string {
	return "saturnin: invalid key size " + strconv.Itoa(int(n))
}

var domain0 = saturnin.NewDomain(10, 0)

// NewCipher returns the block cipher of the specification, with 10 super-rounds
// and domain 0. The key must have KeySize bytes.
//
// The block can be used by several goroutines at once. crypto/cipher's CTR and
// CBC modes run faster over it than block by block.
func NewCipher(key []byte) (cipher.Block, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	return batch.New("saturnin", saturnin.NewCipher(domain0, key)), nil
}

// NewCipherWithDomain is NewCipher with 10 to 31 super-rounds and a domain of 0 to
// 15: with different domains, or numbers of super-rounds, a key gives independent
// ciphers.
//
// Domains 1 to 6 with 10 super-rounds and 7 and 8 with 16 belong to the
// specification's own modes, and must not be used with a key that those use, too.
func NewCipherWithDomain(key []byte, superRounds, domain int) (cipher.Block, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	if superRounds < 10 || superRounds > saturnin.MaxSuperRounds {
		return nil, errors.New("saturnin: number of super-rounds must be 10 to 31")
	}
	if domain < 0 || domain > saturnin.MaxDomain {
		return nil, errors.New("saturnin: domain must be 0 to 15")
	}
	return batch.New("saturnin", saturnin.NewCipher(saturnin.NewDomain(superRounds, domain), key)), nil
}
