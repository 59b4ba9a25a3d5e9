package conform

import (
	"bytes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"testing"

	"xcipher/internal/alias"
)

// Right AEADs of the unusual kinds pass.

// random is GCM that draws its nonce and carries it before the ciphertext.
type random struct{ gcm cipher.AEAD }

func (random) NonceSize() int { return 0 }
func (random) Overhead() int  { return 12 + 16 }

func (a random) prepare(dst, nonce, in, aad []byte, n int) (all, out []byte) {
	if len(nonce) != 0 {
		panic("random: incorrect nonce length")
	}
	all = slices.Grow(dst, n)[:len(dst)+n]
	if out = all[len(dst):]; alias.InexactOverlap(out, in) || alias.AnyOverlap(out, aad) {
		panic("random: invalid buffer overlap")
	}
	return all, out
}

func (a random) Seal(dst, nonce, text, aad []byte) []byte {
	all, out := a.prepare(dst, nonce, text, aad, len(text)+28)
	copy(out[12:], text)
	rand.Read(out[:12])
	a.gcm.Seal(out[12:12], out[:12], out[12:12+len(text)], aad)
	return all
}

func (a random) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	n := max(0, len(sealed)-28)
	all, out := a.prepare(dst, nonce, sealed[:len(sealed)-min(len(sealed), 28)], aad, n)
	if len(sealed) < 28 {
		return nil, errToy
	}
	drawn, rest := sealed[:12], sealed[12:]
	if alias.AnyOverlap(out, sealed) { // the nonce goes to the end
		save := [12]byte(drawn)
		drawn, rest = sealed[len(rest):], sealed[:len(rest)]
		copy(sealed, sealed[12:])
		copy(drawn, save[:])
	}
	if _, err := a.gcm.Open(out[:0], drawn, rest, aad); err != nil {
		clear(out)
		return nil, errToy
	}
	return all, nil
}

func TestRandomAEAD(t *testing.T) {
	TestAEAD(t, AEAD{KeySizes: []int{16, 24, 32}, Random: true, New: func(key []byte) (cipher.AEAD, error) {
		gcm, err := newGCM(key)
		if err != nil {
			return nil, err
		}
		return random{gcm}, nil
	}})
}

// short enciphers nonce and padded message, 32 bytes, as one block: a Feistel
// network of four rounds.
type short struct{ key [20]byte }

func (short) NonceSize() int { return 16 }
func (short) Overhead() int  { return 32 }

func (a short) round(i int, dst, src []byte) {
	in := [37]byte{36: byte(i)}
	copy(in[:20], a.key[:])
	copy(in[20:36], src)
	f := sha256.Sum256(in[:])
	subtle.XORBytes(dst, dst, f[:16])
}

func (a short) Seal(dst, nonce, text, aad []byte) []byte {
	if len(nonce) != 16 {
		panic("short: incorrect nonce length")
	}
	if len(text) > 15 || len(aad) > 0 {
		panic("short: message too large")
	}
	all := slices.Grow(dst, 32)[:len(dst)+32]
	out := all[len(dst):]
	if alias.InexactOverlap(out, text) {
		panic("short: invalid buffer overlap")
	}
	n := copy(out[16:], text)
	clear(out[16+n:])
	out[16+n] = 0x80
	copy(out, nonce)
	for i := range 4 {
		if i%2 == 0 {
			a.round(i, out[:16], out[16:])
		} else {
			a.round(i, out[16:], out[:16])
		}
	}
	return all
}

func (a short) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	if len(nonce) != 16 {
		panic("short: incorrect nonce length")
	}
	if len(sealed) != 32 || len(aad) > 0 {
		return nil, errToy
	}
	var b [32]byte
	copy(b[:], sealed)
	for i := 3; i >= 0; i-- {
		if i%2 == 0 {
			a.round(i, b[:16], b[16:])
		} else {
			a.round(i, b[16:], b[:16])
		}
	}
	n := bytes.LastIndexByte(b[16:], 0x80)
	if !hmac.Equal(b[:16], nonce) || n < 0 || !bytes.Equal(b[16+n+1:], make([]byte, 15-n)) {
		return nil, errToy
	}
	all := slices.Grow(dst, n)[:len(dst)+n]
	if alias.InexactOverlap(all[len(dst):], sealed) {
		panic("short: invalid buffer overlap")
	}
	copy(all[len(dst):], b[16:])
	return all, nil
}

func TestShortAEAD(t *testing.T) {
	TestAEAD(t, AEAD{KeySizes: []int{20}, MaxMessage: 15, NoAAD: true, NoSeparateTag: true,
		New: func(key []byte) (cipher.AEAD, error) {
			if len(key) != 20 {
				return nil, keySizeError(len(key))
			}
			return short{[20]byte(key)}, nil
		}})
}
