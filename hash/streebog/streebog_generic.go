package streebog

import (
	"encoding/binary"
	"math/bits"
)

// Sections are those of RFC 6986. It numbers the bytes of a vector of 512 bits from
// the right, a63 || ... || a0, and a stream has a0 first: a vector is held in eight
// little-endian words, a0 to a7 in the first. No byte is ever reversed.
//
// Row r and column c of a state mean byte 8r+c. LPS is
//
//	S: pi on every byte,
//	P: row r, column c goes to row c, column r,
//	L: every row, as a vector of 64 bits, is multiplied by the matrix A.
//
// A bit of a state has three coordinates of three bits: its row, its column and its
// place in the byte. So have the bits of eight uint64: word, byte, bit. S wants the
// place in the byte as the word, because it is a circuit over planes; L after P adds
// up bytes of eight rows, and wants the row as the word. Neither cares about the
// rest. So the only moves are to swap the word with the byte (swapBytes) or with the
// bit (swapBits), two for each LPS, and P costs nothing: it renames. A state is in
// one of three arrangements:
//
//	         word    byte    bit
//	natural  row     column  place
//	turned   column  row     place
//	sliced   column  place   row

// state is what goes from block to block (section 9.1): the hash, the number of
// bits hashed, the sum of all blocks; natural.
type state struct{ h, n, sigma [8]uint64 }

// initial returns the state of stage 1, with the initial value of section 6.1.
func initial(size int) (s state) {
	if size == Size256 {
		for i := range s.h {
			s.h[i] = 0x0101010101010101
		}
	}
	return s
}

// finish returns the hash after the incomplete block tail. Its most significant half,
// the last 32 bytes, is the digest of Streebog-256.
func (s state) finish(tail []byte) (sum [Size]byte) {
	last(&s, tail)
	for i, v := range s.h {
		binary.LittleEndian.PutUint64(sum[8*i:], v)
	}
	return sum
}

// blocksGeneric is stage 2 (section 9.2). p is a number of whole blocks.
func blocksGeneric(s *state, p []byte) {
	for ; len(p) >= BlockSize; p = p[BlockSize:] {
		absorbGeneric(s, (*[BlockSize]byte)(p), 8*BlockSize)
	}
}

// lastGeneric is stage 3 (section 9.3). tail has less than a block.
func lastGeneric(s *state, tail []byte) {
	var m [BlockSize]byte
	m[copy(m[:], tail)] = 1
	absorbGeneric(s, &m, uint64(8*len(tail)))
	var zero [8]uint64
	gGeneric(&s.h, &zero, &s.n)
	gGeneric(&s.h, &zero, &s.sigma)
}

// absorbGeneric takes in a block, of whose bits the first n are the message's.
func absorbGeneric(s *state, block *[BlockSize]byte, n uint64) {
	var m [8]uint64
	for i := range m {
		m[i] = binary.LittleEndian.Uint64(block[8*i:])
	}
	gGeneric(&s.h, &s.n, &m)
	add(&s.n, &[8]uint64{n})
	add(&s.sigma, &m)
}

// add adds modulo 2^512.
func add(x, y *[8]uint64) {
	var carry uint64
	for i := range x {
		x[i], carry = bits.Add64(x[i], y[i], carry)
	}
}

// gGeneric is the round function of section 8, with h replaced by its result:
// g_N(h, m) = E(LPS(h ^ N), m) ^ h ^ m.
func gGeneric(h, n, m *[8]uint64) {
	k, e := *h, *m
	lpsNatural(&k, n) // K_1
	turn(&e)
	for i := 0; i < len(iterationConstants); i += 2 {
		lpsTurned(&e, &k)
		lpsTurned(&k, &iterationConstants[i])
		lpsSliced(&e, &k)
		lpsSliced(&k, &iterationConstants[i+1])
	}
	for i := range e {
		e[i] ^= k[i]
	}
	turn(&e)
	for i := range h {
		h[i] ^= e[i] ^ m[i]
	}
}

