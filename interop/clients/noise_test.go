package clients

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"hash"
	"testing"

	"github.com/flynn/noise"

	"xcipher/internal/catalog"
	"xcipher/interop/tally"
)

// noiseCipher makes a noise.CipherFunc of an AEAD of ours.
type noiseCipher struct {
	catalog.Algorithm
	name string
}

func (c noiseCipher) CipherName() string { return c.name }

func (c noiseCipher) Cipher(k [32]byte) noise.Cipher {
	a, err := catalog.NewAEAD(c.Name, k[:c.KeySize])
	if err != nil {
		panic(err)
	}
	return noiseAEAD{a}
}

// noiseAEAD ends the nonce with the counter, in little-endian order as Noise's
// ChaChaPoly does.
type noiseAEAD struct{ cipher.AEAD }

func (a noiseAEAD) nonce(n uint64) []byte {
	nonce := make([]byte, max(8, a.NonceSize()))
	binary.LittleEndian.PutUint64(nonce[len(nonce)-8:], n)
	return nonce[:a.NonceSize()]
}

func (a noiseAEAD) Encrypt(out []byte, n uint64, ad, text []byte) []byte {
	return a.Seal(out, a.nonce(n), text, ad)
}

func (a noiseAEAD) Decrypt(out []byte, n uint64, ad, sealed []byte) ([]byte, error) {
	return a.Open(out, a.nonce(n), sealed, ad)
}

type noiseHash string

func (h noiseHash) HashName() string { return string(h) }

func (h noiseHash) Hash() hash.Hash {
	v, err := catalog.NewHash(string(h))
	if err != nil {
		panic(err)
	}
	return v
}

// session is what one side has after the handshake.
type session struct {
	send, receive *noise.CipherState
	binding       []byte
}

// handshake runs pattern NN, with a payload in each message.
func handshake(t *testing.T, a, b noise.CipherSuite) (x, y session) {
	t.Helper()
	side := func(suite noise.CipherSuite, initiator bool) *noise.HandshakeState {
		s, err := noise.NewHandshakeState(noise.Config{CipherSuite: suite, Pattern: noise.HandshakeNN, Initiator: initiator, Prologue: []byte("interop")})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	i, r := side(a, true), side(b, false)
	first, second := random(100), random(200)
	m, _, _, err := i.WriteMessage(nil, first)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _, err := r.ReadMessage(nil, m); err != nil || !bytes.Equal(got, first) {
		t.Fatalf("first message: %v", err)
	}
	m, fromI, fromR, err := r.WriteMessage(nil, second)
	if err != nil {
		t.Fatal(err)
	}
	y = session{send: fromR, receive: fromI, binding: r.ChannelBinding()}
	if _, _, _, err := i.ReadMessage(nil, flip(m)); err == nil {
		t.Fatal("a handshake message with a flipped bit was accepted")
	}
	got, fromI, fromR, err := i.ReadMessage(nil, m)
	if err != nil || !bytes.Equal(got, second) {
		t.Fatalf("second message: %v", err)
	}
	x = session{send: fromI, receive: fromR, binding: i.ChannelBinding()}
	if !bytes.Equal(x.binding, y.binding) {
		t.Fatal("channel bindings differ")
	}
	return x, y
}

func talk(t *testing.T, from, to *noise.CipherState) {
	t.Helper()
	for n := range 40 {
		if n == 20 {
			from.Rekey()
			to.Rekey()
		}
		text, ad := random(n*n), random(n)
		sealed, err := from.Encrypt(nil, ad, text)
		if err != nil {
			t.Fatal(err)
		}
		for what, try := range map[string]struct{ sealed, ad []byte }{
			"flipped bit":           {flip(sealed), ad},
			"wrong additional data": {sealed, append([]byte{1}, ad...)},
		} {
			before := to.Nonce()
			if _, err := to.Decrypt(nil, try.ad, try.sealed); err == nil {
				t.Errorf("message %d, %s: accepted", n, what)
			}
			to.SetNonce(before)
		}
		got, err := to.Decrypt(nil, ad, sealed)
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("message %d does not come back: %v", n, err)
		}
	}
}

func TestNoise(t *testing.T) {
	run := func(a, b noise.CipherSuite) {
		tally.Run(t, "noise", string(a.Name()), func(t *testing.T) {
			x, y := handshake(t, a, b)
			talk(t, x.send, y.receive)
			talk(t, y.send, x.receive)
		})
	}
	for _, c := range aeads() {
		for _, h := range algorithms(catalog.Hash) {
			suite := noise.NewCipherSuite(noise.DH25519, noiseCipher{c, c.Name}, noiseHash(h.Name))
			run(suite, suite)
		}
	}

	// Our ChaCha20-Poly1305 talks to the one of the library.
	a, _ := catalog.Lookup("chacha20-poly1305")
	ours := noise.NewCipherSuite(noise.DH25519, noiseCipher{a, "ChaChaPoly"}, noise.HashBLAKE2b)
	theirs := noise.NewCipherSuite(noise.DH25519, noise.CipherChaChaPoly, noise.HashBLAKE2b)
	run(ours, theirs)
	run(theirs, ours)
}
