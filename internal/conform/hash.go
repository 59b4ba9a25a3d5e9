package conform

import (
	"bytes"
	"crypto/hmac"
	"hash"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestHash checks a hash.Hash, its Clone and its marshalled state.
func TestHash(t *testing.T, newHash func() hash.Hash) {
	t.Helper()
	testHash(host{t}, newHash)
}

func testHash(t suite, newHash func() hash.Hash) {
	t.Helper()
	t.Run("Methods", func(t suite) {
		methods(t, newHash(), reflect.TypeFor[hash.Hash](), "Clone", "MarshalBinary", "AppendBinary", "UnmarshalBinary")
	})
	h := &hashCase{fresh: newHash, rng: Rand(t)}
	h.test(t)
	h.testMarshal(t)
	t.Run("HMAC", h.testHMAC)
}

// hashCase is a hash, or a MAC with a key.
type hashCase struct {
	fresh func() hash.Hash
	rng   *rand.Rand

	size, block int
	text        []byte // 4 batches and one byte
	sums        [][]byte
}

// test checks what hashes and MACs have in common.
func (h *hashCase) test(t suite) {
	f := h.fresh()
	h.size, h.block = f.Size(), f.BlockSize()
	if h.size <= 0 || h.block <= 0 {
		t.Fatalf("size %d, block size %d", h.size, h.block)
	}
	h.text = bytesOf(h.rng, 4*batchOf(h.block)+1)
	generic(func() {
		// One byte at a time is what everything else is compared with.
		f := h.fresh()
		for i := range h.text {
			h.sums = append(h.sums, f.Sum(nil))
			f.Write(h.text[i : i+1])
		}
		h.sums = append(h.sums, f.Sum(nil))
	})
	t.Run("Lengths", h.testLengths)
	t.Run("Splits", h.testSplits)
	t.Run("Sum", h.testSum)
	t.Run("Write", h.testWrite)
	t.Run("Reset", h.testReset)
	t.Run("Fresh", h.testFresh)
	t.Run("Clone", h.testClone)
	t.Run("Padding", h.testPadding)
	t.Run("Edges", h.testEdges)
	t.Run("Allocs", h.testAllocs)
}

// of returns a new hash that has taken the first n bytes of the text.
func (h *hashCase) of(n int) hash.Hash {
	f := h.fresh()
	f.Write(h.text[:n])
	return f
}

// is checks that f has taken the first n bytes of the text.
func (h *hashCase) is(t suite, f hash.Hash, n int, format string, args ...any) {
	t.Helper()
	if got := f.Sum(nil); !bytes.Equal(got, h.sums[n]) {
		t.Fatalf(format+": %x for %d bytes, want %x", append(args, got, n, h.sums[n])...)
	}
}

func (h *hashCase) testLengths(t suite) {
	sweep(t, h.rng, batchOf(h.block), 1, func(n int) { h.is(t, h.of(n), n, "one Write") })
	f := h.of(0)
	for n := range 2*h.block + 1 {
		f.Reset()
		f.Write(h.text[:n])
		h.is(t, f, n, "one Write after Reset")
	}
}

func (h *hashCase) testSplits(t suite) {
	write := func(f hash.Hash, from, to int) {
		if n, err := f.Write(h.text[from:to]); n != to-from || err != nil {
			t.Fatalf("Write of %d bytes returns %d, %v", to-from, n, err)
		}
	}
	end := deadline()
	for _, n := range append([]int{4*h.block + 1}, h.rng.Perm(4*h.block+1)...) {
		for at := range n + 1 {
			f := h.fresh()
			f.Write(nil)
			write(f, 0, at)
			f.Write([]byte{})
			write(f, at, n)
			f.Write(nil)
			h.is(t, f, n, "Write of %d bytes, then of the rest", at)
		}
		if after(end) {
			break
		}
	}
	for _, step := range []int{2, 3, h.block - 1, h.block, h.block + 1, 2 * h.block, 1000} {
		f := h.fresh()
		for at := 0; at < len(h.text); at += max(1, step) {
			write(f, at, min(len(h.text), at+max(1, step)))
		}
		h.is(t, f, len(h.text), "Writes of %d bytes", step)
	}
	for range 20 {
		f, other := h.fresh(), h.fresh()
		pieces(h.rng, len(h.text), 1, func(from, to int) {
			write(f, from, to)
			other.Write(h.text[:7]) // must have no influence
		})
		h.is(t, f, len(h.text), "random pieces")
	}
}

// fills are numbers of bytes at which things happen.
func (h *hashCase) fills() []int {
	b := h.block
	return []int{0, 1, b - 1, b, b + 1, 63, 64, 65, 128, 2*b - 1, 2 * b, 2*b + 1, 3*b + 3}
}

func (h *hashCase) testSum(t suite) {
	for _, n := range h.fills() {
		f := h.of(n)
		for _, prefix := range []int{0, 1, 13, h.block + 1} {
			for _, spare := range []int{0, 1, h.size - 1, h.size, h.size + 100} {
				buf := newRoom(h.rng, prefix+max(0, spare))
				p := bytes.Clone(buf.b[:prefix])
				got := f.Sum(buf.b[:prefix:len(buf.b)])
				if !bytes.Equal(got, append(p, h.sums[n]...)) {
					t.Errorf("Sum(%d bytes) after %d bytes is not its argument and the digest", prefix, n)
				}
				if buf.lo += prefix; spare < h.size && buf.touched(0) || buf.touched(min(h.size, max(0, spare))) {
					t.Errorf("Sum changes its argument, or what is behind its result")
				}
			}
		}
		h.is(t, f, n, "Sum once more")
		if got := f.Sum([]byte{}); !bytes.Equal(got, h.sums[n]) {
			t.Errorf("Sum of an empty slice differs from Sum(nil)")
		}
		for _, m := range h.fills() {
			f := h.of(n)
			f.Sum(nil)
			f.Write(h.text[n : n+m])
			h.is(t, f, n+m, "Write of %d bytes after Sum", m)
		}
		if f.Size() != h.size || f.BlockSize() != h.block {
			t.Errorf("Size or BlockSize changes")
		}
	}
}

func (h *hashCase) testWrite(t suite) {
	for offset := range 64 {
		n := h.rng.IntN(3*h.block + 2)
		p := newRoomAt(h.rng, n, offset)
		p.set(h.text[:n])
		f := h.fresh()
		if got, err := f.Write(p.b); got != n || err != nil {
			t.Errorf("Write of %d bytes returns %d, %v", n, got, err)
		}
		if p.touched(0) {
			t.Errorf("Write changes its argument, or a byte beside it")
		}
		for i := range p.b {
			p.b[i] ^= 0xff
		}
		h.is(t, f, n, "changing what was written, later, or what is beside it")
	}
}

func (h *hashCase) testReset(t suite) {
	f := h.fresh()
	for _, first := range []bool{true, false} { // Reset as the first call, and later
		for _, n := range h.fills() {
			if first {
				f = h.fresh()
			}
			f.Reset()
			h.is(t, f, 0, "Reset")
			f.Write(h.text[:n])
			h.is(t, f, n, "Reset and Write")
			f.Reset()
			f.Reset()
			f.Write(h.text[:n])
			h.is(t, f, n, "Reset, twice, and Write")
		}
	}
}

// testFresh checks that every object stands alone, as hmac needs it.
func (h *hashCase) testFresh(t suite) {
	a, b := h.fresh(), h.fresh()
	if v := reflect.ValueOf(a); v.Comparable() && v.Equal(reflect.ValueOf(b)) {
		t.Errorf("two calls of the constructor return equal values")
	}
	a.Write(h.text[:h.block+1])
	h.is(t, b, 0, "another object has taken data")
	b.Write(h.text[:5])
	a.Reset()
	h.is(t, b, 5, "another object is reset")
	h.is(t, h.fresh(), 0, "a new object after others")
}

func (h *hashCase) testClone(t suite) {
	clone := func(f hash.Hash) hash.Hash {
		c, ok := f.(hash.Cloner)
		if !ok {
			t.Fatalf("%T has no Clone", f)
		}
		g, err := c.Clone()
		if err != nil || g == nil {
			t.Fatalf("Clone: %v, %v", g, err)
		}
		if reflect.TypeOf(g) != reflect.TypeOf(f) {
			t.Errorf("Clone of a %T is a %T", f, g)
		}
		return g
	}
	for _, n := range h.fills() {
		for _, m := range h.fills() {
			a := h.of(n)
			b := clone(a)
			h.is(t, b, n, "Clone")
			// Each goes on alone, the clone first, then the original.
			b.Write(h.text[n : n+m])
			h.is(t, a, n, "the clone has taken data")
			h.is(t, b, n+m, "Clone and Write of %d bytes", m)
			b = clone(a)
			a.Write(h.text[n : n+m])
			h.is(t, b, n, "the original has taken data")
			h.is(t, a, n+m, "Write of %d bytes after Clone", m)
			a.Reset()
			h.is(t, b, n, "the original is reset")
			a = clone(b)
			b.Reset()
			h.is(t, a, n, "the clone is reset")
			h.is(t, b, 0, "Reset of a clone")
			// The clone of a clone, and different data in both.
			b = clone(clone(a))
			a.Write(h.text[7 : 7+m])
			b.Write(h.text[n : n+m])
			h.is(t, b, n+m, "other data in the original")
		}
	}
}

// testPadding checks that no two short strings of zeros collide.
func (h *hashCase) testPadding(t suite) {
	if h.size < 4 {
		return // they may, by chance
	}
	seen := map[string]int{}
	for n := range 4*h.block + 2 {
		f := h.fresh()
		f.Write(make([]byte, n))
		sum := string(f.Sum(nil))
		if m, ok := seen[sum]; ok {
			t.Fatalf("%d and %d zero bytes have the same digest", m, n)
		}
		seen[sum] = n
	}
}

func (h *hashCase) testEdges(t suite) {
	b, out := newBorder(t, len(h.text)), newBorder(t, h.size)
	sweep(t, h.rng, batchOf(h.block), 1, func(n int) {
		p, sum := b.edges(n)[h.rng.IntN(2)], out.edges(h.size)[h.rng.IntN(2)]
		copy(p, h.text)
		faults(t, func() {
			f := h.fresh()
			f.Write(p)
			if got := f.Sum(sum[:0]); !bytes.Equal(got, h.sums[n]) {
				t.Errorf("%d bytes at the edge of a page have another digest", n)
			}
		})
	})
}

func (h *hashCase) testAllocs(t suite) {
	f, sum := h.fresh(), make([]byte, 0, h.size)
	for _, n := range []int{0, 1, h.block, h.block + 1, 1000, 8 * h.block} {
		allocs(t, "Write", 0, func() { f.Write(h.text[:n]) })
		allocs(t, "Sum", 0, func() { f.Sum(sum) })
		allocs(t, "Reset", 0, func() {
			f.Reset()
			f.Write(h.text[:n])
			f.Sum(sum)
		})
	}
}

// testHMAC compares crypto/hmac over the hash with the definition of HMAC.
func (h *hashCase) testHMAC(t suite) {
	for _, n := range []int{0, 14, h.size, h.block, h.block + 1, 3 * h.block} {
		key := bytesOf(h.rng, n)
		k := make([]byte, h.block)
		if n > h.block {
			f := h.fresh()
			f.Write(key)
			copy(k, f.Sum(nil))
		} else {
			copy(k, key)
		}
		inner, outer := h.fresh(), h.fresh()
		for _, v := range k {
			inner.Write([]byte{v ^ 0x36})
			outer.Write([]byte{v ^ 0x5c})
		}
		text := h.text[:h.rng.IntN(4*h.block)]
		inner.Write(text)
		outer.Write(inner.Sum(nil))
		want := outer.Sum(nil)

		mac := hmac.New(h.fresh, key)
		for i := range 3 {
			mac.Write(text[:len(text)/2])
			mac.Write(text[len(text)/2:])
			if got := mac.Sum(nil); !bytes.Equal(got, want) {
				t.Fatalf("HMAC, key of %d bytes, use %d: %x, want %x", n, i, got, want)
			}
			mac.Reset()
		}
		other := hmac.New(h.fresh, key)
		other.Write(text)
		if !bytes.Equal(other.Sum(nil), want) {
			t.Errorf("a second HMAC with the same key differs")
		}
	}
}
