//go:build amd64 && gc && !purego

package saturnin

import "encoding/binary"

// The kernels leave the rows where SR has brought them, and so round keys and
// constants have to be there, too.

// moved makes x what it is after the SR of super-round s.
func (x *lanes) moved(s int) {
	if s&1 == 0 {
		x[1], x[2], x[3] = slice1(x[1]), slice2(x[2]), slice3(x[3])
	} else {
		x[1], x[2], x[3] = sheet1(x[1]), sheet2(x[2]), sheet3(x[3])
	}
}

func (x *lanes) unmixed() { x[0], x[1], x[2], x[3] = unmdsLanes(x[0], x[1], x[2], x[3]) }

// columns is a block as the kernels for one block have it: each byte holds a column
// of two rows, first of A and B, then of C and D.
type columns = [BlockSize]byte

// columns makes that form of the first of the four blocks.
func (x *lanes) columns(b *columns) {
	transposeRows(b[:16], &x[0], &x[1])
	transposeRows(b[16:], &x[2], &x[3])
}

// transposeRows takes the low bytes of eight registers, then the high ones.
func transposeRows(b []byte, p, q *quad[uint64]) {
	low := p.p0&0xff | p.p1&0xff<<8 | p.p2&0xff<<16 | p.p3&0xff<<24 |
		q.p0&0xff<<32 | q.p1&0xff<<40 | q.p2&0xff<<48 | q.p3<<56
	high := p.p0>>8&0xff | p.p1&0xff00 | p.p2&0xff00<<8 | p.p3&0xff00<<16 |
		q.p0&0xff00<<24 | q.p1&0xff00<<32 | q.p2&0xff00<<40 | q.p3>>8<<56
	binary.LittleEndian.PutUint64(b, transposeBits(low))
	binary.LittleEndian.PutUint64(b[8:], transposeBits(high))
}

// transposeBits exchanges bit j of byte i with bit i of byte j.
func transposeBits(v uint64) uint64 {
	t := (v ^ v>>7) & 0x00aa00aa00aa00aa
	v ^= t ^ t<<7
	t = (v ^ v>>14) & 0x0000cccc0000cccc
	v ^= t ^ t<<14
	t = (v ^ v>>28) & 0x00000000f0f0f0f0
	return v ^ t ^ t<<28
}

// kernelConstants are the constants of the super-rounds in the forms that the kernels
// take.
type kernelConstants struct {
	encrypt [MaxSuperRounds]columns
	decrypt [MaxSuperRounds]columns   // in the order of decryption, without the first
	sliced  [MaxSuperRounds][4]uint32 // RC0, RC1, their sum, and RC1 before SR, each twice
}

// constant returns the constants of a super-round as a block has them.
func (dom *Domain) constant(s int) (x lanes) {
	x[0].p0, x[2].p0 = uint64(dom.rc[s]&0xffff), uint64(dom.rc[s]>>16)
	return x
}

func (dom *Domain) expand() {
	for s := range dom.superRounds {
		x := dom.constant(s)
		unmoved := uint32(x[2].p0) * 0x10001
		x.moved(s)
		rc0, rc1 := uint32(x[0].p0)*0x10001, uint32(x[2].p0)*0x10001
		dom.kernel.sliced[s] = [4]uint32{rc0, rc1, rc0 ^ rc1, unmoved}
		x.columns(&dom.kernel.encrypt[s])
		if s < dom.superRounds-1 {
			x.unmixed()
			x.columns(&dom.kernel.decrypt[dom.superRounds-2-s])
		}
	}
}

// kernelKeys are the round keys in the forms that the kernels take.
type kernelKeys struct {
	encrypt [2]columns // K and K', moved
	decrypt [4]columns // what is added first, what last, and between

	narrow                   [2]words // K and K'
	wideEncrypt, wideDecrypt [3]words // K, and what even and odd super-rounds add
}

// words is a block as the kernels for many have it, each register twice.
type words = [16]uint32

func (x *lanes) words(w *words) {
	for i := range x {
		w[4*i], w[4*i+1] = uint32(x[i].p0), uint32(x[i].p1)
		w[4*i+2], w[4*i+3] = uint32(x[i].p2), uint32(x[i].p3)
	}
}

// early makes x what to add to the rows A and C in the first of the steps of mds, and
// to B and D in the last, to add x to the result.
func (x *lanes) early() {
	a := unalpha(add(x[2], alpha(alpha(x[0]))))
	c := unalpha(add(x[0], alpha(alpha(x[2]))))
	x[1], x[3] = add(add(x[1], x[2]), c), add(add(x[3], x[0]), a)
	x[0], x[2] = a, c
}

// earlyInverse is early for unmds, with B and D first.
func (x *lanes) earlyInverse() {
	b := add(add(alpha(x[1]), x[1]), alpha(alpha(x[3])))
	d := add(add(alpha(x[3]), x[3]), alpha(alpha(x[1])))
	x[0], x[2] = add(add(x[0], x[1]), unalpha(unalpha(b))), add(add(x[2], x[3]), unalpha(unalpha(d)))
	x[1], x[3] = b, d
}

func (c *Cipher) expandKernels() {
	k := &c.kernel
	last := c.domain.superRounds - 1
	x := c.domain.constant(last)
	for i, row := range c.four[last&1^1] {
		x[i] = add(x[i], row)
	}
	x.columns(&k.decrypt[0])
	c.four[0].columns(&k.decrypt[1])
	for s := range c.four {
		c.four[s].words(&k.narrow[s])
		x = c.four[1-s]
		x.moved(s)
		x.columns(&k.encrypt[1-s])
		inverse := x
		x.early()
		x.words(&k.wideEncrypt[1+s])
		inverse.unmixed()
		inverse.columns(&k.decrypt[3-s])
		inverse.earlyInverse()
		inverse.words(&k.wideDecrypt[1+s])
	}
	k.wideEncrypt[0], k.wideDecrypt[0] = k.narrow[0], k.narrow[0]
}
