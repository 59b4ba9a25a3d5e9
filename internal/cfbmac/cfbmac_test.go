package cfbmac_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"xcipher/aead/cloc"
	clochutorny "xcipher/aead/cloc/hutorny"
	"xcipher/aead/silc"
	"xcipher/block/chaskey"
	"xcipher/block/magma"
	"xcipher/internal/authenc"
	"xcipher/internal/cfbmac"
	"xcipher/internal/conform"
)

var (
	_ authenc.Scheme      = (*cfbmac.Scheme)(nil)
	_ authenc.Beginner    = (*cfbmac.Scheme)(nil)
	_ authenc.Incremental = (*cfbmac.Message)(nil)
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// tweak returns the tweaked block.
func tweak(f func(cfbmac.Quarters) cfbmac.Quarters, x []byte) []byte {
	y := make([]byte, len(x))
	f(cfbmac.Load(x)).Store(y)
	return y
}

// TestTweaks checks the group that the tweaks form.
func TestTweaks(t *testing.T) {
	type q = cfbmac.Quarters
	r := conform.Rand(t)
	for _, n := range []int{8, 16} {
		for range 100 {
			x := random(r, n)
			power := func(k int) []byte {
				y := x
				for range k {
					y = tweak(q.F2, y)
				}
				return y
			}
			for name, v := range map[string]struct {
				f func(q) q
				k int
			}{
				"f1 is G^8": {q.F1, 8},
				"f2 is G":   {q.F2, 1},
				"g1 is G^2": {q.G1, 2},
				"g2 is G":   {q.G2, 1},
				"h is G^4":  {q.H, 4},
				"HIf(1)":    {func(x q) q { return x.HIf(1) }, 4},
				"HIf(0)":    {func(x q) q { return x.HIf(0) }, 0},
			} {
				if got, want := tweak(v.f, x), power(v.k); !bytes.Equal(got, want) {
					t.Errorf("%s: %x becomes %x, want %x", name, x, got, want)
				}
			}
			if !bytes.Equal(power(15), x) {
				t.Errorf("G^15 of %x is %x", x, power(15))
			}
			for _, k := range []int{1, 3, 5} { // the proper divisors of 15
				if bytes.Equal(power(k), x) {
					t.Errorf("G^%d of %x is itself", k, x)
				}
			}
		}
	}
	x := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, v := range []struct {
		name string
		f    func(q) q
		want string
	}{
		{"f1", q.F1, "08080808080808180d0e0f0001020314"},
		{"f2", q.F2, "05060708090a0b0c0d0e0f100404040c"},
		{"g1", q.G1, "090a0b0c0d0e0f100404040c0c0c0c04"},
		{"h", q.H, "0404040c0c0c0c040404041c090a0b1c"},
	} {
		if got := hex.EncodeToString(tweak(v.f, x)); got != v.want {
			t.Errorf("%s of %x is %s, want %s", v.name, x, got, v.want)
		}
	}
}

func schemes() map[string]cipher.AEAD {
	b16 := must(chaskey.NewCipher8([]byte("0123456789abcdef")))
	b8 := must(magma.NewCipher([]byte("0123456789abcdef0123456789abcdef")))
	return map[string]cipher.AEAD{
		"cloc-16": must(cloc.New(b16)),
		"aes":     must(cloc.NewAES128([]byte("0123456789abcdef"))),
		"cloc-8":  must(cloc.New(b8)),
		"caesar":  must(cloc.NewCAESAR(b16, 12, 16, 0xc0)),
		"silc-16": must(silc.New(b16)),
		"silc-8":  must(silc.New(b8)),
		"hutorny": must(clochutorny.New([]byte("0123456789abcdef"))),
		"foreign": must(cloc.New(struct{ cipher.Block }{b16})),
	}
}

// TestPieces cuts messages at random and compares with one call.
func TestPieces(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		pieces := func(in []byte, f func(p []byte)) {
			for len(in) > 0 {
				n := min(len(in), r.IntN(40))
				if r.IntN(8) == 0 {
					n = min(len(in), r.IntN(1500))
				}
				f(in[:n])
				in = in[n:]
			}
		}
		for name, a := range schemes() {
			t.Run(name, func(t *testing.T) {
				s, p, ok := authenc.Of(a)
				if !ok {
					t.Fatal("no scheme")
				}
				b := s.(authenc.Beginner)
				for i := range 200 {
					n, aadLength := i, i%50
					switch {
					case i >= 197: // around the longest run of a kernel
						n, aadLength = 1<<16+[]int{0, 16, 40}[i-197], 1<<16+[]int{0, 16, 27}[i-197]
					case i >= 150: // some long ones
						n += i * 17
					}
					nonce, aad, msg := random(r, p.NonceSize), random(r, aadLength), random(r, n)
					want := a.Seal(nil, nonce, msg, aad)
					ct, wantTag := want[:n], want[n:]
					if got, err := a.Open(nil, nonce, want, aad); err != nil || !bytes.Equal(got, msg) {
						t.Fatalf("%d bytes: Open gives an error or another message: %v", n, err)
					}
					sealed := bytes.Clone(want)
					if got, err := a.Open(sealed[:0], nonce, sealed, aad); err != nil || !bytes.Equal(got, msg) {
						t.Fatalf("%d bytes: Open in place gives an error or another message: %v", n, err)
					}

					out := []byte{}
					m := b.Begin(nonce, aad)
					pieces(msg, func(p []byte) {
						c := bytes.Clone(p)
						m.Encrypt(c, c) // in place
						out = append(out, c...)
					})
					if tag := m.Tag(); !bytes.Equal(out, ct) || !bytes.Equal(tag[:p.Overhead], wantTag) {
						t.Fatalf("%d bytes: encrypting in pieces differs", n)
					}

					m = b.Begin(nonce, aad)
					pieces(ct, m.Absorb)
					if tag := m.Tag(); !bytes.Equal(tag[:p.Overhead], wantTag) {
						t.Fatalf("%d bytes: absorbing in pieces differs", n)
					}

					out = out[:0]
					m = b.Begin(nonce, aad)
					pieces(ct, func(p []byte) {
						c := make([]byte, len(p))
						m.Decrypt(c, p)
						out = append(out, c...)
					})
					if !bytes.Equal(out, msg) {
						t.Fatalf("%d bytes: decrypting in pieces differs", n)
					}
				}
			})
		}
	})
}
