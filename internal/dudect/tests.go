package main

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"hash"
	"math/rand/v2"

	"xcipher/block/ecb"
	"xcipher/internal/aesni"
	"xcipher/internal/catalog"
	"xcipher/internal/impl"
)

// tiers calls f in each tier that this machine has, with the switches of faster
// ones off.
func tiers(f func(tier string)) {
	switches := impl.Switches()
	was := make([]bool, len(switches))
	for i, s := range switches {
		was[i] = *s.Enabled
	}
	rank := make(map[string]int)
	for i, tier := range impl.Tiers() {
		rank[tier] = i
	}
	for i, tier := range impl.Tiers() {
		here := tier == impl.Generic
		for j, s := range switches {
			*s.Enabled = was[j] && rank[s.Tier] >= i
			here = here || was[j] && s.Tier == tier
		}
		if here {
			f(tier)
		}
	}
	for i, s := range switches {
		*s.Enabled = was[i]
	}
}

// Lengths of messages. Between them are those that give work to each kernel.
const short, medium, long = 48, 1100, 2400

var lengths = []int{short, 200, 300, 500, medium, long}

// randomly sets b to random bytes.
func randomly(b []byte) {
	for len(b) >= 8 {
		binary.NativeEndian.PutUint64(b, rand.Uint64())
		b = b[8:]
	}
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
}

func random(n int) []byte {
	b := make([]byte, n)
	randomly(b)
	return b
}

// filled returns a function that sets all bytes to v.
func filled(v byte) func(b []byte) {
	return func(b []byte) {
		for i := range b {
			b[i] = v
		}
	}
}

// text is a test with messages.
func text(name string, size int, run func(b []byte)) test {
	some := random(size)
	return test{name, size, func(b []byte) { copy(b, some) }, randomly, run}
}

// keys are the tests with keys. run makes something of the key and uses it.
func keys(size int, run func(key []byte)) []test {
	return []test{
		{"key of zeros", size, filled(0), randomly, run},
		{"key of ones", size, filled(0xff), randomly, run},
	}
}

// subject is something that is timed.
type subject struct {
	name  string
	tests func() ([]test, error) // made in the tier that is on
}

// subjects are the algorithms of the catalog, and what that does not reach.
func subjects() (all []subject) {
	for _, a := range catalog.Algorithms() {
		all = append(all, subject{a.Name, func() ([]test, error) { return testsOf(a) }})
	}
	return append(all, subject{"aes128", aesTests})
}

// testsOf returns the tests of an algorithm, for the tier that is on.
func testsOf(a catalog.Algorithm) ([]test, error) {
	switch a.Kind {
	case catalog.Block:
		return blockTests(a)
	case catalog.AEAD:
		return aeadTests(a)
	case catalog.Stream:
		return streamTests(a), nil
	case catalog.MAC:
		size := a.KeySize
		if a.AnyKey {
			size = 32
		}
		h, err := catalog.NewMAC(a.Name, random(size))
		if err != nil {
			return nil, err
		}
		msg := make([]byte, short)
		return append(hashTests(h), keys(size, func(key []byte) {
			h, _ := catalog.NewMAC(a.Name, key)
			sum(h, msg)
		})...), nil
	case catalog.Hash:
		h, err := catalog.NewHash(a.Name)
		return hashTests(h), err
	}
	return nil, fmt.Errorf("no tests for %s", a.Kind)
}

var room [128]byte // for sums

func sum(h hash.Hash, b []byte) {
	h.Write(b)
	h.Sum(room[:0])
	h.Reset()
}

func hashTests(h hash.Hash) []test {
	return []test{
		text("short message", short, func(b []byte) { sum(h, b) }),
		text("message", medium, func(b []byte) { sum(h, b) }),
		text("long message", long, func(b []byte) { sum(h, b) }),
	}
}

// aesTests are those of the AES kernel, which the catalog has only in other modes.
func aesTests() ([]test, error) {
	k, err := aesni.New(random(aesni.KeySize))
	if err != nil {
		return nil, err
	}
	out := make([]byte, long)
	return append([]test{
		text("EncryptBlocks, short", short, func(src []byte) { k.EncryptBlocks(out, src) }),
		text("EncryptBlocks", long, func(src []byte) { k.EncryptBlocks(out, src) }),
		text("DecryptBlocks, short", short, func(src []byte) { k.DecryptBlocks(out, src) }),
		text("DecryptBlocks", long, func(src []byte) { k.DecryptBlocks(out, src) }),
	}, keys(aesni.KeySize, func(key []byte) {
		k, _ := aesni.New(key)
		k.EncryptBlocks(out[:short], out[:short])
	})...), nil
}

