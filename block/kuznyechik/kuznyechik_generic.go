package kuznyechik

import (
	"crypto/subtle"
	"math/bits"
)

// A block a_15 || ... || a_0 has a_15 first in memory, as a big-endian number has
// its most significant byte. Section numbers are those of RFC 7801.
//
// Two paths do the work: a short one for up to four blocks (few_generic.go) and a
// long one, whose cost is always that of 64 (many_generic.go). Both work on bit
// planes, so that S is a circuit and nothing secret is the index of a table.

const (
	few  = 4
	many = 64
	// manyMin is the number of blocks from which on the long path is faster.
	manyMin = 25
)

// schedule is the round keys in the order of use, each in planes that hold it four
// times. A schedule for decryption has the bytes of the keys in reverse order.
type schedule [10]planes

// roundConstants are C_1, ..., C_32 of section 4.4: C_i = L(Vec_128(i)).
var roundConstants = [32]packed{
	{0xe262c8a8d7d0d441, 0x6a77647b52b1d890}, {0xc7c48043ae909bb2, 0xd8eed9fbb4b27ce0},
	{0x25a648eb79404ff3, 0xb299bd80e603a470}, {0xbdbb33b57c102554, 0x7c107e2ab9b4f510},
	{0x5fd9fb1dabc0f115, 0x16671a51eb052d80}, {0x7a7fb3f6d280bee6, 0xa4fea7d10d0689f0},
	{0x981d7b5e05506aa7, 0xce89c3aa5fb75160}, {0x69666569db107aa8, 0xf531e058afa82a20},
	{0x8b04adc10cc0aee9, 0x9f468423fd19f2b0}, {0xaea2e52a7580e11a, 0x2ddf39a31b1a56c0},
	{0x4cc02d82a250355b, 0x47a85dd849ab8e50}, {0xd4dd56dca7005ffc, 0x89219e72161cdf30},
	{0x36bf9e7470d08bbd, 0xe356fa0944ad07a0}, {0x1319d69f0990c44e, 0x51cf4789a2aea3d0},
	{0xf17b1e37de40100f, 0x3bb823f2f01f7b40}, {0xf2ccfac19513e740, 0x2b6200ad938c4951},
	{0x10ae326942c33301, 0x411564d6c13d91c1}, {0x35087a823b837cf2, 0xf38cd956273e35b1},
	{0xd76ab22aec53a8b3, 0x99fbbd2d758fed21}, {0x4f77c974e903c214, 0x57727e872a38bc41},
	{0xad1501dc3ed31655, 0x3d051afc788964d1}, {0x88b34937479359a6, 0x8f9ca77c9e8ac0a1},
	{0x6ad1819f90438de7, 0xe5ebc307cc3b1831}, {0x9baa9fa84e039de8, 0xde53e0f53c246371},
	{0x79c8570099d349a9, 0xb424848e6e95bbe1}, {0x5c6e1febe093065a, 0x06bd390e88961f91},
	{0xbe0cd7433743d21b, 0x6cca5d75da27c701}, {0x2611ac1d3213b8bc, 0xa2439edf85909661},
	{0xc47364b5e5c36cfd, 0xc834faa4d7214ef1}, {0xe1d52c5e9c83230e, 0x7aad47243122ea81},
	{0x03b7e4f64b53f74f, 0x10da235f63933211}, {0xe788e4b11a15cd80, 0x5ad51196f6c49ea2},
}

// expand makes the schedules for encryption and decryption (section 4.4).
func expand(enc, dec *schedule, key []byte) {
	var a1, a0 planes
	a1.load(key[:BlockSize], false)
	a0.load(key[BlockSize:], false)
	enc[0].repeat(&a1)
	enc[1].repeat(&a0)
	for i, c := range roundConstants {
		// F[C](a1, a0) = (LSX[C](a1) xor a0, a1)
		t := a1
		t.addPacked(c)
		t.pi()
		t.linearOne()
		t.add(&a0)
		a1, a0 = t, a1
		if i%8 == 7 {
			enc[i/4+1].repeat(&a1)
			enc[i/4+2].repeat(&a0)
		}
	}
	dec.reverse(enc)
}

// reverse makes the schedule for decryption of that for encryption.
func (dec *schedule) reverse(enc *schedule) {
	for i := range enc {
		for b, v := range enc[9-i] {
			v = bits.ReverseBytes64(v)
			dec[i][b] = v>>4&0x0f0f0f0f0f0f0f0f | v<<4&0xf0f0f0f0f0f0f0f0
		}
	}
}

// next returns how many of n bytes go through one call of a path.
func next(n int) int {
	if n >= manyMin*BlockSize {
		return min(n, many*BlockSize)
	}
	return min(n, few*BlockSize)
}

