package saturnin

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"testing"

	"xcipher/internal/conform"
	"xcipher/vectors"
)

func TestConform(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		t.Run("NewCipher", func(t *testing.T) { conform.TestBlock(t, []int{KeySize}, NewCipher) })
		t.Run("NewCipherWithDomain", func(t *testing.T) {
			conform.TestBlock(t, []int{KeySize}, func(key []byte) (cipher.Block, error) {
				return NewCipherWithDomain(key, 31, 15)
			})
		})
	})
}

func load(t *testing.T, name string) *vectors.File {
	f, err := vectors.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		f := load(t, "saturnin_block")
		plain := 0
		res := vectors.RunBlock(t, f, func(g *vectors.Group) func(key []byte) (cipher.Block, error) {
			switch {
			case g.Rounds == 10 && g.Domain == 0:
				plain += len(g.Tests)
				return NewCipher
			case g.Rounds < 10:
				return nil
			}
			return func(key []byte) (cipher.Block, error) {
				return NewCipherWithDomain(key, g.Rounds, g.Domain)
			}
		})
		// The 8 tests with fewer than 10 super-rounds run in internal/saturnin.
		if res != (vectors.Result{Run: 307, Skipped: 8}) || plain != 40 {
			t.Errorf("ran %+v, of them %d with NewCipher", res, plain)
		}
		for _, g := range f.Groups {
			if b, err := NewCipherWithDomain(g.Tests[0].Key, g.Rounds, g.Domain); (err == nil) != (g.Rounds >= 10) || err != nil && b != nil {
				t.Errorf("%d super-rounds: %v, %v", g.Rounds, b, err)
			}
		}
	})
}

// newCTR returns the key stream of the mode CTR-Cascade from a counter on.
func newCTR(key, nonce, counter []byte) (cipher.Stream, error) {
	b, err := NewCipherWithDomain(key, 10, 1)
	if err != nil {
		return nil, err
	}
	iv := append(bytes.Clone(nonce), 0x80)
	iv = append(iv, make([]byte, BlockSize-len(iv)-len(counter))...)
	return cipher.NewCTR(b, append(iv, counter...)), nil
}

// TestCTR checks cipher.NewCTR, whose counter is all of the block.
func TestCTR(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		ran := 0
		for _, g := range load(t, "saturnin_ctr").Groups {
			for _, test := range g.Tests {
				for _, step := range []int{1, 31, 32, 33, 128, 4096} {
					s, err := newCTR(test.Key, test.IV, test.CounterHex)
					if err != nil {
						t.Fatal(err)
					}
					got := bytes.Clone(test.Msg)
					for i := 0; i < len(got); i += step {
						part := got[i:min(i+step, len(got))]
						s.XORKeyStream(part, part)
					}
					if !bytes.Equal(got, test.CT) {
						t.Errorf("test %d (%s) in steps of %d: %x, want %x", test.ID, test.Comment, step, got, test.CT)
					}
				}
				ran++
			}
		}
		if ran != 60 {
			t.Errorf("ran %d tests", ran)
		}
		// Once more in random pieces, where the counter fits into 64 bits.
		res := vectors.RunStream(t, load(t, "saturnin_ctr"), func(*vectors.Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
				return newCTR(key, iv, binary.BigEndian.AppendUint64(nil, counter))
			}
		})
		if res != (vectors.Result{Run: 51, Skipped: 9}) {
			t.Errorf("ran %+v", res)
		}
	})
}

func TestRanges(t *testing.T) {
	key := make([]byte, KeySize)
	for superRounds := -1; superRounds < 40; superRounds++ {
		for domain := -1; domain < 20; domain++ {
			b, err := NewCipherWithDomain(key, superRounds, domain)
			good := superRounds >= 10 && superRounds <= 31 && domain >= 0 && domain <= 15
			if (err == nil) != good || (b != nil) != good {
				t.Errorf("%d super-rounds, domain %d: %v, %v", superRounds, domain, b, err)
			}
		}
	}
	if _, err := NewCipher(key[:31]); err != KeySizeError(31) || err.Error() != "saturnin: invalid key size 31" {
		t.Errorf("key of 31 bytes: %v", err)
	}
	if _, err := NewCipherWithDomain(key[:31], 10, 0); err != KeySizeError(31) {
		t.Errorf("key of 31 bytes: %v", err)
	}
}

// TestModes runs the standard library's modes over a block of 32 bytes; GCM, which
// is defined for 16, must refuse it.
func TestModes(t *testing.T) {
	b, err := NewCipher(make([]byte, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cipher.NewGCM(b); err == nil {
		t.Error("cipher.NewGCM takes a block of 32 bytes")
	}
	iv, text := make([]byte, BlockSize), bytes.Repeat([]byte("thirty-two bytes make one block."), 5)
	encrypted, decrypted := make([]byte, len(text)), make([]byte, len(text))
	cipher.NewCBCEncrypter(b, iv).CryptBlocks(encrypted, text)
	chained := bytes.Clone(iv)
	for i := 0; i < len(text); i += BlockSize {
		for j := range chained {
			chained[j] ^= text[i+j]
		}
		if b.Encrypt(chained, chained); !bytes.Equal(encrypted[i:i+BlockSize], chained) {
			t.Errorf("CBC: block %d is wrong", i/BlockSize)
		}
	}
	cipher.NewCBCDecrypter(b, iv).CryptBlocks(decrypted, encrypted)
	if !bytes.Equal(decrypted, text) {
		t.Error("CBC: decryption does not undo encryption")
	}
}

func BenchmarkEncrypt(b *testing.B) { benchmarkBlock(b, cipher.Block.Encrypt) }
func BenchmarkDecrypt(b *testing.B) { benchmarkBlock(b, cipher.Block.Decrypt) }

func benchmarkBlock(b *testing.B, crypt func(c cipher.Block, dst, src []byte)) {
	c, _ := NewCipher(make([]byte, KeySize))
	buf := make([]byte, BlockSize)
	b.SetBytes(BlockSize)
	b.ReportAllocs()
	for b.Loop() {
		crypt(c, buf, buf)
	}
}

func BenchmarkCTR(b *testing.B) {
	for _, n := range []int{64, 1024, 8192} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, _ := NewCipher(make([]byte, KeySize))
			s := cipher.NewCTR(c, make([]byte, BlockSize))
			buf := make([]byte, n)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				s.XORKeyStream(buf, buf)
			}
		})
	}
}

func BenchmarkCBCDecrypt(b *testing.B) {
	c, _ := NewCipher(make([]byte, KeySize))
	m := cipher.NewCBCDecrypter(c, make([]byte, BlockSize))
	buf := make([]byte, 8192)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		m.CryptBlocks(buf, buf)
	}
}

func BenchmarkNewCipher(b *testing.B) {
	key := make([]byte, KeySize)
	b.ReportAllocs()
	for b.Loop() {
		NewCipher(key)
	}
}
