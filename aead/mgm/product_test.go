package mgm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"xcipher/internal/conform"
)

// products are what kernels do, and the generic code that does the same.
var products = []struct {
	size           int
	kernel, always func(s *product, h, p []byte)
}{
	{8, (*product).add64, (*product).add64Generic},
	{16, (*product).add128, (*product).add128Generic},
}

func randomize(rng *rand.Rand, slices ...[]byte) {
	for _, p := range slices {
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
	}
}

func randomProduct(rng *rand.Rand) (s product) {
	for _, pair := range []*[2]uint64{&s.low, &s.high, &s.mixed} {
		pair[0], pair[1] = rng.Uint64(), rng.Uint64()
	}
	return s
}

// TestProducts compares the sums without reduction, for all numbers of blocks up
// to two rounds of the widest kernel and one more, and some above, everywhere in
// a cache line.
func TestProducts(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for _, c := range products {
			h, p := make([]byte, 64+2048), make([]byte, 64+2048)
			randomize(rng, h, p)
			for n := 0; n <= 2048; n += c.size + n/256*8*c.size {
				for from := range 64 {
					h, p := h[from:][:n], p[rng.IntN(64):][:n]
					want := randomProduct(rng)
					got := want
					c.always(&want, h, p)
					c.kernel(&got, h, p)
					if got != want {
						t.Fatalf("%d bytes in blocks of %d: %x, want %x", n, c.size, got, want)
					}
				}
			}
		}
	})
}

// TestProductsAtEdges multiplies beside memory that cannot be read.
func TestProductsAtEdges(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		for _, c := range products {
			t.Run(fmt.Sprint(8*c.size), func(t *testing.T) {
				rng := conform.Rand(t)
				for n := c.size; n <= 2*64+2*c.size; n += c.size {
					for _, h := range conform.Edges(t, n) {
						for _, p := range conform.Edges(t, n) {
							randomize(rng, h, p)
							var got, want product
							c.always(&want, h, p)
							c.kernel(&got, h, p)
							if got != want {
								t.Fatalf("%d bytes: %x, want %x", n, got, want)
							}
						}
					}
				}
			})
		}
	})
}
