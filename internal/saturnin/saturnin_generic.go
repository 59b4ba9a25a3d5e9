package saturnin

import (
	"encoding/binary"
	"math/bits"
)

// The state is a cube of 4 x 4 x 4 nibbles. Its rows 0 to 3, called A to D, are
// the registers r0-r3, r4-r7, r8-r11 and r12-r15: bit p of the four registers of
// a row is the nibble in column p. All steps treat A like C and B like D, so one
// block is eight words, with r_i in the low half and r_(i+8) in the high half.

type word interface{ uint32 | uint64 }

// quad holds the four bit planes of a row, or of the rows A and C or B and D.
type quad[W word] struct{ p0, p1, p2, p3 W }

func add[W word](x, y quad[W]) quad[W] {
	return quad[W]{x.p0 ^ y.p0, x.p1 ^ y.p1, x.p2 ^ y.p2, x.p3 ^ y.p3}
}

// sbox is the circuit that the two S-boxes have in common. Sigma0, for rows A
// and C, and sigma1, for rows B and D, order the planes of its result differently.
func sbox[W word](x quad[W]) quad[W] {
	a, b, c, d := x.p0, x.p1, x.p2, x.p3
	a ^= b & c
	b ^= a | d
	d ^= b | c
	c ^= b & d
	b ^= a | c
	a ^= b | d
	return quad[W]{a, b, c, d}
}

func unsbox[W word](x quad[W]) quad[W] {
	a, b, c, d := x.p0, x.p1, x.p2, x.p3
	a ^= b | d
	b ^= a | c
	c ^= b & d
	d ^= b | c
	b ^= a | d
	a ^= b & c
	return quad[W]{a, b, c, d}
}

func order0[W word](x quad[W]) quad[W]   { return quad[W]{x.p1, x.p2, x.p3, x.p0} }
func order1[W word](x quad[W]) quad[W]   { return quad[W]{x.p3, x.p1, x.p0, x.p2} }
func unorder0[W word](x quad[W]) quad[W] { return quad[W]{x.p3, x.p0, x.p1, x.p2} }
func unorder1[W word](x quad[W]) quad[W] { return quad[W]{x.p2, x.p1, x.p3, x.p0} }

// alpha is the multiplication that the MDS matrix is made of (section 2.1.2):
// (x0, x1, x2, x3) to (x1, x2, x3, x0 ^ x1).
func alpha[W word](x quad[W]) quad[W] {
	return quad[W]{x.p1, x.p2, x.p3, x.p0 ^ x.p1}
}

func unalpha[W word](x quad[W]) quad[W] {
	return quad[W]{x.p0 ^ x.p3, x.p0, x.p1, x.p2}
}

// block is one block, or a key.
type block struct{ ac, bd quad[uint32] }

func (x *block) load(b *[BlockSize]byte) {
	x.ac.p0, x.ac.p1 = halves(b[0:])
	x.ac.p2, x.ac.p3 = halves(b[4:])
	x.bd.p0, x.bd.p1 = halves(b[8:])
	x.bd.p2, x.bd.p3 = halves(b[12:])
}

func halves(b []byte) (even, odd uint32) {
	lo, hi := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[16:])
	return lo&0xffff | hi<<16, lo>>16 | hi&^0xffff
}

func (x *block) store(b *[BlockSize]byte) {
	putHalves(b[0:], x.ac.p0, x.ac.p1)
	putHalves(b[4:], x.ac.p2, x.ac.p3)
	putHalves(b[8:], x.bd.p0, x.bd.p1)
	putHalves(b[12:], x.bd.p2, x.bd.p3)
}

func putHalves(b []byte, even, odd uint32) {
	binary.LittleEndian.PutUint32(b, even&0xffff|odd<<16)
	binary.LittleEndian.PutUint32(b[16:], even>>16|odd&^0xffff)
}

// rotated returns K', every register of the key rotated left by 11 bits.
func (x *block) rotated() block { return block{rotate11(x.ac), rotate11(x.bd)} }

func rotate11(x quad[uint32]) quad[uint32] {
	return quad[uint32]{
		x.p0<<11&0xf800f800 | x.p0>>5&0x07ff07ff,
		x.p1<<11&0xf800f800 | x.p1>>5&0x07ff07ff,
		x.p2<<11&0xf800f800 | x.p2>>5&0x07ff07ff,
		x.p3<<11&0xf800f800 | x.p3>>5&0x07ff07ff,
	}
}

