package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for 32 blocks on CPUs without AVX-512: as in sliced.go, but the bytes
// a_n lie in memory, on the stack, since there are only 16 registers. The byte 16l+r
// of 32 belongs to block 2r+l.

// ymm is what the kernels in this file use.
type ymm struct {
	gfni    bool
	inverse bool
	stack   GPPhysical
	slot    [16]int // where on the stack a_n is
	tables  map[string]Mem
	matrix  Mem // alpha, or the inverse of omega, for gfni
}

var (
	low4     Mem // 15 in all bytes
	zeros    Mem
	products [7]Mem    // for gfni: the factors of horner and c_1
	nibbled  [7][2]Mem // otherwise: their products with lower halves and upper halves
)

var y = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}

func (v *ymm) at(n int) Mem { return Mem{Base: v.stack, Disp: 32 * v.slot[n]} }

// split leaves the lower halves of the bytes of x in x and returns the upper in upper.
func split(x, upper, mask VecPhysical) {
	VPSRLW(Imm(4), x, upper)
	VPAND(mask, x, x)
	VPAND(mask, upper, upper)
}

// lookUp replaces the indices in x.
func lookUp(table, x VecPhysical) { VPSHUFB(x, table, x) }

// reduce takes 15 off sums of logarithms where they are that large.
func reduce(s, t, fifteen VecPhysical) {
	VPSUBB(fifteen, s, t)
	VPMINUB(t, s, s)
}

// loadTables loads those tables that have a register.
func (v *ymm) loadTables(names ...string) map[string]VecPhysical {
	t := map[string]VecPhysical{}
	for i, name := range names {
		t[name] = y[6+i]
		VMOVDQU(v.tables[name], t[name])
	}
	VMOVDQU(low4, Y15)
	return t
}

// halves splits the input of pi, or of its inverse, into l in Y1 and r in Y2.
func (v *ymm) halves(t map[string]VecPhysical) {
	if v.gfni {
		VGF2P8AFFINEQB(Imm(0), Y14, Y0, Y2)
		split(Y2, Y1, Y15)
		return
	}
	split(Y0, Y3, Y15)
	VPSHUFB(Y0, t["l0"], Y1)
	VPSHUFB(Y0, t["r0"], Y2)
	VPSHUFB(Y3, t["l1"], Y4)
	VPSHUFB(Y3, t["r1"], Y5)
	VPXOR(Y4, Y1, Y1)
	VPXOR(Y5, Y2, Y2)
}

// piTables loads what pi needs.
func (v *ymm) piTables() (t map[string]VecPhysical) {
	names := []string{"log", "logInv", "nu1", "outL"}
	if v.inverse {
		names = []string{"logPhiInv", "logNu1", "outNu0", "outL"}
	}
	if v.gfni {
		t = v.loadTables(names...)
		VMOVDQU(v.matrix, Y14)
	} else {
		t = v.loadTables(append([]string{"l0", "l1", "r0", "r1"}, names...)...)
	}
	return t
}

// look looks x up in a table that has no register.
func (v *ymm) look(name string, x, dst VecPhysical) {
	VMOVDQU(v.tables[name], dst)
	VPSHUFB(x, dst, dst)
}

// pi substitutes the bytes of Y0.
func (v *ymm) pi(t map[string]VecPhysical) {
	v.halves(t)
	VPSHUFB(Y1, t["log"], Y3)
	VPSHUFB(Y2, t["logInv"], Y4)
	VPADDB(Y4, Y3, Y3)
	reduce(Y3, Y4, Y15) // the logarithm of l / r
	lookUp(t["nu1"], Y3)
	v.look("nu0", Y1, Y4)
	VPCMPEQB(zeros, Y2, Y5)
	VPAND(Y5, Y4, Y4)
	VPXOR(Y4, Y3, Y3) // p
	VPSHUFB(Y2, t["log"], Y4)
	v.look("logPhi", Y3, Y5)
	VPADDB(Y5, Y4, Y4)
	reduce(Y4, Y5, Y15) // the logarithm of r phi(l')
	VPSHUFB(Y3, t["outL"], Y0)
	v.look("outR", Y4, Y5)
	VPXOR(Y5, Y0, Y0)
}

