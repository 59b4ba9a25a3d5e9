package hutorny

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"testing"

	"xcipher/block/chaskey"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

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

func xor(a, b []byte) []byte {
	c := make([]byte, len(a))
	for i := range c {
		c[i] = a[i] ^ b[i]
	}
	return c
}

// pi is the Chaskey permutation with 8 rounds, in the order of the paper.
func pi(x []byte) []byte {
	var v [4]uint32
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(x[4*i:])
	}
	rotl := func(i, n int) { v[i] = v[i]<<n | v[i]>>(32-n) }
	mix := func(i, j, n int) { v[i] += v[j]; rotl(j, n); v[j] ^= v[i] }
	for range 8 {
		mix(0, 1, 5)
		rotl(0, 16)
		mix(2, 3, 8)
		mix(0, 3, 13)
		mix(2, 1, 7)
		rotl(2, 16)
	}
	y := make([]byte, BlockSize)
	for i := range v {
		binary.LittleEndian.PutUint32(y[4*i:], v[i])
	}
	return y
}

// pad fills the last block with zeros, as hutorny/chaskey does: an empty message
// becomes one block.
func pad(msg []byte) []byte {
	blocks := max(1, (len(msg)+BlockSize-1)/BlockSize)
	return append(bytes.Clone(msg), make([]byte, blocks*BlockSize-len(msg))...)
}

func encrypt(m cipher.BlockMode, msg []byte) []byte {
	ct := make([]byte, len(msg))
	m.CryptBlocks(ct, msg)
	return ct
}

// refEncrypt is CBC over F(x) = pi(x) ^ K after the start value c0.
func refEncrypt(key, c0, msg []byte) (ct []byte) {
	for last := c0; len(msg) > 0; msg = msg[BlockSize:] {
		last = xor(pi(xor(last, msg[:BlockSize])), key)
		ct = append(ct, last...)
	}
	return ct
}

// TestKeyRecovery shows why nobody may use this mode: with public operations
// alone, any known block but the first gives the key.
func TestKeyRecovery(t *testing.T) {
	msg := randomBytes(t, 5*BlockSize)
	for name, newEncrypter := range map[string]func(key, iv []byte) (cipher.BlockMode, error){
		"nonce": NewCBCEncrypter, "IV": NewCBCEncrypterIV,
	} {
		key, iv := randomBytes(t, KeySize), randomBytes(t, IVSize)
		ct := encrypt(must(newEncrypter(key, iv)), msg)
		for i := BlockSize; i < len(msg); i += BlockSize {
			before, block, known := ct[i-BlockSize:i], ct[i:i+BlockSize], msg[i:i+BlockSize]
			recovered := xor(block, pi(xor(before, known)))
			if !bytes.Equal(recovered, key) {
				t.Errorf("%s: block %d gives %x, key is %x", name, i/BlockSize, recovered, key)
			}
		}

		// The replacement does not fall to this.
		b := must(chaskey.NewCipher8(key))
		ct = encrypt(cipher.NewCBCEncrypter(b, iv), msg)
		if bytes.Equal(xor(ct[16:32], pi(xor(ct[:16], msg[16:32]))), key) {
			t.Errorf("%s: cipher.NewCBCEncrypter gives the key away", name)
		}
	}
}

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunBlockMode(t, must(vectors.Load("chaskey_cbc")), func(g *vectors.Group) *vectors.Modes {
			switch g.Mode {
			case "HUTORNY-CBC-IV":
				return &vectors.Modes{NewEncrypter: NewCBCEncrypterIV, NewDecrypter: NewCBCDecrypterIV}
			case "HUTORNY-CBC-NONCE":
				return &vectors.Modes{NewEncrypter: NewCBCEncrypter, NewDecrypter: NewCBCDecrypter}
			}
			return nil // the groups of block/chaskey
		})
		if want := (vectors.Result{Run: 186, Skipped: 85}); res != want {
			t.Errorf("chaskey_cbc: %+v, want %+v", res, want)
		}
	})
}

func TestReference(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key, msg := randomBytes(t, KeySize), randomBytes(t, 80*BlockSize)
		iv := randomBytes(t, IVSize)
		for n := 0; n <= len(msg); n += BlockSize {
			want := refEncrypt(key, xor(key, iv), msg[:n])
			ct := encrypt(must(NewCBCEncrypterIV(key, iv)), msg[:n])
			if !bytes.Equal(ct, want) {
				t.Fatalf("%d bytes: wrong ciphertext", n)
			}
			if pt := encrypt(must(NewCBCDecrypterIV(key, iv)), ct); !bytes.Equal(pt, msg[:n]) {
				t.Fatalf("%d bytes: wrong plaintext", n)
			}
		}
	})
}

