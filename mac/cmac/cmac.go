// Package cmac implements CMAC (NIST SP 800-38B, RFC 4493, also called OMAC1)
// over any cipher.Block of 64 or 128 bits. Over Magma and Kuznyechik it is the
// MAC ("imitovstavka") of GOST R 34.13-2015 section 5.6.
//
// A MAC is a hash.Hash: Write the message, then Sum. To verify a tag compare it
// with crypto/hmac.Equal or crypto/subtle.ConstantTimeCompare, never with ==.
//
// One key must authenticate far fewer than 2^(n/2) blocks in all, n being the
// block size in bits: SP 800-38B asks for at most 2^48 messages with 128-bit
// blocks and 2^21 with 64-bit ones. Over the ciphers of this module it runs in
// constant time; over another one, as that cipher does.
package cmac

import (
	"crypto/cipher"
	"crypto/subtle"
	"hash"
	"strconv"

	"xcipher/internal/absorb"
	"xcipher/internal/batch"
)

// TagSizeError is returned for a tag size, in bytes, that the block cannot give.
type TagSizeError int

func (n TagSizeError) Error() string {
	return "cmac: invalid tag size " + strconv.Itoa(int(n)) + ", must be 1 to the block size"
}

// BlockSizeError is returned for a block size, in bytes, that CMAC is not defined for.
type BlockSizeError int

func (n BlockSizeError) Error() string {
	return "cmac: unsupported block size " + strconv.Itoa(int(n)) + ", must be 8 or 16"
}

// New returns a CMAC over b with a tag as long as the block. The block must be
// of 8 or 16 bytes. The hash can be cloned (hash.Cloner), but its state, which
// holds key material, cannot be marshalled.
func New(b cipher.Block) (hash.Hash, error) { return NewWithTagSize(b, b.BlockSize()) }

// NewWithTagSize is New with the tag cut to its first n bytes, 1 to the block
// size. GOST R 34.13-2015 allows all of them; below 8 bytes limit the number of
// failed verifications under one key, below 4 do not use it.
func NewWithTagSize(b cipher.Block, n int) (hash.Hash, error) {
	k := batch.Of(b)
	size := k.BlockSize()
	if size != 8 && size != 16 {
		return nil, BlockSizeError(size)
	}
	if n < 1 || n > size {
		return nil, TagSizeError(n)
	}
	m := &mac{k: k, chain: batch.ChainOf(k), size: size, tag: n}
	m.subkeys()
	return m, nil
}

const maxBlock = 16

type mac struct {
	k      batch.Kernel
	chain  batch.Chain
	size   int // of a block, in bytes
	tag    int // of the tag, in bytes
	k1, k2 [maxBlock]byte
	state  [maxBlock]byte
	last   [maxBlock]byte // work space of Sum: a local would be allocated
	in     absorb.Buf
}

// subkeys derives K1 and K2 (SP 800-38B section 6.1).
func (m *mac) subkeys() {
	l := m.last[:m.size]
	m.k.EncryptBlocks(l, m.state[:m.size])
	double(m.k1[:m.size], l)
	double(m.k2[:m.size], m.k1[:m.size])
	clear(l)
}

// double multiplies by x in GF(2^n), the first bit of the first byte being the
// highest power: a shift to the left, and the polynomial's low part if a bit
// falls out. That bit is secret, hence the mask.
func double(dst, src []byte) {
	poly := byte(0x87) // x^128 + x^7 + x^2 + x + 1
	if len(src) == 8 {
		poly = 0x1b // x^64 + x^4 + x^3 + x + 1
	}
	out := -(src[0] >> 7)
	for i := 0; i < len(src)-1; i++ {
		dst[i] = src[i]<<1 | src[i+1]>>7
	}
	dst[len(src)-1] = src[len(src)-1]<<1 ^ out&poly
}

func (m *mac) Size() int      { return m.tag }
func (m *mac) BlockSize() int { return m.size }

func (m *mac) Reset() {
	m.state = [maxBlock]byte{}
	m.in = absorb.Buf{}
}

func (m *mac) Write(p []byte) (int, error) {
	n := len(p)
	for run, p := m.in.Next(p, m.size, 1); run != nil; run, p = m.in.Next(p, m.size, 1) {
		m.chain.Chain(nil, run, m.state[:m.size])
	}
	return n, nil
}

// Sum appends the tag of what was written so far (SP 800-38B section 6.2, steps
// 2 to 7: the last block takes K1 if it is full, else a one bit, zeros, and K2).
func (m *mac) Sum(b []byte) []byte {
	last, tail := m.last[:m.size], m.in.Tail()
	k := &m.k1
	clear(last)
	if copy(last, tail) < m.size {
		last[len(tail)] = 0x80
		k = &m.k2
	}
	subtle.XORBytes(last, last, k[:])
	subtle.XORBytes(last, last, m.state[:])
	m.k.EncryptBlocks(last, last)
	return append(b, last[:m.tag]...)
}

// Clone returns a copy that goes on independently.
func (m *mac) Clone() (hash.Cloner, error) {
	c := *m
	return &c, nil
}
