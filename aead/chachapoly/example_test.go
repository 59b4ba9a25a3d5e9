package chachapoly_test

import (
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"log"

	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/aead/chachapoly"
)

// The constructor takes the place of that of golang.org/x/crypto: each opens what
// the other has sealed.
func ExampleNew() {
	key := []byte("an example key with thirty-two b") // take it from crypto/rand
	nonce := []byte("message 0001")                   // counted

	var theirs, ours cipher.AEAD
	theirs, err := chacha20poly1305.New(key)
	if err != nil {
		log.Fatal(err)
	}
	ours, err = chachapoly.New(key)
	if err != nil {
		log.Fatal(err)
	}
	sealed := theirs.Seal(nil, nonce, []byte("Attack at dawn."), nil)
	fmt.Printf("%x\n", sealed)
	fmt.Printf("%x\n", ours.Seal(nil, nonce, []byte("Attack at dawn."), nil))

	text, err := ours.Open(nil, nonce, sealed, nil)
	fmt.Printf("%s %v\n", text, err)

	sealed[0] ^= 1
	_, err = ours.Open(nil, nonce, sealed, nil)
	fmt.Println(err)

	// Output:
	// 09a70738bea15354ea3c3a87abefcbe0e1f21c5960ac0ecd0d3e525efcc859
	// 09a70738bea15354ea3c3a87abefcbe0e1f21c5960ac0ecd0d3e525efcc859
	// Attack at dawn. <nil>
	// chachapoly: message authentication failed
}

// Nonces of 24 bytes may be random. This one goes before the ciphertext; package
// randnonce does the same.
func ExampleNewX() {
	key := make([]byte, chachapoly.KeySize)
	rand.Read(key)
	aead, err := chachapoly.NewX(key)
	if err != nil {
		log.Fatal(err)
	}

	text, header := []byte("Attack at dawn."), []byte("to: everyone")
	nonce := make([]byte, chachapoly.NonceSizeX, chachapoly.NonceSizeX+len(text)+chachapoly.Overhead)
	rand.Read(nonce)
	sealed := aead.Seal(nonce, nonce, text, header)
	fmt.Println(len(sealed), "bytes")

	nonce, sealed = sealed[:chachapoly.NonceSizeX], sealed[chachapoly.NonceSizeX:]
	text, err = aead.Open(nil, nonce, sealed, header)
	fmt.Printf("%s %v\n", text, err)

	// Output:
	// 55 bytes
	// Attack at dawn. <nil>
}
