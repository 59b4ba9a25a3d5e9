package ecb_test

import (
	"encoding/hex"
	"fmt"
	"log"

	"xcipher/block/ecb"
	"xcipher/block/kuznyechik"
)

// The example of GOST R 34.13-2015 section A.1.1.
func Example() {
	key, _ := hex.DecodeString("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
	block, err := kuznyechik.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	text, _ := hex.DecodeString("1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a")
	ecb.NewEncrypter(block).CryptBlocks(text, text)
	fmt.Printf("%x\n", text)
	ecb.NewDecrypter(block).CryptBlocks(text, text)
	fmt.Printf("%x\n", text)
	// Output:
	// 7f679d90bebc24305a468d42b9d4edcdb429912c6e0032f9285452d76718d08b
	// 1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a
}
