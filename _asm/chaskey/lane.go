package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lane is one block in the lowest lanes of vector registers.
type lane [4]VecPhysical

func (v lane) add(to, from int) { VPADDD(v[from], v[to], v[to]) }
func (v lane) xor(to, from int) { VPXORD(v[from], v[to], v[to]) }
func (v lane) rotate(i, n int)  { VPROLD(Imm(uint64(n)), v[i], v[i]) }

// encryptMAC makes the core of CLOC and SILC. Two blocks are more than general
// registers have units for, so the MAC has vector registers: it may be slower, as
// the encryption does not wait for it.
func (t lane) encryptMAC() {
	TEXT("encryptMACAVX512", attr.NOSPLIT, encryptMACSignature)
	Pragma("noescape")
	Doc("encryptMACAVX512 is encryptMACGeneric for n blocks. top has the bit to set.")
	arguments()
	s := blockA
	top, st := R12, R13
	between, out := xmm[4:8], xmm[8:12]
	Load(Param("c"), state)
	s.load(Mem{Base: state})
	Load(Param("top"), top)
	Load(Param("st"), st)
	for i, v := range t {
		VMOVD(keyOut.Offset(4*i), out[i])
		VMOVD(keyBetween.Offset(4*i), between[i])
		VMOVD(Mem{Base: st, Disp: 16 + 4*i}, v)
		VPXOR(out[i], v, v) // the state of the MAC has no key until its end
		VMOVD(s[i], X12)
		VPXOR(X12, v, v)
		VPXOR(between[i], v, v)
	}

	Label("block")
	for i, v := range s {
		ORL(Mem{Base: top, Disp: 4 * i}, v)
	}
	s.with(keyIn)
	repeat(rounds, func() { ordered(orderTwo, s, t) })
	s.with(keyOut)
	s.store(Mem{Base: st})
	s.with(Mem{Base: src})
	s.store(Mem{Base: dst})
	for i, v := range t {
		VPTERNLOGD_BCST(Imm(0x96), Mem{Base: dst, Disp: 4 * i}, between[i], v)
	}
	ADDQ(Imm(blockSize), src)
	ADDQ(Imm(blockSize), dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))

	Load(Param("c"), state)
	s.store(Mem{Base: state})
	for i, v := range t {
		VMOVD(s[i], X12)
		VPTERNLOGD(Imm(0x96), X12, between[i], v) // undoes the last
		VPXOR(out[i], v, v)
		VMOVD(v, Mem{Base: st, Disp: 16 + 4*i})
	}
	VZEROUPPER()
	RET()
}