// TestNonces has nonces of every length up to some blocks, and those that collide.
func TestNonces(t *testing.T) {
	key, nonce, msg := randomBytes(t, KeySize), randomBytes(t, 70), make([]byte, BlockSize)
	first := func(nonce []byte) string {
		return string(encrypt(must(NewCBCEncrypter(key, nonce)), msg))
	}
	seen := map[string]int{}
	for n := range len(nonce) + 1 {
		nonce[max(n-1, 0)] |= 1 // the last byte is not zero
		ct := first(nonce[:n])
		if before, ok := seen[ct]; ok {
			t.Errorf("nonces of %d and %d bytes collide", before, n)
		}
		seen[ct] = n
		if padded := pad(nonce[:n]); first(padded) != ct {
			t.Errorf("%d bytes: the nonce is not filled with zeros", n)
		}
		pt := encrypt(must(NewCBCDecrypter(key, nonce[:n])), []byte(ct))
		if !bytes.Equal(pt, msg) {
			t.Errorf("%d bytes: wrong plaintext", n)
		}
	}
	if first(nil) != first(make([]byte, BlockSize)) || first(nil) == first(make([]byte, BlockSize+1)) {
		t.Error("the empty nonce is not one block of zeros")
	}
}

// TestPartialBlocks refuses what hutorny/chaskey fills up or drops silently.
func TestPartialBlocks(t *testing.T) {
	key, iv := make([]byte, KeySize), make([]byte, IVSize)
	for _, m := range []cipher.BlockMode{
		must(NewCBCEncrypter(key, iv)), must(NewCBCDecrypter(key, iv)),
		must(NewCBCEncrypterIV(key, iv)), must(NewCBCDecrypterIV(key, iv)),
	} {
		for _, n := range []int{1, 15, 17, 31, 33} {
			dst := make([]byte, 64)
			conform.MustPanic(t, "hutorny: input not full blocks", func() { m.CryptBlocks(dst, bytes.Repeat([]byte{1}, n)) })
			if !bytes.Equal(dst, make([]byte, 64)) {
				t.Errorf("%d bytes: wrote before the panic", n)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	key, iv := make([]byte, KeySize), make([]byte, IVSize)
	for name, newMode := range map[string]func(key, iv []byte) (cipher.BlockMode, error){
		"NewCBCEncrypter": NewCBCEncrypter, "NewCBCDecrypter": NewCBCDecrypter,
		"NewCBCEncrypterIV": NewCBCEncrypterIV, "NewCBCDecrypterIV": NewCBCDecrypterIV,
	} {
		t.Run(name, func(t *testing.T) {
			conform.TestKeySizes(t, []int{KeySize}, func(key []byte) (any, error) {
				m, err := newMode(key, iv)
				if m == nil {
					return nil, err
				}
				return m, err
			})
			m, err := newMode(key[:15], iv)
			if m != nil || err != KeySizeError(15) || err.Error() != "hutorny: invalid key size 15" {
				t.Errorf("15-byte key: %v, %v", m, err)
			}
		})
	}
	for _, newMode := range []func(key, iv []byte) (cipher.BlockMode, error){NewCBCEncrypterIV, NewCBCDecrypterIV} {
		for n := range 40 {
			m, err := newMode(key, make([]byte, n))
			if n == IVSize {
				if err != nil {
					t.Error(err)
				}
				continue
			}
			if m != nil || err != IVSizeError(n) || err.Error() != fmt.Sprintf("hutorny: invalid IV size %d: want 16", n) {
				t.Errorf("%d-byte IV: %v, %v", n, m, err)
			}
		}
	}
}

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key := randomBytes(t, KeySize)
		wrap := func(newMode func(key, iv []byte) (cipher.BlockMode, error)) func(iv []byte) cipher.BlockMode {
			return func(iv []byte) cipher.BlockMode {
				m, err := newMode(key, iv)
				if err != nil {
					return nil
				}
				return m
			}
		}
		t.Run("IV", func(t *testing.T) {
			conform.TestBlockMode(t, BlockSize, IVSize, wrap(NewCBCEncrypterIV), wrap(NewCBCDecrypterIV))
		})
		t.Run("Nonce", func(t *testing.T) {
			nonce := randomBytes(t, 12)
			conform.TestBlockMode(t, BlockSize, 0,
				func([]byte) cipher.BlockMode { return wrap(NewCBCEncrypter)(nonce) },
				func([]byte) cipher.BlockMode { return wrap(NewCBCDecrypter)(nonce) })
		})
	})
}

func BenchmarkHutorny(b *testing.B) {
	key, iv, buf := make([]byte, KeySize), make([]byte, IVSize), make([]byte, 8192)
	for _, c := range []struct {
		name string
		mode cipher.BlockMode
	}{
		{"CBCEncrypt/8192", must(NewCBCEncrypterIV(key, iv))},
		{"CBCDecrypt/8192", must(NewCBCDecrypterIV(key, iv))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(buf)))
			b.ReportAllocs()
			for b.Loop() {
				c.mode.CryptBlocks(buf, buf)
			}
		})
	}
}
