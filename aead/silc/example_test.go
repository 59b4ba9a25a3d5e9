package silc_test

import (
	"fmt"

	"xcipher/aead/silc"
)

func ExampleNewAES128() {
	aead, err := silc.NewAES128([]byte("0123456789abcdef"))
	if err != nil {
		panic(err)
	}
	nonce := []byte("message 0001") // use a nonce once only
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), []byte("to: general"))
	fmt.Printf("%x\n", sealed)

	msg, err := aead.Open(nil, nonce, sealed, []byte("to: general"))
	fmt.Println(string(msg), err)
	_, err = aead.Open(nil, nonce, sealed, []byte("to: corporal"))
	fmt.Println(err)
	// Output:
	// a4372f7b06b96094d687d1b17a56439f0602fadf9847
	// attack at dawn <nil>
	// silc: message authentication failed
}
