//go:build amd64 && gc && !purego

package saturnin

import (
	"bytes"
	"encoding/binary"
	"testing"

	"xcipher/internal/asmcheck"
	"xcipher/internal/conform"
)

// TestTiers sees which form of the key has an influence, and so which kernel works, for
// each tier and number of blocks.
func TestTiers(t *testing.T) {
	type run struct {
		most int // blocks
		form string
	}
	want := map[string][]run{
		"avx512":  {{wideMin - 1, "ones"}, {wide, "wide"}, {wide + wideMin - 1, "wide ones"}, {2 * wide, "wide"}},
		"avx2":    {{narrowMin - 1, "ones"}, {narrow, "narrow"}, {narrow + narrowMin - 1, "narrow ones"}, {wide, "narrow"}},
		"generic": {{2, "generic"}, {4, "generic lanes"}},
	}
	spoil := []struct {
		form string
		f    func(c *Cipher)
	}{
		{"wide", func(c *Cipher) { clear(c.kernel.wideEncrypt[1:]); clear(c.kernel.wideDecrypt[1:]) }},
		{"narrow", func(c *Cipher) { c.kernel.narrow = [2]words{} }},
		{"ones", func(c *Cipher) { clear(c.kernel.encrypt[:]); clear(c.kernel.decrypt[:]) }},
		{"generic", func(c *Cipher) { c.one, c.four = [2]block{}, [2]lanes{} }},
	}
	methods := map[string]func(c *Cipher, dst []byte){
		"EncryptBlocks": func(c *Cipher, dst []byte) { c.EncryptBlocks(dst, dst) },
		"DecryptBlocks": func(c *Cipher, dst []byte) { c.DecryptBlocks(dst, dst) },
		"XORCounter":    func(c *Cipher, dst []byte) { c.XORCounter(dst, nil, make([]byte, BlockSize), 0, BlockSize) },
	}
	conform.Each(t, func(t *testing.T) {
		n := 1
		for _, r := range want[t.Name()[len("TestTiers/"):]] {
			for ; n <= r.most; n++ {
				for name, f := range methods {
					result := func(spoil func(c *Cipher)) []byte {
						key := bytes.Repeat([]byte{0x5a}, KeySize)
						c, dst := NewCipher(NewDomain(10, 1), key), make([]byte, n*BlockSize)
						spoil(c)
						f(c, dst)
						return dst
					}
					right := result(func(*Cipher) {})
					got := ""
					for _, s := range spoil {
						if !bytes.Equal(right, result(s.f)) {
							got += " " + s.form
						}
					}
					if form := " " + r.form; got != form && got+" lanes" != form {
						t.Errorf("%s of %d blocks takes%s, want%s", name, n, got, form)
					}
				}
			}
		}
		if n == 1 {
			t.Error("unknown tier")
		}
		// The cascade has its constants in one form, for its kernels alone.
		dom, data := NewDomain(16, 7), make([]byte, BlockSize)
		var right, got [KeySize]byte
		dom.Cascade(&right, data)
		dom.kernel.encrypt = [MaxSuperRounds]columns{}
		dom.Cascade(&got, data)
		if (got == right) != (t.Name() == "TestTiers/generic") {
			t.Error("the cascade is the work of another kernel")
		}
	})
}

// affine is VGF2P8AFFINEQB.
func affine(matrix []byte, x byte) (y byte) {
	for i := range 8 {
		for v := matrix[7-i] & x; v > 0; v &= v - 1 {
			y ^= 1 << i
		}
	}
	return y
}

