package magma

import (
	"encoding/binary"
	"math/bits"
)

// The words and blocks of the standard are numbers, most significant byte first
// in memory. Section numbers are those of RFC 8891.

// A direction is the number to XOR to the index of a round, 0 to 31, to reach
// its key: section 5.2 decrypts with the round keys in reverse order.
type direction int

const (
	encrypt direction = 0
	decrypt direction = 31
)

// word returns which word of the key is used in round i (section 4.3): K_1 .. K_8
// three times, then K_8 .. K_1.
func (dir direction) word(i int) int {
	i ^= int(dir)
	if i >= 24 {
		i = ^i
	}
	return i & 7
}

// The boxes of section 4.1 in one word each: rotated left by 4*n, pi_i holds
// Pi'_i(n) in bits 4*i .. 4*i+3, its place in the result of t. A rotation takes
// the same time for all counts, unlike a look-up in memory.
const (
	pi0 = 0x462a5b9e8d703f1c
	pi1 = 0x239a5c1e47bd0f68
	pi2 = 0x82fade174c960b35
	pi3 = 0xd4f670a53e9bc821
	pi4 = 0x16d093eb42c7f5a8
	pi5 = 0xcab78143e05df692
	pi6 = 0xcf4b0da378e25691
	pi7 = 0x4fa69cb217ed0583
)

// nibbles splits a into its even and its odd nibbles, each as a rotation count
// in a byte of its own.
func nibbles(a uint32) (even, odd int) {
	return int(a << 2 & 0x3c3c3c3c), int(a >> 2 & 0x3c3c3c3c)
}

// t is the substitution of section 4.2.
func t(even, odd int) uint32 {
	return uint32(bits.RotateLeft64(pi0, even)&0xf |
		bits.RotateLeft64(pi1, odd)&0xf0 |
		bits.RotateLeft64(pi2, even>>8)&0xf00 |
		bits.RotateLeft64(pi3, odd>>8)&0xf000 |
		bits.RotateLeft64(pi4, even>>16)&0xf0000 |
		bits.RotateLeft64(pi5, odd>>16)&0xf00000 |
		bits.RotateLeft64(pi6, even>>24)&0xf000000 |
		bits.RotateLeft64(pi7, odd>>24)&0xf0000000)
}

// one encrypts or decrypts a block (sections 4.2, 5.1 and 5.2): 32 rounds
// G[k](a1, a0) = (a0, a1 ^ g[k](a0)), with g[k](a) = t(a + k) <<< 11.
func (k *keyWords) one(a uint64, dir direction) uint64 {
	a1, a0 := uint32(a>>32), uint32(a)
	for i := range 32 {
		rk := k[dir.word(i)]
		a1, a0 = a0, a1^bits.RotateLeft32(t(nibbles(a0+rk)), 11)
	}
	return uint64(a0)<<32 | uint64(a1) // G* does not swap
}

// two does the same to two blocks at once, which keeps the CPU busier.
func (k *keyWords) two(a, b uint64, dir direction) (uint64, uint64) {
	a1, a0 := uint32(a>>32), uint32(a)
	b1, b0 := uint32(b>>32), uint32(b)
	for i := range 32 {
		rk := k[dir.word(i)]
		a1, a0 = a0, a1^bits.RotateLeft32(t(nibbles(a0+rk)), 11)
		b1, b0 = b0, b1^bits.RotateLeft32(t(nibbles(b0+rk)), 11)
	}
	return uint64(a0)<<32 | uint64(a1), uint64(b0)<<32 | uint64(b1)
}

// slicedMin is the number of blocks from which on bit-slicing, whose cost is the
// same for 1 to 64 blocks, is faster than pairs of blocks.
const slicedMin = 12

// cryptGeneric encrypts or decrypts whole blocks.
func cryptGeneric(k *keyWords, dst, src []byte, dir direction) {
	if len(src) >= slicedMin*BlockSize {
		dst, src = cryptSliced(k, dst, src, dir)
	}
	for ; len(src) >= 2*BlockSize; dst, src = dst[16:], src[16:] {
		a, b := k.two(binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:]), dir)
		binary.BigEndian.PutUint64(dst, a)
		binary.BigEndian.PutUint64(dst[8:], b)
	}
	if len(src) > 0 {
		binary.BigEndian.PutUint64(dst, k.one(binary.BigEndian.Uint64(src), dir))
	}
}

// counter is a counter block of which some bits count.
type counter struct {
	block uint64
	field uint64 // ones where block counts
	shift int    // index of the lowest counting bit
	width int
}

func newCounter(ctr []byte, from, to int) counter {
	c := counter{block: binary.BigEndian.Uint64(ctr), shift: 64 - 8*to, width: 8 * (to - from)}
	c.field = (1<<c.width - 1) << c.shift
	return c
}

// next returns the block and adds n to it. The blocks of MGM are secret, so no
// carry decides a branch.
func (c *counter) next(n int) uint64 {
	block := c.block
	c.block = block&^c.field | (block+uint64(n)<<c.shift)&c.field
	return block
}

// counterGeneric XORs the encrypted counter blocks to src, see batch.Counter.
func counterGeneric(k *keyWords, dst, src, ctr []byte, from, to int) {
	if src == nil {
		clear(dst)
		src = dst
	}
	c := newCounter(ctr, from, to)
	if len(src) >= slicedMin*BlockSize {
		dst, src = counterSliced(k, dst, src, &c)
	}
	for ; len(src) >= 2*BlockSize; dst, src = dst[16:], src[16:] {
		a, b := k.two(c.next(1), c.next(1), encrypt)
		binary.BigEndian.PutUint64(dst, binary.BigEndian.Uint64(src)^a)
		binary.BigEndian.PutUint64(dst[8:], binary.BigEndian.Uint64(src[8:])^b)
	}
	if len(src) > 0 {
		binary.BigEndian.PutUint64(dst, binary.BigEndian.Uint64(src)^k.one(c.next(1), encrypt))
	}
	binary.BigEndian.PutUint64(ctr, c.block)
}

// chainGeneric encrypts serially, see batch.Chain.
func chainGeneric(k *keyWords, dst, src, st []byte) {
	state := binary.BigEndian.Uint64(st)
	for ; len(src) >= BlockSize; src = src[BlockSize:] {
		state = k.one(state^binary.BigEndian.Uint64(src), encrypt)
		if dst != nil {
			binary.BigEndian.PutUint64(dst, state)
			dst = dst[BlockSize:]
		}
	}
	binary.BigEndian.PutUint64(st, state)
}
