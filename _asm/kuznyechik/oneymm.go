package main

import (
	"bytes"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for one block at a time on CPUs without AVX-512, made for low latency:
// both lanes of a Y register hold the block. S looks up in the one lane those bytes
// whose bit 4 is 0, in the other those whose bit 4 is 1; L takes, as in one.go, half of
// the powers of x in each lane.

// double is what the kernels in this file use.
type double struct {
	gfni   bool
	side   side
	powers []VecPhysical // for gfni: x^0 and x^1, ..., x^6 and x^7
	own    []VecPhysical // likewise
	terms  [4][]Mem      // otherwise: places, see termsOf
}

var (
	lane      Mem    // 128 in the upper lane
	reduction Mem    // x^8
	fourth    [2]Mem // products with the lower halves of bytes and with the upper: by 1 and by x^4
)

// termsOf returns the places for L without an instruction for matrices: L(a) is
// the sum of the U_b (x^b a), as in lanes.go, so each byte of it a sum of bytes of the
// x^b a, which shuffles gather, one byte for each byte of the result at a time. A place
// of 128 gathers 0. The lower lane has b, the upper lane b + 4.
func termsOf(m matrix, b int) (terms []byte) {
	var places [32][]byte
	for k := range 32 {
		for j := range 16 {
			if m[k%16][j]>>(b+k/16*4)&1 == 1 {
				places[k] = append(places[k], byte(j))
			}
		}
	}
	most := 0
	for _, p := range places {
		most = max(most, len(p))
	}
	for i := range most {
		for _, p := range places {
			place := byte(128)
			if i < len(p) {
				place = p[i]
			}
			terms = append(terms, place)
		}
	}
	return terms
}

// substitute is S or its inverse: among sixteen tables of 16 bytes, two in a register,
// the upper half of a byte chooses.
func (v *double) substitute() {
	x, index, bit6, bit5 := Y0, Y1, Y2, Y3
	free := []VecPhysical{Y4, Y5, Y6, Y7}
	VPAND(low4, x, index)
	VPADDB(x, x, bit6)
	VPADDB(bit6, bit6, bit5)
	take := func() VecPhysical {
		r := free[0]
		free = free[1:]
		return r
	}
	// choose returns what the table with the upper bits n says, of bits 7 to 5 those
	// undecided that bits lists, the last one first.
	var choose func(n int, bits []int) VecPhysical
	choose = func(n int, bits []int) VecPhysical {
		if len(bits) == 0 {
			r := take()
			VMOVDQU(v.side.pi.Offset(32*n), r)
			VPSHUFB(index, r, r)
			return r
		}
		zero := choose(n, bits[1:])
		one := choose(n+1<<(bits[0]-5), bits[1:])
		VPBLENDVB(map[int]VecPhysical{5: bit5, 6: bit6, 7: x}[bits[0]], one, zero, zero)
		free = append(free, one)
		return zero
	}
	r := choose(0, []int{5, 6, 7})
	VPERM2I128(Imm(1), r, r, x)
	VPADDB(bit5, bit5, bit5) // now bit 4
	VPXOR(lane, bit5, bit5)
	VPBLENDVB(bit5, x, r, x)
}

// linear is L or its inverse, and adds to the block what is at add, unless nil.
func (v *double) linear(add *Mem) {
	x, sum, swapped := Y0, Y4, Y5
	if v.gfni {
		v.products(sum)
	} else {
		v.gather(sum)
	}
	// The sum of the lanes, in both.
	VPERM2I128(Imm(1), sum, sum, swapped)
	if add != nil {
		VBROADCASTI128(*add, Y1)
		VPXOR(Y1, sum, sum)
	}
	VPXOR(swapped, sum, x)
}

// products leaves the shares of the lanes in sum.
func (v *double) products(sum VecPhysical) {
	x, w := Y0, Y5
	for i := range 4 {
		f, t, u := Y1, Y2, Y3
		VGF2P8AFFINEQB(Imm(0), x, v.powers[i], f)
		VMOVDQU(v.side.other.Offset(32*i), u)
		if i == 0 {
			VGF2P8AFFINEQB(Imm(0), f, u, w)
			VGF2P8AFFINEQB(Imm(0), f, v.own[i], sum)
			continue
		}
		VGF2P8AFFINEQB(Imm(0), f, u, u)
		VGF2P8AFFINEQB(Imm(0), f, v.own[i], t)
		VPXOR(u, w, w)
		VPXOR(t, sum, sum)
	}
	VPSHUFD(Imm(0x4e), w, w) // changes the halves
	VPXOR(w, sum, sum)
}

// gather does so without GFNI.
func (v *double) gather(sum VecPhysical) {
	x, upper, table := Y0, Y1, Y2
	split(x, upper, Y15)
	VPSHUFB(x, Y14, x)
	VPSHUFB(upper, Y13, table)
	VPXOR(table, x, x) // the block, and x^4 times the block
	sums := []VecPhysical{sum, Y6, Y7, Y8}
	n := 0
	for b, terms := range v.terms {
		if b > 0 { // times x
			VPCMPGTB(x, Y12, Y1)
			VPADDB(x, x, x)
			VPAND(Y11, Y1, Y1)
			VPXOR(Y1, x, x)
		}
		for _, places := range terms {
			if n < len(sums) {
				VPSHUFB(places, x, sums[n])
			} else {
				t := []VecPhysical{Y2, Y3, Y9, Y10}[n%4]
				VPSHUFB(places, x, t)
				VPXOR(t, sums[n%4], sums[n%4])
			}
			n++
		}
	}
	VPXOR(sums[1], sums[0], sums[0])
	VPXOR(sums[3], sums[2], sums[2])
	VPXOR(sums[2], sums[0], sums[0])
}

// load loads what stays in registers.
func (v *double) load() {
	if v.gfni {
		v.powers, v.own = y[8:12], y[12:16]
		for i := range 4 {
			VMOVDQU(powers.Offset(32*i), v.powers[i])
			VMOVDQU(v.side.own.Offset(32*i), v.own[i])
		}
		return
	}
	VMOVDQU(low4, Y15)
	VMOVDQU(fourth[0], Y14)
	VMOVDQU(fourth[1], Y13)
	VPXOR(Y12, Y12, Y12)
	VMOVDQU(reduction, Y11)
}

// add is X[k].
func (v *double) add(k Mem) {
	VBROADCASTI128(k, Y1)
	VPXOR(Y1, Y0, Y0)
}

// encrypt is E (section 4.5.1).
func (v *double) encrypt(keys, k, rounds GPPhysical) {
	v.add(Mem{Base: keys})
	LEAQ(Mem{Base: keys, Disp: 16}, k)
	repeat("round", rounds, 9, func() {
		v.substitute()
		v.linear(&Mem{Base: k})
		ADDQ(U8(16), k)
	})
}

// decrypt is D (section 4.5.2).
func (v *double) decrypt(keys, k, rounds GPPhysical) {
	v.add(Mem{Base: keys, Disp: 144})
	LEAQ(Mem{Base: keys, Disp: 128}, k)
	repeat("round", rounds, 9, func() {
		v.linear(nil)
		v.substitute()
		v.add(Mem{Base: k})
		SUBQ(U8(16), k)
	})
}

// oneByOne makes the kernels.
func oneByOne() {
	lane = bytesOf("lane", append(make([]byte, 16), bytes.Repeat([]byte{128}, 16)...))
	reduction = bytesOf("reduction", bytes.Repeat([]byte{multiply(128, 2)}, 32))
	for i, shift := range []int{0, 4} {
		by1 := nibbleTable(func(n byte) byte { return n << shift })
		by16 := nibbleTable(func(n byte) byte { return multiply(16, n<<shift) })
		fourth[i] = bytesOf("fourth"+strconv.Itoa(i), append(by1[:], by16[:]...))
	}
	for _, inverse := range []bool{false, true} {
		s, name, m := there, "terms", matrixOf(linear)
		if inverse {
			s, name, m = back, "termsInverse", matrixOf(linearInverse)
		}
		v := double{side: s}
		for b := range v.terms {
			terms := termsOf(m, b)
			all := bytesOf(name+strconv.Itoa(b), terms)
			for i := 0; i < len(terms); i += 32 {
				v.terms[b] = append(v.terms[b], all.Offset(i))
			}
		}
		for _, gfni := range []bool{true, false} {
			tier := "AVX2"
			if gfni {
				tier = "AVX2GFNI"
			}
			v.gfni = gfni
			v.blocks(inverse, tier)
			if !inverse {
				v.chain(tier)
				v.expand(tier)
			}
		}
	}
}

// blocks makes the kernel of EncryptBlocks or DecryptBlocks.
func (v *double) blocks(inverse bool, tier string) {
	name := "encryptEach"
	if inverse {
		name = "decryptEach"
	}
	TEXT(name+tier, NOSPLIT, "func(keys *[160]byte, dst, src *byte, blocks int)")
	Pragma("noescape")
	keys, dst, src, blocks := RAX, RDI, RSI, R9
	Load(Param("keys"), keys)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("blocks"), blocks)
	v.load()
	Label("block")
	VBROADCASTI128(Mem{Base: src}, Y0)
	if inverse {
		v.decrypt(keys, RBX, RCX)
	} else {
		v.encrypt(keys, RBX, RCX)
	}
	VMOVDQU(Y0.AsX(), Mem{Base: dst})
	ADDQ(U8(16), src)
	ADDQ(U8(16), dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	leave()
}

// chain makes the kernel of batch.Chain.
func (v *double) chain(tier string) {
	TEXT("chain"+tier, NOSPLIT, "func(keys *[160]byte, dst, src, st *byte, step, blocks int)")
	Pragma("noescape")
	keys, dst, src, st, step, blocks := RAX, RDI, RSI, RDX, R8, R9
	Load(Param("keys"), keys)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("st"), st)
	Load(Param("step"), step)
	Load(Param("blocks"), blocks)
	v.load()
	VBROADCASTI128(Mem{Base: st}, Y0)
	Label("block")
	v.add(Mem{Base: src})
	v.encrypt(keys, RBX, RCX)
	VMOVDQU(Y0.AsX(), Mem{Base: dst})
	ADDQ(U8(16), src)
	ADDQ(step, dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	VMOVDQU(Y0.AsX(), Mem{Base: st})
	leave()
}

// expand makes the kernel of the key schedule.
func (v *double) expand(tier string) {
	TEXT("expand"+tier, NOSPLIT, "func(keys *[160]byte, words *[160]uint32, key *byte)")
	Pragma("noescape")
	Doc("expand"+tier+" computes the round keys (section 4.4), and writes each of their bytes",
		"four times to words.")
	keys, words, key, c, next := RAX, RDI, RSI, RBX, R8
	Load(Param("keys"), keys)
	Load(Param("words"), words)
	Load(Param("key"), key)
	v.load()
	// a1 is in Y0, a0 where the last keys will be.
	slots := []Mem{{Base: keys, Disp: 128}, {Base: keys, Disp: 144}}
	MOVQ(keys, next)
	store := func() {
		VMOVDQU(slots[0], X1)
		VMOVDQU(Y0.AsX(), Mem{Base: next})
		VMOVDQU(X1, Mem{Base: next, Disp: 16})
		ADDQ(U8(32), next)
	}
	VBROADCASTI128(Mem{Base: key}, Y0)
	VMOVDQU(Mem{Base: key, Disp: 16}, X1)
	VMOVDQU(X1, slots[0])
	store()
	LEAQ(roundConstants, c)
	repeat("pair", RCX, 4, func() {
		repeat("eight", RDX, 4, func() {
			for i := range 2 {
				// F[C](a1, a0) = (LSX[C](a1) xor a0, a1)
				VMOVDQU(Y0.AsX(), slots[1-i])
				v.add(Mem{Base: c})
				ADDQ(U8(16), c)
				v.substitute()
				v.linear(&slots[i])
			}
		})
		store()
	})
	repeat("key", RCX, 10, func() {
		VBROADCASTI128(Mem{Base: keys}, Y0)
		VPSHUFB(byFour, Y0, Y1)
		VPSHUFB(byFour.Offset(32), Y0, Y0)
		VMOVDQU(Y1, Mem{Base: words})
		VMOVDQU(Y0, Mem{Base: words, Disp: 32})
		ADDQ(U8(16), keys)
		ADDQ(U8(64), words)
	})
	leave()
}
