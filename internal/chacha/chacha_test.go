package chacha

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/chacha20"

	"xcipher/internal/conform"
)

// The reference: RFC 8439, sections 2.1 to 2.4, word by word, with the counter of
// 64 bits that Bernstein's paper has in words 12 and 13.

func quarterRound(x *[16]uint32, a, b, c, d int) {
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 16)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 12)
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 8)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 7)
}

func permute(x *[16]uint32, rounds int) {
	for range rounds / 2 {
		quarterRound(x, 0, 4, 8, 12)
		quarterRound(x, 1, 5, 9, 13)
		quarterRound(x, 2, 6, 10, 14)
		quarterRound(x, 3, 7, 11, 15)
		quarterRound(x, 0, 5, 10, 15)
		quarterRound(x, 1, 6, 11, 12)
		quarterRound(x, 2, 7, 8, 13)
		quarterRound(x, 3, 4, 9, 14)
	}
}

// refState lays out constants, key and the four words behind them.
func refState(key, rest []byte) (x [16]uint32) {
	for i := range 4 {
		x[i] = binary.LittleEndian.Uint32([]byte("expand 32-byte k")[4*i:])
		x[12+i] = binary.LittleEndian.Uint32(rest[4*i:])
	}
	for i := range 8 {
		x[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	return x
}

func refHChaCha(key, nonce []byte, rounds int) []byte {
	x := refState(key, nonce)
	permute(&x, rounds)
	var out []byte
	for _, i := range []int{0, 1, 2, 3, 12, 13, 14, 15} {
		out = binary.LittleEndian.AppendUint32(out, x[i])
	}
	return out
}

// refStream returns n bytes of key stream from block counter on.
func refStream(key, nonce []byte, counter uint64, rounds, n int) []byte {
	if len(nonce) == 24 {
		key, nonce = refHChaCha(key, nonce[:16], rounds), nonce[16:]
	}
	var out []byte
	for ; len(out) < n; counter++ {
		rest := binary.LittleEndian.AppendUint64(nil, counter)
		x := refState(key, append(rest[:16-len(nonce)], nonce...))
		y := x
		permute(&y, rounds)
		for i := range y {
			out = binary.LittleEndian.AppendUint32(out, y[i]+x[i])
		}
	}
	return out[:n]
}

type xorFunc func(dst, src []byte, s *State, rounds int, last *[BlockSize]byte)

// paths are the ways to the key stream: what a caller gets on this machine, and
// plain Go.
var paths = []struct {
	name string
	xor  xorFunc
}{
	{"dispatch", xorKeyStream},
	{"generic", xorKeyStreamGeneric},
}

// eachPath runs f for every path of every tier, number of rounds and nonce size.
func eachPath(t *testing.T, f func(t *testing.T, xor xorFunc, rounds, nonceSize int)) {
	conform.Each(t, func(t *testing.T) {
		for _, p := range paths {
			for _, rounds := range []int{8, 12, 20} {
				for _, size := range []int{8, 12, 24} {
					t.Run(fmt.Sprintf("%s/rounds=%d/nonce=%d", p.name, rounds, size), func(t *testing.T) { f(t, p.xor, rounds, size) })
				}
			}
		}
	})
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func xored(a, b []byte) []byte {
	out := make([]byte, len(a))
	subtle.XORBytes(out, a, b)
	return out
}

// TestReference takes the reference to the block of RFC 8439, section 2.3.2.
func TestReference(t *testing.T) {
	key := make([]byte, KeySize)
	for i := range key {
		key[i] = byte(i)
	}
	nonce := []byte{0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0}
	got := hex.EncodeToString(refStream(key, nonce, 1, 20, 64))
	want := "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e" +
		"d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
	if got != want {
		t.Errorf("reference gives %s, want %s", got, want)
	}
}

// TestLengths checks every length up to 40 blocks and some, dst apart from src
// and in place, the state afterwards, and the key stream left of the last block.
func TestLengths(t *testing.T) {
	eachPath(t, func(t *testing.T, xor xorFunc, rounds, nonceSize int) {
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		counter := uint64(r.Uint32N(1 << 30))
		const longest = 40*BlockSize + 1
		src, stream := random(r, longest), refStream(key, nonce, counter, rounds, longest+BlockSize)
		want, buf := xored(src, stream), make([]byte, longest)
		step := 1
		if testing.Short() {
			step = 13
		}
		for n := 0; n <= longest; n += step {
			blocks := (n + BlockSize - 1) / BlockSize
			var start, end State
			start.Init(key, nonce, counter, rounds)
			end.Init(key, nonce, counter+uint64(blocks), rounds)
			inPlace := buf[:n]
			copy(inPlace, src)
			for _, in := range [][]byte{inPlace, src[:n]} {
				s, last := start, [BlockSize]byte{0xa5, 0x5a} // leftovers must not matter
				xor(buf[:n], in, &s, rounds, &last)
				if !bytes.Equal(buf[:n], want[:n]) {
					t.Fatalf("%d bytes: wrong key stream", n)
				}
				if s != end {
					t.Fatalf("%d bytes: state %x, want %x", n, s, end)
				}
				if n%BlockSize != 0 && !bytes.Equal(last[:], stream[(blocks-1)*BlockSize:][:BlockSize]) {
					t.Fatalf("%d bytes: wrong key stream of the last block", n)
				}
				clear(buf)
			}
		}
	})
}

// TestCarry lets the low half of the counter wrap behind each of the first 41
// blocks, in one call of 44 blocks and in two.
func TestCarry(t *testing.T) {
	eachPath(t, func(t *testing.T, xor xorFunc, rounds, nonceSize int) {
		if nonceSize == 12 {
			return // its counter ends there
		}
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		const n = 44*BlockSize + 7
		src := random(r, n)
		for before := range uint64(41) {
			counter := uint64(r.Uint32N(100)+1)<<32 - before
			want := xored(src, refStream(key, nonce, counter, rounds, n))
			for _, cut := range []int{n, BlockSize * r.IntN(44)} {
				var s State
				var last [BlockSize]byte
				s.Init(key, nonce, counter, rounds)
				got := make([]byte, n)
				xor(got[:cut], src[:cut], &s, rounds, &last)
				xor(got[cut:], src[cut:], &s, rounds, &last)
				if !bytes.Equal(got, want) {
					t.Errorf("carry behind %d blocks, cut at %d: wrong key stream", before, cut)
				}
				if end := counter + 45; s[12] != uint32(end) || s[13] != uint32(end>>32) {
					t.Errorf("carry behind %d blocks: counter %08x%08x, want %016x", before, s[13], s[12], end)
				}
			}
		}
	})
}

// TestEnd uses the last blocks of each counter.
func TestEnd(t *testing.T) {
	eachPath(t, func(t *testing.T, xor xorFunc, rounds, nonceSize int) {
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		end := uint64(0)
		if nonceSize == 12 {
			end = 1 << 32
		}
		for blocks := range 41 {
			for _, n := range []int{blocks * BlockSize, max(0, blocks*BlockSize-63)} {
				counter := end - uint64(blocks)
				var s State
				var last [BlockSize]byte
				s.Init(key, nonce, counter, rounds)
				src := random(r, n)
				got := make([]byte, n)
				xor(got, src, &s, rounds, &last)
				if !bytes.Equal(got, xored(src, refStream(key, nonce, counter, rounds, n))) {
					t.Errorf("last %d blocks, %d bytes: wrong key stream", blocks, n)
				}
			}
		}
	})
}

// TestEdges reads and writes next to memory that cannot be touched.
func TestEdges(t *testing.T) {
	eachPath(t, func(t *testing.T, xor xorFunc, rounds, nonceSize int) {
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		const longest = 1100
		stream := refStream(key, nonce, 0, rounds, longest)
		high, low := conform.Edges(t, longest), conform.Edges(t, longest)
		for n := 1; n <= longest; n += 1 + r.IntN(40) {
			for i := range high {
				src, dst := high[i][:n], low[i][:n]
				if i == 0 {
					src, dst = high[i][longest-n:], low[i][longest-n:]
				}
				copy(src, random(r, n))
				var s State
				var last [BlockSize]byte
				s.Init(key, nonce, 0, rounds)
				xor(dst, src, &s, rounds, &last)
				if !bytes.Equal(dst, xored(src, stream)) {
					t.Errorf("%d bytes, edge %d: wrong key stream", n, i)
				}
			}
		}
	})
}

func TestBlock(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for range 200 {
			rounds := []int{8, 12, 20}[r.IntN(3)]
			key, nonce := random(r, KeySize), random(r, []int{8, 12, 24}[r.IntN(3)])
			n := r.IntN(40 * BlockSize)
			src := random(r, n)
			counter := uint64(r.Uint32N(1 << 30))
			stream := refStream(key, nonce, counter, rounds, n+BlockSize)
			want := xored(src, stream[BlockSize:])

			var s State
			s.Init(key, nonce, counter, rounds)
			block := [BlockSize]byte{1, 2, 3}
			s.Block(&block, rounds)
			if !bytes.Equal(block[:], stream[:BlockSize]) {
				t.Errorf("Block: wrong key stream")
			}
			var last [BlockSize]byte
			got := make([]byte, n)
			s.XORKeyStream(got, src, rounds, &last)
			if !bytes.Equal(got, want) {
				t.Errorf("XORKeyStream behind Block: wrong key stream")
			}

			s.Init(key, nonce, counter, rounds)
			block = [BlockSize]byte{4, 5, 6}
			s.BlockAndXOR(&block, src, src, rounds)
			if !bytes.Equal(block[:], stream[:BlockSize]) {
				t.Errorf("BlockAndXOR: wrong first block")
			}
			if !bytes.Equal(src, want) {
				t.Errorf("BlockAndXOR: wrong key stream")
			}
		}
	})
}

func TestHChaCha(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for range 200 {
			for _, rounds := range []int{8, 12, 20} {
				key, nonce := random(r, KeySize), random(r, HNonceSize)
				want := refHChaCha(key, nonce, rounds)
				var got [KeySize]byte
				HChaCha(&got, key, nonce, rounds)
				if !bytes.Equal(got[:], want) {
					t.Errorf("HChaCha%d(%x, %x) = %x, want %x", rounds, key, nonce, got, want)
				}
				copy(got[:], key)
				HChaCha(&got, got[:], nonce, rounds)
				if !bytes.Equal(got[:], want) {
					t.Errorf("HChaCha%d onto its key = %x, want %x", rounds, got, want)
				}
			}
		}
	})
}

