package kuznyechik

import (
	"encoding/binary"
	"math/bits"
)

// The short path: one word for each bit of a byte, with the bits of equal weight of
// the 64 bytes of four blocks.

// planes are 64 bytes by their bits: bit b of each byte is in planes[b], at the same
// place of all eight. On the short path byte a_n of block k has the place 4n+k. The
// four places of an n are a slot.
type planes [8]uint64

// packed is one block by halves of its bytes: nibble n of lo is the lower half of
// a_n, nibble n of hi the upper half.
type packed struct{ lo, hi uint64 }

// load reads one to four blocks.
func (p *planes) load(src []byte, reverse bool) {
	*p = planes{}
	for k := range len(src) / BlockSize {
		b := pack(loadBlock(src[BlockSize*k:], reverse))
		p[k], p[4+k] = b.lo, b.hi
	}
	p.transpose()
}

// store writes as many blocks as fill dst.
func (p *planes) store(dst []byte, reverse bool) {
	p.transpose()
	for k := range len(dst) / BlockSize {
		hi, lo := packed{p[k], p[4+k]}.unpack()
		storeBlock(dst[BlockSize*k:], hi, lo, reverse)
	}
}

// transpose exchanges the number of a word, in each half of p, with that of a bit in
// its slot: bit b of word k with bit k of word b.
func (p *planes) transpose() {
	for i := 0; i < 8; i += 4 {
		a, b, c, d := p[i], p[i+1], p[i+2], p[i+3]
		a, c = exchange(a, c, 2, 0x3333333333333333)
		b, d = exchange(b, d, 2, 0x3333333333333333)
		a, b = exchange(a, b, 1, 0x5555555555555555)
		c, d = exchange(c, d, 1, 0x5555555555555555)
		p[i], p[i+1], p[i+2], p[i+3] = a, b, c, d
	}
}

// add is X[k].
func (p *planes) add(k *planes) {
	p[0], p[1], p[2], p[3] = p[0]^k[0], p[1]^k[1], p[2]^k[2], p[3]^k[3]
	p[4], p[5], p[6], p[7] = p[4]^k[4], p[5]^k[5], p[6]^k[6], p[7]^k[7]
}

// addPacked is X[c] on block 0. It leaves the other blocks undefined.
func (p *planes) addPacked(c packed) {
	for b := range 4 {
		p[b] ^= c.lo >> b
		p[4+b] ^= c.hi >> b
	}
}

// repeat sets p to four times block 0 of q.
func (p *planes) repeat(q *planes) {
	for b := range p {
		p[b] = q[b] & slots * 15
	}
}

// exchange swaps the bits of b under mask with those of a that lie n places higher.
func exchange(a, b uint64, n int, mask uint64) (uint64, uint64) {
	t := (a>>n ^ b) & mask
	return a ^ t<<n, b ^ t
}

// loadBlock returns a block as the numbers a_15 ... a_8 and a_7 ... a_0, of the block
// with its bytes in reverse order if reverse is set.
func loadBlock(src []byte, reverse bool) (hi, lo uint64) {
	hi, lo = binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:])
	if reverse {
		hi, lo = bits.ReverseBytes64(lo), bits.ReverseBytes64(hi)
	}
	return hi, lo
}

// storeBlock undoes loadBlock.
func storeBlock(dst []byte, hi, lo uint64, reverse bool) {
	if reverse {
		hi, lo = bits.ReverseBytes64(lo), bits.ReverseBytes64(hi)
	}
	binary.BigEndian.PutUint64(dst, hi)
	binary.BigEndian.PutUint64(dst[8:], lo)
}

func pack(hi, lo uint64) packed {
	return packed{
		lo: gather(lo) | gather(hi)<<32,
		hi: gather(lo>>4) | gather(hi>>4)<<32,
	}
}

func (k packed) unpack() (hi, lo uint64) {
	return scatter(k.lo>>32) | scatter(k.hi>>32)<<4, scatter(k.lo) | scatter(k.hi)<<4
}

// gather moves the lower halves of the bytes of v together.
func gather(v uint64) uint64 {
	v &= 0x0f0f0f0f0f0f0f0f
	v = (v | v>>4) & 0x00ff00ff00ff00ff
	v = (v | v>>8) & 0x0000ffff0000ffff
	return (v | v>>16) & 0x00000000ffffffff
}

// scatter undoes gather, from the lower half of v.
func scatter(v uint64) uint64 {
	v &= 0x00000000ffffffff
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	return (v | v<<4) & 0x0f0f0f0f0f0f0f0f
}
