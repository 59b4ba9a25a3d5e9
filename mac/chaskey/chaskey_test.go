package chaskey

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math/big"
	"slices"
	"testing"

	"xcipher/internal/conform"
	"xcipher/vectors"
)

type constructor = func(key []byte) (hash.Hash, error)

var byRounds = map[int]constructor{8: New8, 12: New12, 16: NewLTS}

// each runs f once per tier and number of rounds.
func each(t *testing.T, f func(t *testing.T, rounds int, newMAC constructor)) {
	conform.Each(t, func(t *testing.T) {
		for rounds, newMAC := range byRounds {
			t.Run(fmt.Sprint(rounds), func(t *testing.T) { f(t, rounds, newMAC) })
		}
	})
}

func xor(a, b []byte) []byte {
	c := make([]byte, len(a))
	for i := range c {
		c[i] = a[i] ^ b[i]
	}
	return c
}

// refPermute is pi in the order of the paper.
func refPermute(x []byte, rounds int) []byte {
	var v [4]uint32
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(x[4*i:])
	}
	rotl := func(i, n int) { v[i] = v[i]<<n | v[i]>>(32-n) }
	mix := func(i, j, n int) { v[i] += v[j]; rotl(j, n); v[j] ^= v[i] }
	for range rounds {
		mix(0, 1, 5)
		rotl(0, 16)
		mix(2, 3, 8)
		mix(0, 3, 13)
		mix(2, 1, 7)
		rotl(2, 16)
	}
	y := make([]byte, Size)
	for i := range v {
		binary.LittleEndian.PutUint32(y[4*i:], v[i])
	}
	return y
}

// refDouble multiplies by x modulo x^128 + x^7 + x^2 + x + 1, with integers.
func refDouble(b []byte) []byte {
	be := bytes.Clone(b)
	slices.Reverse(be)
	x := new(big.Int).SetBytes(be)
	x.Lsh(x, 1)
	if x.Bit(128) == 1 {
		x.SetBit(x.Xor(x, big.NewInt(0x87)), 128, 0)
	}
	x.FillBytes(be)
	slices.Reverse(be)
	return be
}

