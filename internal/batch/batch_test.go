package batch

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"fmt"
	"math/big"
	"testing"

	"xcipher/internal/conform"
)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		kind string
		size int
	}{{"plain", 8}, {"both", 16}, {"both", 32}} { // TestAgree has the others
		t.Run(fmt.Sprint(c.kind, c.size), func(t *testing.T) { conform.TestBlock(t, []int{16}, blockOf(c.size, c.kind)) })
	}
}

func TestPanics(t *testing.T) {
	each(t, func(t *testing.T, k Kernel) {
		b, n := New("name", k), k.BlockSize()
		p := make([]byte, 3*n)
		for want, f := range map[string]func(){
			"name: input not full block":     func() { b.Encrypt(p, p[:n-1]) },
			"name: output not full block":    func() { b.Decrypt(p[:n-1], p) },
			"name: invalid buffer overlap":   func() { b.Encrypt(p[1:], p) },
			"cipher.NewCTR: IV length":       func() { b.NewCTR(p[:n-1]) },
			"cipher.NewCBCEncrypter: IV len": func() { b.NewCBCEncrypter(p[:n+1]) },
			"cipher.NewCBCDecrypter: IV len": func() { b.NewCBCDecrypter(nil) },
		} {
			conform.MustPanic(t, want, f)
		}
	})
}

func TestCheckBlocks(t *testing.T) {
	p := make([]byte, 100)
	CheckBlocks("name", 16, p, nil)
	CheckBlocks("name", 16, nil, nil)
	CheckBlocks("name", 16, p, p[:32])
	CheckBlocks("name", 16, p, p[32:64])
	CheckBlocks("name", 16, p[32:], p[:32])
	conform.MustPanic(t, "name: input not full blocks", func() { CheckBlocks("name", 16, nil, p[:15]) })
	conform.MustPanic(t, "name: input not full blocks", func() { CheckBlocks("name", 16, p, p[:33]) })
	conform.MustPanic(t, "name: output smaller than input", func() { CheckBlocks("name", 16, p[:31:64], p[:32]) })
	conform.MustPanic(t, "name: invalid buffer overlap", func() { CheckBlocks("name", 16, p[31:], p[:32]) })
	conform.MustPanic(t, "name: invalid buffer overlap", func() { CheckBlocks("name", 16, p, p[16:48]) })
}

func TestOf(t *testing.T) {
	each(t, func(t *testing.T, k Kernel) {
		b := New("toy", k)
		if Of(b) != k {
			t.Errorf("Of our own block is not its kernel")
		}
		if _, ok := Of(hidden{b}).(foreign); !ok {
			t.Errorf("Of a block that hides ours is no adapter")
		}
		checkForeign(t, hidden{b})
	})
	checkForeign(t, hidden{New("toy", newToy(1, nil))})
	a, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	checkForeign(t, a)
	d, err := des.NewTripleDESCipher(make([]byte, 24))
	if err != nil {
		t.Fatal(err)
	}
	checkForeign(t, d)
}

// checkForeign compares the adapter for b with b.
func checkForeign(t *testing.T, b cipher.Block) {
	t.Helper()
	rng := conform.Rand(t)
	k, n := Of(b), b.BlockSize()
	if k.BlockSize() != n {
		t.Fatalf("block size %d, want %d", k.BlockSize(), n)
	}
	for blocks := range 10 {
		x := make([]byte, blocks*n)
		for i := range x {
			x[i] = byte(rng.Uint32())
		}
		e, d := bytes.Clone(x), bytes.Clone(x)
		for i := 0; i < len(x); i += n {
			b.Encrypt(e[i:], e[i:])
			b.Decrypt(d[i:], d[i:])
		}
		for name, c := range map[string]struct {
			f    func(dst, src []byte)
			want []byte
		}{"EncryptBlocks": {k.EncryptBlocks, e}, "DecryptBlocks": {k.DecryptBlocks, d}} {
			y := make([]byte, len(x))
			if c.f(y, x); !bytes.Equal(y, c.want) {
				t.Errorf("%s of %d blocks differs from the block's own", name, blocks)
			}
			copy(y, x)
			if c.f(y, y); !bytes.Equal(y, c.want) {
				t.Errorf("%s of %d blocks in place differs from the block's own", name, blocks)
			}
		}
	}
}

