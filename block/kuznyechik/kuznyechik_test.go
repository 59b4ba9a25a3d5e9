package kuznyechik

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"golang.org/x/crypto/xts"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

// exampleKey is the key of the examples in RFC 7801 and GOST R 34.13-2015.
const exampleKey = "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef"

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newCipher(t testing.TB, key []byte) cipher.Block {
	t.Helper()
	b, err := NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// random returns n random bytes.
func random(rng interface{ Uint32() uint32 }, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32() >> 13)
	}
	return b
}

// hidden has the methods of cipher.Block alone, so that crypto/cipher does not
// find ours.
type hidden struct{ cipher.Block }

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		conform.TestBlock(t, []int{KeySize}, NewCipher)
	})
}

func TestKeySizeError(t *testing.T) {
	for _, n := range []int{0, 16, 31, 33, 64} {
		b, err := NewCipher(make([]byte, n))
		var size KeySizeError
		if b != nil || !errors.As(err, &size) || int(size) != n {
			t.Errorf("%d bytes: %v, %v", n, b, err)
		}
	}
	if got := KeySizeError(31).Error(); got != "kuznyechik: invalid key size 31" {
		t.Error(got)
	}
}

// newCTR takes a nonce of half a block, as in GOST R 34.13-2015, or a whole first
// block. counter is the number of the first block.
func newCTR(key, iv []byte, counter uint64) (cipher.Stream, error) {
	b, err := NewCipher(key)
	if err != nil {
		return nil, err
	}
	first := make([]byte, BlockSize)
	copy(first, iv)
	if len(iv) < BlockSize {
		binary.BigEndian.PutUint64(first[8:], counter)
	}
	return cipher.NewCTR(b, first), nil
}

func TestVectors(t *testing.T) {
	load := func(name string) *vectors.File {
		f, err := vectors.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	type newStream = func(key, iv []byte, counter uint64) (cipher.Stream, error)
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunBlock(t, load("kuznyechik_block"), func(*vectors.Group) func([]byte) (cipher.Block, error) {
			return NewCipher
		})
		if res != (vectors.Result{Run: 447}) {
			t.Errorf("kuznyechik_block: %+v", res)
		}
		res = vectors.RunStream(t, load("kuznyechik_ctr"), func(*vectors.Group) newStream { return newCTR })
		if res != (vectors.Result{Run: 123}) {
			t.Errorf("kuznyechik_ctr: %+v", res)
		}
		res = vectors.RunStream(t, load("bug_regressions"), func(g *vectors.Group) newStream {
			if g.Algorithm != "KUZNYECHIK-CTR" {
				return nil
			}
			return newCTR
		})
		if res.Run != 4 || res.Refused != 0 {
			t.Errorf("bug_regressions: %+v", res)
		}
	})
}

// TestCounterCarry encrypts so much that the counter carries out of its last byte
// twice: implementations are known that fail after block 256.
func TestCounterCarry(t *testing.T) {
	const want = "60b4c5639a0e99b917e51f7475f722f6a9fa7721fadf16c09fe0fb278a6a0f5c"
	conform.Each(t, func(t *testing.T) {
		out := make([]byte, 601*BlockSize)
		iv := unhex(t, "1234567890abcef00000000000000000")
		cipher.NewCTR(newCipher(t, unhex(t, exampleKey)), iv).XORKeyStream(out, out)
		if sum := sha256.Sum256(out); hex.EncodeToString(sum[:]) != want {
			t.Errorf("SHA-256 of the key stream is %x, want %s", sum, want)
		}
		seen := make(map[string]bool)
		for b := range slices.Chunk(out, BlockSize) {
			if seen[string(b)] {
				t.Errorf("block %x comes twice", b)
			}
			seen[string(b)] = true
		}
	})
}

