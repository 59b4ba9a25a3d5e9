package clients

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/secure-io/sio-go"

	"xcipher/aead/chachapoly"
	"xcipher/interop/tally"
)

const fragment = 1 << 10

func sioSeal(t *testing.T, s *sio.Stream, nonce, text, ad []byte) []byte {
	t.Helper()
	var sealed bytes.Buffer
	w := s.EncryptWriter(&sealed, nonce, ad)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sealed.Bytes()
}

// Its nonces count in their last four bytes, and its usual call seals an empty
// text with empty additional data, to authenticate the caller's.
func TestSio(t *testing.T) {
	for _, a := range aeads() {
		tally.Run(t, "sio-go", a.Name, func(t *testing.T) {
			s := sio.NewStream(newAEAD(t, a.Name, random(a.KeySize)), fragment)
			for _, n := range []int{0, 1, fragment - 1, fragment, fragment + 1, 5000, 40000} {
				text, nonce, ad := random(n), random(s.NonceSize()), random(n%40)
				sealed := sioSeal(t, s, nonce, text, ad)
				if want := int64(n) + s.Overhead(int64(n)); int64(len(sealed)) != want {
					t.Errorf("%d bytes sealed to %d, want %d", n, len(sealed), want)
				}
				if again, err := io.ReadAll(s.EncryptReader(bytes.NewReader(text), nonce, ad)); err != nil || !bytes.Equal(again, sealed) {
					t.Errorf("%d bytes: reader and writer seal differently (%v)", n, err)
				}
				open := func(sealed, nonce, ad []byte) ([]byte, error) {
					return io.ReadAll(s.DecryptReader(bytes.NewReader(sealed), nonce, ad))
				}
				if got, err := open(sealed, nonce, ad); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%d bytes do not come back: %v", n, err)
				}
				part := make([]byte, n/3)
				if _, err := s.DecryptReaderAt(bytes.NewReader(sealed), nonce, ad).ReadAt(part, int64(n/2)); err != nil || !bytes.Equal(part, text[n/2:][:n/3]) {
					t.Errorf("a part of %d bytes does not come back: %v", n, err)
				}

				for what, try := range map[string]struct{ sealed, nonce, ad []byte }{
					"flipped bit":           {flip(sealed), nonce, ad},
					"wrong nonce":           {sealed, flip(nonce), ad},
					"wrong additional data": {sealed, nonce, append([]byte{1}, ad...)},
					"cut end":               {sealed[:len(sealed)-1], nonce, ad},
				} {
					if _, err := open(try.sealed, try.nonce, try.ad); err != sio.NotAuthentic {
						t.Errorf("%d bytes, %s: error %v", n, what, err)
					}
				}
				if size := fragment + a.Size; len(sealed) > 2*size {
					swapped := slices.Concat(sealed[size:2*size], sealed[:size], sealed[2*size:])
					if _, err := open(swapped, nonce, ad); err != sio.NotAuthentic {
						t.Errorf("%d bytes, swapped fragments: error %v", n, err)
					}
				}
			}
		})
	}

	tally.Run(t, "sio-go", "its own ChaCha20-Poly1305", func(t *testing.T) {
		key := random(chachapoly.KeySize)
		theirs, err := sio.ChaCha20Poly1305.Stream(key)
		if err != nil {
			t.Fatal(err)
		}
		a, err := chachapoly.New(key)
		if err != nil {
			t.Fatal(err)
		}
		ours := sio.NewStream(a, sio.BufSize)
		for _, n := range []int{0, 1, 1000, sio.BufSize, 3*sio.BufSize + 1} {
			text, nonce, ad := random(n), random(ours.NonceSize()), random(20)
			if !bytes.Equal(sioSeal(t, ours, nonce, text, ad), sioSeal(t, theirs, nonce, text, ad)) {
				t.Errorf("%d bytes are sealed differently", n)
			}
		}
	})
}
