package conform

import (
	"fmt"
	"strings"
	"testing"
)

// MustPanic fails the test unless f panics with a value whose text contains
// want. An empty want accepts any panic.
func MustPanic(t testing.TB, want string, f func()) {
	t.Helper()
	v, panicked := catch(f)
	switch {
	case !panicked:
		t.Errorf("no panic, want one with %q", want)
	case !strings.Contains(fmt.Sprint(v), want):
		t.Errorf("panic %q, want one with %q", fmt.Sprint(v), want)
	}
}

// catch calls f and tells whether it panicked, and with what. It lets
// runtime.Goexit pass, so that f may end the test.
func catch(f func()) (value any, panicked bool) {
	done := false
	defer func() {
		if !done {
			value = recover()
			panicked = value != nil
		}
	}()
	f()
	done = true
	return nil, false
}

// refuses checks that f panics with want, and that it has written nothing in
// rooms before.
func refuses(t testing.TB, want string, f func(), rooms ...*room) {
	t.Helper()
	MustPanic(t, want, f)
	for _, r := range rooms {
		if r.touched(0) {
			t.Errorf("wrote something before the panic %q", want)
		}
	}
}
