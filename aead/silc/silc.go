// Package silc implements SILC, SImple Lightweight CFB, as a cipher.AEAD over any
// block cipher with blocks of 16 or 8 bytes.
//
// SILC is by T. Iwata, K. Minematsu, J. Guo, S. Morioka and E. Kobayashi, a variant
// of CLOC for small hardware. It entered the CAESAR competition; the document of
// the third round is "CLOC and SILC v3" (2016), which puts a parameter byte in front
// of the nonce. NewCAESAR and NewAES128 have that byte, New does not, as in the
// first round.
//
// In software SILC has no advantage over package aead/cloc, and takes a block
// encryption or two more. On a larger processor AES-GCM of crypto/cipher, or
// package aead/chachapoly, is faster than both for all but the shortest messages.
//
// A nonce must not be used twice under one key. If it is, messages with the same
// additional data reveal how far they begin alike, and the exclusive or of the
// first blocks that differ; forgeries stay hard. Security ends near the birthday
// bound of the block: for an advantage of 2^-32, stay below 2^48 blocks per key if
// blocks have 16 bytes, and below 2^16 blocks (512 KiB) if they have 8. The tags of
// CAESAR are short, 8 bytes with AES and 4 with small blocks: an attacker has one
// chance in 2^64 or 2^32 per forgery tried, so limit the number of failed messages.
//
// Open verifies before it decrypts. The mode is constant-time; the block cipher
// must be so too. NewAES128 uses the AES instructions of amd64 with AVX2, which are
// constant-time. Elsewhere it calls crypto/aes, which is constant-time where it
// uses AES instructions.
package silc

import (
	"crypto/cipher"
	"errors"
	"strconv"

	"xcipher/internal/aesni"
	"xcipher/internal/authenc"
	"xcipher/internal/batch"
	"xcipher/internal/cfbmac"
)

// Sizes in bytes of NewAES128.
const (
	KeySize   = 16
	NonceSize = 12
	Overhead  = 8
)

// paramAES128 is the parameter byte of aes128n12t8silcv3.
const paramAES128 = 0xc0

var errOpen = errors.New("silc: message authentication failed")

// KeySizeError is the length of a key that is not KeySize bytes long.
type KeySizeError int

func (e KeySizeError) Error() string {
	return "silc: invalid key size " + strconv.Itoa(int(e))
}

// New returns SILC without parameter byte over b, whose blocks have 16 or 8 bytes,
// with nonces of 12 or 6 bytes and tags as long as a block.
func New(b cipher.Block) (cipher.AEAD, error) {
	return newAEAD(batch.Of(b), b.BlockSize()*3/4, b.BlockSize(), nil)
}

// NewCAESAR returns SILC as of CAESAR's second and third rounds over b. Nonces may
// have 1 byte to two less than a block, tags 8 to 16 bytes, or 4 to 8 if blocks
// have 8. The parameter byte tells parameter sets apart: the sets of the submission
// over AES-128 are nonces of 12 bytes with param 0xc0, and of 8 bytes with 0xd0,
// both with tags of 8 bytes.
func NewCAESAR(b cipher.Block, nonceSize, tagSize int, param byte) (cipher.AEAD, error) {
	return newAEAD(batch.Of(b), nonceSize, tagSize, []byte{param})
}

// NewAES128 returns aes128n12t8silcv3, the first choice of the designers for
// CAESAR: AES-128, nonces of 12 bytes, tags of 8.
func NewAES128(key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	k, err := aesni.New(key)
	if err != nil {
		return nil, err
	}
	return newAEAD(k, NonceSize, Overhead, []byte{paramAES128})
}

// newAEAD returns SILC with param, one byte or none, in front of every nonce.
func newAEAD(k batch.Kernel, nonceSize, tagSize int, param []byte) (cipher.AEAD, error) {
	p, err := cfbmac.Params("silc", k.BlockSize(), nonceSize, tagSize, len(param), errOpen)
	if err != nil {
		return nil, err
	}
	return authenc.New(p, cfbmac.New(&algorithm{param}, k, 0)), nil
}
