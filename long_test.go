package xcipher_test

import (
	"bytes"
	"crypto/cipher"
	"encoding"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"xcipher/hash/streebog"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// The tests of this file go where lengths and counters need more than 31, 32 or
// 64 bits, without the data that would lead there.

// TestStateLengths restores Streebog to a state behind so many bytes, and hashes
// on. What N is then, bits modulo 2^512, is checked. The digests were computed by
// this code, on amd64: they prove only that all architectures and tiers agree.
func TestStateLengths(t *testing.T) {
	const start, size = 4 + 64, 64 // N in a marshalled state
	one := big.NewInt(1)
	digests := map[string]string{
		"2^31-64":  "3c2deeb65abca754",
		"2^32-64":  "3f3a607febcd7681",
		"2^32-128": "7e19ba920eea4673",
		"2^61-64":  "faf2315cef1bc083",
		"2^64-64":  "667dbe387e999157",
		"2^255-64": "fc0b5d86ab566745",
		"2^509-64": "ac2caad77e45c8cb",
	}
	conform.Each(t, func(t *testing.T) {
		for name, want := range digests {
			var exponent uint
			var less int64
			if _, err := fmt.Sscanf(name, "2^%d-%d", &exponent, &less); err != nil {
				t.Fatal(err)
			}
			n := new(big.Int).Sub(new(big.Int).Lsh(one, exponent), big.NewInt(less))
			n.Lsh(n, 3)
			h := streebog.New512()
			state := must(h.(encoding.BinaryMarshaler).MarshalBinary())(t)
			n.FillBytes(state[start:][:size])
			slices.Reverse(state[start:][:size])
			if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
				t.Fatal(err)
			}
			const more = 3*64 + 5
			h.Write(text(more))
			if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
				t.Errorf("%d bytes behind %s bytes: %s, want %s", more, name, got, want)
			}
			state = must(h.(encoding.BinaryMarshaler).MarshalBinary())(t)[start:][:size]
			slices.Reverse(state)
			n.Add(n, big.NewInt(3*64*8))
			n.And(n, new(big.Int).Sub(new(big.Int).Lsh(one, 512), one))
			if got := new(big.Int).SetBytes(state); got.Cmp(n) != 0 {
				t.Errorf("%d bytes behind %s bytes: N is %d, want %d", more, name, got, n)
			}
		}
	})
}

// TestCounterCarries has counters of CTR that carry out of each of their bytes, at
// many places of a batch, and out of the whole block.
func TestCounterCarries(t *testing.T) {
	each(t, catalog.Block, func(t *testing.T, a catalog.Algorithm) {
		rng := conform.Rand(t)
		b := must(catalog.NewBlock(a.Name, random(rng, a.KeySize)))(t)
		const blocks = 133
		for low := 1; low <= a.BlockSize; low++ {
			for range 3 {
				iv := random(rng, a.BlockSize)
				for i := a.BlockSize - low; i < a.BlockSize; i++ {
					iv[i] = 0xff
				}
				iv[a.BlockSize-1] -= byte(rng.IntN(blocks))
				n := (blocks-1)*a.BlockSize + rng.IntN(a.BlockSize) + 1
				got := xored(cipher.NewCTR(b, iv), make([]byte, n))
				counter := new(big.Int).SetBytes(iv)
				var want []byte
				for range blocks {
					block := counter.FillBytes(make([]byte, a.BlockSize+1))[1:]
					b.Encrypt(block, block)
					want = append(want, block...)
					counter.Add(counter, big.NewInt(1))
					counter.SetBit(counter, 8*a.BlockSize, 0)
				}
				if !bytes.Equal(got, want[:n]) {
					t.Fatalf("counter %x: %d bytes differ from single blocks", iv, n)
				}
			}
		}
	})
}
