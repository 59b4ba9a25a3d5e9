//go:build amd64 && gc && !purego

package saturnin

import (
	"crypto/subtle"
	"encoding/binary"

	"xcipher/internal/batch"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./saturnin -out ../internal/saturnin/saturnin_amd64.s -stubs ../internal/saturnin/saturnin_amd64_stubs.go -pkg saturnin

var (
	useAVX512 = cpu.AVX512
	useAVX2   = cpu.AVX2
)

func init() {
	impl.Register("saturnin", impl.AVX512, &useAVX512)
	impl.Register("saturnin", impl.AVX2, &useAVX2)
}

// The kernels for many blocks take 32 or 16 of them, and their cost is always that of
// all. From some number of blocks on they are faster than those that take one after
// the other.
const (
	wide, wideMin     = 32, 6
	narrow, narrowMin = 16, 5
)

// longestRun is how many bytes a kernel takes at most in one call: the scheduler and
// the collector have to wait while assembly runs.
const longestRun = 64 << 10

// width returns how many blocks the kernel for n blocks takes; what lacks is padded.
func width(n int) int {
	switch {
	case useAVX512 && n >= wideMin:
		return wide
	case !useAVX512 && n >= narrowMin:
		return narrow
	}
	return 1
}

func (dom *Domain) cascade(t *[KeySize]byte, data []byte, last *Domain, block *[BlockSize]byte) {
	if !useAVX2 {
		dom.cascadeBoth(t, data, last, block)
		return
	}
	for len(data) > longestRun {
		dom.cascade(t, data[:longestRun], nil, nil)
		data = data[longestRun:]
	}
	if last != nil && last.superRounds != dom.superRounds && len(data) > 0 {
		dom.cascade(t, data, nil, nil)
		data = nil
	}
	if len(data) == 0 {
		dom, data, last = last, block[:], nil
	}
	var rcLast *[MaxSuperRounds]columns
	var lastBlock *byte
	if last != nil {
		rcLast, lastBlock = &last.kernel.encrypt, &block[0]
	}
	if useAVX512 {
		cascadeAVX512(t, &dom.kernel.encrypt, &data[0], len(data)/BlockSize, dom.superRounds, rcLast, lastBlock)
	} else {
		cascadeAVX2(t, &dom.kernel.encrypt, &data[0], len(data)/BlockSize, dom.superRounds, rcLast, lastBlock)
	}
}

func (c *Cipher) encryptBlocks(dst, src []byte) {
	if !useAVX2 {
		c.encryptGeneric(dst, src)
		return
	}
	for len(src) > 0 {
		n := len(src)
		switch w := width(n / BlockSize); {
		case w == 1:
			c.encryptOnes(&dst[0], &src[0], n/BlockSize)
		case n < w*BlockSize:
			var buf [wide * BlockSize]byte
			copy(buf[:], src)
			c.encryptBatches(&buf[0], &buf[0], 1)
			copy(dst, buf[:n])
		default:
			batches := min(n, longestRun) / (w * BlockSize)
			n = batches * w * BlockSize
			c.encryptBatches(&dst[0], &src[0], batches)
		}
		dst, src = dst[n:], src[n:]
	}
}

func (c *Cipher) decryptBlocks(dst, src []byte) {
	if !useAVX2 {
		c.decryptGeneric(dst, src)
		return
	}
	for len(src) > 0 {
		n := len(src)
		switch w := width(n / BlockSize); {
		case w == 1:
			c.decryptOnes(&dst[0], &src[0], n/BlockSize)
		case n < w*BlockSize:
			var buf [wide * BlockSize]byte
			copy(buf[:], src)
			c.decryptBatches(&buf[0], &buf[0], 1)
			copy(dst, buf[:n])
		default:
			batches := min(n, longestRun) / (w * BlockSize)
			n = batches * w * BlockSize
			c.decryptBatches(&dst[0], &src[0], batches)
		}
		dst, src = dst[n:], src[n:]
	}
}

func (c *Cipher) encryptOnes(dst, src *byte, n int) {
	if useAVX512 {
		encryptAVX512(&c.kernel.encrypt, &c.domain.kernel.encrypt, dst, src, n, c.domain.superRounds)
	} else {
		encryptAVX2(&c.kernel.encrypt, &c.domain.kernel.encrypt, dst, src, n, c.domain.superRounds)
	}
}

func (c *Cipher) decryptOnes(dst, src *byte, n int) {
	if useAVX512 {
		decryptAVX512(&c.kernel.decrypt, &c.domain.kernel.decrypt, dst, src, n, c.domain.superRounds)
	} else {
		decryptAVX2(&c.kernel.decrypt, &c.domain.kernel.decrypt, dst, src, n, c.domain.superRounds)
	}
}

func (c *Cipher) encryptBatches(dst, src *byte, batches int) {
	rc := &c.domain.kernel.sliced[0]
	if useAVX512 {
		encrypt32AVX512(&c.kernel.wideEncrypt, rc, dst, src, batches, c.domain.superRounds)
	} else {
		encrypt16AVX2(&c.kernel.narrow, rc, dst, src, batches, c.domain.superRounds)
	}
}

func (c *Cipher) decryptBatches(dst, src *byte, batches int) {
	rc := &c.domain.kernel.sliced[c.domain.superRounds-1]
	if useAVX512 {
		decrypt32AVX512(&c.kernel.wideDecrypt, rc, dst, src, batches, c.domain.superRounds)
	} else {
		decrypt16AVX2(&c.kernel.narrow, rc, dst, src, batches, c.domain.superRounds)
	}
}

// xorCounter has the kernel count, if what counts are the last bytes of the block and
// the last two of them do not wrap. That is a branch on the counter, which is public:
// there is no MGM for blocks of 32 bytes.
func (c *Cipher) xorCounter(dst, src, ctr []byte, from, to int) {
	if !useAVX2 {
		c.xorCounterGeneric(dst, src, ctr, from, to)
		return
	}
	if src == nil {
		clear(dst)
		src = dst
	}
	for len(dst) > 0 {
		n := min(len(dst), wide*BlockSize)
		blocks := n / BlockSize
		left := 0
		if to == BlockSize && from <= BlockSize-2 && width(blocks) == wide {
			left = 1<<16 - int(binary.BigEndian.Uint16(ctr[BlockSize-2:]))
		}
		switch {
		case width(blocks) == 1:
			var buf [max(wideMin, narrowMin) * BlockSize]byte
			ks := buf[:n]
			fill(ks, ctr, from, to)
			c.encryptOnes(&ks[0], &ks[0], blocks)
			subtle.XORBytes(dst[:n], src, ks)
		case left < wide:
			var buf [wide * BlockSize]byte
			ks := buf[:n]
			fill(ks, ctr, from, to)
			c.encryptBlocks(ks, ks)
			subtle.XORBytes(dst[:n], src, ks)
		case blocks < wide:
			var buf [wide * BlockSize]byte
			c.counterBatches(&buf[0], &buf[0], ctr, 1)
			advance(ctr[from:], blocks)
			subtle.XORBytes(dst[:n], src, buf[:n])
		default:
			batches := min(min(len(dst), longestRun)/(wide*BlockSize), left/wide)
			n = batches * wide * BlockSize
			c.counterBatches(&dst[0], &src[0], ctr, batches)
			advance(ctr[from:], batches*wide)
		}
		dst, src = dst[n:], src[n:]
	}
}

// fill is batch.Fill, and faster where only the last eight bytes change.
func fill(dst, ctr []byte, from, to int) {
	low := binary.BigEndian.Uint64(ctr[BlockSize-8:])
	blocks := uint64(len(dst) / BlockSize)
	if from > BlockSize-8 || to != BlockSize || low+blocks < low {
		batch.Fill(dst, ctr, from, to)
		return
	}
	for ; len(dst) > 0; dst = dst[BlockSize:] {
		b := (*[BlockSize]byte)(dst)
		*b = [BlockSize]byte(ctr)
		binary.BigEndian.PutUint64(b[BlockSize-8:], low)
		low++
	}
	binary.BigEndian.PutUint64(ctr[BlockSize-8:], low)
}

// advance adds n to the big-endian number c.
func advance(c []byte, n int) {
	for i := len(c) - 1; i >= 0 && n > 0; i-- {
		n += int(c[i])
		c[i] = byte(n)
		n >>= 8
	}
}

func (c *Cipher) counterBatches(dst, src *byte, ctr []byte, batches int) {
	var w words
	for i, k := range c.kernel.wideEncrypt[0][:15] {
		w[i] = uint32(binary.LittleEndian.Uint16(ctr[2*i:]))*0x10001 ^ k
	}
	w[15] = uint32(binary.BigEndian.Uint16(ctr[30:])) * 0x10001
	counter32AVX512(&c.kernel.wideEncrypt, &c.domain.kernel.sliced[0], dst, src, &w, batches, c.domain.superRounds)
}
