package main

// The definitions of RFC 7801, from which all constants are computed.

// pi is the substitution of section 4.1.
var pi = [256]byte{
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

func piInverse() (t [256]byte) {
	for x, y := range pi {
		t[y] = byte(x)
	}
	return t
}

// coefficients are those of l(a_15, ..., a_0) in section 4.2, that of a_15 first.
// They read the same backwards: those of a_n and a_(16-n) are equal.
var coefficients = [16]byte{148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1}

// multiply is the product modulo x^8 + x^7 + x^6 + x + 1 (section 3.2).
func multiply(a, b byte) (p byte) {
	for i := range 8 {
		if b>>i&1 == 1 {
			p ^= a
		}
		carry := a >> 7
		a <<= 1
		a ^= 0xc3 * carry
	}
	return p
}

// divide is a / b.
func divide(a, b byte) byte {
	for q := range 256 {
		if multiply(byte(q), b) == a {
			return byte(q)
		}
	}
	panic("division by zero")
}

// linear is L: sixteen times R (section 4.3), on a block with a_15 first.
func linear(a [16]byte) [16]byte {
	for range 16 {
		last := byte(0)
		for i, c := range coefficients {
			last ^= multiply(c, a[i])
		}
		copy(a[1:], a[:15])
		a[0] = last
	}
	return a
}

// linearInverse undoes L: the same map, with the bytes in reverse order.
func linearInverse(a [16]byte) [16]byte { return reverse(linear(reverse(a))) }

func reverse(a [16]byte) (b [16]byte) {
	for i := range a {
		b[15-i] = a[i]
	}
	return b
}

// matrix is a 16x16 matrix over GF(2^8): the byte k of the result is the sum of
// the products of its row k with the bytes of the block, both from a_15 on.
type matrix [16][16]byte

func matrixOf(f func(a [16]byte) [16]byte) (m matrix) {
	for j := range 16 {
		var unit [16]byte
		unit[j] = 1
		for k, v := range f(unit) {
			m[k][j] = v
		}
	}
	return m
}

// affine returns the operand of VGF2P8AFFINEQB for a linear map of bytes: byte 7-i
// masks the bits of the input that add up to bit i of the output.
func affine(f func(x byte) byte) (m uint64) {
	for i := range 8 {
		for j := range 8 {
			m |= uint64(f(1<<j)>>i&1) << (8*(7-i) + j)
		}
	}
	return m
}

// times is the affine operand of the multiplication by c.
func times(c byte) uint64 {
	return affine(func(x byte) byte { return multiply(c, x) })
}
