package randnonce_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"log"

	"xcipher/aead/chachapoly"
	"xcipher/aead/randnonce"
)

// No nonce is to be made, stored or passed on.
func ExampleNew() {
	key := make([]byte, chachapoly.KeySize)
	rand.Read(key)
	xchacha, err := chachapoly.NewX(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := randnonce.New(xchacha)
	if err != nil {
		log.Fatal(err)
	}

	sealed := aead.Seal(nil, nil, []byte("Attack at dawn."), nil)
	fmt.Println(len(sealed), "bytes,", aead.Overhead(), "of them nonce and tag")

	text, err := aead.Open(nil, nil, sealed, nil)
	fmt.Printf("%s %v\n", text, err)

	// Output:
	// 55 bytes, 40 of them nonce and tag
	// Attack at dawn. <nil>
}

// Over AES-GCM it is cipher.NewGCMWithRandomNonce.
func ExampleNew_standard() {
	key := make([]byte, 32)
	rand.Read(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	ours, err := randnonce.New(gcm)
	if err != nil {
		log.Fatal(err)
	}
	standard, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		log.Fatal(err)
	}

	text, err := ours.Open(nil, nil, standard.Seal(nil, nil, []byte("Attack at dawn."), nil), nil)
	fmt.Printf("%s %v\n", text, err)
	text, err = standard.Open(nil, nil, ours.Seal(nil, nil, []byte("Retreat at dusk."), nil), nil)
	fmt.Printf("%s %v\n", text, err)

	// Output:
	// Attack at dawn. <nil>
	// Retreat at dusk. <nil>
}
