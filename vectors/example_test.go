package vectors_test

import (
	"crypto/cipher"
	"fmt"
	"log"

	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/vectors"
)

// In a test, t is the *testing.T. This stands in for it here.
type logger struct{}

func (logger) Helper()                           {}
func (logger) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (logger) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }

// Vectors of this package for an implementation that is not of this module. The
// file has groups for 8, 12 and 20 rounds, of which chacha20poly1305 has the last.
func Example() {
	var t logger
	f, err := vectors.Load("chacha_poly1305")
	if err != nil {
		t.Fatalf("%v", err)
	}
	got := vectors.RunAEAD(t, f, func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
		if !g.Tests[0].Has("Rounds20") {
			return nil
		}
		if g.IVSize == 8*chacha20poly1305.NonceSizeX {
			return chacha20poly1305.NewX
		}
		return chacha20poly1305.New
	})
	fmt.Printf("%+v\n", got)
	// Output: {Run:63 Refused:0 Skipped:109}
}

// A file of one's own, in the same format.
func ExampleParse() {
	var t logger
	f, err := vectors.Parse("mine", []byte(`{
		"algorithm": "CHACHA20-POLY1305", "schema": "aead_test_schema_v1.json", "numberOfTests": 1,
		"header": [], "notes": {}, "testGroups": [{
			"type": "AeadTest", "source": {"name": "myself", "version": "1"},
			"keySize": 256, "ivSize": 96, "tagSize": 128, "tests": [{
				"tcId": 1, "comment": "a tag of zeros", "flags": [], "result": "invalid",
				"key": "0000000000000000000000000000000000000000000000000000000000000001",
				"iv": "000000000000000000000000", "aad": "", "msg": "", "ct": "",
				"tag": "00000000000000000000000000000000"
			}]
		}]
	}`))
	if err != nil {
		t.Fatalf("%v", err)
	}
	fmt.Printf("%+v\n", vectors.RunAEAD(t, f, func(*vectors.Group) func(key []byte) (cipher.AEAD, error) {
		return chacha20poly1305.New
	}))
	// Output: {Run:1 Refused:0 Skipped:0}
}
