package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// xorAVX512 is for key stream that is made already.
func xorAVX512() {
	TEXT("xorAVX512", NOSPLIT, "func(dst, src, key *byte, blocks int)")
	Pragma("noescape")
	Doc("xorAVX512 sets dst to src XORed with key, in so many blocks, one at least.")
	key := RBX
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("key"), key)
	Load(Param("blocks"), whole)
	Label("blocks")
	VMOVDQU64(Mem{Base: src}, zmm[0])
	VPXORD(Mem{Base: key}, zmm[0], zmm[0])
	VMOVDQU64(zmm[0], Mem{Base: dst})
	for _, p := range []Register{src, key, dst} {
		ADDQ(Imm(blockSize), p)
	}
	DECQ(whole)
	JNZ(LabelRef("blocks"))
	VZEROUPPER()
	RET()
}
