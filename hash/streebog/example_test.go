package streebog_test

import (
	"crypto/hmac"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"slices"

	"xcipher/hash/streebog"
)

func ExampleSum256() {
	sum := streebog.Sum256([]byte("012345678901234567890123456789012345678901234567890123456789012"))
	fmt.Printf("%x\n", sum)
	// Output: 9d151eefd8590b89daa6ba6cb74af9275dd051026bb149a452fd84e5e57b5500
}

// RFC 6986 prints messages and digests most significant byte first. Both must be
// reversed: this is its message M1 with its digest.
func ExampleSum256_printed() {
	m1, err := hex.DecodeString("32313039383736353433323130393837363534333231303938373635343332" +
		"3130393837363534333231303938373635343332313039383736353433323130")
	if err != nil {
		log.Fatal(err)
	}
	slices.Reverse(m1)
	sum := streebog.Sum256(m1)
	slices.Reverse(sum[:])
	fmt.Printf("%x\n", sum)
	// Output: 00557be5e584fd52a449b16b0251d05d27f94ab76cbaa6da890b59d8ef1e159d
}

func ExampleNew512() {
	h := streebog.New512()
	io.WriteString(h, "0123456789012345678901234567890")
	io.WriteString(h, "12345678901234567890123456789012")
	fmt.Printf("%x\n", h.Sum(nil))
	// Output: 1b54d01a4af5b9d5cc3d86d68d285462b19abc2475222f35c085122be4ba1ffa00ad30f8767b3a82384c6574f024c311e2a481332b08ef7f41797891c1646f48
}

// HMAC_GOSTR3411_2012_256 of RFC 7836, with the values of its appendix B.
func ExampleNew256_hmac() {
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(i)
	}
	text, err := hex.DecodeString("0126bdb87800af214341456563780100")
	if err != nil {
		log.Fatal(err)
	}
	mac := hmac.New(streebog.New256, key)
	mac.Write(text)
	fmt.Printf("%x\n", mac.Sum(nil))
	// Output: a1aa5f7de402d7b3d323f2991c8d4534013137010a83754fd0af6d7cd4922ed9
}
