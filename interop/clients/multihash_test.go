package clients

import (
	"bytes"
	"hash"
	"testing"

	"github.com/multiformats/go-multihash"

	"xcipher/internal/catalog"
	"xcipher/interop/tally"
)

func TestMultihash(t *testing.T) {
	const private = 0x300000 // the first code for private use
	for i, h := range algorithms(catalog.Hash) {
		tally.Run(t, "go-multihash", h.Name, func(t *testing.T) {
			newHash := func() hash.Hash { return noiseHash(h.Name).Hash() }
			code := uint64(private + i)
			multihash.Register(code, newHash)
			for _, n := range lengths {
				text := random(n)
				want := newHash()
				want.Write(text)
				got, err := multihash.Sum(text, code, -1)
				if err != nil {
					t.Fatal(err)
				}
				d, err := multihash.Decode(got)
				if err != nil || d.Code != code || d.Length != h.Size || !bytes.Equal(d.Digest, want.Sum(nil)) {
					t.Errorf("%d bytes: %+v, %v", n, d, err)
				}
				if got, err := multihash.SumStream(bytes.NewReader(text), code, 20); err != nil || !bytes.HasSuffix(got, want.Sum(nil)[:20]) {
					t.Errorf("%d bytes cut to 20: %x, %v", n, got, err)
				}
				if other, err := multihash.Sum(append(text, 0), code, -1); err != nil || bytes.Equal(got, other) {
					t.Errorf("%d bytes: one more byte changes nothing (%v)", n, err)
				}
				if _, err := multihash.Decode(got[:len(got)-1]); err == nil {
					t.Errorf("%d bytes: a digest without its end was taken", n)
				}
			}
			if _, err := multihash.Sum(nil, code, h.Size+1); err == nil {
				t.Error("a digest longer than the hash was given")
			}
			if _, err := multihash.Sum(nil, private+100, -1); err == nil {
				t.Error("an unknown code was taken")
			}
		})
	}
}
