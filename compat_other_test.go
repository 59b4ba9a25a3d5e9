package xcipher_test

import (
	"crypto/aes"
	"crypto/cipher"
	"testing"

	xchacha "golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/aead/cloc"
	"xcipher/aead/mgm"
	"xcipher/aead/silc"
	"xcipher/block/chaskey"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/internal/catalog"
)

// otherStream returns a stream of the catalog by another road, if there is one.
func otherStream(t *testing.T, name string, key, nonce []byte) cipher.Stream {
	t.Helper()
	switch {
	case name == "chacha20" && len(nonce) != 8:
		return must(xchacha.NewUnauthenticatedCipher(key, nonce))(t)
	case name == "kuznyechik-ctr":
		return cipher.NewCTR(plain{must(kuznyechik.NewCipher(key))(t)}, append(nonce[:8:8], make([]byte, 8)...))
	case name == "magma-ctr":
		return cipher.NewCTR(plain{must(magma.NewCipher(key))(t)}, append(nonce[:4:4], make([]byte, 4)...))
	}
	return must(catalog.NewStream(name, key, nonce))(t)
}

// otherAEAD returns an AEAD of the catalog by another road, if there is one.
func otherAEAD(t *testing.T, name string, key []byte) cipher.AEAD {
	t.Helper()
	over := func(newBlock func([]byte) (cipher.Block, error), mode func(cipher.Block) (cipher.AEAD, error)) cipher.AEAD {
		t.Helper()
		return must(mode(plain{must(newBlock(key))(t)}))(t)
	}
	const nonceSize, tagSize, param = 12, 8, 0xc0 // aes128n12t8clocv3, aes128n12t8silcv3
	switch name {
	case "kuznyechik-mgm":
		return over(kuznyechik.NewCipher, mgm.New)
	case "magma-mgm":
		return over(magma.NewCipher, mgm.New)
	case "chaskey8-cloc":
		return over(chaskey.NewCipher8, cloc.New)
	case "chaskey12-cloc":
		return over(chaskey.NewCipher12, cloc.New)
	case "aes128-cloc":
		return over(aes.NewCipher, func(b cipher.Block) (cipher.AEAD, error) {
			return cloc.NewCAESAR(b, nonceSize, tagSize, param)
		})
	case "aes128-silc":
		return over(aes.NewCipher, func(b cipher.Block) (cipher.AEAD, error) {
			return silc.NewCAESAR(b, nonceSize, tagSize, param)
		})
	case "chacha20-poly1305":
		return must(chacha20poly1305.New(key))(t)
	case "xchacha20-poly1305":
		return must(chacha20poly1305.NewX(key))(t)
	}
	return must(catalog.NewAEAD(name, key))(t)
}
