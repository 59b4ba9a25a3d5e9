package chaskey

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"testing"

	"golang.org/x/crypto/xts"

	"xcipher/internal/conform"
	"xcipher/vectors"
)

type constructor = func(key []byte) (cipher.Block, error)

var byRounds = map[int]constructor{8: NewCipher8, 12: NewCipher12, 16: NewCipherLTS}

// each runs f once per tier and number of rounds.
func each(t *testing.T, f func(t *testing.T, rounds int, newCipher constructor)) {
	conform.Each(t, func(t *testing.T) {
		for rounds, newCipher := range byRounds {
			t.Run(fmt.Sprint(rounds), func(t *testing.T) { f(t, rounds, newCipher) })
		}
	})
}

// refEncrypt is E(x) = pi(x ^ K) ^ K with pi in the order of the paper.
func refEncrypt(key, x []byte, rounds int) []byte {
	var v [4]uint32
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(x[4*i:]) ^ binary.LittleEndian.Uint32(key[4*i:])
	}
	rotl := func(i, n int) { v[i] = v[i]<<n | v[i]>>(32-n) }
	mix := func(i, j, n int) { v[i] += v[j]; rotl(j, n); v[j] ^= v[i] }
	for range rounds {
		mix(0, 1, 5)
		rotl(0, 16)
		mix(2, 3, 8)
		mix(0, 3, 13)
		mix(2, 1, 7)
		rotl(2, 16)
	}
	y := make([]byte, BlockSize)
	for i := range v {
		binary.LittleEndian.PutUint32(y[4*i:], v[i]^binary.LittleEndian.Uint32(key[4*i:]))
	}
	return y
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func randomBytes(t testing.TB, n int) []byte {
	r, b := conform.Rand(t), make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestKnownAnswers(t *testing.T) {
	const (
		key = "000102030405060708090a0b0c0d0e0f"
		x   = "101112131415161718191a1b1c1d1e1f"
	)
	for _, v := range []struct {
		rounds     int
		key, x, ct string
	}{
		{8, key, x, "55326c1123cb091cb6e2472916b9b197"},
		{12, key, x, "7d5fd76136a955fa62df97d84e760798"},
		{16, key, x, "43224de87ba83c5158045e99d7c29191"},
		// From the FELICS benchmark of block ciphers.
		{16, "5609e9685f58e32940ecec98c522982f", "b8232826fd5e405e69a301a978ea7ad8", "d5608d4da2bf347babf8772fdfedde07"},
		// pi(0) = 0, so the key is a fixed point: no special case may hide that.
		{8, key, key, key},
		{12, key, key, key},
		{16, key, key, key},
	} {
		b := must(byRounds[v.rounds](unhex(v.key)))
		got := make([]byte, BlockSize)
		b.Encrypt(got, unhex(v.x))
		if !bytes.Equal(got, unhex(v.ct)) {
			t.Errorf("%d rounds: E(%s) = %x, want %s", v.rounds, v.x, got, v.ct)
		}
		b.Decrypt(got, got)
		if !bytes.Equal(got, unhex(v.x)) {
			t.Errorf("%d rounds: D(%s) = %x, want %s", v.rounds, v.ct, got, v.x)
		}
	}
}

func TestReference(t *testing.T) {
	each(t, func(t *testing.T, rounds int, newCipher constructor) {
		check := func(key, x []byte) {
			t.Helper()
			b, got, back := must(newCipher(key)), make([]byte, BlockSize), make([]byte, BlockSize)
			b.Encrypt(got, x)
			if want := refEncrypt(key, x, rounds); !bytes.Equal(got, want) {
				t.Errorf("key %x: E(%x) = %x, want %x", key, x, got, want)
			}
			if b.Decrypt(back, got); !bytes.Equal(back, x) {
				t.Errorf("key %x: D(E(%x)) = %x", key, x, back)
			}
		}
		data := randomBytes(t, 200*32)
		for d := data; len(d) > 0; d = d[32:] {
			check(d[:16], d[16:32])
		}
		for bit := range 128 {
			x := make([]byte, BlockSize)
			x[bit/8] = 1 << (bit % 8)
			check(data[:16], x)
			check(x, data[:16])
		}
		for c := range 256 {
			check(data[:16], bytes.Repeat([]byte{byte(c)}, BlockSize))
		}
	})
}

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunBlock(t, must(vectors.Load("chaskey_block")), func(g *vectors.Group) func(key []byte) (cipher.Block, error) {
			return byRounds[g.Rounds]
		})
		if want := (vectors.Result{Run: 593}); res != want {
			t.Errorf("chaskey_block: %+v, want %+v", res, want)
		}
	})
}

func TestCBCVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunBlockMode(t, must(vectors.Load("chaskey_cbc")), func(g *vectors.Group) *vectors.Modes {
			if g.Mode != "CBC" {
				return nil // the modes of block/chaskey/hutorny
			}
			return &vectors.Modes{
				NewEncrypter: func(key, iv []byte) (cipher.BlockMode, error) {
					return cipher.NewCBCEncrypter(must(byRounds[g.Rounds](key)), iv), nil
				},
				NewDecrypter: func(key, iv []byte) (cipher.BlockMode, error) {
					return cipher.NewCBCDecrypter(must(byRounds[g.Rounds](key)), iv), nil
				},
			}
		})
		if want := (vectors.Result{Run: 85, Skipped: 186}); res != want {
			t.Errorf("chaskey_cbc: %+v, want %+v", res, want)
		}
	})
}

