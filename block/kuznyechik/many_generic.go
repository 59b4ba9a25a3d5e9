package kuznyechik

// The long path: one word for each bit of a block, with that bit of 64 blocks.

// state is 64 blocks: bit b of byte a_n of block k is bit k of state[n][b].
type state [16]planes

// register is a state and room for the sixteen bytes that L appends to it.
type register [32]planes

func (s *register) lower() *state { return (*state)(s[:16]) }
func (s *register) upper() *state { return (*state)(s[16:]) }

// linear is L, from the lower half of s to the upper: sixteen steps R.
func (s *register) linear() {
	for n := range s.lower() {
		step((*[17]planes)(s[n:]))
	}
}

// addByte sets p to q, adding byte a_n of the key k to each of its 64 bytes.
func (p *planes) addByte(q, k *planes, n int) {
	up := uint(60-4*n) & 63 // takes the slot of a_n to the top
	p[0], p[1] = q[0]^topBit(k[0]<<up), q[1]^topBit(k[1]<<up)
	p[2], p[3] = q[2]^topBit(k[2]<<up), q[3]^topBit(k[3]<<up)
	p[4], p[5] = q[4]^topBit(k[4]<<up), q[5]^topBit(k[5]<<up)
	p[6], p[7] = q[6]^topBit(k[6]<<up), q[7]^topBit(k[7]<<up)
}

// topBit fills a word with its top bit.
func topBit(x uint64) uint64 { return uint64(int64(x) >> 63) }

// load reads up to 64 blocks. s must be zero.
func (s *state) load(src []byte, reverse bool) {
	for k := range len(src) / BlockSize {
		hi, lo := loadBlock(src[BlockSize*k:], reverse)
		s[8+k/8][k%8], s[k/8][k%8] = hi, lo
	}
	s.transpose()
}

// store writes as many blocks as fill dst.
func (s *state) store(dst []byte, reverse bool) {
	s.transpose()
	for k := range len(dst) / BlockSize {
		storeBlock(dst[BlockSize*k:], s[8+k/8][k%8], s[k/8][k%8], reverse)
	}
}

