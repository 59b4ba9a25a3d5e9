//go:build amd64 && gc && !purego

package chacha

import "crypto/subtle"

// HeadSize is how many bytes of text Head takes at most.
const HeadSize = 16 * BlockSize

// TakesHead tells whether Head can be called.
func TakesHead() bool { return useAVX512 }

// Head is BlockAndXOR for the beginning of a message of ChaCha20-Poly1305: it sets
// key to the one-time key, which is half a block, and powers to what package poly1305
// computes from that before a long text. All of it takes hardly more time than the
// key stream.
func (s *State) Head(key *[KeySize]byte, powers *[33]uint64, dst, src []byte, rounds int) {
	whole := len(src) &^ (BlockSize - 1)
	blocks := whole / BlockSize
	var buf [BlockSize]byte
	var last *[BlockSize]byte
	if whole < len(src) {
		last = &buf
		blocks++
	}
	state := (*[16]uint32)(s)
	if blocks <= 8 {
		head8AVX512(key, powers, dst[:whole], src[:whole], state, rounds, last)
	} else {
		head16AVX512(key, powers, dst[:whole], src[:whole], state, rounds, last)
	}
	if last != nil {
		subtle.XORBytes(dst[whole:], src[whole:], buf[:])
	}
	s.skip(1 + uint64(blocks))
}

func xor(dst, src, key []byte) {
	blocks := len(src) / BlockSize
	if !useAVX512 || blocks == 0 {
		subtle.XORBytes(dst, src, key)
		return
	}
	xorAVX512(&dst[0], &src[0], &key[0], blocks)
	if whole := blocks * BlockSize; whole < len(src) {
		subtle.XORBytes(dst[whole:], src[whole:], key[whole:])
	}
}

// skip moves the counter on.
func (s *State) skip(blocks uint64) {
	counter := uint64(s[12]) | uint64(s[13])<<32
	counter += blocks
	s[12], s[13] = uint32(counter), uint32(counter>>32)
}
