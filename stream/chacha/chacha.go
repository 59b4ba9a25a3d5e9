// Package chacha implements the ChaCha20, ChaCha12 and ChaCha8 stream ciphers
// (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008; RFC 8439, 2018) and
// XChaCha over each of them (draft-irtf-cfrg-xchacha-03, 2020).
//
// Keys have 32 bytes. The size of the nonce picks the form:
//
//	 8 bytes  Bernstein's original, up to 2^64 blocks of 64 bytes per nonce
//	12 bytes  RFC 8439, up to 2^32 blocks (256 GiB) per nonce
//	24 bytes  XChaCha, up to 2^64 blocks per nonce
//
// A key must never be used twice with the same nonce: the XOR of the two
// ciphertexts is that of the plaintexts. Nonces of 8 and 12 bytes should be
// counted, as random ones soon repeat; 24 bytes may be random. Nor may a key serve
// two forms: from key stream of the first two, an attacker computes subkeys of
// XChaCha. XORKeyStream panics rather than go beyond the last block.
//
// 20 rounds are the standard. 12 and 8 are faster and leave a smaller margin
// against future attacks. The number of rounds also holds for the HChaCha step of
// XChaCha, as in Linux, Adiantum and the RustCrypto crates.
//
// Stream ciphers hide data but do not protect it: whoever can change the
// ciphertext changes the plaintext at will. Use package aead/chachapoly unless
// another mechanism authenticates the data.
//
// The implementation is constant-time. A stream is not safe for concurrent use.
package chacha

import (
	"crypto/cipher"
	"fmt"
	"math"
	"strconv"

	"xcipher/internal/chacha"
	"xcipher/internal/keystream"
)

const (
	KeySize    = chacha.KeySize   // size of a key in bytes
	NonceSize  = 12               // size of an RFC 8439 nonce in bytes
	NonceSizeX = 24               // size of an XChaCha nonce in bytes
	BlockSize  = chacha.BlockSize // bytes of key stream per step of the counter
)

const nonceSize64 = 8 // bytes, of the original form with its counter of 64 bits

// KeySizeError is returned for a key that does not have KeySize bytes.
type KeySizeError int

// Error implements error.
func (k KeySizeError) Error() string {
	return "chacha: invalid key size " + strconv.Itoa(int(k))
}

// New20 returns the ChaCha20 key stream of a 32-byte key and a nonce of 8, 12 or
// 24 bytes.
func New20(key, nonce []byte) (s cipher.Stream, err error) {
	// Inlined, the stream may live on the caller's stack. The inliner has just room
	// for this form of the body, here and below.
	c := new(stream)
	if err = c.init(20, key, nonce, 0); err == nil {
		s = c
	}
	return
}

// New12 is New20 with 12 rounds.
func New12(key, nonce []byte) (s cipher.Stream, err error) {
	c := new(stream)
	if err = c.init(12, key, nonce, 0); err == nil {
		s = c
	}
	return
}

// New8 is New20 with 8 rounds.
func New8(key, nonce []byte) (s cipher.Stream, err error) {
	c := new(stream)
	if err = c.init(8, key, nonce, 0); err == nil {
		s = c
	}
	return
}

// NewWithCounter returns the key stream from block number counter on, with 8, 12
// or 20 rounds: byte 64*counter of the other constructors' streams comes first.
// With a 12-byte nonce, counter must be below 2^32.
func NewWithCounter(rounds int, key, nonce []byte, counter uint64) (s cipher.Stream, err error) {
	c := new(stream)
	if err = c.init(rounds, key, nonce, counter); err == nil {
		s = c
	}
	return
}

type stream struct {
	state  chacha.State
	buf    keystream.Buf
	left   uint64 // blocks that the nonce may still be used for
	rounds uint8
}

// init is not inlined, so that the constructors are.
//
//go:noinline
func (s *stream) init(rounds int, key, nonce []byte, counter uint64) error {
	if err := check(rounds, key); err != nil {
		return err
	}
	switch len(nonce) {
	case nonceSize64, NonceSizeX:
		// 2^64 does not fit: from block 0 on, a stream lacks the very last block,
		// 2^70 bytes away.
		s.left = math.MaxUint64
		if counter > 0 {
			s.left = -counter
		}
	case NonceSize:
		if counter > math.MaxUint32 {
			return fmt.Errorf("chacha: invalid counter %d, want 0 to %d with a %d-byte nonce", counter, uint32(math.MaxUint32), NonceSize)
		}
		s.left = 1<<32 - counter
	default:
		return fmt.Errorf("chacha: invalid nonce size %d, want %d, %d or %d", len(nonce), nonceSize64, NonceSize, NonceSizeX)
	}
	s.rounds = uint8(rounds)
	s.state.Init(key, nonce, counter, rounds)
	return nil
}

func check(rounds int, key []byte) error {
	if rounds != 8 && rounds != 12 && rounds != 20 {
		return fmt.Errorf("chacha: invalid number of rounds %d, want 8, 12 or 20", rounds)
	}
	if len(key) != KeySize {
		return KeySizeError(len(key))
	}
	return nil
}

// XORKeyStream implements cipher.Stream.
func (s *stream) XORKeyStream(dst, src []byte) {
	if dst, src = s.buf.Begin("chacha", BlockSize, s.left, dst, src); len(src) > 0 {
		s.left -= (uint64(len(src)) + BlockSize - 1) / BlockSize
		s.state.XORKeyStream(dst, src, int(s.rounds), &s.buf.Last)
	}
}

// HChaCha derives a 32-byte key from a 32-byte key and 16 bytes of nonce, with 8,
// 12 or 20 rounds (draft-irtf-cfrg-xchacha-03, section 2.2, where it has 20). It
// is the first step of XChaCha: a 24-byte nonce gives the stream of the key
// HChaCha(rounds, key, nonce[:16]) and the 8-byte nonce nonce[16:]. A key for
// HChaCha must not be a key of New20, New12 or New8 with shorter nonces too.
//
// The Go package github.com/aead/chacha20 keeps 20 rounds in this step whatever
// the stream has. To read its XChaCha12 and XChaCha8 streams, write
//
//	subkey, err := chacha.HChaCha(20, key, nonce[:16])
//	stream, err := chacha.New12(subkey, nonce[16:]) // or New8
func HChaCha(rounds int, key, nonce16 []byte) ([]byte, error) {
	// Inlined, so that the caller decides where the array lives.
	return hChaCha(new([KeySize]byte), rounds, key, nonce16)
}

func hChaCha(out *[KeySize]byte, rounds int, key, nonce []byte) ([]byte, error) {
	if err := check(rounds, key); err != nil {
		return nil, err
	}
	if len(nonce) != chacha.HNonceSize {
		return nil, fmt.Errorf("chacha: invalid HChaCha nonce size %d, want %d", len(nonce), chacha.HNonceSize)
	}
	chacha.HChaCha(out, key, nonce, rounds)
	return out[:], nil
}
