package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A kernel256 works on the key and the state side by side, in the halves of the four
// registers of a pair. How they lie there is its own business.
type kernel256 interface {
	// start makes a pair whose key is h + N, from memory.
	start(y pair, h, n Register)
	// enter makes a state of the block m and the key, for a pair with a key alone.
	enter(y pair, m Register)
	// addKey adds the key to the state, and then C_i, in memory, to the key.
	addKey(y pair, c Register)
	// constant is C_i as addKey takes it, and zeros for i = 13.
	constant(i int) [128]byte
	// step replaces key and state by LPS of them.
	step(y pair)
	// leave adds the state and the block to h, in memory.
	leave(y pair, h, m Register)
}

type pair [4]VecVirtual

func newPair() pair { return pair{YMM(), YMM(), YMM(), YMM()} }

// program256 is what the functions of both kernels have in common.
type program256 struct {
	kernel256
	constants Mem
	zero      Mem
}

// avx2 generates the functions of a kernel.
func avx2(suffix string, k kernel256) {
	var all []byte
	for i := 1; i <= 13; i++ {
		c := k.constant(i)
		all = append(all, c[:]...)
	}
	p := program256{k, table("iterationConstants"+suffix, all), table("zero"+suffix, make([]byte, 64))}

	TEXT("blocks"+suffix, NOSPLIT, "func(h, n, sigma *[8]uint64, p *byte, blocks int)")
	Pragma("noescape")
	Doc("blocks" + suffix + " is blocksGeneric. blocks is not zero.")
	var h, n, sigma, m, length Register
	h, n, sigma = Load(Param("h"), GP64()), Load(Param("n"), GP64()), Load(Param("sigma"), GP64())
	m = Load(Param("p"), GP64())
	blocks := Load(Param("blocks"), GP64())
	length = GP64()
	MOVQ(U32(512), length)
	Label("blocks")
	p.g(h, n, m)
	sums(n, sigma, m, length)
	ADDQ(Imm(64), m)
	DECQ(blocks)
	JNZ(LabelRef("blocks"))
	VZEROUPPER()
	RET()

	TEXT("last"+suffix, NOSPLIT, "func(h, n, sigma *[8]uint64, block *[64]byte, bits int)")
	Pragma("noescape")
	Doc("last" + suffix + " is lastGeneric for the padded block, of whose bits so many are the message's.")
	h, n, sigma = Load(Param("h"), GP64()), Load(Param("n"), GP64()), Load(Param("sigma"), GP64())
	m = Load(Param("block"), GP64())
	length = Load(Param("bits"), GP64())
	counter, left := GP64(), GP64()
	MOVQ(n, counter)
	MOVQ(U32(3), left)
	Label("stage")
	p.g(h, counter, m)
	DECQ(left)
	JZ(LabelRef("done"))
	CMPQ(left, Imm(1))
	JEQ(LabelRef("sigma"))
	sums(n, sigma, m, length)
	LEAQ(p.zero, counter)
	MOVQ(n, m)
	JMP(LabelRef("stage"))
	Label("sigma")
	MOVQ(sigma, m)
	JMP(LabelRef("stage"))
	Label("done")
	VZEROUPPER()
	RET()
}

// g is gGeneric.
func (p program256) g(h, n, m Register) {
	y := newPair()
	c, rounds := GP64(), GP64()
	LEAQ(p.constants, c)
	MOVQ(U32(12), rounds)
	p.start(y, h, n)
	p.step(y)
	p.enter(y, m)
	Label("rounds")
	p.addKey(y, c)
	ADDQ(Imm(128), c)
	p.step(y)
	DECQ(rounds)
	JNZ(LabelRef("rounds"))
	p.addKey(y, c)
	p.leave(y, h, m)
}

// sums adds the length to N and the block to Sigma.
func sums(n, sigma, m, length Register) {
	v := GP64()
	ADDQ(length, Mem{Base: n})
	for i := 8; i < 64; i += 8 {
		ADCQ(Imm(0), Mem{Base: n, Disp: i})
	}
	for i := 0; i < 64; i += 8 {
		MOVQ(Mem{Base: m, Disp: i}, v)
		if i == 0 {
			ADDQ(v, Mem{Base: sigma})
		} else {
			ADCQ(v, Mem{Base: sigma, Disp: i})
		}
	}
}

// tables collects what lookups and matrices take from one symbol.
type tables struct {
	symbol string
	data   []byte
	mem    Mem
}

func newTables(symbol string) *tables {
	return &tables{symbol: symbol, mem: NewDataAddr(Symbol{Name: symbol, Static: true}, 0)}
}

// add returns the address of 32 bytes.
func (t *tables) add(data [32]byte) Mem {
	t.data = append(t.data, data[:]...)
	return t.mem.Offset(len(t.data) - 32)
}

// twice adds 16 bytes, for both lanes.
func (t *tables) twice(f func(i byte) byte) Mem {
	var data [32]byte
	for i := range data {
		data[i] = f(byte(i % 16))
	}
	return t.add(data)
}

// write makes the symbol.
func (t *tables) write() { table(t.symbol, t.data) }

// lookup returns 16-byte table entries for the low nibbles of x, and 0 where bit 7 is set.
func lookup(entries Mem, x Register) VecVirtual {
	y := YMM()
	VMOVDQU(entries, y)
	VPSHUFB(x, y, y)
	return y
}
