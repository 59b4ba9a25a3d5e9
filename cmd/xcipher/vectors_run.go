package main

import (
	"crypto/cipher"
	"hash"

	"xcipher/vectors"
)

type (
	newBlock  = func(key []byte) (cipher.Block, error)
	newAEAD   = func(key []byte) (cipher.AEAD, error)
	newMAC    = func(key []byte) (hash.Hash, error)
	newStream = func(key, iv []byte, counter uint64) (cipher.Stream, error)
	hchacha   = func(key, nonce []byte) ([]byte, error)
)

// picks holds, for each type of group, what picks the constructor for a group, or
// nil to skip it.
type picks struct {
	aead    func(f *vectors.File, g *vectors.Group) newAEAD
	block   func(f *vectors.File, g *vectors.Group) newBlock
	mode    func(f *vectors.File, g *vectors.Group) *vectors.Modes
	stream  func(f *vectors.File, g *vectors.Group) newStream
	hash    func(f *vectors.File, g *vectors.Group) func() hash.Hash
	mac     func(f *vectors.File, g *vectors.Group) newMAC
	hchacha func(f *vectors.File, g *vectors.Group) hchacha
}

// run runs the groups of all types. A type of which no group is picked is skipped
// as a whole: a runner would call that a failure.
func (p picks) run(t vectors.TB, f *vectors.File) (sum vectors.Result) {
	add := func(r vectors.Result) {
		sum.Run += r.Run
		sum.Refused += r.Refused
		sum.Skipped += r.Skipped
	}
	for _, kind := range []string{"AeadTest", "BlockTest", "BlockModeTest", "StreamTest", "HashTest", "MacTest", "HChaChaTest"} {
		tests, picked := 0, false
		for _, g := range f.Groups {
			if g.Type == kind {
				tests += len(g.Tests)
				picked = picked || p.picked(f, g)
			}
		}
		if !picked {
			sum.Skipped += tests
			continue
		}
		switch kind {
		case "AeadTest":
			add(vectors.RunAEAD(t, f, bind(p.aead, f)))
		case "BlockTest":
			add(vectors.RunBlock(t, f, bind(p.block, f)))
		case "BlockModeTest":
			add(vectors.RunBlockMode(t, f, bind(p.mode, f)))
		case "StreamTest":
			add(vectors.RunStream(t, f, bind(p.stream, f)))
		case "HashTest":
			add(vectors.RunHash(t, f, bind(p.hash, f)))
		case "MacTest":
			add(vectors.RunMAC(t, f, bind(p.mac, f)))
		case "HChaChaTest":
			add(vectors.RunHChaCha(t, f, bind(p.hchacha, f)))
		}
	}
	return sum
}

// picked tells whether there is a constructor for a group.
func (p picks) picked(f *vectors.File, g *vectors.Group) bool {
	switch g.Type {
	case "AeadTest":
		return p.aead != nil && p.aead(f, g) != nil
	case "BlockTest":
		return p.block != nil && p.block(f, g) != nil
	case "BlockModeTest":
		return p.mode != nil && p.mode(f, g) != nil
	case "StreamTest":
		return p.stream != nil && p.stream(f, g) != nil
	case "HashTest":
		return p.hash != nil && p.hash(f, g) != nil
	case "MacTest":
		return p.mac != nil && p.mac(f, g) != nil
	case "HChaChaTest":
		return p.hchacha != nil && p.hchacha(f, g) != nil
	}
	return false
}

// bind gives a function its first argument.
func bind[T any](pick func(*vectors.File, *vectors.Group) T, f *vectors.File) func(*vectors.Group) T {
	return func(g *vectors.Group) T { return pick(f, g) }
}
