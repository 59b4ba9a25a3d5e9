package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var z = [32]VecPhysical{
	Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
	Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
}

// halves are what VPERMT2Q takes from two registers with halves of four blocks each,
// for two blocks; and from two registers with two blocks each, for the halves.
var (
	zip   = quadwords("zip", 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15)
	unzip = quadwords("unzip", 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)
)

func quadwords(name string, q ...byte) Mem {
	var b []byte
	for _, v := range q {
		b = append(b, v, 0, 0, 0, 0, 0, 0, 0)
	}
	return bytesOf(name, b)
}

// transpose exchanges, in each part of eight registers, the words of a register and
// the registers.
func (s *sliced) transpose(v []VecPhysical) []VecPhysical {
	for i, unpack := range []struct{ low, high func(...Op) }{
		{VPUNPCKLWD, VPUNPCKHWD}, {VPUNPCKLDQ, VPUNPCKHDQ}, {VPUNPCKLQDQ, VPUNPCKHQDQ},
	} {
		next := make([]VecPhysical, 8)
		for j := range 4 {
			// Pairs are neighbours, then next but one and so on.
			k := j>>i<<(i+1) | j&(1<<i-1)
			x, y := v[k], v[k+1<<i]
			next[k], next[k+1<<i] = s.take(), y
			unpack.low(y, x, next[k])
			unpack.high(y, x, y)
			s.give(x)
		}
		v = next
	}
	// Bits of the number of the word came in from the top.
	return []VecPhysical{v[0], v[4], v[2], v[6], v[1], v[5], v[3], v[7]}
}

var (
	// blockOfLane is the number of the block in each lane.
	blockOfLane = lanes("blockOfLane", func(i int) int { return i%8*4 + i/8 })
	batch       = lanes("batch", func(int) int { return 32 })
	swapBytes   = bytesOf("swapBytes", func() (b []byte) {
		for i := range byte(64) {
			b = append(b, i&15^1)
		}
		return b
	}())
)

func lanes(name string, f func(lane int) int) Mem {
	var b []byte
	for i := range 32 {
		b = append(b, byte(f(i)), 0)
	}
	return bytesOf(name, b)
}

func newSliced() *sliced {
	s := &sliced{
		a: row(z[0:4]), b: row(z[4:8]), c: row(z[8:12]), d: row(z[12:16]),
		free:      append([]VecPhysical{}, z[16:25]...),
		rotations: [4]VecPhysical{1: Z29, 2: Z30, 3: Z31},
	}
	for n := 1; n < 4; n++ {
		VPBROADCASTQ(nibbleRotations.Offset(8*n-8), s.rotations[n])
	}
	return s
}

// halves, of the state, are the registers of the rows A and B or C and D.
func (s *sliced) halves() (left, right []VecPhysical) {
	v := s.registers()
	return v[:8], v[8:]
}

// in loads 32 blocks.
func (s *sliced) in(src Register) {
	first, second := Z27, Z28
	VMOVDQU64(unzip, first)
	VMOVDQU64(unzip.Offset(64), second)
	left, right := s.halves()
	for j := range 8 {
		two, more := Mem{Base: src, Disp: 128 * j}, Mem{Base: src, Disp: 128*j + 64}
		VMOVDQU64(two, left[j])
		VMOVDQA64(left[j], right[j])
		VPERMT2Q(more, first, left[j])
		VPERMT2Q(more, second, right[j])
	}
	left, right = s.transpose(left), s.transpose(right)
	s.a, s.b, s.c, s.d = row(left[:4]), row(left[4:]), row(right[:4]), row(right[4:])
}

// out stores 32 blocks, and adds what is at src, if that is not nil.
func (s *sliced) out(dst, src Register) {
	first, second := Z27, Z28
	VMOVDQU64(zip, first)
	VMOVDQU64(zip.Offset(64), second)
	left, right := s.halves()
	left, right = s.transpose(left), s.transpose(right)
	for j := range 8 {
		t := s.take()
		VMOVDQA64(left[j], t)
		VPERMT2Q(right[j], first, t)
		VPERMT2Q(right[j], second, left[j])
		for i, r := range []VecPhysical{t, left[j]} {
			if src != nil {
				VPXORD(Mem{Base: src, Disp: 128*j + 64*i}, r, r)
			}
			VMOVDQU64(r, Mem{Base: dst, Disp: 128*j + 64*i})
		}
		s.give(t)
	}
}

// whiten adds K.
func (s *sliced) whiten(keys Register) {
	for i, v := range s.registers() {
		VPXORD_BCST(Mem{Base: keys, Disp: 4 * i}, v, v)
	}
}

// Keys are K, K' and K in the forms that whiten, even and odd super-rounds take.
func keyOf(keys Register, s int) Op { return Mem{Base: keys, Disp: 64 + 64*s} }

// even is an even round.
func (s *sliced) even() {
	s.substitute()
	s.mix(words{})
}

// encrypt makes the super-rounds, as many as left has, with constants from k on. The
// first even round is done already.
func (s *sliced) encrypt(keys, k, left Register) {
	start := s.now()
	Label("superRound")
	s.substitute()
	s.slice(1)
	s.mix(words{keyOf(keys, 0), Mem{Base: k}})
	s.slice(3)
	middle := s.now()
	DECQ(left)
	JZ(LabelRef("odd"))
	s.even()
	s.substitute()
	s.sheet(1)
	s.mix(words{keyOf(keys, 1), Mem{Base: k, Disp: 16}})
	s.sheet(3)
	end := s.now()
	ADDQ(U8(32), k)
	DECQ(left)
	JZ(LabelRef("encrypted"))
	s.even()
	s.settle(start)
	JMP(LabelRef("superRound"))
	Label("odd")
	middle.settle(end)
	Label("encrypted")
	*s = end.now()
}

