package cloc

import "xcipher/internal/cfbmac"

// algorithm is what is particular to CLOC. The names are those of the paper; the
// "first bit" of a block is the top bit of its byte 0.
type algorithm struct {
	param []byte // what stands in front of the nonce
}

// Hash is HASH(N, A).
func (a *algorithm) Hash(m *cfbmac.Message, nonce, aad []byte) {
	n, s := m.Size(), m.V()

	// The first block of A, which is there even if A is empty: fix0 clears its first
	// bit, and h makes up for that if the bit was set.
	first := aad[:min(n, len(aad))]
	fixed, bit := cfbmac.LoadPadded(first, n).Fix0()
	fixed.Store(s)
	m.EncryptBlock(s)
	q := cfbmac.Load(s).HIf(bit)

	// The other blocks, of which the last may be partial.
	if rest := aad[len(first):]; len(rest) > 0 {
		q.Store(s)
		whole := len(rest) / n * n
		m.Chain(s, rest[:whole])
		q = cfbmac.Load(s)
		if tail := rest[whole:]; len(tail) > 0 {
			q.XOR(cfbmac.LoadPadded(tail, n)).Store(s)
			m.EncryptBlock(s)
			q = cfbmac.Load(s)
		}
	}

	// The nonce, and V = f1(S) or f2(S) for a full or a partial last block.
	var in [cfbmac.MaxBlockSize]byte
	head := copy(in[:], a.param)
	in[head+copy(in[head:], nonce)] = 0x80
	q = q.XOR(cfbmac.Load(in[:n]))
	if len(aad) > 0 && len(aad)%n == 0 {
		q.F1().Store(s)
	} else {
		q.F2().Store(s)
	}
}

// Seed has ENC start from V and PRF from g2(V).
func (a *algorithm) Seed(m *cfbmac.Message) {
	v := cfbmac.Load(m.V())
	v.Store(m.S())
	v.G2().Store(m.T())
}

// Finish is the last call of PRF(V, C): its input is g1(V) if there is no text, or
// else goes through f1 or f2 for a full or a partial last block.
func (a *algorithm) Finish(m *cfbmac.Message, last []byte, _ uint64) {
	t := m.T()
	switch len(last) {
	case 0:
		cfbmac.Load(m.V()).G1().Store(t)
	case len(t):
		cfbmac.Load(t).XOR(cfbmac.Load(last)).F1().Store(t)
	default:
		cfbmac.Load(t).XOR(cfbmac.LoadPadded(last, len(t))).F2().Store(t)
	}
	m.EncryptBlock(t)
}
