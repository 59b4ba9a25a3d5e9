package catalog

import (
	"crypto/aes"
	"crypto/hmac"
	"hash"

	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/hash/streebog"
	"xcipher/mac/chaskey"
	"xcipher/mac/cmac"
)

func macs() []Algorithm {
	return []Algorithm{
		{Name: "kuznyechik-cmac", Kind: MAC, KeySize: 32, BlockSize: 16, Size: 16, Standard: "GOST R 34.13-2015, section 5.6"},
		{Name: "magma-cmac", Kind: MAC, KeySize: 32, BlockSize: 8, Size: 8, Standard: "GOST R 34.13-2015, section 5.6"},
		{Name: "aes-cmac", Kind: MAC, KeySize: 16, BlockSize: 16, Size: 16, Standard: "NIST SP 800-38B, RFC 4493", Note: "also with keys of 24 and 32 bytes"},
		{Name: "chaskey8-mac", Kind: MAC, KeySize: 16, BlockSize: 16, Size: 16, Standard: "Chaskey (SAC 2014)", Note: "for compatibility; prefer chaskey12-mac"},
		{Name: "chaskey12-mac", Kind: MAC, KeySize: 16, BlockSize: 16, Size: 16, Standard: "Chaskey-12, ISO/IEC 29192-6"},
		{Name: "chaskey-lts-mac", Kind: MAC, KeySize: 16, BlockSize: 16, Size: 16, Standard: "Chaskey-LTS (SAC 2014)", Note: "16 rounds"},
		{Name: "hmac-streebog256", Kind: MAC, AnyKey: true, BlockSize: 64, Size: 32, Standard: "R 50.1.113-2016, RFC 7836"},
		{Name: "hmac-streebog512", Kind: MAC, AnyKey: true, BlockSize: 64, Size: 64, Standard: "R 50.1.113-2016, RFC 7836"},
	}
}

// NewMAC returns the MAC called name.
func NewMAC(name string, key []byte) (hash.Hash, error) {
	switch name {
	case "kuznyechik-cmac":
		return over(kuznyechik.NewCipher, cmac.New, key)
	case "magma-cmac":
		return over(magma.NewCipher, cmac.New, key)
	case "aes-cmac":
		return over(aes.NewCipher, cmac.New, key)
	case "chaskey8-mac":
		return chaskey.New8(key)
	case "chaskey12-mac":
		return chaskey.New12(key)
	case "chaskey-lts-mac":
		return chaskey.NewLTS(key)
	case "hmac-streebog256":
		return hmac.New(streebog.New256, key), nil
	case "hmac-streebog512":
		return hmac.New(streebog.New512, key), nil
	}
	return nil, unknown(MAC, name)
}
