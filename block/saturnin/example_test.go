package saturnin_test

import (
	"crypto/cipher"
	"fmt"

	"xcipher/block/saturnin"
)

func ExampleNewCipher() {
	key := make([]byte, saturnin.KeySize) // use a random one
	b, err := saturnin.NewCipher(key)
	if err != nil {
		panic(err)
	}
	block := make([]byte, b.BlockSize())
	b.Encrypt(block, block)
	fmt.Printf("%x\n", block)
	b.Decrypt(block, block)
	fmt.Printf("%x\n", block)
	// Output:
	// 28bae492be666af5fb1e822b9db8fd777eb083494a7231de4fcb6d8e659597ba
	// 0000000000000000000000000000000000000000000000000000000000000000
}

// The IV of CTR is a whole block of 32 bytes: here a nonce of 16, and as many for the
// counter.
func ExampleNewCipher_ctr() {
	key := make([]byte, saturnin.KeySize) // use a random one
	b, err := saturnin.NewCipher(key)
	if err != nil {
		panic(err)
	}
	iv := make([]byte, b.BlockSize())
	copy(iv, "nonce number 001")
	text := []byte("hidden, but not protected against changes")
	cipher.NewCTR(b, iv).XORKeyStream(text, text)
	cipher.NewCTR(b, iv).XORKeyStream(text, text)
	fmt.Printf("%s\n", text)
	// Output: hidden, but not protected against changes
}
