package catalog_test

import (
	"crypto/cipher"
	"errors"
	"hash"
	"slices"
	"strings"
	"testing"

	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

func byKind(kind catalog.Kind) []catalog.Algorithm {
	return slices.DeleteFunc(catalog.Algorithms(), func(a catalog.Algorithm) bool { return a.Kind != kind })
}

func TestNamesAreUnique(t *testing.T) {
	seen := make(map[string]bool)
	for _, a := range catalog.Algorithms() {
		if seen[a.Name] {
			t.Errorf("%s is listed twice", a.Name)
		}
		seen[a.Name] = true
		if a.Standard == "" {
			t.Errorf("%s cites no standard", a.Name)
		}
		if got, ok := catalog.Lookup(a.Name); !ok || got.Kind != a.Kind {
			t.Errorf("Lookup(%q) = %+v, %v", a.Name, got, ok)
		}
	}
	if _, ok := catalog.Lookup("rot13"); ok {
		t.Error("Lookup finds what is not there")
	}
}

// Every line is true of what its constructor returns.
func TestLines(t *testing.T) {
	for _, a := range byKind(catalog.Block) {
		b, err := catalog.NewBlock(a.Name, make([]byte, a.KeySize))
		if err != nil || b.BlockSize() != a.BlockSize {
			t.Errorf("%s: %v, %v", a.Name, b, err)
		}
	}
	for _, a := range byKind(catalog.AEAD) {
		c, err := catalog.NewAEAD(a.Name, make([]byte, a.KeySize))
		if err != nil || !slices.Equal(a.NonceSizes, []int{c.NonceSize()}) || c.Overhead() != a.Size {
			t.Errorf("%s: %v, %v", a.Name, c, err)
		}
	}
	for _, a := range byKind(catalog.MAC) {
		m, err := catalog.NewMAC(a.Name, make([]byte, max(a.KeySize, 1)))
		if err != nil || m.Size() != a.Size || m.BlockSize() != a.BlockSize {
			t.Errorf("%s: %v, %v", a.Name, m, err)
		}
		if a.AnyKey != (a.KeySize == 0) {
			t.Errorf("%s: AnyKey %v with a key of %d bytes", a.Name, a.AnyKey, a.KeySize)
		}
	}
	for _, a := range byKind(catalog.Hash) {
		h, err := catalog.NewHash(a.Name)
		if err != nil || h.Size() != a.Size || h.BlockSize() != a.BlockSize {
			t.Errorf("%s: %v, %v", a.Name, h, err)
		}
	}
	for _, a := range byKind(catalog.Stream) {
		for n := range 40 {
			s, err := catalog.NewStream(a.Name, make([]byte, a.KeySize), make([]byte, n))
			if want := slices.Contains(a.NonceSizes, n); (err == nil) != want || (s == nil) == want {
				t.Errorf("%s: nonce of %d bytes: %v, %v", a.Name, n, s, err)
			}
		}
	}
}

// TestConformance is what keeps a new line honest; the packages behind the lines
// run the same suite themselves.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.SkipNow()
	}
	conform.Each(t, func(t *testing.T) {
		for _, a := range catalog.Algorithms() {
			t.Run(a.Name, func(t *testing.T) {
				keys := []int{a.KeySize}
				if a.Name == "aes-cmac" {
					keys = []int{16, 24, 32}
				}
				switch {
				case a.Kind == catalog.Block:
					conform.TestBlock(t, keys, func(key []byte) (cipher.Block, error) { return catalog.NewBlock(a.Name, key) })
				case a.Kind == catalog.AEAD:
					c := conform.AEAD{KeySizes: keys, NoAAD: a.NoAAD, NoSeparateTag: a.Name == "saturnin-short",
						New: func(key []byte) (cipher.AEAD, error) { return catalog.NewAEAD(a.Name, key) }}
					if a.MaxMessage < 1<<20 {
						c.MaxMessage = int(a.MaxMessage)
					}
					conform.TestAEAD(t, c)
				case a.AnyKey:
					// crypto/hmac's own type: its hash is tested below.
				case a.Kind == catalog.MAC:
					conform.TestMAC(t, keys, func(key []byte) (hash.Hash, error) { return catalog.NewMAC(a.Name, key) })
				case a.Kind == catalog.Hash:
					conform.TestHash(t, func() hash.Hash { h, _ := catalog.NewHash(a.Name); return h })
				case a.Kind == catalog.Stream:
					conform.TestStream(t, a.KeySize, a.NonceSizes, func(key, nonce []byte) (cipher.Stream, error) {
						return catalog.NewStream(a.Name, key, nonce)
					})
				}
			})
		}
	})
}

func TestUnknownNames(t *testing.T) {
	for _, c := range []struct {
		kind        catalog.Kind
		name, wants string
	}{
		{catalog.Block, "kuznechik", "kuznyechik"},
		{catalog.Block, "Magma", "magma"},
		{catalog.Hash, "streebog", "streebog256, streebog512"},
		{catalog.Hash, "sha1", "streebog256, streebog512, saturnin-hash"},
		{catalog.AEAD, "chacha20poly1305", "chacha20-poly1305"},
		{catalog.MAC, "cmac", "kuznyechik-cmac, magma-cmac, aes-cmac"},
		{catalog.Stream, "chacha", "chacha20, chacha12, chacha8"},
		{catalog.Stream, "", "chacha20, chacha12, chacha8, kuznyechik-ctr, magma-ctr"},
	} {
		var err error
		switch c.kind {
		case catalog.Block:
			_, err = catalog.NewBlock(c.name, nil)
		case catalog.AEAD:
			_, err = catalog.NewAEAD(c.name, nil)
		case catalog.MAC:
			_, err = catalog.NewMAC(c.name, nil)
		case catalog.Hash:
			_, err = catalog.NewHash(c.name)
		case catalog.Stream:
			_, err = catalog.NewStream(c.name, nil, nil)
		}
		var u *catalog.UnknownError
		if !errors.As(err, &u) {
			t.Errorf("%s %q: %v", c.kind, c.name, err)
			continue
		}
		if got := strings.Join(u.Near, ", "); !strings.Contains(got, c.wants) {
			t.Errorf("%s %q: near names %s, want %s", c.kind, c.name, got, c.wants)
		}
	}
}
