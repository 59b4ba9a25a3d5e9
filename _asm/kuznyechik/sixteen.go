package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for 16 blocks: lane l of register i, of four, holds the bytes at place
// 4i+l of all blocks, as they are in memory, a_15 first. Register i of the result of L is
// the sum over the registers j and their rotations by r lanes of their products with
// the entries of the matrix in row 4i+l and column 4j+(l+r)%4.

// square is the registers of the kernels in this file.
type square struct {
	side    side
	entries Mem
	x       []VecPhysical // the blocks
	sum     []VecPhysical
	tab     []VecPhysical // pi
	places  []VecPhysical // of a block that each register takes
	spare   []VecPhysical
	turn    int
}

// entriesOf returns the operands for L, in the order of use.
func entriesOf(m matrix) (e []uint64) {
	for j := range 4 {
		for r := range 4 {
			for i := range 4 {
				for l := range 4 {
					c := times(m[4*i+l][4*j+(l+r)%4])
					e = append(e, c, c)
				}
			}
		}
	}
	return e
}

// permutation is a symbol with the 64 values of f.
func permutation(name string, f func(n int) int) Mem {
	var b [64]byte
	for n := range b {
		b[n] = byte(f(n))
	}
	return bytesOf(name, b[:])
}

func (v *square) temporary() VecPhysical {
	v.turn++
	return v.spare[v.turn%len(v.spare)]
}

// turnLanes moves lane l+r, modulo 4, to lane l.
func turnLanes(r int, x, dst VecPhysical) {
	VSHUFI64X2(Imm(uint64(0xe4e4>>(2*r)&0xff)), x, x, dst)
}

// linear is L or its inverse.
func (v *square) linear() {
	n := 0
	var held [4]VecPhysical // what the next sum takes along
	for j, x := range v.x {
		for r := range 4 {
			turned := x
			if r > 0 {
				turned = v.temporary()
				turnLanes(r, x, turned)
			}
			for i, sum := range v.sum {
				e := v.entries.Offset(64 * n)
				n++
				switch {
				case j == 0 && r == 0:
					VGF2P8AFFINEQB(Imm(0), e, turned, sum)
				case held[i] == nil:
					held[i] = v.temporary()
					VGF2P8AFFINEQB(Imm(0), e, turned, held[i])
				default:
					t := v.temporary()
					VGF2P8AFFINEQB(Imm(0), e, turned, t)
					VPTERNLOGQ(Imm(0x96), t, held[i], sum)
					held[i] = nil
				}
			}
		}
	}
	for i, sum := range v.sum {
		VPXORQ(held[i], sum, v.x[i])
	}
}

// add is X of a round key, each byte of which is a word at key. VPERMD looks at four bits of
// the places, which stand in all bytes of a word.
func (v *square) add(key Mem) {
	for i, x := range v.x {
		k := v.temporary()
		VPERMD(key, v.places[i], k)
		VPXORQ(k, x, x)
	}
}

func (v *square) substitute() {
	for _, x := range v.x {
		substitute(x, v.temporary(), v.tab)
	}
}

// encrypt is E (section 4.5.1).
func (v *square) encrypt(keys, k, rounds GPPhysical) {
	MOVQ(keys, k)
	repeat("round", rounds, 9, func() {
		v.add(Mem{Base: k})
		v.substitute()
		v.linear()
		ADDQ(U8(64), k)
	})
	v.add(Mem{Base: k})
}

// decrypt is D (section 4.5.2).
func (v *square) decrypt(keys, k, rounds GPPhysical) {
	LEAQ(Mem{Base: keys, Disp: 9 * 64}, k)
	v.add(Mem{Base: k})
	repeat("round", rounds, 9, func() {
		SUBQ(U8(64), k)
		v.linear()
		v.substitute()
		v.add(Mem{Base: k})
	})
}

// transpose exchanges the number of a register with that of a lane.
func (v *square) transpose() {
	x, t := v.x, v.sum
	VSHUFI64X2(Imm(0x44), x[1], x[0], t[0])
	VSHUFI64X2(Imm(0xee), x[1], x[0], t[1])
	VSHUFI64X2(Imm(0x44), x[3], x[2], t[2])
	VSHUFI64X2(Imm(0xee), x[3], x[2], t[3])
	for i := range 2 {
		VSHUFI64X2(Imm(0x88), t[2+i], t[i], x[2*i])
		VSHUFI64X2(Imm(0xdd), t[2+i], t[i], x[2*i+1])
	}
}

// permute moves the bytes of each register.
func (v *square) permute(places Mem) {
	p := v.temporary()
	VMOVDQU64(places, p)
	for _, x := range v.x {
		VPERMB(x, p, x)
	}
}

