package hutorny_test

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"xcipher/aead/cloc"
	"xcipher/aead/cloc/hutorny"
	"xcipher/block/chaskey"
)

// Old data is opened once and sealed again with CLOC over Chaskey-12, under a new
// key. That it opens does not mean that nobody changed it.
func Example_migrate() {
	oldKey, nonce := []byte("0123456789abcdef"), []byte("record 1")
	record, err := hex.DecodeString("ab9b65ef446c96e0032a6d28aa7a7e51fd84bca13674eaa13db424a2c53f")
	if err != nil {
		panic(err)
	}
	old, err := hutorny.NewWithSizes(oldKey, len(nonce), 16)
	if err != nil {
		panic(err)
	}
	msg, err := old.Open(nil, nonce, record, nil)
	if err != nil {
		panic(err)
	}

	newKey := make([]byte, chaskey.KeySize)
	rand.Read(newKey)
	block, err := chaskey.NewCipher12(newKey)
	if err != nil {
		panic(err)
	}
	aead, err := cloc.New(block)
	if err != nil {
		panic(err)
	}
	newNonce := make([]byte, aead.NonceSize())
	rand.Read(newNonce)
	sealed := aead.Seal(newNonce, newNonce, msg, nonce)

	// Reading it back.
	n := aead.NonceSize()
	msg, err = aead.Open(nil, sealed[:n], sealed[n:], nonce)
	fmt.Println(string(msg), err)
	// Output: attack at dawn <nil>
}
