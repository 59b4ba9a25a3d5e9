//go:build !((amd64 || arm64 || loong64 || ppc64 || ppc64le || s390x) && gc && !purego)

package chacha

func xorKeyStream(dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	xorKeyStreamGeneric(dst, src, s, rounds, last)
}
