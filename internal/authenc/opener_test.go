package authenc

import (
	"bytes"
	"crypto/cipher"
	"crypto/subtle"
	"fmt"
	"slices"
	"testing"

	"xcipher/internal/conform"
)

// opener is the toy as an Opener, without the methods that only a Scheme has.
type opener struct {
	toy  *toy
	size int // of the tag
}

func (o *opener) Seal(dst, src, nonce, aad []byte) [MaxTagSize]byte {
	return o.toy.Seal(dst, src, nonce, aad)
}

func (o *opener) Open(dst, ct, nonce, aad, tag []byte) bool {
	o.toy.check(dst, ct, aad)
	o.toy.note("Open")
	if len(tag) != o.size {
		panic(fmt.Sprintf("Open gets a tag of %d bytes", len(tag)))
	}
	m := o.toy.begin(nonce, aad)
	m.Absorb(ct)
	want := m.Tag()
	if subtle.ConstantTimeCompare(want[:o.size], tag) != 1 {
		return false
	}
	m = o.toy.begin(nonce, nil)
	m.Decrypt(dst, ct)
	return true
}

func TestOpenerConformance(t *testing.T) {
	for _, overhead := range []int{8, 16, MaxTagSize} {
		t.Run(fmt.Sprint(overhead), func(t *testing.T) {
			p := &Params{Name: "toy", NonceSize: 12, Overhead: overhead, Err: errToy}
			conform.TestAEAD(t, conform.AEAD{KeySizes: []int{16}, New: func(key []byte) (cipher.AEAD, error) {
				s, err := newToy(key)
				if err != nil {
					return nil, err
				}
				return NewOpener(p, &opener{s, overhead}), nil
			}})
		})
	}
}

// TestOpener compares an AEAD of either kind, and checks what is called.
func TestOpener(t *testing.T) {
	const overhead = 16
	byScheme, s := aead(t, overhead, nil)
	o := &opener{s, overhead}
	a := NewOpener(byScheme.p, o)
	if got, p, ok := Of(a); got != Sealer(o) || p != a.p || !ok {
		t.Errorf("Of = %v, %v, %v", got, p, ok)
	}
	called := func(want ...string) {
		t.Helper()
		if !slices.Equal(*s.calls, want) {
			t.Errorf("calls %q, want %q", *s.calls, want)
		}
		*s.calls = nil
	}
	nonce, aad := make([]byte, 12), []byte("data")
	sealed := a.Seal(nil, nonce, []byte("text"), aad)
	called("Seal")
	if !bytes.Equal(sealed, byScheme.Seal(nil, nonce, []byte("text"), aad)) {
		t.Errorf("Seal differs")
	}
	*s.calls = nil
	if text, err := a.Open(nil, nonce, sealed, aad); err != nil || string(text) != "text" {
		t.Errorf("Open: %q, %v", text, err)
	}
	called("Open")
	for bit := range 8 * len(sealed) {
		bad := bytes.Clone(sealed)
		bad[bit/8] ^= 1 << (bit % 8)
		dst := bytes.Repeat([]byte{42}, 10)
		if text, err := a.Open(dst[:2], nonce, bad, aad); text != nil || err != errToy {
			t.Errorf("Open of a forgery: %q, %v", text, err)
		}
		called("Open")
		if !bytes.Equal(dst, []byte{42, 42, 0, 0, 0, 0, 42, 42, 42, 42}) {
			t.Errorf("a failed Open leaves %d", dst)
		}
	}
}