// TestRoundtrip takes blocks with few patterns: one bit, equal bytes.
func TestRoundtrip(t *testing.T) {
	var blocks [][]byte
	for i := range 128 {
		one := make([]byte, BlockSize)
		one[i/8] = 1 << (i % 8)
		blocks = append(blocks, one)
	}
	for i := range 256 {
		blocks = append(blocks, bytes.Repeat([]byte{byte(i)}, BlockSize))
	}
	conform.Each(t, func(t *testing.T) {
		b := newCipher(t, random(conform.Rand(t), KeySize))
		there, back := make([]byte, BlockSize), make([]byte, BlockSize)
		for _, x := range blocks {
			b.Encrypt(there, x)
			b.Decrypt(back, there)
			if !bytes.Equal(back, x) {
				t.Errorf("D(E(%x)) = %x", x, back)
			}
			b.Decrypt(there, x)
			b.Encrypt(back, there)
			if !bytes.Equal(back, x) {
				t.Errorf("E(D(%x)) = %x", x, back)
			}
		}
	})
}

// TestStandardModes runs the modes of crypto/cipher, with our methods and without.
func TestStandardModes(t *testing.T) {
	type pair struct {
		encrypt, decrypt func(b cipher.Block, iv, dst, src []byte)
	}
	mode := func(f func(cipher.Block, []byte) cipher.BlockMode) func(b cipher.Block, iv, dst, src []byte) {
		return func(b cipher.Block, iv, dst, src []byte) { f(b, iv).CryptBlocks(dst, src) }
	}
	stream := func(f func(cipher.Block, []byte) cipher.Stream) func(b cipher.Block, iv, dst, src []byte) {
		return func(b cipher.Block, iv, dst, src []byte) { f(b, iv).XORKeyStream(dst, src) }
	}
	modes := map[string]pair{
		"CBC": {mode(cipher.NewCBCEncrypter), mode(cipher.NewCBCDecrypter)},
		"CTR": {stream(cipher.NewCTR), stream(cipher.NewCTR)},
		//lint:ignore SA1019 deprecated, yet to be served
		"OFB": {stream(cipher.NewOFB), stream(cipher.NewOFB)},
		//lint:ignore SA1019 deprecated, yet to be served
		"CFB": {stream(cipher.NewCFBEncrypter), stream(cipher.NewCFBDecrypter)},
	}
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		iv, text := random(rng, BlockSize), random(rng, 200*BlockSize)
		b := newCipher(t, random(rng, KeySize))
		for name, m := range modes {
			got, want := make([]byte, len(text)), make([]byte, len(text))
			m.encrypt(b, iv, got, text)
			m.encrypt(hidden{b}, iv, want, text)
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs from the same without our methods", name)
			}
			m.decrypt(b, iv, got, got)
			m.decrypt(hidden{b}, iv, want, want)
			if !bytes.Equal(got, text) || !bytes.Equal(want, text) {
				t.Errorf("%s does not decrypt what it encrypts", name)
			}
		}
	})
}

func TestGCM(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		b := newCipher(t, random(rng, KeySize))
		gcm, err := cipher.NewGCM(b)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := cipher.NewGCM(hidden{b})
		if err != nil {
			t.Fatal(err)
		}
		nonce, text, aad := random(rng, gcm.NonceSize()), random(rng, 1000), random(rng, 33)
		sealed := gcm.Seal(nil, nonce, text, aad)
		if !bytes.Equal(sealed, plain.Seal(nil, nonce, text, aad)) {
			t.Error("GCM differs from the same without our methods")
		}
		opened, err := gcm.Open(nil, nonce, sealed, aad)
		if err != nil || !bytes.Equal(opened, text) {
			t.Errorf("GCM does not open what it seals: %v", err)
		}
		sealed[7] ^= 1
		if _, err := gcm.Open(nil, nonce, sealed, aad); err == nil {
			t.Error("GCM opens a forgery")
		}
	})
}

func TestXTS(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		c, err := xts.NewCipher(NewCipher, random(rng, 2*KeySize))
		if err != nil {
			t.Fatal(err)
		}
		text := random(rng, 512)
		sector := make([]byte, len(text))
		c.Encrypt(sector, text, 77)
		if bytes.Equal(sector, text) {
			t.Error("XTS changes nothing")
		}
		c.Decrypt(sector, sector, 77)
		if !bytes.Equal(sector, text) {
			t.Error("XTS does not decrypt what it encrypts")
		}
	})
}

