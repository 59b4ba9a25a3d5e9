//go:build valgrind

package ctcheck_test

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"xcipher/internal/catalog"
)

func TestStreams(t *testing.T) {
	section(t, "streams", func(s *suite) {
		s.algorithms(catalog.Stream, func(s *suite, a catalog.Algorithm) {
			for _, nonceSize := range a.NonceSizes {
				for _, n := range lengths(a) {
					if n > 0 {
						s.stream(a, nonceSize, n)
					}
				}
			}
		})
	})
}

func (s *suite) stream(a catalog.Algorithm, nonceSize, n int) {
	key, nonce := s.secret(a.KeySize), s.public(nonceSize)
	var streams [2]cipher.Stream
	for i := range streams {
		s.quiet("key set-up", func() {
			var err error
			if streams[i], err = catalog.NewStream(a.Name, key, nonce); err != nil {
				s.Fatal(err)
			}
		})
	}
	what := fmt.Sprintf("nonce of %d bytes, %d bytes", nonceSize, n)
	s.streamBothWays(what, n, streams[0], streams[1])
	s.streamBothWays(what+" after them", 70, streams[0], streams[1])
}