// TestTables computes the tables and matrices of the kernels from the definitions.
func TestTables(t *testing.T) {
	s := constants(t)
	var unsigma [2][16]byte
	for i, table := range sigmaTables {
		for v, u := range table {
			unsigma[i][u] = byte(v)
		}
	}
	same := [2][16]byte{}
	for v := range byte(16) {
		same[0][v], same[1][v] = v, v
	}
	for _, test := range []struct {
		name   string
		sigma  [2][16]byte
		matrix [4][4]byte
	}{
		{"forward", sigmaTables, mdsMatrix},
		{"backward", unsigma, mdsInverse},
		{"inverse", same, mdsInverse},
		{"unsigma", unsigma, [4][4]byte{{1}, {0, 1}}},
	} {
		var want []byte
		for h := 0; h < 4; h += 2 {
			for row := range 4 {
				for v := range 16 {
					u := test.sigma[row%2][v]
					want = append(want, times(test.matrix[h][row], u)|times(test.matrix[h+1][row], u)<<4)
				}
			}
		}
		if got := s[test.name]; len(got) == 0 || !bytes.Equal(got, want[:len(got)]) {
			t.Errorf("%s is %x, want %x", test.name, got, want)
		}
	}
	// A nibble moves from where it is after SR of one super-round, or before it, to
	// where it is after that of another.
	place := func(s, row, column int) (found int) {
		var c cube
		c[column%4][row][column/4] = 1
		if s >= 0 {
			c.shift(s, 1)
		}
		each(func(x, y, z int) { found += int(c[x][y][z]) * (x + 4*z) })
		return found
	}
	for _, test := range []struct {
		name              string
		rotated, from, to int
	}{{"normalSlice", 0, -1, 0}, {"sliceNormal", 0, 0, -1}, {"sliceSheet", 0, 0, 1}, {"sheetRotated", 11, 1, 0}} {
		for i := range 64 {
			row, column := i/16, i%16
			from, to := place(test.from, row, column), place(test.to, row, (column+test.rotated)%16)
			if got := s[test.name][16*row+to]; int(got) != from {
				t.Errorf("%s takes %d of row %d from %d, not %d", test.name, to, row, got, from)
			}
		}
	}
	// Of an index for a shuffle not all bits count.
	for _, name := range []string{"gather", "upend", "scatter", "unpair", "swapBytes"} {
		if len(s[name]) == 0 {
			t.Errorf("no %s", name)
		}
		for i, v := range s[name] {
			if v > 15 {
				t.Errorf("byte %d of %s is %d", i, name, v)
			}
		}
	}
	for _, name := range []string{"zip", "unzip"} {
		if len(s[name]) == 0 {
			t.Errorf("no %s", name)
		}
		for i := 0; i < len(s[name]); i += 8 {
			if v := binary.LittleEndian.Uint64(s[name][i:]); v > 15 {
				t.Errorf("word %d of %s is %d", i/8, name, v)
			}
		}
	}
	for n := 1; n < 4; n++ {
		for x := range 256 {
			low, high := x&15, x>>4
			want := byte((low<<n|low>>(4-n))&15 | (high<<n|high>>(4-n))&15<<4)
			if got := affine(s["nibbleRotations"][8*n-8:], byte(x)); got != want {
				t.Errorf("the rotation by %d makes %02x of %02x", n, got, x)
			}
		}
	}
}

// TestColumns compares the form of blocks that the kernels for one block take with the
// cube.
func TestColumns(t *testing.T) {
	rng := conform.Rand(t)
	for range 10 {
		key := randomBytes(rng, KeySize)
		c := NewCipher(NewDomain(10, 0), key)
		cu := newCube(key)
		for s, shifted := range []cube{cu, cu} {
			shifted.shift(s, 1)
			x := c.four[0]
			x.moved(s)
			var got columns
			x.columns(&got)
			for i, v := range got {
				column, h := i%16, i/16*2
				x, z := column%4, column/4
				if want := shifted[x][h][z] | shifted[x][h+1][z]<<4; v != want {
					t.Fatalf("byte %d of %x is %02x, want %02x", i, key, v, want)
				}
			}
		}
	}
}

// constants returns those of the assembly.
func constants(t *testing.T) map[string][]byte {
	t.Helper()
	m, err := asmcheck.Constants("saturnin_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
