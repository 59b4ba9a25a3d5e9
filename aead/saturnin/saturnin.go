// Package saturnin implements the authenticated ciphers of the Saturnin suite,
// CTR-Cascade and Short, as cipher.AEADs.
//
// The specification is "Saturnin: a suite of lightweight symmetric algorithms for
// post-quantum security", version 1.1 of 2019, by Canteaut, Duval, Leurent,
// Naya-Plasencia, Perrin, Pornin and Schrottenloher (round 2 of NIST's lightweight
// cryptography project; Saturnin was no finalist). Keys have 32 bytes and nonces
// 16, which is enough for random ones.
//
// CTR-Cascade is for messages of any length. Its tag has 32 bytes. The authors
// claim that D blocks of data and time T give an attacker a probability p only if
// D^2 + T + D exceeds 2^224 p; with tags cut to t bits, D * 2^(256-t) takes the
// place of D. The format ends at 2^95-1 blocks, which no message in memory has.
//
// Short is for messages of up to 15 bytes without additional data, and makes 32
// bytes of each. Forging one is as hard as for a tag of 16 bytes. As it has no
// additional data, count the nonces to detect a message that is sent again.
//
// A nonce must never repeat under one key: in CTR-Cascade a repetition gives away
// the XOR of two messages, in Short whether they are equal. Neither commits to
// its key: a ciphertext may open under several.
//
// The code is constant-time. CTR-Cascade reads data twice and is strictly serial
// in its tag; where there is no need for a 256-bit block or for resistance to
// quantum computers beyond a 256-bit key, use xcipher/aead/chachapoly or AES-GCM.
package saturnin

import (
	"crypto/cipher"
	"errors"
	"strconv"

	"xcipher/internal/authenc"
	"xcipher/internal/saturnin"
)

const (
	// KeySize is the size of a key in bytes.
	KeySize = saturnin.KeySize

	// NonceSize is the size in bytes of a nonce of NewCTRCascade and NewShort.
	NonceSize = 16

	// Overhead is how many bytes longer than its message a ciphertext of
	// NewCTRCascade is. Of NewShort it is the size of every ciphertext.
	Overhead = 32

	// MaxShortMessage is the size in bytes of the longest message of NewShort.
	MaxShortMessage = 15
)

// KeySizeError is returned for a key of another size than KeySize.
type KeySizeError int

func (n KeySizeError) Error() string {
	return "saturnin: invalid key size " + strconv.Itoa(int(n))
}

var errOpen = errors.New("saturnin: message authentication failed")

var params = authenc.Params{Name: "saturnin", NonceSize: NonceSize, Overhead: Overhead, Err: errOpen}

// NewCTRCascade returns CTR-Cascade with nonces of NonceSize bytes and tags of
// Overhead bytes. The key must have KeySize bytes.
func NewCTRCascade(key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	return authenc.New(&params, newCascade(key)), nil
}

// NewCTRCascadeWithSizes is NewCTRCascade with nonces of 1 to 20 bytes, and tags
// cut to their first 16 to 32 bytes. Nonces of different sizes never collide, but
// a tag of one size contains that of a smaller one: keep to one per key.
func NewCTRCascadeWithSizes(key []byte, nonceSize, tagSize int) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	if nonceSize < 1 || nonceSize > maxNonceSize {
		return nil, errors.New("saturnin: nonce size must be 1 to 20")
	}
	if tagSize < 16 || tagSize > Overhead {
		return nil, errors.New("saturnin: tag size must be 16 to 32")
	}
	p := params
	p.NonceSize, p.Overhead = nonceSize, tagSize
	return authenc.New(&p, newCascade(key)), nil
}

// NewShort returns Short. The key must have KeySize bytes. Seal panics if the
// message has more than MaxShortMessage bytes or if there is additional data. A
// ciphertext has Overhead bytes, whatever the length of its message.
func NewShort(key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	return &short{saturnin.NewCipher(domainShort, key)}, nil
}
