//go:build !((amd64 || arm64 || loong64 || ppc64 || ppc64le || s390x) && gc && !purego)

package chacha

import "crypto/subtle"

func xorKeyStream(dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	xorKeyStreamGeneric(dst, src, s, rounds, last)
}

func blockAndXOR(first *[BlockSize]byte, dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	s.Block(first, rounds)
	xorKeyStream(dst, src, s, rounds, last)
}

func xor(dst, src, key []byte) { subtle.XORBytes(dst, src, key) }
