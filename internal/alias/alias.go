// Package alias tells whether two byte slices share memory.
//
// It decides from addresses alone, so slices that were made from different
// allocations never overlap, whatever their contents.
package alias

import "unsafe"

// AnyOverlap reports whether x and y share a byte. Bytes between the length and
// the capacity of a slice do not count, and an empty slice shares nothing.
func AnyOverlap(x, y []byte) bool {
	return len(x) > 0 && len(y) > 0 &&
		uintptr(unsafe.Pointer(&x[0])) <= uintptr(unsafe.Pointer(&y[len(y)-1])) &&
		uintptr(unsafe.Pointer(&y[0])) <= uintptr(unsafe.Pointer(&x[len(x)-1]))
}

// InexactOverlap reports whether x and y share memory at different indexes. Two
// slices that start at the same byte can be worked on in place, and are no
// inexact overlap even where their lengths differ.
func InexactOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 || &x[0] == &y[0] {
		return false
	}
	return AnyOverlap(x, y)
}
