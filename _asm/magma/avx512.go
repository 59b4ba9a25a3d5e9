package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A pair of registers holds a1 and a0 of 16 blocks, a word in each lane. Several
// pairs are in flight, as each step of a round waits for the one before.
//
// Between the rounds both are kept rotated right by 11. So the result of t is
// XORed where it lies, and only the operand of the addition is rotated into
// place: one rotation a round, not two.
type avx512 struct {
	constants512
	pairs int
}

func (avx512) a1(i int) VecPhysical   { return zmm[2*i] }
func (avx512) a0(i int) VecPhysical   { return zmm[2*i+1] }
func (avx512) work(i int) VecPhysical { return zmm[20+i] }

var (
	evenTable, oddTable = Z16, Z17
	nibble, place       = Z18, Z19
)

type constants512 struct {
	even, odd, nibble, place Mem
	reverse                  Mem // how to reverse the bytes of a word
	lanes                    Mem
}

// newConstants512 makes the tables of t. The index of an entry is a nibble and, in
// bits 4 and 5, the place of its byte in the word. The odd boxes make the upper
// nibbles of their bytes.
func newConstants512() constants512 {
	var even, odd, low, places, reverse []byte
	for p := range 4 {
		for v := range 16 {
			even = append(even, boxes[2*p][v])
			odd = append(odd, boxes[2*p+1][v]<<4)
		}
	}
	for i := range 64 {
		low = append(low, 0x0f)
		places = append(places, byte(i%4<<4))
		reverse = append(reverse, byte(i%16^3))
	}
	return constants512{
		even: data("even512", even), odd: data("odd512", odd),
		nibble: data("nibble512", low), place: data("place512", places),
		reverse: data("reverse512", reverse), lanes: words("lanes512", 0, 1, 2, 3, 4, 5, 6, 7),
	}
}

func (c *constants512) load() {
	VMOVDQU64(c.even, evenTable)
	VMOVDQU64(c.odd, oddTable)
	VMOVDQU64(c.nibble, nibble)
	VMOVDQU64(c.place, place)
}

// round is a1 ^= t(a0 + k) <<< 11 for all pairs, with a1 the halves that change.
// Two pairs are interleaved, and the CPU itself looks farther ahead.
func (f avx512) round(a1, a0 half, k int) {
	for first := 0; first < f.pairs; first += 2 {
		pairs := min(f.pairs-first, 2)
		each := func(step func(even, odd, a1, a0 VecPhysical)) {
			for i := range pairs {
				step(f.work(2*i), f.work(2*i+1), a1(first+i), a0(first+i))
			}
		}
		each(func(even, _, _, a0 VecPhysical) { VPROLD(Imm(11), a0, even) })
		each(func(even, _, _, _ VecPhysical) { VPADDD_BCST(Mem{Base: key, Disp: 4 * k}, even, even) })
		each(func(even, odd, _, _ VecPhysical) {
			VPSRLD(Imm(4), even, odd)
			VPTERNLOGD(Imm(0xea), place, nibble, even) // even & nibble | place
		})
		each(func(even, odd, _, _ VecPhysical) {
			VPTERNLOGD(Imm(0xea), place, nibble, odd)
			VPERMB(evenTable, even, even)
		})
		each(func(_, odd, _, _ VecPhysical) { VPERMB(oddTable, odd, odd) })
		each(func(even, odd, a1, _ VecPhysical) { VPTERNLOGD(Imm(0x96), odd, even, a1) })
	}
}

// rotate rotates both halves.
func (f avx512) rotate(by int) {
	for i := range f.pairs {
		VPROLD(Imm(uint64(by)), f.a1(i), f.a1(i))
		VPROLD(Imm(uint64(by)), f.a0(i), f.a0(i))
	}
}

// join makes the bytes of 16 blocks of pair i, the inverse of split. G* does not
// exchange the halves, but we have not done so in the rounds before either.
func (f avx512) join(i int, swap, x, y VecPhysical) {
	VPUNPCKLDQ(f.a1(i), f.a0(i), x)
	VPUNPCKHDQ(f.a1(i), f.a0(i), y)
	VPSHUFB(swap, x, x)
	VPSHUFB(swap, y, y)
}

