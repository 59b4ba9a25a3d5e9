// Package keystream holds what every cipher.Stream must do besides making key
// stream: its checks, and the bytes of a block that earlier calls left over.
package keystream

import (
	"crypto/subtle"

	"xcipher/internal/alias"
)

// Buf keeps the unread key stream of a partly used block. A stream holds one in
// a named field: embedded, it would export its method.
type Buf struct {
	Last [64]byte // key stream of the last block, if that was partly used
	n    uint8    // unread bytes at the end of the last block
}

// Begin starts an XORKeyStream call. It makes every check that cipher.Stream
// asks for before anything is written, spends the unread key stream, and
// returns what needs new blocks, possibly nothing.
//
// The stream then handles all of s, its last partial block included, and leaves
// the whole key stream of that partial block in b.Last[:blockSize]. The returned
// slices have the same length, and are the same memory or disjoint.
//
// left is the number of blocks that the stream can still make. Begin panics if
// dst is shorter than src, if they overlap inexactly, or if src needs more blocks.
func (b *Buf) Begin(name string, blockSize int, left uint64, dst, src []byte) (d, s []byte) {
	if len(src) == 0 {
		return nil, nil
	}
	Check(name, dst, src)
	dst = dst[:len(src)]
	unread := int(b.n)
	rest := 0
	if len(src) > unread {
		rest = len(src) - unread
		if blocks := (uint64(rest) + uint64(blockSize) - 1) / uint64(blockSize); blocks > left {
			panic(name + ": counter overflow")
		}
	}
	used := 0
	if unread > 0 {
		used = subtle.XORBytes(dst, src, b.Last[blockSize-unread:blockSize])
	}
	if rest == 0 {
		b.n -= uint8(used)
		return nil, nil
	}
	b.n = 0
	if tail := rest % blockSize; tail > 0 {
		b.n = uint8(blockSize - tail)
	}
	return dst[used:], src[used:]
}

// Check panics, as every cipher.Stream of the standard library does, if dst is
// shorter than src or if the part of dst that will be written overlaps src inexactly.
func Check(name string, dst, src []byte) {
	if len(dst) < len(src) {
		panic(name + ": output smaller than input")
	}
	if alias.InexactOverlap(dst[:len(src)], src) {
		panic(name + ": invalid buffer overlap")
	}
}
