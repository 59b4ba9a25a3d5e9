package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scalar is a block in general registers, but for row c, which is in memory. It can
// be made beside a batch in vectors: that leaves the units for it idle. All pointers
// give way to it.
type scalar struct {
	rowC  Mem
	round Mem // rounds that are left; then word 0
}

// Registers of rows a, b and d, and a word of row c.
var (
	scalarWords = map[int]GPPhysical{
		0: RAX, 1: RBX, 2: RCX, 3: RDX,
		4: RSI, 5: RDI, 6: R8, 7: R9,
		12: R10, 13: R11, 14: R12, 15: R13,
	}
	wordC = R15
)

// begin loads the state.
func (b *scalar) begin() {
	Load(Param("rounds"), RAX)
	MOVQ(RAX, b.round)
	Load(Param("s"), wordC)
	at := func(i int) Mem { return Mem{Base: wordC, Disp: 4 * i} }
	for i := range 4 {
		MOVL(at(8+i), EAX)
		MOVL(EAX, b.rowC.Offset(4*i))
	}
	for i := range 16 {
		if r, ok := scalarWords[i]; ok {
			MOVL(at(i), r.As32())
		}
	}
}

// doubleRound returns the instructions of a double round, in parts.
func (b *scalar) doubleRound() (parts []func()) {
	for _, round := range [][]quarter{columns, diagonals} {
		for _, q := range round {
			c := b.rowC.Offset(4 * (q.c - 8))
			reg := func(word int) Register {
				if word == q.c {
					return wordC.As32()
				}
				return scalarWords[word].As32()
			}
			for i, s := range q.steps() {
				parts = append(parts, func() {
					if i == 1 {
						MOVL(c, reg(q.c))
					}
					ADDL(reg(s.add), reg(s.to))
					XORL(reg(s.to), reg(s.xor))
					ROLL(Imm(s.n), reg(s.xor))
					if i == 3 {
						MOVL(reg(q.c), c)
					}
				})
			}
		}
	}
	return parts
}

// end adds the state, and stores the block to first.
func (b *scalar) end() {
	Load(Param("s"), wordC)
	for i := range 16 {
		if r, ok := scalarWords[i]; ok {
			ADDL(Mem{Base: wordC, Disp: 4 * i}, r.As32())
		}
	}
	to := scalarWords[0] // a pointer from here on
	MOVL(to.As32(), b.round)
	Load(Param("first"), to)
	for i := 1; i < 16; i++ {
		if r, ok := scalarWords[i]; ok {
			MOVL(r.As32(), Mem{Base: to, Disp: 4 * i})
		}
	}
	MOVL(b.round, EBX)
	MOVL(EBX, Mem{Base: to})
	for i := 8; i < 12; i++ {
		MOVL(b.rowC.Offset(4*(i-8)), EBX)
		ADDL(Mem{Base: wordC, Disp: 4 * i}, EBX)
		MOVL(EBX, Mem{Base: to, Disp: 4 * i})
	}
}

// beside runs the rounds of a batch, and beside those of the first one the block to
// first. Then first is nil, and counter is at the batch.
func beside(doubleRound []func()) {
	block := &scalar{AllocLocal(16), AllocLocal(8)}
	TESTQ(first, first)
	JZ(LabelRef("alone"))
	block.begin()
	Label("both")
	merge(doubleRound, block.doubleRound())
	SUBQ(Imm(2), block.round)
	JNZ(LabelRef("both"))
	block.end()
	arguments()
	XORL(first.As32(), first.As32())
	MOVQ(word(12), counter)
	INCQ(counter)
	JMP(LabelRef("finish"))
	Label("alone")
	doubleRounds("rounds", func() { emit(doubleRound) })
	Label("finish")
}

// skipFirst starts the first batch: with row d behind the block to first, as that is
// made beside it.
func skipFirst(d VecPhysical) {
	TESTQ(first, first)
	JZ(LabelRef("batch"))
	VPADDQ(one, d, d)
}
