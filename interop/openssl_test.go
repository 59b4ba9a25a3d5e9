package interop

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"encoding/hex"
	"fmt"
	"hash"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/interop/tally"
	"xcipher/mac/cmac"
)

// engine makes a configuration that loads the GOST engine for all algorithms.
// The option -engine alone is not enough: with engine 3.0.1, kuznyechik-mac then
// returns the MAC of Magma and eight bytes of whatever was in memory.
var engine = sync.OnceValues(func() (config string, err error) {
	if _, err := try(nil, "openssl", "engine", "gost"); err != nil {
		return "", err
	}
	config = filepath.Join(scratch, "openssl.cnf")
	return config, os.WriteFile(config, []byte("openssl_conf = a\n[a]\nengines = b\n[b]\ngost = c\n[c]\ndefault_algorithms = ALL\n"), 0o600)
})

// gost runs openssl with the engine.
func gost(t *testing.T, stdin []byte, args ...string) []byte {
	t.Helper()
	config, err := engine()
	if err != nil {
		missing(t, err)
	}
	return run(t, stdin, "env", append([]string{"OPENSSL_CONF=" + config, "openssl"}, args...)...)
}

// provider tells whether there is a GOST provider.
var provider = sync.OnceValue(func() error {
	_, err := try(nil, "openssl", "list", "-providers", "-provider", "gostprov")
	return err
})

func TestOpenSSLDigests(t *testing.T) {
	for _, s := range streebogs {
		name := "md_gost12_" + s.bits
		tally.Run(t, "gost-engine", "streebog"+s.bits, func(t *testing.T) {
			for _, n := range lengths {
				text := random(n)
				same(t, sum(s.new, text), gost(t, text, "dgst", "-"+name, "-binary"), "%d bytes", n)
			}
		})
		tally.Run(t, "gost-engine", "streebog"+s.bits+" formats", func(t *testing.T) {
			for _, n := range few {
				file, text := file(t, n)
				digest := sum(s.new, text)
				colons := strings.Trim(strings.ReplaceAll(fmt.Sprintf("% x", digest), " ", ":"), ":")
				for want, args := range map[string][]string{
					fmt.Sprintf("%s(%s)= %x\n", name, file, digest): {"-" + name},
					fmt.Sprintf("%x *%s\n", digest, file):           {"-r", "-streebog" + s.bits},
					fmt.Sprintf("%s(%s)= %s\n", name, file, colons): {"-c", "-" + name},
					fmt.Sprintf("%s(stdin)= %x\n", name, digest):    {"-" + name},
					fmt.Sprintf("%x *stdin\n", digest):              {"-r", "-" + name},
				} {
					args = append([]string{"dgst"}, args...)
					if !strings.Contains(want, "stdin") {
						args = append(args, file)
					}
					if got := gost(t, text, args...); string(got) != want {
						t.Errorf("openssl %v: %q, want %q", args, got, want)
					}
				}
			}
		})
		tally.Run(t, "gost-engine", "hmac-streebog"+s.bits, func(t *testing.T) {
			for _, n := range lengths {
				text, key := random(n), random(1+rand.IntN(200))
				m := hmac.New(s.new, key)
				m.Write(text)
				same(t, m.Sum(nil), gost(t, text, "dgst", "-"+name, "-binary", "-mac", "HMAC", "-macopt", "hexkey:"+hex.EncodeToString(key)),
					"%d bytes, key of %d", n, len(key))
			}
		})
		tally.Run(t, "gost-engine", "pbkdf2-streebog"+s.bits, func(t *testing.T) {
			for _, n := range []int{1, 32, 64, 65, 200} {
				password, salt, iterations := hex.EncodeToString(random(1+n/4)), random(8+n/8), 1+rand.IntN(300)
				key, err := pbkdf2.Key(s.new, password, salt, iterations, n)
				if err != nil {
					t.Fatal(err)
				}
				// Option pkcs5 turns off the lower limits of SP 800-132.
				want := gost(t, nil, "kdf", "-binary", "-keylen", fmt.Sprint(n), "-kdfopt", "digest:"+name, "-kdfopt", "pass:"+password,
					"-kdfopt", "hexsalt:"+hex.EncodeToString(salt), "-kdfopt", fmt.Sprint("iter:", iterations), "-kdfopt", "pkcs5:1", "PBKDF2")
				same(t, key, want, "%d bytes after %d iterations", n, iterations)
			}
		})
		tally.Run(t, "gost-engine", "hkdf-streebog"+s.bits, func(t *testing.T) {
			for _, n := range []int{1, 32, 64, 65, 200} {
				secret, salt, info := random(n), random(1+n/2), random(1+n/3)
				key, err := hkdf.Key(s.new, secret, salt, string(info), n)
				if err != nil {
					t.Fatal(err)
				}
				want := gost(t, nil, "kdf", "-binary", "-keylen", fmt.Sprint(n), "-kdfopt", "digest:"+name, "-kdfopt", "hexkey:"+hex.EncodeToString(secret),
					"-kdfopt", "hexsalt:"+hex.EncodeToString(salt), "-kdfopt", "hexinfo:"+hex.EncodeToString(info), "HKDF")
				same(t, key, want, "%d bytes", n)
			}
		})
	}
}

