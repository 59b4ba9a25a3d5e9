// Package magma implements the block cipher Magma of GOST R 34.12-2015 (n = 64),
// which is also GOST 34.12-2018 and RFC 8891: blocks of 8 bytes, keys of 32.
// It is GOST 28147-89 with its substitution boxes fixed and its bytes in
// big-endian order.
//
// A block alone encrypts 8 bytes and protects nothing else; use it through a
// mode, best an authenticated one. Its 64 bits are few: under one key, CTR and
// CBC begin to leak after 2^32 blocks (32 GiB), the birthday bound, and must stay
// far below that. GOST practice changes the key after a few MiB at most. CTR
// moreover needs a nonce that never repeats under a key. New designs should take
// package kuznyechik, the cipher with 128-bit blocks of the same standard.
//
// The package is constant-time: key set-up, encryption and decryption have no
// branch and no memory address that depends on keys or data.
package magma

import (
	"crypto/cipher"
	"encoding/binary"
	"strconv"

	"xcipher/internal/batch"
)

const (
	KeySize   = 32 // size of a key in bytes
	BlockSize = 8  // size of a block in bytes
)

// KeySizeError is returned by NewCipher for a key of another size than KeySize.
type KeySizeError int

func (k KeySizeError) Error() string {
	return "magma: invalid key size " + strconv.Itoa(int(k))
}

// NewCipher returns a cipher.Block for a key of KeySize bytes. It is safe for
// concurrent use. cipher.NewCTR, NewCBCEncrypter and NewCBCDecrypter, and the
// modes of this module, reach its code for many blocks at once.
func NewCipher(key []byte) (cipher.Block, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	return batch.New("magma", newKeyWords(key)), nil
}

// keyWords is the key as K_1 .. K_8 of RFC 8891, section 4.3. They are the whole
// key schedule: the 32 round keys only repeat them. It is a batch.Kernel, a
// batch.Counter and a batch.Chain.
type keyWords [8]uint32

func newKeyWords(key []byte) *keyWords {
	k := new(keyWords)
	for i := range k {
		k[i] = binary.BigEndian.Uint32(key[4*i:])
	}
	return k
}

func (k *keyWords) BlockSize() int { return BlockSize }

func (k *keyWords) EncryptBlocks(dst, src []byte) { crypt(k, dst, src, encrypt) }

func (k *keyWords) DecryptBlocks(dst, src []byte) { crypt(k, dst, src, decrypt) }

func (k *keyWords) XORCounter(dst, src, ctr []byte, from, to int) {
	counterBlocks(k, dst, src, ctr, from, to)
}

func (k *keyWords) Chain(dst, src, st []byte) { chain(k, dst, src, st) }
