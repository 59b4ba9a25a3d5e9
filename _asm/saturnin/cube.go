package main

// The cipher on the cube of nibbles (sections 2.1 and 2.2 of the specification).
// A column has four nibbles, one of each row.

var sigma = [2][16]byte{
	{0, 6, 14, 1, 15, 4, 7, 13, 9, 8, 12, 5, 2, 10, 3, 11},
	{0, 9, 13, 2, 15, 1, 11, 7, 6, 4, 5, 3, 8, 12, 10, 14},
}

// substitute is the S-box of a row.
func substitute(row int, v byte) byte { return sigma[row%2][v] }

func unsubstitute(row int, v byte) byte {
	for x := range byte(16) {
		if substitute(row, x) == v {
			return x
		}
	}
	panic("no inverse")
}

// alpha is (x0, x1, x2, x3) to (x1, x2, x3, x0 ^ x1).
func alpha(v byte) byte { return v>>1 | (v<<3^v<<2)&8 }

func unalpha(v byte) byte { return v<<1&15 | v&1 ^ v>>3 }

// mds multiplies a column with the MDS matrix.
func mds(c [4]byte) [4]byte {
	a, b, c2, d := c[0], c[1], c[2], c[3]
	c2, a = c2^d, a^b
	b, d = alpha(b), alpha(d)
	b, d = b^c2, d^a
	a, c2 = alpha(alpha(a)), alpha(alpha(c2))
	c2, a = c2^d, a^b
	b, d = b^c2, d^a
	return [4]byte{a, b, c2, d}
}

func unmds(c [4]byte) [4]byte {
	a, b, c2, d := c[0], c[1], c[2], c[3]
	b, d = b^c2, d^a
	c2, a = c2^d, a^b
	a, c2 = unalpha(unalpha(a)), unalpha(unalpha(c2))
	b, d = b^c2, d^a
	b, d = unalpha(b), unalpha(d)
	c2, a = c2^d, a^b
	return [4]byte{a, b, c2, d}
}

// A frame says where the nibble of some column is in a register, by row: kernels
// leave the rows where SR brought them. Columns have numbers x + 4z.
type frame func(row, column int) int

// normal is without SR.
func normal(_, column int) int { return column }

// slice is as SR_slice leaves the rows, x + row.
func slice(row, column int) int { return column&^3 | (column+row)&3 }

// sheet is as SR_sheet leaves the rows, z + row.
func sheet(row, column int) int { return (column + 4*row) & 15 }

// move returns the shuffle that brings a row from one frame to another.
func move(row int, from, to frame) []byte { return moveKey(row, 0, from, to) }

// moveKey is move for a row of a key whose registers are rotated by n bits.
func moveKey(row, n int, from, to frame) []byte {
	shuffle := make([]byte, 16)
	for column := range 16 {
		shuffle[to(row, (column+n)&15)] = byte(from(row, column))
	}
	return shuffle
}

// tables are what each nibble of the rows adds to the column that step makes of it:
// first to the rows A and B, A in the low halves, then to C and D.
func tables(f func(row int, v byte) byte, step func(c [4]byte) [4]byte) (b []byte) {
	for h := 0; h < 4; h += 2 {
		for row := range 4 {
			for v := range byte(16) {
				var c [4]byte
				c[row] = f(row, v)
				c = step(c)
				b = append(b, c[h]|c[h+1]<<4)
			}
		}
	}
	return b
}
