package chachapoly

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/internal/authenc"
	"xcipher/internal/conform"
	"xcipher/stream/chacha"
	"xcipher/vectors"
)

// form is one of the six constructors.
type form struct {
	name   string
	new    func(key []byte) (cipher.AEAD, error)
	rounds int
	nonce  int // bytes
}

var forms = []form{
	{"New", New, 20, NonceSize}, {"NewX", NewX, 20, NonceSizeX},
	{"New12", New12, 12, NonceSize}, {"NewX12", NewX12, 12, NonceSizeX},
	{"New8", New8, 8, NonceSize}, {"NewX8", NewX8, 8, NonceSizeX},
}

// eachForm runs f for every tier and form.
func eachForm(t *testing.T, f func(t *testing.T, v form)) {
	conform.Each(t, func(t *testing.T) {
		for _, v := range forms {
			t.Run(v.name, func(t *testing.T) { f(t, v) })
		}
	})
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (v form) with(t testing.TB, key []byte) cipher.AEAD {
	t.Helper()
	a, err := v.new(key)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestVectors(t *testing.T) {
	f, err := vectors.Load("chacha_poly1305")
	if err != nil {
		t.Fatal(err)
	}
	conform.Each(t, func(t *testing.T) {
		got := vectors.RunAEAD(t, f, func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
			for _, v := range forms {
				if g.IVSize == 8*v.nonce && slices.Contains(g.Tests[0].Flags, fmt.Sprint("Rounds", v.rounds)) {
					return v.new
				}
			}
			return nil
		})
		if want := (vectors.Result{Run: 172}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

// TestPublished runs the examples of RFC 8439 and draft-irtf-cfrg-xchacha-03.
func TestPublished(t *testing.T) {
	const (
		sunscreen = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
		drafts    = "Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or obsoleted by other documents at any time. It is inappropriate to use Internet-Drafts as reference material or to cite them other than as /“work in progress./”"
	)
	for _, v := range []struct {
		name                  string
		new                   func(key []byte) (cipher.AEAD, error)
		key, nonce, aad, text string
		ct, tag               string
	}{
		{"RFC 8439, section 2.8.2", New,
			"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
			"070000004041424344454647", "50515253c0c1c2c3c4c5c6c7", sunscreen,
			"d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116",
			"1ae10b594f09e26a7e902ecbd0600691"},
		{"RFC 8439, appendix A.5", New,
			"1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
			"000000000102030405060708", "f33388860000000000004e91", drafts,
			"64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb24c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f355894cf332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c8559797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523eaf4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a1049e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29a6ad5cb4022b02709b",
			"eead9d67890cbb22392336fea1851f38"},
		{"draft-irtf-cfrg-xchacha-03, section A.3.1", NewX,
			"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
			"404142434445464748494a4b4c4d4e4f5051525354555657", "50515253c0c1c2c3c4c5c6c7", sunscreen,
			"bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52e",
			"c0875924c1c7987947deafd8780acf49"},
	} {
		conform.Each(t, func(t *testing.T) {
			a := form{new: v.new}.with(t, unhex(t, v.key))
			nonce, aad := unhex(t, v.nonce), unhex(t, v.aad)
			if got := hex.EncodeToString(a.Seal(nil, nonce, []byte(v.text), aad)); got != v.ct+v.tag {
				t.Errorf("%s: Seal %s, want %s", v.name, got, v.ct+v.tag)
			}
			if got, err := a.Open(nil, nonce, unhex(t, v.ct+v.tag), aad); err != nil || string(got) != v.text {
				t.Errorf("%s: Open %q, %v", v.name, got, err)
			}
		})
	}
}

// TestXCrypto compares random messages with golang.org/x/crypto.
func TestXCrypto(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		messages := 1000
		if testing.Short() {
			messages = 100
		}
		for i := range messages {
			own, theirNew := forms[0], chacha20poly1305.New
			if i%2 == 1 {
				own, theirNew = forms[1], chacha20poly1305.NewX
			}
			key := random(r, KeySize)
			a := own.with(t, key)
			b, err := theirNew(key)
			if err != nil {
				t.Fatal(err)
			}
			longest := []int{100, 1100, 9000}[r.IntN(3)]
			nonce, text, aad := random(r, own.nonce), random(r, r.IntN(longest)), random(r, r.IntN(longest))
			got, want := a.Seal(nil, nonce, text, aad), b.Seal(nil, nonce, text, aad)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: %d bytes, %d of data: differs from x/crypto", own.name, len(text), len(aad))
			}
			if got, err := a.Open(nil, nonce, want, aad); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%s: %d bytes, %d of data: Open of what x/crypto sealed: %v", own.name, len(text), len(aad), err)
			}
			want[r.IntN(len(want))] ^= 1 << r.IntN(8)
			if got, err := a.Open(nil, nonce, want, aad); err != errOpen || got != nil {
				t.Fatalf("%s: Open of a forgery: %x, %v", own.name, got, err)
			}
		}
	})
}

// at returns src XORed with the key stream from block counter on.
func at(t *testing.T, v form, key, nonce []byte, counter uint64, src []byte) []byte {
	t.Helper()
	s, err := chacha.NewWithCounter(v.rounds, key, nonce, counter)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, len(src))
	s.XORKeyStream(dst, src)
	return dst
}

