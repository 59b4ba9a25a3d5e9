// Package hutorny is broken: whoever sees a message can forge others. It reads and
// writes data of the CLOC mode of hutorny/chaskey v1.4, byte for byte, so that such
// data can be moved to something else, and serves no other purpose.
//
// That mode differs from CLOC in what makes CLOC secure, and falls to two
// forgeries:
//
//   - The last block of ciphertext is neither padded nor tweaked. Zero bytes can be
//     appended to a ciphertext whose last block is partial, up to the end of that
//     block, under the same tag.
//   - The tag is an inner state of the next longer message. After a message M of at
//     least two blocks, all of them full, with ciphertext C and tag T, the block
//     T ^ fix(C[1]) can be appended to C; the new tag is C[2] ^ M[2]. Here fix sets
//     one bit of the block.
//
// Use package aead/cloc over block/chaskey instead, which is the real CLOC and
// costs the same.
//
// Keys have 16 bytes, nonces 0 to 16, tags 4 to 16. The cipher is Chaskey with 8
// rounds. Nonces of 15 and 16 bytes may collide, so keep to one size per key; longer
// nonces, which the library cut to 16 bytes, must be cut by the caller. Additional
// data that is nil or empty is one empty block, as in the library's command line
// tool. Only data of the C++ library is read: its JavaScript twin computes other
// tags.
//
// The code is constant-time.
package hutorny

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"strconv"

	"xcipher/internal/authenc"
	"xcipher/internal/cfbmac"
	"xcipher/internal/chaskey"
)

// Sizes in bytes of New.
const (
	KeySize   = 16
	NonceSize = 12
	Overhead  = 16
)

// The range of NewWithSizes, in bytes.
const (
	maxNonce = 16
	minTag   = 4
	maxTag   = 16
)

var errOpen = errors.New("hutorny: message authentication failed")

// KeySizeError is the length of a key that is not KeySize bytes long.
type KeySizeError int

func (e KeySizeError) Error() string {
	return "hutorny: invalid key size " + strconv.Itoa(int(e))
}

// New returns an AEAD with nonces of 12 bytes and tags of 16.
//
// Deprecated: its messages can be forged. Use package aead/cloc over block/chaskey.
func New(key []byte) (cipher.AEAD, error) { return newAEAD(key, NonceSize, Overhead) }

// NewWithSizes returns an AEAD with nonces of 0 to 16 bytes and tags of 4 to 16.
// Tags are the first bytes of the longest one.
//
// Deprecated: its messages can be forged. Use package aead/cloc over block/chaskey.
func NewWithSizes(key []byte, nonceSize, tagSize int) (cipher.AEAD, error) {
	return newAEAD(key, nonceSize, tagSize)
}

func newAEAD(key []byte, nonceSize, tagSize int) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	if nonceSize < 0 || nonceSize > maxNonce {
		return nil, fmt.Errorf("hutorny: invalid nonce size %d: want 0 to %d", nonceSize, maxNonce)
	}
	if tagSize < minTag || tagSize > maxTag {
		return nil, fmt.Errorf("hutorny: invalid tag size %d: want %d to %d", tagSize, minTag, maxTag)
	}
	a := &algorithm{inner: chaskey.NewHutornyKernel(key)}
	copy(a.key[:], key)
	p := &authenc.Params{Name: "hutorny", NonceSize: nonceSize, Overhead: tagSize, Err: errOpen}
	return authenc.New(p, cfbmac.New(a, chaskey.NewKernel(key, chaskey.Rounds8), topByte)), nil
}
