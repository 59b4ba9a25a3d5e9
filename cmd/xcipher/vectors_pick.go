package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"

	"xcipher/aead/chachapoly"
	"xcipher/aead/cloc"
	oldcloc "xcipher/aead/cloc/hutorny"
	"xcipher/aead/mgm"
	aeadsaturnin "xcipher/aead/saturnin"
	"xcipher/aead/silc"
	"xcipher/block/chaskey"
	oldchaskey "xcipher/block/chaskey/hutorny"
	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/block/saturnin"
	hashsaturnin "xcipher/hash/saturnin"
	"xcipher/hash/streebog"
	macchaskey "xcipher/mac/chaskey"
	"xcipher/mac/cmac"
	"xcipher/stream/chacha"
	"xcipher/vectors"
)

// embedded picks the constructors for the files of package vectors.
var embedded = picks{
	aead:    embeddedAEAD,
	block:   embeddedBlock,
	mode:    embeddedMode,
	stream:  embeddedStream,
	hash:    embeddedHash,
	mac:     embeddedMAC,
	hchacha: embeddedHChaCha,
}

// about returns what a group is about: the file, or its own algorithm in a file
// with several.
func about(f *vectors.File, g *vectors.Group) string {
	if g.Algorithm != "" {
		return g.Algorithm
	}
	return f.Algorithm
}

var chaskeyRounds = map[int]newBlock{8: chaskey.NewCipher8, 12: chaskey.NewCipher12, 16: chaskey.NewCipherLTS}

func embeddedAEAD(f *vectors.File, g *vectors.Group) newAEAD {
	nonceSize, tagSize := g.IVSize/8, g.TagSize/8
	switch about(f, g) {
	case "KUZNYECHIK-MGM":
		return overRFC9058(kuznyechik.NewCipher, tagSize)
	case "MAGMA-MGM":
		return overRFC9058(magma.NewCipher, tagSize)
	case "CHACHA-POLY1305":
		return map[string]newAEAD{
			"20 96": chachapoly.New, "20 192": chachapoly.NewX,
			"12 96": chachapoly.New12, "12 192": chachapoly.NewX12,
			"8 96": chachapoly.New8, "8 192": chachapoly.NewX8,
		}[fmt.Sprint(roundsFlag(g), g.IVSize)]
	case "AES128-CLOC":
		switch g.Variant {
		case "aes128n12t8clocv3":
			return cloc.NewAES128
		case "fse2014":
			return func(key []byte) (cipher.AEAD, error) { return cloc.NewAES128WithSizes(key, nonceSize, tagSize) }
		}
		return overCAESAR(cloc.NewCAESAR, g)
	case "CHASKEY-CLOC":
		if g.Variant == "hutorny" {
			return func(key []byte) (cipher.AEAD, error) {
				return oldcloc.NewWithSizes(key, nonceSize, tagSize)
			}
		}
		return over(chaskeyRounds[g.Rounds], func(b cipher.Block) (cipher.AEAD, error) { return cloc.NewWithSizes(b, nonceSize, tagSize) })
	case "AES128-SILC":
		switch g.Variant {
		case "aes128n12t8silcv3":
			return silc.NewAES128
		case "aes128n12silcv1":
			return nil // the short tag of the first round has no constructor
		}
		return overCAESAR(silc.NewCAESAR, g)
	case "SATURNIN-CTR-CASCADE":
		if tagSize < 16 {
			return nil // nor have short tags
		}
		return func(key []byte) (cipher.AEAD, error) {
			return aeadsaturnin.NewCTRCascadeWithSizes(key, nonceSize, tagSize)
		}
	case "SATURNIN-SHORT":
		return aeadsaturnin.NewShort
	}
	return nil
}

// over makes a mode from the key of a block cipher.
func over[T any](block newBlock, mode func(b cipher.Block) (T, error)) func(key []byte) (T, error) {
	return func(key []byte) (made T, err error) {
		b, err := block(key)
		if err != nil {
			return made, err
		}
		return mode(b)
	}
}

