package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Few blocks, up to 8, have a word in each lane of a pair of registers, rotated as
// in avx512. Here what counts is the time from the start of a round to its end. So
// each box has a look-up of its own in a table of 16 bytes, which is the quickest.
// What it finds is right at the place of its box only.
type few struct {
	tier    string // AVX2 or AVX512
	tables  Mem    // of the boxes, 16 bytes each
	nibble  Mem
	places  Mem // all ones in the bytes at even places
	reverse Mem // how to reverse the bytes of a word
	lanes   Mem
	one     bool // a block in X registers, not 8 in Y registers
}

func newFew() few {
	var tables, low, places, reverse []byte
	for i, box := range boxes {
		for _, v := range box {
			tables = append(tables, v<<(i%2*4))
		}
	}
	for i := range 32 {
		low = append(low, 0x0f)
		places = append(places, byte(i%2)-1)
		reverse = append(reverse, byte(i%16^3))
	}
	return few{
		tables: data("tables8", tables), nibble: data("nibble8", low), places: data("places8", places),
		reverse: data("reverse8", reverse), lanes: words("lanes8", 0, 1, 2, 3),
	}
}

// reg returns a register of the width in use.
func (f few) reg(i int) VecPhysical {
	if f.one {
		return xmm[i]
	}
	return ymm[i]
}

func (f few) a1(int) VecPhysical { return f.reg(0) }
func (f few) a0(int) VecPhysical { return f.reg(1) }

// found is what the look-up in box i finds.
func (f few) found(i int) VecPhysical { return f.reg(4 + i) }

func (f few) even() VecPhysical  { return f.reg(2) }
func (f few) odd() VecPhysical   { return f.reg(3) }
func (f few) low() VecPhysical   { return f.reg(12) }
func (f few) place() VecPhysical { return f.reg(13) }

// AVX-512 has registers for the tables, and masks for the places of the boxes. It
// is used for one block; for more avx512 is as fast.
var (
	tables = [8]VecPhysical{X16, X17, X18, X19, X20, X21, X22, X23}
	masks  = [4]Register{K1, K2, K3, K4}
)

// load loads the constants.
func (f few) load() {
	VMOVDQU(f.nibble, f.low().AsY())
	if f.tier == "AVX2" {
		VMOVDQU(f.places, f.place().AsY())
		return
	}
	for i, table := range tables {
		VMOVDQU64(f.tables.Offset(16*i), table)
	}
	for i, mask := range masks {
		MOVL(U32(0x1111<<i), R8L)
		KMOVD(R8L, mask)
	}
}

// round is a1 ^= t(a0 + k) <<< 11.
func (f few) round(a1, a0 half, k int) {
	if f.tier == "AVX2" {
		f.roundAVX2(a1(0), a0(0), k)
	} else {
		f.roundAVX512(a1(0), a0(0), k)
	}
}

func (f few) roundAVX512(a1, a0 VecPhysical, k int) {
	VPROLD(Imm(11), a0, f.even())
	VPADDD_BCST(Mem{Base: key, Disp: 4 * k}, f.even(), f.even())
	VPSRLD(Imm(4), f.even(), f.odd())
	VPAND(f.low(), f.even(), f.even())
	VPAND(f.low(), f.odd(), f.odd())
	for i := range 4 {
		VPSHUFB_Z(f.even(), tables[2*i], masks[i], f.found(2*i))
	}
	for i := range 4 {
		VPSHUFB_Z(f.odd(), tables[2*i+1], masks[i], f.found(2*i+1))
	}
	xor := func(a, b, sum VecPhysical) { VPTERNLOGD(Imm(0x96), a, b, sum) }
	xor(f.found(0), f.found(2), a1)
	xor(f.found(4), f.found(6), f.found(1))
	xor(f.found(5), f.found(7), f.found(3))
	xor(f.found(1), f.found(3), a1)
}

func (f few) roundAVX2(a1, a0 VecPhysical, k int) {
	VPBROADCASTD(Mem{Base: key, Disp: 4 * k}, f.found(0))
	VPSLLD(Imm(11), a0, f.even())
	VPSRLD(Imm(21), a0, f.odd())
	VPOR(f.odd(), f.even(), f.even())
	VPADDD(f.found(0), f.even(), f.even())
	VPSRLD(Imm(4), f.even(), f.odd())
	VPAND(f.low(), f.even(), f.even())
	VPAND(f.low(), f.odd(), f.odd())
	for i := range 8 {
		if f.one {
			VMOVDQU(f.tables.Offset(16*i), f.found(i))
		} else {
			VBROADCASTI128(f.tables.Offset(16*i), f.found(i))
		}
	}
	for i := range 4 {
		VPSHUFB(f.even(), f.found(2*i), f.found(2*i))
	}
	for i := range 4 {
		VPSHUFB(f.odd(), f.found(2*i+1), f.found(2*i+1))
		VPXOR(f.found(2*i+1), f.found(2*i), f.found(2*i))
	}
	// Of a word, the places 0 and 1 are one half and 2 and 3 the other.
	VPBLENDW(Imm(0b10101010), f.found(4), f.found(0), f.found(0))
	VPBLENDW(Imm(0b10101010), f.found(6), f.found(2), f.found(2))
	VPAND(f.place(), f.found(0), f.found(0))
	VPANDN(f.found(2), f.place(), f.found(2))
	VPXOR(f.found(0), a1, a1)
	VPXOR(f.found(2), a1, a1)
}

