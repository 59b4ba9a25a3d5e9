package catalog_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding"
	"hash"
	"io"
	"slices"
	"testing"

	"xcipher/aead/incremental"
	"xcipher/block/ecb"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// The fuzz targets take the algorithm from the first argument. Keys and nonces of
// any length are made to fit. Each does what it does in every tier, and the tiers
// must agree.

func pick(which byte, kinds ...catalog.Kind) catalog.Algorithm {
	all := catalog.Algorithms()
	all = slices.DeleteFunc(all, func(a catalog.Algorithm) bool { return !slices.Contains(kinds, a.Kind) })
	return all[int(which)%len(all)]
}

// seeds calls add for each algorithm of the kinds with a few lengths of text.
func seeds(add func(which byte, key, nonce, text, cuts []byte), kinds ...catalog.Kind) {
	which := byte(0)
	for _, a := range catalog.Algorithms() {
		if !slices.Contains(kinds, a.Kind) {
			continue
		}
		c := newCases(a)
		for _, n := range []int{0, 15, 64, 1300} {
			add(which, c.bytes(32), c.bytes(24), c.bytes(n), c.bytes(n/50))
		}
		which++
	}
}

// fit returns n bytes: b, cut or with zeros behind it.
func fit(b []byte, n int) []byte { return append(bytes.Clone(b), make([]byte, n)...)[:n] }

// cut calls f with b in pieces of so many units as cuts tells, and the rest at once.
func cut(b, cuts []byte, unit int, f func(piece []byte)) {
	for _, c := range cuts {
		n := min(int(c)*unit, len(b))
		f(b[:n])
		b = b[n:]
	}
	f(b)
}

// agree calls f in every tier, and returns what it gives in all of them.
func agree(t *testing.T, f func(t *testing.T) []byte) (same []byte) {
	tiers := 0
	conform.Each(t, func(t *testing.T) {
		if got := f(t); tiers == 0 {
			same = got
		} else {
			equal(t, "this tier", got, same)
		}
		tiers++
	})
	return same
}

func equal(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s gives %x, want %x", what, got, want)
	}
}

// sealer returns an AEAD with a key, a nonce, and of text and aad what it takes.
func sealer(t *testing.T, which byte, key, nonce, text, aad []byte) (_ cipher.AEAD, n, p, a []byte) {
	alg := pick(which, catalog.AEAD)
	c := must(catalog.NewAEAD(alg.Name, fit(key, alg.KeySize)))(t)
	if most := alg.MaxMessage; most > 0 && uint64(len(text)) > most {
		text = text[:most]
	}
	if alg.NoAAD {
		aad = nil
	}
	return c, fit(nonce, c.NonceSize()), text, aad
}

// FuzzOpen opens anything, and what Seal made with one byte changed or the end
// cut off.
func FuzzOpen(f *testing.F) {
	seeds(func(which byte, key, nonce, text, cuts []byte) {
		f.Add(which, key, nonce, text, cuts, uint16(len(text)), byte(1))
	}, catalog.AEAD)
	f.Fuzz(func(t *testing.T, which byte, key, nonce, text, aad []byte, at uint16, change byte) {
		c, nonce, short, own := sealer(t, which, key, nonce, text, aad)
		sealed := agree(t, func(t *testing.T) []byte {
			// aad is not what the AEAD takes, if that is none.
			if opened := open(t, c, nonce, text, aad); opened != nil {
				equal(t, "Seal of an opened message", c.Seal(nil, nonce, opened, aad), text)
			}
			sealed := c.Seal(nil, nonce, short, own)
			equal(t, "Open after Seal", open(t, c, nonce, sealed, own), short)
			return sealed
		})
		i := int(at) % len(sealed)
		if forged := open(t, c, nonce, sealed[:i], own); forged != nil {
			t.Errorf("Open accepts the first %d bytes of %x: %x", i, sealed, forged)
		}
		if sealed[i] ^= change; change == 0 {
			return
		}
		if forged := open(t, c, nonce, sealed, own); forged != nil {
			t.Errorf("Open accepts %x, where byte %d is changed by %#x: %x", sealed, i, change, forged)
		}
	})
}

