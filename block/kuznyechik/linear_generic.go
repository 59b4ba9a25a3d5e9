package kuznyechik

import "math/bits"

// L on the short path, as algebra.
//
// Call the sixteen bytes of a block A, those of L's result B, and read them as
// polynomials in x over GF(2^8): a_n, and the byte that takes its place, is the
// coefficient of x^n. R appends a byte, a_16 = l(a_15, ..., a_0) = c_0 a_0 + ... +
// c_15 a_15 with the coefficients of section 4.2
//
//	1 148 32 133 16 194 192 1 251 1 192 194 16 133 32 148
//
// and L is R sixteen times (section 4.3), so that A + x^16 B lists all bytes in
// order. With c_16 = 1 the coefficients read the same from both ends, so
// each byte is l of the sixteen after it too: backwards, L^-1 is the same map.
// And in the product of A + x^16 B and c(x) = c_0 + c_1 x + ... + c_16 x^16 the
// coefficients of x^16 to x^31 are zero, which gives B in two steps:
//
//	H = A + the coefficients from x^16 on of (c_1 x + ... + c_15 x^15) A
//	B = H / c mod x^16
//
// In a plane x^n is slot n, and x a shift by 4.

// slots has bit 0 of every slot.
const slots = 0x1111111111111111

// upperFactor has sums of the planes of c_1 x + ... + c_15 x^15: those of planes 0, 1,
// 0+1, 2, 3, 2+3, 0+2, 1+3, 0+1+2+3, then the same of planes 4 to 7, then the same of
// the sums of planes n and n+4.
var upperFactor = [27]uint64{
	0x0010001110001000, 0x0000100100100000, 0x0010101010101000,
	0x1010000000001010, 0x0000000100000000, 0x1010000100001010,
	0x1000001110000010, 0x0000100000100000, 0x1000101110100010,
	0x1001000100010010, 0x0100000100000100, 0x1101000000010110,
	0x0000110101100000, 0x1010110101101010, 0x1010000000001010,
	0x1001110001110010, 0x1110110001101110, 0x0111000000011100,
	0x1011001010011010, 0x0100100000100100, 0x1111101010111110,
	0x1010110101101010, 0x1010110001101010, 0x0000000100000000,
	0x0001111111110000, 0x1110010001001110, 0x1111101110111110,
}

// lowerFactor has the same sums of the planes of 1 / c mod x^16.
var lowerFactor = [27]uint64{
	0x0000000011101001, 0x1111001001000000, 0x1111001010101001,
	0x1010100011101110, 0x1000111110101000, 0x0010011101000110,
	0x1010100000000111, 0x0111110111101000, 0x1101010111101111,
	0x0011001110111010, 0x1111101101100000, 0x1100100011011010,
	0x1011111010001000, 0x0100000100101110, 0x1111111110100110,
	0x1000110100110010, 0x1011101001001110, 0x0011011101111100,
	0x0011001101010011, 0x0000100100100000, 0x0011101001110011,
	0x0001011001100110, 0x1100111010000110, 0x1101100011100000,
	0x0010010100110101, 0x1100011110100110, 0x1110001010010011,
}

// linear is L on the first blocks.
func (p *planes) linear(blocks int) {
	if blocks == 1 {
		p.linearOne()
	} else {
		p.linearFour()
	}
}

