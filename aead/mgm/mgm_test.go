package mgm_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"xcipher/aead/mgm"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/internal/authenc"
	"xcipher/internal/conform"
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

func overNew(block newBlock) func(key []byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) {
		b, err := block(key)
		if err != nil {
			return nil, err
		}
		return mgm.New(b)
	}
}

func overRFC(block newBlock, tagSize int) func(key []byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) {
		b, err := block(key)
		if err != nil {
			return nil, err
		}
		return mgm.NewRFC9058(b, tagSize)
	}
}

func TestVectors(t *testing.T) {
	for _, c := range []struct {
		file  string
		block newBlock
		want  vectors.Result
	}{
		{"kuznyechik_mgm", kuznyechik.NewCipher, vectors.Result{Run: 156, Refused: kuznyechikRefused}},
		{"magma_mgm", magma.NewCipher, vectors.Result{Run: 164, Refused: magmaRefused}},
	} {
		f, err := vectors.Load(c.file)
		if err != nil {
			t.Fatal(err)
		}
		conform.Each(t, func(t *testing.T) {
			got := vectors.RunAEAD(t, f, func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
				return overRFC(c.block, g.TagSize/8)
			})
			if got != c.want {
				t.Errorf("%s: %+v, want %+v", c.file, got, c.want)
			}
		})
	}
}

// Refused are the tests with empty text and empty additional data, which lie
// outside the RFC.
const kuznyechikRefused, magmaRefused = 1, 1

func TestRegressions(t *testing.T) {
	f, err := vectors.Load("bug_regressions")
	if err != nil {
		t.Fatal(err)
	}
	got := vectors.RunAEAD(t, f, func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
		switch g.Algorithm {
		case "KUZNYECHIK-MGM":
			return overRFC(kuznyechik.NewCipher, g.TagSize/8)
		case "MAGMA-MGM":
			return overRFC(magma.NewCipher, g.TagSize/8)
		}
		return nil
	})
	if got != (vectors.Result{Run: 40}) {
		t.Errorf("%+v", got)
	}
}

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		for name, block := range map[string]newBlock{"kuznyechik": kuznyechik.NewCipher, "magma": magma.NewCipher} {
			t.Run(name+"/New", func(t *testing.T) {
				conform.TestAEAD(t, conform.AEAD{KeySizes: []int{32}, New: overNew(block)})
			})
			t.Run(name+"/NewRFC9058", func(t *testing.T) {
				conform.TestAEAD(t, conform.AEAD{KeySizes: []int{32}, New: overRFC(block, 8), NoEmpty: true,
					Nonce: func(nonce []byte) { nonce[0] &= 0x7f }})
			})
		}
		t.Run("foreign", func(t *testing.T) {
			conform.TestAEAD(t, conform.AEAD{KeySizes: []int{16, 24, 32}, New: overNew(aes.NewCipher)})
		})
	})
}

// reference is MGM written down from RFC 9058 section 4, bit by bit.
func reference(b cipher.Block, icn, text, aad []byte) (ct, tag []byte) {
	n := b.BlockSize()
	poly := map[int]int64{8: 0x1b, 16: 0x87}[n]
	f := new(big.Int).SetBit(big.NewInt(poly), 8*n, 1)
	e := func(in []byte) []byte {
		out := make([]byte, n)
		b.Encrypt(out, in)
		return out
	}
	incr := func(half []byte) {
		for i := len(half) - 1; i >= 0; i-- {
			if half[i]++; half[i] != 0 {
				return
			}
		}
	}
	mul := func(a, b []byte) *big.Int {
		x, y, sum := new(big.Int).SetBytes(a), new(big.Int).SetBytes(b), new(big.Int)
		for i := range x.BitLen() {
			if x.Bit(i) == 1 {
				sum.Xor(sum, new(big.Int).Lsh(y, uint(i)))
			}
		}
		for sum.BitLen() > 8*n {
			sum.Xor(sum, new(big.Int).Lsh(f, uint(sum.BitLen()-f.BitLen())))
		}
		return sum
	}
	one := bytes.Clone(icn)
	one[0] |= 0x80
	y, z, sum := e(icn), e(one), new(big.Int)
	for i := 0; i < len(text); i += n {
		for j, k := range e(y) {
			if i+j < len(text) {
				ct = append(ct, text[i+j]^k)
			}
		}
		incr(y[n/2:])
	}
	absorb := func(p []byte) {
		for ; len(p) > 0; p = p[min(n, len(p)):] {
			block := make([]byte, n)
			copy(block, p)
			sum.Xor(sum, mul(e(z), block))
			incr(z[:n/2])
		}
	}
	absorb(aad)
	absorb(ct)
	lengths := make([]byte, n)
	big.NewInt(int64(len(aad) * 8)).FillBytes(lengths[:n/2])
	big.NewInt(int64(len(text) * 8)).FillBytes(lengths[n/2:])
	sum.Xor(sum, mul(e(z), lengths))
	return ct, e(sum.FillBytes(make([]byte, n)))
}