// TestOwn checks that a kernel's own methods are used, and else the plain ones.
func TestOwn(t *testing.T) {
	each(t, func(t *testing.T, k Kernel) {
		n := k.BlockSize()
		_, counts := k.(Counter)
		_, chains := k.(Chain)
		if own := CounterOf(k) == any(k); own != counts {
			t.Errorf("CounterOf returns the kernel itself: %v, want %v", own, counts)
		}
		if own := ChainOf(k) == any(k); own != chains {
			t.Errorf("ChainOf returns the kernel itself: %v, want %v", own, chains)
		}
		p := make([]byte, 4*n)
		b := New("toy", k)
		b.NewCTR(p[:n]).XORKeyStream(p, p)
		b.NewCBCEncrypter(p[:n]).CryptBlocks(p, p)
		b.NewCBCDecrypter(p[:n]).CryptBlocks(p, p)
		if own, ok := k.(toyCBC); ok && own.cbcs.Load() != 1 {
			t.Errorf("own CBC decryption is called %d times", own.cbcs.Load())
		}
		var counted, chained int64
		switch k := k.(type) {
		case toyCounter:
			counted = k.counts.Load()
		case toyChain:
			chained = k.chains.Load()
		case toyBoth:
			counted, chained = k.counts.Load(), k.chain.chains.Load()
		}
		if counts != (counted == 1) || chains != (chained == 1) {
			t.Errorf("own methods are called %d and %d times", counted, chained)
		}
	})
}

// refCounter is XORCounter by its definition, with a big integer.
func refCounter(k Kernel, src, ctr []byte, from, to int) (out, next []byte) {
	n := k.BlockSize()
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(8*(to-from)))
	next = bytes.Clone(ctr)
	for i := 0; i < len(src); i += n {
		block := make([]byte, n)
		k.EncryptBlocks(block, next)
		for j := range block {
			out = append(out, block[j]^src[i+j])
		}
		v := new(big.Int).SetBytes(next[from:to])
		v.Add(v, big.NewInt(1)).Mod(v, modulus).FillBytes(next[from:to])
	}
	return out, next
}

// TestCounter counts in all kinds of sub-ranges, from values that wrap or carry.
func TestCounter(t *testing.T) {
	rng := conform.Rand(t)
	each(t, func(t *testing.T, k Kernel) {
		n := k.BlockSize()
		c := CounterOf(k)
		for _, r := range [][2]int{{0, n}, {n / 2, n}, {0, n / 2}, {n - 1, n}, {0, 1}, {3, 6}, {n - 4, n}, {n - 6, n}, {n - 7, n}, {n / 2, n/2 + 1}, {n / 2, n - 4}, {1, n}, {2, 2}} {
			from, to := r[0], r[1]
			for _, blocks := range []int{0, 1, 2, 3, 5, BufSize/n - 1, BufSize / n, BufSize/n + 1, 2*BufSize/n + 3, 300} {
				src, ctr := make([]byte, blocks*n), make([]byte, n)
				for i := range src {
					src[i] = byte(rng.Uint32())
				}
				for i := range ctr {
					ctr[i] = byte(rng.Uint32())
				}
				first := from // in every other case all of the counter wraps
				if rng.IntN(2) == 0 {
					first += rng.IntN(to - from + 1)
				}
				for i := first; i < to; i++ {
					ctr[i] = 0xff
				}
				if to > from {
					ctr[to-1] -= byte(rng.IntN(blocks + 2))
				}
				want, next := refCounter(k, src, ctr, from, to)
				zeros, _ := refCounter(k, make([]byte, len(src)), ctr, from, to)
				check := func(what string, dst, src, want []byte) {
					t.Helper()
					own := bytes.Clone(ctr)
					if c.XORCounter(dst, src, own, from, to); !bytes.Equal(dst, want) {
						t.Fatalf("%s: counter %x[%d:%d], %d blocks: wrong result", what, ctr, from, to, blocks)
					}
					if !bytes.Equal(own, next) {
						t.Fatalf("%s: counter %x[%d:%d], %d blocks: is %x after, want %x", what, ctr, from, to, blocks, own, next)
					}
				}
				check("src", make([]byte, len(src)), bytes.Clone(src), want)
				in := bytes.Clone(src)
				check("in place", in, in, want)
				check("no src", bytes.Repeat([]byte{42}, len(src)), nil, zeros)
			}
		}
	})
}

