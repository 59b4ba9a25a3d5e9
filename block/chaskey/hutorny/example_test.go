package hutorny_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"xcipher/aead/cloc"
	"xcipher/block/chaskey"
	"xcipher/block/chaskey/hutorny"
)

// Old data is decrypted once and sealed under a new key: the old key is as good as
// published.
func Example_migrate() {
	oldKey, nonce := []byte("0123456789abcdef"), []byte("record 1")
	record, err := hex.DecodeString("a315947706e41294ccbe23508d06afb0")
	if err != nil {
		panic(err)
	}
	mode, err := hutorny.NewCBCDecrypter(oldKey, nonce)
	if err != nil {
		panic(err)
	}
	msg := make([]byte, len(record))
	mode.CryptBlocks(msg, record)
	msg = bytes.TrimRight(msg, "\x00") // the length was not stored

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
