package cloc_test

import (
	"fmt"

	"xcipher/aead/cloc"
	"xcipher/block/chaskey"
)

func ExampleNew() {
	block, err := chaskey.NewCipher12([]byte("0123456789abcdef"))
	if err != nil {
		panic(err)
	}
	aead, err := cloc.New(block)
	if err != nil {
		panic(err)
	}
	nonce := []byte("message 0001") // use a nonce once only
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), []byte("to: general"))
	fmt.Printf("%x\n", sealed)

	msg, err := aead.Open(nil, nonce, sealed, []byte("to: general"))
	fmt.Println(string(msg), err)
	_, err = aead.Open(nil, nonce, sealed, []byte("to: corporal"))
	fmt.Println(err)
	// Output:
	// a50c0b192ab0e754060a58229daf57720ebd9c59f22f0c348edcd6eb796e
	// attack at dawn <nil>
	// cloc: message authentication failed
}

func ExampleNewAES128() {
	aead, err := cloc.NewAES128([]byte("0123456789abcdef"))
	if err != nil {
		panic(err)
	}
	nonce := []byte("message 0001") // use a nonce once only
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), nil)
	msg, err := aead.Open(nil, nonce, sealed, nil)
	fmt.Println(aead.Overhead(), string(msg), err)
	// Output: 8 attack at dawn <nil>
}
