package magma

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

// exampleKey is the key of the examples in RFC 8891 and GOST R 34.13-2015.
const exampleKey = "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"

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

// hidden has the methods of cipher.Block alone, so that crypto/cipher does not
// find ours.
type hidden struct{ cipher.Block }

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		conform.TestBlock(t, []int{KeySize}, NewCipher)
	})
}

func TestKeySizeError(t *testing.T) {
	b, err := NewCipher(make([]byte, 31))
	var size KeySizeError
	if b != nil || !errors.As(err, &size) || size != 31 || err.Error() != "magma: invalid key size 31" {
		t.Errorf("31 bytes: %v, %v", b, err)
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
	binary.BigEndian.PutUint64(first, binary.BigEndian.Uint64(first)+counter)
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
		res := vectors.RunBlock(t, load("magma_block"), func(*vectors.Group) func([]byte) (cipher.Block, error) {
			return NewCipher
		})
		if res != (vectors.Result{Run: 448}) {
			t.Errorf("magma_block: %+v", res)
		}
		res = vectors.RunStream(t, load("magma_ctr"), func(*vectors.Group) newStream { return newCTR })
		if res != (vectors.Result{Run: 102}) {
			t.Errorf("magma_ctr: %+v", res)
		}
		res = vectors.RunStream(t, load("bug_regressions"), func(g *vectors.Group) newStream {
			if g.Algorithm != "MAGMA-CTR" {
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
	const want = "aac0f5813bd2667724416630c090e0615c2f2277c40937fcd1c93bc688abd2bc"
	conform.Each(t, func(t *testing.T) {
		out := make([]byte, 601*BlockSize)
		iv := unhex(t, "1234567800000000")
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
		key, iv, text := make([]byte, KeySize), make([]byte, BlockSize), make([]byte, 200*BlockSize)
		fill(conform.Rand(t), key, iv, text)
		b := newCipher(t, key)
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
		if a, err := cipher.NewGCM(b); err == nil || a != nil {
			t.Errorf("NewGCM accepts a block of 64 bits")
		}
	})
}

func TestAllocs(t *testing.T) {
	b := newCipher(t, make([]byte, KeySize))
	k := batch.Of(b)
	buf, ctr := make([]byte, 100*BlockSize), make([]byte, BlockSize)
	conform.Allocs(t, "EncryptBlocks", 0, func() { k.EncryptBlocks(buf, buf) })
	conform.Allocs(t, "DecryptBlocks", 0, func() { k.DecryptBlocks(buf, buf) })
	conform.Allocs(t, "XORCounter", 0, func() { batch.CounterOf(k).XORCounter(buf, buf, ctr, 0, BlockSize) })
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

// BenchmarkBlocks shows where bit-slicing begins to pay.
func BenchmarkBlocks(b *testing.B) {
	k := batch.Of(newCipher(b, make([]byte, KeySize)))
	for _, bench := range []struct {
		name   string
		blocks int
	}{{"2", 2}, {"11", slicedMin - 1}, {"12", slicedMin}, {"64", 64}, {"128", 128}} {
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
