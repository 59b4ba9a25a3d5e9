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

// XOR returns s ^ t.
func (s State) XOR(t State) State {
	return State{s.v0 ^ t.v0, s.v1 ^ t.v1, s.v2 ^ t.v2, s.v3 ^ t.v3}
}

// Absorb returns pi(... pi(pi(s ^ m1) ^ m2) ...) for the whole blocks of m: all
// of a MAC but its last block.
func Absorb(s State, m []byte, rounds int) State {
	return absorbGeneric(s, State{}, m, rounds)
}

// Kernel is the permutation between two whitening keys, pi(x ^ in) ^ out, as a
// batch.Kernel and batch.Chain.
type Kernel struct {
	in, out State
	rounds  int
}

// NewKernel returns the Chaskey block cipher, the Even-Mansour cipher with a
// single key: E(x) = pi(x ^ K) ^ K. There is no key schedule.
func NewKernel(key []byte, rounds int) *Kernel {
	k := Load(key)
	return &Kernel{in: k, out: k, rounds: rounds}
}

// NewHutornyKernel returns the transformation that hutorny/chaskey chains in its
// CBC mode: F(x) = pi(x) ^ K with 8 rounds. Anyone can compute pi, so one known
// pair of input and output gives the key.
func NewHutornyKernel(key []byte) *Kernel {
	return &Kernel{out: Load(key), rounds: Rounds8}
}

// BlockSize returns the block size in bytes.
func (k *Kernel) BlockSize() int { return Size }

// EncryptBlocks encrypts whole blocks, each on its own.
func (k *Kernel) EncryptBlocks(dst, src []byte) { encryptBlocksGeneric(k, dst, src) }

// DecryptBlocks decrypts whole blocks, each on its own.
func (k *Kernel) DecryptBlocks(dst, src []byte) { decryptBlocksGeneric(k, dst, src) }

// Chain encrypts st ^ block into st for every block of src, and writes each st
// to dst unless that is nil.
func (k *Kernel) Chain(dst, src, st []byte) {
	// The state is kept without its output key, which then meets the input key
	// of the next call: for the block cipher they cancel.
	s, between := Load(st).XOR(k.out), k.in.XOR(k.out)
	if dst == nil {
		s = absorbGeneric(s, between, src, k.rounds)
	} else {
		s = chainGeneric(k, s, between, dst, src)
	}
	s.XOR(k.out).Store(st)
}