func blocks(t *testing.T) map[string]cipher.Block {
	m := make(map[string]cipher.Block)
	for name, c := range map[string]struct {
		size int
		f    newBlock
	}{
		"kuznyechik": {32, kuznyechik.NewCipher}, "magma": {32, magma.NewCipher},
		"aes": {16, aes.NewCipher}, "3des": {24, des.NewTripleDESCipher},
	} {
		b, err := c.f(random(c.size))
		if err != nil {
			t.Fatal(err)
		}
		m[name] = b
	}
	return m
}

func TestAgainstReference(t *testing.T) { conform.Each(t, testAgainstReference) }

func testAgainstReference(t *testing.T) {
	for name, b := range blocks(t) {
		n := b.BlockSize()
		rfc, err := mgm.NewRFC9058(b, n)
		if err != nil {
			t.Fatal(err)
		}
		own, err := mgm.New(b)
		if err != nil {
			t.Fatal(err)
		}
		rounds := 42
		if testing.Short() {
			rounds = 14
		}
		for round := range rounds {
			// Lengths around the batches of both streams, in blocks.
			text := random(rand.IntN(3*n) + n*[]int{0, 0, 31, 63, 64, 130, 257}[round%7])
			aad := random(rand.IntN(3*n) + n*[]int{0, 62, 0, 127, 64, 255}[round%6])
			icn := random(n)
			icn[0] = 0
			if len(text)+len(aad) > 0 {
				ct, tag := reference(b, icn, text, aad)
				if got := rfc.Seal(nil, icn, text, aad); !bytes.Equal(got, append(ct, tag...)) {
					t.Fatalf("%s, %d bytes, %d of data: NewRFC9058 %x, want %x %x", name, len(text), len(aad), got, ct, tag)
				}
			}
			if got, want := own.Seal(nil, icn[1:], text, aad), sealOrEmpty(rfc, b, icn, text, aad); !bytes.Equal(got, want) {
				t.Fatalf("%s, %d bytes, %d of data: New %x, NewRFC9058 %x", name, len(text), len(aad), got, want)
			}
		}
	}
}

// sealOrEmpty is what New gives, from the RFC's form and from its definition of
// the tag for nothing at all.
func sealOrEmpty(rfc cipher.AEAD, b cipher.Block, icn, text, aad []byte) []byte {
	if len(text)+len(aad) > 0 {
		return rfc.Seal(nil, icn, text, aad)
	}
	x := bytes.Clone(icn)
	x[0] |= 0x80
	for range 3 { // Z_1 = E(1|ICN), H_1 = E(Z_1), tag = E(H_1)
		b.Encrypt(x, x)
	}
	return x
}

func TestEmpty(t *testing.T) {
	for name, b := range blocks(t) {
		a, err := mgm.New(b)
		if err != nil {
			t.Fatal(err)
		}
		icn := append([]byte{0}, random(a.NonceSize())...)
		tag := a.Seal(nil, icn[1:], nil, nil)
		if want := sealOrEmpty(a, b, icn, nil, nil); !bytes.Equal(tag, want) {
			t.Errorf("%s: tag of nothing %x, want %x", name, tag, want)
		}
		if _, err := a.Open(nil, icn[1:], tag, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		icn[1] ^= 1
		if _, err := a.Open(nil, icn[1:], tag, nil); err == nil {
			t.Errorf("%s: the tag of nothing is not bound to the nonce", name)
		}
	}
}

func TestRFC9058Refusals(t *testing.T) {
	b, err := kuznyechik.NewCipher(random(32))
	if err != nil {
		t.Fatal(err)
	}
	a, err := mgm.NewRFC9058(b, 16)
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, 16)
	sealed := a.Seal(nil, nonce, []byte("x"), nil)
	nonce[0] = 0x80
	conform.MustPanic(t, "mgm: first bit of the nonce is set", func() { a.Seal(nil, nonce, []byte("x"), nil) })
	if _, err := a.Open(nil, nonce, sealed, nil); err == nil {
		t.Error("Open took a nonce whose first bit is set")
	}
	nonce[0] = 0
	conform.MustPanic(t, "mgm: empty message with empty additional data", func() { a.Seal(nil, nonce, nil, nil) })
	if _, err := a.Open(nil, nonce, make([]byte, 16), nil); err == nil {
		t.Error("Open took nothing")
	}
	for _, n := range []int{-1, 0, 1, 3, 17, 32} {
		if a, err := mgm.NewRFC9058(b, n); a != nil || err != mgm.TagSizeError(n) {
			t.Errorf("tag size %d: %v, %v", n, a, err)
		}
	}
	toy := toyBlock{}
	if a, err := mgm.New(toy); a != nil || err != mgm.BlockSizeError(32) {
		t.Errorf("block of 32 bytes: %v, %v", a, err)
	}
}

