package streebog

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"

	"xcipher/internal/conform"
)

// words returns a vector as a natural state.
func words(v vector) (w [8]uint64) {
	b := reversed(v[:])
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return w
}

// arranged moves every bit of a natural state to where turned or sliced states have it.
func arranged(w [8]uint64, sliced bool) (t [8]uint64) {
	for row := range 8 {
		for column := range 8 {
			for place := range 8 {
				to := 8*row + place
				if sliced {
					to = 8*place + row
				}
				t[column] |= w[row] >> (8*column + place) & 1 << to
			}
		}
	}
	return t
}

func randomVector(rng *rand.Rand) (v vector) {
	for i := range v {
		v[i] = byte(rng.Uint32())
	}
	return v
}

// TestPi puts every byte in every position of a state.
func TestPi(t *testing.T) {
	for start := range 256 {
		var v vector
		for i := range v {
			v[i] = byte(start + i)
		}
		w := words(v)
		w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7] = swapBits(pi(swapBits(
			w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7])))
		if w != words(S(v)) {
			t.Fatalf("pi of %x is %x", v, w)
		}
	}
}

// TestP checks that the numbers of the bytes go where tau sends them.
func TestP(t *testing.T) {
	var v vector
	for i := range v {
		v[i] = byte(63 - i)
	}
	w := words(v)
	turn(&w)
	if w != words(P(v)) {
		t.Errorf("%x", w)
	}
	moved := P(v)
	for i, n := range reversed(moved[:]) {
		if int(n) != tauTable[i] {
			t.Errorf("byte %d is number %d", i, n)
		}
	}
}

// TestL multiplies all unit vectors by the matrix A, in all rows. L is linear, so this
// covers every input.
func TestL(t *testing.T) {
	for i := range 512 {
		var v vector
		v[i/8] = 0x80 >> (i % 8)
		want := words(L(v))
		if row := 7 - i/64; want[row] != matrixA[i%64] {
			t.Fatalf("the reference gives %x for bit %d", want, i)
		}
		w := arranged(words(v), false)
		w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7] = lBytes(
			w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7])
		if w != arranged(want, false) {
			t.Errorf("lBytes, bit %d: %x", i, w)
		}
		w = arranged(words(v), true)
		w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7] = lPlanes(
			w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7])
		if w != arranged(want, true) {
			t.Errorf("lPlanes, bit %d: %x", i, w)
		}
	}
}

func TestLPS(t *testing.T) {
	rng := conform.Rand(t)
	for range 100 {
		v, key := randomVector(rng), randomVector(rng)
		w, k, want := words(v), words(key), words(LPS(X(key, v)))
		turned, sliced := arranged(w, false), arranged(w, true)
		kTurned, kSliced := arranged(k, false), arranged(k, true)
		if lpsNatural(&w, &k); w != arranged(want, false) {
			t.Errorf("lpsNatural of %x, %x: %x", v, key, w)
		}
		if lpsTurned(&turned, &kTurned); turned != arranged(want, true) {
			t.Errorf("lpsTurned of %x, %x: %x", v, key, turned)
		}
		if lpsSliced(&sliced, &kSliced); sliced != arranged(want, false) {
			t.Errorf("lpsSliced of %x, %x: %x", v, key, sliced)
		}
	}
}

func TestIterationConstants(t *testing.T) {
	for i, got := range iterationConstants {
		if got != arranged(words(constant(i+1)), i%2 == 1) {
			t.Errorf("C_%d is not what RFC 6986 prints", i+1)
		}
	}
}

func TestG(t *testing.T) {
	rng := conform.Rand(t)
	for range 100 {
		h, n, m := randomVector(rng), randomVector(rng), randomVector(rng)
		hw, nw, mw := words(h), words(n), words(m)
		if gGeneric(&hw, &nw, &mw); hw != words(G(n, h, m)) {
			t.Fatalf("g_N of N %x, h %x, m %x: %x", n, h, m, hw)
		}
		if nw != words(n) || mw != words(m) {
			t.Fatal("g changes its arguments")
		}
	}
}

