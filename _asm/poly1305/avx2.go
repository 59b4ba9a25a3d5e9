package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"xcipher/_asm/poly1305/powers"
)

// words is what the AVX2 kernel is made of. VPMULUDQ multiplies the low 32 bits of
// its operands, so that the four words of a block are its digits as they stand, and
// powers have the forms R, R 2^32, R 2^64, R 2^96. All else is in five limbs of 26
// bits. The bit behind each block is not among the words: a sum of R 2^128 has it.
type words struct {
	powers *powers.Powers
	step   Mem // rows for r^16, r^12, r^8, r^4, see below
	end    Mem // rows for the lanes' powers
}

// Rows of 32 bytes.
func limb(table Mem, j int) Mem     { return table.Offset(32 * j) }             // of R
func fivefold(table Mem, j int) Mem { return table.Offset(32 * (4 + j)) }       // of 5 R, j > 0
func form(table Mem, i, j int) Mem  { return table.Offset(32 * (4 + 5*i + j)) } // of R 2^(32 i), i > 0

const (
	endRows  = 9
	stepRows = 4 + 5*5 // with sums of R 2^128 as form 4
)

type limbs [5]VecPhysical

// Registers of the kernel.
var (
	acc    = limbs{Y0, Y1, Y2, Y3, Y4}
	hLimbs = limbs{Y9, Y10, Y11, Y12, Y13}
	digits = [4]VecPhysical{Y5, Y6, Y7, Y8}
	tmp    = Y14
	lowY   = Y15 // 2^26 - 1
)

// expand26 takes limbs of 64 bits of four powers, and stores limbs and their
// fivefold.
func expand26(rows func(j int) Mem, table Mem) (l limbs) {
	l = limbs{Y0, Y1, Y2, Y3, Y4}
	for j, e := range []VecPhysical{Y5, Y6, Y7} {
		VMOVDQU(rows(j), e)
	}
	splitLimbs(Y5, Y6, l)
	VPSLLQ(Imm(24), Y7, Y7)
	VPADDQ(Y7, l[4], l[4])
	for j := range l {
		VMOVDQU(l[j], limb(table, j))
		if j > 0 {
			times5(l[j], tmp)
			VMOVDQU(tmp, fivefold(table, j))
		}
	}
	return l
}

// times5 computes to = 5 x.
func times5(x, to VecPhysical) {
	VPSLLQ(Imm(2), x, to)
	VPADDQ(x, to, to)
}

// shift computes R 2^(32 i), that is 26 i + 6 i bits up: what leaves the top limb
// comes back at the bottom five times.
func shift(l, out limbs, i int) {
	for k := range out {
		VPSLLQ(Imm(uint64(6*i)), l[(k-i+5)%5], out[k])
		VPAND(lowY, out[k], out[k])
		VPSRLQ(Imm(uint64(26-6*i)), l[(k-i+4)%5], tmp)
		if k == i {
			times5(tmp, Y13)
			VPADDQ(Y13, out[k], out[k])
			continue
		}
		VPADDQ(tmp, out[k], out[k])
		if k < i {
			times5(out[k], tmp)
			VMOVDQA(tmp, out[k])
		}
	}
}

// carry brings limb k to 26 bits, and adds what was above to the next; behind the
// last that is the first, five times.
func (d limbs) carry(k int, t VecPhysical) {
	VPSRLQ(Imm(26), d[k], t)
	VPAND(lowY, d[k], d[k])
	VPADDQ(t, d[(k+1)%5], d[(k+1)%5])
	if k == 4 {
		VPSLLQ(Imm(2), t, t)
		VPADDQ(t, d[0], d[0])
	}
}

// expandForms stores the forms of the powers of steps. A limb is below 2^29, about
// 5 2^26 if it came back from the top. So a sum of twelve products with words and
// five with limbs of h is below 62 2^58, which leaves room for what is added to it.
func (t *words) expandForms() {
	Comment("Limbs of r^16, r^12, r^8, r^4")
	l, out := expand26(t.powers.Steps, t.step), limbs{Y5, Y6, Y7, Y8, Y9}
	for i := 1; i <= 4; i++ {
		Commentf("Times 2^%d", 32*i)
		shift(l, out, i)
		if i == 4 {
			Comment("Sums: each plus those of fewer steps")
			VPXOR(Y12, Y12, Y12)
			for _, v := range out {
				VPERMQ(Imm(0b11_11_10_01), v, Y10)
				VPBLENDD(Imm(0b11_00_00_00), Y12, Y10, Y10)
				VPERMQ(Imm(0b11_11_10_01), Y10, Y11)
				VPADDQ(Y10, v, v)
				VPADDQ(Y11, v, v)
			}
		}
		for j := range out {
			VMOVDQU(out[j], form(t.step, i, j))
		}
	}
}

