//go:build amd64 && gc && !purego

package kuznyechik

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"

	"xcipher/internal/batch"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

//go:generate env GOWORK=off go -C ../../_asm run ./kuznyechik -out ../block/kuznyechik/kuznyechik_amd64.s -stubs ../block/kuznyechik/kuznyechik_amd64_stubs.go -pkg kuznyechik

var (
	useAVX512   = cpu.AVX512
	useAVX2GFNI = cpu.AVX2GFNI
	useAVX2     = cpu.AVX2
)

func init() {
	impl.Register("kuznyechik", impl.AVX512, &useAVX512)
	impl.Register("kuznyechik", impl.AVX2GFNI, &useAVX2GFNI)
	impl.Register("kuznyechik", impl.AVX2, &useAVX2)
}

// sliced is the number of blocks of the widest kernel, whose cost is always that of
// all of them. From slicedMin blocks on it is faster than the others, of 1, 4, 8 and
// 16 blocks.
const (
	sliced    = 64
	slicedMin = 25
)

// kernelKeys are the round keys in the forms that the kernels take.
type kernelKeys struct {
	keys  [10 * BlockSize]byte
	words [10 * BlockSize]uint32 // each byte four times
}

func (k *roundKeys) expand(key []byte) {
	if useAVX512 {
		expandAVX512(&k.keys, &key[0])
		spreadAVX512(&k.words, &k.encrypt[0][0], &k.decrypt[0][0], &k.keys)
		return
	}
	expand(&k.encrypt, &k.decrypt, key)
	for i, p := range k.encrypt {
		var four [4 * BlockSize]byte
		p.store(four[:], false)
		copy(k.keys[i*BlockSize:], four[:BlockSize])
	}
	for i, b := range k.keys {
		k.words[i] = uint32(b) * 0x01010101
	}
}

func (k *roundKeys) encryptBlocks(dst, src []byte) {
	if useAVX512 {
		k.encryptAVX512(dst, src)
		return
	}
	for n := wideBlocks(len(src)); n > 0; n = wideBlocks(len(src)) {
		if n < wide*BlockSize {
			var buf [wide * BlockSize]byte
			copy(buf[:], src[:n])
			k.encryptWide(&buf[0], &buf[0])
			copy(dst, buf[:n])
		} else {
			k.encryptWide(&dst[0], &src[0])
		}
		dst, src = dst[n:], src[n:]
	}
	encryptGeneric(&k.encrypt, dst, src)
}

func (k *roundKeys) decryptBlocks(dst, src []byte) {
	if useAVX512 {
		k.decryptAVX512(dst, src)
		return
	}
	for n := wideBlocks(len(src)); n > 0; n = wideBlocks(len(src)) {
		if n < wide*BlockSize {
			var buf [wide * BlockSize]byte
			copy(buf[:], src[:n])
			k.decryptWide(&buf[0], &buf[0])
			copy(dst, buf[:n])
		} else {
			k.decryptWide(&dst[0], &src[0])
		}
		dst, src = dst[n:], src[n:]
	}
	decryptGeneric(&k.decrypt, dst, src)
}

func (k *roundKeys) xorCounter(dst, src, ctr []byte, from, to int) {
	if useAVX512 {
		k.counterAVX512(dst, src, ctr, from, to)
		return
	}
	if src == nil && useAVX2 {
		clear(dst)
		src = dst
	}
	for n := wideBlocks(len(dst)); n > 0; n = wideBlocks(len(dst)) {
		var buf [wide * BlockSize]byte
		batch.Fill(buf[:n], ctr, from, to)
		k.encryptWide(&buf[0], &buf[0])
		subtle.XORBytes(dst[:n], src, buf[:n])
		dst, src = dst[n:], src[n:]
	}
	counterGeneric(&k.encrypt, dst, src, ctr, from, to)
}

// wide is the number of blocks of the kernels for AVX2, whose cost is always that of all
// of them. From wideMin blocks on, with GFNI from wideMinGFNI on, they are faster than
// the generic code.
const (
	wide        = 32
	wideMin     = 6
	wideMinGFNI = 2
)

// wideBlocks returns how many of n bytes a kernel for AVX2 takes, 0 if none.
func wideBlocks(n int) int {
	if useAVX2GFNI && n >= wideMinGFNI*BlockSize || useAVX2 && n >= wideMin*BlockSize {
		return min(n, wide*BlockSize)
	}
	return 0
}

func (k *roundKeys) encryptWide(dst, src *byte) {
	if useAVX2GFNI {
		encrypt32AVX2GFNI(&k.words, dst, src)
	} else {
		encrypt32AVX2(&k.words, dst, src)
	}
}

func (k *roundKeys) decryptWide(dst, src *byte) {
	if useAVX2GFNI {
		decrypt32AVX2GFNI(&k.words, dst, src)
	} else {
		decrypt32AVX2(&k.words, dst, src)
	}
}

// width returns how many blocks the kernel for n blocks takes; what lacks is padded.
func width(n int) int {
	switch {
	case n >= slicedMin:
		return sliced
	case n > 8:
		return 16
	case n > 4:
		return 8
	case n > 1:
		return 4
	}
	return 1
}

