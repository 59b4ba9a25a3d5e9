package catalog_test

import (
	"bytes"
	"crypto/cipher"
	"hash"
	"testing"

	"xcipher/aead/cloc"
	"xcipher/aead/incremental"
	"xcipher/aead/mgm"
	"xcipher/aead/silc"
	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/internal/catalog"
	"xcipher/mac/cmac"
)

// operation is something that an algorithm does with a text, from whatever state
// its constructor made: one or several calls for the pieces of src, the output of
// which goes to dst, the same memory or another. It returns the whole output.
type operation func(t *testing.T, dst, src, cuts []byte) []byte

// operations returns what can be done with an algorithm and a key. What it makes
// from the key, it makes in the tier that is on; the operations may run in others.
func operations(t testing.TB, a catalog.Algorithm, key, iv []byte) []operation {
	switch a.Kind {
	case catalog.Stream:
		var all []operation
		for _, n := range a.NonceSizes {
			all = append(all, stream(func() cipher.Stream {
				return must(catalog.NewStream(a.Name, fit(key, a.KeySize), fit(iv, n)))(t)
			}))
		}
		return all
	case catalog.MAC:
		if !a.AnyKey {
			key = fit(key, a.KeySize)
		}
		return []operation{sum(must(catalog.NewMAC(a.Name, key))(t))}
	case catalog.Hash:
		return []operation{sum(must(catalog.NewHash(a.Name))(t))}
	case catalog.AEAD:
		return sealing(must(catalog.NewAEAD(a.Name, fit(key, a.KeySize)))(t), a, iv)
	}
	b := must(catalog.NewBlock(a.Name, fit(key, a.KeySize)))(t)
	size := a.BlockSize
	one, wide := fit(iv, size), fit(iv, 3*size)
	all := []operation{
		single(size, b.Encrypt),
		single(size, b.Decrypt),
		mode(func() cipher.BlockMode { return ecb.NewEncrypter(b) }),
		mode(func() cipher.BlockMode { return ecb.NewDecrypter(b) }),
		mode(func() cipher.BlockMode { return cipher.NewCBCEncrypter(b, one) }),
		mode(func() cipher.BlockMode { return cipher.NewCBCDecrypter(b, one) }),
		mode(func() cipher.BlockMode { return gost3413.NewCBCEncrypter(b, wide) }),
		mode(func() cipher.BlockMode { return gost3413.NewCBCDecrypter(b, wide) }),
		stream(func() cipher.Stream { return cipher.NewCTR(b, one) }),
		stream(func() cipher.Stream { return gost3413.NewCTR(b, one[:size/2]) }),
		stream(func() cipher.Stream { return gost3413.NewOFB(b, wide) }),
		stream(func() cipher.Stream { return gost3413.NewCFBEncrypter(b, wide) }),
		stream(func() cipher.Stream { return gost3413.NewCFBDecrypter(b, wide) }),
	}
	if size > 16 {
		return all
	}
	all = append(all, sum(must(cmac.New(b))(t)))
	for _, over := range []func(cipher.Block) (cipher.AEAD, error){mgm.New, cloc.New, silc.New} {
		all = append(all, sealing(must(over(b))(t), catalog.Algorithm{}, iv)...)
	}
	return all
}

func single(size int, crypt func(dst, src []byte)) operation {
	return func(t *testing.T, dst, src, cuts []byte) []byte {
		dst = dst[:len(src)/size*size]
		for i := 0; i < len(dst); i += size {
			crypt(dst[i:], src[i:])
		}
		return dst
	}
}

func mode(start func() cipher.BlockMode) operation {
	return func(t *testing.T, dst, src, cuts []byte) []byte {
		m := start()
		size := m.BlockSize()
		src = src[:len(src)/size*size]
		at := 0
		cut(src, cuts, size, func(piece []byte) {
			m.CryptBlocks(dst[at:], piece)
			at += len(piece)
		})
		return dst[:len(src)]
	}
}

func stream(start func() cipher.Stream) operation {
	return func(t *testing.T, dst, src, cuts []byte) []byte {
		s := start()
		at := 0
		cut(src, cuts, 1, func(piece []byte) {
			s.XORKeyStream(dst[at:], piece)
			at += len(piece)
		})
		return dst[:len(src)]
	}
}

func sum(h hash.Hash) operation {
	return func(t *testing.T, dst, src, cuts []byte) []byte {
		h.Reset()
		cut(src, cuts, 1, func(piece []byte) { h.Write(piece) })
		return h.Sum(dst[:0])
	}
}

