package kuznyechik

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
)

// toBlock reads 32 hexadecimal digits.
func toBlock(t testing.TB, s string) block { return block(unhex(t, s)) }

// reversed has the bytes of a block in reverse order.
func (a block) reversed() block {
	slices.Reverse(a[:])
	return a
}

// linears are the forms of L, each from one block to one block.
var linears = map[string]func(a block) block{
	"linearOne":    func(a block) block { return onPlanes(a, 0, (*planes).linearOne) },
	"linearFour/0": func(a block) block { return onPlanes(a, 0, (*planes).linearFour) },
	"linearFour/1": func(a block) block { return onPlanes(a, 1, (*planes).linearFour) },
	"linearFour/2": func(a block) block { return onPlanes(a, 2, (*planes).linearFour) },
	"linearFour/3": func(a block) block { return onPlanes(a, 3, (*planes).linearFour) },
	"register/0":   func(a block) block { return onRegister(a, 0) },
	"register/37":  func(a block) block { return onRegister(a, 37) },
	"register/63":  func(a block) block { return onRegister(a, 63) },
}

// onPlanes applies f to block k of planes, whose other blocks are random.
func onPlanes(a block, k int, f func(p *planes)) block {
	four := make([]byte, 4*BlockSize)
	for i := range four {
		four[i] = byte(rand.Uint32())
	}
	copy(four[k*BlockSize:], a[:])
	var p planes
	p.load(four, false)
	f(&p)
	p.store(four, false)
	return block(four[k*BlockSize:])
}

// onRegister applies L to block k of a state.
func onRegister(a block, k int) block {
	all := make([]byte, many*BlockSize)
	for i := range all {
		all[i] = byte(rand.Uint32())
	}
	copy(all[k*BlockSize:], a[:])
	var s register
	s.lower().load(all, false)
	s.linear()
	s.upper().store(all, false)
	return block(all[k*BlockSize:])
}

// TestRFC7801 has all of section 5.
func TestRFC7801(t *testing.T) {
	chain := func(name string, f func(a block) block, values ...string) {
		t.Helper()
		for i := range values[1:] {
			if got := f(toBlock(t, values[i])); got != toBlock(t, values[i+1]) {
				t.Errorf("%s(%s) = %x, want %s", name, values[i], got, values[i+1])
			}
		}
	}
	s := []string{
		"ffeeddccbbaa99881122334455667700", "b66cd8887d38e8d77765aeea0c9a7efc",
		"559d8dd7bd06cbfe7e7b262523280d39", "0c3322fed531e4630d80ef5c5a81c50b",
		"23ae65633f842d29c5df529c13f5acda",
	}
	chain("S", func(a block) block { return onPlanes(a, 2, (*planes).pi) }, s...)
	slices.Reverse(s)
	chain("S^-1", func(a block) block { return onPlanes(a, 3, (*planes).piInverse) }, s...)

	r := []string{
		"00000000000000000000000000000100", "94000000000000000000000000000001",
		"a5940000000000000000000000000000", "64a59400000000000000000000000000",
		"0d64a594000000000000000000000000",
	}
	chain("R", func(a block) block {
		var s register
		s.lower().load(a[:], false)
		step((*[17]planes)(s[:]))
		s.upper()[15] = s[16]
		copy(s[16:31], s[1:])
		s.upper().store(a[:], false)
		return a
	}, r...)
	slices.Reverse(r)
	chain("R^-1", block.rInverse, r...)

	l := []string{
		"64a59400000000000000000000000000", "d456584dd0e3e84cc3166e4b7fa2890d",
		"79d26221b87b584cd42fbc4ffea5de9a", "0e93691a0cfc60408b7b68f66b513c13",
		"e6a8094fee0aa204fd97bcb0b44b8580",
	}
	for name, f := range linears {
		chain("L by "+name, f, l...)
	}
	slices.Reverse(l)
	for name, f := range linears {
		chain("L^-1 by "+name, func(a block) block { return f(a.reversed()).reversed() }, l...)
	}

	k := newRoundKeys(unhex(t, exampleKey))
	want := newReference(unhex(t, exampleKey))
	for i, s := range []string{
		"8899aabbccddeeff0011223344556677", "fedcba98765432100123456789abcdef",
		"db31485315694343228d6aef8cc78c44", "3d4553d8e9cfec6815ebadc40a9ffd04",
		"57646468c44a5e28d3e59246f429f1ac", "bd079435165c6432b532e82834da581b",
		"51e640757e8745de705727265a0098b1", "5a7925017b9fdd3ed72a91a22286f984",
		"bb44e25378c73123a5f32f73cdb6e517", "72e9dd7416bcf45b755dbaa88e4a4043",
	} {
		if want[i] != toBlock(t, s) {
			t.Errorf("K_%d of the reference is %x, want %s", i+1, want[i], s)
		}
		for _, p := range []planes{k.encrypt[i], k.decrypt[9-i]} {
			four := make([]byte, 4*BlockSize)
			p.store(four, p == k.decrypt[9-i])
			if !bytes.Equal(four, bytes.Repeat(unhex(t, s), 4)) {
				t.Errorf("K_%d is %x, want four times %s", i+1, four, s)
			}
		}
	}

	// LSX[K_i] ... LSX[K_1](a)
	a := unhex(t, "1122334455667700ffeeddccbbaa9988")
	for i, s := range []string{
		"e297b686e355b0a1cf4a2f9249140830", "285e497a0862d596b36f4258a1c69072",
		"0187a3a429b567841ad50d29207cc34e", "ec9bdba057d4f4d77c5d70619dcad206",
		"1357fd11de9257290c2a1473eb6bcde1", "28ae31e7d4c2354261027ef0b32897df",
		"07e223d56002c013d3f5e6f714b86d2d", "cd8ef6cd97e0e092a8e4cca61b38bf65",
		"0d8e40e4a800d06b2f1b37ea379ead8e",
	} {
		var p planes
		p.load(a, false)
		p.add(&k.encrypt[i])
		p.pi()
		p.linear(1)
		p.store(a, false)
		if !bytes.Equal(a, unhex(t, s)) {
			t.Errorf("round %d gives %x, want %s", i+1, a, s)
		}
	}
	a, b := unhex(t, "1122334455667700ffeeddccbbaa9988"), unhex(t, "7f679d90bebc24305a468d42b9d4edcd")
	c := newCipher(t, unhex(t, exampleKey))
	got := make([]byte, BlockSize)
	if c.Encrypt(got, a); !bytes.Equal(got, b) {
		t.Errorf("E(%x) = %x, want %x", a, got, b)
	}
	if c.Decrypt(got, b); !bytes.Equal(got, a) {
		t.Errorf("D(%x) = %x, want %x", b, got, a)
	}
}