// gostCiphers are the block ciphers and the modes that the engine has for them.
var gostCiphers = []struct {
	name     string
	new      func(key []byte) (cipher.Block, error)
	fullOnly []string // modes that the engine has for this cipher alone
}{
	{"kuznyechik", kuznyechik.NewCipher, []string{"ecb", "cfb", "ofb"}},
	{"magma", magma.NewCipher, nil},
}

// mode encrypts and decrypts as "openssl enc -nopad" does.
type mode struct {
	ivSize           int
	padded           bool // takes whole blocks
	encrypt, decrypt func(b cipher.Block, iv, text []byte) []byte
}

func stream(f func(b cipher.Block, iv []byte) cipher.Stream) func(b cipher.Block, iv, text []byte) []byte {
	return func(b cipher.Block, iv, text []byte) []byte {
		out := make([]byte, len(text))
		f(b, iv).XORKeyStream(out, text)
		return out
	}
}

func blocks(f func(b cipher.Block, iv []byte) cipher.BlockMode) func(b cipher.Block, iv, text []byte) []byte {
	return func(b cipher.Block, iv, text []byte) []byte {
		out := make([]byte, len(text))
		f(b, iv).CryptBlocks(out, text)
		return out
	}
}

// modeOf returns a mode over blocks of so many bytes.
func modeOf(name string, size int) mode {
	switch name {
	case "ctr":
		return mode{size / 2, false, stream(gost3413.NewCTR), stream(gost3413.NewCTR)}
	case "cbc":
		return mode{size, true, blocks(cipher.NewCBCEncrypter), blocks(cipher.NewCBCDecrypter)}
	case "ecb":
		return mode{0, true, blocks(func(b cipher.Block, _ []byte) cipher.BlockMode { return ecb.NewEncrypter(b) }),
			blocks(func(b cipher.Block, _ []byte) cipher.BlockMode { return ecb.NewDecrypter(b) })}
	case "cfb":
		return mode{size, false, stream(gost3413.NewCFBEncrypter), stream(gost3413.NewCFBDecrypter)}
	case "ofb":
		return mode{size, false, stream(gost3413.NewOFB), stream(gost3413.NewOFB)}
	}
	panic("no mode " + name)
}

// pad is the padding of PKCS #7.
func pad(text []byte, size int) []byte {
	n := size - len(text)%size
	out := append([]byte{}, text...)
	for range n {
		out = append(out, byte(n))
	}
	return out
}

func TestOpenSSLCiphers(t *testing.T) {
	for _, c := range gostCiphers {
		for _, name := range append([]string{"ctr", "cbc"}, c.fullOnly...) {
			tally.Run(t, "gost-engine", c.name+"-"+name, func(t *testing.T) {
				for _, n := range lengths {
					key := random(32)
					b, err := c.new(key)
					if err != nil {
						t.Fatal(err)
					}
					m := modeOf(name, b.BlockSize())
					iv, text := random(m.ivSize), random(n)
					args := []string{"enc", "-" + c.name + "-" + name, "-K", hex.EncodeToString(key)}
					if m.ivSize > 0 {
						args = append(args, "-iv", hex.EncodeToString(iv))
					}
					if m.padded {
						padded := m.encrypt(b, iv, pad(text, b.BlockSize()))
						same(t, padded, gost(t, text, append(args, "-e")...), "%d bytes, padded", n)
						same(t, text, gost(t, padded, append(args, "-d")...), "%d bytes, padded, back", n)
						text = text[:n-n%b.BlockSize()]
					}
					sealed := gost(t, text, append(args, "-e", "-nopad")...)
					same(t, m.encrypt(b, iv, text), sealed, "%d bytes", len(text))
					same(t, m.decrypt(b, iv, sealed), text, "%d bytes, back", len(text))
				}
			})
		}
		for _, name := range []string{"ctr", "cbc"} {
			tally.Run(t, "gost-engine", c.name+"-"+name+" by password", func(t *testing.T) {
				for _, n := range few {
					password, salt, iterations, s := hex.EncodeToString(random(10)), random(8), 1+rand.IntN(2000), streebogs[n%2]
					args := func(direction string) []string {
						return []string{"enc", direction, "-" + c.name + "-" + name, "-pbkdf2", "-iter", fmt.Sprint(iterations),
							"-md", "md_gost12_" + s.bits, "-pass", "pass:" + password}
					}
					text := random(n)
					sealed := gost(t, text, args("-e")...)
					if len(sealed) < 16 || string(sealed[:8]) != "Salted__" {
						t.Fatalf("a file starts with %x", sealed[:min(16, len(sealed))])
					}
					b, m, iv := byPassword(t, c.new, name, s.new, password, sealed[8:16], iterations)
					want := text
					if m.padded {
						want = pad(text, b.BlockSize())
					}
					same(t, m.decrypt(b, iv, sealed[16:]), want, "%d bytes from openssl", n)

					b, m, iv = byPassword(t, c.new, name, s.new, password, salt, iterations)
					ours := append([]byte("Salted__"), salt...)
					ours = append(ours, m.encrypt(b, iv, want)...)
					same(t, text, gost(t, ours, args("-d")...), "%d bytes to openssl", n)
				}
			})
		}
	}
}

