//go:build !linux

package conform

import "testing"

// guarded returns n bytes of plain memory: there are no guard pages here.
func guarded(t testing.TB, n int) []byte {
	t.Helper()
	return make([]byte, n)
}

// hasGuardPages tells whether memory beside what guarded returns is unreadable.
const hasGuardPages = false