func TestPi(t *testing.T) {
	check := func(name string, f func(p *planes), table *[256]byte) {
		for x := 0; x < 256; x += 64 {
			var p planes
			for i := range 64 {
				for b := range p {
					p[b] |= uint64((x+i)>>b&1) << i
				}
			}
			f(&p)
			for i := range 64 {
				y := byte(0)
				for b := range p {
					y |= byte(p[b]>>i&1) << b
				}
				if y != table[x+i] {
					t.Errorf("%s(%d) = %d, want %d", name, x+i, y, table[x+i])
				}
			}
		}
	}
	check("pi", (*planes).pi, &piTable)
	check("piInverse", (*planes).piInverse, &piInverseTable)
}

// TestLinear compares all forms of L with R^16, on each single bit.
func TestLinear(t *testing.T) {
	rng := conform.Rand(t)
	for i := range 200 {
		var a block
		if i < 128 {
			a[i/8] = 1 << (i % 8)
		} else {
			copy(a[:], random(rng, BlockSize))
		}
		for name, f := range linears {
			if got, want := f(a), a.l(); got != want {
				t.Errorf("L(%x) by %s is %x, want %x", a, name, got, want)
			}
			if got, want := f(a.reversed()).reversed(), a.lInverse(); got != want {
				t.Errorf("L^-1(%x) by %s is %x, want %x", a, name, got, want)
			}
		}
		if a.l().lInverse() != a {
			t.Errorf("the reference does not invert L(%x)", a)
		}
	}
}

func TestRoundConstants(t *testing.T) {
	for i, c := range roundConstants {
		var got block
		hi, lo := c.unpack()
		storeBlock(got[:], hi, lo, false)
		if want := constant(i + 1); got != want {
			t.Errorf("C_%d is %x, want %x", i+1, got, want)
		}
	}
	if constant(1) != toBlock(t, "6ea276726c487ab85d27bd10dd849401") {
		t.Error("C_1 of the reference is wrong")
	}
}

// TestFactors computes the tables of linearOne from the coefficients of l.
func TestFactors(t *testing.T) {
	c := coefficients.reversed() // c_0 first
	inverse := block{1}          // 1 / (c_0 + c_1 x + ...), as c_0 is 1
	for n := 1; n < 16; n++ {
		for i := range n {
			inverse[n] ^= multiply(c[n-i], inverse[i])
		}
	}
	check := func(name string, table *[27]uint64, factor block) {
		var p planes
		for n, a := range factor {
			for b := range p {
				p[b] |= uint64(a>>b&1) << (4 * n)
			}
		}
		// Each digit of i in base 3 says what of two halves: the first, the
		// second or their sum.
		for i, got := range table {
			four, two, one := i/9, i/3%3, i%3
			want := uint64(0)
			for b := range p {
				in := func(digit, bit int) bool { return digit == 2 || digit == bit }
				if in(four, b>>2) && in(two, b>>1&1) && in(one, b&1) {
					want ^= p[b]
				}
			}
			if got != want {
				t.Errorf("%s[%d] is %#x, want %#x", name, i, got, want)
			}
		}
	}
	c[0] = 0
	check("upperFactor", &upperFactor, c)
	check("lowerFactor", &lowerFactor, inverse)
}