// byPassword derives key and IV as "openssl enc -pbkdf2" does.
func byPassword(t *testing.T, newCipher func(key []byte) (cipher.Block, error), name string, newHash func() hash.Hash, password string, salt []byte, iterations int) (cipher.Block, mode, []byte) {
	t.Helper()
	b, err := newCipher(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	m := modeOf(name, b.BlockSize())
	secret, err := pbkdf2.Key(newHash, password, salt, iterations, 32+m.ivSize)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = newCipher(secret[:32]); err != nil {
		t.Fatal(err)
	}
	return b, m, secret[32:]
}

// The engine gives the full MAC and its first 1 to 8 bytes, the provider all sizes.
func TestOpenSSLMACs(t *testing.T) {
	for _, c := range gostCiphers {
		name := c.name + "-mac"
		mac := func(t *testing.T, key, text []byte, size int) []byte {
			b, err := c.new(key)
			if err != nil {
				t.Fatal(err)
			}
			if size == 0 {
				size = b.BlockSize()
			}
			m, err := cmac.NewWithTagSize(b, size)
			if err != nil {
				t.Fatal(err)
			}
			m.Write(text)
			return m.Sum(nil)
		}
		tally.Run(t, "gost-engine", name, func(t *testing.T) {
			for _, n := range lengths {
				key, text := random(32), random(n)
				want := gost(t, text, "dgst", "-mac", name, "-macopt", "hexkey:"+hex.EncodeToString(key), "-binary")
				same(t, mac(t, key, text, 0), want, "%d bytes", n)
			}
		})
		tally.Run(t, "gost-engine", name+" sizes", func(t *testing.T) {
			for size := 1; size <= 8; size++ {
				key, text := random(32), random(size*7)
				want := gost(t, text, "dgst", "-mac", name, "-macopt", "hexkey:"+hex.EncodeToString(key), "-macopt", fmt.Sprint("size:", size), "-binary")
				same(t, mac(t, key, text, size), want, "%d bytes of tag", size)
			}
		})
		tally.Run(t, "gost provider", name+" sizes", func(t *testing.T) {
			if err := provider(); err != nil {
				missing(t, err)
			}
			b, err := c.new(make([]byte, 32))
			if err != nil {
				t.Fatal(err)
			}
			for size := range b.BlockSize() {
				size++
				key, text := random(32), random(size*7)
				want := run(t, text, "openssl", "mac", "-provider", "gostprov", "-provider", "default", "-macopt", "hexkey:"+hex.EncodeToString(key),
					"-macopt", fmt.Sprint("size:", size), "-in", "-", "-binary", name)
				same(t, mac(t, key, text, size), want, "%d bytes of tag", size)
			}
		})
	}
	for _, size := range []int{16, 24, 32} {
		name := fmt.Sprintf("AES-%d-CBC", 8*size)
		tally.Run(t, "openssl", "cmac "+name, func(t *testing.T) {
			for _, n := range few {
				key, text := random(size), random(n)
				b, err := aes.NewCipher(key)
				if err != nil {
					t.Fatal(err)
				}
				m, err := cmac.New(b)
				if err != nil {
					t.Fatal(err)
				}
				m.Write(text)
				want := run(t, text, "openssl", "mac", "-cipher", name, "-macopt", "hexkey:"+hex.EncodeToString(key), "-in", "-", "-binary", "CMAC")
				same(t, m.Sum(nil), want, "%d bytes", n)
			}
		})
	}
}
