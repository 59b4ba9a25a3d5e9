package conform

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// Allocs fails the test if one call of f allocates more than max times. Where
// allocations cannot be counted, as under the race detector, it calls f once.
func Allocs(t *testing.T, name string, max float64, f func()) {
	t.Helper()
	allocs(t, name, max, f)
}

func allocs(t testing.TB, name string, max float64, f func()) {
	t.Helper()
	if !countsAllocs() {
		f()
		return
	}
	if got := testing.AllocsPerRun(100, f); got > max {
		t.Errorf("%s: %v allocations, want at most %v", name, got, max)
	}
}

// countsAllocs is false where the standard library does not count allocations
// either (sanitizers, no optimisation, s390x, plan9), and for coverage, whose
// counters keep functions from being inlined.
func countsAllocs() bool {
	if sanitized || testing.CoverMode() != "" || runtime.GOARCH == "s390x" || runtime.GOOS == "plan9" {
		return false
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return true
	}
	for _, s := range info.Settings {
		if s.Key == "-gcflags" && (strings.Contains(s.Value, "-N") || strings.Contains(s.Value, "-l")) {
			return false
		}
	}
	return true
}
