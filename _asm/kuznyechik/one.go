package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for one block, made for low latency: all four lanes hold the block,
// and each of them takes two of the eight powers of x that lanes.go describes, lane
// l x^l and x^(l+4). At the end of L the lanes are added up.

// single is the registers of a kernel in this file.
type single struct {
	x          VecPhysical
	tab        []VecPhysical  // pi
	powers     [2]VecPhysical // x^0 ... x^3, x^4 ... x^7
	own, other [2]VecPhysical // likewise
	held       VecPhysical    // a round key
	spare      [6]VecPhysical
}

func newSingle(s side) *single {
	g := &single{
		x: z[0], tab: z[16:20], held: z[1],
		powers: [2]VecPhysical{Z20, Z21},
		own:    [2]VecPhysical{Z22, Z23},
		other:  [2]VecPhysical{Z24, Z25},
		spare:  [6]VecPhysical{Z4, Z5, Z6, Z7, Z8, Z9},
	}
	for i, r := range g.tab {
		VMOVDQU64(s.pi.Offset(64*i), r)
	}
	for i := range 2 {
		VMOVDQU64(powers.Offset(64*i), g.powers[i])
		VMOVDQU64(s.own.Offset(64*i), g.own[i])
		VMOVDQU64(s.other.Offset(64*i), g.other[i])
	}
	return g
}

// add is X[k].
func (g *single) add(k Mem) {
	VBROADCASTI32X4(k, g.held)
	VPXORQ(g.held, g.x, g.x)
}

// substitute is S or its inverse.
func (g *single) substitute() { substitute(g.x, g.spare[0], g.tab) }

// linear is L or its inverse, and adds to the block what add holds, unless nil.
func (g *single) linear(add VecPhysical) {
	f0, f1, s, w, t, u := g.spare[0], g.spare[1], g.spare[2], g.spare[3], g.spare[4], g.spare[5]
	VGF2P8AFFINEQB(Imm(0), g.x, g.powers[0], f0)
	VGF2P8AFFINEQB(Imm(0), g.x, g.powers[1], f1)
	VGF2P8AFFINEQB(Imm(0), f0, g.other[0], w)
	VGF2P8AFFINEQB(Imm(0), f1, g.other[1], u)
	VGF2P8AFFINEQB(Imm(0), f0, g.own[0], s)
	VGF2P8AFFINEQB(Imm(0), f1, g.own[1], t)
	VPXORQ(u, w, w)
	VPSHUFD(Imm(0x4e), w, w) // changes the halves
	VPTERNLOGQ(Imm(0x96), s, t, w)
	// The sum of the lanes, in all lanes.
	VSHUFI64X2(Imm(0x39), w, w, f0)
	VSHUFI64X2(Imm(0x4e), w, w, f1)
	VSHUFI64X2(Imm(0x93), w, w, g.x)
	if add == nil {
		VPXORQ(f0, w, w)
	} else {
		VPTERNLOGQ(Imm(0x96), f0, add, w)
	}
	VPTERNLOGQ(Imm(0x96), f1, w, g.x)
}

// encrypt is E (section 4.5.1).
func (g *single) encrypt(keys, k, rounds GPPhysical) {
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
func (g *single) decrypt(keys, k, rounds GPPhysical) {
	g.add(Mem{Base: keys, Disp: 144})
	LEAQ(Mem{Base: keys, Disp: 128}, k)
	repeat("round", rounds, 9, func() {
		g.linear(nil)
		g.substitute()
		g.add(Mem{Base: k})
		SUBQ(U8(16), k)
	})
}

// one makes the kernels.
func one() {
	for _, encrypt := range []bool{true, false} {
		name, s := "encrypt", there
		if !encrypt {
			name, s = "decrypt", back
		}
		TEXT(name+"1AVX512", NOSPLIT, "func(keys *[160]byte, dst, src *byte)")
		Pragma("noescape")
		keys, dst, src := RAX, RDI, RSI
		Load(Param("keys"), keys)
		Load(Param("dst"), dst)
		Load(Param("src"), src)
		g := newSingle(s)
		VBROADCASTI32X4(Mem{Base: src}, g.x)
		if encrypt {
			g.encrypt(keys, RBX, RCX)
		} else {
			g.decrypt(keys, RBX, RCX)
		}
		VMOVDQU(g.x.AsX(), Mem{Base: dst})
		leave()
	}
	chain()
}

// chain makes the kernel of batch.Chain.
func chain() {
	TEXT("chainAVX512", NOSPLIT, "func(keys *[160]byte, dst, src, st *byte, step, blocks int)")
	Pragma("noescape")
	Doc("chainAVX512 sets st to E(st ^ block) for every block of src, one or more, and",
		"writes it to dst, which moves on by step bytes.")
	keys, dst, src, st, step, blocks := RAX, RDI, RSI, RDX, R8, R9
	Load(Param("keys"), keys)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("st"), st)
	Load(Param("step"), step)
	Load(Param("blocks"), blocks)
	g := newSingle(there)
	VBROADCASTI32X4(Mem{Base: st}, g.x)
	Label("block")
	g.add(Mem{Base: src})
	g.encrypt(keys, RBX, RCX)
	VMOVDQU(g.x.AsX(), Mem{Base: dst})
	ADDQ(U8(16), src)
	ADDQ(step, dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	VMOVDQU(g.x.AsX(), Mem{Base: st})
	leave()
}
