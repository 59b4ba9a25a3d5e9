package xcipher_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"math/big"
	"strings"
	"testing"

	"golang.org/x/crypto/xts"

	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// ctr is counter mode after NIST SP 800-38A, section 6.5: the whole block counts.
// It serves cipher.Stream once.
type ctr struct {
	b  cipher.Block
	iv []byte
}

func newCTR(b cipher.Block, iv []byte) cipher.Stream { return ctr{b, iv} }

func (s ctr) XORKeyStream(dst, src []byte) {
	size := s.b.BlockSize()
	counter, mod := new(big.Int).SetBytes(s.iv), new(big.Int).Lsh(big.NewInt(1), uint(8*size))
	stream := make([]byte, (len(src)+size-1)/size*size)
	for i := 0; i < len(stream); i += size {
		counter.FillBytes(stream[i : i+size])
		counter.Mod(counter.Add(counter, big.NewInt(1)), mod)
	}
	ecb.NewEncrypter(s.b).CryptBlocks(stream, stream)
	subtle.XORBytes(dst, src, stream)
}

func TestBlockStreams(t *testing.T) {
	modes := []struct {
		name      string
		std, ours func(b cipher.Block, iv []byte) cipher.Stream
		inverse   func(b cipher.Block, iv []byte) cipher.Stream
	}{
		{"CTR", cipher.NewCTR, newCTR, cipher.NewCTR},
		//lint:ignore SA1019 what programs still use must work
		{"OFB", cipher.NewOFB, gost3413.NewOFB, cipher.NewOFB},
		//lint:ignore SA1019 what programs still use must work
		{"CFB", cipher.NewCFBEncrypter, gost3413.NewCFBEncrypter, cipher.NewCFBDecrypter},
		//lint:ignore SA1019 what programs still use must work
		{"CFB decryption", cipher.NewCFBDecrypter, gost3413.NewCFBDecrypter, cipher.NewCFBEncrypter},
	}
	each(t, catalog.Block, func(t *testing.T, a catalog.Algorithm) {
		rng := conform.Rand(t)
		b := must(catalog.NewBlock(a.Name, random(rng, a.KeySize)))(t)
		for _, m := range modes {
			t.Run(m.name, func(t *testing.T) {
				for i, n := range lengths() {
					iv, x, want := random(rng, a.BlockSize), random(rng, n), make([]byte, n)
					if i%2 == 1 { // the counter carries far in the message, and at times around
						copy(iv[1:], bytes.Repeat([]byte{0xff}, a.BlockSize))
						iv[0] |= 0xf0
						iv[a.BlockSize-1] -= byte(rng.IntN(max(1, n/a.BlockSize-1)))
					}
					m.ours(plain{b}, iv).XORKeyStream(want, x)
					checkStream(t, func() cipher.Stream { return m.std(b, iv) }, x, want)
					checkStream(t, func() cipher.Stream { return m.inverse(b, iv) }, want, x)
				}
			})
		}
	})
}

func TestBlockCBC(t *testing.T) {
	each(t, catalog.Block, func(t *testing.T, a catalog.Algorithm) {
		rng, size := conform.Rand(t), a.BlockSize
		b := must(catalog.NewBlock(a.Name, random(rng, a.KeySize)))(t)
		for _, n := range lengths() {
			n = n / size * size
			iv, x := random(rng, size), random(rng, n)
			ct, got := make([]byte, n), make([]byte, n)
			gost3413.NewCBCEncrypter(plain{b}, iv).CryptBlocks(ct, x)
			crypt := func(how string, m cipher.BlockMode, src, want []byte) {
				t.Helper()
				first := n / 2 / size * size
				copy(got, src)
				m.CryptBlocks(got[:first], got[:first])
				m.CryptBlocks(got[first:], src[first:])
				if m.BlockSize() != size || !bytes.Equal(got, want) {
					t.Errorf("%s: wrong for %d bytes", how, n)
				}
			}
			crypt("encrypter", cipher.NewCBCEncrypter(b, iv), x, ct)
			crypt("encrypter without hook", cipher.NewCBCEncrypter(plain{b}, iv), x, ct)
			crypt("decrypter", cipher.NewCBCDecrypter(b, iv), ct, x)
			crypt("decrypter without hook", cipher.NewCBCDecrypter(plain{b}, iv), ct, x)
		}
	})
}

