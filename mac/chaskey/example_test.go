package chaskey_test

import (
	"crypto/hmac"
	"fmt"

	"xcipher/mac/chaskey"
)

func ExampleNew12() {
	key := []byte("0123456789abcdef")
	mac, err := chaskey.New12(key)
	if err != nil {
		panic(err)
	}
	mac.Write([]byte("attack at dawn"))
	tag := mac.Sum(nil)
	fmt.Printf("%x\n", tag)

	// The receiver computes the tag again, and compares in constant time.
	mac.Reset()
	mac.Write([]byte("attack at dusk"))
	fmt.Println(hmac.Equal(tag, mac.Sum(nil)))
	// Output:
	// e3f0114fccb347ae4b042fbe3a4c59a2
	// false
}
