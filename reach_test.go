package xcipher_test

import (
	"crypto/cipher"
	"io"
	"testing"

	"xcipher/aead/cloc"
	"xcipher/aead/incremental"
	"xcipher/aead/mgm"
	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/block/kuznyechik"
	"xcipher/internal/batch"
	"xcipher/mac/cmac"
)

// counting is a kernel that counts what it is asked for: the largest run of bytes
// in one call of each kind.
type counting struct {
	batch.Kernel
	encrypt, decrypt, counter, chain int
}

func (c *counting) EncryptBlocks(dst, src []byte) {
	c.encrypt = max(c.encrypt, len(src))
	c.Kernel.EncryptBlocks(dst, src)
}

func (c *counting) DecryptBlocks(dst, src []byte) {
	c.decrypt = max(c.decrypt, len(src))
	c.Kernel.DecryptBlocks(dst, src)
}

func (c *counting) XORCounter(dst, src, ctr []byte, from, to int) {
	c.counter = max(c.counter, len(dst))
	batch.CounterOf(c.Kernel).XORCounter(dst, src, ctr, from, to)
}

func (c *counting) Chain(dst, src, st []byte) {
	c.chain = max(c.chain, len(src))
	batch.ChainOf(c.Kernel).Chain(dst, src, st)
}

// Every mode hands a kernel as much as it can at a time, so that a kernel for many
// blocks, for counters or for chains makes each of them faster.
func TestModesReachKernels(t *testing.T) {
	b, err := kuznyechik.NewCipher(make([]byte, kuznyechik.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	const size, half, whole = kuznyechik.BlockSize, kuznyechik.BlockSize / 2, batch.BufSize
	iv, text := make([]byte, size), make([]byte, 8192)
	for _, c := range []struct {
		name                             string
		run                              func(b cipher.Block)
		encrypt, decrypt, counter, chain int // least run that must come
	}{
		{"CTR", func(b cipher.Block) { cipher.NewCTR(b, iv).XORKeyStream(text, text) }, 0, 0, len(text), 0},
		{"short CTR", func(b cipher.Block) {
			s := cipher.NewCTR(b, iv)
			for range 3 {
				s.XORKeyStream(text[:size], text[:size])
			}
		}, 0, 0, whole, 0},
		{"CBC encryption", func(b cipher.Block) { cipher.NewCBCEncrypter(b, iv).CryptBlocks(text, text) }, 0, 0, 0, len(text)},
		{"CBC decryption", func(b cipher.Block) { cipher.NewCBCDecrypter(b, iv).CryptBlocks(text, text) }, 0, whole, 0, 0},
		{"ECB encryption", func(b cipher.Block) { ecb.NewEncrypter(b).CryptBlocks(text, text) }, len(text), 0, 0, 0},
		{"ECB decryption", func(b cipher.Block) { ecb.NewDecrypter(b).CryptBlocks(text, text) }, 0, len(text), 0, 0},
		{"GOST CTR", func(b cipher.Block) { gost3413.NewCTR(b, iv[:half]).XORKeyStream(text, text) }, 0, 0, len(text), 0},
		{"GOST CBC decryption", func(b cipher.Block) { gost3413.NewCBCDecrypter(b, iv).CryptBlocks(text, text) }, 0, whole, 0, 0},
		{"GOST CFB decryption", func(b cipher.Block) { gost3413.NewCFBDecrypter(b, iv).XORKeyStream(text, text) }, whole, 0, 0, 0},
		{"GOST OFB, long IV", func(b cipher.Block) { gost3413.NewOFB(b, text[:20*size]).XORKeyStream(text, text) }, 20 * size, 0, 0, 0},
		{"CMAC", func(b cipher.Block) {
			m, err := cmac.New(b)
			if err != nil {
				t.Fatal(err)
			}
			m.Write(text)
		}, 0, 0, 0, len(text) - size},
		{"MGM", func(b cipher.Block) { seal(must(mgm.New(b))(t), text, nil) }, 0, 0, whole, 0},
		{"short MGM", func(b cipher.Block) { seal(must(mgm.New(b))(t), text[:200], nil) }, (2*13 + 1) * size, 0, 0, 0},
		{"CLOC, opened", func(b cipher.Block) {
			a := must(cloc.New(b))(t)
			if _, err := open(a, seal(a, text, nil), nil); err != nil {
				t.Fatal(err)
			}
		}, whole, 0, 0, 0},
		{"MGM in pieces", func(b cipher.Block) {
			a := must(mgm.New(b))(t)
			s, err := incremental.NewSealer(a, io.Discard, make([]byte, a.NonceSize()), nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Write(text)
			s.Close()
		}, 0, 0, whole, 0},
	} {
		k := &counting{Kernel: batch.Of(b)}
		c.run(batch.New("counting", k))
		for _, v := range []struct {
			what      string
			got, want int
		}{{"EncryptBlocks", k.encrypt, c.encrypt}, {"DecryptBlocks", k.decrypt, c.decrypt}, {"XORCounter", k.counter, c.counter}, {"Chain", k.chain, c.chain}} {
			if v.got < v.want {
				t.Errorf("%s: %s of at most %d bytes, want %d", c.name, v.what, v.got, v.want)
			}
		}
	}
}