// rotate rotates v left.
func (f few) rotate(by int, v VecPhysical) {
	if f.tier != "AVX2" {
		VPROLD(Imm(uint64(by)), v, v)
		return
	}
	VPSLLD(Imm(uint64(by)), v, f.even())
	VPSRLD(Imm(uint64(32-by)), v, v)
	VPOR(f.even(), v, v)
}

// rounds makes the rounds, and joins the halves to the bytes of blocks, like
// avx512.join. The halves are rotated for the rounds.
func (f few) rounds(up, down GPPhysical, x, y VecPhysical) {
	f.rotate(32-11, f.a1(0))
	f.rotate(32-11, f.a0(0))
	rounds(f.round, f.a1, f.a0, up, down)
	f.rotate(11, f.a1(0))
	f.rotate(11, f.a0(0))
	VPUNPCKLDQ(f.a1(0), f.a0(0), x)
	VPSHUFB(f.reverse, x, x)
	if !f.one {
		VPUNPCKHDQ(f.a1(0), f.a0(0), y)
		VPSHUFB(f.reverse, y, y)
	}
}

func (f few) crypt() {
	TEXT("crypt"+f.tier+"x8", attr.NOSPLIT, "func(k *[8]uint32, dst, src *byte, n, up, down int)")
	Pragma("noescape")
	Doc("crypt"+f.tier+"x8 encrypts, with up = 3 and down = 1, or decrypts, with 1 and 3, n", "batches of 8 blocks.")
	loadArguments()
	f.load()

	Label("batch")
	x, y := f.found(0), f.found(1)
	VMOVDQU(Mem{Base: src}, x)
	VMOVDQU(Mem{Base: src, Disp: 32}, y)
	VPSHUFB(f.reverse, x, x)
	VPSHUFB(f.reverse, y, y)
	split(x, y, f.a1(0), f.a0(0))
	Load(Param("up"), R8)
	Load(Param("down"), R9)
	f.rounds(R8, R9, x, y)
	VMOVDQU(x, Mem{Base: dst})
	VMOVDQU(y, Mem{Base: dst, Disp: 32})
	advance(64)
}

func (f few) counter() {
	TEXT("counter"+f.tier+"x8", attr.NOSPLIT, "func(k *[8]uint32, dst, src *byte, n int, block, field uint64, shift int)")
	Pragma("noescape")
	Doc("counter" + f.tier + "x8 XORs n batches of 8 encrypted counter blocks to src.")
	next, step := RDX, RBX // the first number of the next batch, with carries beyond the field
	Load(Param("shift"), RCX)
	MOVQ(I32(8), step)
	SHLQ(CL, step)
	Load(Param("block"), next)
	loadArguments()
	f.load()

	Label("batch")
	x, y := f.found(0), f.found(1)
	first, field, count := f.found(2), f.found(3), f.found(4).AsX()
	broadcast("block", first)
	broadcast("field", field)
	VMOVQ(param("shift"), count)
	VMOVQ(next, x.AsX())
	VPBROADCASTQ(x.AsX(), x)
	VMOVDQU(f.lanes, y)
	VPSLLQ(count, y, y)
	VPADDQ(x, y, x)
	VMOVQ(step, y.AsX())
	VPBROADCASTQ(y.AsX(), y)
	VPSRLQ(Imm(1), y, y) // a register has half of the blocks
	VPADDQ(x, y, y)
	for _, v := range []VecPhysical{x, y} {
		// number & field | first &^ field
		VPXOR(first, v, v)
		VPAND(field, v, v)
		VPXOR(first, v, v)
	}
	split(x, y, f.a0(0), f.a1(0))
	ADDQ(step, next)
	MOVQ(I32(3), R8)
	MOVQ(I32(1), R9)
	f.rounds(R8, R9, x, y)
	VPXOR(Mem{Base: src}, x, x)
	VPXOR(Mem{Base: src, Disp: 32}, y, y)
	VMOVDQU(x, Mem{Base: dst})
	VMOVDQU(y, Mem{Base: dst, Disp: 32})
	advance(64)
}

// chain is what the longest wait is for: each block takes the result of the one
// before.
func (f few) chain() {
	f.one = true
	TEXT("chain"+f.tier, attr.NOSPLIT, "func(k *[8]uint32, dst, src, st *byte, n, stride, up, down int)")
	Pragma("noescape")
	Doc("chain"+f.tier+" XORs each of n blocks to st, and encrypts, with up = 3 and down = 1, or",
		"decrypts, with 1 and 3, st, which it also writes to dst; stride is the distance", "from one block there to the next.")
	loadArguments()
	st, stride := RDX, RBX
	Load(Param("st"), st)
	Load(Param("stride"), stride)
	f.load()
	x := f.reg(14)
	VMOVQ(Mem{Base: st}, x)

	Label("batch")
	VMOVQ(Mem{Base: src}, f.found(0))
	VPXOR(f.found(0), x, x)
	VPSHUFB(f.reverse, x, f.a1(0))
	VPSRLQ(Imm(32), f.a1(0), f.a0(0))
	Load(Param("up"), R8)
	Load(Param("down"), R9)
	f.rounds(R8, R9, x, nil)
	VMOVQ(x, Mem{Base: dst})
	ADDQ(Imm(8), src)
	ADDQ(stride, dst)
	DECQ(n)
	JNZ(LabelRef("batch"))
	VMOVQ(x, Mem{Base: st})
	VZEROUPPER()
	RET()
}
