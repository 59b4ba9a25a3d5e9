package saturnin_test

import (
	"fmt"

	"xcipher/block/saturnin"
)

func ExampleNewCipher() {
	key := make([]byte, saturnin.KeySize) // use a random one
	b, err := saturnin.NewCipher(key)
	if err != nil {
		panic(err)
	}
	block := make([]byte, b.BlockSize())
	b.Encrypt(block, block)
	fmt.Printf("%x\n", block)
	b.Decrypt(block, block)
	fmt.Printf("%x\n", block)
	// Output:
	// 28bae492be666af5fb1e822b9db8fd777eb083494a7231de4fcb6d8e659597ba
	// 0000000000000000000000000000000000000000000000000000000000000000
}