func (f avx512) block(base Register, i int) Mem { return Mem{Base: base, Disp: 64 * i} }

func (f avx512) crypt() {
	TEXT(fmt.Sprintf("cryptAVX512x%d", 16*f.pairs), attr.NOSPLIT, "func(k *[8]uint32, dst, src *byte, n, up, down int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("cryptAVX512x%d encrypts, with up = 3 and down = 1, or decrypts, with 1 and 3,", 16*f.pairs),
		fmt.Sprintf("n batches of %d blocks.", 16*f.pairs))
	loadArguments()
	f.load()

	Label("batch")
	bytes, x, y := f.work(0), f.work(1), f.work(2)
	VMOVDQU64(f.reverse, bytes)
	for i := range f.pairs {
		VMOVDQU64(f.block(src, 2*i), x)
		VMOVDQU64(f.block(src, 2*i+1), y)
		VPSHUFB(bytes, x, x)
		VPSHUFB(bytes, y, y)
		split(x, y, f.a1(i), f.a0(i))
	}
	f.rotate(32 - 11)
	Load(Param("up"), R8)
	Load(Param("down"), R9)
	rounds(f.round, f.a1, f.a0, R8, R9)
	f.rotate(11)
	VMOVDQU64(f.reverse, bytes)
	for i := range f.pairs {
		f.join(i, bytes, x, y)
		VMOVDQU64(x, f.block(dst, 2*i))
		VMOVDQU64(y, f.block(dst, 2*i+1))
	}
	advance(128 * f.pairs)
}

func (f avx512) counter() {
	TEXT(fmt.Sprintf("counterAVX512x%d", 16*f.pairs), attr.NOSPLIT, "func(k *[8]uint32, dst, src *byte, n int, block, field uint64, shift int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("counterAVX512x%d XORs n batches of %d encrypted counter blocks to src.", 16*f.pairs, 16*f.pairs))
	next, step := RDX, RBX // the first number of the next batch, with carries beyond the field
	Load(Param("block"), next)
	Load(Param("shift"), RCX)
	MOVQ(I32(16*f.pairs), step)
	SHLQ(CL, step)
	loadArguments()
	f.load()

	Label("batch")
	first, field, number, eight, count := f.work(0), f.work(1), f.work(2), f.work(3), f.work(4).AsX()
	x, y := f.work(5), f.work(6)
	broadcast("block", first)
	broadcast("field", field)
	VMOVQ(param("shift"), count)
	MOVQ(I32(8), R8)
	VPBROADCASTQ(R8, eight)
	VPSLLQ(count, eight, eight)
	VMOVDQU64(f.lanes, number)
	VPSLLQ(count, number, number)
	VPBROADCASTQ(next, x)
	VPADDQ(x, number, number)
	for i := range f.pairs {
		for _, v := range []VecPhysical{x, y} {
			VMOVDQA64(number, v)
			VPTERNLOGQ(Imm(0xe2), first, field, v) // number & field | first &^ field
			VPADDQ(eight, number, number)
		}
		split(x, y, f.a0(i), f.a1(i))
	}
	ADDQ(step, next)
	f.rotate(32 - 11)
	MOVQ(I32(3), R8)
	MOVQ(I32(1), R9)
	rounds(f.round, f.a1, f.a0, R8, R9)
	f.rotate(11)
	bytes := f.work(0)
	VMOVDQU64(f.reverse, bytes)
	for i := range f.pairs {
		f.join(i, bytes, x, y)
		VPXORQ(f.block(src, 2*i), x, x)
		VPXORQ(f.block(src, 2*i+1), y, y)
		VMOVDQU64(x, f.block(dst, 2*i))
		VMOVDQU64(y, f.block(dst, 2*i+1))
	}
	advance(128 * f.pairs)
}
