// Package chaskey is the Chaskey permutation and what stands on it: the block
// cipher of block/chaskey, the chain of mac/chaskey and the block transformation
// of hutorny/chaskey.
//
// Chaskey is by N. Mouha, B. Mennink, A. Van Herrewege, D. Watanabe, B. Preneel
// and I. Verbauwhede, "Chaskey: An Efficient MAC Algorithm for 32-bit
// Microcontrollers", SAC 2014; the 12-round form is in ISO/IEC 29192-6:2019.
package chaskey

import "encoding/binary"

// Size is the size in bytes of a block and of a key.
const Size = 16

// Rounds of the permutation.
const (
	Rounds8  = 8  // the paper
	Rounds12 = 12 // Chaskey-12
	Rounds16 = 16 // Chaskey-LTS
)

// State is a block as four words, the first bytes in v0. It is a struct because
// the compiler keeps a small struct in registers, and an array in memory.
type State struct{ v0, v1, v2, v3 uint32 }

// Load reads a block. Words are little-endian throughout.
func Load(b []byte) State {
	_ = b[Size-1]
	return State{
		binary.LittleEndian.Uint32(b[0:]),
		binary.LittleEndian.Uint32(b[4:]),
		binary.LittleEndian.Uint32(b[8:]),
		binary.LittleEndian.Uint32(b[12:]),
	}
}

// Store writes s to b.
func (s State) Store(b []byte) {
	_ = b[Size-1]
	binary.LittleEndian.PutUint32(b[0:], s.v0)
	binary.LittleEndian.PutUint32(b[4:], s.v1)
	binary.LittleEndian.PutUint32(b[8:], s.v2)
	binary.LittleEndian.PutUint32(b[12:], s.v3)
}

func (s State) words() [4]uint32 { return [4]uint32{s.v0, s.v1, s.v2, s.v3} }

// XOR returns s ^ t.
func (s State) XOR(t State) State {
	return State{s.v0 ^ t.v0, s.v1 ^ t.v1, s.v2 ^ t.v2, s.v3 ^ t.v3}
}

// OR returns s | t.
func (s State) OR(t State) State {
	return State{s.v0 | t.v0, s.v1 | t.v1, s.v2 | t.v2, s.v3 | t.v3}
}

// Absorb returns pi(... pi(pi(s ^ m1) ^ m2) ...) for the whole blocks of m: all
// of a MAC but its last block.
func Absorb(s State, m []byte, rounds int) State {
	if len(m) == Size { // most often, and quicker without more calls
		return s.XOR(Load(m)).Permute(rounds)
	}
	return absorb(s, State{}, m, rounds)
}

// Kernel is the permutation between two whitening keys, pi(x ^ in) ^ out, as a
// batch.Kernel with batch.Counter, batch.Chain and batch.CBCDecrypter.
type Kernel struct {
	in, out State
	rounds  int
	words   [12]uint32 // in, out and in ^ out, for assembly
}

func newKernel(in, out State, rounds int) *Kernel {
	k := &Kernel{in: in, out: out, rounds: rounds}
	for i, s := range []State{in, out, in.XOR(out)} {
		w := s.words()
		copy(k.words[4*i:], w[:])
	}
	return k
}

// NewKernel returns the Chaskey block cipher, the Even-Mansour cipher with a
// single key: E(x) = pi(x ^ K) ^ K. There is no key schedule.
func NewKernel(key []byte, rounds int) *Kernel {
	k := Load(key)
	return newKernel(k, k, rounds)
}

// NewHutornyKernel returns the transformation that hutorny/chaskey chains in its
// CBC mode: F(x) = pi(x) ^ K with 8 rounds. Anyone can compute pi, so one known
// pair of input and output gives the key.
func NewHutornyKernel(key []byte) *Kernel {
	return newKernel(State{}, Load(key), Rounds8)
}

// BlockSize returns the block size in bytes.
func (k *Kernel) BlockSize() int { return Size }

// EncryptBlocks encrypts whole blocks, each on its own.
func (k *Kernel) EncryptBlocks(dst, src []byte) { encryptBlocks(k, dst, src) }

// DecryptBlocks decrypts whole blocks, each on its own.
func (k *Kernel) DecryptBlocks(dst, src []byte) { decryptBlocks(k, dst, src) }

// XORCounter is counter mode, as batch.Counter describes it.
func (k *Kernel) XORCounter(dst, src, ctr []byte, from, to int) {
	if src == nil {
		clear(dst)
		src = dst
	}
	xorCounter(k, dst, src, ctr, from, to)
}

// Chain encrypts st ^ block into st for every block of src, and writes each st
// to dst unless that is nil.
func (k *Kernel) Chain(dst, src, st []byte) {
	// The state is kept without its output key, which then meets the input key
	// of the next call: for the block cipher they cancel.
	s, between := Load(st).XOR(k.out), k.in.XOR(k.out)
	if dst == nil {
		s = absorb(s, between, src, k.rounds)
	} else {
		s = chain(k, s, between, dst, src)
	}
	s.XOR(k.out).Store(st)
}

// DecryptCBC is CBC decryption, as batch.CBCDecrypter describes it.
func (k *Kernel) DecryptCBC(dst, src, st []byte) { decryptCBC(k, dst, src, st) }

// EncryptMAC is the inner loop of CLOC and SILC: for every block of src it sets
// st[:16] = E(c with the top bit of byte fix set), st[16:] = E(st[16:] ^ c), and
// c = src ^ st[:16], which is also written to dst.
func (k *Kernel) EncryptMAC(dst, src []byte, c *[Size]byte, st *[2 * Size]byte, fix int) {
	encryptMAC(k, dst, src, c, st, fix)
}
