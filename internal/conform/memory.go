package conform

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"
)

// Edges returns two slices of n bytes, one that ends right before a page that can
// be neither read nor written, and one that starts right after such a page. Where
// memory cannot be mapped they are plain slices.
func Edges(t testing.TB, n int) [][]byte {
	t.Helper()
	return newBorder(t, n).edges(n)
}

// border is memory between unreadable pages, from which many slices are cut.
type border struct{ pages []byte }

func newBorder(t testing.TB, n int) border { return border{guarded(t, n)} }

// edges returns the last and the first n bytes.
func (b border) edges(n int) [][]byte {
	return [][]byte{b.pages[len(b.pages)-n:], b.pages[:n:n]}
}

// faults calls f, and fails the test if f touches an unreadable page.
func faults(t testing.TB, f func()) {
	t.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	if v, panicked := catch(f); panicked {
		if _, ok := v.(interface{ Addr() uintptr }); !ok {
			panic(v)
		}
		t.Errorf("reads or writes outside its slices: %v", v.(runtime.Error))
	}
}

// room is a slice in the middle of a larger array with random contents. It tells
// which bytes of the array have changed.
type room struct {
	b        []byte // the slice; its capacity goes to the end of the array
	lo       int
	all, was []byte
}

// margin is the least number of bytes around a room.
const margin = 128

func newRoom(rng *rand.Rand, n int) *room { return newRoomAt(rng, n, rng.IntN(64)) }

// newRoomAt returns a room whose alignment depends on offset, 0 to 63.
func newRoomAt(rng *rand.Rand, n, offset int) *room {
	r := &room{lo: margin + offset, all: bytesOf(rng, margin+offset+n+margin)}
	r.was = bytes.Clone(r.all)
	r.b = r.all[r.lo : r.lo+n]
	return r
}

// roomWith returns a room that holds p.
func roomWith(rng *rand.Rand, p []byte) *room {
	r := newRoom(rng, len(p))
	r.set(p)
	return r
}

// set copies p to the start of the slice.
func (r *room) set(p []byte) {
	copy(r.all[r.lo:], p)
	copy(r.was[r.lo:], p)
}

// reset brings the old contents back.
func (r *room) reset() { copy(r.all, r.was) }

// touched tells whether a byte has changed outside the first n bytes of the slice.
func (r *room) touched(n int) bool {
	return !bytes.Equal(r.all[:r.lo], r.was[:r.lo]) || !bytes.Equal(r.all[r.lo+n:], r.was[r.lo+n:])
}

// overlap is two slices of an array that overlap at different indexes.
type overlap struct {
	name     string
	dst, src int // where they start
}

// overlaps returns the inexact overlaps of two slices of n >= 2 bytes.
func overlaps(n int) []overlap {
	return []overlap{
		{"dst one byte after src", 1, 0},
		{"src one byte after dst", 0, 1},
		{"last byte of src is first of dst", n - 1, 0},
		{"last byte of dst is first of src", 0, n - 1},
	}
}

// testArgument checks a slice that start takes and the function it returns uses:
// it is not changed, not kept and not read beyond its end, and every bit of it
// matters.
func testArgument(t suite, name string, arg []byte, start func(arg []byte) func() []byte) {
	t.Helper()
	want := start(bytes.Clone(arg))()
	t.Run(name+"Kept", func(t suite) {
		own := roomWith(Rand(t), arg)
		use := start(own.b)
		if own.touched(0) {
			t.Errorf("the %s, or a byte beside it, is changed", name)
		}
		for i := range own.b {
			own.b[i] ^= 0xff
		}
		if !bytes.Equal(use(), want) {
			t.Errorf("the %s is not copied: changing it later has an effect", name)
		}
	})
	t.Run(name+"Bits", func(t suite) {
		for bit := range 8 * len(arg) {
			if bytes.Equal(start(flipped(arg, bit))(), want) {
				t.Fatalf("bit %d of the %s has no effect", bit, name)
			}
		}
	})
	t.Run(name+"Edges", func(t suite) {
		for _, edge := range Edges(t, len(arg)) {
			copy(edge, arg)
			faults(t, func() {
				if !bytes.Equal(start(edge)(), want) {
					t.Errorf("result depends on the place of the %s", name)
				}
			})
		}
	})
	if len(arg) == 0 {
		if !bytes.Equal(start(nil)(), want) {
			t.Errorf("a nil %s is not like an empty one", name)
		}
	}
}

// sized makes a constructor's result fit for testKeySizes.
func sized[T any](construct func(key []byte) (T, error)) func(key []byte) (any, error) {
	return func(key []byte) (any, error) { return construct(key) }
}

// must calls a constructor that has to succeed.
func must[T any](t testing.TB, construct func(key []byte) (T, error), key []byte) T {
	t.Helper()
	v, err := construct(key)
	if err != nil {
		t.Fatalf("key of %d bytes: %v", len(key), err)
	}
	return v
}

func sizeName(what string, n int) string { return fmt.Sprintf("%s%d", what, n) }
