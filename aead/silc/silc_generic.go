package silc

import (
	"crypto/subtle"
	"encoding/binary"

	"xcipher/internal/cfbmac"
)

// algorithm is what is particular to SILC. The names are those of the
// specification.
type algorithm struct {
	param []byte // what stands in front of the nonce
}

// Hash is HASH(N, A).
func (a *algorithm) Hash(m *cfbmac.Message, nonce, aad []byte) {
	n, s := m.Size(), m.V()

	// zpp: zeros fill the block of the nonce at its front.
	copy(s[n-len(nonce):], nonce)
	copy(s[n-len(nonce)-len(a.param):], a.param)
	m.EncryptBlock(s)

	// zap: zeros fill the last block of A at its end.
	whole := len(aad) / n * n
	m.Chain(s, aad[:whole])
	if tail := aad[whole:]; len(tail) > 0 {
		subtle.XORBytes(s, s, tail)
		m.EncryptBlock(s)
	}

	xorLength(s, uint64(len(aad)))
	g(s)
}

// Seed has ENC start from V and PRF from g(V).
func (a *algorithm) Seed(m *cfbmac.Message) {
	copy(m.S(), m.V())
	copy(m.T(), m.V())
	g(m.T())
}

// Finish is the end of PRF(V, C): the last block, filled with zeros, and the
// length.
func (a *algorithm) Finish(m *cfbmac.Message, last []byte, length uint64) {
	t := m.T()
	subtle.XORBytes(t, t, last)
	m.EncryptBlock(t)
	xorLength(t, length)
	g(t)
	m.EncryptBlock(t)
}

// g moves a block one byte to the left; the byte that enters is the sum of the
// first two.
func g(x []byte) {
	sum := uint64(x[0] ^ x[1])
	low := x[len(x)-8:]
	if len(x) == 16 {
		binary.LittleEndian.PutUint64(x, binary.LittleEndian.Uint64(x)>>8|uint64(low[0])<<56)
	}
	binary.LittleEndian.PutUint64(low, binary.LittleEndian.Uint64(low)>>8|sum<<56)
}

// xorLength adds the length in bytes, big-endian, in the last 8 bytes of a block.
func xorLength(s []byte, length uint64) {
	low := s[len(s)-8:]
	binary.BigEndian.PutUint64(low, binary.BigEndian.Uint64(low)^length)
}