// numbers are the planes of the numbers 0 to 63.
var numbers = planes{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// count sets s to 64 counter blocks: ctr in all, and the number of the block added to
// the big-endian integer ctr[from:to].
func (s *state) count(ctr []byte, from, to int) {
	carry := uint64(0)
	for n := range s {
		i, x := 15-n, uint64(ctr[15-n])
		if i < from {
			carry = 0
		}
		for b := range s[n] {
			v := -(x >> b & 1)
			s[n][b] = v ^ carry
			carry &= v
		}
		if i == to-1 {
			for b, v := range s[n] {
				add := numbers[b]
				s[n][b] = v ^ add ^ carry
				carry = v&(add|carry) | add&carry
			}
		}
	}
}

// transpose exchanges the number of a word, in each half of s, with that of a bit in
// it: first the upper three bits of the numbers, then the lower three.
func (s *state) transpose() {
	for i := 0; i < 16; i += 8 {
		h := (*[8]planes)(s[i:])
		for b := range 8 {
			transposeBytes(h, b)
		}
		for n := range h {
			h[n].transposeBits()
		}
	}
}

// transposeBytes exchanges byte j of s[i][b] with byte i of s[j][b].
func transposeBytes(s *[8]planes, b int) {
	b &= 7
	a0, a1, a2, a3, a4, a5, a6, a7 := s[0][b], s[1][b], s[2][b], s[3][b], s[4][b], s[5][b], s[6][b], s[7][b]
	a0, a4 = exchange(a0, a4, 32, 0x00000000ffffffff)
	a1, a5 = exchange(a1, a5, 32, 0x00000000ffffffff)
	a2, a6 = exchange(a2, a6, 32, 0x00000000ffffffff)
	a3, a7 = exchange(a3, a7, 32, 0x00000000ffffffff)
	a0, a2 = exchange(a0, a2, 16, 0x0000ffff0000ffff)
	a1, a3 = exchange(a1, a3, 16, 0x0000ffff0000ffff)
	a4, a6 = exchange(a4, a6, 16, 0x0000ffff0000ffff)
	a5, a7 = exchange(a5, a7, 16, 0x0000ffff0000ffff)
	a0, a1 = exchange(a0, a1, 8, 0x00ff00ff00ff00ff)
	a2, a3 = exchange(a2, a3, 8, 0x00ff00ff00ff00ff)
	a4, a5 = exchange(a4, a5, 8, 0x00ff00ff00ff00ff)
	a6, a7 = exchange(a6, a7, 8, 0x00ff00ff00ff00ff)
	s[0][b], s[1][b], s[2][b], s[3][b] = a0, a1, a2, a3
	s[4][b], s[5][b], s[6][b], s[7][b] = a4, a5, a6, a7
}

// transposeBits exchanges in each byte bit j of p[i] with bit i of p[j].
func (p *planes) transposeBits() {
	a0, a1, a2, a3, a4, a5, a6, a7 := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	a0, a4 = exchange(a0, a4, 4, 0x0f0f0f0f0f0f0f0f)
	a1, a5 = exchange(a1, a5, 4, 0x0f0f0f0f0f0f0f0f)
	a2, a6 = exchange(a2, a6, 4, 0x0f0f0f0f0f0f0f0f)
	a3, a7 = exchange(a3, a7, 4, 0x0f0f0f0f0f0f0f0f)
	a0, a2 = exchange(a0, a2, 2, 0x3333333333333333)
	a1, a3 = exchange(a1, a3, 2, 0x3333333333333333)
	a4, a6 = exchange(a4, a6, 2, 0x3333333333333333)
	a5, a7 = exchange(a5, a7, 2, 0x3333333333333333)
	a0, a1 = exchange(a0, a1, 1, 0x5555555555555555)
	a2, a3 = exchange(a2, a3, 1, 0x5555555555555555)
	a4, a5 = exchange(a4, a5, 1, 0x5555555555555555)
	a6, a7 = exchange(a6, a7, 1, 0x5555555555555555)
	p[0], p[1], p[2], p[3] = a0, a1, a2, a3
	p[4], p[5], p[6], p[7] = a4, a5, a6, a7
}

// step is R: s[16] = l(s[15], ..., s[0]), s[n] being byte a_n. Bytes with the same
// coefficient, n and 16-n, are added first. Which other sums to form was found by
// a search: t3c stands for a sum of what goes into the planes 2, 3, 4 and 5 (those
// whose bits are set in 3c) of the result. The brackets keep chains of sums short.
func step(s *[17]planes) {
	t6f := s[8][6]
	te5 := s[1][7] ^ s[15][7]
	t6a := s[8][2]
	t6e := s[5][7] ^ s[11][7]
	t94 := t6e ^ (t6f ^ (s[1][0] ^ s[15][0]))
	tfb := s[8][0] ^ t6f
	tb2 := s[3][7] ^ s[13][7]
	t6b := s[8][4]
	tfa := s[5][5] ^ s[11][5] ^ t6e
	tb7 := s[6][6] ^ s[10][6]
	ta2 := t6b ^ (s[3][3] ^ s[13][3]) ^ (tb7 ^ te5)
	tc9 := t6b ^ (s[3][1] ^ s[13][1])
	ta8 := s[1][5] ^ s[15][5]
	teb := s[1][1] ^ s[15][1] ^ ta8
	t37 := t6a ^ (s[5][6] ^ s[11][6])
	t35 := teb ^ (s[8][1] ^ tb2 ^ t37)
	t15 := s[1][2] ^ s[15][2] ^ tb7 ^ t35
	td6 := s[8][5]
	t87 := tfa ^ (tb2 ^ (td6 ^ (s[3][4] ^ s[13][4])))
	t2a := s[1][3] ^ s[15][3]
	tad := s[6][7] ^ s[10][7]
	tba := s[6][5] ^ s[10][5]
	t6d := s[2][7] ^ s[14][7] ^ t2a ^ (tad ^ tba)
	t7d := ta2 ^ (s[5][4] ^ s[11][4] ^ tfb ^ tfa ^ t6d)
	s[16][5] = s[4][1] ^ s[12][1] ^ (s[0][5] ^ s[7][5]) ^ (s[9][5] ^ (s[2][0] ^ s[14][0])) ^ t35 ^ t7d
	t5d := t6a ^ (s[6][4] ^ s[10][4]) ^ t7d
	td7 := t5d ^ (t94 ^ (tba ^ (s[2][6] ^ s[14][6] ^ (s[4][7] ^ s[12][7]))) ^ t15)
	t54 := s[1][4] ^ s[15][4]
	tde := s[8][7] ^ t54 ^ teb
	td4 := s[8][3]
	t93 := s[1][6] ^ s[15][6]
	t51 := td4 ^ td6 ^ (s[3][2] ^ s[13][2] ^ t93)
	t59 := s[3][6] ^ s[13][6]
	tdf := s[5][3] ^ s[11][3] ^ t59 ^ t51 ^ (ta2 ^ tde) ^ td7
	s[16][4] = s[0][4] ^ s[7][4] ^ (s[9][4] ^ (s[4][0] ^ s[12][0])) ^ t6d ^ tdf
	tcf := s[6][3] ^ s[10][3] ^ tdf
	t8a := t54 ^ (s[2][5] ^ s[14][5] ^ (s[4][6] ^ s[12][6])) ^ t5d ^ tcf
	tcd := s[3][5] ^ s[13][5]
	t8e := s[5][2] ^ s[11][2] ^ tcd ^ tc9 ^ t51 ^ t8a
	s[16][3] = s[9][3] ^ (s[0][3] ^ s[7][3]) ^ td7 ^ t8e
	t86 := tfb ^ (s[6][2] ^ s[10][2] ^ t59) ^ t8e
	t45 := s[2][4] ^ s[14][4] ^ (s[4][5] ^ s[12][5]) ^ tcf ^ t86
	t85 := td4 ^ (s[3][0] ^ s[13][0])
	t47 := t85 ^ tc9 ^ (te5 ^ (s[5][1] ^ s[11][1] ^ t2a)) ^ t87 ^ t45
	t43 := t94 ^ (tcd ^ (s[6][1] ^ s[10][1] ^ ta8)) ^ t47
	s[16][2] = s[9][2] ^ (s[0][2] ^ s[7][2]) ^ t8a ^ t47
	tc3 := s[2][3] ^ s[14][3] ^ (s[4][4] ^ s[12][4]) ^ t86 ^ t43
	tc2 := s[5][0] ^ s[11][0] ^ t93 ^ t85 ^ t15 ^ tc3
	tc0 := s[6][0] ^ s[10][0] ^ tad ^ t87 ^ tc2
	s[16][7] = s[4][3] ^ s[12][3] ^ (s[7][7] ^ s[9][7]) ^ (s[0][7] ^ (s[2][2] ^ s[14][2])) ^ t43 ^ tc0
	s[16][1] = s[9][1] ^ (s[0][1] ^ s[7][1]) ^ t37 ^ t45 ^ tc2
	s[16][6] = s[4][2] ^ s[12][2] ^ (s[7][6] ^ s[0][6]) ^ (s[9][6] ^ (s[2][1] ^ s[14][1])) ^ tc0
	s[16][0] = s[9][0] ^ (s[0][0] ^ s[7][0]) ^ tde ^ tc3
}