// swap exchanges the two rows.
func swap(x quad[uint32]) quad[uint32] {
	return quad[uint32]{
		bits.RotateLeft32(x.p0, 16),
		bits.RotateLeft32(x.p1, 16),
		bits.RotateLeft32(x.p2, 16),
		bits.RotateLeft32(x.p3, 16),
	}
}

// mds multiplies the columns with the MDS matrix.
func mds(ac, bd quad[uint32]) (_, _ quad[uint32]) {
	ac = add(ac, bd) // A ^= B, C ^= D
	bd = alpha(bd)
	bd = add(bd, swap(ac)) // B ^= C, D ^= A
	ac = alpha(alpha(ac))
	ac = add(ac, bd)
	bd = add(bd, swap(ac))
	return ac, bd
}

func unmds(ac, bd quad[uint32]) (_, _ quad[uint32]) {
	bd = add(bd, swap(ac))
	ac = add(ac, bd)
	ac = unalpha(unalpha(ac))
	bd = add(bd, swap(ac))
	bd = unalpha(bd)
	ac = add(ac, bd)
	return ac, bd
}

// In odd rounds SR rotates row y by y places, within each slice or each sheet of
// the cube, and is undone after the matrix. Seen from any row the next one is one
// place ahead, and A follows D. So the rows can stay where they are, if what is
// added to them is rotated by one place.

// addSlice adds y, rotated by one place within each slice, to x.
func addSlice(x, y quad[uint32]) quad[uint32] {
	return quad[uint32]{
		x.p0 ^ y.p0<<1&0xeeeeeeee ^ y.p0>>3&0x11111111,
		x.p1 ^ y.p1<<1&0xeeeeeeee ^ y.p1>>3&0x11111111,
		x.p2 ^ y.p2<<1&0xeeeeeeee ^ y.p2>>3&0x11111111,
		x.p3 ^ y.p3<<1&0xeeeeeeee ^ y.p3>>3&0x11111111,
	}
}

// addSliceSwap is addSlice with swap(y).
func addSliceSwap(x, y quad[uint32]) quad[uint32] {
	return quad[uint32]{
		x.p0 ^ bits.RotateLeft32(y.p0, 17)&0xeeeeeeee ^ bits.RotateLeft32(y.p0, 13)&0x11111111,
		x.p1 ^ bits.RotateLeft32(y.p1, 17)&0xeeeeeeee ^ bits.RotateLeft32(y.p1, 13)&0x11111111,
		x.p2 ^ bits.RotateLeft32(y.p2, 17)&0xeeeeeeee ^ bits.RotateLeft32(y.p2, 13)&0x11111111,
		x.p3 ^ bits.RotateLeft32(y.p3, 17)&0xeeeeeeee ^ bits.RotateLeft32(y.p3, 13)&0x11111111,
	}
}

// mdsSlice is SR_slice, the matrix, and SR_slice undone.
func mdsSlice(ac, bd quad[uint32]) (_, _ quad[uint32]) {
	ac = addSlice(ac, bd)
	bd = alpha(bd)
	bd = addSliceSwap(bd, ac)
	ac = alpha(alpha(ac))
	ac = addSlice(ac, bd)
	bd = addSliceSwap(bd, ac)
	return ac, bd
}

func unmdsSlice(ac, bd quad[uint32]) (_, _ quad[uint32]) {
	bd = addSliceSwap(bd, ac)
	ac = addSlice(ac, bd)
	ac = unalpha(unalpha(ac))
	bd = addSliceSwap(bd, ac)
	bd = unalpha(bd)
	ac = addSlice(ac, bd)
	return ac, bd
}

// sheet rotates the rows by one place within each sheet.
func sheet(x quad[uint32]) quad[uint32] {
	return quad[uint32]{
		x.p0<<4&0xfff0fff0 | x.p0>>12&0x000f000f,
		x.p1<<4&0xfff0fff0 | x.p1>>12&0x000f000f,
		x.p2<<4&0xfff0fff0 | x.p2>>12&0x000f000f,
		x.p3<<4&0xfff0fff0 | x.p3>>12&0x000f000f,
	}
}

