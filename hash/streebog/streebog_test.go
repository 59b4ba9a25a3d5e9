package streebog

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha512"
	"encoding"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"math"
	"strings"
	"testing"

	"xcipher/internal/conform"
	"xcipher/vectors"
)

var long = flag.Bool("long", false, "hash more than 2 GiB in several ways")

func TestConformance(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		t.Run("256", func(t *testing.T) { conform.TestHash(t, New256) })
		t.Run("512", func(t *testing.T) { conform.TestHash(t, New512) })
	})
}

func load(t *testing.T, name string) *vectors.File {
	t.Helper()
	f, err := vectors.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func pick(algorithm string) func() hash.Hash {
	switch algorithm {
	case "STREEBOG-256":
		return New256
	case "STREEBOG-512":
		return New512
	}
	return nil
}

// TestVectors hashes 512 MiB for one vector of each file, unless testing.Short; in the
// fastest tier, or with -long in all.
func TestVectors(t *testing.T) {
	slow := !testing.Short()
	conform.Each(t, func(t *testing.T) {
		without := !slow
		slow = slow && *long
		for name, want := range map[string]vectors.Result{
			"streebog256": {Run: 267},
			"streebog512": {Run: 249},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := load(t, name)
				if without {
					f = f.Without("Slow")
					want.Run, want.Skipped = want.Run-1, 1
				}
				got := vectors.RunHash(t, f, func(*vectors.Group) func() hash.Hash { return pick(f.Algorithm) })
				if got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
			})
		}
	})
}

func TestHMACVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		got := vectors.RunMAC(t, load(t, "hmac_streebog"), func(g *vectors.Group) func([]byte) (hash.Hash, error) {
			return func(key []byte) (hash.Hash, error) { return hmac.New(pick(g.Hash), key), nil }
		})
		if want := (vectors.Result{Run: 262}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

func TestRegressions(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		got := vectors.RunHash(t, load(t, "bug_regressions"), func(g *vectors.Group) func() hash.Hash { return pick(g.Algorithm) })
		if want := (vectors.Result{Run: 8}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

// TestChecksumCarry has messages of libgcrypt and Botan for faults that both had: a
// carry of the sum of blocks passes through a word that it does not change.
func TestChecksumCarry(t *testing.T) { conform.Each(t, testChecksumCarry) }

func testChecksumCarry(t *testing.T) {
	for _, c := range []struct{ m, want string }{
		{strings.Repeat("ee", 64) + "16" + strings.Repeat("11", 62) + "16",
			"8b06f41e59907d9636e892caf5942fcdfb71fa31169a5e70f0edb873664df41c" +
				"2cce6e06dc6755d15a61cdeb92bd607cc4aaca6732bf3568a23a210dd520fd41"},
		{strings.Repeat("ff", 128),
			"90a161d12ad309498d3fe5d48202d8a4e9c406d6a264aeab258ac5ecc37a7962" +
				"aaf9587a5abb09b6bb81ec4b3752a3ff5a838ef175be5772056bc5fe54fcfc7e"},
		{"ffffffffffffffffffffffffffffffff7700000000000000ffffffffffffffff" +
			"0f000000c3000000ffffffff2dfff2ffffffffffffffff23ff27feffffff002c",
			"68e8d77a02aac4a844a1d8e46b27f35bb9293e3dc584dc0e42a7e1b079945380"},
	} {
		m, err := hex.DecodeString(c.m)
		if err != nil {
			t.Fatal(err)
		}
		h := New512()
		if len(c.want) == 2*Size256 {
			h = New256()
		}
		h.Write(m)
		if got := hex.EncodeToString(h.Sum(nil)); got != c.want {
			t.Errorf("%s: %s, want %s", c.m, got, c.want)
		}
	}
}

func TestSumFunctions(t *testing.T) { conform.Each(t, testSumFunctions) }

func testSumFunctions(t *testing.T) {
	m := make([]byte, 400)
	for i := range m {
		m[i] = byte(i * i)
	}
	for n := range m {
		h256, h512 := New256(), New512()
		h256.Write(m[:n])
		h512.Write(m[:n])
		if got := Sum256(m[:n]); !bytes.Equal(got[:], h256.Sum(nil)) {
			t.Errorf("Sum256 of %d bytes: %x", n, got)
		}
		if got := Sum512(m[:n]); !bytes.Equal(got[:], h512.Sum(nil)) {
			t.Errorf("Sum512 of %d bytes: %x", n, got)
		}
	}
}

func TestAllocs(t *testing.T) { conform.Each(t, testAllocs) }

func testAllocs(t *testing.T) {
	m, sum := make([]byte, 200), make([]byte, 0, Size)
	conform.Allocs(t, "New256, Write and Sum", 0, func() {
		h := New256()
		h.Write(m)
		h.Sum(sum)
	})
	conform.Allocs(t, "New512, Write and Sum", 0, func() {
		h := New512()
		h.Write(m)
		h.Sum(sum)
	})
	conform.Allocs(t, "Sum256 and Sum512 of local arrays", 0, func() {
		var a [100]byte
		s256 := Sum256(a[:])
		s512 := Sum512(s256[:])
		sum = append(sum[:0], s512[:]...)
	})
}

// TestSavedState has states computed by another implementation. Programs may keep
// them, so that the format never changes.
func TestSavedState(t *testing.T) { conform.Each(t, testSavedState) }

func testSavedState(t *testing.T) {
	m := make([]byte, 131) // two blocks and three bytes
	for i := range m {
		m[i] = byte(i + 1)
	}
	const (
		n     = "0004" // 1024 bits, least significant byte first
		sigma = "424446484a4c4e50525456585a5c5e60626466686a6c6e70727476787a7c7e80" +
			"828486888a8c8e90929496989a9c9ea0a2a4a6a8aaacaeb0b2b4b6b8babcbec0"
		tail = "818283"
	)
	zeros := func(n int) string { return strings.Repeat("00", n) }
	rest := n + zeros(62) + sigma + tail + zeros(61) + "03"
	for _, c := range []struct {
		newHash func() hash.Hash
		want    string
	}{
		{New256, "73626701" +
			"e21a5aecf492ca299a7833b01a65d7a7bc9453a8ed72b0a7c01560837b23c65c" +
			"af8848d7c27689130daa6ecc4237b14caad84e3d851590725854a9c4e6d7fa80" + rest},
		{New512, "73626702" +
			"d66c50ccede9338a974205dce8dd3d9a94b46f60341c735edbf66aa097cb1c74" +
			"bf59ebd62dbd8ebf75532231a6f79629a488bab74d36c6f5aafb705ebd08c49d" + rest},
	} {
		h := c.newHash()
		h.Write(m)
		saved, err := h.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil || hex.EncodeToString(saved) != c.want {
			t.Errorf("%x, %v, want %s", saved, err, c.want)
		}
		want, err := hex.DecodeString(c.want)
		if err != nil {
			t.Fatal(err)
		}
		restored := c.newHash()
		if err := restored.(encoding.BinaryUnmarshaler).UnmarshalBinary(want); err != nil {
			t.Fatal(err)
		}
		if got, want := restored.Sum(nil), h.Sum(nil); !bytes.Equal(got, want) {
			t.Errorf("restored: %x, want %x", got, want)
		}
	}
}

func TestUnmarshalErrors(t *testing.T) {
	h := New256()
	h.Write(make([]byte, 67))
	saved, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	other, err := New512().(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	with := func(at int, v byte) []byte {
		c := bytes.Clone(saved)
		c[at] = v
		return c
	}
	for _, c := range []struct {
		name  string
		state []byte
		want  string
	}{
		{"none", nil, "streebog: invalid hash state identifier"},
		{"part of the identifier", saved[:3], "streebog: invalid hash state identifier"},
		{"Streebog-512", other, "streebog: invalid hash state identifier"},
		{"short", saved[:stateSize-1], "streebog: invalid hash state size"},
		{"long", append(bytes.Clone(saved), 0), "streebog: invalid hash state size"},
		{"full block", with(stateSize-1, 64), "streebog: invalid hash state"},
		{"fuller than full", with(stateSize-1, 255), "streebog: invalid hash state"},
		{"byte behind the block", with(4+3*64+3, 1), "streebog: invalid hash state"},
		{"last byte of the block", with(4+3*64+63, 1), "streebog: invalid hash state"},
		{"N of 1 bit", with(4+64, 1), "streebog: invalid hash state"},
		{"N of 256 bits", with(4+64+1, 1), "streebog: invalid hash state"},
	} {
		want := h.Sum(nil)
		err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(c.state)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
		if !bytes.Equal(h.Sum(nil), want) {
			t.Errorf("%s: the state changes", c.name)
		}
	}
}

// TestLong hashes more bytes than an int32 counts, as they come in small and large
// pieces and, where an int is large enough, all at once.
func TestLong(t *testing.T) {
	if !*long {
		t.Skip("takes minutes; run with -long")
	}
	const size = int64(1<<31 + 5)
	zeros := make([]byte, min(size, math.MaxInt/4))
	sum := func(piece int) []byte {
		h := New512()
		for left := size; left > 0; {
			n, err := h.Write(zeros[:min(left, int64(piece))])
			if err != nil {
				t.Error(err)
			}
			left -= int64(n)
		}
		return h.Sum(nil)
	}
	want := sum(1 << 20)
	for _, piece := range []int{1<<20 + 13, len(zeros)} {
		t.Run(fmt.Sprint(piece), func(t *testing.T) {
			t.Parallel()
			if got := sum(piece); !bytes.Equal(got, want) {
				t.Errorf("%x in pieces of %d, %x in pieces of 1 MiB", got, piece, want)
			}
		})
	}
}

var benchmarkSizes = []int{64, 1024, 8192}

func BenchmarkHash(b *testing.B) {
	for _, c := range []struct {
		name    string
		newHash func() hash.Hash
	}{{"256", New256}, {"512", New512}} {
		for _, size := range benchmarkSizes {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) { benchmark(b, c.newHash(), size) })
		}
	}
}

// BenchmarkSHA512 is what BenchmarkHash is compared with.
func BenchmarkSHA512(b *testing.B) {
	for _, size := range benchmarkSizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmark(b, sha512.New(), size) })
	}
}

func benchmark(b *testing.B, h hash.Hash, size int) {
	m, sum := make([]byte, size), make([]byte, 0, Size)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		h.Reset()
		h.Write(m)
		h.Sum(sum)
	}
}
