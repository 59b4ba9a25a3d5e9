package gost3413

import (
	"crypto/cipher"
	"crypto/subtle"

	"xcipher/internal/batch"
	"xcipher/internal/keystream"
)

type ofb struct {
	register     // also the key stream: every output block is fed back whole
	used     int // bytes of key stream that are spent
}

// NewOFB returns a Stream in output feedback mode (section 5.3). The IV is one
// or more whole blocks. The same Stream encrypts and decrypts.
func NewOFB(b cipher.Block, iv []byte) cipher.Stream {
	r := newRegister(b, iv)
	return &ofb{register: r, used: len(r.r)}
}

func (s *ofb) XORKeyStream(dst, src []byte) {
	keystream.Check(name, dst, src)
	for len(src) > 0 {
		if s.used == len(s.r) {
			s.k.EncryptBlocks(s.r, s.r)
			s.used = 0
		}
		n := subtle.XORBytes(dst, src, s.r[s.used:])
		s.used += n
		dst, src = dst[n:], src[n:]
	}
}

// cfb encrypts the register, and refills it with the ciphertext that this makes
// or undoes. Both are byte by byte the same positions, so no shift is needed.
type cfb struct {
	register
	gamma []byte
	used  int // bytes of gamma that are spent, and bytes of r that are new
}

func newCFB(b cipher.Block, iv []byte) cfb {
	r := newRegister(b, iv)
	return cfb{r, make([]byte, len(r.r)), len(r.r)}
}

// next returns unspent gamma, at most n bytes, and where its ciphertext goes.
func (s *cfb) next(n int) (gamma, ct []byte) {
	if s.used == len(s.r) {
		s.k.EncryptBlocks(s.gamma, s.r)
		s.used = 0
	}
	from := s.used
	s.used = min(from+n, len(s.r))
	return s.gamma[from:s.used], s.r[from:s.used]
}

type cfbEncrypter struct{ cfb }

// NewCFBEncrypter returns a Stream that encrypts in cipher feedback mode
// (section 5.5). The IV is one or more whole blocks.
func NewCFBEncrypter(b cipher.Block, iv []byte) cipher.Stream {
	return &cfbEncrypter{newCFB(b, iv)}
}

func (s *cfbEncrypter) XORKeyStream(dst, src []byte) {
	keystream.Check(name, dst, src)
	for len(src) > 0 {
		gamma, ct := s.next(len(src))
		n := subtle.XORBytes(dst, src, gamma)
		copy(ct, dst[:n])
		dst, src = dst[n:], src[n:]
	}
}

type cfbDecrypter struct{ cfb }

// NewCFBDecrypter returns a Stream that decrypts what NewCFBEncrypter encrypts.
func NewCFBDecrypter(b cipher.Block, iv []byte) cipher.Stream {
	return &cfbDecrypter{newCFB(b, iv)}
}

func (s *cfbDecrypter) XORKeyStream(dst, src []byte) {
	keystream.Check(name, dst, src)
	for len(src) > 0 {
		if n := s.run(len(src) / s.size * s.size); n > len(s.r) && s.used == len(s.r) {
			s.bulk(dst[:n], src[:n])
			dst, src = dst[n:], src[n:]
			continue
		}
		gamma, ct := s.next(len(src))
		n := copy(ct, src[:len(gamma)])
		subtle.XORBytes(dst, ct, gamma)
		dst, src = dst[n:], src[n:]
	}
}

// bulk decrypts whole blocks at once: all inputs of the cipher are known.
func (s *cfbDecrypter) bulk(dst, src []byte) {
	gamma := batch.GetBuf()
	g := gamma[:len(src)]
	copy(g[copy(g, s.r):], src)
	s.shift(src)
	s.k.EncryptBlocks(g, g)
	subtle.XORBytes(dst, src, g)
	batch.PutBuf(gamma, len(g))
}
