//go:build amd64 && gc && !purego

package chaskey

import "crypto/subtle"

// decryptCBC takes two passes over a part of a batch.
func decryptCBC(k *Kernel, dst, src, st []byte) {
	for len(src) > 0 {
		n := len(src) / Size
		batch := batchFor(n)
		switch {
		case batch == 0:
			decryptCBCGeneric(k, dst, src, st)
			return
		case batch > n || batch == 4:
			// The ciphertext is kept aside, as dst may be src.
			var before [17 * Size]byte
			copy(before[:], st)
			n = copy(before[Size:], src)
			cryptBlocks(k, dst, src, decrypt)
			subtle.XORBytes(dst, dst, before[:n])
			copy(st, before[n:])
			return
		}
		before := [Size]byte(st)
		batches := min(n, longestRun) / batch
		n = batches * batch * Size
		copy(st, src[n-Size:n])
		switch {
		case batch == 64:
			decryptCBC64AVX512(&k.words, &before, &dst[0], &src[0], batches, k.rounds)
		case useAVX512:
			decryptCBC16AVX512(&k.words, &before, &dst[0], &src[0], batches, k.rounds)
		default:
			decryptCBC16AVX2(&k.words, &before, &dst[0], &src[0], batches, k.rounds)
		}
		dst, src = dst[n:], src[n:]
	}
}
