// Package powers computes the powers of Poly1305's multiplier r modulo p = 2^130 - 5
// in general registers. The kernels of package internal/poly1305 begin with it, and
// one of package internal/chacha has it in the shadow of its own work.
//
// While they are computed, powers are in digits of 44, 44 and 42 bits, and the result
// is in limbs of 64, 64 and 2 bits.
package powers

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	mask42 = 1<<42 - 1
	mask44 = 1<<44 - 1
)

// Pause is called now and then while Compute emits instructions, which leave all
// vector registers alone.
var Pause = func() {}

// Powers are powers of r in memory, in limbs of 64 bits. Row j has the limbs j of
// all of them, in an order in which vectors are loaded from it: first those for the
// steps of four batches, three, two and one; that last one is also the first of
// those for the lanes.
type Powers struct {
	lanes  int
	rows   Mem
	row    int         // bytes
	at     map[int]int // exponent to place in the row
	digits map[int]Mem // of 44 bits, of the factors of multiply
	s1     Mem         // 5 r1 / 4
}

// LaneOrder has the block that each lane holds, numbered from the first of a batch:
// unpacking lets those of the first half alternate with those of the second.
func LaneOrder(lanes int) (order []int) {
	for i := range lanes / 2 {
		order = append(order, i, i+lanes/2)
	}
	return order
}

// Words is how many words of 64 bits there are for so many lanes.
func Words(lanes int) int { return 3 * (3 + lanes) }

// At makes powers for so many lanes at rows, Words(lanes) words. An address in rows
// must be that of the frame or in R15.
func At(rows Mem, lanes int) *Powers {
	p := &Powers{lanes: lanes, rows: rows, row: 8 * Words(lanes) / 3, at: map[int]int{}, digits: map[int]Mem{}}
	list := []int{4 * lanes, 3 * lanes, 2 * lanes}
	for _, block := range LaneOrder(lanes) {
		list = append(list, lanes-block)
	}
	for i, exponent := range list {
		p.at[exponent] = i
	}
	return p
}

// Steps is row j for steps of four batches, three, two and one.
func (p *Powers) Steps(j int) Mem { return p.rows.Offset(j * p.row) }

// Ends is row j for the lanes.
func (p *Powers) Ends(j int) Mem { return p.rows.Offset(j*p.row + 3*8) }

func (p *Powers) limb(exponent, j int) Mem { return p.rows.Offset(j*p.row + 8*p.at[exponent]) }

// store stores the limbs of a power.
func (p *Powers) store(exponent int, limbs [3]GPPhysical) {
	for j, limb := range limbs {
		MOVQ(limb, p.limb(exponent, j))
	}
}

// Compute fills the table, from r in CX and DX. It takes all general registers but
// R15 and BP. The squares are a long chain: what does not wait for the last of them
// stands between them.
func (p *Powers) Compute() {
	for _, exponent := range []int{p.lanes, 2 * p.lanes} {
		p.digits[exponent] = AllocLocal(3 * 8)
	}
	p.s1 = AllocLocal(8)
	p.first()
	p.square(1)
	p.square(2)
	p.timesR(2)
	if p.lanes == 8 {
		p.square(4)
		p.timesR(4)
		p.square(8)
		p.timesR(5)
		p.square(16)
		p.timesR(6)
	} else {
		p.square(4)
		p.square(8)
	}
	p.multiply(2*p.lanes, p.lanes)
}

