package poly1305

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"xcipher/internal/conform"
)

// The reference: RFC 8439, section 2.5.1, in integers of any size.

func pow2(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

var prime = new(big.Int).Sub(pow2(130), big.NewInt(5))

// number reads a little-endian number.
func number(b []byte) *big.Int {
	r := bytes.Clone(b)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return new(big.Int).SetBytes(r)
}

func multiplier(key []byte) *big.Int {
	r := bytes.Clone(key[:16])
	for i := 3; i < 16; i += 4 {
		r[i] &= 15
	}
	for i := 4; i < 16; i += 4 {
		r[i] &= 252
	}
	return number(r)
}

// absorb returns the accumulator after msg. Every block gets a one bit behind its
// last byte, the last block where that byte is.
func absorb(h, r *big.Int, msg []byte) *big.Int {
	h = new(big.Int).Set(h)
	for ; len(msg) > 0; msg = msg[min(16, len(msg)):] {
		block := msg[:min(16, len(msg))]
		h.Add(h, number(block))
		h.Add(h, pow2(uint(8*len(block))))
		h.Mul(h, r)
		h.Mod(h, prime)
	}
	return h
}

func reference(h *big.Int, key, msg []byte) (tag [TagSize]byte) {
	sum := absorb(h, multiplier(key), msg)
	sum.Mod(sum, prime)
	sum.Add(sum, number(key[16:]))
	sum.Mod(sum, pow2(128))
	big := sum.FillBytes(make([]byte, TagSize))
	for i := range tag {
		tag[i] = big[TagSize-1-i]
	}
	return tag
}

func pad(msg []byte) []byte {
	return append(bytes.Clone(msg), make([]byte, -len(msg)&(BlockSize-1))...)
}

// start returns a state with an accumulator of h.
func start(key []byte, h *big.Int) *State {
	m := new(State)
	m.Init((*[KeySize]byte)(key))
	low := new(big.Int).Sub(pow2(64), big.NewInt(1))
	for i := range m.h {
		m.h[i] = new(big.Int).And(new(big.Int).Rsh(h, uint(64*i)), low).Uint64()
	}
	return m
}

func accumulator(m *State) *big.Int {
	h := new(big.Int)
	for i, limb := range m.h {
		h.Add(h, new(big.Int).Lsh(new(big.Int).SetUint64(limb), uint(64*i)))
	}
	return h
}

// bare is Poly1305 as RFC 8439, section 2.5, has it, over a message that need not
// end with a whole block.
func bare(key, msg []byte) [TagSize]byte {
	m := start(key, new(big.Int))
	whole := len(msg) &^ (BlockSize - 1)
	m.Blocks(msg[:whole])
	if tail := msg[whole:]; len(tail) > 0 {
		// Blocks adds 2^128, which this block does not have.
		h := accumulator(m)
		h.Sub(h, pow2(128))
		m = start(key, h.Mod(h, prime))
		m.Blocks(pad(append(bytes.Clone(tail), 1)))
	}
	return m.Tag()
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRFC8439 runs the examples of section 2.5.2 and appendix A.3.
func TestRFC8439(t *testing.T) {
	const (
		ietf = `Any submission to the IETF intended by the Contributor for publication as all or part of an ` +
			`IETF Internet-Draft or RFC and any statement made within the context of an IETF activity is considered ` +
			`an "IETF Contribution". Such statements include oral statements in IETF sessions, as well as written ` +
			`and electronic communications made at any time or place, which are addressed to`
		jabberwocky = "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\n" +
			"All mimsy were the borogoves,\nAnd the mome raths outgrabe."
		zeros = "00000000000000000000000000000000"
		ones  = "ffffffffffffffffffffffffffffffff"
		one   = "01000000000000000000000000000000"
		two   = "02000000000000000000000000000000"
		r4    = "01000000000000000400000000000000"
		m10   = "e33594d7505e43b90000000000000000 3394d7505e4379cd0100000000000000"
	)
	for _, v := range []struct{ name, r, s, msg, tag string }{
		{"2.5.2", "85d6be7857556d337f4452fe42d506a8", "0103808afb0db2fd4abff6af4149f51b",
			hex.EncodeToString([]byte("Cryptographic Forum Research Group")), "a8061dc1305136c6c22b8baf0c0127a9"},
		{"A.3 #1", zeros, zeros, zeros + zeros + zeros + zeros, zeros},
		{"A.3 #2", zeros, "36e5f6b5c5e06070f0efca96227a863e", hex.EncodeToString([]byte(ietf)), "36e5f6b5c5e06070f0efca96227a863e"},
		{"A.3 #3", "36e5f6b5c5e06070f0efca96227a863e", zeros, hex.EncodeToString([]byte(ietf)), "f3477e7cd95417af89a6b8794c310cf0"},
		{"A.3 #4", "1c9240a5eb55d38af333888604f6b5f0", "473917c1402b80099dca5cbc207075c0",
			hex.EncodeToString([]byte(jabberwocky)), "4541669a7eaaee61e708dc7cbcc5eb62"},
		{"A.3 #5", two, zeros, ones, "03000000000000000000000000000000"},
		{"A.3 #6", two, ones, two, "03000000000000000000000000000000"},
		{"A.3 #7", one, zeros, ones + "f0ffffffffffffffffffffffffffffff 11000000000000000000000000000000", "05000000000000000000000000000000"},
		{"A.3 #8", one, zeros, ones + "fbfefefefefefefefefefefefefefefe 01010101010101010101010101010101", zeros},
		{"A.3 #9", two, zeros, "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff"},
		{"A.3 #10", r4, zeros, m10 + zeros + one, "14000000000000005500000000000000"},
		{"A.3 #11", r4, zeros, m10 + zeros, "13000000000000000000000000000000"},
	} {
		conform.Each(t, func(t *testing.T) {
			key, msg := unhex(t, v.r+v.s), unhex(t, v.msg)
			if got := bare(key, msg); hex.EncodeToString(got[:]) != v.tag {
				t.Errorf("%s: tag %x, want %s", v.name, got, v.tag)
			}
			if got := reference(new(big.Int), key, msg); hex.EncodeToString(got[:]) != v.tag {
				t.Errorf("%s: tag of the reference %x, want %s", v.name, got, v.tag)
			}
		})
	}
}

// extremes are keys and texts in which carries are many, or none.
func extremes(r *rand.Rand, n int) []byte {
	switch b := random(r, n); r.IntN(4) {
	case 0:
		return bytes.Repeat([]byte{0xff}, n)
	case 1:
		return make([]byte, n)
	case 2:
		for i := range b {
			b[i] = []byte{0, 1, 0xfe, 0xff}[b[i]&3]
		}
		return b
	default:
		return b
	}
}

func TestLengths(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		step := 1
		if testing.Short() {
			step = 7
		}
		for n := 0; n < 1100; n += step {
			key, msg := extremes(r, KeySize), extremes(r, n)
			m := start(key, new(big.Int))
			m.Padded(msg)
			if got, want := m.Tag(), reference(new(big.Int), key, pad(msg)); got != want {
				t.Fatalf("key %x, %d bytes padded: tag %x, want %x", key, n, got, want)
			}
			if got, want := bare(key, msg), reference(new(big.Int), key, msg); got != want {
				t.Fatalf("key %x, %d bytes: tag %x, want %x", key, n, got, want)
			}
		}
	})
}

