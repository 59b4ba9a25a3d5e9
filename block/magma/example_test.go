package magma_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"xcipher/block/magma"
)

// A block alone: the example of RFC 8891, appendix A.4.
func ExampleNewCipher() {
	key, _ := hex.DecodeString("ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
	block, err := magma.NewCipher(key)
	if err != nil {
		panic(err)
	}

	text, _ := hex.DecodeString("fedcba9876543210")
	block.Encrypt(text, text)
	fmt.Printf("%x\n", text)
	// Output: 4ee901e5c2d8ca3d
}

// CTR of GOST R 34.13-2015: the first counter block is a nonce of half a block
// and then zeros. CTR does not authenticate; an AEAD such as MGM does.
func ExampleNewCipher_ctr() {
	key, _ := hex.DecodeString("ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
	block, err := magma.NewCipher(key)
	if err != nil {
		panic(err)
	}

	nonce, _ := hex.DecodeString("12345678") // never twice under the same key
	iv := make([]byte, magma.BlockSize)
	copy(iv, nonce)

	ciphertext, _ := hex.DecodeString("882e8447c6c5d4088451a9ff4f9da22c" +
		"2bd511cf0569f9d7a8f3d670d58bb0016637773b3493576397bca2")
	plaintext := cipher.StreamReader{S: cipher.NewCTR(block, iv), R: bytes.NewReader(ciphertext)}
	if _, err := io.Copy(os.Stdout, plaintext); err != nil {
		panic(err)
	}
	// Output: The magma chamber lies two kilometres deep.
}
