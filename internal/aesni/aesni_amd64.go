//go:build amd64 && gc && !purego

package aesni

import (
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./aesni -out ../internal/aesni/aesni_amd64.s -stubs ../internal/aesni/aesni_amd64_stubs.go -pkg aesni

var (
	useAVX512 = cpu.AVX512
	useAVX2   = cpu.AVX2 // the AES instructions are part of this tier
)

func init() {
	impl.Register("aesni", impl.AVX512, &useAVX512)
	impl.Register("aesni", impl.AVX2, &useAVX2)
}

// kernel is AES by instructions: a batch.Kernel and batch.Chain, with the inner loops
// of package cfbmac. Made where there are AES instructions, it uses them whatever the
// switches say then.
type kernel struct {
	keys [11 * BlockSize]byte // w[0:44] of FIPS 197, section 5.2
}

func newKernel(key []byte) *kernel {
	k := new(kernel)
	expandAVX2(&k.keys, &key[0])
	return k
}

// BlockSize returns the block size in bytes.
func (k *kernel) BlockSize() int { return BlockSize }

// wide is the least number of blocks that the kernel for AVX-512 takes.
const wide = 4

func pickAVX512(blocks int) bool { return useAVX512 && blocks >= wide }

// EncryptBlocks encrypts whole blocks, each on its own.
func (k *kernel) EncryptBlocks(dst, src []byte) {
	n := len(src) / BlockSize
	if pickAVX512(n) {
		encryptAVX512(&k.keys, &dst[0], &src[0], n)
		done := n / wide * wide * BlockSize
		dst, src, n = dst[done:], src[done:], n%wide
	}
	if n > 0 {
		encryptAVX2(&k.keys, &dst[0], &src[0], n)
	}
}

// DecryptBlocks decrypts whole blocks, each on its own.
func (k *kernel) DecryptBlocks(dst, src []byte) {
	if n := len(src) / BlockSize; n > 0 {
		decryptAVX2(&k.keys, &dst[0], &src[0], n)
	}
}

// Chain encrypts st ^ block into st for every block of src, and writes each st to dst
// unless that is nil.
func (k *kernel) Chain(dst, src, st []byte) {
	n := len(src) / BlockSize
	if n == 0 {
		return
	}
	to, step := &st[0], 0
	if dst != nil {
		to, step = &dst[0], BlockSize
	}
	chainAVX2(&k.keys, to, &src[0], &st[0], step, n)
}

// EncryptMAC is the inner loop of CLOC and SILC: for every block of src it sets
// st[:16] = E(c with the top bit of byte fix set), st[16:] = E(st[16:] ^ c), and c =
// src ^ st[:16], which is also written to dst.
func (k *kernel) EncryptMAC(dst, src []byte, c *[16]byte, st *[32]byte, fix int) {
	n := len(src) / BlockSize
	switch {
	case n == 0:
	case useAVX512:
		encryptMACAVX512(&k.keys, &dst[0], &src[0], c, st, fix, n)
	default:
		encryptMACAVX2(&k.keys, &dst[0], &src[0], c, st, fix, n)
	}
}

// DecryptCFB is the inner loop of CLOC and SILC for opening: for every block of src
// it sets the block of dst to src ^ E(x). x is first, and after that the block of src
// before, with the top bit of byte fix set.
func (k *kernel) DecryptCFB(dst, src []byte, first *[16]byte, fix int) {
	n := len(src) / BlockSize
	switch {
	case n == 0:
	case pickAVX512(n - 1):
		decryptCFBAVX512(&k.keys, &dst[0], &src[0], first, fix, n)
	default:
		decryptCFBAVX2(&k.keys, &dst[0], &src[0], first, fix, n)
	}
}
