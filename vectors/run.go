package vectors

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
)

// A Result counts the tests of the groups that a runner looked at.
type Result struct {
	Run     int // includes the refused ones
	Refused int // acceptable tests that were refused
	Skipped int // of groups without a constructor, or left out by Without
}

// TB is what a runner needs of testing.TB: *testing.T will do.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// A check runs one test. It returns nil if the implementation passed, and a refusal
// if it declined in a way that an acceptable test allows.
type check func(t *Test, r *replay) error

// A refusal is the way in which an implementation declined a test.
type refusal struct{ how string }

func (r *refusal) Error() string { return "refused: " + r.how }

// errSkip is returned by a check that cannot run a test.
var errSkip = errors.New("skipped")

// run runs the groups of one type. check returns nil to leave out a group.
func run(t TB, f *File, groupType string, pick func(g *Group) check) (res Result) {
	t.Helper()
	if f == nil {
		t.Fatalf("vectors: no file")
		return
	}
	seed := f.Seed
	for seed == 0 {
		seed = rand.Uint64()
	}
	for _, g := range f.Groups {
		if g.Type != groupType {
			continue
		}
		check := pick(g)
		for _, test := range g.Tests {
			if check == nil || f.leavesOut(test) {
				res.Skipped++
				continue
			}
			err := guard(func() error { return check(test, newReplay(seed, test.ID)) })
			if err == errSkip {
				res.Skipped++
				continue
			}
			res.Run++
			var refused *refusal
			if test.Result == "acceptable" && errors.As(err, &refused) {
				res.Refused++
			} else if err != nil {
				t.Errorf("%s: test %d%s, seed %d: %v", f.Name, test.ID, test.describe(), seed, err)
			}
		}
	}
	if res.Run == 0 {
		t.Errorf("%s: no %s was run, %d were skipped", f.Name, groupType, res.Skipped)
	}
	return res
}

// describe returns what a failure says about a test besides its number.
func (t *Test) describe() string {
	s := " (" + t.Result
	if len(t.Flags) > 0 {
		s += " " + strings.Join(t.Flags, " ")
	}
	if t.Comment != "" {
		s += ": " + t.Comment
	}
	return s + ")"
}

// guard turns a panic of f into an error.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("unexpected panic: %v\n%s", v, debug.Stack())
		}
	}()
	return f()
}

// panics calls f and reports whether it panicked, and with what.
func panics(f func()) (value any, panicked bool) {
	panicked = true // also for a nil value
	defer func() { value = recover() }()
	f()
	return nil, false
}

// construct calls a constructor with copies of its arguments. Whatever it makes
// must have copied them in turn: they are overwritten when it has returned.
func construct[T any](r *replay, build func(args [][]byte) (T, error), args ...[]byte) (made T, err error) {
	lent := r.lend(args...)
	made, err = build(lent.slices())
	if err != nil {
		return made, &refusal{"the constructor says: " + err.Error()}
	}
	if any(made) == nil {
		return made, errors.New("the constructor returned nil without an error")
	}
	if !lent.intact() {
		return made, errors.New("the constructor changed its arguments")
	}
	lent.spoil(r)
	return made, nil
}

// differ returns an error that shows where got departs from want, or nil.
func differ(got, want []byte) error {
	n := 0
	for n < len(got) && n < len(want) && got[n] == want[n] {
		n++
	}
	switch {
	case n < len(got) && n < len(want):
		return fmt.Errorf("differs from byte %d of %d on: got %s, want %s", n, len(want), excerpt(got[n:]), excerpt(want[n:]))
	case len(got) != len(want):
		return fmt.Errorf("has %d bytes instead of %d", len(got), len(want))
	}
	return nil
}

func excerpt(b []byte) string {
	if len(b) > 16 {
		return fmt.Sprintf("%x...", b[:16])
	}
	return fmt.Sprintf("%x", b)
}
