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

// pickMULX is for messages too short for the others: their blocks one by one, but in
// one call. The tiers of vectors have the instruction.
func pickMULX(aad, text int) bool {
	const most = (leastAVX512 - 1) * BlockSize
	return useAVX2 && aad <= most && text <= most
}

func sum(tag *[TagSize]byte, key *[KeySize]byte, aad, text []byte) {
	switch {
	case pickMULX(len(aad), len(text)):
		sumMULX(tag, key, aad, text)
	case useAVX2:
		var m State
		m.Init(key)
		m.Padded(aad)
		whole := len(text) &^ (BlockSize - 1)
		m.Blocks(text[:whole])
		tailMULX(tag, key, &m.h, text[whole:], uint64(len(aad)), uint64(len(text)))
	default:
		sumInParts(tag, key, aad, text)
	}
}

// Powers are the powers of the multiplier that the AVX-512 kernel takes.
type Powers = [33]uint64

// TakesPowers tells whether SumWithPowers can be called.
func TakesPowers() bool { return useAVX512 }

// SumWithPowers is Sum for a text of 8 blocks or more, if the powers are known.
func SumWithPowers(tag *[TagSize]byte, key *[KeySize]byte, powers *Powers, aad, text []byte) {
	var m State
	if len(aad) > 0 {
		m.Init(key)
		m.Padded(aad)
	}
	whole := len(text) &^ (BlockSize - 1)
	blocksWithPowers(&m, powers, text[:whole])
	tailMULX(tag, key, &m.h, text[whole:], uint64(len(aad)), uint64(len(text)))
}

func pickAVX512(blocks int) bool { return useAVX512 && blocks >= leastAVX512 }
func pickAVX2(blocks int) bool   { return useAVX2 && blocks >= leastAVX2 }

func blocks(m *State, p []byte) {
	n := len(p) / BlockSize
	switch {
	case pickAVX512(n):
		var powers Powers
		powersMULX(&powers, &m.r)
		blocksWithPowers(m, &powers, p)
	case pickAVX2(n):
		whole := n / 4 * (4 * BlockSize) // the kernel takes blocks in fours
		blocksGeneric(m, p[:len(p)-whole])
		for p = p[len(p)-whole:]; len(p) >= 2*longestRun; p = p[longestRun:] {
			blocksAVX2(&m.h, &m.r, p[:longestRun])
		}
		blocksAVX2(&m.h, &m.r, p)
	default:
		blocksGeneric(m, p)
	}
}

// longestRun is how many bytes a kernel takes in one call, before what is less than
// twice as long: the scheduler and the collector have to wait while assembly runs.
const longestRun = 64 << 10

// blocksWithPowers takes 8 blocks or more.
func blocksWithPowers(m *State, powers *Powers, p []byte) {
	for ; len(p) >= 2*longestRun; p = p[longestRun:] {
		blocksAVX512(&m.h, powers, p[:longestRun])
	}
	blocksAVX512(&m.h, powers, p)
}