// compose is RFC 8439, section 2.8, from the key stream of package stream/chacha
// and Poly1305 in integers of any size.
func (v form) compose(t *testing.T, key, nonce, text, aad []byte) []byte {
	t.Helper()
	first, out := at(t, v, key, nonce, 0, make([]byte, 32)), at(t, v, key, nonce, 1, text)
	number := func(b []byte) *big.Int {
		b = slices.Clone(b)
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	pow2 := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	pad := func(b []byte) []byte { return append(slices.Clone(b), make([]byte, -len(b)&15)...) }
	p := new(big.Int).Sub(pow2(130), big.NewInt(5))
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	r, h := number(first[:16]), new(big.Int)
	r.And(r, clamp)
	data := slices.Concat(pad(aad), pad(out))
	data = binary.LittleEndian.AppendUint64(data, uint64(len(aad)))
	data = binary.LittleEndian.AppendUint64(data, uint64(len(out)))
	for block := range slices.Chunk(data, 16) {
		h.Add(h, pow2(128))
		h.Add(h, number(block))
		h.Mul(h, r)
		h.Mod(h, p)
	}
	h.Add(h, number(first[16:32]))
	h.Mod(h, pow2(128))
	tag := h.FillBytes(make([]byte, 16))
	slices.Reverse(tag)
	return append(out, tag...)
}

func TestComposition(t *testing.T) {
	eachForm(t, func(t *testing.T, v form) {
		r := conform.Rand(t)
		key := random(r, KeySize)
		a := v.with(t, key)
		step := 1
		if testing.Short() {
			step = 13
		}
		for n := 0; n <= 1100; n += step {
			nonce, text, aad := random(r, v.nonce), random(r, n), random(r, r.IntN([]int{1, 20, 300}[n%3]))
			want := v.compose(t, key, nonce, text, aad)
			if got := a.Seal(nil, nonce, text, aad); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, %d of data: %x, want %x", n, len(aad), got, want)
			}
			if got, err := a.Open(nil, nonce, want, aad); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%d bytes, %d of data: Open: %v", n, len(aad), err)
			}
		}
		for range 1 + 4/step {
			nonce, text, aad := random(r, v.nonce), random(r, r.IntN(70_000)), random(r, r.IntN(5000))
			if got, want := a.Seal(nil, nonce, text, aad), v.compose(t, key, nonce, text, aad); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, %d of data: wrong", len(text), len(aad))
			}
		}
	})
}

