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

// longest is how many bytes a kernel gets at most in one call: neither the scheduler
// nor the collector can interrupt assembly.
const longest = 64 << 10

// Chain is st = E(st ^ block) for whole blocks.
func (m *Message) Chain(st, blocks []byte) {
	for len(blocks) > longest {
		m.chain.Chain(nil, blocks[:longest], st)
		blocks = blocks[longest:]
	}
	m.chain.Chain(nil, blocks, st)
}

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
				run := min(len(src), longest) / 16 * 16
				m.both.EncryptMAC(dst[:run], src[:run], &m.c, &m.pair, m.fix)
				dst, src = dst[run:], src[run:]
				continue
			}
			// Both chains go on from the ciphertext block alone, so that the kernel
			// can run the two calls side by side.
			if m.started {
				subtle.XORBytes(m.T(), m.T(), m.c[:m.size])
			}
			m.feedback()
			m.kernel.EncryptBlocks(m.pair[:2*m.size], m.pair[:2*m.size])
			m.n = 0
			if len(src) >= m.size {
				c := Load(src[:m.size]).XOR(Load(m.S()))
				c.Store(m.c[:m.size])
				c.Store(dst[:m.size])
				m.n = m.size
				dst, src = dst[m.size:], src[m.size:]
				continue
			}
		}
		k := subtle.XORBytes(m.c[m.n:], src, m.pair[m.n:m.size])
		copy(dst, m.c[m.n:m.n+k])
		m.n += k
		dst, src = dst[k:], src[k:]
	}
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
			m.feedback()
			if run := min(len(ct), longest) / m.size * m.size; run > 0 {
				m.decryptBlocks(dst[:run], ct[:run])
				dst, ct = dst[run:], ct[run:]
				continue
			}
			m.EncryptBlock(m.S())
			m.n = 0
		}
		k := copy(m.c[m.n:m.size], ct)
		subtle.XORBytes(dst, m.c[m.n:m.n+k], m.pair[m.n:m.size])
		m.n += k
		dst, ct = dst[k:], ct[k:]
	}
}

// feedback sets S to what is encrypted to the next block of the key stream.
func (m *Message) feedback() {
	if m.started {
		copy(m.S(), m.c[:])
		m.pair[m.fix] |= 0x80
	}
	m.started = true
}

// decryptBlocks decrypts whole blocks, the first of them with the key stream E(S).
// All of the ciphertext is known, so the kernel gets many blocks at a time.
func (m *Message) decryptBlocks(dst, ct []byte) {
	copy(m.c[:], ct[len(ct)-m.size:]) // dst may be ct
	if m.cfb != nil && m.size == 16 {
		m.cfb.DecryptCFB(dst, ct, (*[16]byte)(m.pair[:]), m.fix)
		return
	}
	buf, used := batch.GetBuf(), min(len(ct), batch.BufSize)
	for len(ct) > 0 {
		n := min(len(ct), batch.BufSize)
		copy(buf[:], m.S())
		m.fixed(buf[m.size:n], ct)
		copy(m.S(), ct[n-m.size:n])
		m.pair[m.fix] |= 0x80
		m.kernel.EncryptBlocks(buf[:n], buf[:n])
		subtle.XORBytes(dst[:n], ct[:n], buf[:n])
		dst, ct = dst[n:], ct[n:]
	}
	batch.PutBuf(buf, used)
}

// fixed fills dst with blocks of ct, each with its bit set.
func (m *Message) fixed(dst, ct []byte) {
	le, top0, top1 := binary.LittleEndian, m.top[0], m.top[1]
	i := 0
	for ; i <= len(dst)-16; i += 16 {
		d, c := dst[i:i+16:i+16], ct[i:i+16:i+16]
		le.PutUint64(d[0:], le.Uint64(c[0:])|top0)
		le.PutUint64(d[8:], le.Uint64(c[8:])|top1)
	}
	if i < len(dst) { // half of that
		le.PutUint64(dst[i:], le.Uint64(ct[i:])|top0)
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
