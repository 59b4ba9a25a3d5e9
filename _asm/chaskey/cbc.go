package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// decryptCBC makes the kernel for CBC decryption. dst may be src, so a batch is
// written from its end on: what a register is XORed to begins a block before it, and
// for the first register, in the batch before.
func (p parallel) decryptCBC() {
	name := p.name("decryptCBC")
	TEXT(name, attr.NOSPLIT, "func(k *[12]uint32, st *[16]byte, dst, src *byte, n, rounds int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s decrypts n batches of %d blocks, which st is before.", name, p.batch()))
	arguments()
	st := R8
	Load(Param("st"), st)
	before, next := p.reg(12), p.reg(13)
	if p.sets == 4 {
		before, next = p.reg(20), p.reg(21)
	}
	p.broadcast(Mem{Base: st}, before)
	p.loadRotations(-8)

	Label("batch")
	p.each(func(n int, s set) {
		out := s.t[0]
		p.broadcast(keyOut, out)
		for i, v := range s.v {
			p.vpxor(p.at(src, n, i), out, v)
		}
		s.transpose()
	})
	repeat(rounds, p.unround)
	p.move(p.at(src, p.sets-1, 3), next)
	for n := p.sets - 1; n >= 0; n-- {
		s := p.set(n)
		s.transpose()
		in, first := s.t[0], s.t[1]
		p.broadcast(keyIn, in)
		for i := 3; i >= 0; i-- {
			var shifted Op = p.at(src, n, i).Offset(-blockSize)
			if n == 0 && i == 0 {
				p.move(p.at(src, 0, 0), first)
				p.shift(before, first)
				shifted = first
			}
			p.vpxor3(shifted, in, s.v[i])
			p.move(s.v[i], p.at(dst, n, i))
		}
	}
	p.move(next, before)
	p.advance()
}

// shift moves the blocks of v up by one, and that at the end of before to the start.
func (p parallel) shift(before, v VecPhysical) {
	if p.tier == "AVX2" {
		VPERM2I128(Imm(0x21), v, before, v)
	} else {
		VALIGND(Imm(12), before, v, v)
	}
}
