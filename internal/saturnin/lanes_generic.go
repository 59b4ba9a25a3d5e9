package saturnin

import (
	"crypto/subtle"
	"encoding/binary"

	"xcipher/internal/batch"
)

const lanesSize = 4 * BlockSize

// lanes is four blocks, or a key four times: the rows in their order, a register
// in each word, and a block in each 16-bit lane.
type lanes [4]quad[uint64]

// transpose turns words with a register in each lane into words with a block in
// each lane, and back.
func transpose(x quad[uint64]) quad[uint64] {
	const (
		low32 = 0x00000000ffffffff
		low16 = 0x0000ffff0000ffff
	)
	a, c := x.p0&low32|x.p2<<32, x.p0>>32|x.p2&^low32
	b, d := x.p1&low32|x.p3<<32, x.p1>>32|x.p3&^low32
	return quad[uint64]{
		a&low16 | b&low16<<16, a>>16&low16 | b&^low16,
		c&low16 | d&low16<<16, c>>16&low16 | d&^low16,
	}
}

func (x *lanes) load(b *[lanesSize]byte) {
	for i := range x {
		x[i] = transpose(quad[uint64]{
			binary.LittleEndian.Uint64(b[8*i:]),
			binary.LittleEndian.Uint64(b[8*i+BlockSize:]),
			binary.LittleEndian.Uint64(b[8*i+2*BlockSize:]),
			binary.LittleEndian.Uint64(b[8*i+3*BlockSize:]),
		})
	}
}

func (x *lanes) store(b *[lanesSize]byte) {
	for i := range x {
		q := transpose(x[i])
		binary.LittleEndian.PutUint64(b[8*i:], q.p0)
		binary.LittleEndian.PutUint64(b[8*i+BlockSize:], q.p1)
		binary.LittleEndian.PutUint64(b[8*i+2*BlockSize:], q.p2)
		binary.LittleEndian.PutUint64(b[8*i+3*BlockSize:], q.p3)
	}
}

// slice1, slice2 and slice3 rotate a row by 1, 2 or 3 places within each slice.
func slice1(x quad[uint64]) quad[uint64] {
	const wrap = 0x1111111111111111
	return quad[uint64]{
		x.p0<<1&^wrap | x.p0>>3&wrap,
		x.p1<<1&^wrap | x.p1>>3&wrap,
		x.p2<<1&^wrap | x.p2>>3&wrap,
		x.p3<<1&^wrap | x.p3>>3&wrap,
	}
}

func slice2(x quad[uint64]) quad[uint64] {
	const wrap = 0x3333333333333333
	return quad[uint64]{
		x.p0<<2&^wrap | x.p0>>2&wrap,
		x.p1<<2&^wrap | x.p1>>2&wrap,
		x.p2<<2&^wrap | x.p2>>2&wrap,
		x.p3<<2&^wrap | x.p3>>2&wrap,
	}
}

func slice3(x quad[uint64]) quad[uint64] {
	const wrap = 0x7777777777777777
	return quad[uint64]{
		x.p0<<3&^wrap | x.p0>>1&wrap,
		x.p1<<3&^wrap | x.p1>>1&wrap,
		x.p2<<3&^wrap | x.p2>>1&wrap,
		x.p3<<3&^wrap | x.p3>>1&wrap,
	}
}

// sheet1, sheet2 and sheet3 rotate a row by 1, 2 or 3 places within each sheet.
func sheet1(x quad[uint64]) quad[uint64] {
	const wrap = 0x000f000f000f000f
	return quad[uint64]{
		x.p0<<4&^wrap | x.p0>>12&wrap,
		x.p1<<4&^wrap | x.p1>>12&wrap,
		x.p2<<4&^wrap | x.p2>>12&wrap,
		x.p3<<4&^wrap | x.p3>>12&wrap,
	}
}

func sheet2(x quad[uint64]) quad[uint64] {
	const wrap = 0x00ff00ff00ff00ff
	return quad[uint64]{
		x.p0<<8&^wrap | x.p0>>8&wrap,
		x.p1<<8&^wrap | x.p1>>8&wrap,
		x.p2<<8&^wrap | x.p2>>8&wrap,
		x.p3<<8&^wrap | x.p3>>8&wrap,
	}
}

func sheet3(x quad[uint64]) quad[uint64] {
	const wrap = 0x0fff0fff0fff0fff
	return quad[uint64]{
		x.p0<<12&^wrap | x.p0>>4&wrap,
		x.p1<<12&^wrap | x.p1>>4&wrap,
		x.p2<<12&^wrap | x.p2>>4&wrap,
		x.p3<<12&^wrap | x.p3>>4&wrap,
	}
}

