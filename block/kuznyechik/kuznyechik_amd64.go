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

// Each of these implies those after it.
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

// The kernels for AVX-512 take 1, 4, 8, 16, half or sliced blocks, and their cost is
// always that of all of them. From halfMin and slicedMin blocks on the last two are faster
// than the others.
const (
	sliced    = 64
	slicedMin = 33
	half      = 32
	halfMin   = 21
)

// kernelKeys are the round keys in the forms that the kernels take.
type kernelKeys struct {
	keys  [10 * BlockSize]byte
	words [10 * BlockSize]uint32 // each byte four times
}

func (k *roundKeys) expand(key []byte) {
	switch {
	case useAVX512:
		expandAVX512(&k.keys, &key[0])
		spreadAVX512(&k.words, &k.encrypt[0][0], &k.decrypt[0][0], &k.keys)
		return
	case useAVX2GFNI:
		expandAVX2GFNI(&k.keys, &k.words, &key[0])
	case useAVX2:
		expandAVX2(&k.keys, &k.words, &key[0])
	default:
		k.expandGeneric(key)
		return
	}
	for i := range k.encrypt { // for the generic code: tests change the tier
		var p planes
		p.load(k.keys[i*BlockSize:][:BlockSize], false)
		k.encrypt[i].repeat(&p)
	}
	k.decrypt.reverse(&k.encrypt)
}

// expandGeneric makes the forms for the kernels too.
func (k *roundKeys) expandGeneric(key []byte) {
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
	switch {
	case useAVX512:
		k.encryptAVX512(dst, src)
	case useAVX2:
		k.encryptAVX2(dst, src)
	default:
		encryptGeneric(&k.encrypt, dst, src)
	}
}

func (k *roundKeys) decryptBlocks(dst, src []byte) {
	switch {
	case useAVX512:
		k.decryptAVX512(dst, src)
	case useAVX2:
		k.decryptAVX2(dst, src)
	default:
		decryptGeneric(&k.decrypt, dst, src)
	}
}

func (k *roundKeys) xorCounter(dst, src, ctr []byte, from, to int) {
	if !useAVX2 {
		counterGeneric(&k.encrypt, dst, src, ctr, from, to)
		return
	}
	if src == nil {
		clear(dst)
		src = dst
	}
	if useAVX512 {
		k.counterAVX512(dst, src, ctr, from, to)
		return
	}
	for len(dst) > 0 {
		var buf [wide * BlockSize]byte
		n := min(len(dst), len(buf))
		batch.Fill(buf[:n], ctr, from, to)
		k.encryptAVX2(buf[:n], buf[:n])
		subtle.XORBytes(dst[:n], src, buf[:n])
		dst, src = dst[n:], src[n:]
	}
}

// wide is the number of blocks of the kernels for AVX2, whose cost is always that of all
// of them. From wideMin blocks on, with GFNI from wideMinGFNI on, they are faster than
// those that take a block at a time.
const (
	wide        = 32
	wideMin     = 9
	wideMinGFNI = 11
)

// wideBlocks returns how many of n bytes the wide kernel takes, 0 if none.
func wideBlocks(n int) int {
	least := wideMin
	if useAVX2GFNI {
		least = wideMinGFNI
	}
	if n < least*BlockSize {
		return 0
	}
	return min(n, wide*BlockSize)
}

func (k *roundKeys) encryptAVX2(dst, src []byte) {
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
	switch n := len(src) / BlockSize; {
	case n == 0:
	case useAVX2GFNI:
		encryptEachAVX2GFNI(&k.keys, &dst[0], &src[0], n)
	default:
		encryptEachAVX2(&k.keys, &dst[0], &src[0], n)
	}
}

func (k *roundKeys) decryptAVX2(dst, src []byte) {
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
	switch n := len(src) / BlockSize; {
	case n == 0:
	case useAVX2GFNI:
		decryptEachAVX2GFNI(&k.keys, &dst[0], &src[0], n)
	default:
		decryptEachAVX2(&k.keys, &dst[0], &src[0], n)
	}
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
	case n >= halfMin:
		return half
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
		case w > 16:
			var buf [sliced * BlockSize]byte
			copy(buf[:], src[:n])
			k.encryptKernel(w, &buf[0], &buf[0])
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
	case half:
		encrypt32AVX512(&k.words, dst, src)
	case 16:
		encrypt16AVX512(&k.words, dst, src)
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
		case w > 16:
			var buf [sliced * BlockSize]byte
			copy(buf[:], src[:n])
			k.decryptKernel(w, &buf[0], &buf[0])
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
	case half:
		decrypt32AVX512(&k.words, dst, src)
	case 16:
		decrypt16AVX512(&k.words, dst, src)
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
	for len(dst) > 0 {
		w := width(len(dst) / BlockSize)
		n := min(len(dst), w*BlockSize)
		switch {
		case w < 16:
			var buf [8 * BlockSize]byte
			batch.Fill(buf[:n], ctr, from, to)
			k.encryptKernel(w, &buf[0], &buf[0])
			subtle.XORBytes(dst[:n], src, buf[:n])
		case from%8 != 0 || to%8 != 0:
			var buf [sliced * BlockSize]byte
			batch.Fill(buf[:n], ctr, from, to)
			k.encryptKernel(w, &buf[0], &buf[0])
			subtle.XORBytes(dst[:n], src, buf[:n])
		case n == w*BlockSize:
			c := counters(ctr, from, to, w)
			k.counterKernel(w, &dst[0], &src[0], &c, to-1)
		case w == 16:
			var buf [16 * BlockSize]byte
			c := counters(ctr, from, to, n/BlockSize)
			k.counterKernel(w, &buf[0], &buf[0], &c, to-1)
			subtle.XORBytes(dst[:n], src, buf[:n])
		default:
			var buf [sliced * BlockSize]byte
			c := counters(ctr, from, to, n/BlockSize)
			k.counterKernel(w, &buf[0], &buf[0], &c, to-1)
			subtle.XORBytes(dst[:n], src, buf[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}

func (k *roundKeys) counterKernel(width int, dst, src *byte, ctr *[2 * BlockSize]byte, low int) {
	switch width {
	case sliced:
		counter64AVX512(&k.words, dst, src, ctr, low)
	case half:
		counter32AVX512(&k.words, dst, src, ctr, low)
	default:
		counter16AVX512(&k.words, dst, src, ctr, low)
	}
}

// counters returns what these kernels take, and adds n to ctr[from:to], one half
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
	if !useAVX2 {
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
		switch {
		case useAVX512:
			chainAVX512(&k.keys, to, &src[0], &st[0], step, n/BlockSize)
		case useAVX2GFNI:
			chainAVX2GFNI(&k.keys, to, &src[0], &st[0], step, n/BlockSize)
		default:
			chainAVX2(&k.keys, to, &src[0], &st[0], step, n/BlockSize)
		}
		src = src[n:]
	}
}
