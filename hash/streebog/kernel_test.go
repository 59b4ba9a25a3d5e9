package streebog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"xcipher/internal/conform"
)

// TestKernelBlocks compares blocks with blocksGeneric: numbers of blocks, alignments,
// page edges, and nothing but the state may change.
func TestKernelBlocks(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		check := func(p []byte, what string) {
			t.Helper()
			for i := range p {
				p[i] = byte(rng.Uint32() | uint32(rng.IntN(4)/3*0xff)) // ff is frequent, for carries
			}
			was := bytes.Clone(p)
			guarded := [3]state{}
			for i := range guarded {
				guarded[i] = state{words(randomVector(rng)), limbs(rng), limbs(rng)}
			}
			want := guarded
			blocks(&guarded[1], p)
			blocksGeneric(&want[1], was)
			if guarded != want {
				t.Errorf("%s: %x of\n%x, want\n%x", what, guarded, was, want)
			}
			if !bytes.Equal(p, was) {
				t.Errorf("%s: the blocks change", what)
			}
		}
		for n := range 10 {
			for offset := range 64 {
				if n > 3 && offset%7 != 0 {
					continue
				}
				room := make([]byte, offset+n*BlockSize)
				check(room[offset:], fmt.Sprintf("%d blocks, offset %d", n, offset))
			}
			for _, edge := range conform.Edges(t, n*BlockSize) {
				check(edge, fmt.Sprintf("%d blocks at a page edge", n))
			}
		}
	})
}

// TestKernelLast compares last with lastGeneric, for every length of the tail.
func TestKernelLast(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for n := range BlockSize {
			for _, tail := range conform.Edges(t, n) {
				for i := range tail {
					tail[i] = byte(rng.Uint32())
				}
				guarded := [3]state{}
				for i := range guarded {
					guarded[i] = state{words(randomVector(rng)), limbs(rng), limbs(rng)}
				}
				want := guarded
				last(&guarded[1], tail)
				lastGeneric(&want[1], bytes.Clone(tail))
				if guarded != want {
					t.Errorf("tail %x: %x, want %x", tail, guarded, want)
				}
			}
		}
	})
}

// TestKernelTables recomputes what is in the kernels' tables. Every entry of pi in
// every place, and all columns of L, are used for the first key and the first state
// of a block, and the result is that of RFC 6986 done bit for bit.
func TestKernelTables(t *testing.T) {
	type block struct{ h, n, m, want vector }
	var cases []block
	rng := conform.Rand(t)
	add := func(key, e vector) {
		b := block{n: randomVector(rng)}
		b.h = X(key, b.n)
		b.m = X(LPS(key), e)
		b.want = G(b.n, b.h, b.m)
		cases = append(cases, b)
	}
	var inverse [256]byte
	for x, y := range piTable {
		inverse[y] = byte(x)
	}
	unit := func(bit int) (v vector) { // S of it is a unit vector
		for i := range v {
			v[i] = inverse[0]
		}
		v[bit/8] = inverse[1<<(bit%8)]
		return v
	}
	for start := range 256 {
		var key, e vector
		for i := range key {
			key[i], e[i] = byte(start+i), byte(start-i)
		}
		add(key, e)
	}
	for bit := range 512 {
		add(unit(bit), unit(511-bit))
	}
	conform.Each(t, func(t *testing.T) {
		for i, c := range cases {
			s := state{h: words(c.h), n: words(c.n)}
			var p [BlockSize]byte
			for i, w := range words(c.m) {
				binary.LittleEndian.PutUint64(p[8*i:], w)
			}
			if blocks(&s, p[:]); s.h != words(c.want) {
				t.Fatalf("case %d: g_N of N %x, h %x, m %x: %x, want %x", i, c.n, c.h, c.m, s.h, words(c.want))
			}
		}
	})
}
