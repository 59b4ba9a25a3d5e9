package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func tier(wide bool) string {
	if wide {
		return "AVX512"
	}
	return "AVX2"
}

// hold loads h into registers.
func (n *nibbles) hold(h columns, x, y Op) columns {
	n.copy(h.x, x)
	n.copy(h.y, y)
	return columns{x, y}
}

// superRounds encrypts the state, which has the key already, for as many super-rounds
// as left has. rc points to the constants; both registers are used up. The rows are in
// the frame of SR_sheet before and after.
func (n *nibbles) superRounds(key, rotated columns, rc, left Register) {
	Label("superRound")
	n.round(fromSheet)
	n.round(toSlice, rotated, at(Mem{Base: rc}))
	DECQ(left)
	JZ(LabelRef("odd"))
	n.round(fromSlice)
	n.round(toSheet, key, at(Mem{Base: rc, Disp: 32}))
	ADDQ(U8(64), rc)
	DECQ(left)
	JNZ(LabelRef("superRound"))
	JMP(LabelRef("encrypted"))
	Label("odd")
	n.reframe(n.state, step{shuffle: sliceSheet})
	Label("encrypted")
}

// cascade makes the kernel of Domain.Cascade.
func cascade(wide bool) {
	TEXT("cascade"+tier(wide), NOSPLIT, "func(t *[32]byte, rc *[31][32]byte, data *byte, blocks, superRounds int, rcLast *[31][32]byte, last *byte)")
	Pragma("noescape")
	Doc("cascade"+tier(wide)+" takes one or more blocks of data, and then the one at last, unless that is",
		"nil, with the constants rcLast.")
	t, rc, data, blocks, superRounds, last := RAX, RBX, RSI, RCX, RDX, RDI
	load([]string{"t", "rc", "data", "blocks", "superRounds", "last"}, t, rc, data, blocks, superRounds, last)
	n := newNibbles(wide)
	n.load(forward, 8)
	key, rotated, message := columns{X21, X22}, columns{X23, X24}, columns{X25, X26}
	block := columns{n.t[0], n.t[1]}
	if !wide {
		local := AllocLocal(96)
		key, rotated, message = at(local), at(local.Offset(32)), at(local.Offset(64))
	}
	n.in(Mem{Base: t}, n.state)
	n.reframe(n.state, toSheet)
	n.hold(n.state, key.x, key.y)

	Label("block")
	n.in(Mem{Base: data}, block)
	n.reframe(block, toSheet)
	n.hold(block, message.x, message.y)
	// The state still is the key.
	n.xor(n.state.x, block.x, block.x)
	n.xor(n.state.y, block.y, block.y)
	n.reframe(n.state, step{shuffle: sheetRotated})
	n.hold(n.state, rotated.x, rotated.y)
	n.hold(block, n.state.x, n.state.y)
	MOVQ(rc, R8)
	MOVQ(superRounds, R9)
	n.superRounds(key, rotated, R8, R9)
	n.xor(message.x, n.state.x, n.state.x)
	n.xor(message.y, n.state.y, n.state.y)
	n.hold(n.state, key.x, key.y)
	ADDQ(U8(32), data)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	TESTQ(last, last)
	JZ(LabelRef("end"))
	MOVQ(last, data)
	Load(Param("rcLast"), rc)
	INCQ(blocks)
	XORL(last.As32(), last.As32())
	JMP(LabelRef("block"))

	Label("end")
	n.reframe(n.state, fromSheet)
	n.out(n.state, Mem{Base: t})
	leave()
}