// TestReference compares all paths with the reference, for 0 to 130 blocks.
func TestReference(t *testing.T) {
	const most = 130
	type path struct {
		name             string
		least, most      int // blocks
		encrypt, decrypt func(k *roundKeys, dst, src []byte)
	}
	paths := []path{
		{"EncryptBlocks", 0, most, (*roundKeys).EncryptBlocks, (*roundKeys).DecryptBlocks},
		{"generic", 0, most,
			func(k *roundKeys, dst, src []byte) { encryptGeneric(&k.encrypt, dst, src) },
			func(k *roundKeys, dst, src []byte) { decryptGeneric(&k.decrypt, dst, src) }},
		{"few", 1, few,
			func(k *roundKeys, dst, src []byte) { encryptFew(&k.encrypt, dst, src) },
			func(k *roundKeys, dst, src []byte) { decryptFew(&k.decrypt, dst, src) }},
		{"many", 1, many,
			func(k *roundKeys, dst, src []byte) { encryptMany(&k.encrypt, dst, src) },
			func(k *roundKeys, dst, src []byte) { decryptMany(&k.decrypt, dst, src) }},
	}
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		check := func(what string, crypt func(k *roundKeys, dst, src []byte), k *roundKeys, src, want []byte) {
			dst := random(rng, len(src)+1) // one byte more: it must stay
			end := dst[len(src)]
			crypt(k, dst[:len(src)], src)
			if !bytes.Equal(dst[:len(src)], want) || dst[len(src)] != end {
				t.Errorf("%s differs from the reference", what)
			}
			copy(dst, src)
			crypt(k, dst[:len(src)], dst[:len(src)])
			if !bytes.Equal(dst[:len(src)], want) || dst[len(src)] != end {
				t.Errorf("%s in place differs from the reference", what)
			}
		}
		for n := range most + 1 {
			key, text := random(rng, KeySize), random(rng, n*BlockSize)
			k, ref := newRoundKeys(key), newReference(key)
			var encrypted, decrypted []byte
			for b := range slices.Chunk(text, BlockSize) {
				e, d := ref.encrypt(block(b)), ref.decrypt(block(b))
				encrypted, decrypted = append(encrypted, e[:]...), append(decrypted, d[:]...)
			}
			for _, p := range paths {
				if n >= p.least && n <= p.most {
					check(fmt.Sprintf("%s: encryption of %d blocks", p.name, n), p.encrypt, k, text, encrypted)
					check(fmt.Sprintf("%s: decryption of %d blocks", p.name, n), p.decrypt, k, text, decrypted)
				}
			}
		}
	})
}

// TestXORCounter compares XORCounter with a plain loop, on counters that wrap.
func TestXORCounter(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		k := newRoundKeys(random(rng, KeySize))
		plain := batch.CounterOf(struct{ batch.Kernel }{k})
		for n := range 131 {
			for _, field := range [][2]int{{0, 16}, {8, 16}, {0, 8}, {0, 1}, {15, 16}} {
				from, to := field[0], field[1]
				ctr := random(rng, BlockSize)
				for i := from; i < to; i++ {
					ctr[i] = 0xff
				}
				ctr[to-1] = byte(rng.Uint32()) // carries through all bytes, or not
				src, want := random(rng, n*BlockSize), make([]byte, n*BlockSize)
				wantCtr := bytes.Clone(ctr)
				plain.XORCounter(want, src, wantCtr, from, to)

				got, gotCtr := bytes.Clone(src), bytes.Clone(ctr)
				k.XORCounter(got, got, gotCtr, from, to)
				if !bytes.Equal(got, want) || !bytes.Equal(gotCtr, wantCtr) {
					t.Errorf("%d blocks from %x, counting [%d:%d]: wrong, next %x, want %x", n, ctr, from, to, gotCtr, wantCtr)
				}
				copy(gotCtr, ctr)
				k.XORCounter(got, nil, gotCtr, from, to)
				subtle.XORBytes(got, got, src)
				if !bytes.Equal(got, want) || !bytes.Equal(gotCtr, wantCtr) {
					t.Errorf("%d blocks of key stream from %x, counting [%d:%d]: wrong, next %x, want %x", n, ctr, from, to, gotCtr, wantCtr)
				}
			}
		}
	})
}
