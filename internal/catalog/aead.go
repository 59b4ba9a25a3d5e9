package catalog

import (
	"crypto/cipher"

	"xcipher/aead/chachapoly"
	"xcipher/aead/cloc"
	"xcipher/aead/mgm"
	"xcipher/aead/saturnin"
	"xcipher/aead/silc"
	"xcipher/block/chaskey"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
)

func aeads() []Algorithm {
	chachaPoly := func(name string, nonceSize int, standard, note string) Algorithm {
		return Algorithm{Name: name, Kind: AEAD, KeySize: 32, NonceSizes: []int{nonceSize}, Size: 16,
			MaxMessage: 1<<38 - 64, Standard: standard, Note: note}
	}
	const reduced = "not standardised"
	return []Algorithm{
		{Name: "kuznyechik-mgm", Kind: AEAD, KeySize: 32, NonceSizes: []int{15}, Size: 16, MaxMessage: 1<<61 - 1, Standard: "RFC 9058", Note: "nonce of the RFC without its first byte"},
		{Name: "magma-mgm", Kind: AEAD, KeySize: 32, NonceSizes: []int{7}, Size: 8, MaxMessage: 1<<29 - 1, Standard: "RFC 9058", Note: "nonce of the RFC without its first byte; text with additional data below 2^29 bytes"},
		{Name: "aes128-cloc", Kind: AEAD, KeySize: 16, NonceSizes: []int{12}, Size: 8, Standard: "aes128n12t8clocv3 (CAESAR)"},
		{Name: "chaskey8-cloc", Kind: AEAD, KeySize: 16, NonceSizes: []int{12}, Size: 16, Standard: "CLOC (FSE 2014) over Chaskey", Note: "for compatibility; prefer chaskey12-cloc"},
		{Name: "chaskey12-cloc", Kind: AEAD, KeySize: 16, NonceSizes: []int{12}, Size: 16, Standard: "CLOC (FSE 2014) over Chaskey-12"},
		{Name: "aes128-silc", Kind: AEAD, KeySize: 16, NonceSizes: []int{12}, Size: 8, Standard: "aes128n12t8silcv3 (CAESAR)"},
		{Name: "saturnin-ctr-cascade", Kind: AEAD, KeySize: 32, NonceSizes: []int{16}, Size: 32, Standard: "Saturnin v1.1 (NIST LWC round 2)"},
		{Name: "saturnin-short", Kind: AEAD, KeySize: 32, NonceSizes: []int{16}, Size: 32, MaxMessage: 15, NoAAD: true, Standard: "Saturnin v1.1 (NIST LWC round 2)", Note: "the result has 32 bytes whatever the message"},
		chachaPoly("chacha20-poly1305", 12, "RFC 8439", ""),
		chachaPoly("xchacha20-poly1305", 24, "draft-irtf-cfrg-xchacha-03", ""),
		chachaPoly("chacha12-poly1305", 12, "RFC 8439 with 12 rounds", reduced),
		chachaPoly("xchacha12-poly1305", 24, "draft-irtf-cfrg-xchacha-03 with 12 rounds", reduced),
		chachaPoly("chacha8-poly1305", 12, "RFC 8439 with 8 rounds", reduced),
		chachaPoly("xchacha8-poly1305", 24, "draft-irtf-cfrg-xchacha-03 with 8 rounds", reduced),
	}
}

// NewAEAD returns the AEAD called name.
func NewAEAD(name string, key []byte) (cipher.AEAD, error) {
	switch name {
	case "kuznyechik-mgm":
		return over(kuznyechik.NewCipher, mgm.New, key)
	case "magma-mgm":
		return over(magma.NewCipher, mgm.New, key)
	case "aes128-cloc":
		return cloc.NewAES128(key)
	case "chaskey8-cloc":
		return over(chaskey.NewCipher8, cloc.New, key)
	case "chaskey12-cloc":
		return over(chaskey.NewCipher12, cloc.New, key)
	case "aes128-silc":
		return silc.NewAES128(key)
	case "saturnin-ctr-cascade":
		return saturnin.NewCTRCascade(key)
	case "saturnin-short":
		return saturnin.NewShort(key)
	case "chacha20-poly1305":
		return chachapoly.New(key)
	case "xchacha20-poly1305":
		return chachapoly.NewX(key)
	case "chacha12-poly1305":
		return chachapoly.New12(key)
	case "xchacha12-poly1305":
		return chachapoly.NewX12(key)
	case "chacha8-poly1305":
		return chachapoly.New8(key)
	case "xchacha8-poly1305":
		return chachapoly.NewX8(key)
	}
	return nil, unknown(AEAD, name)
}