// gcm is GCM over any block of 16 bytes after NIST SP 800-38D, sections 6 and 7.
type gcm struct {
	b       cipher.Block
	h       [2]uint64 // the hash subkey, first bit on top
	tagSize int
}

func newGCM(b cipher.Block, tagSize int) *gcm {
	var h [16]byte
	b.Encrypt(h[:], h[:])
	return &gcm{b, [2]uint64{binary.BigEndian.Uint64(h[:]), binary.BigEndian.Uint64(h[8:])}, tagSize}
}

// ghash hashes a and c, each padded to whole blocks, and their lengths in bits.
func (g *gcm) ghash(a, c []byte) []byte {
	var in []byte
	for _, part := range [][]byte{a, c} {
		in = append(in, part...)
		in = append(in, make([]byte, -len(part)&15)...)
	}
	in = binary.BigEndian.AppendUint64(in, uint64(8*len(a)))
	in = binary.BigEndian.AppendUint64(in, uint64(8*len(c)))
	var y [2]uint64
	for ; len(in) > 0; in = in[16:] {
		x := [2]uint64{y[0] ^ binary.BigEndian.Uint64(in), y[1] ^ binary.BigEndian.Uint64(in[8:])}
		y = [2]uint64{}
		v := g.h
		for i := range 128 {
			if x[i/64]>>(63-i%64)&1 == 1 {
				y[0], y[1] = y[0]^v[0], y[1]^v[1]
			}
			low := v[1] & 1
			v[1] = v[1]>>1 | v[0]<<63
			v[0] = v[0]>>1 ^ low*(0xe1<<56)
		}
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, y[0]), y[1])
}

func (g *gcm) seal(nonce, text, ad []byte) []byte {
	j := append(nonce[:len(nonce):len(nonce)], 0, 0, 0, 1)
	if len(nonce) != 12 {
		j = g.ghash(nil, nonce)
	}
	mask := make([]byte, 16)
	g.b.Encrypt(mask, j)
	count, block := binary.BigEndian.Uint32(j[12:]), make([]byte, 16)
	ct := bytes.Clone(text)
	for rest := ct; len(rest) > 0; {
		count++
		binary.BigEndian.PutUint32(j[12:], count)
		g.b.Encrypt(block, j)
		rest = rest[subtle.XORBytes(rest, rest, block):]
	}
	tag := g.ghash(ad, ct)
	subtle.XORBytes(tag, tag, mask)
	return append(ct, tag[:g.tagSize]...)
}

