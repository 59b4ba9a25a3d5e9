package vectors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// A replay makes the random choices of one test. They depend on nothing but the
// seed and the number of the test, so that one test can be repeated alone.
type replay struct{ *rand.Rand }

func newReplay(seed uint64, id int) *replay {
	return &replay{rand.New(rand.NewPCG(seed, uint64(id)))}
}

func (r *replay) fill(b []byte) {
	var x [8]byte
	for len(b) > 0 {
		binary.LittleEndian.PutUint64(x[:], r.Uint64())
		b = b[copy(b, x[:]):]
	}
}

// Bytes on either side of a region, besides its random offset.
const before, behind = 64, 256

// A region is a slice at a random offset within a larger buffer, and a memory of
// what the buffer held.
type region struct {
	b        []byte
	buf, was []byte
	start    int
}

// region returns a region of n random bytes and some capacity beyond, with more
// random bytes all around it.
func (r *replay) region(n, spare int) *region {
	start := before + r.IntN(64)
	g := &region{buf: make([]byte, start+n+spare+behind), start: start}
	r.fill(g.buf)
	g.b = g.buf[start : start+n : start+n+spare]
	g.was = bytes.Clone(g.buf)
	return g
}

// copy returns a region that holds x.
func (r *replay) copy(x []byte, spare int) *region {
	g := r.region(len(x), spare)
	copy(g.b, x)
	copy(g.was[g.start:], x)
	return g
}

// intact reports whether nothing of the buffer has changed.
func (g *region) intact() bool { return bytes.Equal(g.buf, g.was) }

// intactExcept reports whether nothing has changed but b[from:to], where to may
// exceed the length of b.
func (g *region) intactExcept(from, to int) bool {
	from, to = g.start+from, g.start+to
	return bytes.Equal(g.buf[:from], g.was[:from]) && bytes.Equal(g.buf[to:], g.was[to:])
}

// regions are arguments on loan.
type regions []*region

func (r *replay) lend(args ...[]byte) (gs regions) {
	for _, x := range args {
		gs = append(gs, r.copy(x, r.IntN(64)))
	}
	return gs
}

func (gs regions) slices() (s [][]byte) {
	for _, g := range gs {
		s = append(s, g.b)
	}
	return s
}

func (gs regions) intact() bool {
	for _, g := range gs {
		if !g.intact() {
			return false
		}
	}
	return true
}

func (gs regions) spoil(r *replay) {
	for _, g := range gs {
		r.fill(g.b)
	}
}

// piece chooses how much of the rest (more than 0) the next call gets, up to most:
// often little, sometimes nothing.
func (r *replay) piece(rest, most int) int {
	switch r.IntN(8) {
	case 0:
		return 0
	case 1, 2:
		return min(rest, 1+r.IntN(3))
	case 3, 4:
		return min(rest, 1+r.IntN(40))
	}
	return 1 + r.IntN(min(rest, most))
}

// pieces calls f for consecutive ranges that make up 0..n, all multiples of unit.
// More than one of them is not empty if that is possible, and the last one is.
func (r *replay) pieces(n, unit, most int, f func(from, to int) error) error {
	units := n / unit
	for i := 0; i < units; {
		k := r.piece(units-i, max(1, most/unit))
		if k == units && units > 1 {
			k /= 2
		}
		if err := f(i*unit, (i+k)*unit); err != nil {
			return err
		}
		i += k
	}
	return f(n, n)
}

// A transform is what changes text into other text of the same length: the
// XORKeyStream of a stream, the CryptBlocks of a mode.
type transform func(dst, src []byte)

// transform puts in through new transforms in several ways and compares the result
// with want. Calls are multiples of unit bytes.
func (r *replay) transform(unit int, fresh func() (transform, error), in, want []byte) error {
	if len(in) != len(want) {
		return fmt.Errorf("the test has %d bytes of input but %d of output", len(in), len(want))
	}
	if len(in)%unit != 0 {
		return fmt.Errorf("the test has %d bytes, no multiple of %d", len(in), unit)
	}
	f, err := fresh()
	if err != nil {
		return err
	}
	out := make([]byte, len(in))
	f(out, bytes.Clone(in))
	if err := differ(out, want); err != nil {
		return fmt.Errorf("output %w", err)
	}
	for _, way := range []struct {
		name            string
		inPlace, pieces bool
	}{
		{"in one call, unaligned", false, false},
		{"in place, unaligned", true, false},
		{"in pieces", false, true},
		{"in pieces and in place", true, true},
		{"in pieces", false, true},
	} {
		f, err := fresh()
		if err != nil {
			return err
		}
		if err := r.transformOnce(unit, f, in, want, way.inPlace, way.pieces); err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
	}
	return nil
}

func (r *replay) transformOnce(unit int, f transform, in, want []byte, inPlace, pieces bool) error {
	n := len(in)
	src := r.copy(in, 0)
	dst := src
	if !inPlace {
		dst = r.region(n, r.IntN(64))
	}
	step := func(from, to int) error {
		d, s := dst.b[from:to], src.b[from:to]
		if !inPlace && r.IntN(2) == 0 {
			d = dst.b[from:cap(dst.b)] // longer than src
		}
		if from == to && r.IntN(2) == 0 {
			d, s = nil, nil
		}
		f(d, s)
		if !dst.intactExcept(0, to) {
			return fmt.Errorf("bytes outside dst[:len(src)] changed in the call for bytes %d to %d of %d", from, to, n)
		}
		return nil
	}
	var err error
	if pieces {
		err = r.pieces(n, unit, n, step)
	} else {
		err = step(0, n)
	}
	if err != nil {
		return err
	}
	if !inPlace && !src.intact() {
		return fmt.Errorf("src changed")
	}
	if err := differ(dst.b, want); err != nil {
		return fmt.Errorf("output %w", err)
	}
	return nil
}
