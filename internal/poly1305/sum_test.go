package poly1305

import (
	"encoding/binary"
	"math/big"
	"testing"

	"xcipher/internal/conform"
)

// lengths is the last block of a message (RFC 8439, section 2.8).
func lengths(aad, text int) []byte {
	block := binary.LittleEndian.AppendUint64(nil, uint64(aad))
	return binary.LittleEndian.AppendUint64(block, uint64(text))
}

func referenceSum(key, aad, text []byte) [TagSize]byte {
	data := append(append(pad(aad), pad(text)...), lengths(len(aad), len(text))...)
	return reference(new(big.Int), key, data)
}

func sumOf(key, aad, text []byte) (tag [TagSize]byte) {
	Sum(&tag, (*[KeySize]byte)(key), aad, text)
	return tag
}

// TestSum has all lengths up to some blocks of both parts, and those around the
// ends of blocks and of what is short.
func TestSum(t *testing.T) {
	long := []int{159, 160, 161, 255, 256, 257, 351, 352, 353, 367, 368, 369, 384, 385, 400, 1000}
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		check := func(aad, text int) {
			t.Helper()
			key, a, b := extremes(r, KeySize), extremes(r, aad), extremes(r, text)
			if got, want := sumOf(key, a, b), referenceSum(key, a, b); got != want {
				t.Fatalf("key %x, %d bytes with %d of data: tag %x, want %x", key, text, aad, got, want)
			}
		}
		for aad := range 50 {
			for text := range 50 {
				check(aad, text)
			}
			for _, n := range long {
				check(aad, n)
				check(n, aad)
			}
		}
		for _, aad := range long {
			for _, text := range long {
				check(aad, text)
			}
		}
	})
}

// TestSumToEdges ends at accumulators congruent to edges, behind the lengths.
func TestSumToEdges(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		for _, edge := range edges() {
			for _, blocks := range []int{2, 3, 8, 22, 24} {
				key := random(r, KeySize)
				key[0] |= 1 // the multiplier has an inverse
				mul := multiplier(key)
				before := new(big.Int).ModInverse(mul, prime)
				before.Mul(before, edge)
				before.Sub(before, number(lengths(0, blocks*BlockSize)))
				before.Sub(before, pow2(128))
				text, ok := steer(r, key, before.Mod(before, prime), blocks)
				if !ok {
					t.Fatalf("no message of %d blocks leads to %x", blocks, edge)
				}
				if got, want := sumOf(key, nil, text), referenceSum(key, nil, text); got != want {
					t.Fatalf("accumulator %x: tag %x, want %x", edge, got, want)
				}
			}
		}
	})
}

// TestSumPages has both parts next to memory that cannot be touched.
func TestSumPages(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		keys, tags := conform.Edges(t, KeySize), conform.Edges(t, TagSize)
		for n := range 60 {
			key, aad, text := extremes(r, KeySize), extremes(r, n), extremes(r, (n*7)%40)
			if n >= 40 {
				text = extremes(r, 360+n)
			}
			want := referenceSum(key, aad, text)
			aads, texts := conform.Edges(t, len(aad)), conform.Edges(t, len(text))
			for i := range aads {
				copy(keys[i], key)
				copy(aads[i], aad)
				copy(texts[i], text)
				Sum((*[TagSize]byte)(tags[i]), (*[KeySize]byte)(keys[i]), aads[i], texts[i])
				if got := [TagSize]byte(tags[i]); got != want {
					t.Fatalf("%d bytes with %d of data, edge %d: tag %x, want %x", len(text), n, i, got, want)
				}
			}
		}
	})
}

func TestSumAllocs(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key, tag, msg := new([KeySize]byte), new([TagSize]byte), make([]byte, 1000)
		for _, n := range []int{0, 100, 1000} {
			conform.Allocs(t, "Sum", 0, func() { Sum(tag, key, msg[:n/2], msg[:n]) })
		}
	})
}
