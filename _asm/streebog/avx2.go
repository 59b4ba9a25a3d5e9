package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernel for AVX2 alone looks nibbles up. A table serves a whole 128-bit lane, so
// rows of key and state share one: register j has row rows[j] in its lower lane, and
// the row two after it in the upper one; in each lane the key comes first.
//
// Everything but h, N and the block is kept as alpha makes it, so that the nibbles of
// a byte are the l and r that the decomposition of pi starts from. It ends with two
// nibbles again, which is what L needs: omega, L and alpha are one table for each.
type plain struct {
	*tables
	alpha, undo       [2]Mem // by the low and the high nibble
	merge             Mem    // the order of dwords that merges two lanes
	nibble            Mem    // the mask, and also 15 to subtract
	log, logInverse   Mem
	nu1, nu0, logPhi  Mem
	directP, crossedP [4][4]Mem
	directU, crossedU [4][4]Mem
}

var rows = [4]int{0, 1, 4, 5}

// zeroLog stands for the logarithm of zero. Bit 7 stays set in all sums.
const zeroLog = 0xf0

func logOf(x byte) byte {
	if x == 0 {
		return zeroLog
	}
	return logarithm[x]
}

func newPlain() *plain {
	t := newTables("constantsAVX2")
	linear := func(f func(byte) byte) [2]Mem {
		return [2]Mem{t.twice(f), t.twice(func(i byte) byte { return f(i << 4) })}
	}
	k := &plain{
		tables: t,
		alpha:  linear(alpha),
		undo:   linear(func(x byte) byte { return alphaInverse[x] }),
		merge:  t.add([32]byte{0: 0, 4: 4, 8: 1, 12: 5, 16: 2, 20: 6, 24: 3, 28: 7}),
		nibble: t.twice(func(byte) byte { return 15 }),
		log:    t.twice(logOf),
		// l is kept as its difference from nu1[0], so that the lookup of the zero
		// logarithm, which gives 0, is right.
		logInverse: t.twice(func(i byte) byte { return logOf(inverse4(i)) }),
		nu1:        t.twice(func(i byte) byte { return nu1[power[i]] ^ nu1[0] }),
		nu0:        t.twice(func(i byte) byte { return nu0[i] ^ nu1[0] }),
		logPhi:     t.twice(func(i byte) byte { return logOf(phi[i^nu1[0]]) }),
	}
	ofL := func(i byte) byte { return omega((i^nu1[0])<<4 | sigma[0]) }
	ofR := func(i byte) byte { return omega(sigma[power[i]] ^ sigma[0]) }
	for i := range 4 {
		for j := range 4 {
			// L from row rows[j] or the next but one to columns i and i+4.
			after := func(exchange int, f func(byte) byte) Mem {
				var data [32]byte
				for n := range data {
					lane := n / 16
					data[n] = alpha(l(rows[j]+2*(lane^exchange), i+4*lane, f(byte(n%16))))
				}
				return t.add(data)
			}
			k.directP[i][j], k.crossedP[i][j] = after(0, ofL), after(1, ofL)
			k.directU[i][j], k.crossedU[i][j] = after(0, ofR), after(1, ofR)
		}
	}
	return k
}

// linear applies a linear map.
func (k *plain) linear(f [2]Mem, x VecVirtual) {
	high := YMM()
	VPSRLW(Imm(4), x, high)
	VPAND(k.nibble, high, high)
	VPAND(k.nibble, x, x)
	VPXOR(lookup(f[0], x), lookup(f[1], high), x)
}

func (k *plain) start(y pair, h, n Register) {
	for i := 0; i < 4; i += 2 {
		x := YMM()
		VMOVDQU(Mem{Base: h, Disp: 16 * i}, x)
		VPXOR(Mem{Base: n, Disp: 16 * i}, x, x)
		k.linear(k.alpha, x)
		VPUNPCKLQDQ(x, x, y[i])
		VPUNPCKHQDQ(x, x, y[i+1])
	}
}

func (k *plain) enter(y pair, m Register) {
	for i := 0; i < 4; i += 2 {
		x := YMM()
		VMOVDQU(Mem{Base: m, Disp: 16 * i}, x)
		k.linear(k.alpha, x)
		VPUNPCKLQDQ(x, y[i], y[i])
		VPBLENDD(Imm(0xcc), x, y[i+1], y[i+1])
	}
}

