//go:build !(linux && amd64 && gc && valgrind)

package ctcheck

func ask(uint64, []byte, []byte) uint64 { return 0 }
