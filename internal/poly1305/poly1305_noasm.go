//go:build !(amd64 && gc && !purego)

package poly1305

func blocks(m *State, p []byte) { blocksGeneric(m, p) }
