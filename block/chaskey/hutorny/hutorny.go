// Package hutorny is broken: whoever knows one block of a message computes the
// key. It reads and writes data of the CBC mode of hutorny/chaskey v1.4, byte for
// byte, so that such data can be moved to something else, and serves no other
// purpose.
//
// That mode chains F(x) = pi(x) ^ K, where pi is the public 8-round Chaskey
// permutation. The key is added to the output only, so that
//
//	K = C[i] ^ pi(C[i-1] ^ M[i])
//
// for every known plaintext block M[i] but the first, and all messages under K
// are lost with it. Treat the keys of old data as published, and choose a new one.
//
// Use package block/chaskey with cipher.NewCBCEncrypter for the real CBC mode, or
// better an AEAD, such as package aead/cloc over block/chaskey.
//
// Keys, blocks and explicit initialisation vectors have 16 bytes. Instead of an
// initialisation vector there may be a nonce of any length; nonces that differ
// only in zero bytes at the end of the last block are the same. The library filled
// the last block of a message with zeros, encrypted an empty message as one block
// of zeros, and did not store the length: padding is left to the caller here, and
// CryptBlocks panics when it is given a partial block.
//
// The code is constant-time.
package hutorny

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
	IVSize    = 16
)

// KeySizeError is the length of a key that is not KeySize bytes long.
type KeySizeError int

func (e KeySizeError) Error() string {
	return "hutorny: invalid key size " + strconv.Itoa(int(e))
}

// IVSizeError is the length of an initialisation vector that is not IVSize bytes
// long.
type IVSizeError int

func (e IVSizeError) Error() string {
	return "hutorny: invalid IV size " + strconv.Itoa(int(e)) + ": want 16"
}

// NewCBCEncrypter returns a BlockMode that encrypts after a nonce of any length.
//
// Deprecated: one known block of plaintext gives the key. Use package
// block/chaskey with cipher.NewCBCEncrypter.
func NewCBCEncrypter(key, nonce []byte) (cipher.BlockMode, error) {
	c, err := newCipher(key)
	if err != nil {
		return nil, err
	}
	return c.NewCBCEncrypter(startNonce(key, nonce)), nil
}

// NewCBCDecrypter returns a BlockMode that decrypts what NewCBCEncrypter with the
// same key and nonce encrypted.
//
// Deprecated: for old data only, which anyone can decrypt who knows one block of
// it. Use package block/chaskey with cipher.NewCBCDecrypter.
func NewCBCDecrypter(key, nonce []byte) (cipher.BlockMode, error) {
	c, err := newCipher(key)
	if err != nil {
		return nil, err
	}
	return c.NewCBCDecrypter(startNonce(key, nonce)), nil
}

// NewCBCEncrypterIV returns a BlockMode that encrypts after an initialisation
// vector of IVSize bytes.
//
// Deprecated: one known block of plaintext gives the key. Use package
// block/chaskey with cipher.NewCBCEncrypter.
func NewCBCEncrypterIV(key, iv []byte) (cipher.BlockMode, error) {
	c, err := newCipher(key)
	if err != nil {
		return nil, err
	}
	if len(iv) != IVSize {
		return nil, IVSizeError(len(iv))
	}
	return c.NewCBCEncrypter(startIV(key, iv)), nil
}

// NewCBCDecrypterIV returns a BlockMode that decrypts what NewCBCEncrypterIV with
// the same key and initialisation vector encrypted.
//
// Deprecated: for old data only, which anyone can decrypt who knows one block of
// it. Use package block/chaskey with cipher.NewCBCDecrypter.
func NewCBCDecrypterIV(key, iv []byte) (cipher.BlockMode, error) {
	c, err := newCipher(key)
	if err != nil {
		return nil, err
	}
	if len(iv) != IVSize {
		return nil, IVSizeError(len(iv))
	}
	return c.NewCBCDecrypter(startIV(key, iv)), nil
}

// newCipher returns F. Both modes are ordinary CBC over F from some start value.
func newCipher(key []byte) (*batch.Cipher, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	return batch.New("hutorny", chaskey.NewHutornyKernel(key)), nil
}

// startIV returns K ^ iv.
func startIV(key, iv []byte) []byte {
	c0 := make([]byte, BlockSize)
	chaskey.Load(key).XOR(chaskey.Load(iv)).Store(c0)
	return c0
}

// startNonce returns the chain of F over the nonce from 2K, as a MAC would. The
// nonce is filled with zeros to whole blocks, at least one.
func startNonce(key, nonce []byte) []byte {
	blocks := max(1, (len(nonce)+BlockSize-1)/BlockSize)
	padded := make([]byte, blocks*BlockSize)
	copy(padded, nonce)
	c0 := make([]byte, BlockSize)
	chaskey.Load(key).Double().Store(c0)
	chaskey.NewHutornyKernel(key).Chain(nil, padded, c0)
	return c0
}