func overRFC9058(block newBlock, tagSize int) newAEAD {
	return over(block, func(b cipher.Block) (cipher.AEAD, error) { return mgm.NewRFC9058(b, tagSize) })
}

// overCAESAR is for groups with a parameter byte, over AES.
func overCAESAR(mode func(b cipher.Block, nonceSize, tagSize int, param byte) (cipher.AEAD, error), g *vectors.Group) newAEAD {
	param, err := hex.DecodeString(g.Param)
	if err != nil || len(param) != 1 {
		return nil
	}
	return over(aes.NewCipher, func(b cipher.Block) (cipher.AEAD, error) { return mode(b, g.IVSize/8, g.TagSize/8, param[0]) })
}

// roundsFlag returns the rounds that flags such as Rounds8 of the tests tell, 0 if
// there are none.
func roundsFlag(g *vectors.Group) int {
	for _, rounds := range []int{8, 12, 20} {
		if len(g.Tests) > 0 && g.Tests[0].Has(fmt.Sprint("Rounds", rounds)) {
			return rounds
		}
	}
	return 0
}

func embeddedBlock(f *vectors.File, g *vectors.Group) newBlock {
	switch about(f, g) {
	case "KUZNYECHIK":
		return kuznyechik.NewCipher
	case "MAGMA":
		return magma.NewCipher
	case "CHASKEY":
		return chaskeyRounds[g.Rounds]
	case "SATURNIN":
		if g.Rounds < 10 {
			return nil // refused by the constructor
		}
		return func(key []byte) (cipher.Block, error) { return saturnin.NewCipherWithDomain(key, g.Rounds, g.Domain) }
	}
	return nil
}

func embeddedMode(f *vectors.File, g *vectors.Group) *vectors.Modes {
	switch {
	case g.Mode == "HUTORNY-CBC-IV":
		return &vectors.Modes{NewEncrypter: oldchaskey.NewCBCEncrypterIV, NewDecrypter: oldchaskey.NewCBCDecrypterIV}
	case g.Mode == "HUTORNY-CBC-NONCE":
		return &vectors.Modes{NewEncrypter: oldchaskey.NewCBCEncrypter, NewDecrypter: oldchaskey.NewCBCDecrypter}
	case f.Algorithm == "CHASKEY-CBC":
		return modesOver(chaskeyRounds[g.Rounds], 16, g)
	case g.Cipher == "KUZNYECHIK":
		return modesOver(kuznyechik.NewCipher, kuznyechik.BlockSize, g)
	case g.Cipher == "MAGMA":
		return modesOver(magma.NewCipher, magma.BlockSize, g)
	}
	return nil
}

// modesOver returns a mode of operation over a block cipher.
func modesOver(block newBlock, blockSize int, g *vectors.Group) *vectors.Modes {
	if block == nil || g.UnitBits != 0 && g.UnitBits != 8*blockSize {
		return nil // units shorter than the block are not supported
	}
	switch g.Mode {
	case "ECB":
		return &vectors.Modes{NewEncrypter: withIV(block, noIV(ecb.NewEncrypter)), NewDecrypter: withIV(block, noIV(ecb.NewDecrypter))}
	case "CBC":
		return &vectors.Modes{NewEncrypter: withIV(block, gost3413.NewCBCEncrypter), NewDecrypter: withIV(block, gost3413.NewCBCDecrypter)}
	case "CFB":
		return &vectors.Modes{NewStreamEncrypter: withIV(block, gost3413.NewCFBEncrypter), NewStreamDecrypter: withIV(block, gost3413.NewCFBDecrypter)}
	case "OFB":
		return &vectors.Modes{NewStreamEncrypter: withIV(block, gost3413.NewOFB), NewStreamDecrypter: withIV(block, gost3413.NewOFB)}
	case "CTR":
		return &vectors.Modes{NewStreamEncrypter: withIV(block, gost3413.NewCTR), NewStreamDecrypter: withIV(block, gost3413.NewCTR)}
	}
	return nil
}

