package poly1305

import (
	"testing"

	"xcipher/internal/conform"
)

// TestRareCarries has multipliers r of which a power, times 2^104 and in digits of 52
// bits, has a carry out of the middle digit when it is reduced. One of 2^25 numbers
// has. These were found by trying.
func TestRareCarries(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for _, c := range []struct {
			power int // which has it
			r     string
		}{
			{2, "360dd607702a5b0ed4f0610a0833cb02"},
			{3, "02419e055c8c3007f4154a0668870800"},
			{7, "997c6503a8d68c025870df0fac705004"},
			{7, "d2c4b102a444a6020c470e09387fcc00"},
		} {
			key := append(unhex(t, c.r), make([]byte, 16)...)
			for blocks := 8; blocks <= 33; blocks++ {
				msg := make([]byte, 16*blocks)
				for i := range msg {
					msg[i] = byte(rng.Uint32())
				}
				if got, want := sumOf(key, nil, msg), referenceSum(key, nil, msg); got != want {
					t.Errorf("r %s, %d blocks: %x, want %x", c.r, blocks, got, want)
				}
			}
		}
	})
}
