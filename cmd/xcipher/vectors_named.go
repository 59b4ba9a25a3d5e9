package main

import (
	"crypto/cipher"
	"fmt"
	"hash"
	"slices"
	"strings"

	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/internal/catalog"
	"xcipher/vectors"
)

// against picks one algorithm for all groups that may be for it.
func against(a catalog.Algorithm) (p picks) {
	switch a.Kind {
	case catalog.AEAD:
		p.aead = func(f *vectors.File, g *vectors.Group) newAEAD { return namedAEAD(a, f, g) }
	case catalog.Block:
		block := func(key []byte) (cipher.Block, error) { return catalog.NewBlock(a.Name, key) }
		p.block = func(f *vectors.File, g *vectors.Group) newBlock {
			if isFor(a, f, g) && fits(g, g.KeySize == 8*a.KeySize && g.BlockSize == 8*a.BlockSize) {
				return block
			}
			return nil
		}
		p.mode = func(f *vectors.File, g *vectors.Group) *vectors.Modes {
			if isFor(a, f, g) && fits(g, g.KeySize == 8*a.KeySize) {
				return modesOver(block, a.BlockSize, g)
			}
			return nil
		}
	case catalog.Stream:
		p.stream = func(f *vectors.File, g *vectors.Group) newStream {
			if isFor(a, f, g) && fits(g, g.KeySize == 8*a.KeySize) {
				return namedStream(a)
			}
			return nil
		}
	case catalog.Hash:
		p.hash = func(f *vectors.File, g *vectors.Group) func() hash.Hash {
			if !isFor(a, f, g) || g.OutputSize != 8*a.Size {
				return nil
			}
			return func() hash.Hash {
				h, err := catalog.NewHash(a.Name)
				if err != nil {
					panic(err) // a is listed
				}
				return h
			}
		}
	case catalog.MAC:
		p.mac = func(f *vectors.File, g *vectors.Group) newMAC {
			known := a.AnyKey || g.KeySize == 0 || slices.Contains(keySizes(a), g.KeySize/8)
			if !isFor(a, f, g) || !fits(g, known && g.TagSize <= 8*a.Size) {
				return nil
			}
			return func(key []byte) (hash.Hash, error) { return catalog.NewMAC(a.Name, key) }
		}
	}
	return p
}

// namedAEAD returns a constructor by the sizes of the group. Nonces of MGM are
// those of RFC 9058, a byte longer than those of the catalog.
func namedAEAD(a catalog.Algorithm, f *vectors.File, g *vectors.Group) newAEAD {
	if !isFor(a, f, g) {
		return nil
	}
	switch {
	case a.Name == "kuznyechik-mgm" && g.IVSize == 127:
		return overRFC9058(kuznyechik.NewCipher, g.TagSize/8)
	case a.Name == "magma-mgm" && g.IVSize == 63:
		return overRFC9058(magma.NewCipher, g.TagSize/8)
	case a.NoAAD && g.TagSize == 0:
		g = &vectors.Group{KeySize: g.KeySize, IVSize: g.IVSize, TagSize: 8 * a.Size, Tests: g.Tests}
	}
	if !fits(g, g.KeySize == 8*a.KeySize && g.IVSize == 8*a.NonceSizes[0] && g.TagSize == 8*a.Size) {
		return nil
	}
	return func(key []byte) (cipher.AEAD, error) { return catalog.NewAEAD(a.Name, key) }
}

func namedStream(a catalog.Algorithm) newStream {
	switch a.Name {
	case "kuznyechik-ctr":
		return ctrOver(kuznyechik.NewCipher)
	case "magma-ctr":
		return ctrOver(magma.NewCipher)
	}
	return chachaWith(roundsOf(a))
}

// fits tells whether to run a group: if its parameters are those of the algorithm,
// and also if it is there only to be refused.
func fits(g *vectors.Group, parameters bool) bool {
	return parameters || !slices.ContainsFunc(g.Tests, func(t *vectors.Test) bool { return t.Result != "invalid" })
}

// isFor tells whether a group may be for an algorithm, by what the members tell
// that are not in Wycheproof's files.
func isFor(a catalog.Algorithm, f *vectors.File, g *vectors.Group) bool {
	for _, word := range []string{g.Algorithm, g.Cipher, g.Hash} {
		word = strings.ReplaceAll(strings.ToLower(word), "streebog-", "streebog")
		word, _, _ = strings.Cut(strings.TrimPrefix(word, "x"), "-")
		if !strings.Contains(a.Name, word) {
			return false
		}
	}
	for _, rounds := range []int{g.Rounds, roundsFlag(g)} {
		if rounds != 0 && rounds != roundsOf(a) {
			return false
		}
	}
	variants := map[string]string{
		"aes128-cloc": "aes128n12t8clocv3", "aes128-silc": "aes128n12t8silcv3",
		"chaskey8-cloc": "fse2014", "chaskey12-cloc": "fse2014",
	}
	return (g.Variant == "" || g.Variant == variants[a.Name]) && g.Domain == 0 && g.Padding != "zero"
}

// roundsOf returns the rounds of an algorithm that comes with several numbers.
func roundsOf(a catalog.Algorithm) int {
	switch {
	case a.Name == "saturnin":
		return 10
	case strings.HasPrefix(a.Name, "chaskey-lts"):
		return 16
	}
	for _, rounds := range []int{8, 12, 20} {
		if strings.Contains(a.Name, fmt.Sprint("chaskey", rounds)) || strings.Contains(a.Name, fmt.Sprint("chacha", rounds)) {
			return rounds
		}
	}
	return 0
}
