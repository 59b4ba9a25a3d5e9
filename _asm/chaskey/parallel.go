package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// parallel is a kernel for as many blocks at a time as the words of so many sets
// of registers, which have size bytes each. One set of the largest registers has
// work enough for all vector units where most operations take one cycle; where they
// take two, several sets have.
type parallel struct {
	tier       string
	size, sets int
}

func (p parallel) batch() int { return p.sets * p.size / 4 } // blocks

func (p parallel) name(what string) string { return fmt.Sprintf("%s%d%s", what, p.batch(), p.tier) }

func (p parallel) reg(i int) VecPhysical {
	switch p.size {
	case 64:
		return zmm[i]
	case 32:
		return ymm[i]
	}
	return xmm[i]
}

// set is the registers of v0 to v3 of some blocks, and four to work with.
type set struct {
	parallel
	v, t [4]VecPhysical
}

// set returns that of a number.
func (p parallel) set(n int) (s set) {
	s.parallel = p
	for i := range s.v {
		s.v[i], s.t[i] = p.reg(4*n+i), p.reg(4*p.sets+i)
	}
	return s
}

// each calls f for all sets.
func (p parallel) each(f func(n int, s set)) {
	for n := range p.sets {
		f(n, p.set(n))
	}
}

func (s set) add(to, from int) { VPADDD(s.v[from], s.v[to], s.v[to]) }
func (s set) sub(to, from int) { VPSUBD(s.v[from], s.v[to], s.v[to]) }
func (s set) xor(to, from int) { s.vpxor(s.v[from], s.v[to], s.v[to]) }

// rotate has two shifts with AVX2, which has no rotations, or a shuffle of bytes,
// whose order is in a register.
func (s set) rotate(i, n int) {
	v, t := s.v[i], s.t[i]
	switch left := Imm(uint64(n & 31)); {
	case s.tier == "AVX512":
		VPROLD(left, v, v)
	case n%16 == 0:
		VPSHUFB(by16, v, v)
	case n%8 == 0:
		VPSHUFB(by8, v, v)
	default:
		VPSLLD(left, v, t)
		VPSRLD(Imm(uint64(-n&31)), v, v)
		VPOR(t, v, v)
	}
}

var by8, by16 = Y14, Y15 // orders of bytes

// loadRotations loads what rotate needs: the rotations by 16, and by 8 to the left
// or to the right.
func (p parallel) loadRotations(eight int) {
	if p.tier == "AVX2" {
		VMOVDQU(byteRotation(eight), by8)
		VMOVDQU(byteRotation(16), by16)
	}
}

var rotations = map[int]Mem{}

// byteRotation is the order of bytes that rotates words to the left by n bits.
func byteRotation(n int) Mem {
	if _, ok := rotations[n]; !ok {
		rotations[n] = byteTable(fmt.Sprintf("rotation%d", n&31), 32, func(i int) int {
			return i&^3 + (i-n/8)&3
		})
	}
	return rotations[n]
}

// ordered makes operations of a round in all sets.
func (p parallel) ordered(order []int) {
	var sets []words
	p.each(func(_ int, s set) { sets = append(sets, s) })
	ordered(order, sets...)
}

// round is a round of pi.
func (p parallel) round() {
	p.ordered(inOrder)
}

// unround is the inverse of round.
func (p parallel) unround() {
	var sets []words
	p.each(func(_ int, s set) { sets = append(sets, inverse{s}) })
	order := slices.Clone(inOrder)
	slices.Reverse(order)
	ordered(order, sets...)
}

// inverse undoes the operations.
type inverse struct{ set }

func (s inverse) add(to, from int) { s.sub(to, from) }
func (s inverse) rotate(i, n int)  { s.set.rotate(i, -n) }

// transpose exchanges words and blocks: each 128-bit part of the four registers is a
// matrix of four words of four blocks.
func (s set) transpose() {
	v, t := s.v, s.t
	VPUNPCKLDQ(v[1], v[0], t[0])
	VPUNPCKHDQ(v[1], v[0], t[1])
	VPUNPCKLDQ(v[3], v[2], t[2])
	VPUNPCKHDQ(v[3], v[2], t[3])
	VPUNPCKLQDQ(t[2], t[0], v[0])
	VPUNPCKHQDQ(t[2], t[0], v[1])
	VPUNPCKLQDQ(t[3], t[1], v[2])
	VPUNPCKHQDQ(t[3], t[1], v[3])
}

// at is where register i of set n is in memory.
func (p parallel) at(base Register, n, i int) Mem {
	return Mem{Base: base, Disp: p.size * (4*n + i)}
}

// crypt makes the kernel for blocks each on its own. before and after are the
// places of the keys that go before and after the rounds.
func (p parallel) crypt(what string, before, after, eight int, round func()) {
	name := p.name(what)
	TEXT(name, attr.NOSPLIT, "func(k *[12]uint32, dst, src *byte, n, rounds int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %ss n batches of %d blocks.", name, what, p.batch()))
	arguments()
	keys := [2]VecPhysical{p.reg(12), p.reg(13)}
	if p.sets == 4 {
		keys = [2]VecPhysical{p.reg(20), p.reg(21)}
	}
	p.broadcast(Mem{Base: key, Disp: before}, keys[0])
	p.broadcast(Mem{Base: key, Disp: after}, keys[1])
	p.loadRotations(eight)

	Label("batch")
	p.each(func(n int, s set) {
		for i, v := range s.v {
			p.vpxor(p.at(src, n, i), keys[0], v)
		}
		s.transpose()
	})
	repeat(rounds, round)
	p.each(func(n int, s set) {
		s.transpose()
		for i, v := range s.v {
			p.vpxor(keys[1], v, v)
			p.move(v, p.at(dst, n, i))
		}
	})
	p.advance()
}

// advance goes on to the next batch, and ends the kernel after the last.
func (p parallel) advance() {
	ADDQ(I32(int32(blockSize*p.batch())), src)
	ADDQ(I32(int32(blockSize*p.batch())), dst)
	DECQ(blocks)
	JNZ(LabelRef("batch"))
	VZEROUPPER()
	RET()
}

// What has another name in each tier.

func (p parallel) vpxor(x Op, y, z VecPhysical) {
	if p.tier == "AVX2" {
		VPXOR(x, y, z)
	} else {
		VPXORD(x, y, z)
	}
}

// vpxor3 is z ^= x ^ y.
func (p parallel) vpxor3(x Op, y, z VecPhysical) {
	if p.tier == "AVX2" {
		VPXOR(y, z, z)
		VPXOR(x, z, z)
	} else {
		VPTERNLOGD(Imm(0x96), x, y, z)
	}
}

func (p parallel) move(from, to Op) {
	if p.tier == "AVX2" {
		VMOVDQU(from, to)
	} else {
		VMOVDQU32(from, to)
	}
}

// broadcast loads 16 bytes to all parts of a register.
func (p parallel) broadcast(from Mem, to VecPhysical) {
	switch p.size {
	case 64:
		VBROADCASTI32X4(from, to)
	case 32:
		VBROADCASTI128(from, to)
	default:
		VMOVDQU(from, to)
	}
}
