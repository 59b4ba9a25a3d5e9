//go:build amd64 && gc && !purego

package poly1305

import (
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./poly1305 -out ../internal/poly1305/poly1305_amd64.s -stubs ../internal/poly1305/poly1305_amd64_stubs.go -pkg poly1305

var (
	useAVX512 = cpu.AVX512
	useAVX2   = cpu.AVX2
)

func init() {
	impl.Register("poly1305", impl.AVX512, &useAVX512)
	impl.Register("poly1305", impl.AVX2, &useAVX2)
}

// The least numbers of blocks for which the powers of r, which a kernel begins
// with, pay. Measured on AMD's Zen 4.
const (
	leastAVX512 = 24
	leastAVX2   = 24
)

func pickAVX512(blocks int) bool { return useAVX512 && blocks >= leastAVX512 }
func pickAVX2(blocks int) bool   { return useAVX2 && blocks >= leastAVX2 }

func blocks(m *State, p []byte) {
	n := len(p) / BlockSize
	switch {
	case pickAVX512(n):
		blocksAVX512(&m.h, &m.r, p)
	case pickAVX2(n):
		whole := n / 4 * (4 * BlockSize) // the kernel takes blocks in fours
		blocksGeneric(m, p[:len(p)-whole])
		blocksAVX2(&m.h, &m.r, p[len(p)-whole:])
	default:
		blocksGeneric(m, p)
	}
}