func TestChain(t *testing.T) {
	rng := conform.Rand(t)
	each(t, func(t *testing.T, k Kernel) {
		n := k.BlockSize()
		c := ChainOf(k)
		for _, blocks := range []int{0, 1, 2, 7, 100} {
			src, st := make([]byte, blocks*n), make([]byte, n)
			for i := range src {
				src[i] = byte(rng.Uint32())
			}
			st[rng.IntN(n)] = 99
			var want []byte
			end := bytes.Clone(st)
			for i := 0; i < len(src); i += n {
				for j := range end {
					end[j] ^= src[i+j]
				}
				k.EncryptBlocks(end, end)
				want = append(want, end...)
			}
			check := func(what string, dst, src, want []byte) {
				t.Helper()
				own := bytes.Clone(st)
				if c.Chain(dst, src, own); !bytes.Equal(dst, want) || !bytes.Equal(own, end) {
					t.Errorf("%s: %d blocks: wrong result or state", what, blocks)
				}
			}
			check("dst", make([]byte, len(src)), src, want)
			check("no dst", nil, src, nil)
			in := bytes.Clone(src)
			check("in place", in, in, want)
		}
	})
}

func TestIncrement(t *testing.T) {
	rng := conform.Rand(t)
	for n := range 40 {
		modulus := new(big.Int).Lsh(big.NewInt(1), uint(8*n))
		for range 200 {
			c := make([]byte, n)
			for i := range c {
				c[i] = byte(rng.Uint32())
			}
			for i := rng.IntN(n + 1); i < n; i++ {
				c[i] = 0xff
			}
			want := make([]byte, n)
			v := new(big.Int).SetBytes(c)
			v.Add(v, big.NewInt(1)).Mod(v, modulus).FillBytes(want)
			got := bytes.Clone(c)
			if Increment(got); !bytes.Equal(got, want) {
				t.Fatalf("Increment(%x) = %x, want %x", c, got, want)
			}
		}
	}
}

func TestFill(t *testing.T) {
	ctr := []byte{1, 0xff, 0xff, 0xfe, 5}
	dst := make([]byte, 4*5)
	Fill(dst, ctr, 2, 4)
	want := []byte{
		1, 0xff, 0xff, 0xfe, 5,
		1, 0xff, 0xff, 0xff, 5,
		1, 0xff, 0, 0, 5,
		1, 0xff, 0, 1, 5,
	}
	if !bytes.Equal(dst, want) {
		t.Errorf("Fill writes %x, want %x", dst, want)
	}
	if want := []byte{1, 0xff, 0, 2, 5}; !bytes.Equal(ctr, want) {
		t.Errorf("Fill leaves %x, want %x", ctr, want)
	}
	if Fill(nil, ctr, 0, 5); ctr[4] != 5 {
		t.Errorf("Fill of nothing moves the counter")
	}
}

func TestNew(t *testing.T) {
	each(t, func(t *testing.T, k Kernel) {
		if n := New("toy", k).BlockSize(); n != k.BlockSize() {
			t.Errorf("block size %d, want %d", n, k.BlockSize())
		}
		var b *Cipher
		conform.Allocs(t, "New", 1, func() { b = New("toy", k) })
		p := make([]byte, k.BlockSize())
		conform.Allocs(t, "Encrypt", 0, func() { b.Encrypt(p, p) })
	})
}

func TestBuf(t *testing.T) {
	for _, used := range []int{0, 1, 100, BufSize, BufSize + 1, 1 << 20} {
		b := GetBuf()
		for i := range b {
			b[i] = 42
		}
		PutBuf(b, used)
		if n := min(used, BufSize); !bytes.Equal(b[:n], make([]byte, n)) {
			t.Errorf("PutBuf(b, %d) leaves what was used", used)
		}
	}
	conform.Allocs(t, "GetBuf and PutBuf", 0, func() { PutBuf(GetBuf(), BufSize) })
}
