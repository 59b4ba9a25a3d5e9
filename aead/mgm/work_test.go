package mgm

import (
	"crypto/cipher"
	"testing"

	"xcipher/block/kuznyechik"
)

// counting counts the blocks that are encrypted.
type counting struct {
	cipher.Block
	blocks int
}

func (c *counting) Encrypt(dst, src []byte) {
	c.blocks++
	c.Block.Encrypt(dst, src)
}

// TestWork checks that no more is encrypted than what the RFC asks for: the first
// counters Y_1 and Z_1, key stream for the text, multipliers for additional data,
// text and lengths, and the sum.
func TestWork(t *testing.T) {
	b, err := kuznyechik.NewCipher(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	for aad := range 40 {
		for text := 1; text < 150; text += 1 + text/20 {
			c := &counting{Block: b}
			a, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			nonce := make([]byte, a.NonceSize())
			sealed := a.Seal(nil, nonce, make([]byte, 16*text-3), make([]byte, 16*aad))
			if want := 2 + text + aad + text + 1 + 1; c.blocks != want {
				t.Errorf("Seal of %d blocks with %d of additional data encrypts %d, want %d", text, aad, c.blocks, want)
			}
			c.blocks = 0
			if _, err := a.Open(nil, nonce, sealed, make([]byte, 16*aad)); err != nil {
				t.Fatal(err)
			}
			if want := 2 + text + aad + text + 1 + 1; c.blocks != want {
				t.Errorf("Open of %d blocks with %d of additional data encrypts %d, want %d", text, aad, c.blocks, want)
			}
		}
	}
}