// encryptLanes is encrypt for four blocks. The matrix is written out: a function
// of sixteen words would get and return them through memory.
func (dom *Domain) encryptLanes(x, k, kr *lanes) {
	a, b, c, d := add(x[0], k[0]), add(x[1], k[1]), add(x[2], k[2]), add(x[3], k[3])
	for s, rc := range dom.rc[:dom.superRounds] {
		// Round 2s.
		a, b, c, d = order0(sbox(a)), order1(sbox(b)), order0(sbox(c)), order1(sbox(d))
		a, c = add(a, b), add(c, d)
		b, d = alpha(b), alpha(d)
		b, d = add(b, c), add(d, a)
		a, c = alpha(alpha(a)), alpha(alpha(c))
		a, c = add(a, b), add(c, d)
		b, d = add(b, c), add(d, a)
		// Round 2s+1.
		a, b, c, d = order0(sbox(a)), order1(sbox(b)), order0(sbox(c)), order1(sbox(d))
		if s&1 == 0 {
			b, c, d = slice1(b), slice2(c), slice3(d)
		} else {
			b, c, d = sheet1(b), sheet2(c), sheet3(d)
		}
		a, c = add(a, b), add(c, d)
		b, d = alpha(b), alpha(d)
		b, d = add(b, c), add(d, a)
		a, c = alpha(alpha(a)), alpha(alpha(c))
		a, c = add(a, b), add(c, d)
		b, d = add(b, c), add(d, a)
		rk := k
		if s&1 == 0 {
			b, c, d = slice3(b), slice2(c), slice1(d)
			rk = kr
		} else {
			b, c, d = sheet3(b), sheet2(c), sheet1(d)
		}
		a, b, c, d = add(a, rk[0]), add(b, rk[1]), add(c, rk[2]), add(d, rk[3])
		// RC0 to r0, RC1 to r8, of each block.
		a.p0 ^= uint64(rc&0xffff) * 0x0001000100010001
		c.p0 ^= uint64(rc>>16) * 0x0001000100010001
	}
	x[0], x[1], x[2], x[3] = a, b, c, d
}

// decryptLanes is encryptLanes backwards.
func (dom *Domain) decryptLanes(x, k, kr *lanes) {
	a, b, c, d := x[0], x[1], x[2], x[3]
	for s := dom.superRounds - 1; s >= 0; s-- {
		a.p0 ^= uint64(dom.rc[s]&0xffff) * 0x0001000100010001
		c.p0 ^= uint64(dom.rc[s]>>16) * 0x0001000100010001
		if s&1 == 0 {
			a, b, c, d = add(a, kr[0]), add(b, kr[1]), add(c, kr[2]), add(d, kr[3])
			a, b, c, d = unmdsLanes(a, slice1(b), slice2(c), slice3(d))
			b, c, d = slice3(b), slice2(c), slice1(d)
		} else {
			a, b, c, d = add(a, k[0]), add(b, k[1]), add(c, k[2]), add(d, k[3])
			a, b, c, d = unmdsLanes(a, sheet1(b), sheet2(c), sheet3(d))
			b, c, d = sheet3(b), sheet2(c), sheet1(d)
		}
		a, b, c, d = unsbox(unorder0(a)), unsbox(unorder1(b)), unsbox(unorder0(c)), unsbox(unorder1(d))
		a, b, c, d = unmdsLanes(a, b, c, d)
		a, b, c, d = unsbox(unorder0(a)), unsbox(unorder1(b)), unsbox(unorder0(c)), unsbox(unorder1(d))
	}
	x[0], x[1], x[2], x[3] = add(a, k[0]), add(b, k[1]), add(c, k[2]), add(d, k[3])
}

func unmdsLanes(a, b, c, d quad[uint64]) (_, _, _, _ quad[uint64]) {
	b, d = add(b, c), add(d, a)
	a, c = add(a, b), add(c, d)
	a, c = unalpha(unalpha(a)), unalpha(unalpha(c))
	b, d = add(b, c), add(d, a)
	b, d = unalpha(b), unalpha(d)
	a, c = add(a, b), add(c, d)
	return a, b, c, d
}

func (c *Cipher) expandGeneric(key *[KeySize]byte) {
	c.one[0].load(key)
	c.one[1] = c.one[0].rotated()
	for i := range c.one {
		var b [lanesSize]byte
		c.one[i].store((*[BlockSize]byte)(b[:]))
		copy(b[BlockSize:], b[:BlockSize])
		copy(b[2*BlockSize:], b[:2*BlockSize])
		c.four[i].load(&b)
	}
}

func (c *Cipher) encryptGeneric(dst, src []byte) {
	for len(src) > 2*BlockSize { // three blocks cost more one by one than four at a time
		var x lanes
		var b [lanesSize]byte
		n := copy(b[:], src)
		x.load(&b)
		c.domain.encryptLanes(&x, &c.four[0], &c.four[1])
		x.store(&b)
		dst, src = dst[copy(dst, b[:n]):], src[n:]
	}
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		var x block
		x.load((*[BlockSize]byte)(src))
		c.domain.encrypt(&x, &c.one[0], &c.one[1])
		x.store((*[BlockSize]byte)(dst))
	}
}

func (c *Cipher) decryptGeneric(dst, src []byte) {
	for len(src) > 2*BlockSize {
		var x lanes
		var b [lanesSize]byte
		n := copy(b[:], src)
		x.load(&b)
		c.domain.decryptLanes(&x, &c.four[0], &c.four[1])
		x.store(&b)
		dst, src = dst[copy(dst, b[:n]):], src[n:]
	}
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		var x block
		x.load((*[BlockSize]byte)(src))
		c.domain.decrypt(&x, &c.one[0], &c.one[1])
		x.store((*[BlockSize]byte)(dst))
	}
}

func (c *Cipher) xorCounterGeneric(dst, src, ctr []byte, from, to int) {
	var buf [lanesSize]byte
	for len(dst) > 0 {
		ks := buf[:min(lanesSize, len(dst))]
		for b := ks; len(b) > 0; b = b[BlockSize:] {
			copy(b, ctr)
			batch.Increment(ctr[from:to])
		}
		c.encryptGeneric(ks, ks)
		if src != nil {
			subtle.XORBytes(ks, ks, src)
			src = src[len(ks):]
		}
		dst = dst[copy(dst, ks):]
	}
}
