package kuznyechik_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"xcipher/block/kuznyechik"
)

// A block alone: the example of RFC 7801, section 5.5.
func ExampleNewCipher() {
	key, _ := hex.DecodeString("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
	block, err := kuznyechik.NewCipher(key)
	if err != nil {
		panic(err)
	}

	text, _ := hex.DecodeString("1122334455667700ffeeddccbbaa9988")
	block.Encrypt(text, text)
	fmt.Printf("%x\n", text)
	// Output: 7f679d90bebc24305a468d42b9d4edcd
}

// CTR of GOST R 34.13-2015: the first counter block is a nonce of half a block
// and then zeros. CTR does not authenticate; an AEAD such as MGM does.
func ExampleNewCipher_ctr() {
	key, _ := hex.DecodeString("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
	block, err := kuznyechik.NewCipher(key)
	if err != nil {
		panic(err)
	}

	nonce, _ := hex.DecodeString("1234567890abcef0") // never twice under the same key
	iv := make([]byte, kuznyechik.BlockSize)
	copy(iv, nonce)

	ciphertext, _ := hex.DecodeString("b4df8edaf31ac7a859fded1e8b72" +
		"4a10ef8aa870c1d4395e5bc12f7f9e85")
	plaintext := cipher.StreamReader{S: cipher.NewCTR(block, iv), R: bytes.NewReader(ciphertext)}
	if _, err := io.Copy(os.Stdout, plaintext); err != nil {
		panic(err)
	}
	// Output: The grasshopper jumps at dawn.
}

// A program that uses AES-GCM takes Kuznyechik by its constructor alone.
func ExampleNewCipher_gcm() {
	key := make([]byte, kuznyechik.KeySize) // a secret one, of course
	block, err := kuznyechik.NewCipher(key) // was: aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}

	nonce := make([]byte, aead.NonceSize()) // never twice under the same key
	sealed := aead.Seal(nil, nonce, []byte("swap one line"), []byte("header"))
	opened, err := aead.Open(nil, nonce, sealed, []byte("header"))
	fmt.Printf("%s, %v\n", opened, err)
	sealed[0] ^= 1
	_, err = aead.Open(nil, nonce, sealed, []byte("header"))
	fmt.Println(err)
	// Output:
	// swap one line, <nil>
	// cipher: message authentication failed
}