// timesR computes h = h r as the generic code does, and leaves the digits of the
// last square.
func (p *Powers) timesR(exponent int) {
	Commentf("r^%d = r^%d r", exponent+1, exponent)
	Pause()
	a0, a1, b0, b1, t0, t1, h2 := RAX, RBX, RCX, R11, R8, R9, R10
	r0, r1, s1 := p.limb(1, 0), p.limb(1, 1), p.s1
	// a = h0 r0 + h1 s1
	// b = h0 r1 + h1 r0
	MOVQ(p.limb(exponent, 0), RDX)
	MULXQ(r0, a0, a1)
	MULXQ(r1, b0, b1)
	MOVQ(p.limb(exponent, 1), RDX)
	MULXQ(s1, t0, t1)
	ADDQ(t0, a0)
	ADCQ(t1, a1)
	MULXQ(r0, t0, t1)
	ADDQ(t0, b0)
	ADCQ(t1, b1)
	Pause()
	// h = a + 2^64 (b + h2 s1) + 2^128 h2 r0
	MOVQ(p.limb(exponent, 2), h2)
	MOVQ(h2, t0)
	IMULQ(s1, t0)
	IMULQ(r0, h2)
	ADDQ(t0, a1)
	ADDQ(a1, b0)
	ADCQ(b1, h2)
	Pause()
	// What lies above 2^130, h2 / 4, comes back at the bottom five times.
	MOVQ(h2, t0)
	MOVQ(h2, t1)
	ANDQ(I32(-4), t0)
	SHRQ(Imm(2), t1)
	ANDQ(I32(3), h2)
	ADDQ(t1, t0)
	ADDQ(t0, a0)
	ADCQ(Imm(0), b0)
	ADCQ(Imm(0), h2)
	p.store(exponent+1, [3]GPPhysical{a0, b0, h2})
}

// The registers of a multiplication of digits. DX is implicit in MULXQ.
var (
	a      = [3]GPPhysical{R8, R9, R10} // a factor, times 2^10
	sum    = [3][2]GPPhysical{{RSI, RBX}, {RDI, R11}, {R12, R13}}
	lo, hi = RAX, RCX
	low44  = ConstData("low44", U64(mask44))
)

// digit returns where a digit of a product is.
func digit(j int) GPPhysical { return sum[j][0] }

// first stores r and s1, and takes r apart into digits of 44 bits.
func (p *Powers) first() {
	Comment("r, and s1 = 5 r1 / 4")
	r := [3]GPPhysical{RCX, RDX, R10}
	XORL(R10L, R10L)
	p.store(1, r)
	MOVQ(r[1], RAX)
	SHRQ(Imm(2), RAX)
	ADDQ(r[1], RAX)
	MOVQ(RAX, p.s1)
	MOVQ(r[0], digit(0))
	ANDQ(low44, digit(0))
	SHRQ(Imm(44), r[0])
	MOVQ(r[1], digit(1))
	SHLQ(Imm(20), digit(1))
	ORQ(r[0], digit(1))
	ANDQ(low44, digit(1))
	MOVQ(r[1], digit(2))
	SHRQ(Imm(24), digit(2))
}

func (p *Powers) storeDigits(exponent int) {
	if m, ok := p.digits[exponent]; ok {
		for j := range 3 {
			MOVQ(digit(j), m.Offset(8*j))
		}
	}
}

// accumulate adds DX x to sum[k]; the first of a sum is stored.
func accumulate(first bool, x Op, k int) {
	Pause()
	if first {
		MULXQ(x, sum[k][0], sum[k][1])
		return
	}
	MULXQ(x, lo, hi)
	ADDQ(lo, sum[k][0])
	ADCQ(hi, sum[k][1])
}

