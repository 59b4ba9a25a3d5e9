package cloc

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"xcipher/block/chaskey"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/block/saturnin"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

var chaskeyRounds = map[int]func(key []byte) (cipher.Block, error){
	8: chaskey.NewCipher8, 12: chaskey.NewCipher12, 16: chaskey.NewCipherLTS,
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func randomBytes(t testing.TB, n int) []byte {
	r, b := conform.Rand(t), make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// The inputs of the worked examples.
var (
	exampleKey   = unhex("000102030405060708090a0b0c0d0e0f")
	exampleNonce = unhex("a0a1a2a3a4a5a6a7a8a9aaab")
	exampleAAD   = unhex("900102030405060708090a0b0c0d0e0f10111213")
	exampleMsg   = unhex("404142434445464748494a4b4c4d4e4f5051525354")
)

func TestKnownAnswers(t *testing.T) {
	for _, v := range []struct {
		name     string
		aead     cipher.AEAD
		msg, aad []byte
		ct, tag  string
	}{
		{"aes128n12t8clocv3", must(NewAES128(exampleKey)), exampleMsg, exampleAAD,
			"fccf60613b525dbb1ceca4394b7605b3af33849686", "b7a5c31b5be7f2c8"},
		{"aes128n12t8clocv3 with a whole tag", must(NewCAESAR(must(aes.NewCipher(exampleKey)), 12, 16, 0xc0)), exampleMsg, exampleAAD,
			"fccf60613b525dbb1ceca4394b7605b3af33849686", "b7a5c31b5be7f2c85d81d60cabc7cab9"},
		{"aes128n12t8clocv3, empty", must(NewAES128(exampleKey)), nil, nil, "", "a009cb6174473080"},
		{"AES-128", must(NewAES128WithSizes(exampleKey, 12, 16)), exampleMsg, exampleAAD,
			"f341ed2d889669d60e063544239a61af491dffcfe6", "9117dcf9bfd41e364607f873ad73bd9c"},
		{"AES-128, New", must(New(must(aes.NewCipher(exampleKey)))), exampleMsg, exampleAAD,
			"f341ed2d889669d60e063544239a61af491dffcfe6", "9117dcf9bfd41e364607f873ad73bd9c"},
		{"Chaskey-8", must(New(must(chaskey.NewCipher8(exampleKey)))), exampleMsg, exampleAAD,
			"4fb4b190ba4f6990397686a68947ce243807208c4a", "39c07d801c9f451f58495306dca2907f"},
	} {
		sealed := v.aead.Seal(nil, exampleNonce, v.msg, v.aad)
		if want := unhex(v.ct + v.tag); !bytes.Equal(sealed, want) {
			t.Errorf("%s: %x, want %x", v.name, sealed, want)
		}
		msg, err := v.aead.Open(nil, exampleNonce, sealed, v.aad)
		if err != nil || !bytes.Equal(msg, v.msg) {
			t.Errorf("%s: Open gives %x, %v", v.name, msg, err)
		}
	}
}

// TestReferenceSteps compares the reference with the intermediate values of the
// worked example.
func TestReferenceSteps(t *testing.T) {
	r := reference{must(aes.NewCipher(exampleKey)), []byte{0xc0}}
	check := func(name string, got []byte, want string) {
		t.Helper()
		if !bytes.Equal(got, unhex(want)) {
			t.Errorf("%s is %x, want %s", name, got, want)
		}
	}
	s := r.e(fix(exampleAAD[:16], 0))
	check("E(fix0(A[1]))", s, "d2330329dde53bf8b465cd12999e30cb")
	s = h(s)
	check("h", s, "0fd638d16980f6ea2dfbfdd99648081a")
	s = r.e(xor(s, r.ozp(exampleAAD[16:])))
	check("S after A[2]", s, "d093d587de7282038c89ba39ad781405")
	check("the nonce's block", r.ozp(append([]byte{0xc0}, exampleNonce...)), "c0a0a1a2a3a4a5a6a7a8a9aaab800000")
	check("V", r.hash(exampleNonce, exampleAAD), "7dd627a52b21139306f814056de55380")
}

// TestReference compares all lengths over blocks of both sizes, ours and foreign.
func TestReference(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key := randomBytes(t, 32)
		for name, b := range map[string]cipher.Block{
			"aes":        must(aes.NewCipher(key[:16])),
			"chaskey":    must(chaskey.NewCipher12(key[:16])),
			"kuznyechik": must(kuznyechik.NewCipher(key)),
			"magma":      must(magma.NewCipher(key)),
		} {
			t.Run(name, func(t *testing.T) {
				n := b.BlockSize()
				data := randomBytes(t, 3000)
				compare := func(a cipher.AEAD, param []byte, msg, aad int) {
					t.Helper()
					r := reference{b, param}
					nonce := data[2900:][:a.NonceSize()]
					want := r.seal(nonce, data[:msg], data[100:100+aad], a.Overhead())
					got := a.Seal(nil, nonce, data[:msg], data[100:100+aad])
					if !bytes.Equal(got, want) {
						t.Fatalf("%d bytes with %d of additional data: %x, want %x", msg, aad, got, want)
					}
					pt, err := a.Open(nil, nonce, want, data[100:100+aad])
					if err != nil || !bytes.Equal(pt, data[:msg]) {
						t.Fatalf("%d bytes with %d of additional data: Open gives %x, %v", msg, aad, pt, err)
					}
				}
				standard, caesar := must(New(b)), must(NewCAESAR(b, n-2, n/2, 0x5a))
				own := func(msg, aad int) {
					if name == "aes" {
						compare(must(NewAES128WithSizes(key[:16], 12, 16)), nil, msg, aad)
					}
				}
				for msg := range 4*n + 2 {
					for aad := range 3*n + 2 {
						data[100] ^= 0x80 // both ways through fix0 and h
						compare(standard, nil, msg, aad)
						own(msg, aad)
						compare(caesar, []byte{0x5a}, msg, aad)
					}
				}
				for _, msg := range []int{1023, 1024, 1025, 1040, 2047, 2048, 2049, 2600} {
					compare(standard, nil, msg, 1000)
					own(msg, 1000)
				}
				for nonceSize := 1; nonceSize < n; nonceSize++ {
					compare(must(NewWithSizes(b, nonceSize, n)), nil, 20, 20)
				}
				for tagSize := n / 2; tagSize <= n; tagSize++ {
					compare(must(NewWithSizes(b, 1, tagSize)), nil, 20, 20)
				}
			})
		}
	})
}

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunAEAD(t, must(vectors.Load("cloc_aes128")), func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
			return func(key []byte) (cipher.AEAD, error) {
				switch g.Variant {
				case "aes128n12t8clocv3":
					return NewAES128(key)
				case "fse2014":
					return NewAES128WithSizes(key, g.IVSize/8, g.TagSize/8)
				}
				b, err := aes.NewCipher(key)
				if err != nil {
					return nil, err
				}
				return NewCAESAR(b, g.IVSize/8, g.TagSize/8, unhex(g.Param)[0])
			}
		})
		if want := (vectors.Result{Run: 323}); res != want {
			t.Errorf("cloc_aes128: %+v, want %+v", res, want)
		}

		res = vectors.RunAEAD(t, must(vectors.Load("cloc_chaskey")), func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
			if g.Variant != "fse2014" {
				return nil // the groups of aead/cloc/hutorny
			}
			return func(key []byte) (cipher.AEAD, error) {
				b, err := chaskeyRounds[g.Rounds](key)
				if err != nil {
					return nil, err
				}
				return NewWithSizes(b, g.IVSize/8, g.TagSize/8)
			}
		})
		if want := (vectors.Result{Run: 137, Skipped: 180}); res != want {
			t.Errorf("cloc_chaskey: %+v, want %+v", res, want)
		}
	})
}