// TestXCrypto compares long runs with golang.org/x/crypto.
func TestXCrypto(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for i := range 50 {
			key, nonce := random(r, KeySize), random(r, []int{12, 24}[r.IntN(2)])
			n := r.IntN(20000)
			if i == 0 {
				n += 150000 // more than kernels make in two calls
			}
			counter := uint64(r.Uint32())
			counter = min(counter, 1<<32-uint64(n/BlockSize+1))
			src := random(r, n)
			c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
			if err != nil {
				t.Fatal(err)
			}
			c.SetCounter(uint32(counter))
			want := make([]byte, n)
			c.XORKeyStream(want, src)
			for _, p := range paths {
				var s State
				var last [BlockSize]byte
				s.Init(key, nonce, counter, 20)
				got := make([]byte, n)
				p.xor(got, src, &s, 20, &last)
				if !bytes.Equal(got, want) {
					t.Errorf("%s: %d bytes from block %d differ from x/crypto", p.name, n, counter)
				}
			}
		}
	})
}

func TestAllocs(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key, nonce, buf := make([]byte, KeySize), make([]byte, 24), make([]byte, 5000)
		for _, n := range []int{0, 1, 64, 100, 256, 5000} {
			for _, rounds := range []int{8, 12, 20} {
				conform.Allocs(t, fmt.Sprintf("%d bytes, %d rounds", n, rounds), 0, func() {
					var s State
					var first, last [BlockSize]byte
					s.Init(key, nonce, 1<<32-2, rounds)
					s.XORKeyStream(buf[:n], buf[:n], rounds, &last)
					s.BlockAndXOR(&first, buf[:n], buf[:n], rounds)
				})
			}
		}
	})
}
