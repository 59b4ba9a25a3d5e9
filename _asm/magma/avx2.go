package main

import (
	"slices"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// With AVX2 each byte of the 8 of 32 blocks has a register of its own, a plane:
// so a look-up in a table of 16 bytes serves 32 blocks. The addition carries from
// plane to plane. The rotation by 11 costs nothing: it is a change of the plane
// and of the places in a byte, which the tables know.
//
// There are only signed comparisons of bytes, hence the highest bit of all planes
// is inverted.

// Plane i of a half, counted from the least significant byte. A block has a1
// first, and its most significant byte first.
func a1Plane(i int) VecPhysical { return ymm[3-i&3] }
func a0Plane(i int) VecPhysical { return ymm[7-i&3] }

var (
	low, largest         = Y8, Y9 // 0x0f and 0xff, with its bit inverted, in all bytes
	carry, sum, overflow = Y10, Y11, Y12
	odd, out             = Y13, Y14
)

type avx2 struct {
	tables             Mem
	low, largest, bias Mem
	key                Mem // how to spread the bytes of a key
	blocks, numbers    Mem // how to pair the bytes of blocks and of little-endian numbers
	unpair, lanes      Mem
	spread             Mem // the key: each byte four times
}

// newAVX2 makes the constants, those of 16 bytes for VBROADCASTI128.
func newAVX2() avx2 {
	var tables, low, largest, bias, key, blocks, numbers, unpair []byte
	// Of the sum's byte p, box 2p makes bits 3 to 6 of the next plane, and box 2p+1
	// bit 7 of that and bits 0 to 2 of the one after it.
	for p := range 4 {
		for v := range 16 {
			tables = append(tables, boxes[2*p][v]<<3)
		}
		for v := range 16 {
			tables = append(tables, boxes[2*p+1][v^8]<<7)
		}
		for v := range 16 {
			tables = append(tables, boxes[2*p+1][v^8]>>1)
		}
	}
	for i := range 32 {
		low = append(low, 0x0f)
		largest = append(largest, 0x7f)
		bias = append(bias, 0x80)
		key = append(key, byte(i/4))
		j := i % 16
		blocks = append(blocks, byte(j/2+j%2*8))
		numbers = append(numbers, byte(7-j/2+j%2*8))
		unpair = append(unpair, byte(j%8*2+j/8))
	}
	for i := range 32 {
		key = append(key, byte(i/4+8))
	}
	return avx2{
		tables: data("tables2", tables),
		low:    data("low2", low), largest: data("largest2", largest), bias: data("bias2", bias),
		key: data("key2", key), blocks: data("blocks2", blocks), numbers: data("numbers2", numbers),
		unpair: data("unpair2", unpair), lanes: words("lanes2", 0, 1, 2, 3),
	}
}

// expand spreads the key: there is no addition of a byte from memory to all bytes.
func (f *avx2) expand() {
	f.spread = AllocLocal(128)
	for i := range 4 {
		VBROADCASTI128(Mem{Base: key, Disp: i / 2 * 16}, Y0)
		VPSHUFB(f.key.Offset(i%2*32), Y0, Y0)
		VMOVDQU(Y0, f.spread.Offset(32*i))
	}
}

// round is a1 ^= t(a0 + k) <<< 11.
func (f *avx2) round(a1, a0 half, k int) {
	look := func(table int, index, plane VecPhysical) {
		VBROADCASTI128(f.tables.Offset(16*table), out)
		VPSHUFB(index, out, out)
		VPXOR(out, plane, plane)
	}
	for p := range 4 {
		VPBROADCASTD(f.spread.Offset(16*k+4*p), sum)
		VPADDB(a0(p), sum, sum)
		// Without a carry from below, a sum that is less than what was added to has
		// overflowed. With one, the largest will too. Carries are -1.
		switch p {
		case 0:
			VPCMPGTB(sum, a0(p), carry)
		case 1, 2:
			VPCMPGTB(sum, a0(p), overflow)
			VPCMPEQB(largest, sum, odd)
			VPSUBB(carry, sum, sum)
			VPAND(odd, carry, carry)
			VPOR(overflow, carry, carry)
		case 3:
			VPSUBB(carry, sum, sum)
		}
		VPSRLW(Imm(4), sum, odd)
		VPAND(low, sum, sum)
		VPAND(low, odd, odd)
		look(3*p, sum, a1(p+1))
		look(3*p+1, odd, a1(p+1))
		look(3*p+2, odd, a1(p+2))
	}
}

// rounds makes the 32 rounds.
func (f *avx2) rounds(up, down GPPhysical) {
	f.invert()
	VMOVDQU(f.low, low)
	VMOVDQU(f.largest, largest)
	rounds(f.round, a1Plane, a0Plane, up, down)
	f.invert()
}

func (f *avx2) invert() {
	VMOVDQU(f.bias, Y8)
	for _, plane := range ymm[:8] {
		VPXOR(Y8, plane, plane)
	}
}

// transpose exchanges the number of a register and the place of a word in a lane
// of 128 bits: number and place are three bits each, and a step rotates all six
// by one. Both sets of registers are used, and y gets the result.
func (f *avx2) transpose(x, y []VecPhysical) {
	for range 3 {
		for i := range 4 {
			VPUNPCKLWD(x[i+4], x[i], y[2*i])
			VPUNPCKHWD(x[i+4], x[i], y[2*i+1])
		}
		x, y = y, x
	}
}

// planes makes planes of the blocks in Y8 .. Y15. pair brings together the bytes
// of the two blocks in each lane.
func (f *avx2) planes(pair Mem) {
	for _, v := range ymm[8:] {
		VPSHUFB(pair, v, v)
	}
	f.transpose(ymm[8:], ymm[:8])
}

// result makes blocks of the planes, in Y8 .. Y15. G* does not exchange the
// halves, but we have not done so in the rounds before either.
func (f *avx2) result() {
	f.transpose(slices.Concat(ymm[4:8], ymm[:4]), ymm[8:])
	for _, v := range ymm[8:] {
		VPSHUFB(f.unpair, v, v)
	}
}

func (f *avx2) crypt() {
	TEXT("cryptAVX2x32", attr.NOSPLIT, "func(k *[8]uint32, dst, src *byte, n, up, down int)")
	Pragma("noescape")
	Doc("cryptAVX2x32 encrypts, with up = 3 and down = 1, or decrypts, with 1 and 3, n", "batches of 32 blocks.")
	loadArguments()
	f.expand()

	Label("batch")
	for i, v := range ymm[8:] {
		VMOVDQU(Mem{Base: src, Disp: 32 * i}, v)
	}
	f.planes(f.blocks)
	Load(Param("up"), R8)
	Load(Param("down"), R9)
	f.rounds(R8, R9)
	f.result()
	for i, v := range ymm[8:] {
		VMOVDQU(v, Mem{Base: dst, Disp: 32 * i})
	}
	advance(256)
}

func (f *avx2) counter() {
	TEXT("counterAVX2x32", attr.NOSPLIT, "func(k *[8]uint32, dst, src *byte, n int, block, field uint64, shift int)")
	Pragma("noescape")
	Doc("counterAVX2x32 XORs n batches of 32 encrypted counter blocks to src.")
	next, step := RDX, RBX // the first number of the next batch, with carries beyond the field
	Load(Param("shift"), RCX)
	MOVQ(I32(32), step)
	SHLQ(CL, step)
	Load(Param("block"), next)
	loadArguments()
	f.expand()

	Label("batch")
	first, field, number, four, count := Y0, Y1, Y2, Y3, X4
	VPBROADCASTQ(param("block"), first)
	VPBROADCASTQ(param("field"), field)
	VMOVQ(param("shift"), count)
	MOVQ(I32(4), R8)
	VMOVQ(R8, X3)
	VPBROADCASTQ(X3, four)
	VPSLLQ(count, four, four)
	VMOVDQU(f.lanes, number)
	VPSLLQ(count, number, number)
	VMOVQ(next, X5)
	VPBROADCASTQ(X5, Y5)
	VPADDQ(Y5, number, number)
	for _, v := range ymm[8:] {
		// number & field | first &^ field
		VPXOR(first, number, v)
		VPAND(field, v, v)
		VPXOR(first, v, v)
		VPADDQ(four, number, number)
	}
	ADDQ(step, next)
	f.planes(f.numbers)
	MOVQ(I32(3), R8)
	MOVQ(I32(1), R9)
	f.rounds(R8, R9)
	f.result()
	for i, v := range ymm[8:] {
		VPXOR(Mem{Base: src, Disp: 32 * i}, v, v)
		VMOVDQU(v, Mem{Base: dst, Disp: 32 * i})
	}
	advance(256)
}
