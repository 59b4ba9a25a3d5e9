// Package aesni is AES-128 (FIPS 197, 2001, updated in 2023) as a kernel for package
// batch. crypto/aes does not show its round keys, and offers no more than a block at
// a time to other modes than its own.
//
// Key and block 16 bytes. On amd64 with AVX2 all is done by AES instructions, the key
// expansion too, and is constant-time. Elsewhere, and without assembly, the kernel
// calls crypto/aes, which is constant-time where that uses AES instructions of its own.
package aesni

import (
	"crypto/aes"

	"xcipher/internal/batch"
)

// Sizes in bytes.
const (
	BlockSize = 16
	KeySize   = 16
)

// New returns AES under a key of KeySize bytes.
func New(key []byte) (batch.Kernel, error) {
	if len(key) != KeySize {
		return nil, aes.KeySizeError(len(key))
	}
	if useAVX2 {
		return newKernel(key), nil
	}
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return batch.Of(b), nil
}
