package mgm

import "xcipher/internal/authenc"

func (s *scheme) blocks(n int) int { return (n + s.size - 1) / s.size }

func (s *scheme) Seal(dst, src, nonce, aad []byte) (tag [authenc.MaxTagSize]byte) {
	m := messages.Get().(*message)
	m.start(s, nonce)
	m.want = s.blocks(len(aad)) + s.blocks(len(src)) + 1
	m.authenticate(aad, true)
	m.encrypt(dst, src)
	tag = m.tag()
	m.release()
	return tag
}

func (s *scheme) Authenticate(ct, nonce, aad []byte) (tag, carry [authenc.MaxTagSize]byte) {
	m := messages.Get().(*message)
	m.start(s, nonce)
	copy(carry[:], m.y[:]) // Y_1
	m.want = s.blocks(len(aad)) + s.blocks(len(ct)) + 1
	m.authenticate(aad, false)
	m.text = uint64(len(ct))
	m.absorb(ct)
	tag = m.tag()
	m.release()
	return tag, carry
}

func (s *scheme) Decrypt(dst, ct, nonce []byte, carry [authenc.MaxTagSize]byte) {
	m := messages.Get().(*message)
	m.scheme = s
	copy(m.y[:], carry[:])
	m.decrypt(dst, ct)
	m.release()
}

// Begin starts a message in pieces.
func (s *scheme) Begin(nonce, aad []byte) authenc.Incremental {
	m := new(message)
	m.start(s, nonce)
	m.want = unknown
	m.authenticate(aad, false)
	return (*pieces)(m)
}

// pieces is a message that comes in pieces.
type pieces message

func (p *pieces) Encrypt(dst, src []byte) { (*message)(p).encrypt(dst, src) }
func (p *pieces) Decrypt(dst, src []byte) { (*message)(p).decrypt(dst, src) }

func (p *pieces) Absorb(ct []byte) {
	p.text += uint64(len(ct))
	(*message)(p).absorb(ct)
}

func (p *pieces) Tag() [authenc.MaxTagSize]byte { return (*message)(p).tag() }
