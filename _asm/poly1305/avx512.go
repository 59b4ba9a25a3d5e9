package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// ifma is what the AVX-512 kernel is made of. Its digits have weights 1, 2^52 and
// 2^104. IFMA multiplies the low 52 bits of its operands, and adds the low or the
// high 52 bits of the product: LO of digits i and j has the weight of digit i + j,
// HI that of the next.
type ifma struct {
	step Mem // forms and digits of r^32, r^24, r^16, r^8
	end  Mem // of the powers for the lanes
}

// Registers of the kernel: Z0-Z5 and Z21-Z26 are accumulators.
var (
	bankA   = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5}
	bankB   = []VecPhysical{Z21, Z22, Z23, Z24, Z25, Z26}
	hDigits = [3]VecPhysical{Z6, Z7, Z8}
	digitsA = [3]VecPhysical{Z9, Z10, Z11}
	digitsB = [3]VecPhysical{Z14, Z15, Z16}
	loads   = [2]VecPhysical{Z12, Z13} // of a batch
	factors = []VecPhysical{Z17, Z18, Z19, Z20}

	// 2^26 - 1, 2^52 - 1, 5, 2^24, and fold = 5 2^26, which is 2^156 modulo p
	low26, low52, five, bit24, fold VecPhysical = Z27, Z28, Z29, Z30, Z31
)

// sums are six sums, apart so that few products wait for each other: of weight 1,
// LO and HI of weight 2^52, LO and HI of weight 2^104, and of weight 2^156.
type sums struct {
	regs []VecPhysical
	used [6]bool
}

// add adds the products of x and f, LO with the weight of digit j.
func (s *sums) add(x, f VecPhysical, j int, high bool) {
	VPMADD52LUQ(f, x, s.at([]int{0, 1, 3}[j]))
	if high {
		VPMADD52HUQ(f, x, s.at([]int{2, 4, 5}[j]))
	}
}

func (s *sums) at(i int) VecPhysical {
	if !s.used[i] {
		VPXORQ(s.regs[i], s.regs[i], s.regs[i])
		s.used[i] = true
	}
	return s.regs[i]
}

// total adds the two banks, and returns sums of weights 1, 2^52, 2^104, 2^156.
func total(a, b *sums) (d [4]VecPhysical) {
	for j, places := range [][]int{{0}, {1, 2}, {3, 4}, {5}} {
		for _, s := range []*sums{a, b} {
			for _, i := range places {
				switch {
				case !s.used[i]:
				case d[j] == nil:
					d[j] = s.regs[i]
				default:
					VPADDQ(s.regs[i], d[j], d[j])
				}
			}
		}
	}
	return d
}

var factor int // counts, so that factors take turns

// multiply adds x R. form loads digit j of form i of R into a register. HI of the
// last digits is zero for a message: 25 and 27 bits.
func (s *sums) multiply(x [3]VecPhysical, message bool, form func(i, j int, to VecPhysical)) {
	for i := range 3 {
		for j := range 3 {
			f := factors[factor%len(factors)]
			factor++
			form(i, j, f)
			s.add(x[i], f, j, !(message && i == 2 && j == 2))
		}
	}
}

// forms is where digit j of form i is, among vectors of so many bytes.
func forms(table Mem, i, j, bytes int) Mem { return table.Offset((3*i + j) * bytes) }

// stepPower returns the loads of r^(8 k) for all lanes.
func (t *ifma) stepPower(k int) func(i, j int, to VecPhysical) {
	return func(i, j int, to VecPhysical) {
		VPBROADCASTQ(forms(t.step, i, j, 32).Offset(8*(4-k)), to)
	}
}