type toyBlock struct{}

func (toyBlock) BlockSize() int          { return 32 }
func (toyBlock) Encrypt(dst, src []byte) { copy(dst, src[:32]) }
func (toyBlock) Decrypt(dst, src []byte) { copy(dst, src[:32]) }

// Truncated tags are the start of the whole one.
func TestTagSizes(t *testing.T) {
	for name, b := range blocks(t) {
		n := b.BlockSize()
		full, _ := mgm.NewRFC9058(b, n)
		nonce := make([]byte, n)
		want := full.Seal(nil, nonce, []byte("text"), nil)
		for size := 4; size <= n; size++ {
			a, err := mgm.NewRFC9058(b, size)
			if err != nil {
				t.Fatal(err)
			}
			if a.Overhead() != size {
				t.Errorf("%s: Overhead %d, want %d", name, a.Overhead(), size)
			}
			if got := a.Seal(nil, nonce, []byte("text"), nil); !bytes.Equal(got, want[:4+size]) {
				t.Errorf("%s: tag of %d bytes differs", name, size)
			}
		}
	}
}

// A message in pieces equals one in one shot.
func TestPieces(t *testing.T) {
	for name, b := range blocks(t) {
		a, _ := mgm.New(b)
		s, p, _ := authenc.Of(a)
		begin := s.(authenc.Beginner).Begin
		for range 40 {
			text, aad, nonce := random(rand.IntN(3000)), random(rand.IntN(1200)), random(a.NonceSize())
			if rand.IntN(4) == 0 {
				aad = nil
			}
			want := a.Seal(nil, nonce, text, aad)
			enc, auth, dec := begin(nonce, aad), begin(nonce, aad), begin(nonce, aad)
			var ct, pt []byte
			for rest := text; len(rest) > 0; {
				n := min(len(rest), rand.IntN([]int{2, 17, 300, 3000}[rand.IntN(4)])+1)
				piece := make([]byte, n)
				enc.Encrypt(piece, rest[:n])
				ct = append(ct, piece...)
				rest = rest[n:]
			}
			for rest := ct; len(rest) > 0; {
				n := min(len(rest), rand.IntN(200)+1)
				auth.Absorb(rest[:n])
				piece := make([]byte, n)
				dec.Decrypt(piece, rest[:n])
				pt = append(pt, piece...)
				rest = rest[n:]
			}
			tag, again := enc.Tag(), auth.Tag()
			if got := append(ct, tag[:p.Overhead]...); !bytes.Equal(got, want) {
				t.Fatalf("%s: %d bytes in pieces differ", name, len(text))
			}
			if tag != again {
				t.Fatalf("%s: tag of absorbed pieces differs", name)
			}
			if !bytes.Equal(pt, text) {
				t.Fatalf("%s: decryption in pieces differs", name)
			}
		}
	}
}

func BenchmarkSeal(b *testing.B) {
	for name, block := range map[string]newBlock{"kuznyechik": kuznyechik.NewCipher, "magma": magma.NewCipher} {
		c, _ := block(random(32))
		a, _ := mgm.New(c)
		for _, n := range []int{16, 64, 256, 1024, 8192} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				buf, nonce := make([]byte, n, n+16), make([]byte, a.NonceSize())
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					a.Seal(buf[:0], nonce, buf, nil)
				}
			})
		}
	}
}