func TestLong(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for _, n := range []int{2048, 4096, 8192, 16384, 32768 + 16, 100_000} {
			key, msg := extremes(r, KeySize), extremes(r, n+r.IntN(600))
			m := start(key, new(big.Int))
			m.Padded(msg)
			if got, want := m.Tag(), reference(new(big.Int), key, pad(msg)); got != want {
				t.Fatalf("%d bytes: tag %x, want %x", len(msg), got, want)
			}
		}
	})
}

// edges are accumulators around 0, p and the ends of limbs of 26, 44, 52 and 64
// bits.
func edges() (all []*big.Int) {
	for _, n := range []uint{0, 26, 44, 52, 64, 78, 88, 104, 128, 129, 130} {
		for d := int64(-7); d <= 7; d++ {
			all = append(all, new(big.Int).Add(pow2(n), big.NewInt(d)))
		}
	}
	all = append(all, new(big.Int).Mul(pow2(128), big.NewInt(3)))
	for d := int64(0); d < 5; d++ {
		// The largest accumulator that a state may hold, and those above 2^130.
		all = append(all, new(big.Int).Sub(new(big.Int).Add(pow2(130), pow2(64)), big.NewInt(d+1)))
	}
	for i := range all {
		if all[i].Sign() < 0 {
			all[i].Add(all[i], prime)
		}
	}
	return all
}

// TestFromEdges starts with an accumulator at an edge: nothing, few and many
// blocks behind it.
func TestFromEdges(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for _, h := range edges() {
			for _, blocks := range []int{0, 1, 2, 3, 8, 9, 24, 33} {
				key, msg := extremes(r, KeySize), extremes(r, blocks*BlockSize)
				m := start(key, h)
				m.Blocks(msg)
				if got, want := m.Tag(), reference(h, key, msg); got != want {
					t.Fatalf("accumulator %x, key %x, %d blocks: tag %x, want %x", h, key, blocks, got, want)
				}
				if h := accumulator(m); h.Cmp(new(big.Int).Add(pow2(130), pow2(64))) >= 0 {
					t.Fatalf("accumulator %x after %d blocks is too large", h, blocks)
				}
			}
		}
	})
}

