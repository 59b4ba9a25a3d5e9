//go:build linux && amd64 && gc && valgrind

package ctcheck

import "unsafe"

// toHeap makes what valgrind is asked about escape to the heap, as every call
// through a variable does: a stack may move between the taking of an address and
// its use.
var toHeap = func(b, out []byte) {}

// ask makes a request about b, the answer to which may go to out.
func ask(number uint64, b, out []byte) uint64 {
	toHeap(b, out)
	args := [6]uint64{number, address(b), uint64(len(b))}
	if out != nil {
		args[2], args[3] = address(out), args[2]
	}
	return request(&args)
}

func address(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
