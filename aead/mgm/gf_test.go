package mgm

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"

	"xcipher/internal/conform"
)

// edges are operands in which carries would show first.
var edges = []uint64{
	0, 1, 2, 1 << 63, 1<<63 | 1, 1<<60 - 1, 15 << 60, 1<<64 - 1, 1<<64 - 2,
	0x1111111111111111, 0x8888888888888888, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa,
	0x0123456789abcdef, 0xffffffff, 0xffffffff00000000,
}

// slowMul is the schoolbook carry-less product.
func slowMul(x, y uint64) (hi, lo uint64) {
	for i := range 64 {
		if x>>i&1 != 0 {
			lo ^= y << i
			hi ^= y >> (64 - i)
		}
	}
	return hi, lo
}

func TestMul(t *testing.T) {
	check := func(x, y uint64) {
		hi, lo := mul(x, y)
		if wantHi, wantLo := slowMul(x, y); hi != wantHi || lo != wantLo {
			t.Fatalf("mul(%#x, %#x) = %#x %#x, want %#x %#x", x, y, hi, lo, wantHi, wantLo)
		}
	}
	for _, x := range edges {
		for _, y := range edges {
			check(x, y)
		}
		for i := range 64 {
			check(x, 1<<i)
			check(1<<i, x)
		}
	}
	for range 20000 {
		check(rand.Uint64(), rand.Uint64())
	}
}

// slowReduce computes p modulo the polynomial f over GF(2).
func slowReduce(p, f *big.Int) *big.Int {
	p = new(big.Int).Set(p)
	for p.BitLen() >= f.BitLen() {
		p.Xor(p, new(big.Int).Lsh(f, uint(p.BitLen()-f.BitLen())))
	}
	return p
}

func slowProduct(a, b []byte) *big.Int {
	x, y, sum := new(big.Int).SetBytes(a), new(big.Int).SetBytes(b), new(big.Int)
	for i := range x.BitLen() {
		if x.Bit(i) == 1 {
			sum.Xor(sum, new(big.Int).Lsh(y, uint(i)))
		}
	}
	return sum
}

func TestSumOfProducts(t *testing.T) { conform.Each(t, testSumOfProducts) }

func testSumOfProducts(t *testing.T) {
	for _, c := range []struct {
		size int
		poly int64
	}{{8, 0x1b}, {16, 0x87}} {
		f := new(big.Int).Lsh(big.NewInt(1), uint(8*c.size))
		f.Or(f, big.NewInt(c.poly))
		for round := range 300 {
			n := c.size * (1 + round%7)
			h, p := make([]byte, n), make([]byte, n)
			for i := 0; i < n; i += 8 {
				x, y := rand.Uint64(), rand.Uint64()
				if round%3 == 0 {
					x, y = edges[rand.IntN(len(edges))], edges[rand.IntN(len(edges))]
				}
				binary.BigEndian.PutUint64(h[i:], x)
				binary.BigEndian.PutUint64(p[i:], y)
			}
			want := new(big.Int)
			for i := 0; i < n; i += c.size {
				want.Xor(want, slowReduce(slowProduct(h[i:i+c.size], p[i:i+c.size]), f))
			}
			var s product
			got := make([]byte, c.size)
			if c.size == 8 {
				s.add64(h, p)
				s.reduce64(got)
			} else {
				s.add128(h, p)
				s.reduce128(got)
			}
			if new(big.Int).SetBytes(got).Cmp(want) != 0 {
				t.Fatalf("%d bytes: sum of products of %x and %x = %x, want %x", c.size, h, p, got, want)
			}
		}
	}
}

func TestLengthLimit(t *testing.T) {
	for _, c := range []struct {
		size      int
		text, aad uint64
		ok        bool
	}{
		{8, 1<<29 - 1, 0, true},
		{8, 0, 1<<29 - 1, true},
		{8, 1 << 28, 1<<28 - 1, true},
		{8, 1 << 28, 1 << 28, false},
		{8, 1 << 29, 0, false},
		{8, 0, 1 << 29, false},
		{8, 1 << 63, 1 << 63, false},
		{8, 1<<64 - 1, 1, false},
		{16, 1<<61 - 1, 0, true},
		{16, 1 << 60, 1 << 60, false},
		{16, 1 << 61, 0, false},
		{16, 0, 1 << 61, false},
		{16, 1<<64 - 1, 1<<64 - 1, false},
	} {
		if got := checkLength(c.size, c.text, c.aad) == ""; got != c.ok {
			t.Errorf("%d-byte block, text %d, aad %d: accepted = %v", c.size, c.text, c.aad, got)
		}
	}
}
