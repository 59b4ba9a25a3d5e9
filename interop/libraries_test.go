package interop

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"hash"
	"math/rand/v2"
	"testing"

	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/block/magma"
	"xcipher/interop/tally"
	"xcipher/mac/cmac"
)

// cmacOf returns the full CMAC.
func cmacOf(t *testing.T, newCipher func(key []byte) (cipher.Block, error), key, text []byte) []byte {
	t.Helper()
	b, err := newCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	m, err := cmac.New(b)
	if err != nil {
		t.Fatal(err)
	}
	m.Write(text)
	return m.Sum(nil)
}

func hmacOf(newHash func() hash.Hash, key, text []byte) []byte {
	m := hmac.New(newHash, key)
	m.Write(text)
	return m.Sum(nil)
}

func TestLibraryHashes(t *testing.T) {
	for _, s := range streebogs {
		name := "streebog" + s.bits
		for who, p := range map[string]peer{"GnuTLS": gnutls, "libgcrypt": gcrypt} {
			tally.Run(t, who, name, func(t *testing.T) {
				for _, n := range lengths {
					text := random(n)
					same(t, sum(s.new, text), p.run(t, text, name), "%d bytes", n)
				}
			})
			tally.Run(t, who, "hmac-"+name, func(t *testing.T) {
				for _, n := range lengths {
					key, text := random(1+rand.IntN(200)), random(n)
					same(t, hmacOf(s.new, key, text), p.run(t, text, "hmac-"+name, key), "%d bytes", n)
				}
			})
			tally.Run(t, who, "pbkdf2-"+name, func(t *testing.T) {
				for i := range 10 {
					password, salt, iterations := random(1+10*i), random(8+i), 1+rand.IntN(255)
					key, err := pbkdf2.Key(s.new, string(password), salt, iterations, 100)
					if err != nil {
						t.Fatal(err)
					}
					same(t, key, p.run(t, password, "pbkdf2-"+name, salt, []byte{byte(iterations)}), "%d iterations", iterations)
				}
			})
		}
		tally.Run(t, "libbotan", "hmac-"+name, func(t *testing.T) {
			for _, n := range few {
				key, text := random(1+rand.IntN(200)), random(n)
				same(t, hmacOf(s.new, key, text), botan.run(t, text, "HMAC(Streebog-"+s.bits+")", key), "%d bytes", n)
			}
		})
	}
}

func TestLibraryCiphers(t *testing.T) {
	for _, c := range gostCiphers {
		tally.Run(t, "GnuTLS", c.name+"-omac", func(t *testing.T) {
			for _, n := range lengths {
				key, text := random(32), random(n)
				same(t, cmacOf(t, c.new, key, text), gnutls.run(t, text, c.name+"-omac", key), "%d bytes", n)
			}
		})
		tally.Run(t, "GnuTLS", c.name+"-ctr", func(t *testing.T) {
			for _, n := range []int{0, 1, 15, 16, 17, 1000, 1024} {
				key, text := random(32), random(n)
				b, err := c.new(key)
				if err != nil {
					t.Fatal(err)
				}
				iv, got := random(b.BlockSize()/2), make([]byte, n)
				gost3413.NewCTR(b, iv).XORKeyStream(got, text)
				same(t, got, gnutls.run(t, text, c.name+"-ctr", key, iv), "%d bytes", n)
			}
		})
	}
	tally.Run(t, "libgcrypt", "magma", func(t *testing.T) {
		for _, n := range []int{0, 8, 16, 1000, 65536} {
			key, text, got := random(32), random(n), make([]byte, n)
			b, err := magma.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			ecb.NewEncrypter(b).CryptBlocks(got, text)
			same(t, got, gcrypt.run(t, text, "magma", key), "%d bytes", n)
		}
	})
	tally.Run(t, "libgcrypt", "aes-cmac", func(t *testing.T) {
		for _, n := range few {
			key, text := random(16), random(n)
			same(t, cmacOf(t, aes.NewCipher, key, text), gcrypt.run(t, text, "aes-cmac", key), "%d bytes", n)
		}
	})
	tally.Run(t, "libbotan", "aes-cmac", func(t *testing.T) {
		for _, n := range few {
			key, text := random(16), random(n)
			same(t, cmacOf(t, aes.NewCipher, key, text), botan.run(t, text, "CMAC(AES-128)", key), "%d bytes", n)
		}
	})
}
