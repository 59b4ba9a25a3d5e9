package chacha_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"os"

	"xcipher/stream/chacha"
)

// Keys and nonces are fixed here, as the output is. Take keys from crypto/rand,
// never use a nonce twice with one key, nor a key for two forms of the cipher.
var (
	key    = []byte("an example key with thirty-two b")
	keyX   = []byte("another one, for XChaCha streams")
	master = []byte("and one that encrypts no message")
)

// The same key stream encrypts and decrypts, here through an io.Reader.
func ExampleNew20() {
	nonce := []byte("message 0001")

	s, err := chacha.New20(key, nonce)
	if err != nil {
		log.Fatal(err)
	}
	text := []byte("Attack at dawn.\n")
	s.XORKeyStream(text, text)
	fmt.Println(hex.EncodeToString(text))

	s, err = chacha.New20(key, nonce)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, cipher.StreamReader{S: s, R: bytes.NewReader(text)}); err != nil {
		log.Fatal(err)
	}

	// Output:
	// 79ed381ab266a99b968cd338209dd6b1
	// Attack at dawn.
}

// A nonce of 24 bytes makes it XChaCha20. That is long enough for random nonces:
// fill it from crypto/rand, and send it along with the message.
func ExampleNew20_xChaCha() {
	nonce := []byte("24 bytes of crypto/rand.")
	s, err := chacha.New20(keyX, nonce)
	if err != nil {
		log.Fatal(err)
	}
	text := []byte("Attack at dawn.")
	s.XORKeyStream(text, text)
	fmt.Println(hex.EncodeToString(text))

	// Output:
	// 471ac3102a427bd22a0c95dc22a2a7
}

// Seek to byte 1000 of an encrypted file: start at the block that holds it, and
// pass over what comes before it in that block.
func ExampleNewWithCounter() {
	nonce := []byte("file 0000042")
	file := bytes.Repeat([]byte("0123456789"), 200)
	s, err := chacha.New12(key, nonce)
	if err != nil {
		log.Fatal(err)
	}
	s.XORKeyStream(file, file)

	const offset = 1000
	s, err = chacha.NewWithCounter(12, key, nonce, offset/chacha.BlockSize)
	if err != nil {
		log.Fatal(err)
	}
	var skip [offset % chacha.BlockSize]byte
	s.XORKeyStream(skip[:], skip[:])
	part := file[offset:][:10]
	s.XORKeyStream(part, part)
	fmt.Printf("%s\n", part)

	// Output:
	// 0123456789
}

// HChaCha makes one key per context from a master key: the 16 bytes may hold
// whatever tells the contexts apart.
func ExampleHChaCha() {
	subkey, err := chacha.HChaCha(20, master, []byte("backups of 2026."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hex.EncodeToString(subkey))

	// Output:
	// 49727c07f112e0f966f47566e798792b098d511547c26c86114e974f08db0e68
}

// To read XChaCha12 streams of github.com/aead/chacha20, which has 20 rounds in
// the HChaCha step of each XChaCha, take that step by hand.
func ExampleHChaCha_aead() {
	nonce := []byte("24 more random bytes....")
	subkey, err := chacha.HChaCha(20, keyX, nonce[:16])
	if err != nil {
		log.Fatal(err)
	}
	s, err := chacha.New12(subkey, nonce[16:])
	if err != nil {
		log.Fatal(err)
	}
	text := []byte("Attack at dawn.")
	s.XORKeyStream(text, text)
	fmt.Println(hex.EncodeToString(text))

	// Output:
	// e2e2795acbee157c18d2c328ccdad3
}