// expand takes limbs of several powers, and stores their forms.
func expand(lanes int, rows func(j int) Mem, table Mem) {
	v := func(i int) VecPhysical { return vector(lanes, i) }
	bytes := 8 * lanes
	low26, low52, five, fold := v(27), v(28), v(29), v(31)
	e, f := [3]VecPhysical{v(0), v(1), v(2)}, [3]VecPhysical{v(3), v(4), v(5)}
	tmp := v(9)
	// IFMA does not see the bits above 52 that stay in the first two digits.
	carry := func(d [3]VecPhysical) {
		VPSRLQ(Imm(52), d[0], tmp)
		VPADDQ(tmp, d[1], d[1])
		VPSRLQ(Imm(52), d[1], tmp)
		VPADDQ(tmp, d[2], d[2])
	}
	save := func(i int, d [3]VecPhysical) {
		for j := range d {
			VMOVDQU64(d[j], forms(table, i, j, bytes))
		}
	}

	Comment("R, in digits of 52 bits")
	for j := range e {
		VMOVDQU64(rows(j), e[j])
	}
	VPANDQ(low52, e[0], f[0])
	VPSHRDQ(Imm(52), e[1], e[0], f[1])
	VPANDQ(low52, f[1], f[1])
	VPSRLQ(Imm(40), e[1], f[2])
	VPSLLQ(Imm(24), e[2], e[2])
	VPADDQ(e[2], f[2], f[2])
	save(0, f)

	g := [3]VecPhysical{v(0), v(1), v(2)}
	Comment("R 2^52 = 5 (f1 / 2^26) + 2^52 f0 + 2^104 (f1 mod 2^26) + 2^156 f2")
	VPSRLQ(Imm(26), f[1], tmp)
	VPXORQ(g[0], g[0], g[0])
	VPMADD52LUQ(fold, f[2], g[0])
	VPMADD52LUQ(five, tmp, g[0])
	VMOVDQA64(f[0], g[1])
	VPMADD52HUQ(fold, f[2], g[1])
	VPANDQ(low26, f[1], g[2])
	carry(g)
	save(1, g)

	Comment("R 2^104 = 5 (f0 / 2^26) + 2^104 (f0 mod 2^26) + 2^156 f1 + 2^208 f2")
	VPSRLQ(Imm(26), f[0], tmp)
	VPXORQ(g[0], g[0], g[0])
	VPXORQ(g[1], g[1], g[1])
	VPMADD52LUQ(fold, f[1], g[0])
	VPMADD52LUQ(five, tmp, g[0])
	VPMADD52HUQ(fold, f[1], g[1])
	VPMADD52LUQ(fold, f[2], g[1])
	VPANDQ(low26, f[0], g[2])
	VPMADD52HUQ(fold, f[2], g[2])
	carry(g)
	save(2, g)
}

// split takes eight blocks from two registers apart: lanes hold blocks 0, 4, 1, 5,
// 2, 6, 3, 7. The first two digits have bits above 52, the last lacks the bit
// behind the block. It spoils from.
func split(from [2]VecPhysical, x [3]VecPhysical) {
	high := from[1]
	VPUNPCKLQDQ(from[1], from[0], x[0])
	VPUNPCKHQDQ(from[1], from[0], high)
	VPSHRDQ(Imm(52), high, x[0], x[1])
	VPSRLQ(Imm(40), high, x[2])
}

// group absorbs g batches: h = h r^(8 g) + batch r^(8 (g-1)) + ... + batch.
func (t *ifma) group(g int, p Register) {
	a, b := &sums{regs: bankA}, &sums{regs: bankB}
	take := func(k int, x [3]VecPhysical) {
		for i, r := range loads {
			VMOVDQU64(Mem{Base: p, Disp: 128*k + 64*i}, r)
		}
		split(loads, x)
	}
	Comment("The last batch starts the sums")
	x := [3]VecPhysical{a.regs[0], a.regs[1], a.regs[3]}
	take(g-1, x)
	VPANDQ(low52, x[0], x[0])
	VPANDQ(low52, x[1], x[1])
	VPORQ(bit24, x[2], x[2])
	a.used = [6]bool{0: true, 1: true, 3: true}
	for k := range g - 1 {
		Commentf("Batch %d times r^%d", k, 8*(g-1-k))
		x := [][3]VecPhysical{digitsA, digitsB}[k%2]
		take(k, x)
		VPORQ(bit24, x[2], x[2])
		[]*sums{a, b}[k%2].multiply(x, true, t.stepPower(g-1-k))
	}
	Commentf("h times r^%d", 8*g)
	b.multiply(hDigits, false, t.stepPower(g))
	d := total(a, b)

	Comment("Carry; the first two digits keep bits above 52")
	high := loads[0]
	VPSRLQ(Imm(26), d[2], high)
	VPMADD52LUQ(fold, d[3], d[0])
	VPMADD52HUQ(fold, d[3], d[1])
	VPANDQ(low26, d[2], d[2])
	VPMADD52LUQ(five, high, d[0])
	VPSRLQ(Imm(52), d[0], high)
	VMOVDQA64(d[0], hDigits[0])
	VPADDQ(high, d[1], hDigits[1])
	VPSRLQ(Imm(52), hDigits[1], high)
	VPADDQ(high, d[2], hDigits[2])
	ADDQ(I32(int32(128*g)), p)
}