// encrypt makes a kernel for blocks that are encrypted one by one.
func encrypt(wide bool) {
	TEXT("encrypt"+tier(wide), NOSPLIT, "func(keys *[2][32]byte, rc *[31][32]byte, dst, src *byte, blocks, superRounds int)")
	Pragma("noescape")
	keys, rc, dst, src, blocks, superRounds := RAX, RBX, RDI, RSI, RCX, RDX
	load([]string{"keys", "rc", "dst", "src", "blocks", "superRounds"}, keys, rc, dst, src, blocks, superRounds)
	n := newNibbles(wide)
	n.load(forward, 8)
	key, rotated := at(Mem{Base: keys}), at(Mem{Base: keys, Disp: 32})
	if wide {
		key, rotated = n.hold(key, X21, X22), n.hold(rotated, X23, X24)
	}
	Label("block")
	n.in(Mem{Base: src}, n.state)
	n.reframe(n.state, toSheet)
	n.xor(key.x, n.state.x, n.state.x)
	n.xor(key.y, n.state.y, n.state.y)
	MOVQ(rc, R8)
	MOVQ(superRounds, R9)
	n.superRounds(key, rotated, R8, R9)
	n.reframe(n.state, fromSheet)
	n.out(n.state, Mem{Base: dst})
	ADDQ(U8(32), src)
	ADDQ(U8(32), dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	leave()
}

// registers returns what round changes.
func (n *nibbles) registers() nibbles {
	r := *n
	r.t = slices.Clone(n.t)
	return r
}

func (n *nibbles) set(r nibbles) { *n = r.registers() }

// unsigma undoes S alone.
func (n *nibbles) unsigma() {
	n.load(unsigma, 2)
	high := n.t[0]
	for _, v := range []Op{n.state.x, n.state.y} {
		VPSRLW(U8(4), v, high)
		if !n.wide {
			VPAND(n.low, v, v)
			VPAND(n.low, high, high)
		}
		n.lookUp(n.tab[0], v, v)
		n.lookUp(n.tab[1], high, high)
		n.xor(high, v, v)
	}
}

// decrypt makes a kernel for blocks that are decrypted one by one. S and the MDS
// matrix change places with the addition of keys, and the keys are multiplied with
// the inverse matrix beforehand.
func decrypt(wide bool) {
	TEXT("decrypt"+tier(wide), NOSPLIT, "func(keys *[4][32]byte, rc *[31][32]byte, dst, src *byte, blocks, superRounds int)")
	Pragma("noescape")
	keys, rc, dst, src, blocks, superRounds := RAX, RBX, RDI, RSI, RCX, RDX
	load([]string{"keys", "rc", "dst", "src", "blocks", "superRounds"}, keys, rc, dst, src, blocks, superRounds)
	n := newNibbles(wide)
	key := func(i int) columns { return at(Mem{Base: keys, Disp: 32 * i}) }
	odd, even := key(2), key(3)
	if wide {
		odd, even = n.hold(odd, X21, X22), n.hold(even, X23, X24)
	}
	k, left := R8, R9
	constants := columns{Mem{Base: k}, Mem{Base: k, Disp: 16}}
	Label("block")
	n.in(Mem{Base: src}, n.state)
	n.xor(key(0).x, n.state.x, n.state.x)
	n.xor(key(0).y, n.state.y, n.state.y)
	MOVQ(rc, k)
	MOVQ(superRounds, left)
	n.load(inverse, 8)
	TESTQ(U32(1), left)
	JNZ(LabelRef("odd"))
	start := n.registers()
	n.round(toSheet)
	n.load(backward, 8)
	Label("sheet")
	n.round(fromSheet)
	end := n.registers()
	DECQ(left)
	JZ(LabelRef("last"))
	n.round(toSlice, even, constants)
	ADDQ(U8(32), k)
	Label("slice")
	n.round(fromSlice)
	DECQ(left)
	JZ(LabelRef("last"))
	n.round(toSheet, odd, constants)
	ADDQ(U8(32), k)
	JMP(LabelRef("sheet"))
	Label("odd")
	n.set(start)
	n.round(toSlice)
	n.load(backward, 8)
	JMP(LabelRef("slice"))

	Label("last")
	n.set(end)
	n.unsigma()
	n.xor(key(1).x, n.state.x, n.state.x)
	n.xor(key(1).y, n.state.y, n.state.y)
	n.out(n.state, Mem{Base: dst})
	ADDQ(U8(32), src)
	ADDQ(U8(32), dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	leave()
}