// TestPieces compares messages in pieces with those in one.
func TestPieces(t *testing.T) {
	eachForm(t, func(t *testing.T, v form) {
		r := conform.Rand(t)
		a := v.with(t, random(r, KeySize))
		s, p, _ := authenc.Of(a)
		begin := s.(authenc.Beginner).Begin
		for range 40 {
			text, aad, nonce := random(r, r.IntN(3000)), random(r, r.IntN(1200)), random(r, v.nonce)
			if r.IntN(4) == 0 {
				aad = nil
			}
			want := a.Seal(nil, nonce, text, aad)
			enc, auth, dec := begin(nonce, aad), begin(nonce, aad), begin(nonce, aad)
			cut := func(whole []byte, f func(piece, part []byte)) (out []byte) {
				out = make([]byte, len(whole))
				for at := 0; at < len(whole); {
					n := min(len(whole)-at, r.IntN([]int{2, 17, 300, 3000}[r.IntN(4)]))
					f(out[at:at+n], whole[at:at+n])
					at += n
				}
				return out
			}
			ct := cut(text, enc.Encrypt)
			cut(ct, func(_, part []byte) { auth.Absorb(part) })
			pt := cut(ct, func(piece, part []byte) {
				copy(piece, part)
				dec.Decrypt(piece, piece)
			})
			tag, again := enc.Tag(), auth.Tag()
			if got := append(ct, tag[:p.Overhead]...); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes in pieces differ", len(text))
			}
			if tag != again {
				t.Fatalf("tag of absorbed pieces %x, want %x", again, tag)
			}
			if !bytes.Equal(pt, text) {
				t.Fatalf("decryption in pieces differs")
			}
		}
	})
}

func TestConformance(t *testing.T) {
	eachForm(t, func(t *testing.T, v form) {
		conform.TestAEAD(t, conform.AEAD{KeySizes: []int{KeySize}, New: v.new})
	})
}

func TestSizes(t *testing.T) {
	for _, v := range forms {
		if a := v.with(t, make([]byte, KeySize)); a.NonceSize() != v.nonce || a.Overhead() != Overhead {
			t.Errorf("%s: NonceSize %d, Overhead %d", v.name, a.NonceSize(), a.Overhead())
		}
		a, err := v.new(make([]byte, 31))
		if k, ok := err.(KeySizeError); !ok || k != 31 || err.Error() != "chachapoly: invalid key size 31" || a != nil {
			t.Errorf("%s: key of 31 bytes: %v, %#v", v.name, a, err)
		}
	}
}

// benchmark runs f beside the same of x/crypto.
func benchmark(b *testing.B, f func(a cipher.AEAD, nonce, sealed []byte)) {
	theirs := form{"xcrypto", chacha20poly1305.New, 20, NonceSize}
	theirsX := form{"xcryptoX", chacha20poly1305.NewX, 20, NonceSizeX}
	for _, n := range []int{64, 1024, 8192} {
		for _, v := range append([]form{theirs, theirsX}, forms...) {
			b.Run(fmt.Sprintf("size=%d/%s", n, v.name), func(b *testing.B) {
				a, nonce := v.with(b, make([]byte, KeySize)), make([]byte, v.nonce)
				sealed := a.Seal(nil, nonce, make([]byte, n), nil)
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					f(a, nonce, sealed)
				}
			})
		}
	}
}

func BenchmarkSeal(b *testing.B) {
	benchmark(b, func(a cipher.AEAD, nonce, sealed []byte) {
		a.Seal(sealed[:0], nonce, sealed[:len(sealed)-Overhead], nil)
	})
}

func BenchmarkOpen(b *testing.B) {
	dst := make([]byte, 0, 8192)
	benchmark(b, func(a cipher.AEAD, nonce, sealed []byte) {
		if _, err := a.Open(dst, nonce, sealed, nil); err != nil {
			b.Fatal(err)
		}
	})
}
