package chacha

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
)

// Words are little-endian throughout (RFC 8439, section 2.3).

// xorKeyStreamGeneric is XORKeyStream in plain Go.
func xorKeyStreamGeneric(dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	whole := len(src) &^ (BlockSize - 1)
	xorBlocksGeneric(dst[:whole], src[:whole], s, rounds)
	if tail := src[whole:]; len(tail) > 0 {
		*last = [BlockSize]byte{}
		xorBlocksGeneric(last[:], last[:], s, rounds)
		subtle.XORBytes(dst[whole:], tail, last[:])
	}
}

// xorBlocksGeneric XORs whole blocks (RFC 8439, section 2.4).
//
// The rows of the matrix are a, b, c and d. Each line below is one operation of
// four quarter rounds (section 2.1) side by side: that order keeps more of the
// sixteen words in registers than four quarter rounds in turn.
func xorBlocksGeneric(dst, src []byte, s *State, rounds int) {
	for len(src) >= BlockSize && len(dst) >= BlockSize {
		a0, a1, a2, a3 := s[0], s[1], s[2], s[3]
		b0, b1, b2, b3 := s[4], s[5], s[6], s[7]
		c0, c1, c2, c3 := s[8], s[9], s[10], s[11]
		d0, d1, d2, d3 := s[12], s[13], s[14], s[15]

		for i := rounds; i > 0; i -= 2 {
			// Column round (section 2.3): quarter rounds on (a0, b0, c0, d0) and so on.
			a0, a1, a2, a3 = a0+b0, a1+b1, a2+b2, a3+b3
			d0, d1, d2, d3 = d0^a0, d1^a1, d2^a2, d3^a3
			d0, d1, d2, d3 = bits.RotateLeft32(d0, 16), bits.RotateLeft32(d1, 16), bits.RotateLeft32(d2, 16), bits.RotateLeft32(d3, 16)
			c0, c1, c2, c3 = c0+d0, c1+d1, c2+d2, c3+d3
			b0, b1, b2, b3 = b0^c0, b1^c1, b2^c2, b3^c3
			b0, b1, b2, b3 = bits.RotateLeft32(b0, 12), bits.RotateLeft32(b1, 12), bits.RotateLeft32(b2, 12), bits.RotateLeft32(b3, 12)
			a0, a1, a2, a3 = a0+b0, a1+b1, a2+b2, a3+b3
			d0, d1, d2, d3 = d0^a0, d1^a1, d2^a2, d3^a3
			d0, d1, d2, d3 = bits.RotateLeft32(d0, 8), bits.RotateLeft32(d1, 8), bits.RotateLeft32(d2, 8), bits.RotateLeft32(d3, 8)
			c0, c1, c2, c3 = c0+d0, c1+d1, c2+d2, c3+d3
			b0, b1, b2, b3 = b0^c0, b1^c1, b2^c2, b3^c3
			b0, b1, b2, b3 = bits.RotateLeft32(b0, 7), bits.RotateLeft32(b1, 7), bits.RotateLeft32(b2, 7), bits.RotateLeft32(b3, 7)

			// Diagonal round: quarter rounds on (a0, b1, c2, d3) and so on.
			a0, a1, a2, a3 = a0+b1, a1+b2, a2+b3, a3+b0
			d3, d0, d1, d2 = d3^a0, d0^a1, d1^a2, d2^a3
			d3, d0, d1, d2 = bits.RotateLeft32(d3, 16), bits.RotateLeft32(d0, 16), bits.RotateLeft32(d1, 16), bits.RotateLeft32(d2, 16)
			c2, c3, c0, c1 = c2+d3, c3+d0, c0+d1, c1+d2
			b1, b2, b3, b0 = b1^c2, b2^c3, b3^c0, b0^c1
			b1, b2, b3, b0 = bits.RotateLeft32(b1, 12), bits.RotateLeft32(b2, 12), bits.RotateLeft32(b3, 12), bits.RotateLeft32(b0, 12)
			a0, a1, a2, a3 = a0+b1, a1+b2, a2+b3, a3+b0
			d3, d0, d1, d2 = d3^a0, d0^a1, d1^a2, d2^a3
			d3, d0, d1, d2 = bits.RotateLeft32(d3, 8), bits.RotateLeft32(d0, 8), bits.RotateLeft32(d1, 8), bits.RotateLeft32(d2, 8)
			c2, c3, c0, c1 = c2+d3, c3+d0, c0+d1, c1+d2
			b1, b2, b3, b0 = b1^c2, b2^c3, b3^c0, b0^c1
			b1, b2, b3, b0 = bits.RotateLeft32(b1, 7), bits.RotateLeft32(b2, 7), bits.RotateLeft32(b3, 7), bits.RotateLeft32(b0, 7)
		}

		xorPair(dst[0:8], src[0:8], a0+s[0], a1+s[1])
		xorPair(dst[8:16], src[8:16], a2+s[2], a3+s[3])
		xorPair(dst[16:24], src[16:24], b0+s[4], b1+s[5])
		xorPair(dst[24:32], src[24:32], b2+s[6], b3+s[7])
		xorPair(dst[32:40], src[32:40], c0+s[8], c1+s[9])
		xorPair(dst[40:48], src[40:48], c2+s[10], c3+s[11])
		xorPair(dst[48:56], src[48:56], d0+s[12], d1+s[13])
		xorPair(dst[56:64], src[56:64], d2+s[14], d3+s[15])
		if s[12]++; s[12] == 0 {
			s[13]++
		}
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
}

// xorPair XORs eight bytes with two words of key stream.
func xorPair(dst, src []byte, first, second uint32) {
	word := uint64(first) | uint64(second)<<32
	binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(src)^word)
}