func TestConformance(t *testing.T) {
	over := func(newBlock func(key []byte) (cipher.Block, error)) func(key []byte) (cipher.AEAD, error) {
		return func(key []byte) (cipher.AEAD, error) {
			b, err := newBlock(key)
			if err != nil {
				return nil, err
			}
			return New(b)
		}
	}
	conform.Each(t, func(t *testing.T) {
		for name, c := range map[string]conform.AEAD{
			"AES128":     {KeySizes: []int{16}, New: NewAES128},
			"Chaskey":    {KeySizes: []int{16}, New: over(chaskey.NewCipher12)},
			"Kuznyechik": {KeySizes: []int{32}, New: over(kuznyechik.NewCipher)},
			"Magma":      {KeySizes: []int{32}, New: over(magma.NewCipher)},
		} {
			if testing.Short() && c.KeySizes[0] == 32 {
				continue // the slow ciphers add little to the others
			}
			t.Run(name, func(t *testing.T) { conform.TestAEAD(t, c) })
		}
	})
}

func TestErrors(t *testing.T) {
	b16, b8 := must(aes.NewCipher(make([]byte, 16))), must(magma.NewCipher(make([]byte, 32)))
	b32 := must(saturnin.NewCipher(make([]byte, 32)))
	caesar := func(b cipher.Block, nonceSize, tagSize int) (cipher.AEAD, error) {
		return NewCAESAR(b, nonceSize, tagSize, 0xc0)
	}
	for _, v := range []struct {
		newAEAD            func(b cipher.Block, nonceSize, tagSize int) (cipher.AEAD, error)
		b                  cipher.Block
		nonceSize, tagSize int
		want               string
	}{
		{NewWithSizes, b32, 12, 16, "cloc: invalid block size 32: want 8 or 16"},
		{NewWithSizes, b16, 0, 16, "cloc: invalid nonce size 0: want 1 to 15"},
		{NewWithSizes, b16, -1, 16, "cloc: invalid nonce size -1: want 1 to 15"},
		{NewWithSizes, b16, 16, 16, "cloc: invalid nonce size 16: want 1 to 15"},
		{NewWithSizes, b8, 8, 8, "cloc: invalid nonce size 8: want 1 to 7"},
		{NewWithSizes, b16, 12, 0, "cloc: invalid tag size 0: want 8 to 16"},
		{NewWithSizes, b16, 12, 7, "cloc: invalid tag size 7: want 8 to 16"},
		{NewWithSizes, b16, 12, 17, "cloc: invalid tag size 17: want 8 to 16"},
		{NewWithSizes, b8, 6, 3, "cloc: invalid tag size 3: want 4 to 8"},
		{NewWithSizes, b8, 6, 9, "cloc: invalid tag size 9: want 4 to 8"},
		{caesar, b16, 15, 8, "cloc: invalid nonce size 15: want 1 to 14"},
		{caesar, b8, 7, 4, "cloc: invalid nonce size 7: want 1 to 6"},
		{caesar, b32, 12, 8, "cloc: invalid block size 32: want 8 or 16"},
	} {
		a, err := v.newAEAD(v.b, v.nonceSize, v.tagSize)
		if a != nil || err == nil || err.Error() != v.want {
			t.Errorf("nonce size %d, tag size %d: %v, %v, want %s", v.nonceSize, v.tagSize, a, err, v.want)
		}
	}
	if a, err := New(b32); a != nil || err == nil || !strings.Contains(err.Error(), "invalid block size 32") {
		t.Errorf("block of 32 bytes: %v, %v", a, err)
	}
	for _, newAEAD := range []func(key []byte) (cipher.AEAD, error){
		NewAES128,
		func(key []byte) (cipher.AEAD, error) { return NewAES128WithSizes(key, 12, 16) },
	} {
		a, err := newAEAD(make([]byte, 24))
		if a != nil || err != KeySizeError(24) || err.Error() != "cloc: invalid key size 24" {
			t.Errorf("24-byte key: %v, %v", a, err)
		}
	}
	_, err := must(New(b8)).Open(nil, make([]byte, 6), make([]byte, 20), nil)
	if err == nil || err.Error() != "cloc: message authentication failed" {
		t.Errorf("forged message: %v", err)
	}
}