func TestAllocs(t *testing.T) {
	key := make([]byte, KeySize)
	conform.Each(t, func(t *testing.T) {
		k := batch.Of(newCipher(t, key))
		buf := make([]byte, 100*BlockSize)
		ctr := make([]byte, BlockSize)
		for _, n := range []int{1, 3, 7, 24, 25, 64, 100} {
			buf := buf[:n*BlockSize]
			conform.Allocs(t, "EncryptBlocks", 0, func() { k.EncryptBlocks(buf, buf) })
			conform.Allocs(t, "DecryptBlocks", 0, func() { k.DecryptBlocks(buf, buf) })
			conform.Allocs(t, "XORCounter", 0, func() { batch.CounterOf(k).XORCounter(buf, buf, ctr, 0, BlockSize) })
			conform.Allocs(t, "Chain", 0, func() { batch.ChainOf(k).Chain(buf, buf, ctr) })
		}
		conform.Allocs(t, "NewCipher", 2, func() { newCipher(t, key) })
	})
}

func BenchmarkNewCipher(b *testing.B) {
	key := make([]byte, KeySize)
	b.ReportAllocs()
	for b.Loop() {
		newCipher(b, key)
	}
}

func BenchmarkEncrypt(b *testing.B) { benchmarkBlock(b, cipher.Block.Encrypt) }

func BenchmarkDecrypt(b *testing.B) { benchmarkBlock(b, cipher.Block.Decrypt) }

func benchmarkBlock(b *testing.B, crypt func(c cipher.Block, dst, src []byte)) {
	c, block := newCipher(b, make([]byte, KeySize)), make([]byte, BlockSize)
	b.SetBytes(BlockSize)
	b.ReportAllocs()
	for b.Loop() {
		crypt(c, block, block)
	}
}

func BenchmarkCTR(b *testing.B) {
	c := newCipher(b, make([]byte, KeySize))
	for _, bench := range []struct {
		name string
		c    cipher.Block
		n    int
	}{
		{"16", c, 16}, {"16/hidden", hidden{c}, 16}, {"64", c, 64}, {"256", c, 256}, {"1K", c, 1024}, {"8K", c, 8192},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s, buf := cipher.NewCTR(bench.c, make([]byte, BlockSize)), make([]byte, bench.n)
			b.SetBytes(int64(bench.n))
			b.ReportAllocs()
			for b.Loop() {
				s.XORKeyStream(buf, buf)
			}
		})
	}
}

func BenchmarkCBCEncrypt8K(b *testing.B) { benchmarkCBC(b, cipher.NewCBCEncrypter) }

func BenchmarkCBCDecrypt8K(b *testing.B) { benchmarkCBC(b, cipher.NewCBCDecrypter) }

func benchmarkCBC(b *testing.B, newMode func(cipher.Block, []byte) cipher.BlockMode) {
	m := newMode(newCipher(b, make([]byte, KeySize)), make([]byte, BlockSize))
	buf := make([]byte, 8192)
	b.SetBytes(8192)
	b.ReportAllocs()
	for b.Loop() {
		m.CryptBlocks(buf, buf)
	}
}

// BenchmarkBlocks shows where the long path begins to pay.
func BenchmarkBlocks(b *testing.B) {
	k := batch.Of(newCipher(b, make([]byte, KeySize)))
	for _, bench := range []struct {
		name   string
		blocks int
	}{{"1", 1}, {"2", 2}, {"4", few}, {"24", manyMin - 1}, {"25", manyMin}, {"64", many}} {
		b.Run(bench.name, func(b *testing.B) {
			buf := make([]byte, bench.blocks*BlockSize)
			b.SetBytes(int64(len(buf)))
			b.ReportAllocs()
			for b.Loop() {
				k.EncryptBlocks(buf, buf)
			}
		})
	}
}
