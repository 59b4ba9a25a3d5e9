package cmac_test

import (
	"crypto/hmac"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"strings"

	"xcipher/block/kuznyechik"
	"xcipher/mac/cmac"
)

// The example of GOST R 34.13-2015 section A.1.6.
func ExampleNewWithTagSize() {
	key, _ := hex.DecodeString("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
	block, err := kuznyechik.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	mac, err := cmac.NewWithTagSize(block, 8)
	if err != nil {
		log.Fatal(err)
	}
	msg, _ := hex.DecodeString("1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a" +
		"112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011")
	mac.Write(msg)
	fmt.Printf("%x\n", mac.Sum(nil))
	// Output: 336f4d296059fbe3
}

// A MAC is an io.Writer, and tags are compared in constant time.
func ExampleNew() {
	block, err := kuznyechik.NewCipher(make([]byte, kuznyechik.KeySize))
	if err != nil {
		log.Fatal(err)
	}
	mac, err := cmac.New(block)
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(mac, strings.NewReader("a long message"))
	tag := mac.Sum(nil)

	mac.Reset()
	io.Copy(mac, strings.NewReader("a long messagE"))
	fmt.Println(hmac.Equal(tag, mac.Sum(nil)))
	// Output: false
}