// TestToEdges ends at an accumulator congruent to an edge, by a choice of the last
// two blocks.
func TestToEdges(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		tried := 0
		for _, edge := range edges() {
			for _, blocks := range []int{2, 3, 4, 7, 8, 9, 16, 17, 24, 25, 31, 32, 33, 64, 65} {
				if testing.Short() && r.IntN(8) > 0 {
					continue
				}
				tried++
				key := random(r, KeySize)
				key[0] |= 1 // the multiplier has an inverse
				msg, ok := steer(r, key, edge, blocks)
				if !ok {
					t.Fatalf("no message of %d blocks leads to %x", blocks, edge)
				}
				m := start(key, new(big.Int))
				m.Blocks(msg)
				if h := accumulator(m); h.Mod(h, prime).Cmp(new(big.Int).Mod(edge, prime)) != 0 {
					t.Fatalf("key %x, %d blocks: accumulator %x, want %x", key, blocks, h, edge)
				}
				if got, want := m.Tag(), reference(new(big.Int), key, msg); got != want {
					t.Fatalf("accumulator %x: tag %x, want %x", edge, got, want)
				}
			}
		}
		if tried < 100 {
			t.Errorf("only %d messages tried", tried)
		}
	})
}

// steer returns random blocks that lead the accumulator from 0 to edge.
func steer(r *rand.Rand, key []byte, edge *big.Int, blocks int) ([]byte, bool) {
	mul := multiplier(key)
	before := new(big.Int).ModInverse(mul, prime)
	before.Mul(before, edge)
	msg := extremes(r, blocks*BlockSize)
	front := absorb(new(big.Int), mul, msg[:(blocks-2)*BlockSize])
	for range 1000 { // one try in four succeeds
		copy(msg[(blocks-2)*BlockSize:], random(r, BlockSize))
		last := absorb(front, mul, msg[(blocks-2)*BlockSize:][:BlockSize])
		last.Sub(before, last)
		last.Sub(last, pow2(128))
		if last.Mod(last, prime).BitLen() <= 128 {
			big := last.FillBytes(make([]byte, BlockSize))
			for i, b := range big {
				msg[len(msg)-1-i] = b
			}
			return msg, true
		}
	}
	return nil, false
}

// TestSplit cuts a message into runs of blocks, and looks at the tag in between.
func TestSplit(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for range 200 {
			key, msg := extremes(r, KeySize), extremes(r, BlockSize*r.IntN(200))
			m := start(key, new(big.Int))
			for rest := msg; len(rest) > 0; {
				n := min(len(rest), BlockSize*r.IntN([]int{2, 5, 60}[r.IntN(3)]))
				m.Blocks(rest[:n])
				rest = rest[n:]
				done := msg[:len(msg)-len(rest)]
				if got, want := m.Tag(), reference(new(big.Int), key, done); r.IntN(10) == 0 && got != want {
					t.Fatalf("tag after %d of %d bytes %x, want %x", len(done), len(msg), got, want)
				}
			}
			if got, want := m.Tag(), reference(new(big.Int), key, msg); got != want {
				t.Fatalf("tag of %d bytes in pieces %x, want %x", len(msg), got, want)
			}
		}
	})
}

// TestInit starts anew from a used state.
func TestInit(t *testing.T) {
	r := conform.Rand(t)
	m := start(random(r, KeySize), new(big.Int))
	m.Padded(random(r, 100))
	key := random(r, KeySize)
	m.Init((*[KeySize]byte)(key))
	if *m != *start(key, new(big.Int)) {
		t.Errorf("Init leaves something behind: %x", m)
	}
	m.Lengths(0x0102030405060708, 0x1112131415161718)
	if got, want := m.Tag(), reference(new(big.Int), key, unhex(t, "0807060504030201 1817161514131211")); got != want {
		t.Errorf("tag of lengths %x, want %x", got, want)
	}
}

func TestAllocs(t *testing.T) {
	key, msg := new([KeySize]byte), make([]byte, 1000)
	conform.Each(t, func(t *testing.T) {
		conform.Allocs(t, "a tag", 0, func() {
			var m State
			m.Init(key)
			m.Padded(msg)
			m.Lengths(0, 1000)
			tag := m.Tag()
			copy(key[:], tag[:])
		})
	})
}

// Benchmark takes the first bytes of each key from the tag before, so that calls
// do not overlap in time.
func Benchmark(b *testing.B) {
	for _, n := range []int{16, 64, 1024, 8192} {
		b.Run(fmt.Sprintf("size=%d", n), func(b *testing.B) {
			key, msg := new([KeySize]byte), make([]byte, n)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				var m State
				m.Init(key)
				m.Blocks(msg)
				tag := m.Tag()
				copy(key[:], tag[:])
			}
		})
	}
}
