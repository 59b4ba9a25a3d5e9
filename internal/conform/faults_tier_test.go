package conform

import (
	"bytes"
	"crypto/cipher"
	"hash"
	"testing"
	"time"

	"xcipher/internal/impl"
)

// TestTierFaults has a fast tier that agrees with itself but not with the generic
// tier: it takes another key.
func TestTierFaults(t *testing.T) {
	defer func(d time.Duration) { budget = d }(budget)
	budget /= 20
	fast := true
	impl.Register("tiers", impl.AVX2, &fast)
	defer func() { fast = false }()
	wrong := false
	tier := func(key []byte) []byte {
		key = bytes.Clone(key)
		if wrong && fast && len(key) > 0 {
			key[0] ^= 1
		}
		return key
	}
	for name, run := range map[string]func(t suite){
		"block": func(t suite) {
			testBlock(t, []int{16, 24, 32}, func(key []byte) (cipher.Block, error) { return newAES(tier(key)) })
		},
		"stream": func(t suite) {
			testStream(t, 32, []int{12, 24}, func(key, nonce []byte) (cipher.Stream, error) { return newStream(tier(key), nonce) })
		},
		"AEAD": func(t suite) {
			testAEAD(t, AEAD{KeySizes: []int{16, 24, 32}, New: func(key []byte) (cipher.AEAD, error) { return newGCM(tier(key)) }})
		},
		"MAC": func(t suite) {
			testMAC(t, sizesUpTo(64), func(key []byte) (hash.Hash, error) {
				if len(key) == 0 {
					return nil, keySizeError(0)
				}
				return newHMAC(tier(key))
			})
		},
		"mode": func(t suite) {
			testBlockMode(t, 16, 16,
				func(iv []byte) cipher.BlockMode { enc, _ := newMode(tier(make([]byte, 16))); return enc(iv) },
				func(iv []byte) cipher.BlockMode { _, dec := newMode(tier(make([]byte, 16))); return dec(iv) })
		},
	} {
		for _, report := range []string{"", "avx2/"} {
			t.Run(name+report, func(t *testing.T) {
				wrong = report != ""
				r := newRecorder(t)
				each(r, run)
				r.check(t, report)
			})
		}
	}
}
