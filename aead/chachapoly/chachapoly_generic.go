package chachapoly

import (
	"encoding/binary"

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

// start returns the state at block 0. For a nonce of 24 bytes it has the subkey,
// and a counter of 64 bits: below 2^32 that is the counter of 32 bits and four
// zero bytes of draft-irtf-cfrg-xchacha-03, section 2.3.
func (s *scheme) start(nonce []byte) chacha.State {
	stream := s.key
	stream.SetNonce(nonce, 0, s.rounds)
	return stream
}

// Seal encrypts and authenticates one message (RFC 8439, section 2.8).
func (s *scheme) Seal(dst, src, nonce, aad []byte) [authenc.MaxTagSize]byte {
	var first [chacha.BlockSize]byte
	stream := s.start(nonce)
	stream.BlockAndXOR(&first, dst, src, s.rounds)
	return authenticate(&first, dst, aad)
}

// Authenticate returns the tag of one message. The subkey is carried over to
// Decrypt if there is one.
func (s *scheme) Authenticate(ct, nonce, aad []byte) (tag, carry [authenc.MaxTagSize]byte) {
	var first [chacha.BlockSize]byte
	stream := s.start(nonce)
	stream.Block(&first, s.rounds)
	if len(nonce) == NonceSizeX {
		for i, word := range stream[4:12] {
			binary.LittleEndian.PutUint32(carry[4*i:], word)
		}
	}
	return authenticate(&first, ct, aad), carry
}

// Decrypt starts at block 1.
func (s *scheme) Decrypt(dst, ct, nonce []byte, carry [authenc.MaxTagSize]byte) {
	var stream chacha.State
	var last [chacha.BlockSize]byte
	if len(nonce) == NonceSizeX {
		stream.Init(carry[:KeySize], nonce[chacha.HNonceSize:], 1, s.rounds)
	} else {
		stream = s.key
		stream.SetNonce(nonce, 1, s.rounds)
	}
	stream.XORKeyStream(dst, ct, s.rounds, &last)
}

// authenticate returns the tag of ct and aad under the one-time key that block 0
// starts with (section 2.6).
func authenticate(first *[chacha.BlockSize]byte, ct, aad []byte) (tag [authenc.MaxTagSize]byte) {
	var mac poly1305.State
	mac.Init((*[poly1305.KeySize]byte)(first[:]))
	mac.Padded(aad)
	mac.Padded(ct)
	mac.Lengths(uint64(len(aad)), uint64(len(ct)))
	sum := mac.Tag()
	copy(tag[:], sum[:])
	return tag
}

// Begin starts a message in pieces.
func (s *scheme) Begin(nonce, aad []byte) authenc.Incremental {
	var first [chacha.BlockSize]byte
	p := &pieces{stream: s.start(nonce), rounds: s.rounds, aad: uint64(len(aad))}
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
