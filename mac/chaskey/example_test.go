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

// Small devices often send only the first 8 bytes of a tag. The length must be fixed:
// whoever may choose it forges with a short one.
func ExampleNew12_truncated() {
	mac, err := chaskey.New12([]byte("0123456789abcdef"))
	if err != nil {
		panic(err)
	}
	mac.Write([]byte("attack at dawn"))
	verify := func(tag []byte) bool { return len(tag) == 8 && hmac.Equal(mac.Sum(nil)[:8], tag) }
	fmt.Println(verify([]byte("\xe3\xf0\x11\x4f\xcc\xb3\x47\xae")))
	fmt.Println(verify([]byte("\xe3")))
	// Output:
	// true
	// false
}
