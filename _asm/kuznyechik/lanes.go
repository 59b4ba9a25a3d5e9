package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for few blocks: four blocks in the four lanes of a Z register, as
// they are in memory, a_15 first; one or two such registers at a time.
//
// L is a matrix M over GF(2^8). With M = U_0 + x U_1 + ... + x^7 U_7, the U_b being
// matrices of zeros and ones, L(a) is the sum of the U_b (x^b a), which takes two
// affine instructions of a kind the instruction is not made for, since in both the
// matrix operand is the state. Eight bytes a of half a block are a matrix of bits, and
//
//	f = affine(data: times(x^b), matrix: a)
//
// is the matrix of the bytes x^b a, transposed. Transposed it is the right operand to
//
//	affine(data: rows of U_b, matrix: f)
//
// each byte of which is a sum of those bytes x^b a that the row has ones for: byte
// j of a where bit 7-j is set. Half a block gives so its share of its own half of the
// result, by the words "own" below, and, by the words "other", of the other half.

// side is what differs between the directions.
type side struct {
	pi         Mem // the substitution, 256 bytes
	own, other Mem // eight times 16 bytes each
}

var (
	powers         Mem // eight times 16 bytes: times(x^b)
	roundConstants Mem // C_1, ..., C_32
	there, back    side
)

// halves returns the words "own" and "other" of the matrix m.
func halves(m matrix) (own, other []byte) {
	for b := range 8 {
		row := func(k, half int) (v byte) {
			for j := range 8 {
				v |= m[k][8*half+j] >> b & 1 << (7 - j)
			}
			return v
		}
		for half := range 2 {
			for k := range 8 {
				own = append(own, row(8*half+k, half))
				other = append(other, row(8*(1-half)+k, half))
			}
		}
	}
	return own, other
}

func tables() {
	var words []uint64
	for b := range 8 {
		words = append(words, times(1<<b), times(1<<b))
	}
	powers = wordsOf("powers", words...)
	var c []byte
	for i := range 32 {
		a := linear([16]byte{15: byte(i + 1)})
		c = append(c, a[:]...)
	}
	roundConstants = bytesOf("roundConstants", c)

	own, other := halves(matrixOf(linear))
	there = side{bytesOf("pi", pi[:]), bytesOf("own", own), bytesOf("other", other)}
	inverse := piInverse()
	own, other = halves(matrixOf(linearInverse))
	back = side{bytesOf("piInverse", inverse[:]), bytesOf("ownInverse", own), bytesOf("otherInverse", other)}
}

// group is the registers of a kernel in this file: n of them hold four blocks each.
type group struct {
	side
	x     []VecPhysical // the blocks
	s, w  []VecPhysical // sums of the shares of the own half and of the other
	tab   []VecPhysical // pi
	held  VecPhysical   // a round key
	rows  []VecPhysical // own and other
	spare []VecPhysical
	turn  int
}

var z = []VecPhysical{
	Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
	Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
}

func newGroup(s side, n int) *group {
	g := &group{side: s, x: z[:n], s: z[4 : 4+n], w: z[8 : 8+n], held: z[12], tab: z[16:20]}
	g.rows = append(append(g.rows, z[20:]...), z[2], z[3], z[6], z[7])
	g.spare = []VecPhysical{Z10, Z11, Z13, Z14, Z15}
	for b := range 8 {
		VBROADCASTI32X4(s.own.Offset(16*b), g.rows[b])
		VBROADCASTI32X4(s.other.Offset(16*b), g.rows[8+b])
	}
	for i, r := range g.tab {
		VMOVDQU64(g.pi.Offset(64*i), r)
	}
	return g
}

// temporary returns a register that the next few calls of it do not return.
func (g *group) temporary() VecPhysical {
	g.turn++
	return g.spare[g.turn%len(g.spare)]
}

// add is X[k].
func (g *group) add(k Mem) {
	VBROADCASTI32X4(k, g.held)
	for _, x := range g.x {
		VPXORQ(g.held, x, x)
	}
}

