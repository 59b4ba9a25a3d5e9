//go:build amd64 && gc && !purego

package chaskey

import (
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./chaskey -out ../internal/chaskey/chaskey_amd64.s -stubs ../internal/chaskey/chaskey_amd64_stubs.go -pkg chaskey

var (
	useAVX512 = cpu.AVX512
	useAVX2   = cpu.AVX2
)

func init() {
	impl.Register("chaskey", impl.AVX512, &useAVX512)
	impl.Register("chaskey", impl.AVX2, &useAVX2)
}

// longestRun is how many blocks a kernel makes at most in one call: the scheduler
// and the garbage collector cannot interrupt assembly.
const longestRun = 1024

// batchFor returns how many blocks a kernel should make at once when n are left,
// 0 for the generic code. Each takes its time for a whole batch, even for a part.
func batchFor(n int) int {
	switch {
	case useAVX512 && n >= 64:
		return 64
	case useAVX512 && n > 8:
		return 16
	case useAVX512 && n > 1:
		return 4
	case !useAVX512 && useAVX2 && n > 2:
		return 16
	}
	return 0
}

func encryptBlocks(k *Kernel, dst, src []byte) { cryptBlocks(k, dst, src, encrypt) }

func decryptBlocks(k *Kernel, dst, src []byte) { cryptBlocks(k, dst, src, decrypt) }

type direction bool

const (
	encrypt direction = false
	decrypt direction = true
)

func cryptBlocks(k *Kernel, dst, src []byte, dir direction) {
	for len(src) > 0 {
		n := len(src) / Size
		batch := batchFor(n)
		switch {
		case batch == 0 && dir == encrypt:
			encryptBlocksGeneric(k, dst, src)
			return
		case batch == 0:
			decryptBlocksGeneric(k, dst, src)
			return
		case batch > n:
			// What else is in the batch goes through the rounds and is not used.
			var buf [16 * Size]byte
			copy(buf[:], src)
			cryptBatches(k, &buf[0], &buf[0], batch, 1, dir)
			copy(dst, buf[:])
			return
		}
		n = min(n, longestRun) / batch
		cryptBatches(k, &dst[0], &src[0], batch, n, dir)
		dst, src = dst[n*batch*Size:], src[n*batch*Size:]
	}
}

// cryptBatches makes n batches of a size that batchFor returns.
func cryptBatches(k *Kernel, dst, src *byte, batch, n int, dir direction) {
	switch {
	case batch == 64 && dir == encrypt:
		encrypt64AVX512(&k.words, dst, src, n, k.rounds)
	case batch == 64:
		decrypt64AVX512(&k.words, dst, src, n, k.rounds)
	case batch == 4 && dir == encrypt:
		encrypt4AVX512(&k.words, dst, src, n, k.rounds)
	case batch == 4:
		decrypt4AVX512(&k.words, dst, src, n, k.rounds)
	case useAVX512 && dir == encrypt:
		encrypt16AVX512(&k.words, dst, src, n, k.rounds)
	case useAVX512:
		decrypt16AVX512(&k.words, dst, src, n, k.rounds)
	case dir == encrypt:
		encrypt16AVX2(&k.words, dst, src, n, k.rounds)
	default:
		decrypt16AVX2(&k.words, dst, src, n, k.rounds)
	}
}
