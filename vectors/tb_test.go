package vectors

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// recorder is a TB that keeps what is reported.
type recorder struct {
	reports []string
	fatal   bool
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	r.fatal = true
}

// seeds returns the seeds with each of which every planted fault must be found.
func seeds() []uint64 {
	n := 5
	if testing.Short() {
		n = 2
	}
	s := make([]uint64, n)
	for i := range s {
		s[i] = uint64(i + 1)
	}
	return s
}

// mustPass runs a runner on something correct.
func mustPass[P any](t *testing.T, runner func(TB, *File, P) Result, file func() *File, pick P, want Result) {
	t.Helper()
	for _, seed := range seeds() {
		f := file()
		f.Seed = seed
		var r recorder
		if got := runner(&r, f, pick); got != want {
			t.Errorf("result %+v, want %+v", got, want)
		}
		if len(r.reports) > 0 {
			t.Fatalf("something correct was reported: %s", r.reports[0])
		}
	}
}

// A plant is a fault: in the vectors if change is set, in the implementation if
// pick is.
type plant[P any] struct {
	name   string
	change func(f *File)
	pick   P
	want   string // in one of the reports
}

// mustReport runs a runner on each fault, in otherwise correct circumstances.
func mustReport[P any](t *testing.T, runner func(TB, *File, P) Result, file func() *File, plants []plant[P]) {
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			for _, seed := range seeds() {
				f := file()
				f.Seed = seed
				if p.change != nil {
					p.change(f)
				}
				var r recorder
				runner(&r, f, p.pick)
				if len(r.reports) == 0 {
					t.Fatalf("not reported with seed %d", f.Seed)
				}
				if !slices.ContainsFunc(r.reports, func(s string) bool { return strings.Contains(s, p.want) }) {
					t.Fatalf("no report says %q with seed %d; the first one is: %s", p.want, f.Seed, r.reports[0])
				}
				if mark := fmt.Sprintf(", seed %d: ", f.Seed); !strings.Contains(r.reports[0], mark) {
					t.Fatalf("report without the seed %d: %s", f.Seed, r.reports[0])
				}
			}
		})
	}
}

// newFile makes a file of groups of one type, with tests numbered in order.
func newFile(groups ...*Group) *File {
	f := &File{Name: "planted", Groups: groups}
	for _, g := range groups {
		for _, t := range g.Tests {
			f.NumberOfTests++
			t.ID = f.NumberOfTests
			if t.Result == "" {
				t.Result = "valid"
			}
		}
	}
	return f
}

// randomBytes returns n bytes that are the same for the same arguments.
func randomBytes(seed uint64, n int) []byte {
	b := make([]byte, n)
	newReplay(seed, n).fill(b)
	return b
}

func unaligned(b []byte) bool {
	return len(b) > 0 && uintptr(unsafe.Pointer(&b[0]))%16 != 0
}

func sameStart(x, y []byte) bool {
	return len(x) > 0 && len(y) > 0 && &x[0] == &y[0]
}

// A transformFault breaks a transform of which every call works on n(src) bytes.
type transformFault struct {
	name, want string
	blocks     bool // applies to a Block, too
	wrap       func(f transform, n func(src []byte) int) transform
}

// wrapAfter makes a fault that runs after the transform did its work on n bytes.
func wrapAfter(after func(dst, src []byte, n, call int)) func(transform, func([]byte) int) transform {
	return func(f transform, n func([]byte) int) transform {
		calls := 0
		return func(dst, src []byte) {
			f(dst, src)
			if n(src) > 0 {
				calls++
				after(dst, src, n(src), calls)
			}
		}
	}
}

var transformFaults = []transformFault{
	{"always", "output differs", true, wrapAfter(func(dst, src []byte, n, call int) {
		dst[0] ^= 1
	})},
	{"in place", "in place", true, wrapAfter(func(dst, src []byte, n, call int) {
		if sameStart(dst, src) {
			dst[n-1] ^= 1
		}
	})},
	{"unaligned source", "unaligned", true, wrapAfter(func(dst, src []byte, n, call int) {
		if unaligned(src) {
			dst[n-1] ^= 0x80
		}
	})},
	{"unaligned destination", "unaligned", true, wrapAfter(func(dst, src []byte, n, call int) {
		if unaligned(dst) {
			dst[n-1] ^= 0x80
		}
	})},
	{"past a longer dst", "outside dst[:len(src)]", false, wrapAfter(func(dst, src []byte, n, call int) {
		if len(dst) > n {
			dst[n] ^= 1
		}
	})},
	{"past dst, in its capacity", "outside dst[:len(src)]", true, wrapAfter(func(dst, src []byte, n, call int) {
		if d := dst[:cap(dst)]; len(d) > n {
			d[len(dst):][:1][0] ^= 1
		}
	})},
	{"source changed", "src changed", true, wrapAfter(func(dst, src []byte, n, call int) {
		if !sameStart(dst, src) {
			src[n-1] ^= 1
		}
	})},
	{"second call", "in pieces", false, wrapAfter(func(dst, src []byte, n, call int) {
		if call > 1 {
			dst[0] ^= 1
		}
	})},
	{"panic", "unexpected panic: planted", true, wrapAfter(func(dst, src []byte, n, call int) {
		panic("planted")
	})},
	{"after an empty call", "in pieces", false, func(f transform, n func([]byte) int) transform {
		empty := false
		return func(dst, src []byte) {
			f(dst, src)
			if empty && len(src) > 0 {
				dst[0] ^= 1
			}
			empty = empty || len(src) == 0
		}
	}},
	{"nothing done for long input", "output differs", false, func(f transform, n func([]byte) int) transform {
		return func(dst, src []byte) {
			if len(src) < 64 {
				f(dst, src)
			}
		}
	}},
}

// flip returns a copy of b with one bit changed.
func flip(b []byte, r *rand.Rand) []byte {
	b = bytes.Clone(b)
	b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	return b
}

// flipOne changes one bit of a byte string of one test that is not empty.
func flipOne(f *File, of func(t *Test) *HexBytes) {
	r := newReplay(f.Seed, 0).Rand
	for {
		g := f.Groups[r.IntN(len(f.Groups))]
		if b := of(g.Tests[r.IntN(len(g.Tests))]); len(*b) > 0 {
			*b = flip(*b, r)
			return
		}
	}
}
