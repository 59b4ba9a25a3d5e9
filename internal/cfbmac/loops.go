package cfbmac

import (
	"encoding/binary"

	"xcipher/internal/batch"
)

// macEncrypter is implemented by a batch.Kernel with blocks of 16 bytes and a fast
// path for both chains at once.
type macEncrypter interface {
	// EncryptMAC is the loop of Message.Encrypt: for every block of src it sets
	// st[:16] = E(c with the top bit of byte fix set), st[16:] = E(st[16:] ^ c), and
	// c = src ^ st[:16], which is also written to dst.
	EncryptMAC(dst, src []byte, c *[16]byte, st *[32]byte, fix int)
}

// cfbDecrypter is implemented by a batch.Kernel with blocks of 16 bytes that makes
// the inputs of CFB decryption itself.
type cfbDecrypter interface {
	// DecryptCFB is the loop of Message.Decrypt: for every block of src it sets the
	// block of dst to src ^ E(x). x is first, and after that the block of src before,
	// with the top bit of byte fix set.
	DecryptCFB(dst, src []byte, first *[16]byte, fix int)
}

// macEncrypterOf returns k's own method, or one that gives k two blocks at a time.
func macEncrypterOf(k batch.Kernel) macEncrypter {
	if own, ok := k.(macEncrypter); ok {
		return own
	}
	return &plain{k}
}

// topBits has the top bit of byte fix of each block set, in 16 bytes of blocks.
func topBits(size, fix int) (top [2]uint64) {
	for i := fix; i < 16; i += size {
		top[i/8] |= 0x80 << (i % 8 * 8)
	}
	return top
}

// plain is macEncrypter for kernels that are not. The ciphertext is held in two
// words, as moving it by bytes takes a third of the time.
type plain struct{ k batch.Kernel }

func (p *plain) EncryptMAC(dst, src []byte, c *[16]byte, st *[32]byte, fix int) {
	le := binary.LittleEndian
	c0, c1 := le.Uint64(c[0:]), le.Uint64(c[8:])
	top := topBits(16, fix)
	for len(src) >= 16 && len(dst) >= 16 {
		le.PutUint64(st[0:], c0|top[0])
		le.PutUint64(st[8:], c1|top[1])
		le.PutUint64(st[16:], le.Uint64(st[16:])^c0)
		le.PutUint64(st[24:], le.Uint64(st[24:])^c1)
		p.k.EncryptBlocks(st[:], st[:])
		c0 = le.Uint64(src[0:]) ^ le.Uint64(st[0:])
		c1 = le.Uint64(src[8:]) ^ le.Uint64(st[8:])
		le.PutUint64(dst[0:], c0)
		le.PutUint64(dst[8:], c1)
		dst, src = dst[16:], src[16:]
	}
	le.PutUint64(c[0:], c0)
	le.PutUint64(c[8:], c1)
}
