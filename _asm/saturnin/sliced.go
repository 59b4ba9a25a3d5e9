package main

import (
	"maps"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for 32 blocks: each of the registers r0 to r15 is a Z register, with a
// block in each 16-bit lane. Lane 8l + j holds block 4j + l: so the words of a block
// come together in one of the four parts of a register by unpacking alone.
//
// All operations have three inputs. Round keys and constants are added by those that
// the matrix would use with two. Copies cost nothing.

// row is the four bit planes of a row.
type row [4]VecPhysical

func (r row) turned(n int) row { return row{r[n%4], r[(n+1)%4], r[(n+2)%4], r[(n+3)%4]} }

type sliced struct {
	a, b, c, d row
	free       []VecPhysical
	rotations  [4]VecPhysical // matrices that rotate the nibbles of bytes
}

func (s *sliced) take() VecPhysical {
	r := s.free[0]
	s.free = s.free[1:]
	return r
}

func (s *sliced) give(r VecPhysical) { s.free = append(s.free, r) }

// Functions of three inputs, the first of which the result replaces. The other two
// take a cycle longer: the one that is ready last has to be the first.
const (
	sum    = 0x96 // x ^ y ^ z
	addAnd = 0x6c // y ^ x & z
	addOr  = 0x36 // y ^ (x | z)

	addAndNot = 0x9c // y ^ x &^ z
)

// make returns f of late, y and z.
func (s *sliced) make(f uint8, late, y VecPhysical, z Op) VecPhysical {
	r := s.take()
	VMOVDQA64(late, r)
	if m, ok := z.(Mem); ok {
		VPTERNLOGD_BCST(U8(f), m, y, r)
	} else {
		VPTERNLOGD(U8(f), z, y, r)
	}
	return r
}

// replaced is make where y is not needed any more.
func (s *sliced) replaced(f uint8, late, y VecPhysical, z Op) VecPhysical {
	r := s.make(f, late, y, z)
	s.give(y)
	return r
}

// add adds y to x.
func add(y, x Op) { VPXORD(y, x, x) }

// addTo adds y to the register *x, and k, unless that is nil: a word for all blocks,
// twice 16 bits.
func (s *sliced) addTo(x *VecPhysical, y VecPhysical, k Op) {
	if k == nil {
		add(y, *x)
	} else {
		*x = s.replaced(sum, y, *x, k)
	}
}

// addRow adds y to x, and the four words at k.
func (s *sliced) addRow(x *row, y row, k Op) {
	for i := range x {
		s.addTo(&x[i], y[i], word(k, i))
	}
}

// A gate replaces plane x: x ^= late & other, or x ^= late | other.
type gate struct {
	f              uint8
	x, late, other int
}

// circuit is what the S-boxes have in common, uncircuit the same undone. Gates of one
// level are put on what was before it: after b is known, d ^= b | c and c ^= b & d come
// to the same as c ^= b &^ d with the old d, and the other way round they do with the
// old c anyway.
var (
	circuit = [][]gate{
		{{addAnd, 0, 1, 2}}, {{addOr, 1, 0, 3}}, {{addOr, 3, 1, 2}, {addAndNot, 2, 1, 3}},
		{{addOr, 1, 2, 0}}, {{addOr, 0, 1, 3}},
	}
	uncircuit = [][]gate{
		{{addOr, 0, 1, 3}}, {{addOr, 1, 0, 2}}, {{addAnd, 2, 1, 3}, {addOr, 3, 1, 2}},
		{{addOr, 1, 3, 0}}, {{addAnd, 0, 1, 2}},
	}
)

// gates puts a circuit on rows.
func (s *sliced) gates(circuit [][]gate, rows ...*row) {
	for _, level := range circuit {
		for _, r := range rows {
			old := *r
			for _, g := range level {
				r[g.x] = s.make(g.f, old[g.late], old[g.x], old[g.other])
			}
			for _, g := range level {
				s.give(old[g.x])
			}
		}
	}
}

// substitute is S.
func (s *sliced) substitute() {
	s.gates(circuit, &s.a, &s.b, &s.c, &s.d)
	s.a, s.b, s.c, s.d = order0(s.a), order1(s.b), order0(s.c), order1(s.d)
}

func order0(r row) row { return row{r[1], r[2], r[3], r[0]} }
func order1(r row) row { return row{r[3], r[1], r[0], r[2]} }

// unsubstitute is S undone.
func (s *sliced) unsubstitute() {
	s.a, s.b, s.c, s.d = unorder0(s.a), unorder1(s.b), unorder0(s.c), unorder1(s.d)
	s.gates(uncircuit, &s.a, &s.b, &s.c, &s.d)
}

func unorder0(r row) row { return row{r[3], r[0], r[1], r[2]} }
func unorder1(r row) row { return row{r[2], r[1], r[3], r[0]} }

// words is where a round finds what it adds, if anything.
type words struct{ key, constants Op }

func word(base Op, n int) Op {
	if base == nil {
		return nil
	}
	return base.(Mem).Offset(4 * n)
}

// mix is the MDS matrix. Of the key the words are those of the rows A and C at the
// start, and of B and D at the end, that result in its addition. The constants are RC0,
// RC1 and their sum: those that B and D get cancel what they would get later.
func (s *sliced) mix(w words) {
	s.addRow(&s.c, s.d, word(w.key, 8))
	s.addRow(&s.a, s.b, word(w.key, 0))
	s.mixed(w)
}

// mixed is mix after C ^= D, A ^= B.
func (s *sliced) mixed(w words) {
	a, b, c, d := &s.a, &s.b, &s.c, &s.d
	// B = alpha(B) ^ C, D = alpha(D) ^ A
	for i, v := range [][2]*row{{b, c}, {d, a}} {
		x, y := v[0], v[1]
		x[0] = s.replaced(sum, y[3], x[0], x[1])
		s.addTo(&x[1], y[0], word(w.constants, 1-i))
		add(y[1], x[2])
		add(y[2], x[3])
	}
	*b, *d = b.turned(1), d.turned(1)
	// C = alpha^2(C) ^ D, A = alpha^2(A) ^ B
	for _, v := range [][2]*row{{c, d}, {a, b}} {
		x, y := v[0], v[1]
		x[0] = s.replaced(sum, y[2], x[0], x[1])
		x[1] = s.replaced(sum, y[3], x[1], x[2])
		s.addTo(&x[2], y[0], word(w.constants, 2))
		add(y[1], x[3])
	}
	*a, *c = a.turned(2), c.turned(2)
	s.addRow(b, *c, word(w.key, 4))
	s.addRow(d, *a, word(w.key, 12))
}

// unmix is the inverse of the matrix. Of the key the words are those of B and D at the
// start, and of A and C at the end.
func (s *sliced) unmix(w words) {
	a, b, c, d := &s.a, &s.b, &s.c, &s.d
	s.addRow(b, *c, word(w.key, 4))
	s.addRow(d, *a, word(w.key, 12))
	// C = alpha^-2(C ^ D), A = alpha^-2(A ^ B)
	for _, v := range [][2]*row{{c, d}, {a, b}} {
		x, y := v[0], v[1]
		s.addTo(&x[0], y[0], word(w.constants, 2))
		add(y[1], x[1])
		x[3] = s.replaced(sum, x[0], x[3], y[3])
		x[2] = s.replaced(sum, x[3], x[2], y[2])
	}
	*a, *c = a.turned(2), c.turned(2)
	// B = alpha^-1(B ^ C), D = alpha^-1(D ^ A)
	for i, v := range [][2]*row{{b, c}, {d, a}} {
		x, y := v[0], v[1]
		s.addTo(&x[0], y[0], word(w.constants, 1-i))
		add(y[1], x[1])
		add(y[2], x[2])
		x[3] = s.replaced(sum, x[0], x[3], y[3])
	}
	*b, *d = b.turned(3), d.turned(3)
	s.addRow(c, *d, word(w.key, 8))
	s.addRow(a, *b, word(w.key, 0))
}

// slice is SR_slice with n = 1, its inverse with n = 3.
func (s *sliced) slice(n int) {
	for i, r := range []row{s.b, s.c, s.d} {
		for _, v := range r {
			VGF2P8AFFINEQB(Imm(0), s.rotations[n*(i+1)%4], v, v)
		}
	}
}

// sheet is SR_sheet with n = 1, its inverse with n = 3.
func (s *sliced) sheet(n int) {
	for i, r := range []row{s.b, s.c, s.d} {
		for _, v := range r {
			VPSHLDW(U8(4*(n*(i+1)%4)), v, v, v)
		}
	}
}

// nibbleRotations are matrices for VGF2P8AFFINEQB, which makes bit 7 of the first row.
var nibbleRotations = func() Mem {
	var b []byte
	for n := 1; n < 4; n++ {
		for bit := 7; bit >= 0; bit-- {
			b = append(b, 1<<(bit&4|(bit-n)&3))
		}
	}
	return bytesOf("nibbleRotations", b)
}()

func (s *sliced) registers() (v []VecPhysical) {
	for _, r := range []row{s.a, s.b, s.c, s.d} {
		v = append(v, r[:]...)
	}
	return v
}

// now returns which registers are used for what.
func (s *sliced) now() sliced {
	t := *s
	t.free = slices.Clone(s.free)
	return t
}

// settle moves the planes to where they were in to.
func (s *sliced) settle(to sliced) {
	from := map[VecPhysical]VecPhysical{} // by where it has to go
	for i, r := range s.registers() {
		if t := to.registers()[i]; r != t {
			from[t] = r
		}
	}
	used := func(r VecPhysical) bool {
		return slices.Contains(slices.Collect(maps.Values(from)), r)
	}
	for len(from) > 0 {
		moved := false
		for _, t := range to.registers() {
			if r, ok := from[t]; ok && !used(t) {
				VMOVDQA64(r, t)
				delete(from, t)
				moved = true
			}
		}
		if moved {
			continue
		}
		// Only circles are left.
		for _, t := range to.registers() {
			if r, ok := from[t]; ok {
				spare := to.free[slices.IndexFunc(to.free, func(f VecPhysical) bool { return !used(f) })]
				VMOVDQA64(r, spare)
				from[t] = spare
				break
			}
		}
	}
	*s = to.now()
}
