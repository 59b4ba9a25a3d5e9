package hutorny

import (
	"crypto/subtle"

	"xcipher/internal/cfbmac"
	"xcipher/internal/chaskey"
)

// topByte is the byte whose top bit the library takes for the first bit of a block:
// words are little-endian. In CLOC it is byte 0.
const topByte = 3

// algorithm is the library's CLOC. It works with two block transformations: the
// Chaskey block cipher E(x) = pi(x ^ K) ^ K, and F(x) = pi(x) ^ K, which is
// E(x ^ K).
type algorithm struct {
	key   [KeySize]byte
	inner *chaskey.Kernel // F
}

// Hash looks like HASH of CLOC, but fix0 and h go by a bit of the key instead of the
// additional data.
func (a *algorithm) Hash(m *cfbmac.Message, nonce, aad []byte) {
	n, s := m.Size(), m.V()

	copy(s, a.key[:])
	bit := s[topByte] >> 7
	s[topByte] &= 0x7f

	first := aad[:min(n, len(aad))]
	a.chainPadded(s, first)
	cfbmac.Load(s).HIf(bit).Store(s)

	rest := aad[len(first):]
	whole := len(rest) / n * n
	a.inner.Chain(nil, rest[:whole], s)
	if tail := rest[whole:]; len(tail) > 0 {
		a.chainPadded(s, tail)
	}

	cfbmac.XORPadded(s, nonce)
	if q := cfbmac.Load(s); len(aad) > 0 && len(aad)%n == 0 {
		q.F1().Store(s)
	} else {
		q.F2().Store(s)
	}
}

// Seed has the key stream start from F(V) and the tag from F(g2(V)); the calls
// that follow are of E.
func (a *algorithm) Seed(m *cfbmac.Message) {
	subtle.XORBytes(m.S(), m.V(), a.key[:])
	cfbmac.Load(m.V()).G2().Store(m.T())
	subtle.XORBytes(m.T(), m.T(), a.key[:])
}

// Finish has no tweak, and no padding but zeros, at the last block.
func (a *algorithm) Finish(m *cfbmac.Message, last []byte, _ uint64) {
	t := m.T()
	if len(last) == 0 {
		cfbmac.Load(m.V()).G1().Store(t)
		a.inner.EncryptBlocks(t, t)
		return
	}
	subtle.XORBytes(t, t, last)
	m.EncryptBlock(t)
}

// chainPadded is s = F(s ^ ozp(x)).
func (a *algorithm) chainPadded(s, x []byte) {
	cfbmac.XORPadded(s, x)
	a.inner.EncryptBlocks(s, s)
}
