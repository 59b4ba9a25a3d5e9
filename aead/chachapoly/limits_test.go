package chachapoly

import (
	"bytes"
	"math"
	"testing"

	"xcipher/internal/authenc"
	"xcipher/internal/conform"
)

func TestLimit(t *testing.T) {
	for _, v := range forms {
		_, p, _ := authenc.Of(v.with(t, make([]byte, KeySize)))
		for _, c := range []struct {
			text, aad uint64
			refusal   string
		}{
			{0, math.MaxUint64, ""},
			{1<<38 - 64, 0, ""},
			{1<<38 - 63, 0, "message too large"},
			{1 << 38, 0, "message too large"},
			{math.MaxUint64, 0, "message too large"},
		} {
			if got := p.Check(nil, c.text, c.aad); got != c.refusal {
				t.Errorf("%s: %d bytes, %d of data: %q, want %q", v.name, c.text, c.aad, got, c.refusal)
			}
		}
	}
}

// TestLastBlock goes to the end of the counter in pieces: the last block can be
// used, and nothing behind it.
func TestLastBlock(t *testing.T) {
	eachForm(t, func(t *testing.T, v form) {
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, v.nonce)
		s, _, _ := authenc.Of(v.with(t, key))
		p := s.(authenc.Beginner).Begin(nonce, nil).(*pieces)
		p.stream[12] = math.MaxUint32
		const blockSize = 64
		text := random(r, blockSize)
		got := make([]byte, blockSize+1)
		conform.MustPanic(t, "chachapoly: counter overflow", func() { p.Encrypt(got, append(text, 0)) })
		if !bytes.Equal(got, make([]byte, blockSize+1)) {
			t.Errorf("written before the panic")
		}
		p.Encrypt(got[:10], text[:10])
		p.Encrypt(got[10:], text[10:])
		if want := at(t, v, key, nonce, math.MaxUint32, text); !bytes.Equal(got[:blockSize], want) {
			t.Errorf("last block %x, want %x", got[:blockSize], want)
		}
		conform.MustPanic(t, "chachapoly: counter overflow", func() { p.Encrypt(got[:1], text[:1]) })
		p.Encrypt(nil, nil)
	})
}
