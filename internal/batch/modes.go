package batch

import (
	"crypto/cipher"
	"crypto/subtle"

	"xcipher/internal/keystream"
)

// NewCTR is called by cipher.NewCTR, before that has checked anything.
func (c *Cipher) NewCTR(iv []byte) cipher.Stream {
	if len(iv) != c.size {
		panic("cipher.NewCTR: IV length must equal block size")
	}
	s := &ctr{c: c}
	copy(s.next[:], iv)
	return s
}

// NewCBCEncrypter is called by cipher.NewCBCEncrypter.
func (c *Cipher) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	if len(iv) != c.size {
		panic("cipher.NewCBCEncrypter: IV length must equal block size")
	}
	m := &cbcEncrypter{c: c}
	copy(m.last[:], iv)
	return m
}

// NewCBCDecrypter is called by cipher.NewCBCDecrypter.
func (c *Cipher) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	if len(iv) != c.size {
		panic("cipher.NewCBCDecrypter: IV length must equal block size")
	}
	m := &cbcDecrypter{c: c}
	copy(m.last[:], iv)
	return m
}

// ctr is counter mode: the whole block is one big-endian counter that wraps.
type ctr struct {
	c      *Cipher
	next   [MaxBlockSize]byte
	last   [MaxBlockSize]byte
	unread []byte // key stream in last or in ahead
	ahead  *Buf   // made at the second short call: one message needs none
	short  bool   // there was a short call
}

func (s *ctr) XORKeyStream(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	keystream.Check(s.c.name, dst, src)
	dst = dst[:len(src)]
	if len(s.unread) > 0 {
		dst, src = s.spend(dst, src)
	}
	if len(src) == 0 {
		return
	}
	size := s.c.size
	run := BufSize / size * size
	if len(src) < run {
		if s.short && s.ahead == nil {
			s.ahead = new(Buf)
		}
		s.short = true
	}
	if len(src) >= run || s.ahead == nil {
		if whole := len(src) / size * size; whole > 0 {
			s.c.counter.XORCounter(dst[:whole], src[:whole], s.next[:size], 0, size)
			dst, src = dst[whole:], src[whole:]
		}
	}
	if len(src) == 0 {
		return
	}
	s.unread = s.last[:size]
	if s.ahead != nil {
		s.unread = s.ahead[:run]
	}
	s.c.counter.XORCounter(s.unread, nil, s.next[:size], 0, size)
	s.spend(dst, src)
}

// spend uses unread key stream, and returns what it did not reach.
func (s *ctr) spend(dst, src []byte) (d, r []byte) {
	n := subtle.XORBytes(dst, src, s.unread)
	s.unread = s.unread[n:]
	return dst[n:], src[n:]
}

type cbcEncrypter struct {
	c    *Cipher
	last [MaxBlockSize]byte
}

func (m *cbcEncrypter) BlockSize() int { return m.c.size }

func (m *cbcEncrypter) CryptBlocks(dst, src []byte) {
	CheckBlocks(m.c.name, m.c.size, dst, src)
	m.c.chain.Chain(dst[:len(src)], src, m.last[:m.c.size])
}

type cbcDecrypter struct {
	c    *Cipher
	last [MaxBlockSize]byte
}

func (m *cbcDecrypter) BlockSize() int { return m.c.size }

func (m *cbcDecrypter) CryptBlocks(dst, src []byte) {
	CheckBlocks(m.c.name, m.c.size, dst, src)
	if len(src) > 0 {
		m.c.cbc.DecryptCBC(dst[:len(src)], src, m.last[:m.c.size])
	}
}
