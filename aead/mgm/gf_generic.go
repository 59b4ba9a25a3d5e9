package mgm

import (
	"encoding/binary"
	"math/bits"
)

// product accumulates products of polynomials over GF(2) without reducing them:
// the sum over all blocks is reduced once. Words of a pair are high, low.
//
// An operand of 128 bits is a pair of halves, and its product is taken from three
// of 64 bits (Karatsuba): of the low halves, of the high ones, and of the sums.
type product struct {
	low, high, mixed [2]uint64
}

// add64Generic adds the products of whole blocks of 64 bits, as many in h as in p.
func (s *product) add64Generic(h, p []byte) {
	for ; len(p) >= 8 && len(h) >= 8; h, p = h[8:], p[8:] {
		hi, lo := mul(binary.BigEndian.Uint64(h), binary.BigEndian.Uint64(p))
		s.low[0] ^= hi
		s.low[1] ^= lo
	}
}

// add128Generic does so with blocks of 128 bits.
func (s *product) add128Generic(h, p []byte) {
	for ; len(p) >= 16 && len(h) >= 16; h, p = h[16:], p[16:] {
		a1, a0 := binary.BigEndian.Uint64(h), binary.BigEndian.Uint64(h[8:])
		b1, b0 := binary.BigEndian.Uint64(p), binary.BigEndian.Uint64(p[8:])
		hi, lo := mul(a0, b0)
		s.low[0] ^= hi
		s.low[1] ^= lo
		hi, lo = mul(a1, b1)
		s.high[0] ^= hi
		s.high[1] ^= lo
		hi, lo = mul(a0^a1, b0^b1)
		s.mixed[0] ^= hi
		s.mixed[1] ^= lo
	}
}

// mul returns the carry-less product of x and y.
//
// Integers with three zero bits between any two others are multiplied without a
// carry reaching the next bit that counts, if one of them has at most 15 ones:
// then no sum exceeds 15. So both operands are split into four such integers, x
// without its highest four bits, which are treated by masks.
func mul(x, y uint64) (hi, lo uint64) {
	const m0 = 0x1111111111111111
	const m1, m2, m3 = m0 << 1, m0 << 2, m0 << 3
	const low60 = 1<<60 - 1
	x0, x1, x2, x3 := x&(m0&low60), x&(m1&low60), x&(m2&low60), x&(m3&low60)
	y0, y1, y2, y3 := y&m0, y&m1, y&m2, y&m3

	h00, l00 := bits.Mul64(x0, y0)
	h13, l13 := bits.Mul64(x1, y3)
	h22, l22 := bits.Mul64(x2, y2)
	h31, l31 := bits.Mul64(x3, y1)
	hi = (h00 ^ h13 ^ h22 ^ h31) & m0
	lo = (l00 ^ l13 ^ l22 ^ l31) & m0

	h01, l01 := bits.Mul64(x0, y1)
	h10, l10 := bits.Mul64(x1, y0)
	h23, l23 := bits.Mul64(x2, y3)
	h32, l32 := bits.Mul64(x3, y2)
	hi |= (h01 ^ h10 ^ h23 ^ h32) & m1
	lo |= (l01 ^ l10 ^ l23 ^ l32) & m1

	h02, l02 := bits.Mul64(x0, y2)
	h11, l11 := bits.Mul64(x1, y1)
	h20, l20 := bits.Mul64(x2, y0)
	h33, l33 := bits.Mul64(x3, y3)
	hi |= (h02 ^ h11 ^ h20 ^ h33) & m2
	lo |= (l02 ^ l11 ^ l20 ^ l33) & m2

	h03, l03 := bits.Mul64(x0, y3)
	h12, l12 := bits.Mul64(x1, y2)
	h21, l21 := bits.Mul64(x2, y1)
	h30, l30 := bits.Mul64(x3, y0)
	hi |= (h03 ^ h12 ^ h21 ^ h30) & m3
	lo |= (l03 ^ l12 ^ l21 ^ l30) & m3

	t0, t1, t2, t3 := -(x >> 60 & 1), -(x >> 61 & 1), -(x >> 62 & 1), -(x >> 63)
	hi ^= t0&(y>>4) ^ t1&(y>>3) ^ t2&(y>>2) ^ t3&(y>>1)
	lo ^= t0&(y<<60) ^ t1&(y<<61) ^ t2&(y<<62) ^ t3&(y<<63)
	return hi, lo
}

// reduce64 writes the sum modulo w^64 + w^4 + w^3 + w + 1.
func (s *product) reduce64(dst []byte) {
	hi, lo := s.low[0], s.low[1]
	lo ^= hi ^ hi<<1 ^ hi<<3 ^ hi<<4
	over := hi>>63 ^ hi>>61 ^ hi>>60 // what these shifts pushed out
	lo ^= over ^ over<<1 ^ over<<3 ^ over<<4
	binary.BigEndian.PutUint64(dst, lo)
}

// reduce128 writes the sum modulo w^128 + w^7 + w^2 + w + 1.
func (s *product) reduce128(dst []byte) {
	mid0 := s.mixed[1] ^ s.low[1] ^ s.high[1]
	mid1 := s.mixed[0] ^ s.low[0] ^ s.high[0]
	x0, x1, x2, x3 := s.low[1], s.low[0]^mid0, s.high[1]^mid1, s.high[0]

	x0 ^= x2 ^ x2<<1 ^ x2<<2 ^ x2<<7
	x1 ^= x3 ^ (x3<<1 | x2>>63) ^ (x3<<2 | x2>>62) ^ (x3<<7 | x2>>57)
	over := x3>>63 ^ x3>>62 ^ x3>>57
	x0 ^= over ^ over<<1 ^ over<<2 ^ over<<7
	binary.BigEndian.PutUint64(dst, x1)
	binary.BigEndian.PutUint64(dst[8:], x0)
}
