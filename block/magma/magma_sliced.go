package magma

import (
	"encoding/binary"
	"math/bits"
)

// Bit-slicing: 64 blocks are turned into 64 planes, and bit b of plane j is bit j
// of block b. Each operation of a plane then works on one bit of all 64 blocks,
// and a rotation of words is only another numbering of planes.

// planes are 64 blocks or their planes: 0 to 31 of a0, 32 to 63 of a1.
type planes [64]uint64

// half is the planes of a0 or of a1.
type half [32]uint64

// slicedWord is a round key k in planes, each all ones or all zeros as the key is
// the same for all blocks: planes 0 to 31 of k, 32 to 63 of k ^ k >> 1.
type slicedWord [64]uint64

// slicedKey is K_1 .. K_8 in planes. It is made anew for each call: for 64 blocks
// that is a tenth of the work, and a key object stays small.
type slicedKey [8]slicedWord

func (s *slicedKey) expand(k *keyWords) {
	for i, w := range k {
		p := &s[i]
		for j := 0; j < 32; j += 4 {
			k0, k1, k2, k3, k4 := plane(w, 0), plane(w, 1), plane(w, 2), plane(w, 3), plane(w, 4)
			p[j], p[j+1], p[j+2], p[j+3] = k0, k1, k2, k3
			p[32+j], p[33+j], p[34+j], p[35+j] = k0^k1, k1^k2, k2^k3, k3^k4
			w >>= 4
		}
	}
}

// plane returns bit j of w in all bits.
func plane(w uint32, j int) uint64 { return -uint64(w >> j & 1) }

// add is one step of a + k mod 2^32: it takes bit j of both, the XOR kk of bits j
// and j+1 of k, and d = k ^ c with the carry c into bit j. It returns the bit of
// the sum, a ^ k ^ c = a ^ d, and the next d: the carry out of bit j is the
// majority of a, k and c, which is k ^ ((a ^ k) & (c ^ k)).
func add(a, k, kk, d uint64) (sum, next uint64) {
	return a ^ d, (a^k)&d ^ kk
}

// round is a1 ^= t(a0 + k) <<< 11, the change that G[k] makes.
func round(a1, a0 *half, k *slicedWord) {
	var x0, x1, x2, x3, y0, y1, y2, y3 uint64
	d := k[0]

	x0, d = add(a0[0], k[0], k[32], d)
	x1, d = add(a0[1], k[1], k[33], d)
	x2, d = add(a0[2], k[2], k[34], d)
	x3, d = add(a0[3], k[3], k[35], d)
	y0, y1, y2, y3 = box0(x0, x1, x2, x3)
	a1[11] ^= y0
	a1[12] ^= y1
	a1[13] ^= y2
	a1[14] ^= y3

	x0, d = add(a0[4], k[4], k[36], d)
	x1, d = add(a0[5], k[5], k[37], d)
	x2, d = add(a0[6], k[6], k[38], d)
	x3, d = add(a0[7], k[7], k[39], d)
	y0, y1, y2, y3 = box1(x0, x1, x2, x3)
	a1[15] ^= y0
	a1[16] ^= y1
	a1[17] ^= y2
	a1[18] ^= y3

	x0, d = add(a0[8], k[8], k[40], d)
	x1, d = add(a0[9], k[9], k[41], d)
	x2, d = add(a0[10], k[10], k[42], d)
	x3, d = add(a0[11], k[11], k[43], d)
	y0, y1, y2, y3 = box2(x0, x1, x2, x3)
	a1[19] ^= y0
	a1[20] ^= y1
	a1[21] ^= y2
	a1[22] ^= y3

	x0, d = add(a0[12], k[12], k[44], d)
	x1, d = add(a0[13], k[13], k[45], d)
	x2, d = add(a0[14], k[14], k[46], d)
	x3, d = add(a0[15], k[15], k[47], d)
	y0, y1, y2, y3 = box3(x0, x1, x2, x3)
	a1[23] ^= y0
	a1[24] ^= y1
	a1[25] ^= y2
	a1[26] ^= y3

	x0, d = add(a0[16], k[16], k[48], d)
	x1, d = add(a0[17], k[17], k[49], d)
	x2, d = add(a0[18], k[18], k[50], d)
	x3, d = add(a0[19], k[19], k[51], d)
	y0, y1, y2, y3 = box4(x0, x1, x2, x3)
	a1[27] ^= y0
	a1[28] ^= y1
	a1[29] ^= y2
	a1[30] ^= y3

	x0, d = add(a0[20], k[20], k[52], d)
	x1, d = add(a0[21], k[21], k[53], d)
	x2, d = add(a0[22], k[22], k[54], d)
	x3, d = add(a0[23], k[23], k[55], d)
	y0, y1, y2, y3 = box5(x0, x1, x2, x3)
	a1[31] ^= y0
	a1[0] ^= y1
	a1[1] ^= y2
	a1[2] ^= y3

	x0, d = add(a0[24], k[24], k[56], d)
	x1, d = add(a0[25], k[25], k[57], d)
	x2, d = add(a0[26], k[26], k[58], d)
	x3, d = add(a0[27], k[27], k[59], d)
	y0, y1, y2, y3 = box6(x0, x1, x2, x3)
	a1[3] ^= y0
	a1[4] ^= y1
	a1[5] ^= y2
	a1[6] ^= y3

	x0, d = add(a0[28], k[28], k[60], d)
	x1, d = add(a0[29], k[29], k[61], d)
	x2, d = add(a0[30], k[30], k[62], d)
	x3, _ = add(a0[31], k[31], k[63], d)
	y0, y1, y2, y3 = box7(x0, x1, x2, x3)
	a1[7] ^= y0
	a1[8] ^= y1
	a1[9] ^= y2
	a1[10] ^= y3
}

