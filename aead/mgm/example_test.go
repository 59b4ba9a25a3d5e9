package mgm_test

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log"

	"xcipher/aead/mgm"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
)

// Code that was written for cipher.NewGCM takes MGM with one constructor changed.
func ExampleNew() {
	key := make([]byte, kuznyechik.KeySize)
	rand.Read(key)
	block, err := kuznyechik.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := mgm.New(block) // was: cipher.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	sealed := seal(aead, "message")
	text, err := open(aead, sealed)
	fmt.Println(text, err)

	sealed[len(sealed)-1] ^= 1
	_, err = open(aead, sealed)
	fmt.Println(err)
	// Output:
	// message <nil>
	// mgm: message authentication failed
}

// seal puts a random nonce before the ciphertext.
func seal(aead cipher.AEAD, text string) []byte {
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(text)+aead.Overhead())
	rand.Read(nonce)
	return aead.Seal(nonce, nonce, []byte(text), nil)
}

func open(aead cipher.AEAD, sealed []byte) (string, error) {
	text, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], nil)
	return string(text), err
}

// The second example of RFC 9058 for Magma. In TLS 1.3 (RFC 9367) the first bit
// of the IV is cleared once, before the sequence number is added.
func ExampleNewRFC9058() {
	key, _ := hex.DecodeString("99aabbccddeeff0011223344556677fedcba98765432100123456789abcdef88")
	block, err := magma.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := mgm.NewRFC9058(block, 8)
	if err != nil {
		log.Fatal(err)
	}
	nonce, _ := hex.DecodeString("0077665544332211")
	text, _ := hex.DecodeString("22334455667700ff")
	fmt.Printf("%x\n", aead.Seal(nil, nonce, text, nil))
	// Output: 6a95e1426b259d4e334ee270450bec9e
}