// substitute is S or its inverse.
func (g *group) substitute() {
	for _, x := range g.x {
		substitute(x, g.temporary(), g.tab)
	}
}

// substitute looks all bytes of x up in a table of 256, by its halves.
func substitute(x, lower VecPhysical, tab []VecPhysical) {
	VMOVDQA64(x, lower)
	VPMOVB2M(x, K1)
	VPERMI2B(tab[1], tab[0], lower)
	VPERMI2B(tab[3], tab[2], x)
	VPBLENDMB(x, lower, K1, x)
}

// linear is L or its inverse, and adds to the blocks what add holds, unless nil.
func (g *group) linear(add VecPhysical) {
	for b := range 8 {
		power := g.temporary()
		VBROADCASTI32X4(powers.Offset(16*b), power)
		f := make([]VecPhysical, len(g.x))
		for i, x := range g.x {
			f[i] = g.temporary()
			VGF2P8AFFINEQB(Imm(0), x, power, f[i])
		}
		g.share(g.w, f, b, g.rows[8+b])
		g.share(g.s, f, b, g.rows[b])
	}
	for i, x := range g.x {
		s, w := g.s[i], g.w[i]
		VPSHUFD(Imm(0x4e), w, w) // changes the halves
		if add == nil {
			VPXORQ(s, w, x)
		} else {
			VMOVDQA64(add, x)
			VPTERNLOGQ(Imm(0x96), s, w, x)
		}
	}
}

// share adds to sum what the bytes times x^b, transposed in f, give by r, a row of U_b.
func (g *group) share(sum, f []VecPhysical, b int, r VecPhysical) {
	for i := range f {
		if b == 0 {
			VGF2P8AFFINEQB(Imm(0), f[i], r, sum[i])
			continue
		}
		t := g.temporary()
		VGF2P8AFFINEQB(Imm(0), f[i], r, t)
		VPXORQ(t, sum[i], sum[i])
	}
}

// encrypt is E (section 4.5.1).
func (g *group) encrypt(keys, k, rounds GPPhysical) {
	g.add(Mem{Base: keys})
	LEAQ(Mem{Base: keys, Disp: 16}, k)
	repeat("round", rounds, 9, func() {
		g.substitute()
		VBROADCASTI32X4(Mem{Base: k}, g.held)
		g.linear(g.held)
		ADDQ(U8(16), k)
	})
}

// decrypt is D (section 4.5.2).
func (g *group) decrypt(keys, k, rounds GPPhysical) {
	g.add(Mem{Base: keys, Disp: 144})
	LEAQ(Mem{Base: keys, Disp: 128}, k)
	repeat("round", rounds, 9, func() {
		g.linear(nil)
		g.substitute()
		g.add(Mem{Base: k})
		SUBQ(U8(16), k)
	})
}

// lanes makes the kernels.
func lanes() {
	for _, blocks := range []int{4, 8} {
		for _, encrypt := range []bool{true, false} {
			name, s := "encrypt", there
			if !encrypt {
				name, s = "decrypt", back
			}
			TEXT(name+strconv.Itoa(blocks)+"AVX512", NOSPLIT, "func(keys *[160]byte, dst, src *byte)")
			Pragma("noescape")
			keys, dst, src := RAX, RDI, RSI
			Load(Param("keys"), keys)
			Load(Param("dst"), dst)
			Load(Param("src"), src)
			g := newGroup(s, blocks/4)
			for i, x := range g.x {
				VMOVDQU64(Mem{Base: src, Disp: 64 * i}, x)
			}
			if encrypt {
				g.encrypt(keys, RBX, RCX)
			} else {
				g.decrypt(keys, RBX, RCX)
			}
			for i, x := range g.x {
				VMOVDQU64(x, Mem{Base: dst, Disp: 64 * i})
			}
			leave()
		}
	}
}
