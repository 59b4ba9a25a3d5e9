package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels for 64 blocks: register n holds byte a_n of all of them. The byte 16l+r
// of a register, which is byte r of lane l, belongs to block 4r+l: then a block's
// place among the four of a register in memory is its lane. Those for 32 blocks do the
// same with halves of registers, and two lanes, but S on two of them in one register.

// horner is the quotients of neighbours among the coefficients of a_8, ..., a_2: the
// sum of the products is taken as ((q_0 a_8 + a_6 + a_10) q_1 + a_5 + a_11) q_2 ...
// The last factor is c_2 itself.
func horner() (q []uint64) {
	c := func(n int) byte { return coefficients[15-n] }
	q = append(q, times(divide(c(8), c(6))))
	for n := 6; n > 2; n-- {
		q = append(q, times(divide(c(n), c(n-1))))
	}
	return append(q, times(c(2)))
}

// slices is the registers of the kernels in this file.
type slices struct {
	bytes int           // in a register
	s     []VecPhysical // 16
	tab   []VecPhysical // pi
	q     []VecPhysical // the factors of horner, then c_1
	spare []VecPhysical
	turn  int
}

var factors Mem

func newSlices(pi Mem, blocks int) *slices {
	r := sized(blocks)
	v := &slices{bytes: blocks, s: r[:16], tab: z[16:20], q: r[20:27], spare: r[27:32]}
	for i, r := range v.tab {
		VMOVDQU64(pi.Offset(64*i), r)
	}
	for i, r := range v.q {
		VPBROADCASTQ(factors.Offset(8*i), r)
	}
	return v
}

// sized returns the registers of 64 bytes, or their lower halves.
func sized(bytes int) []VecPhysical {
	if bytes == 64 {
		return z
	}
	var halves []VecPhysical
	for _, r := range z {
		halves = append(halves, r.AsY().(VecPhysical))
	}
	return halves
}

func (v *slices) temporary() VecPhysical {
	v.turn++
	return v.spare[v.turn%len(v.spare)]
}

// add is X of a round key on byte a_n.
func (v *slices) add(key GPPhysical, n int) {
	VPXORD_BCST(Mem{Base: key, Disp: 4 * (15 - n)}, v.s[n], v.s[n])
}

func (v *slices) substitute(n int) {
	if v.bytes == 64 {
		substitute(v.s[n], v.temporary(), v.tab)
		return
	}
	if n%2 == 1 { // with the register before it
		both := v.s[n-1].AsZ().(VecPhysical)
		VINSERTI64X4(Imm(1), v.s[n], both, both)
		substitute(both, v.temporary().AsZ().(VecPhysical), v.tab)
		VEXTRACTI64X4(Imm(1), both, v.s[n])
	}
}

// step is R at register t, which holds a_0 before and a_16 after: the sum of a_0
// and of the products of the fifteen bytes between. It undoes itself. newest is the
// number, 1 or 15, of the byte that the step before this one made.
func (v *slices) step(t, newest int) {
	a := func(n int) VecPhysical { return v.s[(t+n)%16] }
	u, w := v.temporary(), v.temporary()
	VGF2P8AFFINEQB(Imm(0), v.q[0], a(8), u)
	for i, q := range v.q[1:6] {
		VPTERNLOGQ(Imm(0x96), a(6-i), a(10+i), u)
		VGF2P8AFFINEQB(Imm(0), q, u, u)
	}
	VPTERNLOGQ(Imm(0x96), a(7), a(9), a(0))
	VPXORQ(a(newest), a(16-newest), w)
	VGF2P8AFFINEQB(Imm(0), v.q[6], w, w)
	VPTERNLOGQ(Imm(0x96), u, w, a(0))
}

// encrypt is E (section 4.5.1).
func (v *slices) encrypt(keys, k, rounds GPPhysical) {
	MOVQ(keys, k)
	repeat("round", rounds, 9, func() {
		for n := range 16 {
			v.add(k, n)
			v.substitute(n)
		}
		for t := range 16 {
			v.step(t, 15)
		}
		ADDQ(U8(64), k)
	})
	for n := range 16 {
		v.add(k, n)
	}
}

// decrypt is D (section 4.5.2).
func (v *slices) decrypt(keys, k, rounds GPPhysical) {
	LEAQ(Mem{Base: keys, Disp: 9 * 64}, k)
	for n := range 16 {
		v.add(k, n)
	}
	repeat("round", rounds, 9, func() {
		SUBQ(U8(64), k)
		for t := 15; t >= 0; t-- {
			v.step(t, 1)
		}
		for n := 15; n >= 0; n-- {
			v.substitute(n)
			v.add(k, n)
		}
	})
}

