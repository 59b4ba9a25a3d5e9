//go:build valgrind

package ctcheck_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"io"
	"testing"
	"unsafe"

	"xcipher/aead/incremental"
	"xcipher/aead/randnonce"
	"xcipher/internal/authenc"
	"xcipher/internal/catalog"
	"xcipher/internal/ctcheck"
)

// lengths returns lengths of messages: none, partial blocks, whole ones, batches.
func lengths(a catalog.Algorithm) (n []int) {
	n = []int{0, 1, 16, 33, 1100}
	if !testing.Short() {
		n = []int{0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 200, 256, 511, 1023, 1024, 1025, 2100}
	}
	for i, v := range n {
		if limit := a.MaxMessage; limit > 0 && uint64(v) > limit {
			return append(n[:i:i], int(limit))
		}
	}
	return n
}

func (s *suite) newAEAD(a catalog.Algorithm) (aead cipher.AEAD) {
	key := s.secret(a.KeySize)
	s.quiet("key set-up", func() {
		var err error
		if aead, err = catalog.NewAEAD(a.Name, key); err != nil {
			s.Fatal(err)
		}
	})
	return aead
}

func TestAEADs(t *testing.T) {
	section(t, "AEADs", func(s *suite) {
		s.algorithms(catalog.AEAD, func(s *suite, a catalog.Algorithm) {
			aead := s.newAEAD(a)
			for i, n := range lengths(a) {
				s.sealOpen(aead, message{n, aadLength(a, i), a.Name == "saturnin-short"})
			}
		})
	})
}

// aadLength varies the additional data with the message.
func aadLength(a catalog.Algorithm, i int) int {
	if a.NoAAD {
		return 0
	}
	return []int{0, 13, 0, 16, 100, 1, 32, 0, 640}[i%9]
}

// sealOpen watches a message sealed, opened, and refused.
func (s *suite) sealOpen(aead cipher.AEAD, m message) {
	nonce, aad, plain := s.public(aead.NonceSize()), s.public(m.aad), s.public(m.length)
	src := bytes.Clone(plain)
	ctcheck.Secret(src)
	what := fmt.Sprintf("%d bytes and %d of additional data: ", m.length, m.aad)
	room := m.length + aead.Overhead()
	var sealed, back []byte
	var err error
	s.quiet(what+"Seal", func() { sealed = aead.Seal(make([]byte, 0, room), nonce, src, aad) })
	s.reveal(what+"Seal", sealed)
	open := func() { back, err = aead.Open(make([]byte, 0, room), nonce, sealed, aad) }
	if m.lengthInside {
		s.leak(what+"Open", 30, open)
		declassifyLength(&back)
	} else {
		s.verdict(what+"Open", open)
	}
	if err != nil {
		s.Errorf("%sOpen: %v", what, err)
		return
	}
	s.reveal(what+"Open", back)
	s.equal(what+"Open", back, plain)

	sealed[s.rand.IntN(len(sealed))] ^= 1 << s.rand.IntN(8)
	s.verdict(what+"Open of a forgery", func() { _, err = aead.Open(make([]byte, 0, room), nonce, sealed, aad) })
	if err == nil {
		s.Errorf("%sOpen takes a forgery", what)
	}
	s.quiet(what+"Open of less than a tag", func() { _, err = aead.Open(nil, nonce, sealed[:aead.Overhead()-1], aad) })
	if err == nil {
		s.Errorf("%sOpen takes less than a tag", what)
	}
}

// message is one to seal and open.
type message struct {
	length, aad int

	// The length is encrypted with the plaintext, as in Saturnin-Short. So it is
	// still marked when a message was opened, and what is done with it after the
	// verdict, when it is public, is reported. How the verdict is reached is seen
	// from a forgery, with its one report.
	lengthInside bool
}

func declassifyLength(b *[]byte) {
	ctcheck.Declassify(unsafe.Slice((*byte)(unsafe.Pointer(b)), unsafe.Sizeof(*b)))
}

func TestRandomNonces(t *testing.T) {
	section(t, "random nonces", func(s *suite) {
		s.algorithms(catalog.AEAD, func(s *suite, a catalog.Algorithm) {
			if a.NonceSizes[0] < 12 {
				delete(s.names, a.Name)
				return
			}
			aead, err := randnonce.New(s.newAEAD(a))
			if err != nil {
				s.Fatal(err)
			}
			for i, n := range lengths(a) {
				if i%4 == 1 {
					s.sealOpen(aead, message{n, aadLength(a, i), a.Name == "saturnin-short"})
				}
			}
		})
	})
}

func TestPieces(t *testing.T) {
	section(t, "pieces", func(s *suite) {
		s.algorithms(catalog.AEAD, func(s *suite, a catalog.Algorithm) {
			aead := s.newAEAD(a)
			scheme, _, _ := authenc.Of(aead)
			if _, ok := scheme.(authenc.Beginner); !ok {
				delete(s.names, a.Name)
				return
			}
			for _, n := range []int{0, 5, 1100} {
				s.pieces(aead, n)
			}
		})
	})
}

// pieces watches a message sealed and opened in pieces.
func (s *suite) pieces(aead cipher.AEAD, n int) {
	nonce, aad, plain := s.public(aead.NonceSize()), s.public(21), s.public(n)
	src := bytes.Clone(plain)
	ctcheck.Secret(src)
	var sealed bytes.Buffer
	sealed.Grow(n + aead.Overhead())
	s.quiet(fmt.Sprintf("%d bytes: NewSealer", n), func() {
		w, err := incremental.NewSealer(aead, &sealed, nonce, aad)
		if err != nil {
			s.Fatal(err)
		}
		for _, piece := range [][]byte{src[:n/5], src[n/5 : n/2], src[n/2:]} {
			if _, err := w.Write(piece); err != nil {
				s.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			s.Fatal(err)
		}
	})
	s.reveal("NewSealer", sealed.Bytes())
	var r io.Reader
	s.verdict(fmt.Sprintf("%d bytes: NewOpener", n), func() {
		var err error
		if r, err = incremental.NewOpener(aead, bytes.NewReader(sealed.Bytes()), nonce, aad); err != nil {
			s.Fatal(err)
		}
	})
	back := make([]byte, n)
	s.quiet(fmt.Sprintf("%d bytes: Read", n), func() {
		if _, err := io.ReadFull(r, back[:n/3]); err != nil {
			s.Fatal(err)
		}
		if _, err := io.ReadFull(r, back[n/3:]); err != nil {
			s.Fatal(err)
		}
	})
	s.reveal("Read", back)
	s.equal("Read", back, plain)
}
