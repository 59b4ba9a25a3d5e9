package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var zmm = [32]VecPhysical{
	Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
	Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
}

var ymm = [16]VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}

var xmm = [16]VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15}

// The arguments.
var key, dst, src, n = RAX, RDI, RSI, RCX

func param(name string) Op {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// broadcast loads an argument into all lanes.
func broadcast(name string, v VecPhysical) { VPBROADCASTQ(param(name), v) }

// loadArguments loads those that all kernels have.
func loadArguments() {
	Load(Param("k"), key)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("n"), n)
}

// advance moves the pointers to the next batch, of so many bytes, and counts it.
func advance(bytes int) {
	ADDQ(I32(bytes), src)
	ADDQ(I32(bytes), dst)
	DECQ(n)
	JNZ(LabelRef("batch"))
	VZEROUPPER()
	RET()
}

// A half is a1 or a0 of the blocks, in as many registers as it takes.
type half = func(i int) VecPhysical

// rounds makes the 32 rounds of section 5.1 or 5.2: with K_1 .. K_8 as often as
// up says, then with K_8 .. K_1 as often as down says. round is
// a1 ^= t(a0 + k) <<< 11.
func rounds(round func(a1, a0 half, k int), a1, a0 half, up, down GPPhysical) {
	Label("up")
	for k := 0; k < 8; k += 2 {
		round(a1, a0, k)
		round(a0, a1, k+1)
	}
	DECQ(up)
	JNZ(LabelRef("up"))
	Label("down")
	for k := 7; k > 0; k -= 2 {
		round(a1, a0, k)
		round(a0, a1, k-1)
	}
	DECQ(down)
	JNZ(LabelRef("down"))
}

// split takes the words of 16 blocks apart: those at even places to even, those
// at odd places to odd. A lane of 128 bits gets two blocks of x and two of y.
func split(x, y, even, odd VecPhysical) {
	VSHUFPS(Imm(0b10_00_10_00), y, x, even)
	VSHUFPS(Imm(0b11_01_11_01), y, x, odd)
}
