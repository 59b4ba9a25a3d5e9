package main

import . "github.com/mmcloughlin/avo/operand"

// pi by tables of 16 bytes. It is, as Biryukov, Perrin and Udovenko found (Reverse-
// Engineering the S-Box of Streebog, Kuznyechik and STRIBOBr1, EUROCRYPT 2016),
//
//	(l, r) = alpha(x)
//	l' = nu0(l) if r = 0, else nu1(l / r)
//	r' = sigma(r phi(l'))
//	pi(x) = omega(l', r')
//
// with linear maps alpha and omega, halves of bytes l, r, l', r' and, on these, the
// products of GF(2^4) modulo x^4 + x^3 + 1.
var (
	alpha = [8]byte{0x08, 0x41, 0x43, 0xef, 0x8a, 0x44, 0x1a, 0x20} // rows of bits 7 to 0
	omega = [8]byte{0x0a, 0x04, 0x20, 0x9a, 0x08, 0x44, 0x82, 0x01}
	nu0   = [16]byte{2, 5, 3, 11, 6, 9, 14, 10, 0, 4, 15, 1, 8, 13, 12, 7}
	nu1   = [16]byte{7, 6, 12, 9, 0, 15, 8, 1, 4, 5, 11, 14, 13, 2, 3, 10}
	phi   = [16]byte{11, 2, 11, 8, 12, 4, 1, 12, 6, 3, 5, 8, 14, 3, 6, 11}
	sigma = [16]byte{12, 13, 0, 4, 8, 11, 10, 14, 3, 9, 5, 2, 15, 1, 6, 7}
)

// apply is a linear map with the given rows.
func apply(rows [8]byte, x byte) (y byte) {
	for i, row := range rows {
		for v := row & x; v > 0; v &= v - 1 {
			y ^= 1 << (7 - i)
		}
	}
	return y
}

// solve returns the x with f(x) = y.
func solve(n int, f func(x byte) byte, y byte) byte {
	for x := range n {
		if f(byte(x)) == y {
			return byte(x)
		}
	}
	panic("no inverse")
}

// exp is the powers of x in GF(2^4).
var exp = func() (e [15]byte) {
	e[0] = 1
	for i := 1; i < 15; i++ {
		e[i] = e[i-1]<<1 ^ e[i-1]>>3*0x19
	}
	return e
}()

// none is the logarithm of 0. It and all sums with it have bit 7 set, so that they find 0
// in a table.
const none = 0xf0

func log(v byte) byte {
	for i, e := range exp {
		if e == v {
			return byte(i)
		}
	}
	return none
}

func logInverse(v byte) byte {
	if v == 0 {
		return none
	}
	return (15 - log(v)) % 15
}

type nibbles [16]byte

// nibbleTable makes a table; one of powers has no entry 15.
func nibbleTable(f func(v byte) byte) (t nibbles) {
	for i := range t {
		t[i] = f(byte(i))
	}
	return t
}

func powerTable(f func(v byte) byte) nibbles {
	return nibbleTable(func(i byte) byte {
		if i == 15 {
			return 0
		}
		return f(exp[i])
	})
}

// The tables of pi. p is l' + nu1(0): then what is looked up by the logarithm of 0 is
// right as 0, and so with the results of sigma.
var forward = map[string]nibbles{
	"l0":     nibbleTable(func(v byte) byte { return apply(alpha, v) >> 4 }),
	"l1":     nibbleTable(func(v byte) byte { return apply(alpha, v<<4) >> 4 }),
	"r0":     nibbleTable(func(v byte) byte { return apply(alpha, v) & 15 }),
	"r1":     nibbleTable(func(v byte) byte { return apply(alpha, v<<4) & 15 }),
	"log":    nibbleTable(log),
	"logInv": nibbleTable(logInverse),
	"nu1":    powerTable(func(v byte) byte { return nu1[v] ^ nu1[0] }),
	"nu0":    nibbleTable(func(v byte) byte { return nu0[v] ^ nu1[0] }),
	"logPhi": nibbleTable(func(p byte) byte { return log(phi[p^nu1[0]]) }),
	"outL":   nibbleTable(func(p byte) byte { return apply(omega, (p^nu1[0])<<4|sigma[0]) }),
	"outR":   powerTable(func(v byte) byte { return apply(omega, sigma[v]^sigma[0]) }),
}

func omegaInverse(y byte) byte {
	return solve(256, func(x byte) byte { return apply(omega, x) }, y)
}

func alphaInverse(y byte) byte {
	return solve(256, func(x byte) byte { return apply(alpha, x) }, y)
}

// The tables of the inverse.
var backward = map[string]nibbles{
	"l0":        nibbleTable(func(v byte) byte { return omegaInverse(v) >> 4 }),
	"l1":        nibbleTable(func(v byte) byte { return omegaInverse(v<<4) >> 4 }),
	"r0":        nibbleTable(func(v byte) byte { return omegaInverse(v) & 15 }),
	"r1":        nibbleTable(func(v byte) byte { return omegaInverse(v<<4) & 15 }),
	"logSigma":  nibbleTable(func(v byte) byte { return log(solve(16, func(x byte) byte { return sigma[x] }, v)) }),
	"logPhiInv": nibbleTable(func(v byte) byte { return logInverse(phi[v]) }),
	"logNu1":    nibbleTable(func(v byte) byte { return log(solve(16, func(x byte) byte { return nu1[x] }, v)) }),
	"outNu0": nibbleTable(func(v byte) byte {
		return alphaInverse(solve(16, func(x byte) byte { return nu0[x] }, v) << 4)
	}),
	"outL": powerTable(func(v byte) byte { return alphaInverse(v << 4) }),
	"outR": powerTable(alphaInverse),
}

// checkNibbles compares the decomposition with the table of the standard.
func checkNibbles() {
	for x := range 256 {
		y := apply(alpha, byte(x))
		l, r := y>>4, y&15
		if r == 0 {
			l = nu0[l]
		} else if s := log(l) + logInverse(r); l == 0 {
			l = nu1[0]
		} else {
			l = nu1[exp[s%15]]
		}
		if r != 0 {
			r = exp[(log(r)+log(phi[l]))%15]
		}
		if apply(omega, l<<4|sigma[r]) != pi[x] {
			panic("not pi")
		}
	}
}

// twice is a symbol with the 16 bytes t in both lanes of a Y register.
func twice(name string, t nibbles) Mem { return bytesOf(name, append(t[:], t[:]...)) }
