//go:build amd64 && gc && !purego

package chaskey

import (
	"encoding/binary"
	"math/bits"
)

// xorCounter has kernels for more than a few blocks whose last word counts.
func xorCounter(k *Kernel, dst, src, ctr []byte, from, to int) {
	n := len(src) / Size
	if useAVX2 && n >= counterMin && from <= 12 && to == Size {
		c := newCounter(ctr, from)
		for n >= counterMin {
			batch, run := counterBatch(n), n
			if batch > n {
				var buf [16 * Size]byte
				copy(buf[:], src)
				counterBatches(k, &c, &buf[0], &buf[0], batch, 1)
				copy(dst, buf[:])
			} else {
				run = min(n, longestRun) / batch * batch
				counterBatches(k, &c, &dst[0], &src[0], batch, run/batch)
			}
			c.add(run)
			dst, src = dst[run*Size:], src[run*Size:]
			n -= run
		}
		c.store(ctr)
	}
	if n > 0 {
		xorCounterGeneric(k, dst, src, ctr, from, to)
	}
}

// counterMin is from how many blocks on the kernels for counter mode are the faster
// way.
const counterMin = 3

// counterBatch is batchFor for them.
func counterBatch(n int) int {
	if useAVX512 && n >= 64 {
		return 64
	}
	return 16
}

// counterBatches makes n batches of a size that counterBatch returns, and leaves c.
func counterBatches(k *Kernel, c *counter, dst, src *byte, batch, n int) {
	words := c.enter(k)
	switch {
	case batch == 64:
		counter64AVX512(&k.words, &words, dst, src, n, k.rounds)
	case useAVX512:
		counter16AVX512(&k.words, &words, dst, src, n, k.rounds)
	default:
		counter16AVX2(&k.words, &words, dst, src, n, k.rounds)
	}
}

// counter is a counter as one number. What is not in the masks stays as it is.
type counter struct {
	high, low         uint64
	highMask, lowMask uint64
}

// newCounter has the bytes of ctr from a place on count, the last word among them.
func newCounter(ctr []byte, from int) counter {
	c := counter{binary.BigEndian.Uint64(ctr), binary.BigEndian.Uint64(ctr[8:]), 0, ^uint64(0)}
	if from < 8 {
		c.highMask = ^uint64(0) >> (8 * from)
	} else {
		c.lowMask >>= 8*from - 64
	}
	return c
}

// plus returns c after n more blocks. No carry decides a branch.
func (c *counter) plus(n uint64) (high, low uint64) {
	low, carry := bits.Add64(c.low, n, 0)
	high = c.high + carry
	return c.high ^ (c.high^high)&c.highMask, c.low ^ (c.low^low)&c.lowMask
}

func (c *counter) add(n int) { c.high, c.low = c.plus(uint64(n)) }

func (c *counter) store(ctr []byte) {
	binary.BigEndian.PutUint64(ctr, c.high)
	binary.BigEndian.PutUint64(ctr[8:], c.low)
}

// enter returns what the kernels take: the last word; then v0, v1 and v2 as they
// enter the rounds, before a carry from that word and after.
func (c *counter) enter(k *Kernel) (w [7]uint32) {
	w[0] = uint32(c.low)
	w[1], w[2], w[3] = enter(k, c.high, c.low)
	high, low := c.plus(1 << 32)
	w[4], w[5], w[6] = enter(k, high, low)
	return w
}

// enter also makes the steps of the first round that only v0 and v1 take part in.
func enter(k *Kernel, high, low uint64) (v0, v1, v2 uint32) {
	v0 = bits.ReverseBytes32(uint32(high>>32)) ^ k.in.v0
	v1 = bits.ReverseBytes32(uint32(high)) ^ k.in.v1
	v2 = bits.ReverseBytes32(uint32(low>>32)) ^ k.in.v2
	v0 += v1
	v1 = bits.RotateLeft32(v1, 5) ^ v0
	return bits.RotateLeft32(v0, 16), v1, v2
}
