package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// direction is the cipher (section 5.1) or the equivalent inverse cipher (5.3.5).
type direction struct {
	key         func(i int) int // which round key is the i-th
	round, last func(key, state, dst Op)
	mix         bool // the inner round keys go through InvMixColumns
}

var (
	encryption = direction{
		func(i int) int { return i },
		func(key, state, dst Op) { VAESENC(key, state, dst) },
		func(key, state, dst Op) { VAESENCLAST(key, state, dst) }, false}
	decryption = direction{
		func(i int) int { return rounds - i },
		func(key, state, dst Op) { VAESDEC(key, state, dst) },
		func(key, state, dst Op) { VAESDECLAST(key, state, dst) }, true}
)

// apply makes the rounds of several blocks side by side. key returns the register
// with the round key for round r.
func (d direction) apply(b []VecPhysical, key func(r int) VecPhysical) {
	for r := 1; r <= rounds; r++ {
		k := key(r)
		for _, v := range b {
			if r < rounds {
				d.round(k, v, v)
			} else {
				d.last(k, v, v)
			}
		}
	}
}

// fromMemory loads the round key for round r into one of two registers.
func (d direction) fromMemory(keys GPPhysical) func(r int) VecPhysical {
	return func(r int) VecPhysical {
		k, m := x[8+r%2], roundKey(keys, d.key(r))
		if d.mix && 0 < r && r < rounds {
			VAESIMC(m, k)
		} else {
			VMOVDQU(m, k)
		}
		return k
	}
}

// inRegisters loads all round keys for encryption, four times each.
func inRegisters(keys GPPhysical) func(r int) VecPhysical {
	k := z[16:][:rounds+1]
	for i, r := range k {
		VBROADCASTI32X4(roundKey(keys, i), r)
	}
	return func(r int) VecPhysical { return k[r] }
}

// most is the number of registers that the widest steps fill. Narrower ones fill four,
// two and one, and are made once at most.
const most = 8

// step runs body if so many bytes are left; with the most registers, as long as there
// are.
func step(label string, width, bytes int, left GPPhysical, body func()) {
	Label(label)
	CMPQ(left, I32(bytes))
	JLT(LabelRef(label + "End"))
	body()
	if width == most {
		JMP(LabelRef(label))
	}
	Label(label + "End")
}

// forward is a step over so many bytes of src and dst.
func forward(label string, width, bytes int, dst, src, left GPPhysical, body func()) {
	step(label, width, bytes, left, func() {
		body()
		if width > 1 {
			ADDQ(I32(bytes), src)
			ADDQ(I32(bytes), dst)
			SUBQ(I32(bytes), left)
		}
	})
}

// blocks makes a kernel for eight blocks at a time, then four, two and one.
func blocks(name string, d direction) {
	keys, dst, src, left := RAX, RDI, RSI, RCX
	function(name+"AVX2", "func(keys *[176]byte, dst, src *byte, blocks int)", []string{
		name + "AVX2 takes blocks one by one."},
		map[string]GPPhysical{"keys": keys, "dst": dst, "src": src, "blocks": left})
	SHLQ(Imm(4), left)
	key := d.fromMemory(keys)
	for width := most; width > 0; width /= 2 {
		forward(fmt.Sprintf("by%d", width), width, width*size, dst, src, left, func() {
			first := key(0)
			for i, b := range x[:width] {
				m := Mem{Base: src, Disp: size * i}
				if width > 2 {
					VPXOR(m, first, b)
				} else {
					halves(m, b)
					VPXOR(first, b, b)
				}
			}
			d.apply(x[:width], key)
			for i, b := range x[:width] {
				VMOVDQU(b, Mem{Base: dst, Disp: size * i})
			}
		})
	}
	RET()
}

// wideBlocks makes the kernel with four blocks in a register, for 32 blocks at a
// time, then 16, 8 and 4. Less than 4 are left.
func wideBlocks() {
	keys, dst, src, left := RAX, RDI, RSI, RCX
	function("encryptAVX512", "func(keys *[176]byte, dst, src *byte, blocks int)", []string{
		"encryptAVX512 encrypts blocks one by one, but for the last blocks%4."},
		map[string]GPPhysical{"keys": keys, "dst": dst, "src": src, "blocks": left})
	SHLQ(Imm(4), left)
	key := inRegisters(keys)
	for width := most; width > 0; width /= 2 {
		forward(fmt.Sprintf("by%d", width*4), width, width*64, dst, src, left, func() {
			for i, b := range z[:width] {
				VPXORQ(Mem{Base: src, Disp: 64 * i}, key(0), b)
			}
			encryption.apply(z[:width], key)
			for i, b := range z[:width] {
				VMOVDQU64(b, Mem{Base: dst, Disp: 64 * i})
			}
		})
	}
	VZEROUPPER()
	RET()
}
