// Command aesni generates the kernels of package internal/aesni: AES-128 of FIPS
// 197 by the AES instructions. AESENC is a whole round, AddRoundKey at its end.
//
// Only the first AddRoundKey is an instruction of its own. What else is added to a
// block, before or after the cipher, is first added to a round key, which takes no
// time as it does not wait for the block.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	bit = bits()
	expand()
	blocks("encrypt", encryption)
	blocks("decrypt", decryption)
	wideBlocks()
	chain()
	encryptMAC("AVX2")
	encryptMAC("AVX512")
	decryptCFB()
	wideDecryptCFB()
	Generate()
}

const (
	size   = 16 // bytes of a block
	rounds = 10
)

var (
	x = []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15}
	z = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}
)

// function starts one that may not retain its arguments, and loads them.
func function(name, signature string, doc []string, args map[string]GPPhysical) {
	TEXT(name, attr.NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc...)
	for _, arg := range []string{"keys", "key", "dst", "src", "c", "first", "st", "step", "fix", "blocks"} {
		if r, ok := args[arg]; ok {
			Load(Param(arg), r)
		}
	}
}

// roundKey is round key i in memory.
func roundKey(keys GPPhysical, i int) Mem { return Mem{Base: keys, Disp: size * i} }

// bit has the top bit of byte i set in the 16 bytes from 15-i on.
var bit Mem

func bits() Mem {
	m := GLOBL("bit", attr.RODATA|attr.NOPTR)
	for i := range 31 {
		var v uint8
		if i == 15 {
			v = 0x80
		}
		DATA(i, U8(v))
	}
	return m
}

// topBit is a block with the top bit of byte fix set.
func topBit(fix GPPhysical) Mem {
	LEAQ(bit.Offset(15), R10)
	SUBQ(fix, R10)
	return Mem{Base: R10}
}

// halves loads a block that Go code may just have stored in words: a load of more
// than one of them would wait until they have reached the cache.
func halves(m Mem, dst VecPhysical) {
	VMOVQ(m, dst)
	VPINSRQ(Imm(1), m.Offset(8), dst, dst)
}

// expand makes the key expansion (section 5.2), four words at a time.
func expand() {
	keys, key := RDI, RSI
	function("expandAVX2", "func(keys *[176]byte, key *byte)", []string{
		"expandAVX2 makes the round keys."},
		map[string]GPPhysical{"keys": keys, "key": key})
	k, sum, shifted, temp := X0, X1, X2, X3
	VMOVDQU(Mem{Base: key}, k)
	VMOVDQU(k, roundKey(keys, 0))
	rcon := 1
	for i := 1; i <= rounds; i++ {
		Comment(fmt.Sprintf("Round key %d", i))
		// SubWord(RotWord(last word)) ^ Rcon, in all words
		VAESKEYGENASSIST(Imm(uint64(rcon)), k, temp)
		VPSHUFD(Imm(0xff), temp, temp)
		// Each word is the sum of that and of the old words up to its place.
		VPSLLDQ(Imm(4), k, shifted)
		VPXOR(shifted, k, sum)
		VPSLLDQ(Imm(8), sum, shifted)
		VPXOR(shifted, sum, sum)
		VPXOR(temp, sum, k)
		VMOVDQU(k, roundKey(keys, i))
		rcon = rcon<<1 ^ rcon>>7*0x11b // times x in GF(2^8)
	}
	RET()
}
