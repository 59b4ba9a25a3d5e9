package clients

import (
	"bytes"
	"crypto/cipher"
	"io"
	"slices"
	"testing"

	"github.com/tink-crypto/tink-go/v2/streamingaead/subtle/noncebased"

	"xcipher/interop/tally"
)

// segments makes Tink's segment interfaces of an AEAD.
type segments struct{ cipher.AEAD }

func (s segments) EncryptSegment(segment, nonce []byte) ([]byte, error) {
	return s.Seal(nil, nonce, segment, nil), nil
}

func (s segments) DecryptSegment(segment, nonce []byte) ([]byte, error) {
	return s.Open(nil, nonce, segment, nil)
}

// Nonces end with a counter of four bytes and a byte that marks the last segment.
func TestTink(t *testing.T) {
	const segment = 500
	for _, a := range aeads() {
		tally.Run(t, "tink noncebased", a.Name, func(t *testing.T) {
			aead := segments{newAEAD(t, a.Name, random(a.KeySize))}
			prefix := random(aead.NonceSize() - 5)
			open := func(sealed, prefix []byte) ([]byte, error) {
				r, err := noncebased.NewReader(noncebased.ReaderParams{R: bytes.NewReader(sealed), SegmentDecrypter: aead,
					NonceSize: aead.NonceSize(), NoncePrefix: prefix, CiphertextSegmentSize: segment + aead.Overhead()})
				if err != nil {
					t.Fatal(err)
				}
				return io.ReadAll(r)
			}
			for _, n := range []int{0, 1, segment, segment + 1, 10 * segment, 20000} {
				text := random(n)
				var out bytes.Buffer
				w, err := noncebased.NewWriter(noncebased.WriterParams{W: &out, SegmentEncrypter: aead,
					NonceSize: aead.NonceSize(), NoncePrefix: prefix, PlaintextSegmentSize: segment})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write(text); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				sealed := out.Bytes()
				if got, err := open(sealed, prefix); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%d bytes do not come back: %v", n, err)
				}
				if _, err := open(flip(sealed), prefix); err == nil {
					t.Errorf("%d bytes: a flipped bit was accepted", n)
				}
				if _, err := open(sealed, flip(prefix)); err == nil {
					t.Errorf("%d bytes: a wrong nonce prefix was accepted", n)
				}
				size := segment + aead.Overhead()
				if len(sealed) > 2*size {
					if _, err := open(sealed[:2*size], prefix); err == nil {
						t.Errorf("%d bytes: a missing end was accepted", n)
					}
					swapped := slices.Concat(sealed[size:2*size], sealed[:size], sealed[2*size:])
					if _, err := open(swapped, prefix); err == nil {
						t.Errorf("%d bytes: swapped segments were accepted", n)
					}
				}
			}
		})
	}
}