// open returns the message, nil if Open returns an error.
func open(t *testing.T, c cipher.AEAD, nonce, ct, aad []byte) []byte {
	t.Helper()
	buf := bytes.Repeat([]byte{42}, 5+len(ct))
	got, err := c.Open(buf[:5], nonce, ct, aad)
	if !bytes.Equal(buf[:5], []byte{42, 42, 42, 42, 42}) {
		t.Errorf("Open changes what is there")
	}
	if err == nil {
		if len(got) > len(buf) {
			t.Fatalf("Open makes %d bytes of %d", len(got)-5, len(ct))
		}
		return got[5:]
	}
	if got != nil || bytes.ContainsFunc(buf, func(r rune) bool { return r != 0 && r != 42 }) {
		t.Errorf("Open returns %x and an error, and leaves %x", got, buf[5:])
	}
	return nil
}

// FuzzSealOpen seals and opens a message in one call, in place, and in pieces.
func FuzzSealOpen(f *testing.F) {
	seeds(func(which byte, key, nonce, text, cuts []byte) {
		f.Add(which, key, nonce, text, key[:len(text)%33], cuts)
	}, catalog.AEAD)
	f.Fuzz(func(t *testing.T, which byte, key, nonce, text, aad, cuts []byte) {
		c, nonce, text, aad := sealer(t, which, key, nonce, text, aad)
		agree(t, func(t *testing.T) []byte {
			sealed := c.Seal(nil, nonce, text, aad)
			equal(t, "Open", must(c.Open(nil, nonce, sealed, aad))(t), text)
			buf := append(make([]byte, 0, len(sealed)+len(text)), text...)
			buf = c.Seal(buf[:0], nonce, buf, aad)
			equal(t, "Seal in place", buf, sealed)
			equal(t, "Open in place", must(c.Open(buf[:0], nonce, buf, aad))(t), text)
			if !inPieces(c) {
				return sealed
			}
			var out bytes.Buffer
			w := must(incremental.NewSealer(c, &out, nonce, aad))(t)
			cut(text, cuts, 1, func(piece []byte) { w.Write(piece) })
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			equal(t, "sealing in pieces", out.Bytes(), sealed)
			r := must(incremental.NewOpener(c, bytes.NewReader(sealed), nonce, aad))(t)
			opened := make([]byte, len(text))
			cut(opened, cuts, 1, func(piece []byte) {
				if _, err := io.ReadFull(r, piece); err != nil {
					t.Error(err)
				}
			})
			if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Errorf("%d bytes and %v follow on the message", n, err)
			}
			equal(t, "opening in pieces", opened, text)
			return sealed
		})
	})
}

// FuzzSplits gives a message to a hash, MAC or stream at once and in pieces.
func FuzzSplits(f *testing.F) {
	kinds := []catalog.Kind{catalog.Hash, catalog.MAC, catalog.Stream}
	seeds(func(which byte, key, nonce, text, cuts []byte) { f.Add(which, key, nonce, text, cuts) }, kinds...)
	f.Fuzz(func(t *testing.T, which byte, key, nonce, text, cuts []byte) {
		a := pick(which, kinds...)
		if !a.AnyKey {
			key = fit(key, a.KeySize)
		}
		agree(t, func(t *testing.T) []byte {
			switch a.Kind {
			case catalog.Stream:
				nonce := fit(nonce, a.NonceSizes[len(text)%len(a.NonceSizes)])
				out := bytes.Clone(text)
				must(catalog.NewStream(a.Name, key, nonce))(t).XORKeyStream(out, text)
				s := must(catalog.NewStream(a.Name, key, nonce))(t)
				pieces := bytes.Clone(text)
				cut(pieces, cuts, 1, func(piece []byte) { s.XORKeyStream(piece, piece) })
				equal(t, "XORKeyStream in pieces", pieces, out)
				return out
			case catalog.MAC:
				return write(t, must(catalog.NewMAC(a.Name, key))(t), text, cuts)
			}
			return write(t, must(catalog.NewHash(a.Name))(t), text, cuts)
		})
	})
}

// write returns the digest of text, which it writes at once, and in pieces while
// clones, and whatever else must not disturb, are taken in between.
func write(t *testing.T, h hash.Hash, text, cuts []byte) []byte {
	t.Helper()
	h.Write(text)
	sum := h.Sum(nil)
	h.Reset()
	cut(text, cuts, 1, func(piece []byte) {
		h.Write(piece)
		if c, ok := h.(hash.Cloner); ok && len(piece)%3 == 0 {
			h = must(c.Clone())(t)
			c.Write(piece)
		}
		if m, ok := h.(encoding.BinaryMarshaler); ok && len(piece)%3 == 1 {
			state := must(m.MarshalBinary())(t)
			h.Write(piece)
			if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
				t.Error(err)
			}
		}
		h.Sum(nil)
	})
	equal(t, "Write in pieces", h.Sum(nil), sum)
	return sum
}

