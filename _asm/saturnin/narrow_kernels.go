package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// transpose exchanges, in each half of eight registers, the words of a register and
// the registers. n.t is free before and after.
func (n *narrow) transpose(v []VecPhysical) []VecPhysical {
	s := sliced{free: []VecPhysical{n.t}}
	v = s.transpose(v)
	n.t = s.free[0]
	return v
}

// in loads 16 blocks: lane 8l + j holds block 2j + l.
func (n *narrow) in(src Register) {
	load := func(v []VecPhysical, half int) {
		for j, r := range v {
			m := Mem{Base: src, Disp: 64*j + 16*half}
			VMOVDQU(m, r.AsX())
			VINSERTI128(Imm(1), m.Offset(32), r, r)
		}
	}
	left, right := y[:8], y[8:]
	load(left, 0)
	n.t = right[0]
	left = n.transpose(left)
	right = append([]VecPhysical{n.t}, right[1:]...)
	load(right, 1)
	VMOVDQU(left[0], n.spilled)
	n.t = left[0]
	right = n.transpose(right)
	left[0] = n.t
	VMOVDQU(n.spilled, left[0])
	n.rows = [4]row{row(left[:4]), row(left[4:]), row(right[:4]), row(right[4:])}
}

// out stores 16 blocks.
func (n *narrow) out(dst Register) {
	store := func(v []VecPhysical, half int) {
		for j, r := range v {
			m := Mem{Base: dst, Disp: 64*j + 16*half}
			VMOVDQU(r.AsX(), m)
			VEXTRACTI128(Imm(1), r, m.Offset(32))
		}
	}
	left, right := append(n.rows[0][:], n.rows[1][:]...), append(n.rows[2][:], n.rows[3][:]...)
	VMOVDQU(right[0], n.spilled)
	n.t = right[0]
	left = n.transpose(left)
	store(left, 0)
	VMOVDQU(n.spilled, n.t)
	right[0] = n.t
	n.t = left[0]
	store(n.transpose(right), 1)
}

// newNarrow loads arguments, and makes room for K and K'.
func newNarrow(keys Register) *narrow {
	local := AllocLocal(2*512 + 64)
	n := &narrow{keys: [2]Mem{local, local.Offset(512)}, spilled: local.Offset(1024)}
	for i := range 32 {
		VPBROADCASTD(Mem{Base: keys, Disp: 4 * i}, Y0)
		VMOVDQU(Y0, local.Offset(32*i))
	}
	return n
}

// check panics unless the planes are where they were.
func (n *narrow) check(rows [4]row) {
	if n.rows != rows {
		panic("planes are in other registers")
	}
}

// narrowKernel makes a kernel of what loads, works on and stores a batch.
func narrowKernel(name string, body func(n *narrow, k, left Register)) {
	TEXT(name, 0, "func(keys *[2][16]uint32, rc *[4]uint32, dst, src *byte, batches, superRounds int)")
	Pragma("noescape")
	keys, rc, dst, src, batches, superRounds := RAX, RBX, RDI, RSI, RCX, RDX
	load([]string{"keys", "rc", "dst", "src", "batches", "superRounds"}, keys, rc, dst, src, batches, superRounds)
	n := newNarrow(keys)
	Label("batch")
	MOVQ(rc, R8)
	MOVQ(superRounds, R9)
	n.in(src)
	body(n, R8, R9)
	n.out(dst)
	next(dst, src, batches, 16)
}

func encryptNarrow() {
	narrowKernel("encrypt16AVX2", func(n *narrow, k, left Register) {
		even, odd := Mem{Base: k}, Mem{Base: k, Disp: 16}
		n.phase(keyPart(0), substitutePart)
		n.mix()
		start := n.rows
		Label("superRound")
		n.phase(substitutePart, slicePart(1))
		n.mix()
		DECQ(left)
		JZ(LabelRef("odd"))
		middle := n.rows
		n.phase(slicePart(3), keyPart(1), constantPart(even), substitutePart)
		n.mix()
		n.phase(substitutePart, sheetPart(1))
		n.mix()
		DECQ(left)
		JZ(LabelRef("even"))
		end := n.rows
		n.phase(sheetPart(3), keyPart(0), constantPart(odd), substitutePart)
		n.mix()
		n.check(start)
		ADDQ(U8(32), k)
		JMP(LabelRef("superRound"))

		Label("even")
		n.rows = end
		n.phase(sheetPart(3), keyPart(0), constantPart(odd))
		JMP(LabelRef("encrypted"))
		Label("odd")
		n.rows = middle
		n.phase(slicePart(3), keyPart(1), constantPart(even), swapPart)
		n.check(end)
		Label("encrypted")
	})
}

func decryptNarrow() {
	narrowKernel("decrypt16AVX2", func(n *narrow, k, left Register) {
		constant := constantPart(Mem{Base: k})
		TESTQ(U32(1), left)
		JNZ(LabelRef("odd"))
		start := n.rows
		n.phase(keyPart(0), constant, sheetPart(1))
		Label("superRound")
		n.unmix()
		n.phase(sheetPart(3), unsubstitutePart)
		n.unmix()
		SUBQ(U8(16), k)
		n.phase(unsubstitutePart, keyPart(1), constant, slicePart(1))
		Label("even")
		middle := n.rows
		n.unmix()
		n.phase(slicePart(3), unsubstitutePart)
		n.unmix()
		SUBQ(U8(2), left)
		JZ(LabelRef("last"))
		end := n.rows
		SUBQ(U8(16), k)
		n.phase(unsubstitutePart, keyPart(0), constant, sheetPart(1))
		n.check(start)
		JMP(LabelRef("superRound"))

		Label("odd")
		n.rows = start
		n.phase(keyPart(1), constant, slicePart(1), swapPart)
		n.check(middle)
		INCQ(left)
		JMP(LabelRef("even"))
		Label("last")
		n.rows = end
		n.phase(unsubstitutePart, keyPart(0))
	})
}
