// Package poly1305 is the core of the Poly1305 authenticator (D. J. Bernstein,
// "The Poly1305-AES message-authentication code", 2005; RFC 8439, 2018, section
// 2.5), in the shape that ChaCha20-Poly1305 needs: over whole blocks, with parts
// of a message filled up with zeros. The authenticator by itself, which marks the
// end of a last partial block, is not here.
//
// One-time key 32 bytes, block 16 bytes, tag 16 bytes. A key authenticates one
// message: two tags under one key let anyone forge. It is constant-time in every
// tier.
package poly1305

import "encoding/binary"

// Integers are little-endian throughout (RFC 8439, section 2.5).

const (
	KeySize   = 32 // bytes
	BlockSize = 16 // bytes
	TagSize   = 16 // bytes
)

// State is the authentication of one message. Copying it clones it.
type State struct {
	h [3]uint64 // accumulator, congruent modulo 2^130-5; at most 2^130 + 2^65
	r [2]uint64 // multiplier
	s [2]uint64 // added at the end
}

// Init starts a message under a one-time key (RFC 8439, section 2.5.1).
func (m *State) Init(key *[KeySize]byte) {
	m.h = [3]uint64{}
	m.r[0] = binary.LittleEndian.Uint64(key[0:]) & 0x0ffffffc0fffffff
	m.r[1] = binary.LittleEndian.Uint64(key[8:]) & 0x0ffffffc0ffffffc
	m.s[0] = binary.LittleEndian.Uint64(key[16:])
	m.s[1] = binary.LittleEndian.Uint64(key[24:])
}

// Blocks absorbs whole blocks. len(p) is a multiple of BlockSize.
func (m *State) Blocks(p []byte) { blocks(m, p) }

// Padded absorbs p, and zeros up to the end of its last block (RFC 8439, section
// 2.8).
func (m *State) Padded(p []byte) {
	whole := len(p) &^ (BlockSize - 1)
	m.Blocks(p[:whole])
	if tail := p[whole:]; len(tail) > 0 {
		var last [BlockSize]byte
		copy(last[:], tail)
		m.Blocks(last[:])
	}
}

// Lengths absorbs a block of two numbers, which RFC 8439, section 2.8, has at the
// end: the lengths of additional data and ciphertext in bytes.
func (m *State) Lengths(aad, text uint64) {
	var last [BlockSize]byte
	binary.LittleEndian.PutUint64(last[0:], aad)
	binary.LittleEndian.PutUint64(last[8:], text)
	m.Blocks(last[:])
}

// Sum sets tag to that of a message with additional data, under a one-time key (RFC
// 8439, section 2.8): what Init, Padded, Padded, Lengths and Tag make together.
func Sum(tag *[TagSize]byte, key *[KeySize]byte, aad, text []byte) { sum(tag, key, aad, text) }

// Tag returns the tag of what has been absorbed.
func (m *State) Tag() [TagSize]byte { return tagGeneric(m) }
