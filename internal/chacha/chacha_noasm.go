//go:build !(amd64 && gc && !purego)

package chacha

import "crypto/subtle"

func blockAndXOR(first *[BlockSize]byte, dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	s.Block(first, rounds)
	xorKeyStream(dst, src, s, rounds, last)
}

func xor(dst, src, key []byte) { subtle.XORBytes(dst, src, key) }
