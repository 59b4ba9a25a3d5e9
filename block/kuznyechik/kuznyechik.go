// Package kuznyechik implements the block cipher Kuznyechik of GOST R 34.12-2015
// (n = 128), which is also GOST 34.12-2018 and RFC 7801: blocks of 16 bytes, keys
// of 32.
//
// A block alone encrypts 16 bytes and protects nothing else; use it through a
// mode, best an authenticated one, such as MGM or GCM. CTR needs an IV that never
// repeats under a key, counters included: in the CTR mode of GOST R 34.13-2015 it
// is a nonce of 8 bytes followed by 8 zero bytes, which cipher.NewCTR takes in that
// form. Stay far below 2^64 blocks under one key, the birthday bound.
//
// The package is constant-time in every tier: key set-up, encryption and decryption
// have no branch and no memory address that depends on keys or data. The generic tier
// multiplies 64-bit words, which the CPU must do in the same time for all of them.
package kuznyechik

import (
	"crypto/cipher"
	"strconv"

	"xcipher/internal/batch"
)

const (
	KeySize   = 32 // size of a key in bytes
	BlockSize = 16 // size of a block in bytes
)

// KeySizeError is returned by NewCipher for a key of another size than KeySize.
type KeySizeError int

func (k KeySizeError) Error() string {
	return "kuznyechik: invalid key size " + strconv.Itoa(int(k))
}

// NewCipher returns a cipher.Block for a key of KeySize bytes. It is safe for
// concurrent use. cipher.NewCTR, NewCBCEncrypter and NewCBCDecrypter, and the
// modes of this module, reach its code for many blocks at once.
func NewCipher(key []byte) (cipher.Block, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	return batch.New("kuznyechik", newRoundKeys(key)), nil
}

// roundKeys are a batch.Kernel, a batch.Counter and a batch.Chain.
type roundKeys struct {
	encrypt, decrypt schedule
	kernelKeys
}

func newRoundKeys(key []byte) *roundKeys {
	k := new(roundKeys)
	k.expand(key)
	return k
}

func (k *roundKeys) BlockSize() int { return BlockSize }

func (k *roundKeys) EncryptBlocks(dst, src []byte) { k.encryptBlocks(dst, src) }

func (k *roundKeys) DecryptBlocks(dst, src []byte) { k.decryptBlocks(dst, src) }

func (k *roundKeys) XORCounter(dst, src, ctr []byte, from, to int) {
	k.xorCounter(dst, src, ctr, from, to)
}

func (k *roundKeys) Chain(dst, src, st []byte) { k.chain(dst, src, st) }
