package xcipher_test

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"hash"
	"testing"

	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// A hash that stops anywhere goes on in a clone, in another process, and after
// being stored with encoding/gob, which finds the methods by itself.
func TestHashState(t *testing.T) {
	eachHash(t, func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash) {
		rng := conform.Rand(t)
		for _, n := range lengths() {
			x, rest := random(rng, n), random(rng, 100)
			want := sum(newHash, x, rest)
			h := newHash()
			h.Write(x)
			goOn := func(how string, c hash.Hash) {
				t.Helper()
				c.Write(rest)
				if got := c.Sum(nil); !bytes.Equal(got, want) {
					t.Errorf("%s after %d bytes: %x, want %x", how, n, got, want)
				}
			}
			goOn("clone", must(h.(hash.Cloner).Clone())(t))
			if a.Kind == catalog.MAC {
				// The state of a MAC holds its key, and stays inside.
				if _, ok := h.(encoding.BinaryMarshaler); ok {
					t.Error("a MAC has MarshalBinary")
				}
				goOn("itself", h)
				continue
			}
			state := must(h.(encoding.BinaryMarshaler).MarshalBinary())(t)
			appended := must(h.(encoding.BinaryAppender).AppendBinary([]byte("prefix")))(t)
			if string(appended) != "prefix"+string(state) {
				t.Error("AppendBinary and MarshalBinary differ")
			}
			var stored bytes.Buffer
			if err := gob.NewEncoder(&stored).Encode(h); err != nil {
				t.Fatal(err)
			}
			other := newHash()
			other.Write([]byte("to be forgotten"))
			if err := other.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
				t.Fatal(err)
			}
			goOn("UnmarshalBinary", other)
			other = newHash()
			if err := gob.NewDecoder(&stored).Decode(other); err != nil {
				t.Fatal(err)
			}
			goOn("gob", other)
			goOn("itself", h)
		}
	})
}

// No hash takes the state of another one.
func TestHashStatesDiffer(t *testing.T) {
	each(t, catalog.Hash, func(t *testing.T, a catalog.Algorithm) {
		h := must(catalog.NewHash(a.Name))(t)
		state := must(h.(encoding.BinaryMarshaler).MarshalBinary())(t)
		for _, b := range catalog.Algorithms() {
			if b.Kind != catalog.Hash || b.Name == a.Name {
				continue
			}
			other := must(catalog.NewHash(b.Name))(t)
			if err := other.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err == nil {
				t.Errorf("%s takes the state of %s", b.Name, a.Name)
			}
		}
	})
}
