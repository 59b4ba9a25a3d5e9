//go:build amd64 && gc && !purego

package magma

import (
	"encoding/binary"

	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./magma -out ../block/magma/magma_amd64.s -stubs ../block/magma/magma_amd64_stubs.go -pkg magma

var (
	useAVX512 = cpu.AVX512
	useAVX2   = cpu.AVX2
)

func init() {
	impl.Register("magma", impl.AVX512, &useAVX512)
	impl.Register("magma", impl.AVX2, &useAVX2)
}

// batchFor returns how many blocks a kernel should make at once when n are left,
// 0 for the generic code. Each takes its time for a whole batch, even for a part.
func batchFor(n int) int {
	switch {
	case useAVX512 && n > 96:
		return 128
	case useAVX512 && n > 32:
		return 64
	case useAVX512 && n > 16:
		return 32
	case useAVX512:
		return 16
	case useAVX2 && n > 8:
		return 32
	case useAVX2:
		return 8
	}
	return 0
}

// longestRun is how many blocks a kernel makes at most in one call: the scheduler and
// the collector have to wait while assembly runs.
const longestRun = 8 << 10

// turns returns how often a kernel takes K_1 .. K_8 in this order, and how often
// it then takes K_8 .. K_1.
func (dir direction) turns() (up, down int) {
	if dir == decrypt {
		return 1, 3
	}
	return 3, 1
}

// crypt encrypts or decrypts whole blocks.
func crypt(k *keyWords, dst, src []byte, dir direction) {
	if len(src) == BlockSize && useAVX2 {
		var zero [BlockSize]byte
		chainBlocks(k, &dst[0], &src[0], &zero[0], 1, 0, dir)
		return
	}
	for len(src) > 0 {
		n := len(src) / BlockSize
		batch := batchFor(n)
		switch {
		case batch == 0:
			cryptGeneric(k, dst, src, dir)
			return
		case batch > n:
			cryptPart(k, dst, src, dir, batch)
			return
		}
		batches := min(n, longestRun) / batch
		cryptBatches(k, &dst[0], &src[0], dir, batch, batches)
		done := batches * batch * BlockSize
		dst, src = dst[done:], src[done:]
	}
}

// cryptPart makes a part of a batch. What else is in the batch goes through the
// rounds with it and is not used.
func cryptPart(k *keyWords, dst, src []byte, dir direction, batch int) {
	if batch <= 32 {
		var buf [32 * BlockSize]byte
		copy(buf[:], src)
		cryptBatches(k, &buf[0], &buf[0], dir, batch, 1)
		copy(dst, buf[:])
		return
	}
	var buf [128 * BlockSize]byte
	copy(buf[:], src)
	cryptBatches(k, &buf[0], &buf[0], dir, batch, 1)
	copy(dst, buf[:])
}

// cryptBatches makes n batches of a size that batchFor returns.
func cryptBatches(k *keyWords, dst, src *byte, dir direction, batch, n int) {
	up, down := dir.turns()
	switch {
	case batch == 128:
		cryptAVX512x128((*[8]uint32)(k), dst, src, n, up, down)
	case batch == 64:
		cryptAVX512x64((*[8]uint32)(k), dst, src, n, up, down)
	case batch == 32 && useAVX512:
		cryptAVX512x32((*[8]uint32)(k), dst, src, n, up, down)
	case batch == 32:
		cryptAVX2x32((*[8]uint32)(k), dst, src, n, up, down)
	case batch == 16:
		cryptAVX512x16((*[8]uint32)(k), dst, src, n, up, down)
	default:
		cryptAVX2x8((*[8]uint32)(k), dst, src, n, up, down)
	}
}

// counterBlocks XORs the encrypted counter blocks to src, see batch.Counter.
func counterBlocks(k *keyWords, dst, src, ctr []byte, from, to int) {
	if batchFor(len(dst)/BlockSize) == 0 {
		counterGeneric(k, dst, src, ctr, from, to)
		return
	}
	if src == nil {
		clear(dst)
		src = dst
	}
	c := newCounter(ctr, from, to)
	for len(src) > 0 {
		n := len(src) / BlockSize
		batch := batchFor(n)
		if batch > n {
			counterPart(k, dst, src, &c, batch)
			c.next(n)
			break
		}
		n = min(n, longestRun)
		counterBatches(k, &dst[0], &src[0], &c, batch, n/batch)
		n -= n % batch
		c.next(n)
		dst, src = dst[n*BlockSize:], src[n*BlockSize:]
	}
	binary.BigEndian.PutUint64(ctr, c.block)
}

// counterPart makes a part of a batch, like cryptPart.
func counterPart(k *keyWords, dst, src []byte, c *counter, batch int) {
	if batch <= 32 {
		var buf [32 * BlockSize]byte
		copy(buf[:], src)
		counterBatches(k, &buf[0], &buf[0], c, batch, 1)
		copy(dst, buf[:])
		return
	}
	var buf [128 * BlockSize]byte
	copy(buf[:], src)
	counterBatches(k, &buf[0], &buf[0], c, batch, 1)
	copy(dst, buf[:])
}

// counterBatches makes n batches of a size that batchFor returns, and leaves c.
func counterBatches(k *keyWords, dst, src *byte, c *counter, batch, n int) {
	switch {
	case batch == 128:
		counterAVX512x128((*[8]uint32)(k), dst, src, n, c.block, c.field, c.shift)
	case batch == 64:
		counterAVX512x64((*[8]uint32)(k), dst, src, n, c.block, c.field, c.shift)
	case batch == 32 && useAVX512:
		counterAVX512x32((*[8]uint32)(k), dst, src, n, c.block, c.field, c.shift)
	case batch == 32:
		counterAVX2x32((*[8]uint32)(k), dst, src, n, c.block, c.field, c.shift)
	case batch == 16:
		counterAVX512x16((*[8]uint32)(k), dst, src, n, c.block, c.field, c.shift)
	default:
		counterAVX2x8((*[8]uint32)(k), dst, src, n, c.block, c.field, c.shift)
	}
}

// chain is batch.Chain.
func chain(k *keyWords, dst, src, st []byte) {
	if !useAVX2 {
		chainGeneric(k, dst, src, st)
		return
	}
	var last [BlockSize]byte
	to, stride := &last[0], 0
	for len(src) > 0 {
		n := min(len(src), longestRun/8*BlockSize) // one block after the other takes longer
		if dst != nil {
			to, stride = &dst[0], BlockSize
			dst = dst[n:]
		}
		chainBlocks(k, to, &src[0], &st[0], n/BlockSize, stride, encrypt)
		src = src[n:]
	}
}

// chainBlocks makes n results, each stride bytes after the one before. There is
// AVX2 at least.
func chainBlocks(k *keyWords, dst, src, st *byte, n, stride int, dir direction) {
	up, down := dir.turns()
	if useAVX512 {
		chainAVX512((*[8]uint32)(k), dst, src, st, n, stride, up, down)
	} else {
		chainAVX2((*[8]uint32)(k), dst, src, st, n, stride, up, down)
	}
}
