// Package saturnin implements Saturnin-Hash, with digests of 32 bytes, as a
// hash.Hash.
//
// The specification is "Saturnin: a suite of lightweight symmetric algorithms for
// post-quantum security", version 1.1 of 2019, by Canteaut, Duval, Leurent,
// Naya-Plasencia, Perrin, Pornin and Schrottenloher (round 2 of NIST's lightweight
// cryptography project; Saturnin was no finalist). Its authors claim collisions
// to cost 2^112 and preimages 2^224; quantum computers bring the latter to 2^112.
// Messages have no maximum length, and digests cannot be extended.
//
// It is a Merkle-Damgard chain over the Saturnin block cipher with 16
// super-rounds: t = E_t(m) ^ m for each block m of 32 bytes. That is strictly
// serial: where the choice is free, crypto/sha256 and crypto/sha3 are faster and
// better studied. Secrets may be hashed: the code is constant-time.
package saturnin

import (
	"errors"
	"hash"

	"xcipher/internal/absorb"
	"xcipher/internal/saturnin"
)

const (
	// Size is the size of a digest in bytes.
	Size = 32

	// BlockSize is the size of a block in bytes.
	BlockSize = saturnin.BlockSize
)

// The domains of the blocks and of the last, padded one.
var (
	domainBlock = saturnin.NewDomain(16, 7)
	domainLast  = saturnin.NewDomain(16, 8)
)

// digest is a hash.Hash. Its zero value is the state of the empty message.
type digest struct {
	t  [Size]byte
	in absorb.Buf
}

// New returns a new hash. It is also a hash.Cloner, an encoding.BinaryMarshaler,
// BinaryAppender and BinaryUnmarshaler. The saved state reveals what was hashed.
func New() hash.Hash { return new(digest) }

// Sum256 returns the digest of data.
func Sum256(data []byte) [Size]byte {
	var t [Size]byte
	whole := len(data) / BlockSize * BlockSize
	domainBlock.CascadeLast(&t, data[:whole], domainLast, data[whole:])
	return t
}

func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return BlockSize }
func (d *digest) Reset()         { *d = digest{} }

func (d *digest) Write(p []byte) (int, error) {
	n := len(p)
	for run, p := d.in.Next(p, BlockSize, 0); run != nil; run, p = d.in.Next(p, BlockSize, 0) {
		domainBlock.Cascade(&d.t, run)
	}
	return n, nil
}

func (d *digest) Sum(b []byte) []byte {
	sum := d.finish()
	return append(b, sum[:]...)
}

// finish returns the digest and leaves the state as it is.
func (d *digest) finish() [Size]byte {
	t := d.t
	domainBlock.CascadeLast(&t, nil, domainLast, d.in.Tail())
	return t
}

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// A marshalled state is the magic, t, the incomplete block with zeros behind it,
// and the number of bytes in that.
const (
	magic         = "sat\x01"
	marshaledSize = len(magic) + Size + BlockSize + 1
)

func (d *digest) MarshalBinary() ([]byte, error) {
	return d.AppendBinary(make([]byte, 0, marshaledSize))
}

func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	var block [BlockSize]byte
	n := copy(block[:], d.in.Tail())
	b = append(b, magic...)
	b = append(b, d.t[:]...)
	b = append(b, block[:]...)
	return append(b, byte(n)), nil
}

var (
	errMagic = errors.New("saturnin: invalid hash state identifier")
	errSize  = errors.New("saturnin: invalid hash state size")
	errBlock = errors.New("saturnin: invalid hash state")
)

func (d *digest) UnmarshalBinary(b []byte) error {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return errMagic
	}
	if len(b) != marshaledSize {
		return errSize
	}
	n := int(b[marshaledSize-1])
	if n >= BlockSize {
		return errBlock
	}
	b = b[len(magic):]
	var rest byte // every state has one form only
	for _, v := range b[Size+n : Size+BlockSize] {
		rest |= v
	}
	if rest != 0 {
		return errBlock
	}
	copy(d.t[:], b)
	d.in.SetTail(b[Size : Size+n])
	return nil
}
