//go:build (arm64 || loong64 || ppc64 || ppc64le || s390x) && gc && !purego

package chacha

import (
	"encoding/binary"

	"golang.org/x/crypto/chacha20"
)

// xcryptoBatch is how many bytes x/crypto's assembly makes at a time.
const xcryptoBatch = 256

// xorKeyStream leaves long runs of 20 rounds to golang.org/x/crypto/chacha20,
// which has assembly for these architectures. What it cannot make is done here:
// other numbers of rounds, and a counter above 32 bits, which is split into runs
// that share the high half.
func xorKeyStream(dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	for rounds == 20 && len(src) >= xcryptoBatch {
		run := len(src) &^ (xcryptoBatch - 1)
		if left := 1<<32 - uint64(s[12]); uint64(run/BlockSize) > left {
			run = int(left) * BlockSize
		}
		xorXCrypto(dst[:run], src[:run], s)
		dst, src = dst[run:], src[run:]
	}
	xorKeyStreamGeneric(dst, src, s, rounds, last)
}

// xorXCrypto XORs whole blocks that share the high half of the counter, which
// x/crypto takes for the start of a 12-byte nonce.
func xorXCrypto(dst, src []byte, s *State) {
	var key [chacha20.KeySize]byte
	for i, w := range s[4:12] {
		binary.LittleEndian.PutUint32(key[4*i:], w)
	}
	var nonce [chacha20.NonceSize]byte
	for i, w := range s[13:16] {
		binary.LittleEndian.PutUint32(nonce[4*i:], w)
	}
	c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:])
	if err != nil {
		panic("chacha: " + err.Error()) // key and nonce have the right sizes
	}
	c.SetCounter(s[12])
	c.XORKeyStream(dst, src)
	counter := uint64(s[12]) | uint64(s[13])<<32
	counter += uint64(len(src) / BlockSize)
	s[12], s[13] = uint32(counter), uint32(counter>>32)
}
