package chacha

import (
	"bytes"
	"testing"

	"xcipher/internal/conform"
)

// TestXOR has all lengths, in place and not, at all alignments and at page edges.
func TestXOR(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		was := random(r, 600)
		buf := make([]byte, len(was))
		for n := range 300 {
			src, key := random(r, n), random(r, n+r.IntN(100))
			want := xored(src, key[:n])
			at := r.IntN(128)
			copy(buf, was)
			dst := buf[at:][:n]
			if r.IntN(2) == 0 {
				copy(dst, src)
				XOR(dst, dst, key)
			} else {
				XOR(dst, src, key)
			}
			if !bytes.Equal(dst, want) {
				t.Fatalf("%d bytes: %x, want %x", n, dst, want)
			}
			if !bytes.Equal(buf[:at], was[:at]) || !bytes.Equal(buf[at+n:], was[at+n:]) {
				t.Fatalf("%d bytes: writes beside dst", n)
			}
			if n%5 > 0 {
				continue
			}
			dsts, srcs, keys := conform.Edges(t, n), conform.Edges(t, n), conform.Edges(t, n)
			for i := range dsts {
				copy(srcs[i], src)
				copy(keys[i], key)
				if XOR(dsts[i], srcs[i], keys[i]); !bytes.Equal(dsts[i], want) {
					t.Fatalf("%d bytes, edge %d: %x, want %x", n, i, dsts[i], want)
				}
			}
		}
	})
}
