package chaskey

import (
	"crypto/subtle"
	"math/bits"

	"xcipher/internal/batch"
)

// round is one round of pi: additions, rotations and exclusive ors in two columns,
// which change partners half-way. There are no round constants, so pi(0) = 0.
func round(v0, v1, v2, v3 uint32) (uint32, uint32, uint32, uint32) {
	v0 += v1
	v2 += v3
	v1 = bits.RotateLeft32(v1, 5) ^ v0
	v3 = bits.RotateLeft32(v3, 8) ^ v2
	v0 = bits.RotateLeft32(v0, 16)

	v0 += v3
	v2 += v1
	v3 = bits.RotateLeft32(v3, 13) ^ v0
	v1 = bits.RotateLeft32(v1, 7) ^ v2
	v2 = bits.RotateLeft32(v2, 16)
	return v0, v1, v2, v3
}

// unround is the inverse of round, step by step from its end.
func unround(v0, v1, v2, v3 uint32) (uint32, uint32, uint32, uint32) {
	v2 = bits.RotateLeft32(v2, -16)
	v1 = bits.RotateLeft32(v1^v2, -7)
	v3 = bits.RotateLeft32(v3^v0, -13)
	v2 -= v1
	v0 -= v3

	v0 = bits.RotateLeft32(v0, -16)
	v3 = bits.RotateLeft32(v3^v2, -8)
	v1 = bits.RotateLeft32(v1^v0, -5)
	v2 -= v3
	v0 -= v1
	return v0, v1, v2, v3
}

// Permute returns pi(s).
func (s State) Permute(rounds int) State {
	v0, v1, v2, v3 := s.v0, s.v1, s.v2, s.v3
	for range rounds {
		v0, v1, v2, v3 = round(v0, v1, v2, v3)
	}
	return State{v0, v1, v2, v3}
}

// Invert returns the state whose permutation is s.
func (s State) Invert(rounds int) State {
	v0, v1, v2, v3 := s.v0, s.v1, s.v2, s.v3
	for range rounds {
		v0, v1, v2, v3 = unround(v0, v1, v2, v3)
	}
	return State{v0, v1, v2, v3}
}

// Double returns 2s in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, the paper's
// TimesTwo, which makes the subkeys of the MAC. The block is one little-endian
// integer; CMAC reads it the other way round.
func (s State) Double() State {
	carry := -(s.v3 >> 31) // all ones if the top bit is shifted out
	return State{
		s.v0<<1 ^ carry&0x87,
		s.v1<<1 | s.v0>>31,
		s.v2<<1 | s.v1>>31,
		s.v3<<1 | s.v2>>31,
	}
}

func encryptBlocksGeneric(k *Kernel, dst, src []byte) {
	for len(src) >= Size && len(dst) >= Size {
		Load(src).XOR(k.in).Permute(k.rounds).XOR(k.out).Store(dst)
		dst, src = dst[Size:], src[Size:]
	}
}

func decryptBlocksGeneric(k *Kernel, dst, src []byte) {
	for len(src) >= Size && len(dst) >= Size {
		Load(src).XOR(k.out).Invert(k.rounds).XOR(k.in).Store(dst)
		dst, src = dst[Size:], src[Size:]
	}
}

// xorCounterGeneric makes the counter blocks in pieces, and encrypts them by what
// there is for many blocks.
func xorCounterGeneric(k *Kernel, dst, src, ctr []byte, from, to int) {
	var buf [16 * Size]byte
	for len(src) > 0 {
		stream := buf[:min(len(src), len(buf))]
		batch.Fill(stream, ctr, from, to)
		encryptBlocks(k, stream, stream)
		n := subtle.XORBytes(dst, src, stream)
		dst, src = dst[n:], src[n:]
	}
}

// absorbGeneric returns s after s = pi(s ^ w ^ block) for every block of m.
func absorbGeneric(s, w State, m []byte, rounds int) State {
	for len(m) >= Size {
		s = s.XOR(Load(m).XOR(w)).Permute(rounds)
		m = m[Size:]
	}
	return s
}

// chainGeneric is absorbGeneric that also writes each s ^ k.out.
func chainGeneric(k *Kernel, s, w State, dst, src []byte) State {
	for len(src) >= Size && len(dst) >= Size {
		s = s.XOR(Load(src).XOR(w)).Permute(k.rounds)
		s.XOR(k.out).Store(dst)
		dst, src = dst[Size:], src[Size:]
	}
	return s
}

// encryptMACGeneric makes the two calls of a block side by side: neither waits for
// the other.
func encryptMACGeneric(k *Kernel, dst, src []byte, c *[Size]byte, st *[2 * Size]byte, fix int) {
	if len(src) < Size {
		return
	}
	var top [Size]byte
	top[fix] = 0x80
	bit := Load(top[:])
	x, s, t := Load(c[:]), State{}, Load(st[Size:])
	for len(src) >= Size && len(dst) >= Size {
		s = x.OR(bit).XOR(k.in).Permute(k.rounds).XOR(k.out)
		t = t.XOR(x).XOR(k.in).Permute(k.rounds).XOR(k.out)
		x = Load(src).XOR(s)
		x.Store(dst)
		dst, src = dst[Size:], src[Size:]
	}
	x.Store(c[:])
	s.Store(st[:])
	t.Store(st[Size:])
}

// decryptCBCGeneric decrypts blocks, and XORs to each what was encrypted before it.
func decryptCBCGeneric(k *Kernel, dst, src, st []byte) {
	before := Load(st)
	for len(src) >= Size && len(dst) >= Size {
		c := Load(src)
		c.XOR(k.out).Invert(k.rounds).XOR(k.in).XOR(before).Store(dst)
		before = c
		dst, src = dst[Size:], src[Size:]
	}
	before.Store(st)
}
