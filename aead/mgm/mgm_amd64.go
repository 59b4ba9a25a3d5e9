//go:build amd64 && gc && !purego

package mgm

import (
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./mgm -out ../aead/mgm/mgm_amd64.s -stubs ../aead/mgm/mgm_amd64_stubs.go -pkg mgm

var (
	useAVX512 = cpu.AVX512
	useAVX2   = cpu.AVX2
)

func init() {
	impl.Register("mgm", impl.AVX512, &useAVX512)
	impl.Register("mgm", impl.AVX2, &useAVX2)
}

// stride returns how many bytes are multiplied at once, 0 for the generic code.
func stride() int {
	switch {
	case useAVX512:
		return 64
	case useAVX2:
		return 16
	}
	return 0
}

func (s *product) add64(h, p []byte) {
	n := len(p)
	if n == 0 {
		return
	}
	switch stride() {
	case 64:
		add64AVX512(&s.low, &h[:n][0], &p[0], n)
	case 16:
		add64AVX2(&s.low, &h[:n][0], &p[0], n)
	default:
		s.add64Generic(h, p)
	}
}

func (s *product) add128(h, p []byte) {
	n := len(p)
	if n == 0 {
		return
	}
	switch stride() {
	case 64:
		add128AVX512(&s.low, &s.high, &s.mixed, &h[:n][0], &p[0], n)
	case 16:
		add128AVX2(&s.low, &s.high, &s.mixed, &h[:n][0], &p[0], n)
	default:
		s.add128Generic(h, p)
	}
}