// linearOne is L on block 0, by products. If two planes have bits 0 of slots only,
// then so has, in the bits 0, their product as polynomials over GF(2), and it is
// read off the product of the two words as integers: a slot has room for a sum of
// fifteen ones, and the lowest bit of the sum is what counts. There are sixteen
// only for x^15 in the second step, and there they carry out of the word.
//
// In a product over GF(2^8) each plane of one factor meets each plane of the
// other, 64 products. Karatsuba's method, three times, makes it 27, of sums of
// planes: x03 is the sum of planes 0 and 1 (those whose bits are set in 03),
// z03 its product with the same sum of the constant factor's planes. A name like
// t3c stands for a sum of what goes into the planes 2, 3, 4 and 5 of the result.
// Which of them to form in which order was found by a search.
func (p *planes) linearOne() {
	x0, x1, x2, x3 := p[0]&slots, p[1]&slots, p[2]&slots, p[3]&slots
	x4, x5, x6, x7 := p[4]&slots, p[5]&slots, p[6]&slots, p[7]&slots

	// H = A + the upper half of (c_1 x + ... + c_15 x^15) A.
	c := &upperFactor
	z04, _ := bits.Mul64(x2, c[3])
	x50 := x4 ^ x6
	z50, _ := bits.Mul64(x50, c[15])
	x11 := x0 ^ x4
	z11, _ := bits.Mul64(x11, c[18])
	z02, _ := bits.Mul64(x1, c[1])
	z08, _ := bits.Mul64(x3, c[4])
	x44 := x2 ^ x6
	z44, _ := bits.Mul64(x44, c[21])
	z20, _ := bits.Mul64(x5, c[10])
	z80, _ := bits.Mul64(x7, c[13])
	t3d := z50 ^ z02
	x0a := x1 ^ x3
	z0a, _ := bits.Mul64(x0a, c[7])
	tf4 := z11 ^ z08
	xa0 := x5 ^ x7
	za0, _ := bits.Mul64(xa0, c[16])
	t3c := z04 ^ t3d ^ tf4
	t46 := z04 ^ z44
	x30 := x4 ^ x5
	xc0 := x6 ^ x7
	xf0 := x30 ^ xc0
	zf0, _ := bits.Mul64(xf0, c[17])
	t56 := t46 ^ z20
	xaa := x0a ^ xa0
	zaa, _ := bits.Mul64(xaa, c[25])
	z01, _ := bits.Mul64(x0, c[0])
	x0c := x2 ^ x3
	z0c, _ := bits.Mul64(x0c, c[5])
	tf9 := t3c ^ za0
	xcc := x0c ^ xc0
	zcc, _ := bits.Mul64(xcc, c[23])
	t57 := t56 ^ zf0
	z10, _ := bits.Mul64(x4, c[9])
	z40, _ := bits.Mul64(x6, c[12])
	t53 := z80 ^ z0a ^ tf9 ^ zaa ^ t57
	x05 := x0 ^ x2
	z05, _ := bits.Mul64(x05, c[6])
	tff := z01 ^ t53
	x03 := x0 ^ x1
	z03, _ := bits.Mul64(x03, c[2])
	tc5 := t3c ^ zcc
	z30, _ := bits.Mul64(x30, c[11])
	tcd := z0c ^ tff ^ tc5
	zc0, _ := bits.Mul64(xc0, c[14])
	tac := t53 ^ z40
	x22 := x1 ^ x5
	z22, _ := bits.Mul64(x22, c[19])
	tcc := tcd ^ z05
	x88 := x3 ^ x7
	z88, _ := bits.Mul64(x88, c[22])
	taa := tf9 ^ z03
	x0f := x03 ^ x0c
	z0f, _ := bits.Mul64(x0f, c[8])
	t32 := tff ^ z30
	x33 := x03 ^ x30
	z33, _ := bits.Mul64(x33, c[20])
	tc8 := tf4 ^ z80 ^ zc0
	h4 := x4 ^ (t46^zaa^t32)&slots
	x55 := x05 ^ x50
	z55, _ := bits.Mul64(x55, c[24])
	t23 := z10 ^ z22
	xff := x0f ^ xf0
	zff, _ := bits.Mul64(xff, c[26])
	t22 := taa ^ t32 ^ t23
	t8c := tac ^ tcc ^ z88
	h1 := x1 ^ (t22)&slots
	h0 := x0 ^ (t3d^t56^tcd^t23)&slots
	h2 := x2 ^ (z11^t57^t8c)&slots
	ta0 := z50 ^ z33
	t88 := taa ^ tc8 ^ t8c ^ z0f
	h6 := x6 ^ (tcc^tc8^z55)&slots
	h5 := x5 ^ (z0c^tac^t22^ta0)&slots
	h3 := x3 ^ (z0a^z10^tc5^t88)&slots
	h7 := x7 ^ (t88^ta0^z55^zff)&slots

	// H / c mod x^16.
	c = &lowerFactor
	w04 := h2 * c[3]
	h50 := h4 ^ h6
	w50 := h50 * c[15]
	h11 := h0 ^ h4
	w11 := h11 * c[18]
	w02 := h1 * c[1]
	w08 := h3 * c[4]
	h44 := h2 ^ h6
	w44 := h44 * c[21]
	w20 := h5 * c[10]
	w80 := h7 * c[13]
	u3d := w50 ^ w02
	h0a := h1 ^ h3
	w0a := h0a * c[7]
	uf4 := w11 ^ w08
	ha0 := h5 ^ h7
	wa0 := ha0 * c[16]
	u3c := w04 ^ u3d ^ uf4
	u46 := w04 ^ w44
	h30 := h4 ^ h5
	hc0 := h6 ^ h7
	hf0 := h30 ^ hc0
	wf0 := hf0 * c[17]
	u56 := u46 ^ w20
	haa := h0a ^ ha0
	waa := haa * c[25]
	w01 := h0 * c[0]
	h0c := h2 ^ h3
	w0c := h0c * c[5]
	uf9 := u3c ^ wa0
	hcc := h0c ^ hc0
	wcc := hcc * c[23]
	u57 := u56 ^ wf0
	w10 := h4 * c[9]
	w40 := h6 * c[12]
	u53 := w80 ^ w0a ^ uf9 ^ waa ^ u57
	h05 := h0 ^ h2
	w05 := h05 * c[6]
	uff := w01 ^ u53
	h03 := h0 ^ h1
	w03 := h03 * c[2]
	uc5 := u3c ^ wcc
	w30 := h30 * c[11]
	ucd := w0c ^ uff ^ uc5
	wc0 := hc0 * c[14]
	uac := u53 ^ w40
	h22 := h1 ^ h5
	w22 := h22 * c[19]
	ucc := ucd ^ w05
	h88 := h3 ^ h7
	w88 := h88 * c[22]
	uaa := uf9 ^ w03
	h0f := h03 ^ h0c
	w0f := h0f * c[8]
	u32 := uff ^ w30
	h33 := h03 ^ h30
	w33 := h33 * c[20]
	uc8 := uf4 ^ w80 ^ wc0
	p[4] = (u46 ^ waa ^ u32) & slots
	h55 := h05 ^ h50
	w55 := h55 * c[24]
	u23 := w10 ^ w22
	hff := h0f ^ hf0
	wff := hff * c[26]
	u22 := uaa ^ u32 ^ u23
	u8c := uac ^ ucc ^ w88
	p[1] = (u22) & slots
	p[0] = (u3d ^ u56 ^ ucd ^ u23) & slots
	p[2] = (w11 ^ u57 ^ u8c) & slots
	ua0 := w50 ^ w33
	u88 := uaa ^ uc8 ^ u8c ^ w0f
	p[6] = (ucc ^ uc8 ^ w55) & slots
	p[5] = (w0c ^ uac ^ u22 ^ ua0) & slots
	p[3] = (w0a ^ w10 ^ uc5 ^ u88) & slots
	p[7] = (u88 ^ ua0 ^ w55 ^ wff) & slots
}

