package catalog

import (
	"crypto/cipher"
	"fmt"

	"xcipher/block/gost3413"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/stream/chacha"
)

func streams() []Algorithm {
	chachaStream := func(name, note string) Algorithm {
		return Algorithm{Name: name, Kind: Stream, KeySize: 32, NonceSizes: []int{8, 12, 24},
			Standard: "RFC 8439, draft-irtf-cfrg-xchacha-03, Bernstein 2008", Note: note}
	}
	return []Algorithm{
		chachaStream("chacha20", "up to 256 GiB with a 12-byte nonce"),
		chachaStream("chacha12", "12 rounds; up to 256 GiB with a 12-byte nonce"),
		chachaStream("chacha8", "8 rounds; up to 256 GiB with a 12-byte nonce"),
		{Name: "kuznyechik-ctr", Kind: Stream, KeySize: 32, NonceSizes: []int{8}, Standard: "GOST R 34.13-2015, section 5.2"},
		{Name: "magma-ctr", Kind: Stream, KeySize: 32, NonceSizes: []int{4}, MaxMessage: 1 << 35, Standard: "GOST R 34.13-2015, section 5.2", Note: "64-bit block: little data per key"},
	}
}

// NewStream returns the stream cipher called name.
func NewStream(name string, key, nonce []byte) (cipher.Stream, error) {
	switch name {
	case "chacha20":
		return chacha.New20(key, nonce)
	case "chacha12":
		return chacha.New12(key, nonce)
	case "chacha8":
		return chacha.New8(key, nonce)
	case "kuznyechik-ctr":
		return ctr(name, kuznyechik.NewCipher, key, nonce)
	case "magma-ctr":
		return ctr(name, magma.NewCipher, key, nonce)
	}
	return nil, unknown(Stream, name)
}

// ctr checks the nonce, where gost3413.NewCTR would panic.
func ctr(name string, block newBlock, key, nonce []byte) (cipher.Stream, error) {
	b, err := block(key)
	if err != nil {
		return nil, err
	}
	if want := b.BlockSize() / 2; len(nonce) != want {
		return nil, fmt.Errorf("%s: invalid nonce size %d, must be %d", name, len(nonce), want)
	}
	return gost3413.NewCTR(b, nonce), nil
}
