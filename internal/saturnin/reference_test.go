package saturnin

// The reference: the cipher as the specification draws it, a cube of nibbles with
// tables. It shares nothing with the code that it tests.

import "encoding/binary"

type cube [4][4][4]byte // nibbles, by x, y, z

var (
	sigmaTables = [2][16]byte{
		{0, 6, 14, 1, 15, 4, 7, 13, 9, 8, 12, 5, 2, 10, 3, 11},
		{0, 9, 13, 2, 15, 1, 11, 7, 6, 4, 5, 3, 8, 12, 10, 14},
	}
	// Polynomials in alpha: bit i stands for alpha^i.
	mdsMatrix = [4][4]byte{
		{0b100, 0b110, 0b001, 0b001},
		{0b001, 0b011, 0b101, 0b111},
		{0b001, 0b001, 0b100, 0b110},
		{0b101, 0b111, 0b001, 0b011},
	}
	mdsInverse = [4][4]byte{
		{0b0010, 0b0100, 0b1011, 0b1111},
		{0b1111, 0b1001, 0b0110, 0b1111},
		{0b1011, 0b1111, 0b0010, 0b0100},
		{0b0110, 0b1111, 0b1111, 0b1001},
	}
)

// each calls f with the coordinates of every nibble.
func each(f func(x, y, z int)) {
	for x := range 4 {
		for y := range 4 {
			for z := range 4 {
				f(x, y, z)
			}
		}
	}
}

func newCube(b []byte) (c cube) {
	each(func(x, y, z int) {
		for k := range 4 {
			r := binary.LittleEndian.Uint16(b[2*(4*y+k):])
			c[x][y][z] |= byte(r>>(x+4*z)&1) << k
		}
	})
	return c
}

func (c *cube) bytes() []byte {
	var r [16]uint16
	each(func(x, y, z int) {
		for k := range 4 {
			r[4*y+k] |= uint16(c[x][y][z]>>k&1) << (x + 4*z)
		}
	})
	b := make([]byte, 0, BlockSize)
	for _, v := range r {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

func (c *cube) xor(d cube) { each(func(x, y, z int) { c[x][y][z] ^= d[x][y][z] }) }

func (c *cube) sub() { each(func(x, y, z int) { c[x][y][z] = sigmaTables[y%2][c[x][y][z]] }) }

func (c *cube) unsub() {
	var inverse [2][16]byte
	for i, table := range sigmaTables {
		for v, s := range table {
			inverse[i][s] = byte(v)
		}
	}
	each(func(x, y, z int) { c[x][y][z] = inverse[y%2][c[x][y][z]] })
}

// times returns the product of a polynomial in alpha and a nibble.
func times(poly, v byte) (sum byte) {
	for ; poly != 0; poly >>= 1 {
		if poly&1 == 1 {
			sum ^= v
		}
		v = v>>1 | (v&1^v>>1&1)<<3 // alpha
	}
	return sum
}

func (c *cube) mix(matrix [4][4]byte) {
	old := *c
	each(func(x, y, z int) {
		c[x][y][z] = 0
		for i := range 4 {
			c[x][y][z] ^= times(matrix[y][i], old[x][i][z])
		}
	})
}

// shift is SR_slice for even s, SR_sheet for odd s, with turns 1, and undoes them
// with turns 3.
func (c *cube) shift(s, turns int) {
	old := *c
	each(func(x, y, z int) {
		if s%2 == 0 {
			c[(x+turns*y)%4][y][z] = old[x][y][z]
		} else {
			c[x][y][(z+turns*y)%4] = old[x][y][z]
		}
	})
}

// referenceConstants returns RC0 and RC1 of each super-round.
func referenceConstants(superRounds, domain int) (rc0, rc1 []uint16) {
	clock := func(v, poly int) int {
		if v <<= 1; v >= 1<<16 {
			v ^= 1<<16 | poly
		}
		return v
	}
	a := 0x7f<<9 | superRounds<<4 | domain
	b := a
	for range superRounds {
		for range 16 {
			a = clock(a, 1<<5|1<<3|1<<2|1)
			b = clock(b, 1<<6|1<<4|1<<1|1)
		}
		rc0, rc1 = append(rc0, uint16(a)), append(rc1, uint16(b))
	}
	return rc0, rc1
}

// reference is the cipher with a key.
type reference struct {
	k, kr    cube
	rc       []cube
	sequence func(step string, c *cube) // is told of every step, unless nil
}

func newReference(superRounds, domain int, key []byte) *reference {
	r := &reference{k: newCube(key)}
	rotated := make([]byte, 0, KeySize)
	for i := range 16 {
		v := binary.LittleEndian.Uint16(key[2*i:])
		rotated = binary.LittleEndian.AppendUint16(rotated, v<<11|v>>5)
	}
	r.kr = newCube(rotated)
	rc0, rc1 := referenceConstants(superRounds, domain)
	for s := range superRounds {
		var b [BlockSize]byte
		binary.LittleEndian.PutUint16(b[0:], rc0[s])
		binary.LittleEndian.PutUint16(b[16:], rc1[s])
		r.rc = append(r.rc, newCube(b[:]))
	}
	return r
}

func (r *reference) step(name string, c *cube) {
	if r.sequence != nil {
		r.sequence(name, c)
	}
}

func (r *reference) roundKey(s int) cube {
	if s%2 == 0 {
		return r.kr
	}
	return r.k
}

func (r *reference) encrypt(src []byte) []byte {
	c := newCube(src)
	c.xor(r.k)
	r.step("whitened", &c)
	for s := range r.rc {
		c.sub()
		r.step("even S", &c)
		c.mix(mdsMatrix)
		r.step("even MC", &c)
		c.sub()
		r.step("odd S", &c)
		c.shift(s, 1)
		r.step("odd SR", &c)
		c.mix(mdsMatrix)
		r.step("odd MC", &c)
		c.shift(s, 3)
		r.step("odd SRinv", &c)
		c.xor(r.rc[s])
		c.xor(r.roundKey(s))
		r.step("end", &c)
	}
	return c.bytes()
}

func (r *reference) decrypt(src []byte) []byte {
	c := newCube(src)
	for s := len(r.rc) - 1; s >= 0; s-- {
		c.xor(r.roundKey(s))
		c.xor(r.rc[s])
		c.shift(s, 1)
		c.mix(mdsInverse)
		c.shift(s, 3)
		c.unsub()
		c.mix(mdsInverse)
		c.unsub()
	}
	c.xor(r.k)
	return c.bytes()
}

// referenceCascade returns E_t(m) ^ m over the blocks m of data.
func referenceCascade(superRounds, domain int, t, data []byte) []byte {
	for ; len(data) > 0; data = data[BlockSize:] {
		next := newReference(superRounds, domain, t).encrypt(data[:BlockSize])
		for i := range next {
			next[i] ^= data[i]
		}
		t = next
	}
	return t
}