// lpsNatural replaces a natural state x by LPS(x ^ k), turned.
func lpsNatural(x, k *[8]uint64) {
	x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = lBytes(swapBits(pi(swapBits(
		x[0]^k[0], x[1]^k[1], x[2]^k[2], x[3]^k[3], x[4]^k[4], x[5]^k[5], x[6]^k[6], x[7]^k[7]))))
}

// lpsTurned replaces a turned state x by LPS(x ^ k), sliced.
func lpsTurned(x, k *[8]uint64) {
	x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = lPlanes(swapBytes(pi(swapBits(
		x[0]^k[0], x[1]^k[1], x[2]^k[2], x[3]^k[3], x[4]^k[4], x[5]^k[5], x[6]^k[6], x[7]^k[7]))))
}

// lpsSliced replaces a sliced state x by LPS(x ^ k), turned.
func lpsSliced(x, k *[8]uint64) {
	x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = lBytes(swapBits(pi(swapBytes(
		x[0]^k[0], x[1]^k[1], x[2]^k[2], x[3]^k[3], x[4]^k[4], x[5]^k[5], x[6]^k[6], x[7]^k[7]))))
}

// turn takes a natural state to a turned one, and back.
func turn(x *[8]uint64) {
	x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = swapBytes(
		x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
}

// swapBytes makes the number of a word that of the byte, and the reverse.
func swapBytes(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (y0, y1, y2, y3, y4, y5, y6, y7 uint64) {
	x0, x4 = exchange(x0, x4, 32, 0x00000000ffffffff)
	x1, x5 = exchange(x1, x5, 32, 0x00000000ffffffff)
	x2, x6 = exchange(x2, x6, 32, 0x00000000ffffffff)
	x3, x7 = exchange(x3, x7, 32, 0x00000000ffffffff)
	x0, x2 = exchange(x0, x2, 16, 0x0000ffff0000ffff)
	x1, x3 = exchange(x1, x3, 16, 0x0000ffff0000ffff)
	x4, x6 = exchange(x4, x6, 16, 0x0000ffff0000ffff)
	x5, x7 = exchange(x5, x7, 16, 0x0000ffff0000ffff)
	x0, x1 = exchange(x0, x1, 8, 0x00ff00ff00ff00ff)
	x2, x3 = exchange(x2, x3, 8, 0x00ff00ff00ff00ff)
	x4, x5 = exchange(x4, x5, 8, 0x00ff00ff00ff00ff)
	x6, x7 = exchange(x6, x7, 8, 0x00ff00ff00ff00ff)
	return x0, x1, x2, x3, x4, x5, x6, x7
}

// swapBits makes the number of a word that of the bit in the byte, and the reverse.
func swapBits(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (y0, y1, y2, y3, y4, y5, y6, y7 uint64) {
	x0, x4 = exchange(x0, x4, 4, 0x0f0f0f0f0f0f0f0f)
	x1, x5 = exchange(x1, x5, 4, 0x0f0f0f0f0f0f0f0f)
	x2, x6 = exchange(x2, x6, 4, 0x0f0f0f0f0f0f0f0f)
	x3, x7 = exchange(x3, x7, 4, 0x0f0f0f0f0f0f0f0f)
	x0, x2 = exchange(x0, x2, 2, 0x3333333333333333)
	x1, x3 = exchange(x1, x3, 2, 0x3333333333333333)
	x4, x6 = exchange(x4, x6, 2, 0x3333333333333333)
	x5, x7 = exchange(x5, x7, 2, 0x3333333333333333)
	x0, x1 = exchange(x0, x1, 1, 0x5555555555555555)
	x2, x3 = exchange(x2, x3, 1, 0x5555555555555555)
	x4, x5 = exchange(x4, x5, 1, 0x5555555555555555)
	x6, x7 = exchange(x6, x7, 1, 0x5555555555555555)
	return x0, x1, x2, x3, x4, x5, x6, x7
}

// exchange swaps the bits of x that the mask, shifted, selects, for those of y that
// it selects.
func exchange(x, y uint64, shift uint, mask uint64) (uint64, uint64) {
	d := (x>>shift ^ y) & mask
	return x ^ d<<shift, y ^ d
}

// iterationConstants are C_1 to C_12 of section 6.5. C_1, C_3 and so on are turned,
// the others sliced, as the states are to which they are added.
var iterationConstants = [12][8]uint64{
	{
		0xe91f16fc01152307, 0xda7cd0c469d34d45, 0xca654585676074a6, 0x1ec02e7592a4ccf2,
		0xda81438d91083659, 0x5b2f76b8e02a7465, 0x08cb6a4e7c427680, 0xb1eb2f714ba205dd,
	},
	{
		0x654e11fbac43c751, 0x4f02e449abc6a5ff, 0x9b4a71d986982eb3, 0x8606811ee4527ec7,
		0x846d29239a50fe1a, 0xe234a6d870d93acc, 0xfe73ed3f233ee0df, 0x29f7b12eccc7e9f2,
	},
	{
		0xc7358b7bb10931b2, 0x2f841f7b9edbdb0a, 0xce3d9c2935627aba, 0x2b6a52b19060860a,
		0xac285f14e43743f5, 0xdcfc5e750f3af496, 0x7439f1eae2c9b61e, 0xf50a06f2d3c1c299,
	},
	{
		0xc6ea3ffe757d957a, 0x49c9f23b20fa8e17, 0x037743f432b01dc9, 0x8fd8b866d849266e,
		0xdb20f7a53131ac96, 0xe3c24b959bb987e4, 0x2c5a149ee1adbe8e, 0xdce4cb56fc9281d8,
	},
	{
		0x99634abda316f557, 0x472310fff51a63fe, 0x47a9860f3a27ea6c, 0xad6c16802523a97c,
		0xac0c1fd747b77efd, 0x6b411c351700a258, 0xea3f159ecdff5617, 0x4b9a7f35bfdf7a60,
	},
	{
		0xdcf12f8ea13f1582, 0xbc8769c9533f9ecb, 0x1e31d5de8c05ac00, 0x146542fad88b57a0,
		0xb827ff7be19ccf68, 0xfa63881494aedc46, 0x4cbf7f1e99f0bc92, 0x8b49e313ffeacf6a,
	},
	{
		0xec54c9c93704f393, 0xc50987932c054ad4, 0xaa24bf7a824a3c14, 0xeebfe6192d28a23a,
		0x16fec733c5834c4d, 0x0e86c63eab694556, 0xc7ac9e4792471786, 0xf45139d309063588,
	},
	{
		0x9a42843b37a5b5c6, 0xb7f50320a23d29c1, 0x9c5264ba5864f99e, 0x2d96012ff3f10997,
		0x09a936331c03dc3e, 0x66b268a0ed15ca8d, 0x7e4573b58bf3e1ed, 0x992c0f8ab42be2d4,
	},
	{
		0x9bde2484b15460db, 0x225f4209ce9c2a5a, 0x3116890db2071f23, 0x16ec25e0dba6cb83,
		0x54d81bb70b9a9251, 0x5a9a3a55448adc44, 0x8f4c7dd90a2b3861, 0x37943a3c807b0e72,
	},
	{
		0x67ef45e42905fa7b, 0x43f4fa6fa183ced8, 0x604d5e162ac5369b, 0xe9206c773d2a7c3e,
		0x9343852771a09903, 0xf3ff7e8286edab79, 0x9b38d997d69ddc38, 0xa805c75ffc1b9eb8,
	},
	{
		0xfb946179ca985d1b, 0x89fe0766b96ed82d, 0xc85aab8448476ff3, 0xef63eb14ea7dc081,
		0xd0cdbb21ef1d4acd, 0x9ec66b8071cd59a4, 0xcd02fa011dbaa2ca, 0x7b30d8208aefde6b,
	},
	{
		0x9a64e1f6d228fc32, 0x5909c4f33e3913f3, 0x2e6416ab61a0a37d, 0xa783b1bb2e600083,
		0x5e93e47a0d9aa58a, 0xcd88ac3328ae9b8a, 0xab02334785a7c044, 0x767f96da3bacc6ac,
	},
}
