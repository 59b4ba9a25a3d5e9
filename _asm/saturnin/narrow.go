package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for 16 blocks: as those for 32, in Y registers. The state fills all of
// them. The matrix gets by with that, all else needs a register besides: so one plane
// is in memory, of D while A to C are worked on, then of A.

type narrow struct {
	rows    [4]row
	t       VecPhysical // free at some time
	spilled Mem         // places for two planes
	keys    [2]Mem      // K and K', each word in all lanes
}

var y = [16]VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}

// A part is something that is done with a row.
type part func(n *narrow, i int)

// phase does what comes between two multiplications with the matrix.
func (n *narrow) phase(parts ...part) {
	d := n.rows[3][3]
	VMOVDQU(d, n.spilled)
	n.t = d
	for _, p := range parts {
		for i := range 3 {
			p(n, i)
		}
	}
	a := n.rows[0][0]
	VMOVDQU(a, n.spilled.Offset(32))
	VMOVDQU(n.spilled, d)
	n.t = a
	for _, p := range parts {
		p(n, 3)
	}
	VMOVDQU(n.spilled.Offset(32), a)
}

// nibbleMasks are the bits that stay in a nibble if it moves up by 1, 2 or 3.
var nibbleMasks = func() Mem {
	var b []byte
	for n := range 3 {
		b = append(b, repeated(32, byte(0xf<<(n+1)&0xf*0x11))...)
	}
	return bytesOf("nibbleMasks", b)
}()

// slicePart is SR_slice with s = 1, its inverse with s = 3.
func slicePart(s int) part {
	return func(n *narrow, i int) {
		up := s * i % 4
		if up == 0 {
			return
		}
		for _, v := range n.rows[i] {
			VPSLLW(U8(up), v, n.t)
			VPSRLW(U8(4-up), v, v)
			VPAND(nibbleMasks.Offset(32*(up-1)), n.t, n.t)
			VPAND(lowNibbles.Offset(32*(up-1)), v, v)
			VPOR(n.t, v, v)
		}
	}
}

// lowNibbles are the bits that nibbleMasks leaves.
var lowNibbles = func() Mem {
	var b []byte
	for n := range 3 {
		b = append(b, repeated(32, byte(^(0xf<<(n+1))&0xf*0x11))...)
	}
	return bytesOf("lowNibbles", b)
}()

// sheetPart is SR_sheet with s = 1, its inverse with s = 3.
func sheetPart(s int) part {
	return func(n *narrow, i int) {
		up := 4 * (s * i % 4)
		for _, v := range n.rows[i] {
			switch up {
			case 0:
			case 8:
				VPSHUFB(swapBytes, v, v)
			default:
				VPSLLW(U8(up), v, n.t)
				VPSRLW(U8(16-up), v, v)
				VPOR(n.t, v, v)
			}
		}
	}
}

// keyPart adds K or K'.
func keyPart(key int) part {
	return func(n *narrow, i int) {
		for j, v := range n.rows[i] {
			VPXOR(n.keys[key].Offset(32*(4*i+j)), v, v)
		}
	}
}

// constantPart adds the constants at k, of which the words are RC0 and, at the end, RC1.
func constantPart(k Mem) part {
	return func(n *narrow, i int) {
		switch i {
		case 0:
			VPBROADCASTD(k, n.t)
		case 2:
			VPBROADCASTD(k.Offset(12), n.t)
		default:
			return
		}
		VPXOR(n.t, n.rows[i][0], n.rows[i][0])
	}
}

// gates puts a circuit on a row, gate by gate.
func (n *narrow) gates(circuit [][]gate, r row) {
	for _, level := range circuit {
		for _, g := range level {
			switch g.f {
			case addOr:
				VPOR(r[g.late], r[g.other], n.t)
			default: // addAndNot becomes addAnd, as the other plane is new
				VPAND(r[g.late], r[g.other], n.t)
			}
			VPXOR(n.t, r[g.x], r[g.x])
		}
	}
}

// substitutePart is S.
func substitutePart(n *narrow, i int) {
	r := &n.rows[i]
	n.gates(circuit, *r)
	if i%2 == 0 {
		*r = order0(*r)
	} else {
		*r = order1(*r)
	}
}

// unsubstitutePart is S undone.
func unsubstitutePart(n *narrow, i int) {
	r := &n.rows[i]
	if i%2 == 0 {
		*r = unorder0(*r)
	} else {
		*r = unorder1(*r)
	}
	n.gates(uncircuit, *r)
}

// swapPart puts the planes where they are after two more rounds: those of A and C come
// back after four rounds, those of B and D after two.
func swapPart(n *narrow, i int) {
	r := n.rows[i].turned(2)
	if i%2 == 1 {
		return
	}
	for j := range 2 {
		VMOVDQA(r[j], n.t)
		VMOVDQA(r[j+2], r[j])
		VMOVDQA(n.t, r[j+2])
	}
	n.rows[i] = r
}

func (n *narrow) addRow(to, from int) {
	for j, v := range n.rows[to] {
		VPXOR(n.rows[from][j], v, v)
	}
}

// alpha multiplies a row.
func (n *narrow) alpha(i int) {
	r := n.rows[i]
	VPXOR(r[1], r[0], r[0])
	n.rows[i] = r.turned(1)
}

func (n *narrow) unalpha(i int) {
	r := n.rows[i].turned(3)
	VPXOR(r[1], r[0], r[0])
	n.rows[i] = r
}

// mix is the MDS matrix.
func (n *narrow) mix() {
	n.addRow(2, 3)
	n.addRow(0, 1)
	n.alpha(1)
	n.alpha(3)
	n.addRow(1, 2)
	n.addRow(3, 0)
	for range 2 {
		n.alpha(0)
		n.alpha(2)
	}
	n.addRow(2, 3)
	n.addRow(0, 1)
	n.addRow(1, 2)
	n.addRow(3, 0)
}

// unmix is the inverse of the matrix.
func (n *narrow) unmix() {
	n.addRow(1, 2)
	n.addRow(3, 0)
	n.addRow(2, 3)
	n.addRow(0, 1)
	for range 2 {
		n.unalpha(0)
		n.unalpha(2)
	}
	n.addRow(1, 2)
	n.addRow(3, 0)
	n.unalpha(1)
	n.unalpha(3)
	n.addRow(2, 3)
	n.addRow(0, 1)
}
