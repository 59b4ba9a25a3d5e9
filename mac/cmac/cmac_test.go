package cmac_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"encoding/hex"
	"fmt"
	"hash"
	"math/rand/v2"
	"testing"

	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/internal/conform"
	"xcipher/mac/cmac"
	"xcipher/vectors"
)

func random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

type newBlock = func(key []byte) (cipher.Block, error)

func over(block newBlock, tagSize int) func(key []byte) (hash.Hash, error) {
	return func(key []byte) (hash.Hash, error) {
		b, err := block(key)
		if err != nil {
			return nil, err
		}
		return cmac.NewWithTagSize(b, tagSize)
	}
}

func TestVectors(t *testing.T) {
	for _, c := range []struct {
		file string
		want vectors.Result
	}{
		{"kuznyechik_omac", vectors.Result{Run: 193}},
		{"magma_omac", vectors.Result{Run: 257}},
		{"bug_regressions", vectors.Result{Run: 18}},
	} {
		f, err := vectors.Load(c.file)
		if err != nil {
			t.Fatal(err)
		}
		conform.Each(t, func(t *testing.T) {
			got := vectors.RunMAC(t, f, func(g *vectors.Group) func(key []byte) (hash.Hash, error) {
				switch {
				case c.file == "kuznyechik_omac" || g.Algorithm == "KUZNYECHIK-OMAC":
					return over(kuznyechik.NewCipher, g.TagSize/8)
				case c.file == "magma_omac" || g.Algorithm == "MAGMA-OMAC":
					return over(magma.NewCipher, g.TagSize/8)
				}
				return nil
			})
			if got != c.want {
				t.Errorf("%s: %+v, want %+v", c.file, got, c.want)
			}
		})
	}
}

// RFC 4493 section 4.
func TestRFC4493(t *testing.T) {
	unhex := func(s string) []byte { b, _ := hex.DecodeString(s); return b }
	key := unhex("2b7e151628aed2a6abf7158809cf4f3c")
	msg := unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
		"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
	for n, want := range map[int]string{
		0: "bb1d6929e95937287fa37d129b756746", 16: "070a16b46b4d4144f79bdd9dd04a287c",
		40: "dfa66747de9ae63030ca32611497c827", 64: "51f0bebf7e3b9d92fc49741779363cfe",
	} {
		m, err := over(aes.NewCipher, 16)(key)
		if err != nil {
			t.Fatal(err)
		}
		m.Write(msg[:n])
		if got := hex.EncodeToString(m.Sum(nil)); got != want {
			t.Errorf("%d bytes: %s, want %s", n, got, want)
		}
	}
}

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		t.Run("kuznyechik", func(t *testing.T) { conform.TestMAC(t, []int{32}, over(kuznyechik.NewCipher, 16)) })
		t.Run("magma", func(t *testing.T) { conform.TestMAC(t, []int{32}, over(magma.NewCipher, 8)) })
		t.Run("truncated", func(t *testing.T) { conform.TestMAC(t, []int{32}, over(kuznyechik.NewCipher, 5)) })
		t.Run("aes", func(t *testing.T) { conform.TestMAC(t, []int{16, 24, 32}, over(aes.NewCipher, 16)) })
	})
}

// reference is SP 800-38B section 6, whole message at once.
func reference(b cipher.Block, msg []byte) []byte {
	n := b.BlockSize()
	poly := map[int]byte{8: 0x1b, 16: 0x87}[n]
	double := func(x []byte) []byte {
		y := make([]byte, n)
		for i := range y {
			y[i] = x[i] << 1
			if i+1 < n {
				y[i] |= x[i+1] >> 7
			}
		}
		if x[0]&0x80 != 0 {
			y[n-1] ^= poly
		}
		return y
	}
	l := make([]byte, n)
	b.Encrypt(l, l)
	k := double(l)
	if len(msg) == 0 || len(msg)%n != 0 {
		k = double(k)
		msg = append(bytes.Clone(msg), 0x80)
		msg = append(msg, make([]byte, (n-len(msg)%n)%n)...)
	}
	c := make([]byte, n)
	for ; len(msg) > 0; msg = msg[n:] {
		for i := range c {
			c[i] ^= msg[i]
			if len(msg) == n {
				c[i] ^= k[i]
			}
		}
		b.Encrypt(c, c)
	}
	return c
}

func TestAgainstReference(t *testing.T) {
	for name, c := range map[string]struct {
		size int
		f    newBlock
	}{"kuznyechik": {32, kuznyechik.NewCipher}, "magma": {32, magma.NewCipher}, "aes": {16, aes.NewCipher}, "3des": {24, des.NewTripleDESCipher}} {
		for range 12 { // keys, so that each subkey's top bit takes both values
			key := random(c.size)
			b, _ := c.f(key)
			for n := 0; n <= 4*b.BlockSize()+1; n++ {
				msg := random(n)
				want := reference(b, msg)
				for size := 1; size <= b.BlockSize(); size += 3 {
					m, err := cmac.NewWithTagSize(b, size)
					if err != nil {
						t.Fatal(err)
					}
					i := rand.IntN(n + 1)
					m.Write(msg[:i])
					m.Write(msg[i:])
					if got := m.Sum(nil); !hmac.Equal(got, want[:size]) {
						t.Fatalf("%s: %d bytes, tag of %d: %x, want %x", name, n, size, got, want)
					}
				}
			}
		}
	}
}

type toyBlock struct{}

func (toyBlock) BlockSize() int          { return 32 }
func (toyBlock) Encrypt(dst, src []byte) { copy(dst, src[:32]) }
func (toyBlock) Decrypt(dst, src []byte) { copy(dst, src[:32]) }

func TestSizes(t *testing.T) {
	if m, err := cmac.New(toyBlock{}); m != nil || err != cmac.BlockSizeError(32) {
		t.Errorf("32-byte block: %v, %v", m, err)
	}
	b, _ := magma.NewCipher(make([]byte, 32))
	for _, n := range []int{-1, 0, 9, 16} {
		m, err := cmac.NewWithTagSize(b, n)
		if m != nil || err != cmac.TagSizeError(n) {
			t.Errorf("tag of %d bytes: %v, %v", n, m, err)
		}
	}
	m, err := cmac.New(b)
	if err != nil || m.Size() != 8 || m.BlockSize() != 8 {
		t.Errorf("New over Magma: %v, size %d", err, m.Size())
	}
}

func BenchmarkMAC(b *testing.B) {
	for name, block := range map[string]newBlock{"kuznyechik": kuznyechik.NewCipher, "magma": magma.NewCipher} {
		for _, n := range []int{64, 1024, 8192} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				c, _ := block(make([]byte, 32))
				m, _ := cmac.New(c)
				msg, sum := make([]byte, n), make([]byte, 0, 16)
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					m.Reset()
					m.Write(msg)
					m.Sum(sum)
				}
			})
		}
	}
}
