//go:build !(amd64 && gc && !purego)

package mgm

func (s *product) add64(h, p []byte) { s.add64Generic(h, p) }

func (s *product) add128(h, p []byte) { s.add128Generic(h, p) }
