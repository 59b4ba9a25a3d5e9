package cfbmac

import "encoding/binary"

// Quarters is a block as the four words a, b, c, d on which the tweaks of CLOC work,
// a and c in the low halves. The tweaks only move and add words, so any byte order
// serves.
type Quarters struct{ ab, cd uint64 }

// Load reads a block of 8 or 16 bytes.
func Load(x []byte) Quarters {
	if len(x) == 8 {
		v := binary.LittleEndian.Uint64(x)
		return Quarters{v&0xffff | v>>16&0xffff<<32, v>>32&0xffff | v>>48<<32}
	}
	return Quarters{binary.LittleEndian.Uint64(x[0:]), binary.LittleEndian.Uint64(x[8:])}
}

// LoadPadded reads ozp(x), a block of size bytes: a one bit and zeros fill a partial
// block.
func LoadPadded(x []byte, size int) Quarters {
	if len(x) == size {
		return Load(x)
	}
	var b [MaxBlockSize]byte
	b[copy(b[:], x)] = 0x80
	return Load(b[:size])
}

// Store writes q to a block of 8 or 16 bytes.
func (q Quarters) Store(x []byte) {
	if len(x) == 8 {
		binary.LittleEndian.PutUint64(x, q.ab&0xffff|q.ab>>32<<16|q.cd<<32|q.cd>>32<<48)
		return
	}
	binary.LittleEndian.PutUint64(x[0:], q.ab)
	binary.LittleEndian.PutUint64(x[8:], q.cd)
}

// XOR is q + p.
func (q Quarters) XOR(p Quarters) Quarters { return Quarters{q.ab ^ p.ab, q.cd ^ p.cd} }

// Fix0 returns q with its first bit, the top bit of byte 0, cleared, and that bit.
func (q Quarters) Fix0() (Quarters, byte) {
	return Quarters{q.ab &^ 0x80, q.cd}, byte(q.ab) >> 7
}

func (q Quarters) bc() uint64 { return q.ab>>32 | q.cd<<32 }

// The tweaks are powers of one map G of order 15, for which G^4 = 1 + G.

// F2 is G: b, c, d, a ^ b.
func (q Quarters) F2() Quarters { return Quarters{q.bc(), q.cd>>32 | (q.ab^q.bc())<<32} }

// G2 is G.
func (q Quarters) G2() Quarters { return q.F2() }

// G1 is G^2: c, d, a ^ b, b ^ c.
func (q Quarters) G1() Quarters { return Quarters{q.cd, q.ab ^ q.bc()} }

// F1 is G^8: a ^ c, b ^ d, a ^ b ^ c, b ^ c ^ d.
func (q Quarters) F1() Quarters { return q.XOR(q.G1()) }

// H is G^4: a ^ b, b ^ c, c ^ d, a ^ b ^ d.
func (q Quarters) H() Quarters { return q.XOR(q.F2()) }

// HIf returns H if bit is 1 and q if it is 0, without a branch: the bit may be
// secret.
func (q Quarters) HIf(bit byte) Quarters {
	g, mask := q.F2(), -uint64(bit)
	return q.XOR(Quarters{g.ab & mask, g.cd & mask})
}