func TestConformance(t *testing.T) {
	each(t, func(t *testing.T, _ int, newCipher constructor) {
		conform.TestBlock(t, []int{KeySize}, newCipher)
		b := must(newCipher(randomBytes(t, KeySize)))
		conform.TestBlockMode(t, BlockSize, BlockSize,
			func(iv []byte) cipher.BlockMode { return cipher.NewCBCEncrypter(b, iv) },
			func(iv []byte) cipher.BlockMode { return cipher.NewCBCDecrypter(b, iv) })
		conform.TestStream(t, KeySize, []int{BlockSize}, func(key, iv []byte) (cipher.Stream, error) {
			b, err := newCipher(key)
			if err != nil {
				return nil, err
			}
			return cipher.NewCTR(b, iv), nil
		})
	})
}

// TestKeySizeError pins the type and the text.
func TestKeySizeError(t *testing.T) {
	for _, newCipher := range byRounds {
		b, err := newCipher(make([]byte, 31))
		if b != nil || err != KeySizeError(31) || err.Error() != "chaskey: invalid key size 31" {
			t.Errorf("31-byte key: %v, %v", b, err)
		}
	}
}

// plain hides everything but cipher.Block.
type plain struct{ cipher.Block }

// TestModes runs the modes of the standard library and of x/crypto there and back,
// and against the same block without its optional methods.
func TestModes(t *testing.T) {
	each(t, func(t *testing.T, rounds int, newCipher constructor) {
		key, iv := randomBytes(t, KeySize), randomBytes(t, BlockSize)
		b := must(newCipher(key))
		for _, n := range []int{0, 1, 15, 16, 17, 64, 1000, 1024, 1040, 5000} {
			msg := randomBytes(t, n)

			ctr := func(b cipher.Block, in []byte) []byte {
				out := make([]byte, len(in))
				cipher.NewCTR(b, iv).XORKeyStream(out, in)
				return out
			}
			ct := ctr(b, msg)
			if !bytes.Equal(ct, ctr(plain{b}, msg)) || !bytes.Equal(ctr(b, ct), msg) {
				t.Errorf("%d bytes: CTR fails", n)
			}

			whole := msg[:n/BlockSize*BlockSize]
			cbc := func(m cipher.BlockMode, in []byte) []byte {
				out := make([]byte, len(in))
				m.CryptBlocks(out, in)
				return out
			}
			ct = cbc(cipher.NewCBCEncrypter(b, iv), whole)
			if !bytes.Equal(ct, cbc(cipher.NewCBCEncrypter(plain{b}, iv), whole)) ||
				!bytes.Equal(cbc(cipher.NewCBCDecrypter(b, iv), ct), whole) ||
				!bytes.Equal(cbc(cipher.NewCBCDecrypter(plain{b}, iv), ct), whole) {
				t.Errorf("%d bytes: CBC fails", n)
			}

			gcm := must(cipher.NewGCM(b))
			sealed := gcm.Seal(nil, iv[:12], msg, key)
			if !bytes.Equal(sealed, must(cipher.NewGCM(plain{b})).Seal(nil, iv[:12], msg, key)) {
				t.Errorf("%d bytes: GCM differs", n)
			}
			if pt, err := gcm.Open(nil, iv[:12], sealed, key); err != nil || !bytes.Equal(pt, msg) {
				t.Errorf("%d bytes: GCM fails: %v", n, err)
			}

			x := must(xts.NewCipher(newCipher, append(key[:16:16], iv...)))
			ct, pt := make([]byte, len(whole)), make([]byte, len(whole))
			x.Encrypt(ct, whole, 7)
			if x.Decrypt(pt, ct, 7); !bytes.Equal(pt, whole) || n >= BlockSize && bytes.Equal(ct, whole) {
				t.Errorf("%d bytes: XTS fails", n)
			}
		}
	})
}

func BenchmarkChaskey(b *testing.B) {
	aesBlock := func(key []byte) (cipher.Block, error) { return aes.NewCipher(key) }
	for _, c := range []struct {
		name      string
		newCipher constructor
	}{{"8", NewCipher8}, {"12", NewCipher12}, {"LTS", NewCipherLTS}, {"AES-128", aesBlock}} {
		block := must(c.newCipher(make([]byte, KeySize)))
		buf := make([]byte, 8192)
		iv := make([]byte, BlockSize)
		run := func(name string, n int, f func(b []byte)) {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					f(buf[:n])
				}
			})
		}
		run("Encrypt/16", 16, func(p []byte) { block.Encrypt(p, p) })
		run("Decrypt/16", 16, func(p []byte) { block.Decrypt(p, p) })
		ctr := cipher.NewCTR(block, iv)
		run("CTR/8192", 8192, func(p []byte) { ctr.XORKeyStream(p, p) })
		enc, dec := cipher.NewCBCEncrypter(block, iv), cipher.NewCBCDecrypter(block, iv)
		run("CBCEncrypt/8192", 8192, func(p []byte) { enc.CryptBlocks(p, p) })
		run("CBCDecrypt/8192", 8192, func(p []byte) { dec.CryptBlocks(p, p) })
	}
}
