package interop

import (
	"bytes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"os"
	"strings"
	"testing"

	"xcipher/aead/mgm"
	"xcipher/block/gost3413"
	"xcipher/hash/streebog"
	"xcipher/interop/tally"
	"xcipher/mac/cmac"
	"xcipher/stream/chacha"
)

// hexBytes are written in hexadecimal.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// storedCase is what a program gave, with the command that made it.
type storedCase struct {
	ID         int `json:"tcId"`
	Algorithm  string
	Command    string
	Key        hexBytes
	IV         hexBytes
	AAD        hexBytes
	Salt       hexBytes
	Info       hexBytes
	Password   string
	Digest     string
	Iterations int
	Counter    uint64
	Rounds     int
	Section    int
	OutputSize int
	OutputText string
	FileName   string
	Input      hexBytes
	Output     hexBytes
}

// stored is testdata/interop_gost_engine.json: outputs of programs and libraries,
// of which some are no packages of Debian (gost-engine 3.0.3, for MGM).
type stored struct {
	NumberOfTests int
	Counts        map[string]int
	Tests         []storedCase
	TLS12         struct{ Sessions []tls12Session } `json:"tls12Sessions"`
	TLS13         struct {
		Constants map[string][3]hexBytes
		Records   []tls13Record
	} `json:"tls13Records"`
}

func load(t *testing.T) (s stored) {
	t.Helper()
	text, err := os.ReadFile("testdata/interop_gost_engine.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStoredCases(t *testing.T) {
	s := load(t)
	counts := map[string]int{}
	for _, c := range s.Tests {
		tally.Run(t, "stored cases", fmt.Sprint(c.ID, " ", c.Algorithm), func(t *testing.T) {
			same(t, c.compute(t), c.Output, "%s", c.Command)
			if c.OutputText != "" {
				same(t, fmt.Appendf(nil, "%x %s\n", c.compute(t), c.FileName), []byte(c.OutputText), "%s", c.Command)
			}
		})
		counts[c.Algorithm]++
	}
	if len(s.Tests) != 189 || len(s.Tests) != s.NumberOfTests || !maps.Equal(counts, s.Counts) {
		t.Errorf("%d cases, %v; the file says %d, %v", len(s.Tests), counts, s.NumberOfTests, s.Counts)
	}
}

func streebogOf(name string) func() hash.Hash {
	switch {
	case strings.HasSuffix(name, "STREEBOG-256"):
		return streebog.New256
	case strings.HasSuffix(name, "STREEBOG-512"):
		return streebog.New512
	}
	return nil
}

// compute returns what the output should be.
func (c storedCase) compute(t *testing.T) []byte {
	t.Helper()
	must := func(out []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	newHash := streebogOf(c.Algorithm)
	switch name := c.Algorithm; {
	case strings.HasPrefix(name, "STREEBOG-"):
		return sum(newHash, c.Input)
	case strings.HasPrefix(name, "HMAC-"):
		return hmacOf(newHash, c.Key, c.Input)
	case strings.HasPrefix(name, "PBKDF2-"):
		return must(pbkdf2.Key(newHash, c.Password, c.Salt, c.Iterations, len(c.Output)))
	case strings.HasPrefix(name, "HKDF-"):
		return must(hkdf.Key(newHash, c.Key, c.Salt, string(c.Info), len(c.Output)))
	case strings.Contains(name, "CHACHA"):
		s, err := chacha.NewWithCounter(c.Rounds, c.Key, c.IV, c.Counter)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]byte, len(c.Input))
		s.XORKeyStream(out, c.Input)
		return out
	}
	for _, b := range gostCiphers {
		if name, found := strings.CutPrefix(c.Algorithm, strings.ToUpper(b.name)+"-"); found {
			return c.block(t, name, b.new)
		}
	}
	t.Fatal("no such algorithm")
	return nil
}

// block computes a case of Kuznyechik or Magma.
func (c storedCase) block(t *testing.T, name string, newCipher func(key []byte) (cipher.Block, error)) []byte {
	t.Helper()
	if name, found := strings.CutSuffix(name, "-PBKDF2"); found {
		b, m, iv := byPassword(t, newCipher, strings.ToLower(name), streebogOf(c.Digest), c.Password, c.Salt, c.Iterations)
		text := []byte(c.Input)
		if m.padded {
			text = pad(text, b.BlockSize())
		}
		return bytes.Join([][]byte{[]byte("Salted__"), c.Salt, m.encrypt(b, iv, text)}, nil)
	}
	b, err := newCipher(c.Key)
	if err != nil {
		t.Fatal(err)
	}
	switch name {
	case "OMAC":
		m, err := cmac.NewWithTagSize(b, c.OutputSize/8)
		if err != nil {
			t.Fatal(err)
		}
		m.Write(c.Input)
		return m.Sum(nil)
	case "MGM":
		a, err := mgm.NewRFC9058(b, b.BlockSize())
		if err != nil {
			t.Fatal(err)
		}
		return sealRFC9058(t, a, c.IV, c.Input, c.AAD)
	case "CTR-ACPKM":
		return acpkm(t, newCipher, c.Key, c.IV, c.Input, c.Section)
	}
	name, padded := strings.CutSuffix(name, "-PKCS7")
	m, text := modeOf(strings.ToLower(name), b.BlockSize()), []byte(c.Input)
	if padded {
		text = pad(text, b.BlockSize())
	}
	return m.encrypt(b, c.IV, text)
}

// sealRFC9058 clears the top bit of the nonce, as the engine does and RFC 9058
// wants it. Our AEAD refuses a nonce where it is set.
func sealRFC9058(t *testing.T, a cipher.AEAD, nonce, text, ad []byte) []byte {
	t.Helper()
	clean := bytes.Clone(nonce)
	if clean[0]&0x80 != 0 {
		clean[0] &= 0x7f
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a nonce with its top bit set was taken")
				}
			}()
			a.Seal(nil, nonce, text, ad)
		}()
	}
	return a.Seal(nil, clean, text, ad)
}

// acpkm is CTR-ACPKM (RFC 8645 section 6.2.2): a new key after each section.
func acpkm(t *testing.T, newCipher func(key []byte) (cipher.Block, error), key, iv, text []byte, section int) []byte {
	t.Helper()
	b, err := newCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	out, size := make([]byte, len(text)), b.BlockSize()
	for i := 0; i < len(text); i += section {
		// The counter goes on where it was: pass over the sections before.
		part := make([]byte, min(i+section, len(text)))
		copy(part[i:], text[i:])
		gost3413.NewCTR(b, iv).XORKeyStream(part, part)
		copy(out[i:], part[i:])

		next := make([]byte, len(key))
		for j := range next {
			next[j] = 0x80 + byte(j)
		}
		for j := 0; j < len(next); j += size {
			b.Encrypt(next[j:], next[j:])
		}
		if b, err = newCipher(next); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