func (*plain) addKey(y pair, c Register) {
	for i, v := range y {
		key := YMM()
		VPSLLDQ(Imm(8), v, key)
		VPXOR(Mem{Base: c, Disp: 32 * i}, v, v)
		VPXOR(key, v, v)
	}
}

func (*plain) constant(i int) (all [128]byte) {
	if i <= 12 {
		c := iterationConstant(i)
		for n := range all {
			if j, lane := n/32, n/16%2; n%16 < 8 {
				all[n] = alpha(c[8*(rows[j]+2*lane)+n%16])
			}
		}
	}
	return all
}

func (k *plain) leave(y pair, h, m Register) {
	for i := 0; i < 4; i += 2 {
		x := YMM()
		VPUNPCKHQDQ(y[i+1], y[i], x)
		k.linear(k.undo, x)
		VPXOR(Mem{Base: h, Disp: 16 * i}, x, x)
		VPXOR(Mem{Base: m, Disp: 16 * i}, x, x)
		VMOVDQU(x, Mem{Base: h, Disp: 16 * i})
	}
}

func (k *plain) step(y pair) {
	var u pair
	for i, v := range y {
		u[i] = k.s(v)
	}
	k.transpose(k.l4(y, u), y)
}

// s replaces x by p and returns u: l, and the logarithm of what sigma is applied to.
func (k *plain) s(x VecVirtual) (u VecVirtual) {
	nibble, l, zero := YMM(), YMM(), YMM()
	VMOVDQU(k.nibble, nibble)
	VPSRLW(Imm(4), x, l)
	VPAND(nibble, l, l)
	r := x
	VPAND(nibble, r, r)
	ratio := plus15(lookup(k.log, l), lookup(k.logInverse, r), nibble)
	p, other := lookup(k.nu1, ratio), lookup(k.nu0, l)
	VPXOR(zero, zero, zero)
	VPCMPEQB(zero, r, zero)
	VPAND(zero, other, other)
	VPXOR(other, p, p)
	u = plus15(lookup(k.logPhi, p), lookup(k.log, r), nibble)
	VMOVDQA(p, x)
	return u
}

// plus15 adds logarithms modulo 15, or modulo 241 if one is of zero.
func plus15(x, y, fifteen VecVirtual) VecVirtual {
	VPADDB(x, y, x)
	VPSUBB(fifteen, x, y)
	VPMINUB(y, x, x)
	return x
}

// l4 multiplies, and gives columns i and i+4 in register i.
func (k *plain) l4(p, u pair) (sum pair) {
	for j := range p {
		for i, tables := range [4]*[4][4]Mem{&k.directP, &k.directU, &k.crossedP, &k.crossedU} {
			x := [2]VecVirtual{p[j], u[j]}[i%2]
			if i >= 2 {
				crossed := YMM()
				VPERMQ(Imm(0x4e), x, crossed)
				x = crossed
			}
			for column := range sum {
				v := lookup(tables[column][j], x)
				if i+j > 0 {
					VPXOR(sum[column], v, v)
				}
				sum[column] = v
			}
		}
	}
	return sum
}

// transpose makes rows of columns.
func (k *plain) transpose(x, y pair) {
	order := YMM()
	VMOVDQU(k.merge, order)
	t0, t1, t2, t3 := YMM(), YMM(), YMM(), YMM()
	VPUNPCKLBW(x[1], x[0], t0) // of the key, columns 0 and 1, 4 and 5
	VPUNPCKHBW(x[1], x[0], t2) // of the state
	VPUNPCKLBW(x[3], x[2], t1) // columns 2 and 3, 6 and 7
	VPUNPCKHBW(x[3], x[2], t3)
	for i := 0; i < 4; i += 2 {
		key, state := YMM(), YMM()
		if i == 0 { // rows 0 to 3
			VPUNPCKLWD(t1, t0, key)
			VPUNPCKLWD(t3, t2, state)
		} else {
			VPUNPCKHWD(t1, t0, key)
			VPUNPCKHWD(t3, t2, state)
		}
		VPERMD(key, order, key)
		VPERMD(state, order, state)
		VPUNPCKLQDQ(state, key, y[i])
		VPUNPCKHQDQ(state, key, y[i+1])
	}
}