// refMAC is the mode of the paper, one step a line.
func refMAC(key, msg []byte, rounds int) []byte {
	k1 := refDouble(key)
	k2 := refDouble(k1)
	s := key
	for len(msg) > BlockSize {
		s = refPermute(xor(s, msg[:BlockSize]), rounds)
		msg = msg[BlockSize:]
	}
	l, last := k1, bytes.Clone(msg)
	if len(msg) < BlockSize {
		l = k2
		last = append(last, 1)
		for len(last) < BlockSize {
			last = append(last, 0)
		}
	}
	return xor(refPermute(xor(xor(s, last), l), rounds), l)
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sum(newMAC constructor, key []byte, parts ...[]byte) []byte {
	h := must(newMAC(key))
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

func randomBytes(t testing.TB, n int) []byte {
	r, b := conform.Rand(t), make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// sequence returns 00, 01, 02, ...
func sequence(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func TestKnownAnswers(t *testing.T) {
	key := sequence(KeySize)
	for _, v := range []struct {
		rounds, n int
		tag       string
	}{
		{8, 0, "0a080a025a739afcb3ba4442930f71ae"},
		{8, 16, "f5b634decb02cd5bb74ea635dbd91211"},
		{8, 20, "4648fdab09669cd9d85afc23c11d6a01"},
		{12, 0, "d73bccf197487683bd1c308f38656a17"},
		{12, 16, "704895b1284c06ea551489af7c96a74f"},
		{12, 20, "108e3e7fad5f3859ca14fb61b6cfb8ea"},
		{16, 0, "cbaf24f0002b5e1e8858732a3e57ed61"},
		{16, 16, "08acdee5ed9f82c9e0bd893a7fe68f66"},
		{16, 20, "0b33dfbc73cbc66795059bea102ceb7b"},
	} {
		if got := sum(byRounds[v.rounds], key, sequence(v.n)); !bytes.Equal(got, unhex(v.tag)) {
			t.Errorf("%d rounds, %d bytes: %x, want %s", v.rounds, v.n, got, v.tag)
		}
	}
}

// TestReference covers every length, and keys whose doublings carry and do not.
func TestReference(t *testing.T) {
	each(t, func(t *testing.T, rounds int, newMAC constructor) {
		msg := randomBytes(t, 600)
		for _, key := range [][]byte{
			randomBytes(t, KeySize),
			make([]byte, KeySize),
			bytes.Repeat([]byte{0xff}, KeySize),
			unhex("00000000000000000000000000000080"), // carries out of K1
			unhex("00000000000000000000000000000040"), // carries out of K2
			unhex("00000080000000800000008000000000"), // carries between words
		} {
			for n := range len(msg) + 1 {
				if got, want := sum(newMAC, key, msg[:n]), refMAC(key, msg[:n], rounds); !bytes.Equal(got, want) {
					t.Fatalf("key %x, %d bytes: %x, want %x", key, n, got, want)
				}
			}
		}
	})
}

// TestSplits writes in two pieces, with empty ones around them: a full block must
// not be taken for the last one before it is, nor the other way round.
func TestSplits(t *testing.T) {
	each(t, func(t *testing.T, _ int, newMAC constructor) {
		key, msg := randomBytes(t, KeySize), randomBytes(t, 112)
		for n := range 4*BlockSize + 2 {
			want := sum(newMAC, key, msg[:n])
			for i := range n + 1 {
				if got := sum(newMAC, key, nil, msg[:i], []byte{}, msg[i:n], nil); !bytes.Equal(got, want) {
					t.Fatalf("%d + %d bytes: %x, want %x", i, n-i, got, want)
				}
			}
		}
		if !bytes.Equal(sum(newMAC, key, msg[:80], msg[80:]), sum(newMAC, key, msg)) {
			t.Error("80 + 32 bytes differ from 112")
		}
	})
}

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunMAC(t, must(vectors.Load("chaskey_mac")), func(g *vectors.Group) func(key []byte) (hash.Hash, error) {
			return byRounds[g.Rounds]
		})
		if want := (vectors.Result{Run: 324}); res != want {
			t.Errorf("chaskey_mac: %+v, want %+v", res, want)
		}
	})
}

func TestConformance(t *testing.T) {
	each(t, func(t *testing.T, _ int, newMAC constructor) {
		conform.TestMAC(t, []int{KeySize}, newMAC)
	})
}

// TestKeySizeError pins the type and the text.
func TestKeySizeError(t *testing.T) {
	for _, newMAC := range byRounds {
		h, err := newMAC(make([]byte, 31))
		if h != nil || err != KeySizeError(31) || err.Error() != "chaskey: invalid key size 31" {
			t.Errorf("31-byte key: %v, %v", h, err)
		}
	}
}

// once is what a caller does with one message.
func once(key, msg, tag []byte) []byte {
	h, err := New8(key)
	if err != nil {
		panic(err)
	}
	h.Write(msg)
	return h.Sum(tag)
}

// TestAllocs holds the constructors to what their shape is for: a MAC that does
// not leave its caller costs no allocation.
func TestAllocs(t *testing.T) {
	key, msg, tag := make([]byte, KeySize), make([]byte, 100), make([]byte, 0, Size)
	conform.Allocs(t, "New8", 0, func() { tag = once(key, msg, tag[:0]) })
	conform.Allocs(t, "New12", 0, func() {
		h, err := New12(key)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(msg)
		tag = h.Sum(tag[:0])
	})
	conform.Allocs(t, "NewLTS", 0, func() {
		h, err := NewLTS(key)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(msg)
		tag = h.Sum(tag[:0])
	})
}

func BenchmarkChaskey(b *testing.B) {
	key, buf, tag := make([]byte, KeySize), make([]byte, 8192), make([]byte, 0, Size)
	for _, c := range []struct {
		name   string
		newMAC constructor
	}{{"8", New8}, {"12", New12}, {"LTS", NewLTS}} {
		for _, n := range []int{32, 8192} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				h := must(c.newMAC(key))
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					h.Write(buf[:n])
					tag = h.Sum(tag[:0])
					h.Reset()
				}
			})
		}
	}
	b.Run("8/New/32", func(b *testing.B) {
		b.SetBytes(32)
		b.ReportAllocs()
		for b.Loop() {
			tag = once(key, buf[:32], tag[:0])
		}
	})
}
