package hutorny

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"xcipher/internal/conform"
	"xcipher/vectors"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func randomBytes(t testing.TB, n int) []byte {
	r, b := conform.Rand(t), make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func xor(x, y []byte) []byte {
	z := make([]byte, min(len(x), len(y)))
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
	return z
}

// pi is the Chaskey permutation with 8 rounds, in the order of the paper.
func pi(x []byte) []byte {
	var v [4]uint32
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(x[4*i:])
	}
	rotl := func(i, n int) { v[i] = v[i]<<n | v[i]>>(32-n) }
	mix := func(i, j, n int) { v[i] += v[j]; rotl(j, n); v[j] ^= v[i] }
	for range 8 {
		mix(0, 1, 5)
		rotl(0, 16)
		mix(2, 3, 8)
		mix(0, 3, 13)
		mix(2, 1, 7)
		rotl(2, 16)
	}
	y := make([]byte, 16)
	for i := range v {
		binary.LittleEndian.PutUint32(y[4*i:], v[i])
	}
	return y
}

// fixTop sets the top bit of word 0.
func fixTop(x []byte) []byte {
	x = slices.Clone(x)
	x[3] |= 0x80
	return x
}

func fill(x []byte, first ...byte) []byte {
	if len(x) == 16 {
		return x
	}
	x = append(slices.Clone(x), first...)
	return append(x, make([]byte, 16-len(x))...)
}

func words(x []byte, sums ...string) (y []byte) {
	for _, sum := range sums {
		z := make([]byte, 4)
		for _, name := range sum {
			z = xor(z, x[int(name-'a')*4:][:4])
		}
		y = append(y, z...)
	}
	return y
}

// refSeal is what hutorny/chaskey v1.4 does, step by step.
func refSeal(key, nonce, msg, aad []byte) []byte {
	f := func(x []byte) []byte { return xor(pi(x), key) }
	e := func(x []byte) []byte { return f(xor(x, key)) }

	s := slices.Clone(key)
	bit := s[3] >= 0x80
	s[3] &= 0x7f
	a := slices.Collect(slices.Chunk(aad, 16))
	if len(a) == 0 {
		a = [][]byte{{}}
	}
	for i, ai := range a {
		s = f(xor(s, fill(ai, 0x80)))
		if i == 0 && bit {
			s = words(s, "ab", "bc", "cd", "abd") // h
		}
	}
	s = xor(s, fill(nonce, 0x80))
	v := words(s, "b", "c", "d", "ab") // f2
	if len(a[len(a)-1]) == 16 {
		v = words(s, "ac", "bd", "abc", "bcd") // f1
	}

	if len(msg) == 0 {
		return f(words(v, "c", "d", "ab", "bc")) // g1
	}
	var ct []byte
	s = f(v)
	t := f(words(v, "b", "c", "d", "ab")) // g2
	for m := range slices.Chunk(msg, 16) {
		c := xor(m, s)
		ct = append(ct, c...)
		t = e(xor(t, fill(c)))
		if len(c) == 16 {
			s = e(fixTop(c))
		}
	}
	return append(ct, t...)
}

var exampleKey, exampleNonce = unhex("000102030405060708090a0b0c0d0e0f"), unhex("a0a1a2a3a4a5a6a7a8a9aaab")

func TestKnownAnswers(t *testing.T) {
	a := must(New(exampleKey))
	for _, v := range []struct{ msg, aad, want string }{
		{"404142434445464748494a4b4c4d4e4f5051525354", "900102030405060708090a0b0c0d0e0f10111213",
			"477615bf66d1568eae001b5f1277228d63ac838912" + "dff395bd3e21872ac7f08ef3b4d0ae62"},
		{"", "", "b0cc53666c4a0809648f21d335804923"},
	} {
		sealed := a.Seal(nil, exampleNonce, unhex(v.msg), unhex(v.aad))
		if !bytes.Equal(sealed, unhex(v.want)) {
			t.Errorf("%x, want %s", sealed, v.want)
		}
		if msg, err := a.Open(nil, exampleNonce, sealed, unhex(v.aad)); err != nil || !bytes.Equal(msg, unhex(v.msg)) {
			t.Errorf("Open gives %x, %v", msg, err)
		}
	}
}

func TestReference(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		data := randomBytes(t, 3000)
		compare := func(key []byte, nonce, msg, aad int) {
			t.Helper()
			want := refSeal(key, data[2900:2900+nonce], data[:msg], data[100:100+aad])
			a := must(NewWithSizes(key, nonce, 16))
			got := a.Seal(nil, data[2900:2900+nonce], data[:msg], data[100:100+aad])
			if !bytes.Equal(got, want) {
				t.Fatalf("key %x, %d bytes with %d of additional data: %x, want %x", key, msg, aad, got, want)
			}
			pt, err := a.Open(nil, data[2900:2900+nonce], want, data[100:100+aad])
			if err != nil || !bytes.Equal(pt, data[:msg]) {
				t.Fatalf("key %x, %d bytes with %d of additional data: Open gives %x, %v", key, msg, aad, pt, err)
			}
		}
		key := randomBytes(t, KeySize)
		for range 2 {
			key[3] ^= 0x80 // both ways through fix0 and h
			for msg := range 70 {
				for aad := range 52 {
					compare(key, 12, msg, aad)
				}
			}
			for nonce := range 17 {
				compare(key, nonce, 20, 20)
			}
			for _, msg := range []int{1023, 1024, 1025, 1040, 2048, 2600} {
				compare(key, 12, msg, 1000)
			}
		}
	})
}

