//go:build amd64 && gc && !purego

package kuznyechik

import (
	"bytes"
	"strconv"
	"testing"

	"xcipher/internal/asmcheck"
	"xcipher/internal/conform"
)

func (k *kernelKeys) checkKernelKeys(t *testing.T, want reference) {
	t.Helper()
	for i, w := range k.words {
		b := want[i/BlockSize][i%BlockSize]
		if k.keys[i] != b || w != uint32(b)*0x01010101 {
			t.Errorf("byte %d of the round keys is %#x and %#x, want %#x", i, k.keys[i], w, b)
		}
	}
}

// TestTiers sees which form of the round keys has an influence, and so which
// kernel works, for each tier and number of blocks.
func TestTiers(t *testing.T) {
	type run struct {
		most int // blocks
		form string
	}
	want := map[string][]run{
		"avx512":   {{8, "keys"}, {16, "words"}, {halfMin - 1, "words keys"}, {64, "words"}, {65, "words keys"}},
		"avx2gfni": {{wideMinGFNI - 1, "keys"}, {wide, "words"}, {wide + 1, "words keys"}},
		"avx2":     {{wideMin - 1, "keys"}, {wide, "words"}, {wide + 1, "words keys"}},
		"generic":  {{2*many + 1, "planes"}},
	}
	methods := map[string]func(k *roundKeys, dst []byte){
		"EncryptBlocks": func(k *roundKeys, dst []byte) { k.EncryptBlocks(dst, dst) },
		"DecryptBlocks": func(k *roundKeys, dst []byte) { k.DecryptBlocks(dst, dst) },
		"XORCounter":    func(k *roundKeys, dst []byte) { k.XORCounter(dst, nil, make([]byte, BlockSize), 0, BlockSize) },
		"Chain":         func(k *roundKeys, dst []byte) { k.Chain(dst, dst, make([]byte, BlockSize)) },
	}
	conform.Each(t, func(t *testing.T) {
		runs := want[t.Name()[len("TestTiers/"):]]
		n := 1
		for _, r := range runs {
			for ; n <= r.most; n++ {
				for name, f := range methods {
					result := func(spoil func(k *roundKeys)) []byte {
						k, dst := newRoundKeys(make([]byte, KeySize)), make([]byte, n*BlockSize)
						spoil(k)
						f(k, dst)
						return dst
					}
					right := result(func(*roundKeys) {})
					got := ""
					if !bytes.Equal(right, result(func(k *roundKeys) { clear(k.words[:]) })) {
						got += " words"
					}
					if !bytes.Equal(right, result(func(k *roundKeys) { clear(k.keys[:]) })) {
						got += " keys"
					}
					if !bytes.Equal(right, result(func(k *roundKeys) { k.encrypt, k.decrypt = schedule{}, schedule{} })) {
						got += " planes"
					}
					form := r.form
					if name == "Chain" {
						form = runs[0].form // whatever the number
					}
					if got != " "+form {
						t.Errorf("%s of %d blocks takes%s, want %s", name, n, got, form)
					}
				}
			}
		}
		if n == 1 {
			t.Error("unknown tier")
		}
	})
}

// TestWidth: no kernel takes more than it must.
func TestWidth(t *testing.T) {
	for n := 1; n <= 200; n++ {
		w := width(n)
		if (w == sliced) != (n >= slicedMin) || (w == half) != (n >= halfMin && n < slicedMin) || w < min(n, 16) || w < half && w > 1 && w >= 4*n {
			t.Errorf("width(%d) = %d", n, w)
		}
	}
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

// TestTables computes the constants of the kernels from the definitions.
func TestTables(t *testing.T) {
	s := constants(t)
	if !bytes.Equal(s["pi"], piTable[:]) || !bytes.Equal(s["piInverse"], piInverseTable[:]) {
		t.Error("pi or piInverse is wrong")
	}
	for i := range 32 {
		if c := constant(i + 1); !bytes.Equal(s["roundConstants"][16*i:][:16], c[:]) {
			t.Errorf("C_%d is wrong", i+1)
		}
	}
	for b := range 8 {
		for x := range 256 {
			for half := range 2 {
				if affine(s["powers"][16*b+8*half:], byte(x)) != multiply(1<<b, byte(x)) {
					t.Fatalf("powers: x^%d is wrong", b)
				}
			}
		}
	}
	// Of byte k of the result, the coefficient of byte j.
	for _, m := range []struct {
		own, other string
		f          func(block) block
	}{{"own", "other", block.l}, {"ownInverse", "otherInverse", block.lInverse}} {
		for j := range 16 {
			unit := block{}
			unit[j] = 1
			var got block
			for k := range 16 {
				rows, place := s[m.own], k
				if k/8 != j/8 {
					rows, place = s[m.other], (k+8)%16
				}
				for b := range 8 {
					got[k] |= rows[16*b+place] >> (7 - j%8) & 1 << b
				}
			}
			if want := m.f(unit); got != want {
				t.Errorf("%s, %s: column %d is %x, want %x", m.own, m.other, j, got, want)
			}
		}
	}
	// The entries of the matrices by registers of places, lanes and rotations of lanes.
	for name, f := range map[string]func(block) block{"entries": block.l, "entriesInverse": block.lInverse} {
		for n := range 256 {
			from, turn, to, lane := n/64, n/16%4, n/4%4, n%4
			unit := block{}
			unit[4*from+(lane+turn)%4] = 1
			c := f(unit)[4*to+lane]
			for b := range 8 {
				for half := range 2 {
					if affine(s[name][16*n+8*half:], 1<<b) != multiply(c, 1<<b) {
						t.Fatalf("%s: entry %d is wrong", name, n)
					}
				}
			}
		}
	}
	// Without GFNI: the bytes, times powers of x, that are added to byte k.
	for name, f := range map[string]func(block) block{"terms": block.l, "termsInverse": block.lInverse} {
		var got [16]block
		for b := range 4 {
			for i, j := range s[name+strconv.Itoa(b)] {
				if j < 128 {
					got[j%16][i%16] ^= 1 << (b + i/16%2*4)
				}
			}
		}
		for j := range 16 {
			unit := block{}
			unit[j] = 1
			if want := f(unit); got[j] != want {
				t.Errorf("%s: column %d is %x, want %x", name, j, got[j], want)
			}
		}
	}
	for x := range 256 {
		for i, c := range []byte{1, 16} {
			if got := s["fourth0"][16*i+x&15] ^ s["fourth1"][16*i+x>>4]; got != multiply(c, byte(x)) {
				t.Errorf("%d times %#x is %#x", c, x, got)
			}
		}
	}
	for i, v := range s["reduction"] {
		if v != multiply(2, 128) || s["lane"][i] != byte(i/16*128) {
			t.Errorf("byte %d of reduction or of lane is wrong", i)
		}
	}
	// The products of the factors are the coefficients of a_8, a_6, ..., a_2.
	for i, n := range []int{8, 6, 5, 4, 3, 2} {
		for x := range 256 {
			v, w, u := byte(x), byte(x), byte(x)
			for j := i; j < 6; j++ {
				name := string(rune('0' + j))
				v = affine(s["factors"][8*j:], v)
				w = affine(s["product"+name], w)
				u = s["lower"+name][u&15] ^ s["upper"+name][16+u>>4]
			}
			if want := multiply(coefficients[15-n], byte(x)); v != want || w != want || u != want {
				t.Fatalf("the factors of a_%d are wrong", n)
			}
		}
	}
}

// constants returns those of the assembly.
func constants(t *testing.T) map[string][]byte {
	t.Helper()
	m, err := asmcheck.Constants("kuznyechik_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
