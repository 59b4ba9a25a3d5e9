package mgm

import (
	"crypto/subtle"
	"encoding/binary"
	"math"
	"sync"

	"xcipher/internal/authenc"
	"xcipher/internal/batch"
)

const maxBlock = 16

// scheme is MGM over one key. Byte strings are read big-endian: the first bit of
// the first byte is the highest power of the polynomial.
type scheme struct {
	k       batch.Kernel
	counter batch.Counter // k's
	size    int           // of a block, in bytes
	pad     int           // zero bytes before the nonce
}

// message is the state of one message. The names are those of RFC 9058 section
// 4: Y_i makes key stream and counts in its right half, Z_i makes the multipliers
// H_i and counts in its left half.
//
// Both counters are enciphered ahead of their use. A short message takes one call
// of the kernel for both, a long one a call for each, in which the kernel counts.
type message struct {
	*scheme
	y, z  [maxBlock]byte
	sum   product // of all H_i times block i
	aad   uint64  // bytes of additional data
	text  uint64  // bytes of ciphertext that were absorbed
	want  int     // multipliers that are still wanted, or unknown
	ahead [2 * batch.BufSize]byte
	gamma []byte // unused key stream in ahead
	h     []byte // unused multipliers in ahead
	part  [maxBlock]byte
	n     int // bytes of ciphertext in part
}

// messages lends message states: they go to interface methods of the kernel,
// and would be allocated each time.
var messages = sync.Pool{New: func() any { return new(message) }}

func (m *message) release() {
	*m = message{}
	messages.Put(m)
}

// start encrypts the nonce to Y_1 and Z_1 (section 4.1, steps 1 and 3).
func (m *message) start(s *scheme, nonce []byte) {
	m.scheme = s
	first := m.ahead[:2*s.size]
	y, z := first[:s.size], first[s.size:]
	clear(first)
	copy(y[s.pad:], nonce)
	copy(z[s.pad:], nonce)
	z[0] |= 0x80
	s.k.EncryptBlocks(first, first)
	copy(m.y[:], y)
	copy(m.z[:], z)
}

// fill makes gammas blocks of key stream and hs multipliers. Nothing must be left
// of either.
func (m *message) fill(gammas, hs int) {
	size := m.size
	b := m.ahead[:(gammas+hs)*size]
	m.gamma, m.h = b[:gammas*size], b[gammas*size:]
	if len(b) > batch.BufSize {
		m.counter.XORCounter(m.gamma, nil, m.y[:size], size/2, size)
		m.counter.XORCounter(m.h, nil, m.z[:size], 0, size/2)
		return
	}
	batch.Fill(m.gamma, m.y[:size], size/2, size)
	batch.Fill(m.h, m.z[:size], 0, size/2)
	m.k.EncryptBlocks(b, b)
}

// most is how many blocks fill makes if so many bytes are at hand: of a message in
// pieces, which may end soon, no more than for one call or for this piece.
func (m *message) most(n int) int {
	if m.inPieces() && n < len(m.ahead)/2 {
		return batch.BufSize / m.size
	}
	return len(m.ahead) / m.size
}

// unknown is what a message wants whose length is not known yet.
const unknown = math.MaxInt

func (m *message) inPieces() bool { return m.want == unknown }

// authenticate absorbs the additional data. Where no further call is needed for
// it, what the first blocks of the text need is made as well: key stream if the
// message is to be encrypted, and multipliers.
func (m *message) authenticate(aad []byte, encrypt bool) {
	m.aad = uint64(len(aad))
	for len(aad) > 0 {
		blocks, gammas, hs := m.blocks(len(aad)), 0, 0
		if most := m.most(len(aad)); blocks > most {
			blocks = most
		} else if !m.inPieces() {
			gammas, hs = share(most-blocks, m.want-blocks, encrypt)
		}
		m.fill(gammas, blocks+hs)
		n := min(len(aad), blocks*m.size)
		m.absorb(aad[:n])
		m.flush()
		aad = aad[n:]
	}
}

// share divides room for so many blocks between key stream and multipliers: one
// of each for a block of text, and the last of the wanted multipliers is for the
// block of lengths.
func share(room, want int, encrypt bool) (gammas, hs int) {
	switch {
	case !encrypt:
		return 0, min(room, want)
	case want <= (room+1)/2:
		return want - 1, want
	default:
		gammas = min(room/2, want-1)
		return gammas, gammas
	}
}

// encrypt makes ciphertext of any length, and absorbs it.
func (m *message) encrypt(dst, src []byte) {
	for len(src) > 0 {
		if len(m.gamma) == 0 {
			m.fill(share(m.most(len(src)), m.want, true))
		}
		n := subtle.XORBytes(dst, src, m.gamma)
		m.gamma = m.gamma[n:]
		m.text += uint64(n)
		m.absorb(dst[:n])
		dst, src = dst[n:], src[n:]
	}
}

// decrypt makes plaintext of any length, and absorbs nothing.
func (m *message) decrypt(dst, src []byte) {
	for len(src) > 0 {
		if len(m.gamma) == 0 {
			gammas := m.most(len(src))
			if !m.inPieces() {
				gammas = min(gammas, m.blocks(len(src)))
			}
			m.fill(gammas, 0)
		}
		n := subtle.XORBytes(dst, src, m.gamma)
		m.gamma = m.gamma[n:]
		dst, src = dst[n:], src[n:]
	}
}

// absorb adds the products of blocks and their multipliers (section 4.1, step 3). An
// incomplete block waits for its rest.
func (m *message) absorb(p []byte) {
	if m.n > 0 {
		c := copy(m.part[m.n:m.size], p)
		p = p[c:]
		if m.n += c; m.n < m.size {
			return
		}
		m.n = 0
		m.multiply(m.part[:m.size])
	}
	if whole := len(p) / m.size * m.size; whole > 0 {
		m.multiply(p[:whole])
		p = p[whole:]
	}
	m.n = copy(m.part[:], p)
}

// flush completes the last block with zeros.
func (m *message) flush() {
	if m.n > 0 {
		clear(m.part[m.n:])
		m.n = 0
		m.multiply(m.part[:m.size])
	}
}

// multiply adds the products of whole blocks.
func (m *message) multiply(p []byte) {
	for len(p) > 0 {
		if len(m.h) == 0 {
			m.fill(share(m.most(len(p)), m.want, false))
		}
		n := min(len(p), len(m.h))
		if m.size == 8 {
			m.sum.add64(m.h[:n], p[:n])
		} else {
			m.sum.add128(m.h[:n], p[:n])
		}
		if !m.inPieces() {
			m.want -= n / m.size
		}
		m.h, p = m.h[n:], p[n:]
	}
}

// tag ends the message: the block of both lengths in bits, and the encryption of
// the sum (section 4.1, step 3).
func (m *message) tag() (t [authenc.MaxTagSize]byte) {
	m.flush()
	m.want = 1
	last := m.part[:m.size]
	switch {
	case m.aad == 0 && m.text == 0:
		// Outside the RFC's domain; New takes H_1 for the sum.
		m.fill(0, 1)
		copy(last, m.h)
	case m.size == 8:
		binary.BigEndian.PutUint32(last, uint32(m.aad*8))
		binary.BigEndian.PutUint32(last[4:], uint32(m.text*8))
		m.multiply(last)
		m.sum.reduce64(last)
	default:
		binary.BigEndian.PutUint64(last, m.aad*8)
		binary.BigEndian.PutUint64(last[8:], m.text*8)
		m.multiply(last)
		m.sum.reduce128(last)
	}
	m.k.EncryptBlocks(last, last)
	copy(t[:], last)
	return t
}
