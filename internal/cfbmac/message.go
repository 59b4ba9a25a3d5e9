package cfbmac

import (
	"crypto/subtle"
	"encoding/binary"

	"xcipher/internal/authenc"
	"xcipher/internal/batch"
)

// Message is the state of one message.
type Message struct {
	*mode
	v       [MaxBlockSize]byte
	pair    [2 * MaxBlockSize]byte // key stream of this block; state of the MAC
	c       [MaxBlockSize]byte     // ciphertext of this block
	n       int                    // bytes of c: a full block waits until more comes
	started bool                   // there is a block in c
	length  uint64
}

// Size returns the block size in bytes.
func (m *Message) Size() int { return m.size }

// V returns the block that stands for nonce and additional data.
func (m *Message) V() []byte { return m.v[:m.size] }

// S returns the block that is, or becomes, the key stream.
func (m *Message) S() []byte { return m.pair[:m.size] }

// T returns the state of the MAC.
func (m *Message) T() []byte { return m.pair[m.size : 2*m.size] }

// EncryptBlock encrypts one block in place.
func (m *Message) EncryptBlock(b []byte) { m.kernel.EncryptBlocks(b, b) }

// Chain is st = E(st ^ block) for whole blocks.
func (m *Message) Chain(st, blocks []byte) { m.chain.Chain(nil, blocks, st) }

func (m *Message) begin(nonce, aad []byte) {
	m.alg.Hash(m, nonce, aad)
	m.alg.Seed(m)
}

// Encrypt encrypts and absorbs a piece.
func (m *Message) Encrypt(dst, src []byte) {
	m.length += uint64(len(src))
	for len(src) > 0 {
		if m.n == m.size {
			if m.started && m.size == 16 && len(src) >= 16 {
				run := len(src) / 16 * 16
				m.encryptBlocks16(dst[:run], src[:run])
				dst, src = dst[run:], src[run:]
				continue
			}
			// Both chains go on from the ciphertext block alone, so that the kernel
			// can run the two calls side by side.
			if m.started {
				copy(m.S(), m.c[:])
				m.pair[m.fix] |= 0x80
				subtle.XORBytes(m.T(), m.T(), m.c[:m.size])
			}
			m.kernel.EncryptBlocks(m.pair[:2*m.size], m.pair[:2*m.size])
			m.started, m.n = true, 0
		}
		k := subtle.XORBytes(m.c[m.n:], src, m.pair[m.n:m.size])
		copy(dst, m.c[m.n:m.n+k])
		m.n += k
		dst, src = dst[k:], src[k:]
	}
}

// encryptBlocks16 is the loop of Encrypt for whole blocks of 16 bytes. It holds the
// ciphertext in two words, as moving it by bytes takes a third of the time.
func (m *Message) encryptBlocks16(dst, src []byte) {
	le := binary.LittleEndian
	p := m.pair[:32]
	c0, c1 := le.Uint64(m.c[0:]), le.Uint64(m.c[8:])
	var fix [2]uint64
	fix[m.fix/8] = 0x80 << (m.fix % 8 * 8)
	for len(src) >= 16 && len(dst) >= 16 {
		le.PutUint64(p[0:], c0|fix[0])
		le.PutUint64(p[8:], c1|fix[1])
		le.PutUint64(p[16:], le.Uint64(p[16:])^c0)
		le.PutUint64(p[24:], le.Uint64(p[24:])^c1)
		m.kernel.EncryptBlocks(p, p)
		c0 = le.Uint64(src[0:]) ^ le.Uint64(p[0:])
		c1 = le.Uint64(src[8:]) ^ le.Uint64(p[8:])
		le.PutUint64(dst[0:], c0)
		le.PutUint64(dst[8:], c1)
		dst, src = dst[16:], src[16:]
	}
	le.PutUint64(m.c[0:], c0)
	le.PutUint64(m.c[8:], c1)
}

// Absorb authenticates a piece without decrypting it.
func (m *Message) Absorb(ct []byte) {
	m.length += uint64(len(ct))
	for len(ct) > 0 {
		if m.n == m.size {
			if m.started {
				m.Chain(m.T(), m.c[:m.size])
			} else {
				m.EncryptBlock(m.T())
			}
			m.started, m.n = true, 0
			if run := (len(ct) - 1) / m.size * m.size; run > 0 {
				m.Chain(m.T(), ct[:run])
				ct = ct[run:]
			}
		}
		k := copy(m.c[m.n:m.size], ct)
		m.n += k
		ct = ct[k:]
	}
}

// Decrypt decrypts a piece without absorbing it.
func (m *Message) Decrypt(dst, ct []byte) {
	for len(ct) > 0 {
		if m.n == m.size {
			if run := len(ct) / m.size * m.size; run > 0 {
				m.decryptBlocks(dst[:run], ct[:run])
				dst, ct = dst[run:], ct[run:]
				continue
			}
			m.feedback(m.S(), nil)
			m.EncryptBlock(m.S())
			m.n = 0
		}
		k := copy(m.c[m.n:m.size], ct)
		subtle.XORBytes(dst, m.c[m.n:m.n+k], m.pair[m.n:m.size])
		m.n += k
		dst, ct = dst[k:], ct[k:]
	}
}

// decryptBlocks decrypts whole blocks. All of the ciphertext is known, so the
// kernel gets many blocks at a time.
func (m *Message) decryptBlocks(dst, ct []byte) {
	buf, used := batch.GetBuf(), min(len(ct), batch.BufSize)
	for len(ct) > 0 {
		n := min(len(ct), batch.BufSize)
		m.feedback(buf[:n], ct)
		copy(m.c[:], ct[n-m.size:n])
		m.kernel.EncryptBlocks(buf[:n], buf[:n])
		subtle.XORBytes(dst[:n], ct[:n], buf[:n])
		dst, ct = dst[n:], ct[n:]
	}
	batch.PutBuf(buf, used)
}

// feedback fills dst with what is encrypted to the key stream: the block before,
// then blocks of ct as far as they fit, each with its bit set.
func (m *Message) feedback(dst, ct []byte) {
	if m.started {
		copy(dst, m.c[:m.size])
		dst[m.fix] |= 0x80
	} else {
		copy(dst, m.S())
	}
	m.started = true
	dst = dst[m.size:]
	for copy(dst, ct); len(dst) > 0; dst = dst[m.size:] {
		dst[m.fix] |= 0x80
	}
}

// Tag returns the tag, and ends the message.
func (m *Message) Tag() (tag [authenc.MaxTagSize]byte) {
	last := m.c[:0]
	if m.started {
		last = m.c[:m.n]
	}
	m.alg.Finish(m, last, m.length)
	copy(tag[:], m.T())
	return tag
}

// XORPadded is s ^= ozp(x): a one bit and zeros fill a partial block.
func XORPadded(s, x []byte) {
	if n := subtle.XORBytes(s, s, x); n < len(s) {
		s[n] ^= 0x80
	}
}