func blockTests(a catalog.Algorithm) ([]test, error) {
	b, err := catalog.NewBlock(a.Name, random(a.KeySize))
	if err != nil {
		return nil, err
	}
	n := long / a.BlockSize * a.BlockSize
	iv, out := random(a.BlockSize), make([]byte, max(n, 24*a.BlockSize))
	// The modes go through a variable, as they do in programs that choose one.
	mode := func(f func(cipher.Block, []byte) cipher.BlockMode) func([]byte) {
		return func(src []byte) { f(b, iv).CryptBlocks(out, src) }
	}
	ecbEncrypter := func(b cipher.Block, _ []byte) cipher.BlockMode { return ecb.NewEncrypter(b) }
	ecbDecrypter := func(b cipher.Block, _ []byte) cipher.BlockMode { return ecb.NewDecrypter(b) }
	ctr := func(src []byte) { cipher.NewCTR(b, iv).XORKeyStream(out, src) }
	tests := []test{
		text("Encrypt", a.BlockSize, func(src []byte) { b.Encrypt(out, src) }),
		text("Decrypt", a.BlockSize, func(src []byte) { b.Decrypt(out, src) }),
		text("CBC encryption", n, mode(cipher.NewCBCEncrypter)),
	}
	for _, blocks := range []int{4, 8, 16, 24, n / a.BlockSize} {
		size := blocks * a.BlockSize
		tests = append(tests,
			text(fmt.Sprintf("CBC decryption, %d blocks", blocks), size, mode(cipher.NewCBCDecrypter)),
			text(fmt.Sprintf("ECB encryption, %d blocks", blocks), size, mode(ecbEncrypter)),
			text(fmt.Sprintf("ECB decryption, %d blocks", blocks), size, mode(ecbDecrypter)),
			text(fmt.Sprintf("CTR, %d blocks", blocks), size, ctr))
	}
	message := out[:24*a.BlockSize]
	return append(tests, keys(a.KeySize, func(key []byte) {
		b, _ := catalog.NewBlock(a.Name, key)
		b.Encrypt(out, out)
		b.Decrypt(out, out)
		cipher.NewCTR(b, iv).XORKeyStream(message, message)
	})...), nil
}

func streamTests(a catalog.Algorithm) (tests []test) {
	nonce, key, out := random(a.NonceSizes[0]), random(a.KeySize), make([]byte, long)
	use := func(key, src []byte) {
		s, _ := catalog.NewStream(a.Name, key, nonce)
		s.XORKeyStream(out, src)
	}
	for _, n := range lengths {
		tests = append(tests, text(fmt.Sprintf("%d bytes", n), n, func(b []byte) { use(key, b) }))
	}
	message := out[:short]
	return append(tests, keys(a.KeySize, func(key []byte) { use(key, message) })...)
}

func aeadTests(a catalog.Algorithm) ([]test, error) {
	c, err := catalog.NewAEAD(a.Name, random(a.KeySize))
	if err != nil {
		return nil, err
	}
	fit := func(n int) int {
		if a.MaxMessage > 0 && uint64(n) > a.MaxMessage {
			return int(a.MaxMessage)
		}
		return n
	}
	nonce := random(c.NonceSize())
	var aad []byte
	if !a.NoAAD {
		aad = random(13)
	}
	out := make([]byte, long+c.Overhead())
	seal := func(b []byte) { c.Seal(out[:0], nonce, b, aad) }
	open := func(b []byte) { c.Open(out[:0], nonce, b, aad) }
	tests := keys(a.KeySize, func(key []byte) {
		c, _ := catalog.NewAEAD(a.Name, key)
		c.Seal(out[:0], nonce, out[:fit(short)], aad)
	})
	for _, n := range lengths {
		tests = append(tests, text(fmt.Sprintf("Seal, %d bytes", fit(n)), fit(n), seal))
		if fit(n) < n {
			break
		}
	}
	if !a.NoAAD {
		tests = append(tests, text("additional data", medium, func(b []byte) { c.Seal(out[:0], nonce, nil, b) }))
	}
	for _, n := range []int{fit(short), fit(long)} {
		plain := random(n)
		sealed := c.Seal(nil, nonce, plain, aad)
		tests = append(tests, test{fmt.Sprintf("Open, %d bytes", n), len(sealed),
			func(b []byte) { copy(b, sealed) },
			func(b []byte) { randomly(plain); c.Seal(b[:0], nonce, plain, aad) }, open})
	}
	// A tag that is wrong at its begin, and one that is wrong at its end.
	sealed := c.Seal(nil, nonce, random(fit(short)), aad)
	first, last := bytes.Clone(sealed), bytes.Clone(sealed)
	first[len(sealed)-c.Overhead()] ^= 1
	last[len(sealed)-1] ^= 0x80
	return append(tests, test{"Open of a forgery", len(sealed),
		func(b []byte) { copy(b, first) }, func(b []byte) { copy(b, last) }, open}), nil
}
