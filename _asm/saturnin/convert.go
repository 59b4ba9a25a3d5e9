package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The bytes of a block are registers of 16 bits, four for each row. The low bytes of
// eight of them are a matrix of bits, and so are the high ones. Transposed they are
// the columns 0 to 7, and 8 to 15, of two rows.

var (
	// VGF2P8AFFINEQB makes bit 0 of the last row of a matrix.
	gather  = bytesOf("gather", shuffleOf(func(i int) int { return 14 - 2*(i%8) + i/8 }))
	upend   = bytesOf("upend", shuffleOf(func(i int) int { return i/8*8 + 7 - i%8 }))
	scatter = bytesOf("scatter", twice(shuffleOf(func(i int) int { return i%2*8 + i/2 })))
	unpair  = bytesOf("unpair", twice(shuffleOf(func(i int) int { return i%8*2 + i/8 })))

	// units is the identity matrix: a bit of each byte of a matrix is multiplied out.
	units = bytesOf("units", []byte{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128})

	// The bits that a transposition by halves, quarters and eighths exchanges with
	// those so many places above them.
	exchanged = []struct {
		bits Mem
		up   uint64
	}{
		{wordsOf("exchanged1", 0x00aa00aa00aa00aa), 7},
		{wordsOf("exchanged2", 0x0000cccc0000cccc), 14},
		{wordsOf("exchanged4", 0x00000000f0f0f0f0), 28},
	}
)

func shuffleOf(f func(i int) int) (b []byte) {
	for i := range 16 {
		b = append(b, byte(f(i)))
	}
	return b
}

func twice(b []byte) []byte { return append(b[:len(b):len(b)], b...) }

// wordsOf is a symbol with w in all lanes of a Y register.
func wordsOf(name string, w uint64) Mem {
	var b []byte
	for range 32 {
		b = append(b, byte(w))
		w = w>>8 | w<<56
	}
	return bytesOf(name, b)
}

// transpose is used where there is no VGF2P8AFFINEQB.
func (n *nibbles) transpose(v Op) {
	t, u := n.t[3].AsY(), n.t[4].AsY()
	for _, e := range exchanged {
		VPSRLQ(U8(e.up), v, t)
		VPXOR(v, t, t)
		VPAND(e.bits, t, t)
		VPSLLQ(U8(e.up), t, u)
		VPXOR(t, v, v)
		VPXOR(u, v, v)
	}
}

// in loads a block or a key.
func (n *nibbles) in(from Mem, h columns) {
	if n.wide {
		n.copy(from, h.x)
		n.copy(from.Offset(16), h.y)
		for _, v := range []Op{h.x, h.y} {
			VPSHUFB(n.gather, v, v)
			VGF2P8AFFINEQB(Imm(0), v, n.units, v)
		}
		return
	}
	v := h.x.(VecPhysical).AsY()
	VMOVDQU(from, v)
	VPSHUFB(unpair, v, v)
	n.transpose(v)
	VEXTRACTI128(Imm(1), v, h.y)
}

// out stores a block.
func (n *nibbles) out(h columns, to Mem) {
	if n.wide {
		for i, v := range []Op{h.x, h.y} {
			VPSHUFB(upend, v, v)
			VGF2P8AFFINEQB(Imm(0), v, n.units, v)
			VPSHUFB(scatter, v, v)
			n.copy(v, to.Offset(16*i))
		}
		return
	}
	v := h.x.(VecPhysical).AsY()
	VINSERTI128(Imm(1), h.y, v, v)
	n.transpose(v)
	VPSHUFB(scatter, v, v)
	VMOVDQU(v, to)
}
