package aesni

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func unhex(s string) []byte { return must(hex.DecodeString(strings.ReplaceAll(s, " ", ""))) }

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func xor(x, y []byte) []byte {
	z := make([]byte, len(x))
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
	return z
}

// Appendix F of SP 800-38A.
var (
	sp800Key   = unhex("2b7e151628aed2a6abf7158809cf4f3c")
	sp800IV    = unhex("000102030405060708090a0b0c0d0e0f")
	sp800Plain = unhex("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51" +
		"30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710")
	sp800ECB = unhex("3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf" +
		"43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4")
	sp800CBC = unhex("7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2" +
		"73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7")
)

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		check := func(name string, got, want []byte) {
			t.Helper()
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %x, want %x", name, got, want)
			}
		}
		for _, v := range []struct{ name, key, plain, ct string }{
			{"FIPS 197, appendix B", "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
			{"FIPS 197:2001, appendix C.1", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
			{"SP 800-38A, ECB", hex.EncodeToString(sp800Key), hex.EncodeToString(sp800Plain), hex.EncodeToString(sp800ECB)},
		} {
			k, plain, ct := must(New(unhex(v.key))), unhex(v.plain), unhex(v.ct)
			got := make([]byte, len(ct))
			k.EncryptBlocks(got, plain)
			check(v.name+", encryption", got, ct)
			k.DecryptBlocks(got, ct)
			check(v.name+", decryption", got, plain)
		}
		st, got := bytes.Clone(sp800IV), make([]byte, 64)
		batch.ChainOf(must(New(sp800Key))).Chain(got, sp800Plain, st)
		check("SP 800-38A, CBC", got, sp800CBC)
	})
}

// lengths are numbers of blocks up to two batches of the widest kernel and one.
const lengths = 2*32 + 1

// TestAgainstStandardLibrary compares random keys and data with crypto/aes.
func TestAgainstStandardLibrary(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for n := range lengths + 1 {
			for offset := range 4 {
				key, data := random(r, KeySize), random(r, n*BlockSize)
				k, ref := must(New(key)), must(aes.NewCipher(key))
				want := make([]byte, len(data))
				for i := 0; i < len(data); i += BlockSize {
					ref.Encrypt(want[i:], data[i:])
				}
				in := make([]byte, 64+len(data))[n%64-n%64%4+offset:][:len(data)]
				copy(in, data)
				got := make([]byte, len(data))
				k.EncryptBlocks(got, in)
				if !bytes.Equal(got, want) {
					t.Fatalf("key %x, %d blocks: encryption differs", key, n)
				}
				k.EncryptBlocks(in, in)
				if !bytes.Equal(in, want) {
					t.Fatalf("key %x, %d blocks in place: encryption differs", key, n)
				}
				k.DecryptBlocks(got, in)
				if !bytes.Equal(got, data) {
					t.Fatalf("key %x, %d blocks: decryption differs", key, n)
				}
				k.DecryptBlocks(in, in)
				if !bytes.Equal(in, data) {
					t.Fatalf("key %x, %d blocks in place: decryption differs", key, n)
				}
			}
		}
	})
}

// TestChain compares with E(st ^ block), in pieces too.
func TestChain(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for n := range lengths + 1 {
			key, iv, data := random(r, KeySize), random(r, BlockSize), random(r, n*BlockSize)
			chain, ref := batch.ChainOf(must(New(key))), must(aes.NewCipher(key))
			st, want := bytes.Clone(iv), []byte{}
			for i := 0; i < len(data); i += BlockSize {
				st = xor(st, data[i:])
				ref.Encrypt(st, st)
				want = append(want, st...)
			}
			cut := r.IntN(n+1) * BlockSize
			for _, dst := range [][]byte{make([]byte, len(data)), bytes.Clone(data), nil} {
				src, first, second := data, []byte(nil), []byte(nil)
				if dst != nil {
					first, second = dst[:cut], dst[cut:]
					if bytes.Equal(dst, data) {
						src = dst // in place
					}
				}
				got := bytes.Clone(iv)
				chain.Chain(first, src[:cut], got)
				chain.Chain(second, src[cut:], got)
				if !bytes.Equal(got, st) || dst != nil && !bytes.Equal(dst, want) {
					t.Fatalf("key %x, %d blocks, cut at %d bytes: wrong", key, n, cut)
				}
			}
		}
	})
}

// TestConformance has a block cipher and its modes over the kernel.
func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		conform.TestBlock(t, []int{KeySize}, func(key []byte) (cipher.Block, error) {
			if len(key) != KeySize {
				return nil, fmt.Errorf("aesni: invalid key size %d", len(key))
			}
			k, err := New(key)
			if err != nil {
				return nil, err
			}
			return batch.New("aesni", k), nil
		})
	})
}

func TestWrongKeySize(t *testing.T) {
	for _, n := range []int{0, 15, 17, 24, 32} {
		if k, err := New(make([]byte, n)); k != nil || err != aes.KeySizeError(n) {
			t.Errorf("key of %d bytes: %v, %v", n, k, err)
		}
	}
}

func BenchmarkKernel(b *testing.B) {
	k := must(New(make([]byte, KeySize)))
	chain, st := batch.ChainOf(k), make([]byte, BlockSize)
	b.Run("New", func(b *testing.B) {
		b.ReportAllocs()
		key := make([]byte, KeySize)
		for b.Loop() {
			if _, err := New(key); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, n := range []int{16, 64, 256, 1024, 8192} {
		p := make([]byte, n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("Encrypt", func() { k.EncryptBlocks(p, p) })
		run("Decrypt", func() { k.DecryptBlocks(p, p) })
		run("Chain", func() { chain.Chain(nil, p, st) })
		if m, ok := k.(modes); ok {
			c, st := new([16]byte), new([32]byte)
			run("EncryptMAC", func() { m.EncryptMAC(p, p, c, st, 0) })
			run("DecryptCFB", func() { m.DecryptCFB(p, p, c, 0) })
		}
	}
}

// modes is what the kernel has for CLOC and SILC.
type modes interface {
	EncryptMAC(dst, src []byte, c *[16]byte, st *[32]byte, fix int)
	DecryptCFB(dst, src []byte, first *[16]byte, fix int)
}