// linearFour is L on four blocks, by shifts. The planes of a multiple of A are sums
// of planes of A, which are taken from two tables: all sums of planes 0 to 3, and all
// of planes 4 to 7. Each plane of the result needs sixteen multiples, those by the
// coefficients 0, 4, 8 and 12 in the first line, by 1, 5, 9 and 13 in the second.
func (p *planes) linearFour() {
	var l, h [16]uint64
	sums(&l, p[0], p[1], p[2], p[3])
	sums(&h, p[4], p[5], p[6], p[7])
	// H = c_0 A + c_1 (A / x) + ... + c_15 (A / x^15), without remainders.
	p[0] = down4(
		down16(l[1], h[11], l[3]^h[5], h[11]),
		down16(l[6]^h[12], l[10]^h[5], l[1], l[7]^h[7]),
		down16(l[8]^h[13], l[10]^h[13], l[10]^h[13], l[8]^h[13]),
		down16(l[7]^h[7], l[1], l[10]^h[5], l[6]^h[12]))
	p[1] = down4(
		down16(l[2], h[13], l[5]^h[15], h[13]),
		down16(l[10]^h[4], l[15]^h[14], l[2], l[8]^h[9]),
		down16(l[8]^h[6], l[14]^h[6], l[14]^h[6], l[8]^h[6]),
		down16(l[8]^h[9], l[2], l[15]^h[14], l[10]^h[4]))
	p[2] = down4(
		down16(l[4], h[10], l[10]^h[14], h[10]),
		down16(l[5]^h[9], l[14]^h[13], l[4], l[1]^h[3]),
		down16(h[13], l[12]^h[13], l[12]^h[13], h[13]),
		down16(l[1]^h[3], l[4], l[14]^h[13], l[5]^h[9]))
	p[3] = down4(
		down16(l[8], h[4], l[5]^h[13], h[4]),
		down16(l[10]^h[2], l[12]^h[11], l[8], l[2]^h[6]),
		down16(h[10], l[8]^h[11], l[8]^h[11], h[10]),
		down16(l[2]^h[6], l[8], l[12]^h[11], l[10]^h[2]))
	p[4] = down4(
		down16(h[1], l[1]^h[8], l[11]^h[10], l[1]^h[8]),
		down16(l[5]^h[5], l[8]^h[7], h[1], l[4]^h[12]),
		down16(h[4], h[7], h[7], h[4]),
		down16(l[4]^h[12], h[1], l[8]^h[7], l[5]^h[5]))
	p[5] = down4(
		down16(h[2], l[2], l[7]^h[5], l[2]),
		down16(l[10]^h[10], h[15], h[2], l[8]^h[8]),
		down16(l[1]^h[8], h[14], h[14], l[1]^h[8]),
		down16(l[8]^h[8], h[2], h[15], l[10]^h[10]))
	p[6] = down4(
		down16(h[4], l[4]^h[11], l[13]^h[15], l[4]^h[11]),
		down16(l[2]^h[9], l[11]^h[11], h[4], l[6]^h[6]),
		down16(l[10]^h[13], l[11]^h[1], l[11]^h[1], l[10]^h[13]),
		down16(l[6]^h[6], h[4], l[11]^h[11], l[2]^h[9]))
	p[7] = down4(
		down16(h[8], l[8]^h[13], l[9]^h[10], l[8]^h[13]),
		down16(l[3]^h[14], l[13]^h[2], h[8], l[11]^h[11]),
		down16(l[12]^h[6], l[13]^h[14], l[13]^h[14], l[12]^h[6]),
		down16(l[11]^h[11], h[8], l[13]^h[2], l[3]^h[14]))

	sums(&l, p[0], p[1], p[2], p[3])
	sums(&h, p[4], p[5], p[6], p[7])
	// H / c, with 1 / c = 1 + 148 x + 132 x^2 + 221 x^3 + 16 x^4 + 189 x^5 + 39 x^6 +
	// 93 x^7 + 184 x^8 + 122 x^9 + 72 x^10 + 108 x^11 + 114 x^12 + 118 x^13 + 162 x^14 +
	// 110 x^15 mod x^16.
	p[0] = up4(
		up16(l[1], h[11], l[14]^h[11], l[4]^h[8]),
		up16(l[6]^h[12], l[15]^h[7], l[4]^h[14], l[4]^h[4]),
		up16(l[6]^h[7], l[9]^h[9], l[12], l[14]^h[14]),
		up16(l[11]^h[12], l[13]^h[7], l[4]^h[1], l[4]^h[9]))
	p[1] = up4(
		up16(l[2], h[13], l[2]^h[12], l[13]^h[8]),
		up16(l[10]^h[4], h[8], l[13]^h[2], l[13]^h[12]),
		up16(l[10]^h[9], l[11]^h[10], l[4]^h[1], l[3]^h[3]),
		up16(l[12]^h[5], l[6]^h[8], l[12]^h[3], l[13]^h[11]))
	p[2] = up4(
		up16(l[4], h[10], l[4]^h[8], l[10]^h[1]),
		up16(l[5]^h[9], l[1], l[10]^h[5], l[11]^h[9]),
		up16(l[5]^h[3], l[7]^h[5], l[8]^h[2], l[6]^h[6]),
		up16(l[9]^h[11], l[13], l[9]^h[7], l[11]^h[7]))
	p[3] = up4(
		up16(l[8], h[4], l[9], l[4]^h[3]),
		up16(l[10]^h[2], l[3], l[5]^h[11], l[6]^h[3]),
		up16(l[10]^h[6], l[14]^h[10], l[1]^h[5], l[12]^h[12]),
		up16(l[3]^h[7], l[11]^h[1], l[3]^h[15], l[7]^h[15]))
	p[4] = up4(
		up16(h[1], l[1]^h[8], l[3]^h[1], l[9]^h[6]),
		up16(l[5]^h[5], l[7], l[11]^h[6], l[13]^h[6]),
		up16(l[4]^h[13], l[12]^h[5], l[2]^h[10], l[8]^h[9]),
		up16(l[7]^h[14], l[7]^h[3], l[6]^h[14], l[14]^h[14]))
	p[5] = up4(
		up16(h[2], l[2], l[7]^h[2], l[3]^h[13]),
		up16(l[10]^h[10], l[15], l[7]^h[13], l[11]^h[13]),
		up16(l[8]^h[10], l[9]^h[11], l[4]^h[4], l[1]^h[3]),
		up16(l[14]^h[12], l[14]^h[6], l[13]^h[12], l[13]^h[13]))
	p[6] = up4(
		up16(h[4], l[4]^h[11], h[15], l[3]^h[2]),
		up16(l[2]^h[9], h[6], l[11]^h[4], l[3]^h[15]),
		up16(l[6]^h[2], l[10]^h[14], l[5]^h[8], l[12]^h[8]),
		up16(l[7]^h[5], l[1]^h[10], l[15]^h[8], l[15]^h[2]))
	p[7] = up4(
		up16(h[8], l[8]^h[13], l[15]^h[5], l[2]^h[12]),
		up16(l[3]^h[14], l[15]^h[11], l[2]^h[7], l[2]^h[10]),
		up16(l[11]^h[3], l[12]^h[4], l[6], l[7]^h[15]),
		up16(l[5]^h[6], l[14]^h[3], l[10], l[10]^h[12]))
}

// sums sets t[i] to the sum of those of a, b, c, d whose bits are set in i.
func sums(t *[16]uint64, a, b, c, d uint64) {
	ab, ac, ad, bc, bd, cd := a^b, a^c, a^d, b^c, b^d, c^d
	t[1], t[2], t[4], t[8] = a, b, c, d
	t[3], t[5], t[9], t[6], t[10], t[12] = ab, ac, ad, bc, bd, cd
	t[7], t[11], t[13], t[14], t[15] = ab^c, ab^d, ac^d, bc^d, ab^cd
}

func up4(a, b, c, d uint64) uint64    { return ((d<<4^c)<<4^b)<<4 ^ a }
func up16(a, b, c, d uint64) uint64   { return ((d<<16^c)<<16^b)<<16 ^ a }
func down4(a, b, c, d uint64) uint64  { return ((d>>4^c)>>4^b)>>4 ^ a }
func down16(a, b, c, d uint64) uint64 { return ((d>>16^c)>>16^b)>>16 ^ a }
