package clients

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"xcipher/internal/catalog"
	"xcipher/interop/tally"
)

func TestMain(m *testing.M) {
	os.Exit(tally.Main(m, "sio-go", "noise", "shadowaead", "kcp-go", "go-crypto eax", "go-crypto ocb",
		"pion ccm", "gmsm ccm", "gmsm xts", "gmsm drbg", "tink noncebased", "securecookie", "go-multihash"))
}

func random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

// flip returns a copy of b with one bit changed.
func flip(b []byte) []byte {
	c := bytes.Clone(b)
	c[rand.IntN(len(c))] ^= 1 << rand.IntN(8)
	return c
}

// algorithms returns those of a kind.
func algorithms(kind catalog.Kind) []catalog.Algorithm {
	return slices.DeleteFunc(catalog.Algorithms(), func(a catalog.Algorithm) bool { return a.Kind != kind })
}

// aeads returns the AEADs that take messages and additional data of any length.
func aeads() []catalog.Algorithm {
	return slices.DeleteFunc(algorithms(catalog.AEAD), func(a catalog.Algorithm) bool { return a.NoAAD })
}

func newAEAD(t *testing.T, name string, key []byte) cipher.AEAD {
	t.Helper()
	a, err := catalog.NewAEAD(name, key)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func newBlock(t *testing.T, name string, key []byte) cipher.Block {
	t.Helper()
	b, err := catalog.NewBlock(name, key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// blockFunc returns a constructor.
func blockFunc(name string) func(key []byte) (cipher.Block, error) {
	return func(key []byte) (cipher.Block, error) { return catalog.NewBlock(name, key) }
}

// panics reports whether f panics.
func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