func TestGCM(t *testing.T) {
	check := func(t *testing.T, b cipher.Block) {
		rng := conform.Rand(t)
		equal := func(how string, a cipher.AEAD, tagSize int) {
			t.Helper()
			ours := newGCM(b, tagSize)
			for _, n := range []int{0, 1, 16, 33, 1100} {
				nonce, x, ad := random(rng, a.NonceSize()), random(rng, n), random(rng, rng.IntN(40))
				want := ours.seal(nonce, x, ad)
				if got := a.Seal(nil, nonce, x, ad); !bytes.Equal(got, want) {
					t.Errorf("%s: wrong for %d bytes", how, n)
				}
				if got, err := a.Open(nil, nonce, want, ad); err != nil || !bytes.Equal(got, x) {
					t.Errorf("%s: does not open %d bytes: %v", how, n, err)
				}
				want[rng.IntN(len(want))] ^= 1
				if _, err := a.Open(nil, nonce, want, ad); err == nil {
					t.Errorf("%s: opens a changed ciphertext of %d bytes", how, n)
				}
			}
		}
		equal("NewGCM", must(cipher.NewGCM(b))(t), 16)
		for _, n := range []int{1, 8, 16, 60} {
			equal("NewGCMWithNonceSize", must(cipher.NewGCMWithNonceSize(b, n))(t), 16)
		}
		for n := 12; n <= 16; n++ {
			equal("NewGCMWithTagSize", must(cipher.NewGCMWithTagSize(b, n))(t), n)
		}
	}
	t.Run("aes", func(t *testing.T) { check(t, must(aes.NewCipher(make([]byte, 16)))(t)) }) // the lines above are right
	each(t, catalog.Block, func(t *testing.T, a catalog.Algorithm) {
		b := must(catalog.NewBlock(a.Name, random(conform.Rand(t), a.KeySize)))(t)
		if _, err := cipher.NewGCMWithRandomNonce(b); err == nil || !strings.Contains(err.Error(), "requires aes.Block") {
			t.Errorf("NewGCMWithRandomNonce takes AES only, but the error is %v", err)
		}
		if a.BlockSize == 16 {
			check(t, b)
			return
		}
		_, err1 := cipher.NewGCM(b)
		_, err2 := cipher.NewGCMWithNonceSize(b, 8)
		_, err3 := cipher.NewGCMWithTagSize(b, 12)
		for _, err := range []error{err1, err2, err3} {
			if err == nil || !strings.Contains(err.Error(), "requires 128-bit block cipher") {
				t.Errorf("GCM over blocks of %d bytes: %v", a.BlockSize, err)
			}
		}
	})
}

// xtsSector is XTS after IEEE 1619-2007, section 5.3: all tweaks, then all blocks.
func xtsSector(b, tweaker cipher.Block, x []byte, sector uint64) []byte {
	tweaks := make([]byte, len(x)+16)
	binary.LittleEndian.PutUint64(tweaks, sector)
	tweaker.Encrypt(tweaks, tweaks)
	for next := tweaks; len(next) > 16; next = next[16:] {
		low, high := binary.LittleEndian.Uint64(next), binary.LittleEndian.Uint64(next[8:])
		binary.LittleEndian.PutUint64(next[16:], low<<1^high>>63*0x87)
		binary.LittleEndian.PutUint64(next[24:], high<<1|low>>63)
	}
	y := make([]byte, len(x))
	subtle.XORBytes(y, x, tweaks)
	ecb.NewEncrypter(b).CryptBlocks(y, y)
	subtle.XORBytes(y, y, tweaks)
	return y
}

func TestXTS(t *testing.T) {
	check := func(t *testing.T, newBlock func([]byte) (cipher.Block, error), keySize int) {
		rng := conform.Rand(t)
		key := random(rng, 2*keySize)
		c := must(xts.NewCipher(newBlock, key))(t)
		b, tweaker := must(newBlock(key[:keySize]))(t), must(newBlock(key[keySize:]))(t)
		for _, n := range lengths() {
			n = n / 16 * 16
			x, got, sector := random(rng, n), make([]byte, n), rng.Uint64()
			c.Encrypt(got, x, sector)
			if !bytes.Equal(got, xtsSector(b, tweaker, x, sector)) {
				t.Errorf("wrong for a sector of %d bytes", n)
			}
			c.Decrypt(got, got, sector)
			if !bytes.Equal(got, x) {
				t.Errorf("a sector of %d bytes does not come back", n)
			}
		}
	}
	t.Run("aes", func(t *testing.T) { check(t, aes.NewCipher, 16) })
	each(t, catalog.Block, func(t *testing.T, a catalog.Algorithm) {
		newBlock := func(key []byte) (cipher.Block, error) { return catalog.NewBlock(a.Name, key) }
		if a.BlockSize == 16 {
			check(t, newBlock, a.KeySize)
			return
		}
		if _, err := xts.NewCipher(newBlock, make([]byte, 2*a.KeySize)); err == nil || !strings.Contains(err.Error(), "block size of 16") {
			t.Errorf("XTS over blocks of %d bytes: %v", a.BlockSize, err)
		}
	})
}
