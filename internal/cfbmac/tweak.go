package cfbmac

import "encoding/binary"

// Quarters is a block as the four words on which the tweaks of CLOC work. They only
// move and add words, so any byte order serves.
type Quarters struct{ a, b, c, d uint32 }

// Load reads a block of 8 or 16 bytes.
func Load(x []byte) Quarters {
	if len(x) == 8 {
		return Quarters{
			uint32(binary.BigEndian.Uint16(x[0:])),
			uint32(binary.BigEndian.Uint16(x[2:])),
			uint32(binary.BigEndian.Uint16(x[4:])),
			uint32(binary.BigEndian.Uint16(x[6:])),
		}
	}
	return Quarters{
		binary.BigEndian.Uint32(x[0:]),
		binary.BigEndian.Uint32(x[4:]),
		binary.BigEndian.Uint32(x[8:]),
		binary.BigEndian.Uint32(x[12:]),
	}
}

// Store writes q to a block of 8 or 16 bytes.
func (q Quarters) Store(x []byte) {
	if len(x) == 8 {
		binary.BigEndian.PutUint16(x[0:], uint16(q.a))
		binary.BigEndian.PutUint16(x[2:], uint16(q.b))
		binary.BigEndian.PutUint16(x[4:], uint16(q.c))
		binary.BigEndian.PutUint16(x[6:], uint16(q.d))
		return
	}
	binary.BigEndian.PutUint32(x[0:], q.a)
	binary.BigEndian.PutUint32(x[4:], q.b)
	binary.BigEndian.PutUint32(x[8:], q.c)
	binary.BigEndian.PutUint32(x[12:], q.d)
}

// The tweaks are powers of one map G of order 15.

// F1 is G^8.
func (q Quarters) F1() Quarters {
	return Quarters{q.a ^ q.c, q.b ^ q.d, q.a ^ q.b ^ q.c, q.b ^ q.c ^ q.d}
}

// F2 is G.
func (q Quarters) F2() Quarters { return Quarters{q.b, q.c, q.d, q.a ^ q.b} }

// G1 is G^2.
func (q Quarters) G1() Quarters { return Quarters{q.c, q.d, q.a ^ q.b, q.b ^ q.c} }

// G2 is G.
func (q Quarters) G2() Quarters { return q.F2() }

// H is G^4.
func (q Quarters) H() Quarters {
	return Quarters{q.a ^ q.b, q.b ^ q.c, q.c ^ q.d, q.a ^ q.b ^ q.d}
}

// HIf returns H if bit is 1 and q if it is 0, without a branch: the bit may be
// secret.
func (q Quarters) HIf(bit byte) Quarters {
	h, mask := q.H(), -uint32(bit)
	return Quarters{
		q.a ^ mask&(q.a^h.a),
		q.b ^ mask&(q.b^h.b),
		q.c ^ mask&(q.c^h.c),
		q.d ^ mask&(q.d^h.d),
	}
}