// rounds makes the 32 rounds of section 5.1 or 5.2. It makes them in pairs
// instead of exchanging the halves, and G* does not exchange them: so the result
// has a1 in the planes of a0 and a0 in those of a1.
func (p *planes) rounds(s *slicedKey, dir direction) {
	a0, a1 := (*half)(p[:32]), (*half)(p[32:])
	for i := 0; i < 32; i += 2 {
		round(a1, a0, &s[dir.word(i)])
		round(a0, a1, &s[dir.word(i+1)])
	}
}

// result returns block i after rounds and transpose.
func (p *planes) result(i int) uint64 { return bits.RotateLeft64(p[i], 32) }

// cryptSliced does the work of cryptGeneric and leaves a rest of less than
// slicedMin blocks. A last batch need not be full: what else is in the planes
// goes through the rounds with it and is not used.
func cryptSliced(k *keyWords, dst, src []byte, dir direction) (d, s []byte) {
	var key slicedKey
	key.expand(k)
	var p planes
	for len(src) >= slicedMin*BlockSize {
		n := min(len(src)/BlockSize, len(p))
		for i := range p[:n] {
			p[i] = binary.BigEndian.Uint64(src[8*i:])
		}
		p.transpose()
		p.rounds(&key, dir)
		p.transpose()
		for i := range p[:n] {
			binary.BigEndian.PutUint64(dst[8*i:], p.result(i))
		}
		dst, src = dst[8*n:], src[8*n:]
	}
	return dst, src
}

// counterSliced does the same for counterGeneric.
func counterSliced(k *keyWords, dst, src []byte, c *counter) (d, s []byte) {
	var key slicedKey
	key.expand(k)
	var p planes
	for len(src) >= slicedMin*BlockSize {
		n := min(len(src)/BlockSize, len(p))
		p.count(c)
		c.next(n)
		p.rounds(&key, encrypt)
		p.transpose()
		for i := range p[:n] {
			binary.BigEndian.PutUint64(dst[8*i:], binary.BigEndian.Uint64(src[8*i:])^p.result(i))
		}
		dst, src = dst[8*n:], src[8*n:]
	}
	return dst, src
}

// lanes are the planes of the numbers 0 to 63.
var lanes = [6]uint64{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// count makes the planes of 64 counter blocks: c in all blocks, and the number of
// the block added to its counting bits.
func (p *planes) count(c *counter) {
	for j := range p {
		p[j] = -(c.block >> j & 1)
	}
	var carry uint64
	for j := range c.width {
		var n uint64
		if j < len(lanes) {
			n = lanes[j]
		}
		b := &p[c.shift+j]
		*b, carry = *b^n^carry, *b&(n|carry)|n&carry
	}
}

// transpose makes planes of blocks and blocks of planes: it swaps bit j of word i
// with bit i of word j, first in squares of 32 by 32 bits, last of 1 by 1.
func (p *planes) transpose() {
	for i := range 8 {
		a0, a4 := swap(p[i], p[i+32], 32, 0x00000000ffffffff)
		a1, a5 := swap(p[i+8], p[i+40], 32, 0x00000000ffffffff)
		a2, a6 := swap(p[i+16], p[i+48], 32, 0x00000000ffffffff)
		a3, a7 := swap(p[i+24], p[i+56], 32, 0x00000000ffffffff)
		a0, a2 = swap(a0, a2, 16, 0x0000ffff0000ffff)
		a1, a3 = swap(a1, a3, 16, 0x0000ffff0000ffff)
		a4, a6 = swap(a4, a6, 16, 0x0000ffff0000ffff)
		a5, a7 = swap(a5, a7, 16, 0x0000ffff0000ffff)
		p[i], p[i+8] = swap(a0, a1, 8, 0x00ff00ff00ff00ff)
		p[i+16], p[i+24] = swap(a2, a3, 8, 0x00ff00ff00ff00ff)
		p[i+32], p[i+40] = swap(a4, a5, 8, 0x00ff00ff00ff00ff)
		p[i+48], p[i+56] = swap(a6, a7, 8, 0x00ff00ff00ff00ff)
	}
	for i := range 8 {
		q := (*[8]uint64)(p[8*i:])
		a0, a4 := swap(q[0], q[4], 4, 0x0f0f0f0f0f0f0f0f)
		a1, a5 := swap(q[1], q[5], 4, 0x0f0f0f0f0f0f0f0f)
		a2, a6 := swap(q[2], q[6], 4, 0x0f0f0f0f0f0f0f0f)
		a3, a7 := swap(q[3], q[7], 4, 0x0f0f0f0f0f0f0f0f)
		a0, a2 = swap(a0, a2, 2, 0x3333333333333333)
		a1, a3 = swap(a1, a3, 2, 0x3333333333333333)
		a4, a6 = swap(a4, a6, 2, 0x3333333333333333)
		a5, a7 = swap(a5, a7, 2, 0x3333333333333333)
		q[0], q[1] = swap(a0, a1, 1, 0x5555555555555555)
		q[2], q[3] = swap(a2, a3, 1, 0x5555555555555555)
		q[4], q[5] = swap(a4, a5, 1, 0x5555555555555555)
		q[6], q[7] = swap(a6, a7, 1, 0x5555555555555555)
	}
}

// swap exchanges the bits of b under mask with those of a that lie n places higher.
func swap(a, b uint64, n int, mask uint64) (uint64, uint64) {
	x := (a>>n ^ b) & mask
	return a ^ x<<n, b ^ x
}
