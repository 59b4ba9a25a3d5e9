package main

import (
	"encoding/binary"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A state is one register, and stays transposed from block to block: byte 8c+r is
// row r, column c. P then is no move of its own, and
//
//	LPS(x)[8b+r] = the sum over c of L[c][b](pi(x[8r+c]))
//
// is 8 products of quadwords after a transposition: for j from 0 to 7, quadword b has
// column c = b^j. For even j, four byte permutations transpose and exchange the
// quadwords. The products for odd j come from the same four: added up, their
// quadwords are exchanged in pairs.

// xor3 is the truth table of a ^ b ^ c, choose that of a ? b : c.
const (
	xor3   = 0x96
	choose = 0xca
)

// kernel512 has what stays in registers.
type kernel512 struct {
	pi        [4]VecVirtual // quarters of the S-box
	permute   [4]VecVirtual // for j = 0, 2, 4, 6; the first one transposes a state
	even      [4]VecVirtual // matrices L[b^j][b] in quadword b, for these j
	odd       [4]VecVirtual // L[b^j][b^1], for j+1
	sign      VecVirtual    // the matrix that copies bit 7 to all bits of a byte
	h         VecVirtual    // transposed
	n, sigma  VecVirtual    // not
	length    Register      // what a block adds to N
	constants Register
	hPtr      Register
	nPtr      Register
	sigmaPtr  Register
}

func constants512() (all []byte) {
	quad := func(q uint64) { all = binary.LittleEndian.AppendUint64(all, q) }
	all = append(all, piTable[:]...)
	for j := 0; j < 8; j += 2 {
		for b := range 8 {
			for r := range 8 {
				all = append(all, byte(8*r+b^j))
			}
		}
	}
	for odd := range 2 {
		for j := 0; j < 8; j += 2 {
			for b := range 8 {
				quad(affine(func(v byte) byte { return l(b^j, b^odd, v) }))
			}
		}
	}
	for range 8 {
		quad(affine(func(v byte) byte { return v >> 7 * 0xff }))
	}
	for range 8 {
		quad(math.MaxUint64)
	}
	for i := 1; i <= 12; i++ {
		c := transpose(iterationConstant(i))
		all = append(all, c[:]...)
	}
	return all
}

// Where all ones and C_1 are in them.
const (
	onesAt512 = 256 + 4*64 + 8*64 + 64
	cAt512    = onesAt512 + 64
)

func avx512() {
	constants := table("constants512", constants512())

	TEXT("blocksAVX512", NOSPLIT, "func(h, n, sigma *[8]uint64, p *byte, blocks int)")
	Pragma("noescape")
	Doc("blocksAVX512 is blocksGeneric. blocks is not zero.")
	k := load512(constants)
	p := Load(Param("p"), GP64())
	blocks := Load(Param("blocks"), GP64())
	k.length = GP64()
	MOVQ(U32(512), k.length)
	Label("blocks")
	k.absorb("blocks", Mem{Base: p})
	ADDQ(Imm(64), p)
	DECQ(blocks)
	JNZ(LabelRef("blocks"))
	k.store()
	VZEROUPPER()
	RET()

	TEXT("lastAVX512", NOSPLIT, "func(h, n, sigma *[8]uint64, block *[64]byte, bits int)")
	Pragma("noescape")
	Doc("lastAVX512 is lastGeneric for the padded block, of whose bits so many are the message's.")
	k = load512(constants)
	block := Load(Param("block"), GP64())
	k.length = Load(Param("bits"), GP64())
	k.absorb("last", Mem{Base: block})
	zero := ZMM()
	VPXORQ(zero, zero, zero)
	k.g("lastN", zero, k.n, nothing)
	VPXORQ(zero, zero, zero)
	k.g("lastSigma", zero, k.sigma, nothing)
	k.store()
	VZEROUPPER()
	RET()
}

func load512(constants Mem) *kernel512 {
	k := &kernel512{constants: GP64()}
	LEAQ(constants, k.constants)
	at := 0
	next := func() VecVirtual {
		v := ZMM()
		VMOVDQU64(Mem{Base: k.constants, Disp: at}, v)
		at += 64
		return v
	}
	for i := range k.pi {
		k.pi[i] = next()
	}
	for i := range k.permute {
		k.permute[i] = next()
	}
	for i := range k.even {
		k.even[i] = next()
	}
	for i := range k.odd {
		k.odd[i] = next()
	}
	k.sign = next()
	k.hPtr = Load(Param("h"), GP64())
	k.nPtr = Load(Param("n"), GP64())
	k.sigmaPtr = Load(Param("sigma"), GP64())
	k.h, k.n, k.sigma = ZMM(), ZMM(), ZMM()
	VPERMB(Mem{Base: k.hPtr}, k.permute[0], k.h)
	VMOVDQU64(Mem{Base: k.nPtr}, k.n)
	VMOVDQU64(Mem{Base: k.sigmaPtr}, k.sigma)
	return k
}

func (k *kernel512) store() {
	VPERMB(k.h, k.permute[0], k.h)
	VMOVDQU64(k.h, Mem{Base: k.hPtr})
	VMOVDQU64(k.n, Mem{Base: k.nPtr})
	VMOVDQU64(k.sigma, Mem{Base: k.sigmaPtr})
}

// absorb takes in a block.
func (k *kernel512) absorb(name string, block Mem) {
	m := ZMM()
	VMOVDQU64(block, m)
	k.g(name, k.n, m, func() {
		length := XMM()
		VMOVQ(k.length, length)
		k.add(k.n, length.AsZ())
		k.add(k.sigma, m)
	})
}

func nothing() {}

// add adds y to x modulo 2^512. A carry comes out of the quadwords that became
// less than y, and goes through those that are all ones: as bits of two numbers, the
// addition of these does that.
func (k *kernel512) add(x, y Register) {
	ones := ZMM()
	VMOVDQU64(Mem{Base: k.constants, Disp: onesAt512}, ones)
	out, through := K(), K()
	VPADDQ(y, x, x)
	VPCMPUQ(U8(1), y, x, out)
	VPCMPEQQ(ones, x, through)
	carry, full := GP32(), GP32()
	KMOVB(out, carry)
	KMOVB(through, full)
	ADDL(carry, carry)
	ADDL(full, carry)
	XORL(full, carry)
	in := K()
	KMOVB(carry, in)
	VPSUBQ(ones, x, in, x)
}

// g is gGeneric. What sums does to n and m is done in the shadow of the rounds.
func (k *kernel512) g(name string, n, m Register, sums func()) {
	key, e, hm := ZMM(), ZMM(), ZMM()
	VPERMB(n, k.permute[0], key)
	VPERMB(m, k.permute[0], e)
	VPXORQ(k.h, key, key)
	VPXORQ(k.h, e, hm)
	c, rounds := GP64(), GP64()
	LEAQ(Mem{Base: k.constants, Disp: cAt512}, c)
	MOVQ(U32(11), rounds)
	x, y := k.pl(k.s(key))
	VPTERNLOGQ(U8(xor3), x, y, e) // K_1 ^ m
	VPTERNLOGQ(U8(xor3), Mem{Base: c}, x, y)
	VMOVDQA64(y, key) // K_1 ^ C_1
	sums()

	Label(name + "Rounds")
	ADDQ(Imm(64), c)
	sKey, sE := k.s(key), k.s(e)
	x, y = k.pl(sKey)
	next := ZMM()
	VPXORQ(x, y, next) // K_{i+1}
	VPTERNLOGQ(U8(xor3), Mem{Base: c}, x, y)
	VMOVDQA64(y, key)
	x, y = k.pl(sE)
	VPTERNLOGQ(U8(xor3), next, x, y)
	VMOVDQA64(y, e)
	DECQ(rounds)
	JNZ(LabelRef(name + "Rounds"))

	x, y = k.pl(k.s(key))
	VPTERNLOGQ(U8(xor3), x, y, hm) // K_13 ^ h ^ m
	x, y = k.pl(k.s(e))
	VPTERNLOGQ(U8(xor3), hm, x, y)
	VMOVDQA64(y, k.h)
}

// s is S: two permutations look all bytes up, in the lower and in the upper half of
// pi, and bit 7 chooses.
func (k *kernel512) s(x Register) VecVirtual {
	lower, upper, high := ZMM(), ZMM(), ZMM()
	VMOVDQA64(x, lower)
	VPERMI2B(k.pi[1], k.pi[0], lower)
	VMOVDQA64(x, upper)
	VPERMI2B(k.pi[3], k.pi[2], upper)
	VGF2P8AFFINEQB(Imm(0), k.sign, x, high)
	VPTERNLOGQ(U8(choose), lower, upper, high)
	return high
}

// pl is P and L, but for the last addition: that of the results is left to an
// instruction that also adds a key.
func (k *kernel512) pl(s Register) (x, y VecVirtual) {
	var even, odd [4]VecVirtual
	for i := range even {
		even[i], odd[i] = ZMM(), ZMM()
		VPERMB(s, k.permute[i], even[i])
	}
	for i := range odd {
		VGF2P8AFFINEQB(Imm(0), k.odd[i], even[i], odd[i])
	}
	for i := range even {
		VGF2P8AFFINEQB(Imm(0), k.even[i], even[i], even[i])
	}
	for _, p := range [][4]VecVirtual{odd, even} {
		VPTERNLOGQ(U8(xor3), p[1], p[2], p[0])
		VPXORQ(p[3], p[0], p[0])
	}
	VPSHUFD(Imm(0x4e), odd[0], odd[0])
	return odd[0], even[0]
}