// transpose exchanges the number of a register, 15 for a_0, with that of a byte in
// a lane. Four times the registers are shuffled as a deck of cards is, byte by byte.
// regs is the order of the registers, and becomes another one; spare is one more.
func transpose(regs []VecPhysical, spare VecPhysical) ([]VecPhysical, VecPhysical) {
	for range 4 {
		next := make([]VecPhysical, 16)
		for i := range 8 {
			a, b := regs[i], regs[i+8]
			VPUNPCKLBW(b, a, spare)
			VPUNPCKHBW(b, a, b)
			next[2*i], next[2*i+1], spare = spare, b, a
		}
		regs = next
	}
	return regs, spare
}

// bytesFirst is the registers from a_15 on.
func (v *slices) bytesFirst() (r []VecPhysical) {
	for n := range 16 {
		r = append(r, v.s[15-n])
	}
	return r
}

// load reads the blocks.
func (v *slices) load(src GPPhysical) {
	r := v.bytesFirst()
	for i := range r {
		VMOVDQU64(Mem{Base: src, Disp: v.bytes * i}, r[i])
	}
	r, v.spare[0] = transpose(r, v.spare[0])
	for n := range v.s {
		v.s[n] = r[15-n]
	}
}

func (v *slices) store(dst GPPhysical, src *GPPhysical) {
	r, _ := transpose(v.bytesFirst(), v.spare[0])
	for i := range r {
		if src != nil {
			VPXORQ(Mem{Base: *src, Disp: v.bytes * i}, r[i], r[i])
		}
		VMOVDQU64(r[i], Mem{Base: dst, Disp: v.bytes * i})
	}
}

// sliced makes the kernels.
func sliced() {
	factors = wordsOf("factors", append(horner(), times(coefficients[0]))...)
	for _, blocks := range []int{64, 32} {
		for _, encrypt := range []bool{true, false} {
			name, side := "encrypt", &there
			if !encrypt {
				name, side = "decrypt", &back
			}
			TEXT(name+strconv.Itoa(blocks)+"AVX512", NOSPLIT, "func(words *[160]uint32, dst, src *byte)")
			Pragma("noescape")
			words, dst, src := RAX, RDI, RSI
			Load(Param("words"), words)
			Load(Param("dst"), dst)
			Load(Param("src"), src)
			v := newSlices(side.pi, blocks)
			v.load(src)
			if encrypt {
				v.encrypt(words, RBX, RCX)
			} else {
				v.decrypt(words, RBX, RCX)
			}
			v.store(dst, nil)
			leave()
		}
		counter(blocks)
	}
}

// counter makes the kernel of batch.Counter. The counter's value decides nothing:
// those of MGM are secret.
func counter(blocks int) {
	name := "counter" + strconv.Itoa(blocks) + "AVX512"
	TEXT(name, NOSPLIT, "func(words *[160]uint32, dst, src *byte, ctr *[32]byte, low int)")
	Pragma("noescape")
	Doc(name+" encrypts "+strconv.Itoa(blocks)+" counter blocks and adds them to src. ctr is the first, and",
		"what the bytes other than the lowest become when that one wraps. The lowest",
		"is byte low, 7 or 15.")
	words, dst, src, ctr, low := RAX, RDI, RSI, RDX, R8
	Load(Param("words"), words)
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("ctr"), ctr)
	Load(Param("low"), low)
	place := make([]byte, blocks)
	for i := range place {
		place[i] = byte(i%16*(blocks/16) + i/16)
	}
	r := sized(blocks)
	first, count, wrapped := r[16], r[17], r[18]
	VPBROADCASTB(Mem{Base: ctr, Index: low, Scale: 1}, first)
	VPADDB(bytesOf("place"+strconv.Itoa(blocks), place), first, count)
	VPCMPUB(Imm(1), first, count, K1) // less than before: it wrapped
	for n := range 16 {
		VPBROADCASTB(Mem{Base: ctr, Disp: 15 - n}, r[n])
		VPBROADCASTB(Mem{Base: ctr, Disp: 31 - n}, wrapped)
		VMOVDQU8(wrapped, K1, r[n])
	}
	CMPQ(low, U8(15))
	JEQ(LabelRef("lowIs15"))
	VMOVDQA64(count, r[8])
	JMP(LabelRef("counted"))
	Label("lowIs15")
	VMOVDQA64(count, r[0])
	Label("counted")
	v := newSlices(there.pi, blocks)
	v.encrypt(words, RBX, RCX)
	v.store(dst, &src)
	leave()
}
