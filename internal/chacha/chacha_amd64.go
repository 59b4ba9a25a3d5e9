//go:build amd64 && gc && !purego

package chacha

import (
	"crypto/subtle"

	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./chacha -out ../internal/chacha/chacha_amd64.s -stubs ../internal/chacha/chacha_amd64_stubs.go -pkg chacha

var (
	useAVX512 = cpu.AVX512
	useAVX2   = cpu.AVX2
)

func init() {
	impl.Register("chacha", impl.AVX512, &useAVX512)
	impl.Register("chacha", impl.AVX2, &useAVX2)
}

// kernel is a way to make blocks. The names say how many at a time.
type kernel int

const (
	kernelGeneric kernel = iota
	kernelHorizontal4AVX2
	kernelHorizontal5AVX2
	kernelVertical8AVX2
	kernelHorizontal2AVX512
	kernelHorizontal4AVX512
	kernelHorizontal5AVX512
	kernelHorizontal6AVX512
	kernelHorizontal8AVX512
	kernelVertical16AVX512
	kernelVertical32AVX512
)

// longestRun is how many blocks a kernel makes at most in one call: the scheduler
// and the garbage collector cannot interrupt assembly.
const longestRun = 1024

// mostHorizontal is up to how many blocks AVX-512 has a horizontal kernel.
const mostHorizontal = 8

// choose returns the kernel that comes first if a number of blocks is to be made,
// and how many of them it makes. A batch takes as long if it is not full. In the
// tier of AVX2, one block is made as fast by general registers as four by vectors.
//
// If the first block goes elsewhere than the others, some kernels make it beside
// their batch, in general registers, and in hardly more time.
func choose(blocks int, apart bool) (k kernel, n int) {
	switch {
	case !useAVX2 || !useAVX512 && blocks == 1:
		return kernelGeneric, blocks
	case useAVX512 && blocks <= mostHorizontal:
		return horizontalAVX512(blocks, apart), blocks
	case useAVX512 && blocks <= 24:
		return kernelVertical16AVX512, min(blocks, 16)
	case useAVX512:
		return kernelVertical32AVX512, min(blocks, (blocks+7)&^31, longestRun)
	case blocks <= 4:
		return kernelHorizontal4AVX2, blocks
	case blocks == 5 && apart:
		return kernelHorizontal5AVX2, blocks
	case apart:
		k, n = choose(blocks-1, false)
		return k, 1 + n
	}
	return kernelVertical8AVX2, min(blocks, (blocks+3)&^7, longestRun)
}

// horizontalAVX512 is choose for AVX-512 and 1 to mostHorizontal blocks.
func horizontalAVX512(blocks int, apart bool) kernel {
	switch {
	case blocks <= 2:
		return kernelHorizontal2AVX512
	case blocks <= 4:
		return kernelHorizontal4AVX512
	case blocks == 5 && apart:
		return kernelHorizontal5AVX512
	case blocks <= 6:
		return kernelHorizontal6AVX512
	}
	return kernelHorizontal8AVX512
}

func xorKeyStream(dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	blockAndXOR(nil, dst, src, s, rounds, last)
}

// blockAndXOR is State.BlockAndXOR, or xorKeyStream if first is nil. Blocks before,
// in and at the end of src are made in the same batches.
func blockAndXOR(first *[BlockSize]byte, dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	blocks := len(src) / BlockSize
	dstTail, srcTail := dst[blocks*BlockSize:], src[blocks*BlockSize:]
	dst, src = dst[:blocks*BlockSize], src[:blocks*BlockSize]
	if first != nil {
		blocks++
	}
	if len(srcTail) > 0 {
		blocks++
	} else {
		last = nil
	}
	// The kernels of AVX-512 for few blocks are called from here, not through run: what
	// is short feels each call on the way.
	for blocks > mostHorizontal || blocks > 0 && !useAVX512 {
		k, n := choose(blocks, first != nil)
		if n == blocks {
			k.run(first, dst, src, s, rounds, last)
			blocks = 0
			break
		}
		size := n * BlockSize
		if first != nil {
			size -= BlockSize
		}
		k.run(first, dst[:size], src[:size], s, rounds, nil)
		first, dst, src = nil, dst[size:], src[size:]
		blocks -= n
	}
	if blocks > 0 {
		state := (*[16]uint32)(s)
		switch horizontalAVX512(blocks, first != nil) {
		case kernelHorizontal2AVX512:
			horizontal2AVX512(first, dst, src, state, rounds, last)
		case kernelHorizontal4AVX512:
			horizontal4AVX512(first, dst, src, state, rounds, last)
		case kernelHorizontal5AVX512:
			horizontal5AVX512(first, dst, src, state, rounds, last)
		case kernelHorizontal6AVX512:
			horizontal6AVX512(first, dst, src, state, rounds, last)
		default:
			horizontal8AVX512(first, dst, src, state, rounds, last)
		}
		s.skip(uint64(blocks))
	}
	if last != nil {
		subtle.XORBytes(dstTail, srcTail, last[:])
	}
}

// run makes one block to first, whole blocks XORed from src to dst, and one to
// last. first and last may be nil.
func (k kernel) run(first *[BlockSize]byte, dst, src []byte, s *State, rounds int, last *[BlockSize]byte) {
	state, blocks := (*[16]uint32)(s), len(src)/BlockSize
	if first != nil {
		blocks++
	}
	if last != nil {
		blocks++
	}
	switch k {
	case kernelHorizontal4AVX2:
		horizontal4AVX2(first, dst, src, state, rounds, last)
	case kernelHorizontal5AVX2:
		horizontal5AVX2(first, dst, src, state, rounds, last)
	case kernelVertical8AVX2:
		vertical8AVX2(first, dst, src, state, rounds, last)
	case kernelVertical16AVX512:
		vertical16AVX512(first, dst, src, state, rounds, last)
	case kernelVertical32AVX512:
		vertical32AVX512(first, dst, src, state, rounds, last)
	default:
		if first != nil {
			*first = [BlockSize]byte{}
			xorBlocksGeneric(first[:], first[:], s, rounds)
		}
		xorBlocksGeneric(dst, src, s, rounds)
		if last != nil {
			*last = [BlockSize]byte{}
			xorBlocksGeneric(last[:], last[:], s, rounds)
		}
		return
	}
	s.skip(uint64(blocks))
}