// noIV is for a mode without one.
func noIV(mode func(b cipher.Block) cipher.BlockMode) func(b cipher.Block, iv []byte) cipher.BlockMode {
	return func(b cipher.Block, iv []byte) cipher.BlockMode { return mode(b) }
}

// withIV makes a mode from a key and an IV. Where mode panics, the runner sees it.
func withIV[T any](block newBlock, mode func(b cipher.Block, iv []byte) T) func(key, iv []byte) (T, error) {
	return func(key, iv []byte) (made T, err error) {
		b, err := block(key)
		if err != nil {
			return made, err
		}
		return mode(b, iv), nil
	}
}

func embeddedStream(f *vectors.File, g *vectors.Group) newStream {
	name := about(f, g)
	switch name {
	case "KUZNYECHIK-CTR":
		return ctrOver(kuznyechik.NewCipher)
	case "MAGMA-CTR":
		return ctrOver(magma.NewCipher)
	case "SATURNIN-CTR":
		return saturninCTR
	case "CHACHA":
		return chachaWith(g.Rounds)
	}
	for _, rounds := range []int{8, 12, 20} { // CHACHA8-64, XCHACHA12 and the like
		base, _, _ := strings.Cut(strings.TrimPrefix(name, "X"), "-")
		if base == fmt.Sprint("CHACHA", rounds) {
			return chachaWith(rounds)
		}
	}
	return nil
}

func chachaWith(rounds int) newStream {
	return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
		return chacha.NewWithCounter(rounds, key, iv, counter)
	}
}

// ctrOver takes the start of the first counter block, or all of it. counter is the
// number of the first block if there is room for it.
func ctrOver(block newBlock) newStream {
	return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
		b, err := block(key)
		if err != nil {
			return nil, err
		}
		number := binary.BigEndian.AppendUint64(nil, counter)
		room := b.BlockSize() - len(iv)
		switch {
		case room < 0:
			return nil, errors.New("the IV is longer than the block")
		case room < len(number):
			if counter>>(8*room) != 0 {
				return nil, errors.New("no room for the counter")
			}
			number = number[len(number)-room:]
		}
		first := slices.Concat(iv, make([]byte, room-len(number)), number)
		return cipher.NewCTR(b, first), nil
	}
}

// saturninCTR is CTR as in the AEAD: domain 1, and a nonce that is padded.
func saturninCTR(key, iv []byte, counter uint64) (cipher.Stream, error) {
	domain1 := func(key []byte) (cipher.Block, error) { return saturnin.NewCipherWithDomain(key, 10, 1) }
	return ctrOver(domain1)(key, append(slices.Clone(iv), 0x80), counter)
}

func embeddedHash(f *vectors.File, g *vectors.Group) func() hash.Hash {
	switch about(f, g) {
	case "STREEBOG-256":
		return streebog.New256
	case "STREEBOG-512":
		return streebog.New512
	case "SATURNIN-HASH":
		return hashsaturnin.New
	}
	return nil
}

func embeddedMAC(f *vectors.File, g *vectors.Group) newMAC {
	switch about(f, g) {
	case "KUZNYECHIK-OMAC":
		return over(kuznyechik.NewCipher, cmac.New)
	case "MAGMA-OMAC":
		return over(magma.NewCipher, cmac.New)
	case "CHASKEY-MAC":
		return map[int]newMAC{8: macchaskey.New8, 12: macchaskey.New12, 16: macchaskey.NewLTS}[g.Rounds]
	case "HMAC-STREEBOG":
		if h := map[string]func() hash.Hash{"STREEBOG-256": streebog.New256, "STREEBOG-512": streebog.New512}[g.Hash]; h != nil {
			return func(key []byte) (hash.Hash, error) { return hmac.New(h, key), nil }
		}
	}
	return nil
}

func embeddedHChaCha(f *vectors.File, g *vectors.Group) hchacha {
	return func(key, nonce []byte) ([]byte, error) { return chacha.HChaCha(g.Rounds, key, nonce) }
}
