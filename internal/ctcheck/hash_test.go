//go:build valgrind

package ctcheck_test

import (
	"bytes"
	"encoding"
	"fmt"
	"hash"
	"testing"

	"xcipher/internal/catalog"
	"xcipher/internal/ctcheck"
)

// writes returns lengths of messages around the block and the batch.
func writes(blockSize int) []int {
	if testing.Short() {
		return []int{0, 1, blockSize, 5*blockSize + 3}
	}
	return []int{0, 1, blockSize - 1, blockSize, blockSize + 1, 2 * blockSize, 3*blockSize - 1, 8 * blockSize, 17*blockSize + 5}
}

// sum writes a message in two parts, and returns Sum.
func sum(h hash.Hash, p []byte) []byte {
	h.Write(p[:len(p)/3])
	h.Write(p[len(p)/3:])
	return h.Sum(make([]byte, 0, h.Size()))
}

func TestHashes(t *testing.T) {
	section(t, "hashes", func(s *suite) {
		s.algorithms(catalog.Hash, func(s *suite, a catalog.Algorithm) {
			for _, n := range writes(a.BlockSize) {
				s.hash(a, n)
			}
		})
	})
}

func (s *suite) newHash(a catalog.Algorithm) hash.Hash {
	h, err := catalog.NewHash(a.Name)
	if err != nil {
		s.Fatal(err)
	}
	return h
}

func (s *suite) hash(a catalog.Algorithm, n int) {
	plain := s.public(n)
	want := sum(s.newHash(a), plain)
	secret := bytes.Clone(plain)
	ctcheck.Secret(secret)
	what := fmt.Sprintf("%d bytes: ", n)
	check := func(call string, got []byte) {
		if n > 0 {
			s.reveal(what+call, got)
		}
		s.equal(what+call, got, want)
	}

	h := s.newHash(a)
	var got []byte
	s.quiet(what+"Sum", func() { got = sum(h, secret) })
	check("Sum", got)
	s.quiet(what+"Reset", func() { h.Reset(); got = sum(h, secret) })
	check("Reset", got)
	s.quiet(what+"Clone", func() {
		c, err := h.(hash.Cloner).Clone()
		if err != nil {
			s.Fatal(err)
		}
		got = c.Sum(make([]byte, 0, a.Size))
	})
	check("Clone", got)
	other := s.newHash(a)
	s.quiet(what+"a secret state", func() {
		state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			s.Fatal(err)
		}
		if err := other.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
			s.Fatal(err)
		}
		got = other.Sum(make([]byte, 0, a.Size))
	})
	check("UnmarshalBinary", got)
}

func TestMACs(t *testing.T) {
	section(t, "MACs", func(s *suite) {
		s.algorithms(catalog.MAC, func(s *suite, a catalog.Algorithm) {
			keySizes := []int{a.KeySize}
			switch {
			case a.AnyKey:
				keySizes = []int{1, 20, 64, 65, 100}
			case a.Name == "aes-cmac":
				keySizes = []int{16, 24, 32}
			}
			for _, size := range keySizes {
				key := s.public(size)
				plain, err := catalog.NewMAC(a.Name, bytes.Clone(key))
				if err != nil {
					s.Fatal(err)
				}
				ctcheck.Secret(key)
				var mac hash.Hash
				s.quiet("key set-up", func() { mac, err = catalog.NewMAC(a.Name, key) })
				if err != nil {
					s.Fatal(err)
				}
				for _, n := range writes(a.BlockSize) {
					s.mac(mac, plain, n)
				}
			}
		})
	})
}

// mac watches a MAC with a secret key, and compares it with one whose key is not.
func (s *suite) mac(mac, plain hash.Hash, n int) {
	msg := s.public(n)
	plain.Reset()
	want := sum(plain, msg)
	ctcheck.Secret(msg)
	what := fmt.Sprintf("%d bytes: ", n)
	var got []byte
	s.quiet(what+"Sum", func() {
		mac.Reset()
		got = sum(mac, msg)
	})
	s.reveal(what+"Sum", got)
	s.equal(what+"Sum", got, want)
	s.quiet(what+"Clone", func() {
		c, err := mac.(hash.Cloner).Clone()
		if err != nil {
			s.Fatal(err)
		}
		got = c.Sum(make([]byte, 0, c.Size()))
	})
	s.reveal(what+"Clone", got)
	s.equal(what+"Clone", got, want)
}