// multiply computes one power from two. As 2^132 = 20 modulo p, the product's
// digits are
//
//	d0 = a0 b0 + 20 a1 b2 + 20 a2 b1
//	d1 = a0 b1 + a1 b0 + 20 a2 b2
//	d2 = a0 b2 + a1 b1 + a2 b0
//
// Factors are shifted so that the upper half of a sum is what goes to the next
// digit: d0 and d1 are times 2^20, d2 is times 2^22.
func (p *Powers) multiply(x, y int) {
	Commentf("r^%d = r^%d r^%d", x+y, x, y)
	b := p.digits[y]
	for j := range a {
		MOVQ(p.digits[x].Offset(8*j), a[j])
		SHLQ(Imm(10), a[j])
	}
	MOVQ(b, RDX)
	SHLQ(Imm(10), RDX)
	accumulate(true, a[0], 0)
	accumulate(true, a[1], 1)
	SHLQ(Imm(2), RDX)
	accumulate(true, a[2], 2)
	MOVQ(b.Offset(8), RDX)
	SHLQ(Imm(10), RDX)
	accumulate(false, a[0], 1)
	SHLQ(Imm(2), RDX)
	accumulate(false, a[1], 2)
	LEAQ(Mem{Base: RDX, Index: RDX, Scale: 4}, RDX)
	accumulate(false, a[2], 0)
	MOVQ(b.Offset(16), RDX)
	SHLQ(Imm(12), RDX)
	accumulate(false, a[0], 2)
	LEAQ(Mem{Base: RDX, Index: RDX, Scale: 4}, RDX)
	accumulate(false, a[1], 0)
	accumulate(false, a[2], 1)
	p.carry(x + y)
}

// square is multiply with two equal factors, those of the last product.
func (p *Powers) square(x int) {
	Commentf("r^%d = r^%d r^%d", 2*x, x, x)
	for j := range a {
		MOVQ(digit(j), a[j])
		SHLQ(Imm(10), a[j])
	}
	MOVQ(a[0], RDX)
	accumulate(true, a[0], 0)
	ADDQ(RDX, RDX)
	accumulate(true, a[1], 1)
	SHLQ(Imm(2), RDX)
	accumulate(true, a[2], 2)
	MOVQ(a[1], RDX)
	SHLQ(Imm(2), RDX)
	accumulate(false, a[1], 2)
	LEAQ(Mem{Base: a[2], Index: a[2], Scale: 4}, RDX)
	SHLQ(Imm(2), RDX)
	accumulate(false, a[2], 1)
	ADDQ(RDX, RDX)
	accumulate(false, a[1], 0)
	p.carry(2 * x)
}

// carry turns sums into digits, and stores them and the limbs. Factors have a0 <
// 2^44, a1 < 2^44 + 2^8, a2 < 2^42, and so has the product: sums are below 2^114,
// carries below 2^50.
func (p *Powers) carry(exponent int) {
	Pause()
	d0, d1, d2 := digit(0), digit(1), digit(2)
	c0, c1, c2 := sum[0][1], sum[1][1], sum[2][1]
	SHRQ(Imm(20), d0)
	SHRQ(Imm(20), d1)
	SHRQ(Imm(22), d2)
	ADDQ(c0, d1)
	MOVQ(d1, lo)
	ANDQ(low44, d1)
	SHRQ(Imm(44), lo)
	ADDQ(c1, lo)
	ADDQ(lo, d2)
	Pause()
	MOVQ(d2, lo)
	SHRQ(Imm(42), lo)
	ADDQ(c2, lo)
	LEAQ(Mem{Base: lo, Index: lo, Scale: 4}, lo) // 2^130 = 5
	ADDQ(lo, d0)
	MOVQ(U64(mask42), hi)
	ANDQ(hi, d2)
	MOVQ(d0, lo)
	ANDQ(low44, d0)
	SHRQ(Imm(44), lo)
	ADDQ(lo, d1)
	p.storeDigits(exponent)

	Pause()
	limbs := [3]GPPhysical{c0, c1, c2}
	MOVQ(d1, limbs[0])
	SHLQ(Imm(44), limbs[0])
	ORQ(d0, limbs[0])
	MOVQ(d1, limbs[1])
	SHRQ(Imm(20), limbs[1])
	MOVQ(d2, hi)
	SHLQ(Imm(24), hi)
	MOVQ(d2, limbs[2])
	SHRQ(Imm(40), limbs[2])
	ADDQ(hi, limbs[1])
	ADCQ(Imm(0), limbs[2])
	p.store(exponent, limbs)
}