// splitLimbs takes two vectors of halves of blocks apart into limbs.
func splitLimbs(lo, hi VecPhysical, out limbs) {
	VPAND(lowY, lo, out[0])
	VPSRLQ(Imm(26), lo, out[1])
	VPAND(lowY, out[1], out[1])
	VPSRLQ(Imm(52), lo, out[2])
	VPSLLQ(Imm(12), hi, tmp)
	VPOR(tmp, out[2], out[2])
	VPAND(lowY, out[2], out[2])
	VPSRLQ(Imm(14), hi, out[3])
	VPAND(lowY, out[3], out[3])
	VPSRLQ(Imm(40), hi, out[4])
}

// load takes batch k: lanes hold halves of blocks 0, 2, 1, 3.
func load(p Register, k int, lo, hi VecPhysical) {
	VMOVDQU(Mem{Base: p, Disp: 64 * k}, lo)
	VMOVDQU(Mem{Base: p, Disp: 64*k + 32}, tmp)
	VPUNPCKHQDQ(tmp, lo, hi)
	VPUNPCKLQDQ(tmp, lo, lo)
}

// addProduct adds x f. get loads f.
func addProduct(x, to VecPhysical, get func(to VecPhysical)) {
	get(tmp)
	VPMULUDQ(x, tmp, tmp)
	VPADDQ(tmp, to, to)
}

// multiply adds h R to the sums, or starts them. get loads from a row.
func (d limbs) multiply(h limbs, table Mem, first bool, get func(row Mem, to VecPhysical)) {
	for i := range h {
		for j := range h {
			row, k := limb(table, j), i+j
			if k >= 5 {
				row, k = fivefold(table, j), k-5
			}
			if first && i == 0 {
				get(row, d[k])
				VPMULUDQ(h[i], d[k], d[k])
				continue
			}
			addProduct(h[i], d[k], func(to VecPhysical) { get(row, to) })
		}
	}
}

// group absorbs g batches: h = h r^(4 g) + batch r^(4 (g-1)) + ... + batch.
func (t *words) group(g int, p Register, bit24 Mem) {
	lane := func(k int) int { return 8 * (4 - k) } // of r^(4 k)
	Comment("The last batch starts the sums")
	load(p, g-1, digits[0], digits[2])
	splitLimbs(digits[0], digits[2], acc)
	VPOR(bit24, acc[4], acc[4])
	if g > 1 {
		Comment("The bits behind the other batches")
		for j := range acc {
			VPBROADCASTQ(form(t.step, 4, j).Offset(lane(g-1)), tmp)
			VPADDQ(tmp, acc[j], acc[j])
		}
	}
	for k := range g - 1 {
		Commentf("Batch %d times r^%d", k, 4*(g-1-k))
		load(p, k, digits[0], digits[2])
		VPSRLQ(Imm(32), digits[0], digits[1])
		VPSRLQ(Imm(32), digits[2], digits[3])
		for i, x := range digits {
			for j := range acc {
				row := limb(t.step, j)
				if i > 0 {
					row = form(t.step, i, j)
				}
				addProduct(x, acc[j], func(to VecPhysical) { VPBROADCASTQ(row.Offset(lane(g-1-k)), to) })
			}
		}
	}
	Commentf("h times r^%d", 4*g)
	acc.multiply(hLimbs, t.step, false, func(row Mem, to VecPhysical) { VPBROADCASTQ(row.Offset(lane(g)), to) })

	Comment("Carry in two chains")
	for _, k := range []int{0, 3, 1, 4, 2, 0, 3} {
		acc.carry(k, []VecPhysical{tmp, digits[0]}[k/3])
	}
	for j := range acc {
		VMOVDQA(acc[j], hLimbs[j])
	}
	ADDQ(I32(int32(64*g)), p)
}
