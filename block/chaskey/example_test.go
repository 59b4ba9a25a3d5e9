package chaskey_test

import (
	"crypto/cipher"
	"fmt"

	"xcipher/block/chaskey"
)

func ExampleNewCipher12() {
	key := []byte("0123456789abcdef")
	block, err := chaskey.NewCipher12(key)
	if err != nil {
		panic(err)
	}
	ct := make([]byte, chaskey.BlockSize)
	block.Encrypt(ct, []byte("exactly one bloc"))
	pt := make([]byte, chaskey.BlockSize)
	block.Decrypt(pt, ct)
	fmt.Printf("%x\n%s\n", ct, pt)
	// Output:
	// 39a9252c9d138ae9fbf66c91f5e35066
	// exactly one bloc
}

// A Block fits everything in the standard library that takes one.
func ExampleNewCipher12_gcm() {
	key := []byte("0123456789abcdef")
	block, err := chaskey.NewCipher12(key)
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	nonce := make([]byte, aead.NonceSize()) // use a nonce once only
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), nil)
	msg, err := aead.Open(nil, nonce, sealed, nil)
	fmt.Println(string(msg), err)
	// Output: attack at dawn <nil>
}
