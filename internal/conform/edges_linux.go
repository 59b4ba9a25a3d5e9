package conform

import (
	"os"
	"syscall"
	"testing"
)

// guarded returns at least n bytes of memory, whole pages, between two pages that
// can be neither read nor written.
func guarded(t testing.TB, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	size := max(1, (n+page-1)/page) * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("mmap: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Errorf("munmap: %v", err)
		}
	})
	for _, guard := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatalf("mprotect: %v", err)
		}
	}
	return all[page : page+size : page+size]
}

// hasGuardPages tells whether memory beside what guarded returns is unreadable.
const hasGuardPages = true
