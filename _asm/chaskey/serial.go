package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// block is one block in general registers.
type block [4]Register

func (v block) add(to, from int) { ADDL(v[from], v[to]) }
func (v block) xor(to, from int) { XORL(v[from], v[to]) }
func (v block) rotate(i, n int)  { RORXL(Imm(uint64(32-n)), v[i], v[i]) }

func (v block) load(m Mem) {
	for i, r := range v {
		MOVL(m.Offset(4*i), r)
	}
}

func (v block) store(m Mem) {
	for i, r := range v {
		MOVL(r, m.Offset(4*i))
	}
}

// with is v ^= 16 bytes of memory.
func (v block) with(m Mem) {
	for i, r := range v {
		XORL(m.Offset(4*i), r)
	}
}

func (v block) xorBlock(x block) {
	for i, r := range v {
		XORL(x[i], r)
	}
}

var (
	blockA = block{R8.As32(), R9.As32(), R10.As32(), R11.As32()}
	blockB = block{R12.As32(), R13.As32(), R15.As32(), EDX}
	state  = RBX // pointers
)

// Where the keys are.
var (
	keyIn      = Mem{Base: key}
	keyOut     = Mem{Base: key, Disp: 16}
	keyBetween = Mem{Base: key, Disp: 32}
)

// absorb makes the core of a MAC.
func absorb() {
	TEXT("absorbAVX2", attr.NOSPLIT, "func(s, w *[4]uint32, m *byte, n, rounds int)")
	Pragma("noescape")
	Doc("absorbAVX2 is absorbGeneric for n blocks.")
	Load(Param("s"), state)
	Load(Param("w"), key)
	Load(Param("m"), src)
	Load(Param("n"), blocks)
	s, t := blockA, blockB
	s.load(Mem{Base: state})
	Label("block")
	t.load(Mem{Base: src})
	t.with(Mem{Base: key})
	s.xorBlock(t)
	repeat(param("rounds"), func() { ordered(orderOne, s) })
	ADDQ(Imm(blockSize), src)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	Load(Param("s"), state)
	s.store(Mem{Base: state})
	RET()
}

// chain makes the core of CBC encryption.
func chain() {
	TEXT("chainAVX2", attr.NOSPLIT, "func(k *[12]uint32, s *[4]uint32, dst, src *byte, n, rounds int)")
	Pragma("noescape")
	Doc("chainAVX2 is chainGeneric for n blocks.")
	arguments()
	Load(Param("s"), state)
	s, t := blockA, blockB
	s.load(Mem{Base: state})
	Label("block")
	t.load(Mem{Base: src})
	t.with(keyBetween)
	s.xorBlock(t)
	repeat(param("rounds"), func() { ordered(orderOne, s) })
	t.load(keyOut)
	t.xorBlock(s)
	t.store(Mem{Base: dst})
	ADDQ(Imm(blockSize), src)
	ADDQ(Imm(blockSize), dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	Load(Param("s"), state)
	s.store(Mem{Base: state})
	RET()
}

const encryptMACSignature = "func(k *[12]uint32, dst, src *byte, n, rounds int, top *[4]uint32, c *[16]byte, st *[32]byte)"

// encryptMAC makes the core of CLOC and SILC. It is short of registers.
func encryptMAC() {
	TEXT("encryptMACAVX2", attr.NOSPLIT, encryptMACSignature)
	Pragma("noescape")
	Doc("encryptMACAVX2 is encryptMACGeneric for n blocks. top has the bit to set.")
	Load(Param("k"), key)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("n"), blocks)
	s, t := blockA, blockB
	Load(Param("c"), state)
	s.load(Mem{Base: state})
	Load(Param("st"), state)
	t.load(Mem{Base: state, Disp: 16})
	t.with(keyOut) // the state of the MAC has no key until its end

	Label("block")
	t.xorBlock(s)
	t.with(keyBetween)
	Load(Param("top"), state)
	for i, v := range s {
		ORL(Mem{Base: state, Disp: 4 * i}, v)
	}
	s.with(keyIn)
	repeat(param("rounds"), func() { ordered(orderTwo, s, t) })
	s.with(keyOut)
	Load(Param("st"), state)
	s.store(Mem{Base: state})
	s.with(Mem{Base: src})
	s.store(Mem{Base: dst})
	ADDQ(Imm(blockSize), src)
	ADDQ(Imm(blockSize), dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))

	t.with(keyOut)
	t.store(Mem{Base: state, Disp: 16})
	Load(Param("c"), state)
	s.store(Mem{Base: state})
	RET()
}
