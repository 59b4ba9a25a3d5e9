// Command chacha generates the kernels of package internal/chacha.
//
// All of them have one form. A kernel makes key stream from the state on, in this
// order: one block to first, unless that is nil; whole blocks, XORed from src to
// dst, as many as src has; one block to last, unless that is nil. It does not
// change the state: the counter is moved on by the caller, who knows the number
// of blocks.
//
// The matrix of words is that of the generic code: rows a, b, c and d, with the
// constants in a, the key in b and c, and counter and nonce in d. Vertical kernels
// hold one word of many blocks in a register, horizontal ones a row of a few. The
// block to first is one of these or made beside them (scalar.go). Kernels for the
// beginning of a message of ChaCha20-Poly1305 have a form of their own (head.go).
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	for groups := range 4 {
		horizontalAVX512(1+groups, false)
	}
	horizontalAVX512(2, true)
	verticalAVX512(1)
	verticalAVX512(2)
	heads()
	xorAVX512()
	horizontalAVX2(false)
	horizontalAVX2(true)
	verticalAVX2()
	Generate()
}

const blockSize = 64 // bytes

// Registers that hold the same in all kernels.
var (
	dst, src = RDI, RSI
	whole    = RCX // blocks of src that are left
	state    = R8
	rounds   = R9
	round    = R10 // rounds that are left
	first    = R11
	last     = R12
	counter  = R13 // of the first block of a batch, 64 bits
	high     = R15 // its high half
)

var (
	xmm   = []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15}
	ymm   = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	ymm32 = append(ymm, Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23, Y24, Y25, Y26, Y27, Y28, Y29, Y30, Y31)
	zmm   = []VecPhysical{
		Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
	}
)

// begin starts a kernel.
func begin(name string, doc ...string) {
	TEXT(name, 0, "func(first *[64]byte, dst, src []byte, s *[16]uint32, rounds int, last *[64]byte)")
	Pragma("noescape")
	Doc(doc...)
}

// arguments loads what all kernels share.
func arguments() {
	Load(Param("dst").Base(), dst)
	Load(Param("src").Base(), src)
	Load(Param("src").Len(), whole)
	SHRQ(Imm(6), whole)
	Load(Param("s"), state)
	Load(Param("rounds"), rounds)
	Load(Param("first"), first)
	Load(Param("last"), last)
}

// rowD loads words 12 to 15. They were just written, word by word: a load of all
// four would wait until they are in the cache.
func rowD(x VecPhysical) {
	VMOVD(word(12), x)
	for i := 1; i < 4; i++ {
		VPINSRD(Imm(uint64(i)), word(12+i), x, x)
	}
}

// word is word i of the state.
func word(i int) Mem { return Mem{Base: state, Disp: 4 * i} }

// at is m, n bytes further.
func at(m Mem, n int) Mem { return m.Offset(n) }

// doubleRounds runs body, a column round and a diagonal round, rounds/2 times.
func doubleRounds(label string, body func()) {
	MOVQ(rounds, round)
	Label(label)
	body()
	SUBQ(Imm(2), round)
	JNZ(LabelRef(label))
}

// quarter has the registers of one quarter round.
type quarter struct{ a, b, c, d int }

// The quarter rounds of a column round and of a diagonal round, as words of the
// matrix (RFC 8439, section 2.3).
var (
	columns   = []quarter{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}
	diagonals = []quarter{{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}}
)

// step is one of the four lines of a quarter round (section 2.1): to += add,
// xor ^= to, xor <<<= n.
type step struct {
	to, add, xor int
	n            uint64
}

// steps are the four steps of a quarter round.
func (q quarter) steps() []step {
	return []step{{q.a, q.b, q.d, 16}, {q.c, q.d, q.b, 12}, {q.a, q.b, q.d, 8}, {q.c, q.d, q.b, 7}}
}

// output writes the blocks of a batch in their order.
type output struct {
	blocks int      // so far
	tails  []func() // the code for src ending before a block
}

func (o *output) label(what string) string { return fmt.Sprintf("%s%d", what, o.blocks) }

// block writes one block: store writes key stream to a place in memory, xor
// writes it XORed from src to dst.
func (o *output) block(store func(to Mem), xor func()) {
	next := o.label("next")
	if o.blocks == 0 {
		toSrc := o.label("whole")
		TESTQ(first, first)
		JZ(LabelRef(toSrc))
		store(Mem{Base: first})
		XORL(first.As32(), first.As32())
		JMP(LabelRef(next))
		Label(toSrc)
	}
	tail := o.label("tail")
	TESTQ(whole, whole)
	JZ(LabelRef(tail))
	xor()
	ADDQ(Imm(blockSize), src)
	ADDQ(Imm(blockSize), dst)
	DECQ(whole)
	if o.blocks == 0 {
		Label(next)
	}
	o.tails = append(o.tails, func() {
		Label(tail)
		TESTQ(last, last)
		JZ(LabelRef("done"))
		store(Mem{Base: last})
		JMP(LabelRef("done"))
	})
	o.blocks++
}

// more jumps to label if blocks are left.
func (o *output) more(label string) {
	TESTQ(whole, whole)
	JNZ(LabelRef(label))
	TESTQ(last, last)
	JNZ(LabelRef(label))
}

// end ends the kernel.
func (o *output) end() {
	Label("done")
	VZEROUPPER()
	RET()
	for _, tail := range o.tails {
		tail()
	}
}

// table makes a read-only table of words.
func table(name string, words []uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, w := range words {
		DATA(4*i, U32(w))
	}
	return m
}