// TestNoHutornyForgeries shows that the two forgeries of the hutorny form fail.
func TestNoHutornyForgeries(t *testing.T) {
	a := must(New(must(chaskey.NewCipher8(randomBytes(t, 16)))))
	nonce := make([]byte, 12)

	msg := randomBytes(t, 20)
	sealed := a.Seal(nil, nonce, msg, nil)
	for n := range 12 {
		forged := slices.Concat(sealed[:20], make([]byte, n+1), sealed[20:])
		if _, err := a.Open(nil, nonce, forged, nil); err == nil {
			t.Errorf("%d zero bytes appended: accepted", n+1)
		}
	}

	msg = randomBytes(t, 32)
	sealed = a.Seal(nil, nonce, msg, nil)
	ct, tag := sealed[:32], sealed[32:]
	for _, fixed := range []int{0, 3} {
		fixC1 := slices.Clone(ct[:16])
		fixC1[fixed] |= 0x80
		forged := slices.Concat(ct, xor(tag, fixC1), xor(ct[16:], msg[16:]))
		if _, err := a.Open(nil, nonce, forged, nil); err == nil {
			t.Error("extended message: accepted")
		}
	}
}

func BenchmarkCLOC(b *testing.B) {
	key := make([]byte, 32)
	for _, c := range []struct {
		name string
		aead cipher.AEAD
	}{
		{"AES-128", must(NewAES128(key[:16]))},
		{"AES-128 of crypto", must(New(must(aes.NewCipher(key[:16]))))},
		{"Chaskey-8", must(New(must(chaskey.NewCipher8(key[:16]))))},
		{"Chaskey-12", must(New(must(chaskey.NewCipher12(key[:16]))))},
		{"Kuznyechik", must(New(must(kuznyechik.NewCipher(key))))},
		{"Magma", must(New(must(magma.NewCipher(key))))},
	} {
		nonce, aad := make([]byte, c.aead.NonceSize()), make([]byte, 16)
		for _, n := range []int{0, 16, 64, 1024, 8192} {
			sealed := c.aead.Seal(nil, nonce, make([]byte, n), aad)
			msg, out := make([]byte, n), make([]byte, 0, len(sealed))
			b.Run(fmt.Sprintf("%s/Seal/%d", c.name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					out = c.aead.Seal(out[:0], nonce, msg, aad)
				}
			})
			b.Run(fmt.Sprintf("%s/Open/%d", c.name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.aead.Open(msg[:0], nonce, sealed, aad); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
