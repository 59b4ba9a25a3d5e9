package main

import (
	"fmt"
	"iter"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"xcipher/_asm/poly1305/powers"
)

// A head is the beginning of a message of ChaCha20-Poly1305: some blocks of text, and
// what the authenticator needs before it can take a text fast, the one-time key and
// the powers of its multiplier. Block 0, with the key, is made beside the first half
// of the text's rounds, and from that the powers beside the second half, in general
// registers, which vectors do not need.
type head struct {
	blocks      int
	begin       func()          // loads the text's state, from the block behind 0 on
	doubleRound func() []func() // in parts
	finish      func(out *output)
}

func heads() {
	t := &rows512{groups: 4}
	(&head{
		blocks: 8,
		begin: func() {
			rowD(xmm[0])
			VINSERTI128(Imm(1), xmm[0], ymm[0], ymm[0])
			VPADDQ(lanes256, ymm[0], ymm[0])
			VPADDQ(one, ymm[0], t.d()[0])
			t.loadInput()
			t.begin()
		},
		doubleRound: func() []func() { return horizontalDoubleRound(t.rows(), nil) },
		finish:      t.finish,
	}).kernel()
	number := func() {
		MOVQ(word(12), counter)
		INCQ(counter)
	}
	(&head{
		blocks: 16,
		begin: func() {
			number()
			begin512(0)
		},
		doubleRound: func() []func() { return verticalDoubleRound(1) },
		finish: func(out *output) {
			number()
			finish512(0, out)
		},
	}).kernel()
}

func (h *head) kernel() {
	name := fmt.Sprintf("head%dAVX512", h.blocks)
	TEXT(name, 0, fmt.Sprintf("func(key *[32]byte, powers *[%d]uint64, dst, src []byte, s *[16]uint32, rounds int, last *[64]byte)", powers.Words(lanesOfPowers)))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s makes half a block to key and, as other kernels, %d blocks at most.", name, h.blocks),
		"It computes powers of the multiplier in key. There are 20, 12 or 8 rounds.")
	Load(Param("s"), state)
	Load(Param("rounds"), rounds)
	var row []VecPhysical
	for _, z := range zmm[24:28] {
		row = append(row, z.AsX().(VecPhysical))
	}
	rowD(xmm[0])
	VMOVDQA64(xmm[0], row[3])
	h.begin()
	for i, x := range row[:3] {
		VMOVDQU64(word(4*i), x)
	}

	Comment("The first half, and all of block 0 beside it")
	MOVQ(rounds, round)
	SHRQ(Imm(2), round)
	Label("both")
	merge(h.doubleRound(), append(horizontalDoubleRound(row, nil), horizontalDoubleRound(row, nil)...))
	DECQ(round)
	JNZ(LabelRef("both"))
	Load(Param("key"), RAX)
	for i := range 2 { // rows a and b are enough
		VPADDD(word(4*i), row[i], row[i])
		VMOVDQU64(row[i], Mem{Base: RAX, Disp: 16 * i})
	}

	Comment("The other half of 20 rounds, beside the powers")
	CMPQ(rounds, Imm(20))
	JNE(LabelRef("fewer"))
	h.powers(5)
	JMP(LabelRef("finish"))

	Comment("Of 12 or 8 rounds, two double rounds beside the powers, and one more of 12")
	Label("fewer")
	h.powers(2)
	Load(Param("rounds"), round)
	CMPQ(round, Imm(8))
	JEQ(LabelRef("finish"))
	emit(h.doubleRound())

	Label("finish")
	Load(Param("s"), state)
	Load(Param("dst").Base(), dst)
	Load(Param("src").Base(), src)
	Load(Param("src").Len(), whole)
	SHRQ(Imm(6), whole)
	Load(Param("last"), last)
	out := &output{blocks: 1} // block 0 is done
	h.finish(out)
	out.end()
}

const lanesOfPowers = 8

// pauses is how often the powers pause.
const pauses = 71

// powers emits double rounds, and beside them the powers. Its code changes all
// general registers.
func (h *head) powers(doubleRounds int) {
	Load(Param("key"), RAX)
	MOVQ(U64(0x0ffffffc0fffffff), RCX)
	ANDQ(Mem{Base: RAX}, RCX)
	MOVQ(U64(0x0ffffffc0ffffffc), RDX)
	ANDQ(Mem{Base: RAX, Disp: 8}, RDX)
	Load(Param("powers"), R15)
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		powers.Pause = func() { yield(struct{}{}) }
		powers.At(Mem{Base: R15}, lanesOfPowers).Compute()
	})
	defer stop()
	var text []func()
	for range doubleRounds {
		text = append(text, h.doubleRound()...)
	}
	var beside []func()
	for range pauses + 1 {
		beside = append(beside, func() { next() })
	}
	merge(text, beside)
	if _, more := next(); more {
		panic("there are more pauses")
	}
}

// merge emits two streams of instructions side by side.
func merge(a, b []func()) {
	for i, part := range a {
		part()
		emit(b[i*len(b)/len(a) : (i+1)*len(b)/len(a)])
	}
}
