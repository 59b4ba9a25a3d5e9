//go:build amd64 || arm64

package chachapoly

import (
	"bytes"
	"syscall"
	"testing"

	"xcipher/internal/conform"
)

// TestTooLarge uses addresses that have no memory behind them: nothing may be
// read before the length is refused.
func TestTooLarge(t *testing.T) {
	huge, err := syscall.Mmap(-1, 0, maxMessage+1+Overhead, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(huge)
	eachForm(t, func(t *testing.T, v form) {
		a, nonce := v.with(t, make([]byte, KeySize)), make([]byte, v.nonce)
		conform.MustPanic(t, "chachapoly: message too large", func() { a.Seal(nil, nonce, huge[:maxMessage+1], nil) })
		dst := bytes.Repeat([]byte{42}, 100)
		got, err := a.Open(dst[:0], nonce, huge, nil)
		if got != nil || err != errOpen {
			t.Errorf("Open: %d bytes, %v", len(got), err)
		}
		if !bytes.Equal(dst, bytes.Repeat([]byte{42}, 100)) {
			t.Errorf("Open writes to dst")
		}
	})
}