// piInverse undoes pi.
func (v *ymm) piInverse(t map[string]VecPhysical) {
	v.halves(t)
	v.look("logSigma", Y2, Y3)
	VPSHUFB(Y1, t["logPhiInv"], Y4)
	VPADDB(Y4, Y3, Y3)
	reduce(Y3, Y4, Y15) // the logarithm of r
	VPSHUFB(Y1, t["logNu1"], Y4)
	VPADDB(Y3, Y4, Y4)
	reduce(Y4, Y5, Y15) // the logarithm of l
	VPSHUFB(Y4, t["outL"], Y0)
	VPSHUFB(Y1, t["outNu0"], Y4)
	VPXOR(Y5, Y5, Y5)
	VPCMPGTB(Y3, Y5, Y5) // r = 0
	VPAND(Y5, Y4, Y4)
	VPXOR(Y4, Y0, Y0)
	v.look("outR", Y3, Y5)
	VPXOR(Y5, Y0, Y0)
}

// substitute is S and X before it, or the inverse of S and X after it.
func (v *ymm) substitute(key GPPhysical) {
	t := v.piTables()
	for n := range 16 {
		VMOVDQU(v.at(n), Y0)
		if v.inverse {
			v.piInverse(t)
		}
		VPBROADCASTD(Mem{Base: key, Disp: 4 * (15 - n)}, Y5)
		VPXOR(Y5, Y0, Y0)
		if !v.inverse {
			v.pi(t)
		}
		VMOVDQU(Y0, v.at(n))
	}
}

// resident is how many factors have their tables in registers.
const resident = 4

func (v *ymm) loadFactors() {
	if v.gfni {
		for i, m := range products {
			VMOVDQU(m, y[8+i])
		}
		return
	}
	VMOVDQU(low4, Y15)
	for i := range resident {
		VMOVDQU(nibbled[i][0], y[6+2*i])
		VMOVDQU(nibbled[i][1], y[7+2*i])
	}
}

// multiply multiplies x by factor i, with a and b as work space.
func (v *ymm) multiply(i int, x, a, b VecPhysical) {
	if v.gfni {
		VGF2P8AFFINEQB(Imm(0), y[8+i], x, x)
		return
	}
	split(x, a, Y15)
	if i < resident {
		VPSHUFB(x, y[6+2*i], x)
		VPSHUFB(a, y[7+2*i], a)
	} else {
		VMOVDQU(nibbled[i][0], b)
		VPSHUFB(x, b, x)
		VMOVDQU(nibbled[i][1], b)
		VPSHUFB(a, b, a)
	}
	VPXOR(a, x, x)
}

// step is R, as in sliced.go. The newest byte is in Y0, and so is the result.
func (v *ymm) step(t, newest int) {
	a := func(n int) Mem { return v.at((t + n) % 16) }
	VMOVDQU(a(8), Y1)
	v.multiply(0, Y1, Y2, Y3)
	for i := 1; i < 6; i++ {
		VPXOR(a(7-i), Y1, Y1)
		VPXOR(a(9+i), Y1, Y1)
		v.multiply(i, Y1, Y2, Y3)
	}
	VPXOR(a(7), Y1, Y1)
	VPXOR(a(9), Y1, Y1)
	VPXOR(a(0), Y1, Y1)
	VPXOR(a(16-newest), Y0, Y0)
	v.multiply(6, Y0, Y4, Y5)
	VPXOR(Y1, Y0, Y0)
	VMOVDQU(Y0, a(0))
}

// linear is L or its inverse.
func (v *ymm) linear() {
	v.loadFactors()
	if v.inverse {
		VMOVDQU(v.at(0), Y0)
		for t := 15; t >= 0; t-- {
			v.step(t, 1)
		}
		return
	}
	VMOVDQU(v.at(15), Y0)
	for t := range 16 {
		v.step(t, 15)
	}
}

