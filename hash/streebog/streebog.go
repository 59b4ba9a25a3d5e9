// Package streebog implements the hash functions Streebog-256 and Streebog-512 of
// GOST R 34.11-2012 (RFC 6986), which GOST 34.11-2018 took over unchanged.
//
// Digests have 32 and 64 bytes, blocks 64. There is no practical limit to the
// length of a message (2^512-1 bits). The functions are constant-time in every
// tier: what is hashed, for instance the key of an HMAC, decides neither a branch
// nor an address.
//
// # Byte order
//
// This package takes a message and gives a digest as streams of bytes, first byte
// first, as gost12sum and OpenSSL do. RFC 6986 prints both as numbers, most
// significant byte first, which is the reverse. Its message M1, printed 3231...3130,
// is the text "0123...012" here, and its digest, printed 00557be5...8f1e159d, is
// 9d151eef...e57b5500 here.
//
// # Use
//
// Streebog is for interoperation: where no GOST standard asks for it, crypto/sha512
// is faster and has been studied more. For a MAC, hand [New256] or [New512] to
// crypto/hmac; that is HMAC_GOSTR3411_2012 of RFC 7836. A digest of a key and a
// message is not a MAC.
package streebog

import (
	"encoding/binary"
	"errors"
	"hash"

	"xcipher/internal/absorb"
)

const (
	// Size is the size of a Streebog-512 digest in bytes.
	Size = 64
	// Size256 is the size of a Streebog-256 digest in bytes.
	Size256 = 32
	// BlockSize is the block size of both functions in bytes.
	BlockSize = 64
)

// New256 returns a new hash.Hash computing Streebog-256. It also implements
// hash.Cloner, encoding.BinaryMarshaler, encoding.BinaryAppender and
// encoding.BinaryUnmarshaler. The saved state reveals what was hashed.
func New256() hash.Hash {
	d := &digest{size: Size256}
	d.Reset()
	return d
}

// New512 returns a new hash.Hash computing Streebog-512. It also implements
// hash.Cloner, encoding.BinaryMarshaler, encoding.BinaryAppender and
// encoding.BinaryUnmarshaler. The saved state reveals what was hashed.
func New512() hash.Hash {
	d := &digest{size: Size}
	d.Reset()
	return d
}

// Sum256 returns the Streebog-256 digest of data.
func Sum256(data []byte) [Size256]byte {
	sum := initial(Size256).hash(data)
	return [Size256]byte(sum[Size-Size256:])
}

// Sum512 returns the Streebog-512 digest of data.
func Sum512(data []byte) [Size]byte {
	return initial(Size).hash(data)
}

func (s state) hash(data []byte) [Size]byte {
	whole := len(data) / BlockSize * BlockSize
	blocks(&s, data[:whole])
	return s.finish(data[whole:])
}

type digest struct {
	state
	in   absorb.Buf
	size int
}

func (d *digest) Size() int      { return d.size }
func (d *digest) BlockSize() int { return BlockSize }

func (d *digest) Reset() {
	d.state = initial(d.size)
	d.in = absorb.Buf{}
}

func (d *digest) Write(p []byte) (int, error) {
	n := len(p)
	for run, p := d.in.Next(p, BlockSize, 0); run != nil; run, p = d.in.Next(p, BlockSize, 0) {
		blocks(&d.state, run)
	}
	return n, nil
}

func (d *digest) Sum(b []byte) []byte {
	sum := d.finish(d.in.Tail())
	return append(b, sum[Size-d.size:]...)
}

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// The saved state is, in this order,
//
//	4 bytes   "sbg" and 1 for Streebog-256, 2 for Streebog-512
//	64 bytes  h, as a digest is given
//	64 bytes  N, the bits in the blocks so far, least significant byte first
//	64 bytes  Sigma, in the same way
//	64 bytes  the incomplete block, zeros behind it
//	1 byte    length of the incomplete block in bytes, 0 to 63
const (
	magic256  = "sbg\x01"
	magic512  = "sbg\x02"
	stateSize = len(magic256) + 3*64 + BlockSize + 1
)

func (d *digest) magic() string {
	if d.size == Size256 {
		return magic256
	}
	return magic512
}

func (d *digest) MarshalBinary() ([]byte, error) {
	return d.AppendBinary(make([]byte, 0, stateSize))
}

func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, d.magic()...)
	for _, x := range [...]*[8]uint64{&d.h, &d.n, &d.sigma} {
		for _, v := range x {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	var block [BlockSize + 1]byte
	block[BlockSize] = byte(copy(block[:], d.in.Tail()))
	return append(b, block[:]...), nil
}

func (d *digest) UnmarshalBinary(b []byte) error {
	// As numbers: what stands behind the identifier is secret.
	if len(b) < len(magic256) || binary.BigEndian.Uint32(b) != binary.BigEndian.Uint32([]byte(d.magic())) {
		return errors.New("streebog: invalid hash state identifier")
	}
	if len(b) != stateSize {
		return errors.New("streebog: invalid hash state size")
	}
	b = b[len(magic256):]
	var s state
	for _, x := range [...]*[8]uint64{&s.h, &s.n, &s.sigma} {
		for i := range x {
			x[i] = binary.LittleEndian.Uint64(b)
			b = b[8:]
		}
	}
	block, fill := b[:BlockSize], int(b[BlockSize])
	// N counts whole blocks, and every state has one form only.
	ok := fill < BlockSize && s.n[0]%(8*BlockSize) == 0
	for i, v := range block {
		ok = ok && (i < fill || v == 0)
	}
	if !ok {
		return errors.New("streebog: invalid hash state")
	}
	d.state = s
	d.in.SetTail(block[:fill])
	return nil
}