// encryptGeneric encrypts whole blocks.
func encryptGeneric(k *schedule, dst, src []byte) {
	for len(src) > 0 {
		n := next(len(src))
		if n > few*BlockSize {
			encryptMany(k, dst[:n], src[:n])
		} else {
			encryptFew(k, dst[:n], src[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}

// decryptGeneric decrypts whole blocks.
func decryptGeneric(k *schedule, dst, src []byte) {
	for len(src) > 0 {
		n := next(len(src))
		if n > few*BlockSize {
			decryptMany(k, dst[:n], src[:n])
		} else {
			decryptFew(k, dst[:n], src[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}

// counterGeneric XORs encrypted counter blocks to src, see batch.Counter.
func counterGeneric(k *schedule, dst, src, ctr []byte, from, to int) {
	for len(dst) > 0 {
		n := next(len(dst))
		if n > few*BlockSize {
			counterMany(k, dst[:n], src, ctr, from, to)
		} else {
			counterFew(k, dst[:n], src, ctr, from, to)
		}
		dst = dst[n:]
		if src != nil {
			src = src[n:]
		}
	}
}

// chainGeneric is batch.Chain.
func chainGeneric(k *schedule, dst, src, st []byte) {
	for ; len(src) > 0; src = src[BlockSize:] {
		subtle.XORBytes(st, st, src[:BlockSize])
		encryptFew(k, st, st)
		if dst != nil {
			dst = dst[copy(dst, st):]
		}
	}
}

// encryptFew is E = X[K_10] LSX[K_9] ... LSX[K_1] (section 4.5.1) on one to four
// blocks.
func encryptFew(k *schedule, dst, src []byte) {
	var p planes
	p.load(src, false)
	p.add(&k[0])
	for i := range k[1:] {
		p.pi()
		p.linear(len(src) / BlockSize)
		p.add(&k[1+i])
	}
	p.store(dst, false)
}

// decryptFew is D = X[K_1] S^-1 L^-1 X[K_2] ... S^-1 L^-1 X[K_10] (section 4.5.2).
// L^-1 is L between blocks with their bytes in reverse order.
func decryptFew(k *schedule, dst, src []byte) {
	var p planes
	p.load(src, true)
	p.add(&k[0])
	for i := range k[1:] {
		p.linear(len(src) / BlockSize)
		p.piInverse()
		p.add(&k[1+i])
	}
	p.store(dst, true)
}

func counterFew(k *schedule, dst, src, ctr []byte, from, to int) {
	var buf [few * BlockSize]byte
	stream := buf[:len(dst)]
	for i := 0; i < len(dst); i += BlockSize {
		copy(stream[i:], ctr)
		advance(ctr[from:to], 1)
	}
	encryptFew(k, stream, stream)
	deliver(dst, src, stream)
}

// encryptMany is E on up to 64 blocks.
func encryptMany(k *schedule, dst, src []byte) {
	var s register
	s.upper().load(src, false)
	s.encrypt(k)
	s.upper().store(dst, false)
}

// decryptMany is D on up to 64 blocks.
func decryptMany(k *schedule, dst, src []byte) {
	var s register
	s.lower().load(src, true)
	s.decrypt(k)
	s.lower().store(dst, true)
}

func counterMany(k *schedule, dst, src, ctr []byte, from, to int) {
	var s register
	s.upper().count(ctr, from, to)
	advance(ctr[from:to], len(dst)/BlockSize)
	s.encrypt(k)
	var buf [many * BlockSize]byte
	stream := buf[:len(dst)]
	s.upper().store(stream, false)
	deliver(dst, src, stream)
}

// advance adds n to the big-endian integer c, which wraps. The counters of MGM are
// secret: no carry decides a branch, here or in count.
func advance(c []byte, n int) {
	for i := len(c) - 1; i >= 0; i-- {
		n += int(c[i])
		c[i] = byte(n)
		n >>= 8
	}
}

// deliver sets dst to src, or zeros if src is nil, XOR stream.
func deliver(dst, src, stream []byte) {
	if src == nil {
		copy(dst, stream)
	} else {
		subtle.XORBytes(dst, src, stream)
	}
}

// encrypt is E on the upper half of s.
func (s *register) encrypt(k *schedule) {
	for i := range k[:9] {
		for n := range s.lower() {
			s[n].addByte(&s[16+n], &k[i], n)
			s[n].pi()
		}
		s.linear()
	}
	for n := range s.upper() {
		s[16+n].addByte(&s[16+n], &k[9], n)
	}
}

// decrypt is D on the lower half of s.
func (s *register) decrypt(k *schedule) {
	for n := range s.lower() {
		s[n].addByte(&s[n], &k[0], n)
	}
	for i := range k[1:] {
		s.linear()
		for n := range s.upper() {
			s[16+n].piInverse()
			s[n].addByte(&s[16+n], &k[1+i], n)
		}
	}
}