// transpose is that of sliced.go, in memory: slots holds the places in their order,
// and becomes another one.
func (v *ymm) transpose(slots []int) []int {
	for range 4 {
		next := make([]int, 16)
		for i := range 8 {
			a, b, c, d := y[4*(i%4)], y[4*(i%4)+1], y[4*(i%4)+2], y[4*(i%4)+3]
			first, second := Mem{Base: v.stack, Disp: 32 * slots[i]}, Mem{Base: v.stack, Disp: 32 * slots[i+8]}
			VMOVDQU(first, a)
			VMOVDQU(second, b)
			VPUNPCKLBW(b, a, c)
			VPUNPCKHBW(b, a, d)
			VMOVDQU(c, first)
			VMOVDQU(d, second)
			next[2*i], next[2*i+1] = slots[i], slots[i+8]
		}
		slots = next
	}
	return slots
}

// add is X[k] alone.
func (v *ymm) add(key GPPhysical) {
	for n := range 16 {
		VPBROADCASTD(Mem{Base: key, Disp: 4 * (15 - n)}, y[n])
		VPXOR(v.at(n), y[n], y[n])
		VMOVDQU(y[n], v.at(n))
	}
}

// wide makes the kernels.
func wide() {
	checkNibbles()
	low4 = twice("low4", nibbleTable(func(byte) byte { return 15 }))
	zeros = twice("zeros", nibbles{})
	c := func(n int) byte { return coefficients[15-n] }
	factors := []byte{divide(c(8), c(6)), divide(c(6), c(5)), divide(c(5), c(4)), divide(c(4), c(3)), divide(c(3), c(2)), c(2), c(1)}
	for i, f := range factors {
		name := string(rune('0' + i))
		products[i] = wordsOf("product"+name, times(f), times(f), times(f), times(f))
		nibbled[i][0] = twice("lower"+name, nibbleTable(func(v byte) byte { return multiply(f, v) }))
		nibbled[i][1] = twice("upper"+name, nibbleTable(func(v byte) byte { return multiply(f, v<<4) }))
	}
	for _, inverse := range []bool{false, true} {
		source, prefix, rows := forward, "pi", func(x byte) byte { return apply(alpha, x) }
		if inverse {
			source, prefix, rows = backward, "piInverse", omegaInverse
		}
		tables := map[string]Mem{}
		for _, name := range []string{"l0", "l1", "r0", "r1", "log", "logInv", "nu1", "nu0", "logPhi",
			"logSigma", "logPhiInv", "logNu1", "outNu0", "outL", "outR"} {
			if t, ok := source[name]; ok {
				tables[name] = twice(prefix+"_"+name, t)
			}
		}
		m := affine(rows)
		matrix := wordsOf(prefix+"_matrix", m, m, m, m)
		for _, gfni := range []bool{true, false} {
			v := &ymm{gfni: gfni, inverse: inverse, tables: tables, matrix: matrix}
			v.kernel()
		}
	}
}

func (v *ymm) kernel() {
	name := "encrypt32AVX2"
	if v.inverse {
		name = "decrypt32AVX2"
	}
	if v.gfni {
		name += "GFNI"
	}
	TEXT(name, NOSPLIT, "func(words *[160]uint32, dst, src *byte)")
	Pragma("noescape")
	words, dst, src := RAX, RDI, RSI
	Load(Param("words"), words)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	v.stack = RDX
	LEAQ(AllocLocal(16*32+32), v.stack)
	ADDQ(Imm(31), v.stack)
	ANDQ(I8(-32), v.stack)

	order := make([]int, 16)
	for i := range order {
		order[i] = i
		VMOVDQU(Mem{Base: src, Disp: 32 * i}, y[i])
		VMOVDQU(y[i], Mem{Base: v.stack, Disp: 32 * i})
	}
	for i, place := range v.transpose(order) {
		v.slot[15-i] = place
	}
	if v.inverse {
		ADDQ(U32(9*64), words)
		v.add(words)
		repeat("round", RCX, 9, func() {
			SUBQ(U8(64), words)
			v.linear()
			v.substitute(words)
		})
	} else {
		repeat("round", RCX, 9, func() {
			v.substitute(words)
			v.linear()
			ADDQ(U8(64), words)
		})
		v.add(words)
	}
	for n := range order {
		order[15-n] = v.slot[n]
	}
	for i, place := range v.transpose(order) {
		VMOVDQU(Mem{Base: v.stack, Disp: 32 * place}, y[i])
		VMOVDQU(y[i], Mem{Base: dst, Disp: 32 * i})
	}
	leave()
}
