package clients

import (
	"bytes"
	"hash"
	"testing"

	"github.com/gorilla/securecookie"

	"xcipher/internal/catalog"
	"xcipher/interop/tally"
)

// A cookie is encrypted with CTR over the Block and carries an HMAC with the hash.
func TestSecureCookie(t *testing.T) {
	for _, h := range algorithms(catalog.Hash) {
		for _, c := range algorithms(catalog.Block) {
			tally.Run(t, "securecookie", c.Name+" "+h.Name, func(t *testing.T) {
				codec := func(hashKey, blockKey []byte) *securecookie.SecureCookie {
					return securecookie.New(hashKey, blockKey).
						BlockFunc(blockFunc(c.Name)).
						HashFunc(func() hash.Hash { return noiseHash(h.Name).Hash() }).
						SetSerializer(securecookie.NopEncoder{})
				}
				hashKey, blockKey := random(64), random(c.KeySize)
				s := codec(hashKey, blockKey)
				for _, n := range []int{1, 15, 16, 17, 100, 1000} {
					text := random(n)
					cookie, err := s.Encode("name", bytes.Clone(text)) // encrypts in place
					if err != nil {
						t.Fatal(err)
					}
					var got []byte
					if err := s.Decode("name", cookie, &got); err != nil || !bytes.Equal(got, text) {
						t.Errorf("%d bytes do not come back: %v", n, err)
					}
					if s.Decode("other", cookie, &got) == nil {
						t.Errorf("%d bytes: accepted under another name", n)
					}
					if codec(flip(hashKey), blockKey).Decode("name", cookie, &got) == nil {
						t.Errorf("%d bytes: accepted under another key", n)
					}
					changed := []byte(cookie)
					changed[n%len(changed)] ^= 2
					if s.Decode("name", string(changed), &got) == nil {
						t.Errorf("%d bytes: a change was accepted", n)
					}
				}
				if _, err := codec(hashKey, random(c.KeySize+1)).Encode("name", random(10)); err == nil {
					t.Error("a wrong key size was taken")
				}
			})
		}
	}
}
