package chachapoly

import (
	"xcipher/internal/absorb"
	"xcipher/internal/authenc"
	"xcipher/internal/chacha"
	"xcipher/internal/keystream"
	"xcipher/internal/poly1305"
)

// Numbers are little-endian throughout (RFC 8439, section 2).

// scheme is the algorithm under one key.
type scheme struct {
	key    chacha.State // at block 0, with the key; the nonce is set for each message
	rounds int
}

// start sets stream to block 0. For a nonce of 24 bytes it has the subkey, and a
// counter of 64 bits: below 2^32 that is the counter of 32 bits and four zero bytes
// of draft-irtf-cfrg-xchacha-03, section 2.3.
func (s *scheme) start(stream *chacha.State, nonce []byte) {
	*stream = s.key
	stream.SetNonce(nonce, 0, s.rounds)
}

// Seal encrypts and authenticates one message (RFC 8439, section 2.8). The one-time
// key of the authenticator is the start of block 0 (section 2.6).
func (s *scheme) Seal(dst, src, nonce, aad []byte) (tag [authenc.MaxTagSize]byte) {
	var stream chacha.State
	s.start(&stream, nonce)
	sum := (*[poly1305.TagSize]byte)(tag[:])
	if takesHead(len(src)) {
		var h head
		n := min(len(src), headSize)
		h.begin(&stream, dst[:n], src[:n], s.rounds)
		s.rest(&stream, dst[n:], src[n:])
		h.sum(sum, aad, dst)
		return tag
	}
	var first [chacha.BlockSize]byte
	stream.BlockAndXOR(&first, dst, src, s.rounds)
	poly1305.Sum(sum, (*[poly1305.KeySize]byte)(first[:]), aad, dst)
	return tag
}

// rest encrypts or decrypts what comes behind the head of a message.
func (s *scheme) rest(stream *chacha.State, dst, src []byte) {
	if len(src) > 0 {
		var last [chacha.BlockSize]byte
		stream.XORKeyStream(dst, src, s.rounds, &last)
	}
}

// Open makes block 0 together with the key stream of the text's first blocks, which
// takes hardly more time, and keeps that until the tag is verified.
func (s *scheme) Open(dst, ct, nonce, aad, tag []byte) (ok bool) {
	if takesHead(len(ct)) {
		return s.openHead(dst, ct, nonce, aad, tag)
	}
	var stream chacha.State
	s.start(&stream, nonce)
	// More than 9 blocks make no difference, and lengths near 2^31 no overflow.
	blocks := 1 + (min(len(ct), 8*chacha.BlockSize)+chacha.BlockSize-1)/chacha.BlockSize
	var key []byte // zeros; to clear more of them than necessary would take time
	switch {
	case blocks <= 2:
		var room [2 * chacha.BlockSize]byte
		key = room[:]
	case blocks <= 4:
		var room [4 * chacha.BlockSize]byte
		key = room[:]
	case blocks <= 6:
		var room [6 * chacha.BlockSize]byte
		key = room[:]
	default:
		var room [9 * chacha.BlockSize]byte
		key = room[:]
	}
	first := (*[chacha.BlockSize]byte)(key)
	key = key[chacha.BlockSize : blocks*chacha.BlockSize]
	stream.BlockAndXOR(first, key, key, s.rounds)
	var want [poly1305.TagSize]byte
	poly1305.Sum(&want, (*[poly1305.KeySize]byte)(first[:]), aad, ct)
	return s.release(&stream, dst, ct, key, &want, tag)
}

// openHead is Open for a long message.
func (s *scheme) openHead(dst, ct, nonce, aad, tag []byte) (ok bool) {
	var stream chacha.State
	s.start(&stream, nonce)
	var h head
	var key []byte
	if len(ct) <= headSize/2 {
		var room [headSize / 2]byte
		key = room[:]
	} else {
		var room [headSize]byte
		key = room[:]
	}
	key = key[:min((len(ct)+chacha.BlockSize-1)&^(chacha.BlockSize-1), len(key))]
	h.begin(&stream, key, key, s.rounds)
	var want [poly1305.TagSize]byte
	h.sum(&want, aad, ct)
	return s.release(&stream, dst, ct, key, &want, tag)
}

// release decrypts if the tag is right. key is the key stream of the first bytes, and
// stream makes what follows.
func (s *scheme) release(stream *chacha.State, dst, ct, key []byte, want *[poly1305.TagSize]byte, tag []byte) (ok bool) {
	if !authenc.Equal16(want, (*[poly1305.TagSize]byte)(tag)) {
		return false
	}
	n := min(len(ct), len(key))
	chacha.XOR(dst[:n], ct[:n], key)
	s.rest(stream, dst[n:], ct[n:])
	return true
}

// Begin starts a message in pieces.
func (s *scheme) Begin(nonce, aad []byte) authenc.Incremental {
	var first [chacha.BlockSize]byte
	p := &pieces{rounds: s.rounds, aad: uint64(len(aad))}
	s.start(&p.stream, nonce)
	p.stream.Block(&first, s.rounds)
	p.mac.Init((*[poly1305.KeySize]byte)(first[:]))
	p.mac.Padded(aad)
	return p
}

// pieces is a message that comes in pieces.
type pieces struct {
	stream    chacha.State
	rest      keystream.Buf // of stream
	mac       poly1305.State
	in        absorb.Buf // of mac
	rounds    int
	aad, text uint64 // bytes that mac has absorbed, or in has
}

func (p *pieces) Encrypt(dst, src []byte) {
	p.xor(dst, src)
	p.Absorb(dst[:len(src)])
}

func (p *pieces) Decrypt(dst, src []byte) { p.xor(dst, src) }

func (p *pieces) xor(dst, src []byte) {
	// The counter was at 1 when the first piece came; it reads 0 when all is used.
	left := uint64(-p.stream[12])
	if dst, src = p.rest.Begin("chachapoly", chacha.BlockSize, left, dst, src); len(src) > 0 {
		p.stream.XORKeyStream(dst, src, p.rounds, &p.rest.Last)
	}
}

func (p *pieces) Absorb(ct []byte) {
	p.text += uint64(len(ct))
	for run, ct := p.in.Next(ct, poly1305.BlockSize, 0); run != nil; run, ct = p.in.Next(ct, poly1305.BlockSize, 0) {
		p.mac.Blocks(run)
	}
}

func (p *pieces) Tag() (tag [authenc.MaxTagSize]byte) {
	p.mac.Padded(p.in.Tail())
	p.mac.Lengths(p.aad, p.text)
	sum := p.mac.Tag()
	copy(tag[:], sum[:])
	return tag
}
