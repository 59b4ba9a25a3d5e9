package catalog

import (
	"hash"

	"xcipher/hash/saturnin"
	"xcipher/hash/streebog"
)

func hashes() []Algorithm {
	return []Algorithm{
		{Name: "streebog256", Kind: Hash, BlockSize: 64, Size: 32, Standard: "GOST R 34.11-2012, RFC 6986"},
		{Name: "streebog512", Kind: Hash, BlockSize: 64, Size: 64, Standard: "GOST R 34.11-2012, RFC 6986"},
		{Name: "saturnin-hash", Kind: Hash, BlockSize: 32, Size: 32, Standard: "Saturnin v1.1 (NIST LWC round 2)"},
	}
}

// NewHash returns the hash called name.
func NewHash(name string) (hash.Hash, error) {
	switch name {
	case "streebog256":
		return streebog.New256(), nil
	case "streebog512":
		return streebog.New512(), nil
	case "saturnin-hash":
		return saturnin.New(), nil
	}
	return nil, unknown(Hash, name)
}
