package catalog

import (
	"crypto/cipher"

	"xcipher/block/chaskey"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/block/saturnin"
)

func blocks() []Algorithm {
	return []Algorithm{
		{Name: "kuznyechik", Kind: Block, KeySize: 32, BlockSize: 16, Standard: "GOST R 34.12-2015, RFC 7801"},
		{Name: "magma", Kind: Block, KeySize: 32, BlockSize: 8, Standard: "GOST R 34.12-2015, RFC 8891", Note: "64-bit block: little data per key"},
		{Name: "saturnin", Kind: Block, KeySize: 32, BlockSize: 32, Standard: "Saturnin v1.1 (NIST LWC round 2)", Note: "10 super-rounds, domain 0"},
		{Name: "chaskey8", Kind: Block, KeySize: 16, BlockSize: 16, Standard: "Chaskey (SAC 2014)", Note: "for compatibility; prefer chaskey12"},
		{Name: "chaskey12", Kind: Block, KeySize: 16, BlockSize: 16, Standard: "Chaskey-12, ISO/IEC 29192-6"},
		{Name: "chaskey-lts", Kind: Block, KeySize: 16, BlockSize: 16, Standard: "Chaskey-LTS (SAC 2014)", Note: "16 rounds"},
	}
}

// NewBlock returns the block cipher called name.
func NewBlock(name string, key []byte) (cipher.Block, error) {
	switch name {
	case "kuznyechik":
		return kuznyechik.NewCipher(key)
	case "magma":
		return magma.NewCipher(key)
	case "saturnin":
		return saturnin.NewCipher(key)
	case "chaskey8":
		return chaskey.NewCipher8(key)
	case "chaskey12":
		return chaskey.NewCipher12(key)
	case "chaskey-lts":
		return chaskey.NewCipherLTS(key)
	}
	return nil, unknown(Block, name)
}
