package poly1305

import (
	"encoding/binary"
	"math/bits"
)

// blocksGeneric adds each block, with a bit behind its end, to the accumulator
// and multiplies that by r, modulo p = 2^130 - 5 (RFC 8439, section 2.5.1).
//
// Numbers are in limbs of 64 bits: h = h0 + 2^64 h1 + 2^128 h2. The low two bits
// of r1 are clear, so that what reaches 2^128 comes back without a remainder:
//
//	2^128 r1 = 2^130 (r1 / 4), which is s1 = 5 r1 / 4 modulo p
//
// and the product has three limbs:
//
//	h r = (h0 r0 + h1 s1) + 2^64 (h0 r1 + h1 r0 + h2 s1) + 2^128 h2 r0
//
// Between blocks h2 is at most 4, and 6 after an addition. Clamping keeps r0 and
// r1 below 2^60 and s1 below 1.25 * 2^60, so that no sum below overflows. The last
// sum of a carry chain is an Add64 too: the compiler keeps that carry in its flag.
func blocksGeneric(m *State, p []byte) {
	h0, h1, h2 := m.h[0], m.h[1], m.h[2]
	r0, r1 := m.r[0], m.r[1]
	s1 := r1 + r1>>2
	for len(p) >= BlockSize {
		// h += block + 2^128
		var c uint64
		h0, c = bits.Add64(h0, binary.LittleEndian.Uint64(p[0:]), 0)
		h1, c = bits.Add64(h1, binary.LittleEndian.Uint64(p[8:]), c)
		h2, _ = bits.Add64(h2, 1, c)

		// a = h0 r0 + h1 s1
		a1, a0 := bits.Mul64(h0, r0)
		t1, t0 := bits.Mul64(h1, s1)
		a0, c = bits.Add64(a0, t0, 0)
		a1, _ = bits.Add64(a1, t1, c)

		// b = h0 r1 + h1 r0
		b1, b0 := bits.Mul64(h0, r1)
		t1, t0 = bits.Mul64(h1, r0)
		b0, c = bits.Add64(b0, t0, 0)
		b1, _ = bits.Add64(b1, t1, c)

		// h = a + 2^64 (b + h2 s1) + 2^128 h2 r0
		h1, c = bits.Add64(b0, a1+h2*s1, 0)
		h2, _ = bits.Add64(b1, h2*r0, c)

		// What lies above 2^130, h2 / 4, comes back at the bottom five times.
		h0, c = bits.Add64(a0, h2&^3+h2>>2, 0)
		h1, c = bits.Add64(h1, 0, c)
		h2, _ = bits.Add64(h2&3, 0, c)

		p = p[BlockSize:]
	}
	m.h = [3]uint64{h0, h1, h2}
}

// sumInParts is Sum by way of State.
func sumInParts(tag *[TagSize]byte, key *[KeySize]byte, aad, text []byte) {
	var m State
	m.Init(key)
	m.Padded(aad)
	m.Padded(text)
	m.Lengths(uint64(len(aad)), uint64(len(text)))
	*tag = m.Tag()
}

// tagGeneric reduces the accumulator modulo p and adds s modulo 2^128 (RFC 8439,
// section 2.5.1).
func tagGeneric(m *State) (tag [TagSize]byte) {
	h0, h1, h2 := m.h[0], m.h[1], m.h[2]

	// h is below 2 p. It is p or more exactly if h + 5 reaches 2^130, and then
	// h + 5 without that bit is h - p.
	g0, c := bits.Add64(h0, 5, 0)
	g1, c := bits.Add64(h1, 0, c)
	reached := -((h2 + c) >> 2) // all ones or zero
	h0 ^= reached & (h0 ^ g0)
	h1 ^= reached & (h1 ^ g1)

	h0, c = bits.Add64(h0, m.s[0], 0)
	h1, _ = bits.Add64(h1, m.s[1], c)
	binary.LittleEndian.PutUint64(tag[0:], h0)
	binary.LittleEndian.PutUint64(tag[8:], h1)
	return tag
}
