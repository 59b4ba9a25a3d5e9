// Package catalog names every algorithm of this module, for programs and tests
// that choose one at run time. The command-line tool, the conformance tests, the
// fuzz targets and the benchmarks loop over Algorithms, so that an algorithm is
// covered from the moment it is listed.
package catalog

import (
	"crypto/cipher"
	"fmt"
	"slices"
	"strings"
)

// Kind is what an algorithm is, and which function makes it.
type Kind string

// The kinds, each with the interface of the standard library that it implements.
const (
	Block  Kind = "block"  // cipher.Block: NewBlock
	AEAD   Kind = "aead"   // cipher.AEAD: NewAEAD
	MAC    Kind = "mac"    // hash.Hash with a key: NewMAC
	Hash   Kind = "hash"   // hash.Hash: NewHash
	Stream Kind = "stream" // cipher.Stream: NewStream
)

// Algorithm describes one algorithm. Sizes are in bytes.
type Algorithm struct {
	Name       string
	Kind       Kind
	KeySize    int    // 0 if there is no key, or if keys of any length are taken
	AnyKey     bool   // keys of any length are taken (HMAC)
	NonceSizes []int  // of AEADs and streams
	BlockSize  int    // of blocks, and the BlockSize method of hashes and MACs
	Size       int    // of a digest or tag; the Overhead of an AEAD
	MaxMessage uint64 // longest message, 0 if there is no limit that can be reached
	NoAAD      bool   // the AEAD takes no additional data
	Standard   string // short citation
	Note       string // for the reader of a list; may be empty
}

// Algorithms returns all algorithms, those of a kind together.
func Algorithms() []Algorithm {
	return slices.Concat(blocks(), aeads(), macs(), hashes(), streams())
}

// Lookup returns the algorithm called name.
func Lookup(name string) (Algorithm, bool) {
	all := Algorithms()
	if i := slices.IndexFunc(all, func(a Algorithm) bool { return a.Name == name }); i >= 0 {
		return all[i], true
	}
	return Algorithm{}, false
}

// UnknownError is returned for a name that is not listed under the kind.
type UnknownError struct {
	Kind Kind
	Name string
	Near []string // names of the kind that look alike, or all of them
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s algorithm %q; there is %s", e.Kind, e.Name, strings.Join(e.Near, ", "))
}

// unknown makes the error for a name that no switch knows.
func unknown(kind Kind, name string) error {
	e := &UnknownError{Kind: kind, Name: name}
	var all []string
	for _, a := range Algorithms() {
		if a.Kind != kind {
			continue
		}
		all = append(all, a.Name)
		if near(strings.ToLower(name), a.Name) {
			e.Near = append(e.Near, a.Name)
		}
	}
	if len(e.Near) == 0 {
		e.Near = all
	}
	return e
}

// near reports whether a typed name may mean a listed one: a part of it, or at
// most three letters inserted, deleted or replaced.
func near(typed, name string) bool {
	if len(typed) >= 3 && (strings.Contains(name, typed) || strings.Contains(typed, name)) {
		return true
	}
	row := make([]int, len(name)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(typed) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(name) {
			cost := diagonal
			if typed[i] != name[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(name)] <= min(3, len(name)/2)
}

// over makes an AEAD or a MAC from the key of a block cipher.
func over[T any](block newBlock, mode func(cipher.Block) (T, error), key []byte) (v T, err error) {
	b, err := block(key)
	if err != nil {
		return v, err
	}
	return mode(b)
}

type newBlock = func(key []byte) (cipher.Block, error)