// The places that permute takes. A register in memory holds a block in each lane: first
// lane i takes the places from 4i on, each in a word; in the end a word of each
// lane comes from one register.
var (
	gather, scatter Mem
	wordsToLanes    Mem
	inRegister      [4]Mem // of a block, or the words of a round key: what register i takes
)

func permutations() {
	gather = permutation("gather", func(n int) int { return n%4*16 + n/4 })
	scatter = permutation("scatter", func(n int) int { return n%16*4 + n/16 })
	wordsToLanes = permutation("wordsToLanes", func(n int) int { return n/4%4*16 + n/16*4 + n%4 })
	for i := range 4 {
		inRegister[i] = permutation("inRegister"+string(rune('0'+i)), func(n int) int { return 4*i + n/16 })
	}
}

func newSquare(s side, entries Mem) *square {
	v := &square{
		side: s, entries: entries,
		x: z[:4], sum: z[4:8], tab: z[8:12], places: z[12:16], spare: z[16:],
	}
	for i := range 4 {
		VMOVDQU64(s.pi.Offset(64*i), v.tab[i])
		VMOVDQU64(inRegister[i], v.places[i])
	}
	return v
}

// load reads 16 blocks.
func (v *square) load(src GPPhysical) {
	for i, x := range v.x {
		VMOVDQU64(Mem{Base: src, Disp: 64 * i}, x)
	}
	v.permute(gather)
	v.transpose()
	v.permute(wordsToLanes)
}

func (v *square) store(dst GPPhysical, src *GPPhysical) {
	v.permute(wordsToLanes)
	v.transpose()
	v.permute(scatter)
	for i, x := range v.x {
		if src != nil {
			VPXORQ(Mem{Base: *src, Disp: 64 * i}, x, x)
		}
		VMOVDQU64(x, Mem{Base: dst, Disp: 64 * i})
	}
}

// sixteen makes the kernels.
func sixteen() {
	permutations()
	entries := wordsOf("entries", entriesOf(matrixOf(linear))...)
	for _, encrypt := range []bool{true, false} {
		name := "encrypt"
		if !encrypt {
			name = "decrypt"
		}
		TEXT(name+"16AVX512", NOSPLIT, "func(words *[160]uint32, dst, src *byte)")
		Pragma("noescape")
		words, dst, src := RAX, RDI, RSI
		Load(Param("words"), words)
		Load(Param("dst"), dst)
		Load(Param("src"), src)
		if encrypt {
			v := newSquare(there, entries)
			v.load(src)
			v.encrypt(words, RBX, RCX)
			v.store(dst, nil)
		} else {
			v := newSquare(back, wordsOf("entriesInverse", entriesOf(matrixOf(linearInverse))...))
			v.load(src)
			v.decrypt(words, RBX, RCX)
			v.store(dst, nil)
		}
		leave()
	}
	counter16(entries)
}

// counter16 makes the kernel of batch.Counter, as counter does in sliced.go.
func counter16(entries Mem) {
	TEXT("counter16AVX512", NOSPLIT, "func(words *[160]uint32, dst, src *byte, ctr *[32]byte, low int)")
	Pragma("noescape")
	Doc("counter16AVX512 does so with 16 counter blocks: see counter64AVX512.")
	words, dst, src, ctr, low := RAX, RDI, RSI, RDX, R8
	Load(Param("words"), words)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("ctr"), ctr)
	Load(Param("low"), low)
	first, wrapped, lowest, count := Z16, Z17, Z18, Z19
	v := newSquare(there, entries)
	VPBROADCASTB(Mem{Base: ctr, Index: low, Scale: 1}, lowest)
	VPADDB(permutation("number", func(n int) int { return n % 16 }), lowest, count)
	VPCMPUB(Imm(1), lowest, count, K1) // less than before: it wrapped
	VBROADCASTI32X4(Mem{Base: ctr}, first)
	VBROADCASTI32X4(Mem{Base: ctr, Disp: 16}, wrapped)
	for i, x := range v.x {
		VPERMB(first, v.places[i], x)
		VPERMB(wrapped, v.places[i], K1, x)
	}
	MOVQ(U64(0xffff<<48), RBX) // lane 3
	KMOVQ(RBX, K1)
	CMPQ(low, U8(15))
	JEQ(LabelRef("lowIs15"))
	VMOVDQU8(count, K1, v.x[1])
	JMP(LabelRef("counted"))
	Label("lowIs15")
	VMOVDQU8(count, K1, v.x[3])
	Label("counted")
	v.encrypt(words, RBX, RCX)
	v.store(dst, &src)
	leave()
}
