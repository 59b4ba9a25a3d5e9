// Package absorb cuts what is written to a hash or MAC into whole blocks.
package absorb

// MaxBlockSize is the largest block, in bytes, that a Buf can hold.
const MaxBlockSize = 64

// Buf keeps the start of a block that is not complete yet. A hash holds one in
// a named field: embedded, it would export its methods. Assigning Buf{} resets
// it and forgets the data; copying it clones it.
type Buf struct {
	buf [MaxBlockSize]byte
	n   uint8
}

// Next returns the next run of whole blocks to compress, nil when none is left,
// and what of p comes after it. The first run may be the block that was completed in
// the buffer, the second is the bulk of p, in place; what remains is kept for later.
// Every run must be used up before Next is called again:
//
//	for run, p := b.Next(p, 64, 0); run != nil; run, p = b.Next(p, 64, 0) {
//		compress(run)
//	}
//
// hold is 1 for algorithms that treat the last block differently even if it is
// full (CMAC, Chaskey): then a full block waits until more data comes. Else it is 0.
func (b *Buf) Next(p []byte, blockSize, hold int) (run, rest []byte) {
	if b.n > 0 {
		c := copy(b.buf[b.n:blockSize], p)
		p = p[c:]
		b.n += uint8(c)
		if int(b.n) < blockSize || len(p) < hold {
			return nil, p
		}
		b.n = 0
		return b.buf[:blockSize], p
	}
	if n := (len(p) - hold) / blockSize * blockSize; n > 0 {
		return p[:n], p[n:]
	}
	b.n = uint8(copy(b.buf[:blockSize], p))
	return nil, nil
}

// Tail returns the bytes of the incomplete block: 0 to blockSize-1 of them, or 1
// to blockSize after anything was written with hold = 1.
func (b *Buf) Tail() []byte { return b.buf[:b.n] }

// SetTail replaces the bytes of the incomplete block, for restoring a saved state.
func (b *Buf) SetTail(tail []byte) {
	*b = Buf{}
	b.n = uint8(copy(b.buf[:], tail))
}
