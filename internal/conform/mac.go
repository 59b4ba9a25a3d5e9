package conform

import (
	"bytes"
	"hash"
	"reflect"
	"testing"
)

// TestMAC checks a hash.Hash with a key. keySizes lists every key size in bytes.
func TestMAC(t *testing.T, keySizes []int, newMAC func(key []byte) (hash.Hash, error)) {
	t.Helper()
	testMAC(host{t}, keySizes, newMAC)
}

func testMAC(t suite, keySizes []int, newMAC func(key []byte) (hash.Hash, error)) {
	t.Helper()
	t.Run("KeySizes", func(t suite) { testKeySizes(t, keySizes, sized(newMAC)) })
	for _, n := range some(t, keySizes) {
		t.Run(sizeName("key", n), func(t suite) {
			h := &hashCase{rng: Rand(t)}
			key := bytesOf(h.rng, n)
			h.fresh = func() hash.Hash { return must(t, newMAC, bytes.Clone(key)) }
			t.Run("Methods", func(t suite) {
				// A MAC's state holds its key: it is not marshalled.
				methods(t, h.fresh(), reflect.TypeFor[hash.Hash](), "Clone")
			})
			text := bytesOf(h.rng, 100)
			testArgument(t, "Key", key, func(key []byte) func() []byte {
				f := must(t, newMAC, key)
				return func() []byte {
					var sums []byte // many, as a tag may be short
					for i := range 16 {
						f.Reset()
						f.Write(text[i:])
						sums = f.Sum(sums)
					}
					return sums
				}
			})
			h.test(t)
		})
	}
}