func (k *roundKeys) encryptAVX512(dst, src []byte) {
	for len(src) > 0 {
		w := width(len(src) / BlockSize)
		n := min(len(src), w*BlockSize)
		switch {
		case n == w*BlockSize:
			k.encryptKernel(w, &dst[0], &src[0])
		case w == sliced:
			var buf [sliced * BlockSize]byte
			copy(buf[:], src[:n])
			encrypt64AVX512(&k.words, &buf[0], &buf[0])
			copy(dst, buf[:n])
		default:
			var buf [16 * BlockSize]byte
			copy(buf[:], src[:n])
			k.encryptKernel(w, &buf[0], &buf[0])
			copy(dst, buf[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}

func (k *roundKeys) encryptKernel(width int, dst, src *byte) {
	switch width {
	case sliced:
		encrypt64AVX512(&k.words, dst, src)
	case 16:
		encrypt16AVX512(&k.keys, dst, src)
	case 8:
		encrypt8AVX512(&k.keys, dst, src)
	case 4:
		encrypt4AVX512(&k.keys, dst, src)
	default:
		encrypt1AVX512(&k.keys, dst, src)
	}
}

func (k *roundKeys) decryptAVX512(dst, src []byte) {
	for len(src) > 0 {
		w := width(len(src) / BlockSize)
		n := min(len(src), w*BlockSize)
		switch {
		case n == w*BlockSize:
			k.decryptKernel(w, &dst[0], &src[0])
		case w == sliced:
			var buf [sliced * BlockSize]byte
			copy(buf[:], src[:n])
			decrypt64AVX512(&k.words, &buf[0], &buf[0])
			copy(dst, buf[:n])
		default:
			var buf [16 * BlockSize]byte
			copy(buf[:], src[:n])
			k.decryptKernel(w, &buf[0], &buf[0])
			copy(dst, buf[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}

func (k *roundKeys) decryptKernel(width int, dst, src *byte) {
	switch width {
	case sliced:
		decrypt64AVX512(&k.words, dst, src)
	case 16:
		decrypt16AVX512(&k.keys, dst, src)
	case 8:
		decrypt8AVX512(&k.keys, dst, src)
	case 4:
		decrypt4AVX512(&k.keys, dst, src)
	default:
		decrypt1AVX512(&k.keys, dst, src)
	}
}

// counterAVX512 has its counter blocks made by a kernel if there are many of them.
func (k *roundKeys) counterAVX512(dst, src, ctr []byte, from, to int) {
	if src == nil {
		clear(dst)
		src = dst
	}
	for len(dst) > 0 {
		w := width(len(dst) / BlockSize)
		n := min(len(dst), w*BlockSize)
		switch {
		case w < sliced:
			var buf [16 * BlockSize]byte
			batch.Fill(buf[:n], ctr, from, to)
			k.encryptKernel(w, &buf[0], &buf[0])
			subtle.XORBytes(dst[:n], src, buf[:n])
		case from%8 != 0 || to%8 != 0:
			var buf [sliced * BlockSize]byte
			batch.Fill(buf[:n], ctr, from, to)
			encrypt64AVX512(&k.words, &buf[0], &buf[0])
			subtle.XORBytes(dst[:n], src, buf[:n])
		case n < sliced*BlockSize:
			var buf [sliced * BlockSize]byte
			c := counters(ctr, from, to, n/BlockSize)
			counter64AVX512(&k.words, &buf[0], &buf[0], &c, to-1)
			subtle.XORBytes(dst[:n], src, buf[:n])
		default:
			c := counters(ctr, from, to, sliced)
			counter64AVX512(&k.words, &dst[0], &src[0], &c, to-1)
		}
		dst, src = dst[n:], src[n:]
	}
}

// counters returns what counter64AVX512 takes, and adds n to ctr[from:to], one half
// of ctr or both.
func counters(ctr []byte, from, to, n int) (c [2 * BlockSize]byte) {
	hi, lo := binary.BigEndian.Uint64(ctr), binary.BigEndian.Uint64(ctr[8:])
	inHi := uint64(to/8) & 1                // the left half counts alone
	inLo := inHi ^ 1                        // the right half counts,
	carries := inLo &^ (uint64(from/8) & 1) // and carries into the left one
	add := func(n uint64) (uint64, uint64) {
		lo, carry := bits.Add64(lo, n*inLo, 0)
		return hi + n*inHi + carry*carries, lo
	}
	copy(c[:], ctr[:BlockSize])
	h, l := add(256)
	binary.BigEndian.PutUint64(c[16:], h)
	binary.BigEndian.PutUint64(c[24:], l)
	h, l = add(uint64(n))
	binary.BigEndian.PutUint64(ctr, h)
	binary.BigEndian.PutUint64(ctr[8:], l)
	return c
}

// longestRun is how many bytes a kernel takes at most in one call: the scheduler and
// the collector have to wait while assembly runs.
const longestRun = 64 << 10

// chain is the core of batch.Chain.
func (k *roundKeys) chain(dst, src, st []byte) {
	if !useAVX512 {
		chainGeneric(&k.encrypt, dst, src, st)
		return
	}
	to, step := &st[0], 0
	for len(src) > 0 {
		n := min(len(src), longestRun)
		if dst != nil {
			to, step = &dst[0], BlockSize
			dst = dst[n:]
		}
		chainAVX512(&k.keys, to, &src[0], &st[0], step, n/BlockSize)
		src = src[n:]
	}
}