// FuzzState restores anything to a hash. What is accepted must be a state that can
// be used, and that MarshalBinary writes as one that is equal.
func FuzzState(f *testing.F) {
	seeds(func(which byte, _, _, text, cuts []byte) {
		h, err := catalog.NewHash(pick(which, catalog.Hash).Name)
		if err != nil {
			f.Fatal(err)
		}
		h.Write(text)
		state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(which, state, cuts)
		state[len(state)-1] = byte(h.BlockSize()) // a block that is full
		f.Add(which, state, cuts)
	}, catalog.Hash)
	f.Fuzz(func(t *testing.T, which byte, state, text []byte) {
		a := pick(which, catalog.Hash)
		agree(t, func(t *testing.T) []byte {
			h := must(catalog.NewHash(a.Name))(t)
			h.Write(text)
			sum := h.Sum(nil)
			if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state) != nil {
				equal(t, "Sum after a state was refused", h.Sum(nil), sum)
				return nil
			}
			saved := must(h.(encoding.BinaryMarshaler).MarshalBinary())(t)
			again := must(catalog.NewHash(a.Name))(t)
			if err := again.(encoding.BinaryUnmarshaler).UnmarshalBinary(saved); err != nil {
				t.Fatalf("%x is accepted, but %v when saved again as %x", state, err, saved)
			}
			equal(t, "MarshalBinary of the state saved again", must(again.(encoding.BinaryMarshaler).MarshalBinary())(t), saved)
			equal(t, "Sum of the state saved again", again.Sum(nil), h.Sum(nil))
			h.Write(text)
			again.Write(text)
			equal(t, "Sum of the state saved again, and text", again.Sum(nil), h.Sum(nil))
			return h.Sum(saved)
		})
	})
}

// FuzzBlock compares modes with what their definition makes of single blocks.
func FuzzBlock(f *testing.F) {
	seeds(func(which byte, key, nonce, text, cuts []byte) { f.Add(which, key, nonce, text, cuts) }, catalog.Block)
	f.Add(byte(0), []byte{1}, bytes.Repeat([]byte{0xff}, 32), make([]byte, 200), []byte{1})
	f.Fuzz(func(t *testing.T, which byte, key, iv, text, cuts []byte) {
		a := pick(which, catalog.Block)
		iv = fit(iv, a.BlockSize)
		agree(t, func(t *testing.T) []byte {
			b := must(catalog.NewBlock(a.Name, fit(key, a.KeySize)))(t)
			mode := func(m cipher.BlockMode, text []byte) []byte {
				out := bytes.Clone(text)
				cut(out, cuts, a.BlockSize, func(piece []byte) { m.CryptBlocks(piece, piece) })
				return out
			}
			whole := text[:len(text)/a.BlockSize*a.BlockSize]
			var one, chain, gamma []byte // ECB, CBC, and the key stream of CTR
			last, counter := iv, bytes.Clone(iv)
			for i := 0; i <= len(whole); i += a.BlockSize { // and a block of key stream more
				gamma = append(gamma, counter...)
				b.Encrypt(gamma[i:], gamma[i:])
				for j := len(counter) - 1; j >= 0; j-- {
					if counter[j]++; counter[j] != 0 {
						break
					}
				}
				if i == len(whole) {
					break
				}
				one = append(one, whole[i:i+a.BlockSize]...)
				b.Encrypt(one[i:], one[i:])
				chain = append(chain, whole[i:i+a.BlockSize]...)
				subtle.XORBytes(chain[i:], chain[i:], last)
				b.Encrypt(chain[i:], chain[i:])
				last = chain[i : i+a.BlockSize]
			}
			equal(t, "ECB", mode(ecb.NewEncrypter(b), whole), one)
			equal(t, "CBC", mode(cipher.NewCBCEncrypter(b, iv), whole), chain)
			equal(t, "ECB decryption", mode(ecb.NewDecrypter(b), one), whole)
			equal(t, "CBC decryption", mode(cipher.NewCBCDecrypter(b, iv), chain), whole)
			subtle.XORBytes(gamma, gamma, text)
			s, out := cipher.NewCTR(b, iv), bytes.Clone(text)
			cut(out, cuts, 1, func(piece []byte) { s.XORKeyStream(piece, piece) })
			equal(t, "CTR", out, gamma[:len(text)])
			for i := 0; i < len(one); i += a.BlockSize {
				b.Decrypt(one[i:], one[i:])
			}
			equal(t, "Decrypt", one, whole)
			return append(chain, out...)
		})
	})
}
