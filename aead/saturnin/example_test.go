package saturnin_test

import (
	"fmt"

	"xcipher/aead/saturnin"
)

func ExampleNewCTRCascade() {
	key := make([]byte, saturnin.KeySize) // use a random one
	a, err := saturnin.NewCTRCascade(key)
	if err != nil {
		panic(err)
	}
	nonce := make([]byte, a.NonceSize()) // never the same twice under one key
	sealed := a.Seal(nil, nonce, []byte("message"), []byte("header"))
	fmt.Printf("%x\n", sealed)
	text, err := a.Open(nil, nonce, sealed, []byte("header"))
	fmt.Printf("%s %v\n", text, err)
	_, err = a.Open(nil, nonce, sealed, []byte("another header"))
	fmt.Println(err)
	// Output:
	// ed3a5432ef0747d584f63701c8ef8c2bd6203789dcdb3cdecae88510881ffb89e8d70cb59eabd3
	// message <nil>
	// saturnin: message authentication failed
}

// The C code of the designers takes nonces of other sizes, and cuts tags.
func ExampleNewCTRCascadeWithSizes() {
	key := make([]byte, saturnin.KeySize) // use a random one
	a, err := saturnin.NewCTRCascadeWithSizes(key, 12, 16)
	if err != nil {
		panic(err)
	}
	sealed := a.Seal(nil, []byte("message 0001"), []byte("21.5 degrees"), nil)
	fmt.Println(len(sealed), "bytes")
	text, err := a.Open(nil, []byte("message 0001"), sealed, nil)
	fmt.Printf("%s %v\n", text, err)
	// Output:
	// 28 bytes
	// 21.5 degrees <nil>
}

func ExampleNewShort() {
	key := make([]byte, saturnin.KeySize) // use a random one
	a, err := saturnin.NewShort(key)
	if err != nil {
		panic(err)
	}
	nonce := make([]byte, a.NonceSize()) // never the same twice under one key
	sealed := a.Seal(nil, nonce, []byte("21.5 degrees"), nil)
	fmt.Printf("%x\n", sealed)
	text, err := a.Open(nil, nonce, sealed, nil)
	fmt.Printf("%s %v\n", text, err)
	// Output:
	// f77be3fecb313367e9f170897b132283256f194210eaa800e962c6b64214b9a4
	// 21.5 degrees <nil>
}
