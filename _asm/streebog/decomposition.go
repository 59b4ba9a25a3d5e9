package main

import "math/bits"

// pi has a decomposition into nibbles (Biryukov, Perrin, Udovenko, Eurocrypt 2016):
//
//	l, r = alpha(x), high and low nibble
//	l = nu0[l] if r is 0, else nu1[l / r]
//	r = sigma[r * phi[l]]
//	pi(x) = omega(l, r)
//
// alpha and omega are linear, the products are those of GF(2)[x] modulo x^4+x^3+1.
var (
	nu0   = [16]byte{0x2, 0x5, 0x3, 0xb, 0x6, 0x9, 0xe, 0xa, 0x0, 0x4, 0xf, 0x1, 0x8, 0xd, 0xc, 0x7}
	nu1   = [16]byte{0x7, 0x6, 0xc, 0x9, 0x0, 0xf, 0x8, 0x1, 0x4, 0x5, 0xb, 0xe, 0xd, 0x2, 0x3, 0xa}
	phi   = [16]byte{0xb, 0x2, 0xb, 0x8, 0xc, 0x4, 0x1, 0xc, 0x6, 0x3, 0x5, 0x8, 0xe, 0x3, 0x6, 0xb}
	sigma = [16]byte{0xc, 0xd, 0x0, 0x4, 0x8, 0xb, 0xa, 0xe, 0x3, 0x9, 0x5, 0x2, 0xf, 0x1, 0x6, 0x7}

	// Row by row, bit 7 of the output and bit 7 of the input first.
	alphaRows = [8]byte{0b00001000, 0b01000001, 0b01000011, 0b11101111, 0b10001010, 0b01000100, 0b00011010, 0b00100000}
	omegaRows = [8]byte{0b00001010, 0b00000100, 0b00100000, 0b10011010, 0b00001000, 0b01000100, 0b10000010, 0b00000001}
)

func apply(rows *[8]byte, x byte) (y byte) {
	for _, row := range rows {
		y = y<<1 | byte(bits.OnesCount8(row&x)&1)
	}
	return y
}

func alpha(x byte) byte { return apply(&alphaRows, x) }
func omega(x byte) byte { return apply(&omegaRows, x) }

// alphaInverse undoes alpha.
var alphaInverse = func() (inverse [256]byte) {
	for x := range inverse {
		inverse[alpha(byte(x))] = byte(x)
	}
	return inverse
}()

// multiply multiplies polynomials over GF(2) modulo one of a degree.
func multiply(x, y byte, modulus, degree int) byte {
	product := 0
	for i := degree - 1; i >= 0; i-- {
		product <<= 1
		if product>>degree&1 == 1 {
			product ^= modulus
		}
		if y>>i&1 == 1 {
			product ^= int(x)
		}
	}
	return byte(product)
}

func multiply4(x, y byte) byte { return multiply(x, y, 0b11001, 4) }

// power and logarithm are to the base x; logarithm[0] is not defined.
var power, logarithm = func() (power, logarithm [16]byte) {
	v := byte(1)
	for i := range 15 {
		power[i] = v
		logarithm[v] = byte(i)
		v = multiply4(v, 0b10)
	}
	return power, logarithm
}()

// inverse4 of 0 is 0.
func inverse4(x byte) byte {
	if x == 0 {
		return 0
	}
	return power[(15-logarithm[x])%15]
}

// The decomposition is pi.
func init() {
	for x, want := range piTable {
		y := alpha(byte(x))
		l, r := y>>4, y&15
		if r == 0 {
			l = nu0[l]
		} else {
			l = nu1[multiply4(l, inverse4(r))]
		}
		r = sigma[multiply4(r, phi[l])]
		if omega(l<<4|r) != want {
			panic("the decomposition of pi is wrong")
		}
	}
}
