//go:build amd64 && gc && !purego

package streebog

import (
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./streebog -out ../hash/streebog/streebog_amd64.s -stubs ../hash/streebog/streebog_amd64_stubs.go -pkg streebog

var (
	useAVX512   = cpu.AVX512
	useAVX2GFNI = cpu.AVX2GFNI
	useAVX2     = cpu.AVX2
)

func init() {
	impl.Register("streebog", impl.AVX512, &useAVX512)
	impl.Register("streebog", impl.AVX2GFNI, &useAVX2GFNI)
	impl.Register("streebog", impl.AVX2, &useAVX2)
}

// longestRun is how many bytes a kernel takes at most in one call: the scheduler and
// the collector have to wait while assembly runs.
const longestRun = 64 << 10

// blocks is stage 2. p is a number of whole blocks.
func blocks(s *state, p []byte) {
	for len(p) > longestRun {
		blocks(s, p[:longestRun])
		p = p[longestRun:]
	}
	if len(p) == 0 {
		return // the kernels want one block at least
	}
	switch n := len(p) / BlockSize; kernel() {
	case avx512:
		blocksAVX512(&s.h, &s.n, &s.sigma, &p[0], n)
	case avx2GFNI:
		blocksAVX2GFNI(&s.h, &s.n, &s.sigma, &p[0], n)
	case avx2:
		blocksAVX2(&s.h, &s.n, &s.sigma, &p[0], n)
	default:
		blocksGeneric(s, p)
	}
}

// last is stage 3. tail has less than a block.
func last(s *state, tail []byte) {
	var block [BlockSize]byte
	block[copy(block[:], tail)] = 1
	switch bits := 8 * len(tail); kernel() {
	case avx512:
		lastAVX512(&s.h, &s.n, &s.sigma, &block, bits)
	case avx2GFNI:
		lastAVX2GFNI(&s.h, &s.n, &s.sigma, &block, bits)
	case avx2:
		lastAVX2(&s.h, &s.n, &s.sigma, &block, bits)
	default:
		lastGeneric(s, tail)
	}
}

// The kernels.
const (
	generic = iota
	avx2
	avx2GFNI
	avx512
)

// kernel returns the fastest that is on.
func kernel() int {
	switch {
	case useAVX512:
		return avx512
	case useAVX2GFNI:
		return avx2GFNI
	case useAVX2:
		return avx2
	}
	return generic
}