func unsheet(x quad[uint32]) quad[uint32] {
	return quad[uint32]{
		x.p0<<12&0xf000f000 | x.p0>>4&0x0fff0fff,
		x.p1<<12&0xf000f000 | x.p1>>4&0x0fff0fff,
		x.p2<<12&0xf000f000 | x.p2>>4&0x0fff0fff,
		x.p3<<12&0xf000f000 | x.p3>>4&0x0fff0fff,
	}
}

// sheet2Swap is sheet(sheet(swap(x))).
func sheet2Swap(x quad[uint32]) quad[uint32] {
	return quad[uint32]{
		bits.ReverseBytes32(x.p0),
		bits.ReverseBytes32(x.p1),
		bits.ReverseBytes32(x.p2),
		bits.ReverseBytes32(x.p3),
	}
}

// mdsSheet is SR_sheet, the matrix, and SR_sheet undone. Here B and D do move by
// one place: that brings them in line with A and C, and puts A and C two places
// ahead of them, which costs nothing on top of the exchange of rows.
func mdsSheet(ac, bd quad[uint32]) (_, _ quad[uint32]) {
	bd = sheet(bd)
	ac = add(ac, bd)
	bd = alpha(bd)
	bd = add(bd, sheet2Swap(ac))
	ac = alpha(alpha(ac))
	ac = add(ac, bd)
	bd = add(bd, sheet2Swap(ac))
	return ac, unsheet(bd)
}

func unmdsSheet(ac, bd quad[uint32]) (_, _ quad[uint32]) {
	bd = sheet(bd)
	bd = add(bd, sheet2Swap(ac))
	ac = add(ac, bd)
	ac = unalpha(unalpha(ac))
	bd = add(bd, sheet2Swap(ac))
	bd = unalpha(bd)
	ac = add(ac, bd)
	return ac, unsheet(bd)
}

// encrypt encrypts x. k is the key and kr the rotated key.
func (dom *Domain) encrypt(x, k, kr *block) {
	ac, bd := add(x.ac, k.ac), add(x.bd, k.bd)
	for s, rc := range dom.rc[:dom.superRounds] {
		// Round 2s.
		ac, bd = mds(order0(sbox(ac)), order1(sbox(bd)))
		// Round 2s+1.
		ac, bd = order0(sbox(ac)), order1(sbox(bd))
		if s&1 == 0 {
			ac, bd = mdsSlice(ac, bd)
			ac, bd = add(ac, kr.ac), add(bd, kr.bd)
		} else {
			ac, bd = mdsSheet(ac, bd)
			ac, bd = add(ac, k.ac), add(bd, k.bd)
		}
		ac.p0 ^= rc // RC0 to r0, RC1 to r8
	}
	x.ac, x.bd = ac, bd
}

// decrypt is encrypt backwards.
func (dom *Domain) decrypt(x, k, kr *block) {
	ac, bd := x.ac, x.bd
	for s := dom.superRounds - 1; s >= 0; s-- {
		ac.p0 ^= dom.rc[s]
		if s&1 == 0 {
			ac, bd = unmdsSlice(add(ac, kr.ac), add(bd, kr.bd))
		} else {
			ac, bd = unmdsSheet(add(ac, k.ac), add(bd, k.bd))
		}
		ac, bd = unmds(unsbox(unorder0(ac)), unsbox(unorder1(bd)))
		ac, bd = unsbox(unorder0(ac)), unsbox(unorder1(bd))
	}
	x.ac, x.bd = add(ac, k.ac), add(bd, k.bd)
}

func (dom *Domain) cascadeGeneric(t *[KeySize]byte, data []byte) {
	var k, m block
	k.load(t)
	for ; len(data) > 0; data = data[BlockSize:] {
		m.load((*[BlockSize]byte)(data))
		x, kr := m, k.rotated()
		dom.encrypt(&x, &k, &kr)
		k = block{add(x.ac, m.ac), add(x.bd, m.bd)}
	}
	k.store(t)
}

func (dom *Domain) cascadeBoth(t *[KeySize]byte, data []byte, last *Domain, block *[BlockSize]byte) {
	dom.cascadeGeneric(t, data)
	if last != nil {
		last.cascadeGeneric(t, block[:])
	}
}
