package gost3413_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"io"
	"log"

	"xcipher/block/gost3413"
	"xcipher/block/kuznyechik"
)

func exampleBlock() cipher.Block {
	key, _ := hex.DecodeString("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
	block, err := kuznyechik.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	return block
}

var exampleText, _ = hex.DecodeString("1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a")

// The example of GOST R 34.13-2015 section A.1.2, read through a StreamReader.
func ExampleNewCTR() {
	iv, _ := hex.DecodeString("1234567890abcef0") // half a block
	r := cipher.StreamReader{S: gost3413.NewCTR(exampleBlock(), iv), R: bytes.NewReader(exampleText)}
	ct, err := io.ReadAll(r)
	fmt.Printf("%x %v\n", ct, err)
	// Output: f195d8bec10ed1dbd57b5fa240bda1b885eee733f6a13e5df33ce4b33c45dee4 <nil>
}

// Sections A.1.3 to A.1.5 have registers of two blocks.
var exampleIV, _ = hex.DecodeString("1234567890abcef0a1b2c3d4e5f0011223344556677889901213141516171819")

func ExampleNewOFB() {
	ct := make([]byte, len(exampleText))
	gost3413.NewOFB(exampleBlock(), exampleIV).XORKeyStream(ct, exampleText)
	fmt.Printf("%x\n", ct)
	// Output: 81800a59b1842b24ff1f795e897abd95ed5b47a7048cfab48fb521369d9326bf
}

func ExampleNewCBCEncrypter() {
	ct := make([]byte, len(exampleText))
	gost3413.NewCBCEncrypter(exampleBlock(), exampleIV).CryptBlocks(ct, exampleText)
	fmt.Printf("%x\n", ct)
	gost3413.NewCBCDecrypter(exampleBlock(), exampleIV).CryptBlocks(ct, ct)
	fmt.Println(bytes.Equal(ct, exampleText))
	// Output:
	// 689972d4a085fa4d90e52e3d6d7dcc272826e661b478eca6af1e8e448d5ea5ac
	// true
}

func ExampleNewCFBEncrypter() {
	ct := make([]byte, len(exampleText))
	gost3413.NewCFBEncrypter(exampleBlock(), exampleIV).XORKeyStream(ct, exampleText)
	fmt.Printf("%x\n", ct)
	gost3413.NewCFBDecrypter(exampleBlock(), exampleIV).XORKeyStream(ct, ct)
	fmt.Println(bytes.Equal(ct, exampleText))
	// Output:
	// 81800a59b1842b24ff1f795e897abd95ed5b47a7048cfab48fb521369d9326bf
	// true
}