// limbs returns a natural state whose words are likely to pass a carry on.
func limbs(rng *rand.Rand) (w [8]uint64) {
	edges := []uint64{0, 1, 1<<63 - 1, 1 << 63, 1<<64 - 512, 1<<64 - 2, 1<<64 - 1}
	for i := range w {
		if w[i] = rng.Uint64(); rng.IntN(4) > 0 {
			w[i] = edges[rng.IntN(len(edges))]
		}
	}
	return w
}

func TestAdd(t *testing.T) {
	toBig := func(w [8]uint64) *big.Int {
		sum := new(big.Int)
		for i := 7; i >= 0; i-- {
			sum.Lsh(sum, 64).Or(sum, new(big.Int).SetUint64(w[i]))
		}
		return sum
	}
	rng := conform.Rand(t)
	modulus := new(big.Int).Lsh(big.NewInt(1), 512)
	for range 10000 {
		a, b := limbs(rng), limbs(rng)
		want := new(big.Int).Add(toBig(a), toBig(b))
		got := a
		if add(&got, &b); toBig(got).Cmp(want.Mod(want, modulus)) != 0 {
			t.Fatalf("%x + %x = %x", a, b, got)
		}
	}
}

// TestReference compares every length up to 300 bytes with the RFC done bit for bit.
func TestReference(t *testing.T) {
	rng := conform.Rand(t)
	type message struct{ m, want256, want512 []byte }
	var messages []message
	for n := range 301 {
		m := make([]byte, n)
		for i := range m {
			m[i] = byte(rng.Uint32() | uint32(rng.IntN(4)/3*0xff)) // ff is frequent, for carries
		}
		messages = append(messages, message{m, newReference(Size256).sum(Size256, m), newReference(Size).sum(Size, m)})
	}
	conform.Each(t, func(t *testing.T) {
		for _, c := range messages {
			if got := Sum256(c.m); !bytes.Equal(got[:], c.want256) {
				t.Errorf("Streebog-256 of %x: %x, want %x", c.m, got, c.want256)
			}
			if got := Sum512(c.m); !bytes.Equal(got[:], c.want512) {
				t.Errorf("Streebog-512 of %x: %x, want %x", c.m, got, c.want512)
			}
		}
	})
}

// TestCounters starts from states that no message of practical length leads to: N
// and Sigma are about to pass a carry through all their words.
func TestCounters(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for i := range 64 {
			var r reference
			r.h = randomVector(rng)
			n, sigma := limbs(rng), limbs(rng)
			switch {
			case i < 9: // all ones: N overflows with the next block
				for j := range i {
					n[j] = 1<<64 - 1
				}
			case i < 13: // bytes hashed that do not fit in an int or an int32
				n = [8]uint64{[]uint64{8 << 31, 8<<32 - 512, 8 << 32, 1<<64 - 512}[i-9]}
			}
			n[0] &^= 511
			for j := range 8 {
				binary.BigEndian.PutUint64(r.n[56-8*j:], n[j])
				binary.BigEndian.PutUint64(r.sigma[56-8*j:], sigma[j])
			}
			m := make([]byte, rng.IntN(300))
			for j := range m {
				m[j] = byte(rng.Uint32())
			}
			for _, d := range []*digest{{size: Size256}, {size: Size}} {
				d.state = state{words(r.h), n, sigma}
				saved, err := d.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				restored := digest{size: d.size}
				if err := restored.UnmarshalBinary(saved); err != nil {
					t.Fatalf("N = %x: %v", r.n, err)
				}
				restored.Write(m)
				if got, want := restored.Sum(nil), r.sum(d.size, m); !bytes.Equal(got, want) {
					t.Errorf("h %x, N %x, Sigma %x, %x: %x, want %x", r.h, r.n, r.sigma, m, got, want)
				}
			}
		}
	})
}
