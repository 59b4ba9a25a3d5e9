package kuznyechik

import "encoding/binary"

// The cipher as RFC 7801 describes it, in loops over bytes, with tables.

type block [16]byte // a_15 first

// piTable is Pi of section 4.1.
var piTable = [256]byte{
	252, 238, 221, 17, 207, 110, 49, 22, 251, 196, 250, 218, 35, 197, 4, 77,
	233, 119, 240, 219, 147, 46, 153, 186, 23, 54, 241, 187, 20, 205, 95, 193,
	249, 24, 101, 90, 226, 92, 239, 33, 129, 28, 60, 66, 139, 1, 142, 79,
	5, 132, 2, 174, 227, 106, 143, 160, 6, 11, 237, 152, 127, 212, 211, 31,
	235, 52, 44, 81, 234, 200, 72, 171, 242, 42, 104, 162, 253, 58, 206, 204,
	181, 112, 14, 86, 8, 12, 118, 18, 191, 114, 19, 71, 156, 183, 93, 135,
	21, 161, 150, 41, 16, 123, 154, 199, 243, 145, 120, 111, 157, 158, 178, 177,
	50, 117, 25, 61, 255, 53, 138, 126, 109, 84, 198, 128, 195, 189, 13, 87,
	223, 245, 36, 169, 62, 168, 67, 201, 215, 121, 214, 246, 124, 34, 185, 3,
	224, 15, 236, 222, 122, 148, 176, 188, 220, 232, 40, 80, 78, 51, 10, 74,
	167, 151, 96, 115, 30, 0, 98, 68, 26, 184, 56, 130, 100, 159, 38, 65,
	173, 69, 70, 146, 39, 94, 85, 47, 140, 163, 165, 125, 105, 213, 149, 59,
	7, 88, 179, 64, 134, 172, 29, 247, 48, 55, 107, 228, 136, 217, 231, 137,
	225, 27, 131, 73, 76, 63, 248, 254, 141, 83, 170, 144, 202, 216, 133, 97,
	32, 113, 103, 164, 45, 43, 9, 91, 203, 155, 37, 208, 190, 229, 108, 82,
	89, 166, 116, 210, 230, 244, 180, 192, 209, 102, 175, 194, 57, 75, 99, 182,
}

// coefficients are those of l(a_15, ..., a_0) in section 4.2, that of a_15 first.
var coefficients = block{148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1}

var piInverseTable [256]byte

// multiples[i][x] is the product of the coefficient i and x.
var multiples [16][256]byte

func init() {
	for x, y := range piTable {
		piInverseTable[y] = byte(x)
	}
	for i, c := range coefficients {
		for x := range 256 {
			multiples[i][x] = multiply(c, byte(x))
		}
	}
}

// multiply is the product modulo x^8 + x^7 + x^6 + x + 1 (section 3.2).
func multiply(a, b byte) (p byte) {
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			p ^= a
		}
		carry := a >> 7
		a <<= 1
		if carry == 1 {
			a ^= 0xc3
		}
	}
	return p
}

func (a block) x(k block) block {
	for i := range a {
		a[i] ^= k[i]
	}
	return a
}

func (a block) s() block {
	for i := range a {
		a[i] = piTable[a[i]]
	}
	return a
}

func (a block) sInverse() block {
	for i := range a {
		a[i] = piInverseTable[a[i]]
	}
	return a
}

func (a block) r() (b block) {
	copy(b[1:], a[:15])
	for i := range a {
		b[0] ^= multiples[i][a[i]]
	}
	return b
}

// rInverse is (a_14, ..., a_0, l(a_14, ..., a_0, a_15)).
func (a block) rInverse() (b block) {
	copy(b[:15], a[1:])
	b[15] = a[0]
	last := byte(0)
	for i := range b {
		last ^= multiples[i][b[i]]
	}
	b[15] = last
	return b
}

func (a block) l() block {
	for range 16 {
		a = a.r()
	}
	return a
}

func (a block) lInverse() block {
	for range 16 {
		a = a.rInverse()
	}
	return a
}

// reference is the ten round keys.
type reference [10]block

// newReference is the key schedule of section 4.4.
func newReference(key []byte) (k reference) {
	a1, a0 := block(key[:16]), block(key[16:])
	k[0], k[1] = a1, a0
	for i := 1; i <= 32; i++ {
		c := constant(i)
		a1, a0 = a1.x(c).s().l().x(a0), a1
		if i%8 == 0 {
			k[i/4], k[i/4+1] = a1, a0
		}
	}
	return k
}

// constant returns C_i.
func constant(i int) block {
	var vec block
	binary.BigEndian.PutUint64(vec[8:], uint64(i))
	return vec.l()
}

func (k *reference) encrypt(a block) block {
	for i := range 9 {
		a = a.x(k[i]).s().l()
	}
	return a.x(k[9])
}

func (k *reference) decrypt(a block) block {
	a = a.x(k[9])
	for i := 8; i >= 0; i-- {
		a = a.lInverse().sInverse().x(k[i])
	}
	return a
}