// TestForgedTail shows the first break: zero bytes appended to a partial last
// block go unnoticed.
func TestForgedTail(t *testing.T) {
	a, nonce, aad := must(New(randomBytes(t, KeySize))), randomBytes(t, NonceSize), []byte("header")
	for _, n := range []int{1, 5, 20, 47} {
		sealed := a.Seal(nil, nonce, randomBytes(t, n), aad)
		ct, tag := sealed[:n], sealed[n:]
		for zeros := 1; (n+zeros-1)%16 != 0; zeros++ {
			forged := slices.Concat(ct, make([]byte, zeros), tag)
			msg, err := a.Open(nil, nonce, forged, aad)
			if err != nil || len(msg) != n+zeros {
				t.Errorf("%d bytes and %d zeros: %v; the form is no longer that of hutorny/chaskey", n, zeros, err)
			}
		}
	}
}

// TestForgedExtension shows the second break: from a message of known plaintext,
// an attacker without the key makes a longer one.
func TestForgedExtension(t *testing.T) {
	a, nonce, aad := must(New(randomBytes(t, KeySize))), randomBytes(t, NonceSize), []byte("header")
	for blocks := 2; blocks <= 5; blocks++ {
		msg := randomBytes(t, 16*blocks)
		sealed := a.Seal(nil, nonce, msg, aad)
		ct, tag := sealed[:len(msg)], sealed[len(msg):]

		// The new block makes the last call for the tag the call that gave the key
		// stream of block 2, and C[2] ^ M[2] is that key stream.
		forged := slices.Concat(ct, xor(tag, fixTop(ct[:16])), xor(ct[16:32], msg[16:32]))
		got, err := a.Open(nil, nonce, forged, aad)
		if err != nil || len(got) != len(msg)+16 || !bytes.Equal(got[:len(msg)], msg) {
			t.Errorf("%d blocks: %v; the form is no longer that of hutorny/chaskey", blocks, err)
		}
	}
}

// TestNonceCollision shows why the size of nonces must not vary under one key.
func TestNonceCollision(t *testing.T) {
	key, nonce, msg := randomBytes(t, KeySize), randomBytes(t, 15), randomBytes(t, 40)
	short := must(NewWithSizes(key, 15, 16)).Seal(nil, nonce, msg, nil)
	long := must(NewWithSizes(key, 16, 16)).Seal(nil, append(nonce, 0x80), msg, nil)
	if !bytes.Equal(short, long) {
		t.Error("N and N || 80 differ; the form is no longer that of hutorny/chaskey")
	}
}

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunAEAD(t, must(vectors.Load("cloc_chaskey")), func(g *vectors.Group) func(key []byte) (cipher.AEAD, error) {
			if g.Variant != "hutorny" {
				return nil // the groups of aead/cloc
			}
			return func(key []byte) (cipher.AEAD, error) { return NewWithSizes(key, g.IVSize/8, g.TagSize/8) }
		})
		if want := (vectors.Result{Run: 180, Skipped: 137}); res != want {
			t.Errorf("cloc_chaskey: %+v, want %+v", res, want)
		}
	})
}

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		conform.TestAEAD(t, conform.AEAD{KeySizes: []int{KeySize}, New: New})
	})
}

// Shorter tags are the first bytes of the longest one.
func TestTagSizes(t *testing.T) {
	key, nonce, msg := randomBytes(t, KeySize), randomBytes(t, NonceSize), []byte("message")
	want := must(New(key)).Seal(nil, nonce, msg, nil)
	for size := 4; size <= 16; size++ {
		got := must(NewWithSizes(key, NonceSize, size)).Seal(nil, nonce, msg, nil)
		if !bytes.Equal(got, want[:len(msg)+size]) {
			t.Errorf("tag of %d bytes: %x, want the start of %x", size, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	key := make([]byte, KeySize)
	for _, v := range []struct {
		nonceSize, tagSize int
		want               string
	}{
		{-1, 16, "hutorny: invalid nonce size -1: want 0 to 16"},
		{17, 16, "hutorny: invalid nonce size 17: want 0 to 16"},
		{12, 0, "hutorny: invalid tag size 0: want 4 to 16"},
		{12, 3, "hutorny: invalid tag size 3: want 4 to 16"},
		{12, 17, "hutorny: invalid tag size 17: want 4 to 16"},
	} {
		a, err := NewWithSizes(key, v.nonceSize, v.tagSize)
		if a != nil || err == nil || err.Error() != v.want {
			t.Errorf("nonce size %d, tag size %d: %v, %v, want %s", v.nonceSize, v.tagSize, a, err, v.want)
		}
	}
	if a, err := New(key[:15]); a != nil || err != KeySizeError(15) || err.Error() != "hutorny: invalid key size 15" {
		t.Errorf("15-byte key: %v, %v", a, err)
	}
	_, err := must(New(key)).Open(nil, make([]byte, NonceSize), make([]byte, 20), nil)
	if err == nil || err.Error() != "hutorny: message authentication failed" {
		t.Errorf("forged message: %v", err)
	}
}

func BenchmarkHutorny(b *testing.B) {
	a, nonce, aad := must(New(make([]byte, KeySize))), make([]byte, NonceSize), make([]byte, 16)
	for _, n := range []int{64, 8192} {
		msg := make([]byte, n)
		sealed := a.Seal(nil, nonce, msg, aad)
		out := make([]byte, 0, len(sealed))
		b.Run(fmt.Sprintf("Seal/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				out = a.Seal(out[:0], nonce, msg, aad)
			}
		})
		b.Run(fmt.Sprintf("Open/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := a.Open(msg[:0], nonce, sealed, aad); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
