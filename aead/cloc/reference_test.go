package cloc

import (
	"crypto/cipher"
	"slices"
)

// reference is CLOC as the specification has it, on blocks as byte strings.
type reference struct {
	b     cipher.Block
	param []byte
}

func (r reference) e(x []byte) []byte {
	y := make([]byte, len(x))
	r.b.Encrypt(y, x)
	return y
}

func xor(x, y []byte) []byte {
	z := make([]byte, min(len(x), len(y)))
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
	return z
}

func (r reference) ozp(x []byte) []byte {
	if n := r.b.BlockSize(); len(x) < n {
		x = append(slices.Clone(x), 0x80)
		x = append(x, make([]byte, n-len(x))...)
	}
	return x
}

func fix(x []byte, bit byte) []byte {
	x = slices.Clone(x)
	x[0] = x[0]&0x7f | bit<<7
	return x
}

// words builds a block of four words, each the sum of some of the words a, b, c, d.
func words(x []byte, sums ...string) (y []byte) {
	w := len(x) / 4
	for _, sum := range sums {
		z := make([]byte, w)
		for _, name := range sum {
			z = xor(z, x[int(name-'a')*w:][:w])
		}
		y = append(y, z...)
	}
	return y
}

func f1(x []byte) []byte { return words(x, "ac", "bd", "abc", "bcd") }
func f2(x []byte) []byte { return words(x, "b", "c", "d", "ab") }
func g1(x []byte) []byte { return words(x, "c", "d", "ab", "bc") }
func g2(x []byte) []byte { return words(x, "b", "c", "d", "ab") }
func h(x []byte) []byte  { return words(x, "ab", "bc", "cd", "abd") }

// blocks cuts x into blocks; the empty string is one empty block.
func (r reference) blocks(x []byte) [][]byte {
	if len(x) == 0 {
		return [][]byte{{}}
	}
	return slices.Collect(slices.Chunk(x, r.b.BlockSize()))
}

func (r reference) hash(nonce, aad []byte) []byte {
	a := r.blocks(aad)
	x := r.ozp(a[0])
	s := r.e(fix(x, 0))
	if x[0] >= 0x80 {
		s = h(s)
	}
	for _, ai := range a[1:] {
		s = r.e(xor(s, r.ozp(ai)))
	}
	s = xor(s, r.ozp(slices.Concat(r.param, nonce)))
	if len(a[len(a)-1]) == len(s) {
		return f1(s)
	}
	return f2(s)
}

func (r reference) enc(v, msg []byte) (ct []byte) {
	if len(msg) == 0 {
		return nil
	}
	s := r.e(v)
	for _, m := range r.blocks(msg) {
		c := xor(m, s)
		ct = append(ct, c...)
		if len(c) == len(s) {
			s = r.e(fix(c, 1))
		}
	}
	return ct
}

func (r reference) prf(v, ct []byte) []byte {
	if len(ct) == 0 {
		return r.e(g1(v))
	}
	s := r.e(g2(v))
	c := r.blocks(ct)
	last := c[len(c)-1]
	for _, ci := range c[:len(c)-1] {
		s = r.e(xor(s, ci))
	}
	if len(last) == len(s) {
		return r.e(f1(xor(s, last)))
	}
	return r.e(f2(xor(s, r.ozp(last))))
}

func (r reference) seal(nonce, msg, aad []byte, tagSize int) []byte {
	v := r.hash(nonce, aad)
	ct := r.enc(v, msg)
	return append(ct, r.prf(v, ct)[:tagSize]...)
}
