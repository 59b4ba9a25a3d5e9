package ecb_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"math/rand/v2"
	"testing"

	"xcipher/block/ecb"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

func random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

func blocks(t testing.TB) map[string]cipher.Block {
	m := make(map[string]cipher.Block)
	for name, c := range map[string]struct {
		size int
		f    func(key []byte) (cipher.Block, error)
	}{
		"kuznyechik": {32, kuznyechik.NewCipher}, "magma": {32, magma.NewCipher},
		"aes": {16, aes.NewCipher}, "3des": {24, des.NewTripleDESCipher},
	} {
		b, err := c.f(random(c.size))
		if err != nil {
			t.Fatal(err)
		}
		m[name] = b
	}
	return m
}

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		for name, b := range blocks(t) {
			t.Run(name, func(t *testing.T) {
				conform.TestBlockMode(t, b.BlockSize(), 0,
					func([]byte) cipher.BlockMode { return ecb.NewEncrypter(b) },
					func([]byte) cipher.BlockMode { return ecb.NewDecrypter(b) })
			})
		}
	})
}

// Every number of blocks equals as many calls of the block.
func TestAgainstBlock(t *testing.T) {
	for name, b := range blocks(t) {
		size := b.BlockSize()
		src := random(130 * size)
		want := make([]byte, len(src))
		for i := 0; i < len(src); i += size {
			b.Encrypt(want[i:], src[i:])
		}
		for n := 0; n <= len(src); n += size {
			got := make([]byte, n)
			ecb.NewEncrypter(b).CryptBlocks(got, src[:n])
			if !bytes.Equal(got, want[:n]) {
				t.Fatalf("%s: %d blocks encrypt to something else", name, n/size)
			}
			ecb.NewDecrypter(b).CryptBlocks(got, got)
			if !bytes.Equal(got, src[:n]) {
				t.Fatalf("%s: %d blocks do not decrypt", name, n/size)
			}
		}
	}
}

func TestVectors(t *testing.T) {
	f, err := vectors.Load("gost3413_modes")
	if err != nil {
		t.Fatal(err)
	}
	got := vectors.RunBlockMode(t, f, func(g *vectors.Group) *vectors.Modes {
		newCipher := map[string]func([]byte) (cipher.Block, error){"KUZNYECHIK": kuznyechik.NewCipher, "MAGMA": magma.NewCipher}[g.Cipher]
		if g.Mode != "ECB" {
			return nil // package gost3413
		}
		mode := func(make func(cipher.Block) cipher.BlockMode) func(key, iv []byte) (cipher.BlockMode, error) {
			return func(key, _ []byte) (cipher.BlockMode, error) {
				b, err := newCipher(key)
				if err != nil {
					return nil, err
				}
				return make(b), nil
			}
		}
		return &vectors.Modes{NewEncrypter: mode(ecb.NewEncrypter), NewDecrypter: mode(ecb.NewDecrypter)}
	})
	if got != (vectors.Result{Run: 12, Skipped: 209}) {
		t.Errorf("%+v", got)
	}
}
