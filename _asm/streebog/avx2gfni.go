package main

import (
	"encoding/binary"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernel for AVX2 and GFNI has rows 2i and 2i+1 in register i: those of the key
// in the lower lane, those of the state in the upper one.
type gfni struct {
	*tables
	l, r                        Mem // matrices
	inverse, nu1, nu0, phi, out Mem // tables
	direct, crossed             [4][4]Mem
}

func (gfni) start(y pair, h, n Register) {
	for i, v := range y {
		VMOVDQU(Mem{Base: h, Disp: 16 * i}, v.AsX())
		VPXOR(Mem{Base: n, Disp: 16 * i}, v.AsX(), v.AsX())
	}
}

func (gfni) enter(y pair, m Register) {
	for i, v := range y {
		VINSERTI128(Imm(1), Mem{Base: m, Disp: 16 * i}, v, v)
	}
}

func (gfni) addKey(y pair, c Register) {
	for i, v := range y {
		key := YMM()
		VPERM2I128(Imm(0x08), v, v, key) // nothing, the lower lane
		VPXOR(Mem{Base: c, Disp: 32 * i}, v, v)
		VPXOR(key, v, v)
	}
}

func (gfni) constant(i int) (all [128]byte) {
	if i <= 12 {
		for j, b := range iterationConstant(i) {
			all[j/16*32+j%16] = b
		}
	}
	return all
}

func (gfni) leave(y pair, h, m Register) {
	for i, v := range y {
		x := XMM()
		VEXTRACTI128(Imm(1), v, x)
		VPXOR(Mem{Base: h, Disp: 16 * i}, x, x)
		VPXOR(Mem{Base: m, Disp: 16 * i}, x, x)
		VMOVDQU(x, Mem{Base: h, Disp: 16 * i})
	}
}

// newGFNI makes the tables. GF(16) is a subfield of the field of VGF2P8MULB, and its
// multiples by some element have two more properties: bit 7 is never set, and the low
// nibbles all differ. So they can be multiplied by members of the subfield, and can
// also be looked up.
func newGFNI() *gfni {
	subfield, multiples := embed()
	number := map[byte]byte{} // of a multiple, by its low nibble
	for v, m := range multiples {
		number[m&15] = byte(v)
	}
	t := newTables("constantsAVX2GFNI")
	matrix := func(f func(byte) byte) Mem {
		return t.matrices(func(int) func(byte) byte { return f })
	}
	k := &gfni{
		tables:  t,
		l:       matrix(func(x byte) byte { return multiples[alpha(x)>>4] }),
		r:       matrix(func(x byte) byte { return multiples[alpha(x)&15] }),
		inverse: t.twice(func(i byte) byte { return subfield[inverse4(number[i])] }),
		nu1:     t.twice(func(i byte) byte { return nu1[number[i]] }),
		nu0:     t.twice(func(i byte) byte { return nu0[number[i]] ^ nu1[0] }),
		phi:     t.twice(func(i byte) byte { return subfield[phi[i]] }),
		out:     t.twice(func(i byte) byte { return sigma[number[i]] << 4 }),
	}
	// L after omega: column 2j+q goes to columns i and i+4.
	for i := range 4 {
		for j := range 4 {
			after := func(exchange int) Mem {
				return t.matrices(func(q int) func(byte) byte {
					return func(v byte) byte { return l(2*j+q^exchange, i+4*q, omega(v<<4|v>>4)) }
				})
			}
			k.direct[i][j], k.crossed[i][j] = after(0), after(1)
		}
	}
	return k
}

// matrices adds a matrix for each quadword of both lanes.
func (t *tables) matrices(f func(q int) func(byte) byte) Mem {
	var data [32]byte
	for i := range 4 {
		binary.LittleEndian.PutUint64(data[8*i:], affine(f(i%2)))
	}
	return t.add(data)
}

// embed returns the subfield and its multiples, in the order of the nibbles.
func embed() (subfield, multiples [16]byte) {
	multiply8 := func(x, y byte) byte { return multiply(x, y, 0x11b, 8) }
	root := byte(0)
	for x := range 256 {
		square := multiply8(byte(x), byte(x))
		if multiply8(square, square)^multiply8(square, byte(x)) == 1 {
			root = byte(x)
		}
	}
	base := [4]byte{0: 1}
	for i := 1; i < 4; i++ {
		base[i] = multiply8(base[i-1], root)
	}
	for v := range subfield {
		for i, b := range base {
			subfield[v] ^= byte(v>>i&1) * b
		}
	}
	for factor := 1; factor < 256; factor++ {
		set, seen := byte(0), map[byte]bool{}
		for v, s := range subfield {
			multiples[v] = multiply8(byte(factor), s)
			set |= multiples[v]
			seen[multiples[v]&15] = true
		}
		if set < 0x80 && len(seen) == 16 {
			return subfield, multiples
		}
	}
	panic("no multiples of the subfield fit")
}

func (k *gfni) step(y pair) {
	for _, v := range y {
		k.s(v)
	}
	t := k.l4(y)
	transposeGFNI(t, y)
}

// s is pi but for omega, with the nibbles exchanged.
func (k *gfni) s(x VecVirtual) {
	r, zero := YMM(), YMM()
	VPXOR(zero, zero, zero)
	VGF2P8AFFINEQB(Imm(0), k.r, x, r)
	VGF2P8AFFINEQB(Imm(0), k.l, x, x)
	ratio := lookup(k.inverse, r)
	VGF2P8MULB(ratio, x, ratio)
	l := lookup(k.nu1, ratio)
	other := lookup(k.nu0, x)
	VPCMPEQB(zero, r, zero)
	VPAND(zero, other, other)
	VPXOR(other, l, l)
	product := lookup(k.phi, l)
	VGF2P8MULB(product, r, product)
	out := lookup(k.out, product)
	VPXOR(out, l, x)
}

// l4 multiplies, and gives columns i and i+4 in register i.
func (k *gfni) l4(y pair) (sum pair) {
	for j, v := range y {
		crossed := YMM()
		VPSHUFD(Imm(0x4e), v, crossed)
		for i := range sum {
			a, b := YMM(), YMM()
			VGF2P8AFFINEQB(Imm(0), k.direct[i][j], v, a)
			VGF2P8AFFINEQB(Imm(0), k.crossed[i][j], crossed, b)
			VPXOR(a, b, a)
			if j > 0 {
				VPXOR(sum[i], a, a)
			}
			sum[i] = a
		}
	}
	return sum
}

// transposeGFNI makes rows of columns.
func transposeGFNI(x, y pair) {
	t0, t1, t4, t5 := YMM(), YMM(), YMM(), YMM()
	VPUNPCKLBW(x[1], x[0], t0) // columns 0 and 1
	VPUNPCKHBW(x[1], x[0], t4) // 4, 5
	VPUNPCKLBW(x[3], x[2], t1) // 2, 3
	VPUNPCKHBW(x[3], x[2], t5) // 6, 7
	u0, u1, u2, u3 := YMM(), YMM(), YMM(), YMM()
	VPUNPCKLWD(t1, t0, u0) // rows 0 to 3 of columns 0 to 3
	VPUNPCKHWD(t1, t0, u1) // rows 4 to 7
	VPUNPCKLWD(t5, t4, u2)
	VPUNPCKHWD(t5, t4, u3)
	VPUNPCKLDQ(u2, u0, y[0])
	VPUNPCKHDQ(u2, u0, y[1])
	VPUNPCKLDQ(u3, u1, y[2])
	VPUNPCKHDQ(u3, u1, y[3])
}
