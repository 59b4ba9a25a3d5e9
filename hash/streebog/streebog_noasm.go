//go:build !(amd64 && gc && !purego)

package streebog

// blocks is stage 2. p is a number of whole blocks.
func blocks(s *state, p []byte) { blocksGeneric(s, p) }

// last is stage 3. tail has less than a block.
func last(s *state, tail []byte) { lastGeneric(s, tail) }