// decrypt is encrypt backwards; k goes down.
func (s *sliced) decrypt(keys, k, left Register) {
	start := s.now()
	TESTQ(U32(1), left)
	JNZ(LabelRef("odd"))
	Label("superRound")
	s.sheet(1)
	s.unmix(words{keyOf(keys, 1), Mem{Base: k}})
	s.sheet(3)
	s.unsubstitute()
	s.unmix(words{})
	s.unsubstitute()
	SUBQ(U8(16), k)
	middle := s.now()
	Label("even")
	s.slice(1)
	s.unmix(words{keyOf(keys, 0), Mem{Base: k}})
	s.slice(3)
	s.unsubstitute()
	s.unmix(words{})
	s.unsubstitute()
	s.settle(start)
	SUBQ(U8(16), k)
	SUBQ(U8(2), left)
	JNZ(LabelRef("superRound"))
	JMP(LabelRef("decrypted"))
	Label("odd")
	start.settle(middle)
	INCQ(left)
	JMP(LabelRef("even"))
	Label("decrypted")
}

// next goes on to the next batch, of so many blocks.
func next(dst, src, batches Register, blocks int) {
	ADDQ(I32(32*blocks), src)
	ADDQ(I32(32*blocks), dst)
	DECQ(batches)
	JNZ(LabelRef("batch"))
	leave()
}

func encryptSliced() {
	TEXT("encrypt32AVX512", NOSPLIT, "func(keys *[3][16]uint32, rc *[4]uint32, dst, src *byte, batches, superRounds int)")
	Pragma("noescape")
	keys, rc, dst, src, batches, superRounds := RAX, RBX, RDI, RSI, RCX, RDX
	load([]string{"keys", "rc", "dst", "src", "batches", "superRounds"}, keys, rc, dst, src, batches, superRounds)
	s := newSliced()
	Label("batch")
	MOVQ(rc, R8)
	MOVQ(superRounds, R9)
	s.in(src)
	s.whiten(keys)
	s.even()
	s.encrypt(keys, R8, R9)
	s.out(dst, nil)
	next(dst, src, batches, 32)
}

func decryptSliced() {
	TEXT("decrypt32AVX512", NOSPLIT, "func(keys *[3][16]uint32, rc *[4]uint32, dst, src *byte, batches, superRounds int)")
	Pragma("noescape")
	Doc("decrypt32AVX512 takes the constants of the last super-round.")
	keys, rc, dst, src, batches, superRounds := RAX, RBX, RDI, RSI, RCX, RDX
	load([]string{"keys", "rc", "dst", "src", "batches", "superRounds"}, keys, rc, dst, src, batches, superRounds)
	s := newSliced()
	Label("batch")
	MOVQ(rc, R8)
	MOVQ(superRounds, R9)
	s.in(src)
	s.decrypt(keys, R8, R9)
	s.whiten(keys)
	s.out(dst, nil)
	next(dst, src, batches, 32)
}

// counterSliced makes the kernel of XORCounter. The rows A to C are the same for all
// blocks, and so is what S makes of them, and the sum of A and B.
func counterSliced() {
	TEXT("counter32AVX512", 0, "func(keys *[3][16]uint32, rc *[4]uint32, dst, src *byte, ctr *[16]uint32, batches, superRounds int)")
	Pragma("noescape")
	Doc("counter32AVX512 takes the registers of the counter block, each twice: those that are",
		"the same for all blocks with the key, and the number in the last one. It must not wrap.")
	keys, rc, dst, src, ctr, batches, superRounds := RAX, RBX, RDI, RSI, R10, RCX, RDX
	load([]string{"keys", "rc", "dst", "src", "ctr", "batches", "superRounds"}, keys, rc, dst, src, ctr, batches, superRounds)
	local := AllocLocal(12 * 64)
	s := newSliced()
	start := s.now()
	v := s.registers()
	for i := range 12 {
		VPBROADCASTD(Mem{Base: ctr, Disp: 4 * i}, v[i])
	}
	s.gates(circuit, &s.a, &s.b, &s.c)
	s.a, s.b, s.c = order0(s.a), order1(s.b), order0(s.c)
	s.addRow(&s.a, s.b, nil)
	for i, r := range s.registers()[:12] {
		VMOVDQU64(r, local.Offset(64*i))
	}
	number := Z26
	VPBROADCASTD(Mem{Base: ctr, Disp: 60}, number)
	VPADDW(blockOfLane, number, number)

	*s = start
	Label("batch")
	MOVQ(rc, R8)
	MOVQ(superRounds, R9)
	for i := range 3 {
		VPBROADCASTD(Mem{Base: ctr, Disp: 48 + 4*i}, s.d[i])
	}
	VPSHUFB(swapBytes, number, s.d[3]) // big-endian
	VPXORD_BCST(Mem{Base: keys, Disp: 60}, s.d[3], s.d[3])
	VPADDW(batch, number, number)
	s.gates(circuit, &s.d)
	s.d = order1(s.d)
	for i, r := range s.registers()[:12] {
		VMOVDQU64(local.Offset(64*i), r)
	}
	s.addRow(&s.c, s.d, nil)
	s.mixed(words{})
	s.encrypt(keys, R8, R9)
	s.out(dst, src)
	next(dst, src, batches, 32)
}
