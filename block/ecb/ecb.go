// Package ecb implements electronic codebook mode over any cipher.Block, the one
// basic mode that crypto/cipher lacks (NIST SP 800-38A section 6.1; GOST R
// 34.13-2015 section 5.1).
//
// ECB shows which blocks of a message are equal, and authenticates nothing. It
// is here for formats that prescribe it and as a building block; to protect data
// use an AEAD, such as xcipher/aead/mgm.
//
// Whole blocks only: padding is left to the caller. Over the ciphers of this
// module many blocks are done at once, in constant time.
package ecb

import (
	"crypto/cipher"

	"xcipher/internal/batch"
)

type encrypter struct {
	k    batch.Kernel
	size int
}

// NewEncrypter returns a BlockMode that encrypts in ECB mode over b. Its
// CryptBlocks panics as those of crypto/cipher do: if the input is not whole
// blocks, if the output is shorter, and if they overlap inexactly.
func NewEncrypter(b cipher.Block) cipher.BlockMode {
	k := batch.Of(b)
	return &encrypter{k, k.BlockSize()}
}

func (m *encrypter) BlockSize() int { return m.size }

func (m *encrypter) CryptBlocks(dst, src []byte) {
	batch.CheckBlocks("ecb", m.size, dst, src)
	m.k.EncryptBlocks(dst[:len(src)], src)
}

type decrypter encrypter

// NewDecrypter returns a BlockMode that decrypts in ECB mode over b, with the
// panics of NewEncrypter.
func NewDecrypter(b cipher.Block) cipher.BlockMode {
	k := batch.Of(b)
	return &decrypter{k, k.BlockSize()}
}

func (m *decrypter) BlockSize() int { return m.size }

func (m *decrypter) CryptBlocks(dst, src []byte) {
	batch.CheckBlocks("ecb", m.size, dst, src)
	m.k.DecryptBlocks(dst[:len(src)], src)
}
