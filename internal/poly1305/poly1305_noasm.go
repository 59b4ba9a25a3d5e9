//go:build !(amd64 && gc && !purego)

package poly1305

func blocks(m *State, p []byte) { blocksGeneric(m, p) }

func sum(tag *[TagSize]byte, key *[KeySize]byte, aad, text []byte) { sumInParts(tag, key, aad, text) }