// sealing returns Seal and Open, and both in pieces. Additional data is the
// beginning of the text.
func sealing(c cipher.AEAD, a catalog.Algorithm, iv []byte) []operation {
	nonce := fit(iv, c.NonceSize())
	split := func(src []byte) (text, aad []byte) {
		if a.MaxMessage > 0 && uint64(len(src)) > a.MaxMessage {
			src = src[:a.MaxMessage]
		}
		if a.NoAAD {
			return src, nil
		}
		n := len(src) * 2 / 7
		return src, bytes.Clone(src[:n]) // which may be overwritten in place
	}
	seal := func(t *testing.T, dst, src, cuts []byte) []byte {
		text, aad := split(src)
		return c.Seal(dst[:0], nonce, text, aad)
	}
	open := func(t *testing.T, dst, src, cuts []byte) []byte {
		text, aad := split(src)
		sealed := c.Seal(nil, nonce, text, aad)
		into := dst
		if len(src) > 0 && &dst[0] == &src[0] {
			into = sealed
		}
		opened := must(c.Open(into[:0], nonce, sealed, aad))(t)
		equal(t, "Open after Seal", opened, text)
		return opened
	}
	all := []operation{seal, open}
	if !inPieces(c) {
		return all
	}
	return append(all, func(t *testing.T, dst, src, cuts []byte) []byte {
		text, aad := split(src)
		var out bytes.Buffer
		w := must(incremental.NewSealer(c, &out, nonce, aad))(t)
		cut(text, cuts, 1, func(piece []byte) { w.Write(piece) })
		w.Close()
		equal(t, "sealing in pieces", out.Bytes(), c.Seal(nil, nonce, text, aad))
		return out.Bytes()
	})
}

// FuzzTiers compares the tiers: each does one operation with the same text, once
// in one call and with memory of its own, once in pieces and in place at some
// alignment, once with what the first tier made of the key.
func FuzzTiers(f *testing.F) {
	for which, a := range catalog.Algorithms() {
		c := newCases(a)
		for i := range len(operations(f, a, make([]byte, 32), make([]byte, 96))) {
			sizes := []uint16{uint16(c.upTo(200)), uint16(1000 + c.upTo(1500))}
			if testing.Short() {
				sizes = sizes[i%2:][:1]
			}
			for _, n := range sizes {
				f.Add(byte(which), byte(i), c.bytes(32), c.bytes(96), c.bytes(32), c.bytes(c.upTo(12)), n, byte(c.upTo(63)))
			}
		}
	}
	f.Fuzz(func(t *testing.T, which, what byte, key, iv, text, cuts []byte, size uint16, offset byte) {
		all := catalog.Algorithms()
		a := all[int(which)%len(all)]
		src := stretch(text, int(size)%5000)
		var first []operation
		agree(t, func(t *testing.T) []byte {
			made := operations(t, a, key, iv)
			if first == nil {
				first = made
			}
			i := int(what) % len(made)
			buf := func() []byte { return make([]byte, len(src)+128)[offset%64:] }
			out := bytes.Clone(made[i](t, buf(), src, nil))
			place := buf()
			copy(place, src)
			equal(t, "in place and in pieces", made[i](t, place, place[:len(src)], cuts), out)
			equal(t, "an object of another tier", first[i](t, buf(), src, cuts), out)
			return out
		})
	})
}

// stretch makes n bytes of text, in which what repeats is changed.
func stretch(text []byte, n int) []byte {
	long := make([]byte, n)
	for i := range long {
		if len(text) > 0 {
			long[i] = text[i%len(text)] + byte(i/len(text)*0x3b)
		}
	}
	return long
}

// The operations differ, and what they give depends on the text: FuzzTiers compares
// nothing with nothing.
func TestOperations(t *testing.T) {
	least := map[catalog.Kind]int{catalog.Block: 11, catalog.AEAD: 2} // ECB is block after block
	for _, a := range catalog.Algorithms() {
		key, iv := newCases(a).bytes(32), newCases(a).bytes(96)
		n := 960
		if a.MaxMessage > 0 {
			n = int(min(a.MaxMessage, 960))
		}
		seen := make(map[string]bool)
		for i, op := range operations(t, a, key, iv) {
			src, dst := stretch(iv, n), make([]byte, n+128)
			out := string(op(t, dst, src, []byte{5, 7}))
			seen[out] = true
			src[len(src)-1] ^= 1
			if again := string(op(t, dst, src, nil)); again == out {
				t.Errorf("%s: operation %d does not depend on the text", a.Name, i)
			}
		}
		if len(seen) < max(1, least[a.Kind]) {
			t.Errorf("%s: only %d outputs", a.Name, len(seen))
		}
	}
}
