package clients

import (
	"bytes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/ProtonMail/go-crypto/eax"
	"github.com/ProtonMail/go-crypto/ocb"
	gmsm "github.com/emmansun/gmsm/cipher"
	"github.com/pion/dtls/v3/pkg/crypto/ccm"
	"golang.org/x/crypto/xts"

	"xcipher/internal/catalog"
	"xcipher/interop/tally"
	"xcipher/mac/cmac"
)

var lengths = []int{0, 1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 1000, 4096, 10001}

// fits and others return the blocks of 16 bytes, and the rest.
func fits() (all []catalog.Algorithm) {
	for _, a := range algorithms(catalog.Block) {
		if a.BlockSize == 16 {
			all = append(all, a)
		}
	}
	return all
}

func others() (all []catalog.Algorithm) {
	for _, a := range algorithms(catalog.Block) {
		if a.BlockSize != 16 {
			all = append(all, a)
		}
	}
	return all
}

// seals checks an AEAD that a library made of a Block of ours. want, if not nil,
// computes what Seal must return.
func seals(t *testing.T, a cipher.AEAD, want func(nonce, text, ad []byte) []byte) {
	t.Helper()
	for _, n := range lengths {
		nonce, text, ad := random(a.NonceSize()), random(n), random(n%50)
		sealed := a.Seal(nil, nonce, text, ad)
		if want != nil && !bytes.Equal(sealed, want(nonce, text, ad)) {
			t.Errorf("%d bytes are sealed to another value", n)
		}
		if got, err := a.Open(nil, nonce, sealed, ad); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes do not come back: %v", n, err)
		}
		for what, try := range map[string]struct{ nonce, sealed, ad []byte }{
			"flipped bit":           {nonce, flip(sealed), ad},
			"wrong nonce":           {flip(nonce), sealed, ad},
			"wrong additional data": {nonce, sealed, append([]byte{1}, ad...)},
		} {
			if _, err := a.Open(nil, try.nonce, try.sealed, try.ad); err == nil {
				t.Errorf("%d bytes, %s: accepted", n, what)
			}
		}
	}
}

// eaxOf is EAX (Bellare, Rogaway, Wagner 2004) of our own parts: CMAC and CTR.
func eaxOf(t *testing.T, b cipher.Block) func(nonce, text, ad []byte) []byte {
	omac := func(tweak byte, data []byte) []byte {
		m, err := cmac.New(b)
		if err != nil {
			t.Fatal(err)
		}
		m.Write(append(make([]byte, 15), tweak))
		m.Write(data)
		return m.Sum(nil)
	}
	return func(nonce, text, ad []byte) []byte {
		n, h := omac(0, nonce), omac(1, ad)
		sealed := make([]byte, len(text))
		cipher.NewCTR(b, n).XORKeyStream(sealed, text)
		tag := omac(2, sealed)
		subtle.XORBytes(tag, tag, n)
		subtle.XORBytes(tag, tag, h)
		return append(sealed, tag...)
	}
}

func TestProton(t *testing.T) {
	for _, c := range fits() {
		b := newBlock(t, c.Name, random(c.KeySize))
		tally.Run(t, "go-crypto eax", c.Name, func(t *testing.T) {
			a, err := eax.NewEAX(b)
			if err != nil {
				t.Fatal(err)
			}
			seals(t, a, eaxOf(t, b))
		})
		tally.Run(t, "go-crypto ocb", c.Name, func(t *testing.T) {
			a, err := ocb.NewOCB(b)
			if err != nil {
				t.Fatal(err)
			}
			seals(t, a, nil)
		})
	}
	for _, c := range others() {
		b := newBlock(t, c.Name, random(c.KeySize))
		for who, newAEAD := range map[string]func(cipher.Block) (cipher.AEAD, error){"go-crypto eax": eax.NewEAX, "go-crypto ocb": ocb.NewOCB} {
			tally.Run(t, who, c.Name+" is refused", func(t *testing.T) {
				var err error
				if !panics(func() {
					var a cipher.AEAD
					if a, err = newAEAD(b); err == nil { // EAX looks at the block later
						a.Seal(nil, random(a.NonceSize()), random(10), nil)
					}
				}) && err == nil {
					t.Errorf("a block of %d bytes was taken", c.BlockSize)
				}
			})
		}
	}
}

// Two libraries must build the same CCM of one Block.
func TestCCM(t *testing.T) {
	for _, c := range fits() {
		b := newBlock(t, c.Name, random(c.KeySize))
		for _, size := range []struct{ nonce, tag int }{{12, 16}, {12, 8}, {7, 16}, {13, 4}} {
			theirs, err := gmsm.NewCCMWithNonceAndTagSize(b, size.nonce, size.tag)
			if err != nil {
				t.Fatal(err)
			}
			pion, err := ccm.NewCCM(b, size.tag, size.nonce)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s nonce %d tag %d", c.Name, size.nonce, size.tag)
			sealedBy := func(a cipher.AEAD) func(nonce, text, ad []byte) []byte {
				return func(nonce, text, ad []byte) []byte { return a.Seal(nil, nonce, text, ad) }
			}
			tally.Run(t, "pion ccm", name, func(t *testing.T) { seals(t, pion, sealedBy(theirs)) })
			tally.Run(t, "gmsm ccm", name, func(t *testing.T) { seals(t, theirs, sealedBy(pion)) })
		}
	}
	for _, c := range others() {
		b := newBlock(t, c.Name, random(c.KeySize))
		tally.Run(t, "pion ccm", c.Name+" is refused", func(t *testing.T) {
			if _, err := ccm.NewCCM(b, 16, 12); err == nil {
				t.Errorf("a block of %d bytes was taken", c.BlockSize)
			}
		})
		tally.Run(t, "gmsm ccm", c.Name+" is refused", func(t *testing.T) {
			if _, err := gmsm.NewCCM(b); err == nil {
				t.Errorf("a block of %d bytes was taken", c.BlockSize)
			}
		})
	}
}

// Two libraries must build the same XTS of one constructor.
func TestXTS(t *testing.T) {
	for _, c := range fits() {
		tally.Run(t, "gmsm xts", c.Name, func(t *testing.T) {
			key := random(2 * c.KeySize)
			theirs, err := gmsm.NewXTS(blockFunc(c.Name), key)
			if err != nil {
				t.Fatal(err)
			}
			standard, err := xts.NewCipher(blockFunc(c.Name), key)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{16, 32, 512, 4096, 1 << 16} {
				text, sector := random(n), binary.LittleEndian.Uint64(random(8))
				got, want, back := make([]byte, n), make([]byte, n), make([]byte, n)
				theirs.Encrypt(got, text, sector)
				standard.Encrypt(want, text, sector)
				if !bytes.Equal(got, want) {
					t.Errorf("%d bytes differ", n)
				}
				theirs.Decrypt(back, want, sector)
				if !bytes.Equal(back, text) {
					t.Errorf("%d bytes do not come back", n)
				}
				standard.Decrypt(back, want, sector+1)
				if bytes.Equal(back, text) {
					t.Errorf("%d bytes come back from another sector", n)
				}
			}
		})
	}
	for _, c := range others() {
		tally.Run(t, "gmsm xts", c.Name+" is refused", func(t *testing.T) {
			key := random(2 * c.KeySize)
			if _, err := gmsm.NewXTS(blockFunc(c.Name), key); err == nil {
				t.Errorf("gmsm took a block of %d bytes", c.BlockSize)
			}
			if _, err := xts.NewCipher(blockFunc(c.Name), key); err == nil {
				t.Errorf("x/crypto took a block of %d bytes", c.BlockSize)
			}
		})
	}
}
