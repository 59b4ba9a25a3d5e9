package conform

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// AEAD describes a cipher.AEAD to TestAEAD.
type AEAD struct {
	KeySizes []int // every key size that New accepts, in bytes
	New      func(key []byte) (cipher.AEAD, error)

	MaxMessage    int                // longest message in bytes, 0 if there is no limit
	NoAAD         bool               // takes no additional data
	Nonce         func(nonce []byte) // makes random bytes a valid nonce; nil if all are
	NoEmpty       bool               // refuses an empty message with empty additional data
	NoSeparateTag bool               // ciphertext and tag are one
	Random        bool               // Seal draws randomness
}

// TestAEAD checks a cipher.AEAD.
func TestAEAD(t *testing.T, a AEAD) {
	t.Helper()
	testAEAD(host{t}, a)
}

func testAEAD(t suite, a AEAD) {
	t.Helper()
	t.Run("KeySizes", func(t suite) { testKeySizes(t, a.KeySizes, sized(a.New)) })
	for _, n := range some(t, a.KeySizes) {
		t.Run(sizeName("key", n), func(t suite) {
			rng := Rand(t)
			key := bytesOf(rng, n)
			w := newTwins(t, a.New, key)
			c := &aeadCase{AEAD: a, c: w.own, plain: w.plain, rng: rng}
			c.testKey(t, key)
			c.test(t)
		})
	}
}

// aeadCase is one AEAD with a key.
type aeadCase struct {
	AEAD
	c, plain cipher.AEAD // plain was made in the generic tier
	rng      *rand.Rand
}

// input is what Seal takes.
type input struct{ nonce, text, aad []byte }

// fits returns the nearest lengths that the AEAD takes.
func (a *aeadCase) fits(text, aad int) (int, int) {
	if a.MaxMessage > 0 {
		text = min(text, a.MaxMessage)
	}
	if a.NoAAD {
		aad = 0
	}
	if a.NoEmpty && text+aad == 0 {
		text = 1
	}
	return text, aad
}

// input returns a random input of about these lengths.
func (a *aeadCase) input(text, aad int) input {
	text, aad = a.fits(text, aad)
	in := input{bytesOf(a.rng, a.c.NonceSize()), bytesOf(a.rng, text), bytesOf(a.rng, aad)}
	if a.Nonce != nil {
		a.Nonce(in.nonce)
	}
	return in
}

func (in input) String() string {
	return fmt.Sprintf("%d bytes with %d of additional data", len(in.text), len(in.aad))
}

// seal returns what Seal gives in the generic tier.
func (a *aeadCase) seal(in input) (sealed []byte) {
	generic(func() { sealed = a.plain.Seal(nil, in.nonce, in.text, in.aad) })
	return sealed
}

// good fails the test unless sealed, if it can be known, is the right one.
func (a *aeadCase) good(t suite, what string, in input, sealed, want []byte) {
	t.Helper()
	if !a.Random && !bytes.Equal(sealed, want) {
		t.Errorf("%s: %v: differs from the plain call in the generic tier", what, in)
	}
	most := len(in.text) + a.c.Overhead()
	if len(sealed) > most || !a.NoSeparateTag && len(sealed) < most {
		t.Errorf("%s: %v give %d, want %d", what, in, len(sealed), most)
	}
	var text []byte
	var err error
	generic(func() { text, err = a.plain.Open(nil, in.nonce, sealed, in.aad) })
	if err != nil || !bytes.Equal(text, in.text) {
		t.Errorf("%s: %v: does not open to its input: %v", what, in, err)
	}
}

func (a *aeadCase) testKey(t suite, key []byte) {
	in := a.input(33, 5)
	sealed := a.c.Seal(nil, in.nonce, in.text, in.aad)
	testArgument(t, "Key", key, func(key []byte) func() []byte {
		c := must(t, a.New, key)
		return func() []byte {
			out, err := c.Open(nil, in.nonce, sealed, in.aad)
			out = fmt.Append(out, err)
			if !a.Random {
				out = c.Seal(out, in.nonce, in.text, in.aad)
			}
			return out
		}
	})
}

func (a *aeadCase) test(t suite) {
	t.Run("Methods", func(t suite) { methods(t, a.c, reflect.TypeFor[cipher.AEAD]()) })
	t.Run("Roundtrip", a.testRoundtrip)
	t.Run("Lengths", a.testLengths)
	t.Run("InPlace", a.testInPlace)
	t.Run("Append", a.testAppend)
	t.Run("Empty", a.testEmpty)
	t.Run("Overlap", a.testOverlap)
	t.Run("NonceLength", a.testNonceLength)
	t.Run("Limits", a.testLimits)
	t.Run("Truncated", a.testTruncated)
	t.Run("Forged", a.testForged)
	t.Run("Failure", a.testFailure)
	t.Run("Edges", a.testEdges)
	t.Run("Allocs", a.testAllocs)
	t.Run("Goroutines", a.testTogether)
}

// testRoundtrip uses the lengths of the standard library's suite.
func (a *aeadCase) testRoundtrip(t suite) {
	end := deadline()
	lengths := []int{0, 156, 8192, 8193, 8208}
	for _, i := range a.rng.Perm(len(lengths) * len(lengths)) {
		in := a.input(lengths[i/len(lengths)], lengths[i%len(lengths)])
		nonce, text, aad := roomWith(a.rng, in.nonce), roomWith(a.rng, in.text), roomWith(a.rng, in.aad)
		sealed := roomWith(a.rng, a.c.Seal(nil, nonce.b, text.b, aad.b))
		a.good(t, "Seal", in, sealed.b, a.seal(in))
		got, err := a.c.Open(nil, nonce.b, sealed.b, aad.b)
		if err != nil || !bytes.Equal(got, in.text) {
			t.Errorf("%v: Open does not get the input back: %v", in, err)
		}
		if nonce.touched(0) || text.touched(0) || sealed.touched(0) || aad.touched(0) {
			t.Errorf("%v: Seal or Open changes its input", in)
		}
		// The last byte of everything.
		for i, p := range [][]byte{nonce.b, sealed.b, aad.b} {
			if len(p) == 0 {
				continue
			}
			p[len(p)-1]++
			if a.Nonce != nil {
				a.Nonce(nonce.b)
			}
			same := i == 0 && bytes.Equal(nonce.b, in.nonce)
			if _, err := a.c.Open(nil, nonce.b, sealed.b, aad.b); err == nil && !same {
				t.Errorf("%v: Open accepts a changed last byte of nonce, ciphertext or additional data", in)
			}
			nonce.reset()
			p[len(p)-1]--
		}
		if after(end) || t.Failed() {
			return
		}
	}
}

// testLengths tries every length, of text and then of additional data.
func (a *aeadCase) testLengths(t suite) {
	const batch = 1024
	all := a.input(4*batch+1, 4*batch+1)
	out := newRoom(a.rng, len(all.text)+a.c.Overhead())
	try := func(in input) {
		sealed := a.c.Seal(out.b[:0], in.nonce, in.text, in.aad)
		if out.touched(len(sealed)) {
			t.Errorf("%v: Seal writes beyond its result", in)
		}
		if !a.Random && !bytes.Equal(sealed, a.seal(in)) {
			t.Errorf("%v: Seal differs from the generic tier", in)
		}
		sealed = bytes.Clone(sealed)
		out.reset()
		text, err := a.c.Open(out.b[:0], in.nonce, sealed, in.aad)
		if err != nil || !bytes.Equal(text, in.text) {
			t.Errorf("%v: Open does not get the input back: %v", in, err)
		}
		if out.touched(len(text)) {
			t.Errorf("%v: Open writes beyond its result", in)
		}
		out.reset()
	}
	sweep(t, a.rng, batch, 1, func(n int) {
		text, aad := a.fits(n, a.rng.IntN(40))
		try(input{all.nonce, all.text[:text], all.aad[:aad]})
	})
	if !a.NoAAD && !t.Failed() {
		sweep(t, a.rng, batch, 1, func(n int) {
			text, aad := a.fits(a.rng.IntN(20), n)
			try(input{all.nonce, all.text[:text], all.aad[:aad]})
		})
	}
}

// testInPlace has dst start where the input starts, with little and much capacity.
func (a *aeadCase) testInPlace(t suite) {
	for _, n := range []int{0, 1, 7, 15, 16, 17, 31, 32, 33, 64, 100, 255, 1024, 1025, 4097} {
		in := a.input(n, n%30)
		want := a.seal(in)
		n = len(in.text)
		for _, spare := range []int{0, 1, a.c.Overhead() - 1, a.c.Overhead(), a.c.Overhead() + 100} {
			if spare < 0 {
				continue
			}
			buf := newRoom(a.rng, n+spare)
			buf.set(in.text)
			sealed := a.c.Seal(buf.b[:0:n+spare], in.nonce, buf.b[:n], in.aad)
			a.good(t, "Seal in place", in, sealed, want)
			end := n + spare
			if spare >= a.c.Overhead() {
				end = len(sealed)
			}
			if buf.touched(end) {
				t.Errorf("Seal in place of %v writes beyond its result", in)
			}
			buf = newRoom(a.rng, len(sealed)+spare)
			buf.set(sealed)
			text, err := a.c.Open(buf.b[:0], in.nonce, buf.b[:len(sealed)], in.aad)
			if err != nil || !bytes.Equal(text, in.text) {
				t.Errorf("Open in place of %v does not get the input back: %v", in, err)
			}
			if buf.touched(len(sealed)) {
				t.Errorf("Open in place of %v writes beyond its ciphertext", in)
			}
		}
	}
}

// testAppend has dst hold a prefix.
func (a *aeadCase) testAppend(t suite) {
	for _, n := range []int{0, 1, 15, 16, 17, 100, 1024} {
		in := a.input(n, 20)
		want := a.seal(in)
		for _, prefix := range []int{0, 1, 13, 512} {
			for _, spare := range []int{0, 1, a.c.Overhead() + n, a.c.Overhead() + n + 200} {
				a.tryAppend(t, in, want, prefix, spare)
			}
		}
	}
}

func (a *aeadCase) tryAppend(t suite, in input, want []byte, prefix, spare int) {
	call := func(name string, f func(dst []byte) []byte) []byte {
		buf := newRoom(a.rng, prefix+spare)
		p := bytes.Clone(buf.b[:prefix])
		got := f(buf.b[:prefix:len(buf.b)])
		if len(got) < prefix || !bytes.Equal(got[:prefix], p) {
			t.Fatalf("%s of %v does not keep what dst holds", name, in)
		}
		within := len(got) <= len(buf.b)
		if within && len(got) > 0 && &got[0] != &buf.b[0] {
			t.Errorf("%s of %v does not use the capacity of dst", name, in)
		}
		if buf.lo += prefix; within && buf.touched(len(got)-prefix) || !within && buf.touched(0) {
			t.Errorf("%s of %v writes outside its result", name, in)
		}
		return got[prefix:]
	}
	sealed := call("Seal", func(dst []byte) []byte { return a.c.Seal(dst, in.nonce, in.text, in.aad) })
	a.good(t, "Seal", in, sealed, want)
	text := call("Open", func(dst []byte) []byte {
		text, err := a.c.Open(dst, in.nonce, sealed, in.aad)
		if err != nil {
			t.Fatalf("Open of %v: %v", in, err)
		}
		return text
	})
	if !bytes.Equal(text, in.text) {
		t.Errorf("Open of %v depends on what dst holds", in)
	}
}

// testEmpty checks that nil and empty slices are the same, and that an empty
// message is bound to its nonce.
func (a *aeadCase) testEmpty(t suite) {
	for _, n := range []int{0, 16} {
		in := a.input(n, 16-n)
		want := a.seal(in)
		for _, empty := range [][]byte{nil, {}, make([]byte, 0, 10)} {
			same := in
			if len(in.text) == 0 {
				same.text = empty
			}
			if len(in.aad) == 0 {
				same.aad = empty
			}
			a.good(t, "nil or empty slices", in, a.c.Seal(empty[:0:0], in.nonce, same.text, same.aad), want)
			text, err := a.c.Open(empty[:0:0], in.nonce, want, same.aad)
			if err != nil || !bytes.Equal(text, in.text) {
				t.Errorf("Open of %v with nil or empty slices: %v", in, err)
			}
		}
	}
	if a.NoEmpty {
		return
	}
	in, other := a.input(0, 0), a.input(0, 0)
	sealed := a.c.Seal(nil, in.nonce, nil, nil)
	if text, err := a.c.Open(nil, in.nonce, sealed, nil); err != nil || len(text) != 0 {
		t.Errorf("nothing sealed does not open to nothing: %v", err)
	}
	if _, err := a.c.Open(nil, other.nonce, sealed, nil); err == nil && len(in.nonce) > 0 {
		t.Errorf("nothing sealed opens under another nonce")
	}
}

func (a *aeadCase) testEdges(t suite) {
	const most = 300
	var borders [5]border
	for i := range borders {
		borders[i] = newBorder(t, most+a.c.NonceSize()+a.c.Overhead())
	}
	at := func(i int, p []byte) []byte {
		e := borders[i].edges(len(p))[a.rng.IntN(2)]
		copy(e, p)
		return e
	}
	end := deadline()
	for _, n := range a.rng.Perm(most) {
		in := a.input(n, a.rng.IntN(most))
		edge := input{at(0, in.nonce), at(1, in.text), at(2, in.aad)}
		dst := at(3, make([]byte, len(in.text)+a.c.Overhead()))
		faults(t, func() {
			sealed := a.c.Seal(dst[:0], edge.nonce, edge.text, edge.aad)
			a.good(t, "Seal at the edge of a page", in, sealed, a.seal(in))
			dst := at(4, in.text)
			text, err := a.c.Open(dst[:0], edge.nonce, at(3, bytes.Clone(sealed)), edge.aad)
			if err != nil || !bytes.Equal(text, in.text) {
				t.Errorf("Open at the edge of a page: %v: %v", in, err)
			}
		})
		if t.Failed() || after(end) {
			return
		}
	}
}

func (a *aeadCase) testAllocs(t suite) {
	for _, n := range []int{0, 1, 16, 64, 100, 1024, 1025, 4097} {
		in := a.input(n, 16)
		sealed, dst := a.seal(in), make([]byte, 0, len(in.text)+a.c.Overhead())
		allocs(t, fmt.Sprintf("Seal of %v", in), 0, func() { a.c.Seal(dst, in.nonce, in.text, in.aad) })
		allocs(t, fmt.Sprintf("Seal of %v to nil", in), 1, func() { a.c.Seal(nil, in.nonce, in.text, in.aad) })
		open := func() { dst, _ = a.c.Open(dst[:0], in.nonce, sealed, in.aad) }
		allocs(t, fmt.Sprintf("Open of %v", in), 0, open)
		sealed[len(sealed)-1] ^= 1
		dst = make([]byte, 0, len(sealed))
		allocs(t, fmt.Sprintf("failing Open of %v", in), 0, func() { a.c.Open(dst, in.nonce, sealed, in.aad) })
		if t.Failed() {
			return
		}
	}
}

func (a *aeadCase) testTogether(t suite) {
	var ins []input
	var sealed [][]byte
	for _, n := range []int{0, 1, 16, 40, 100, 300} {
		ins = append(ins, a.input(n, n%20))
		sealed = append(sealed, a.seal(ins[len(ins)-1]))
	}
	together(t, func(worker, call int) string {
		i := (worker + call) % len(ins)
		in := ins[i]
		got := a.c.Seal(nil, in.nonce, in.text, in.aad)
		if !a.Random && !bytes.Equal(got, sealed[i]) {
			return "Seal is wrong"
		}
		if text, err := a.c.Open(got[:0], in.nonce, got, in.aad); err != nil || !bytes.Equal(text, in.text) {
			return "Open is wrong"
		}
		if _, err := a.c.Open(nil, in.nonce, sealed[i][1:], in.aad); err == nil {
			return "Open accepts a wrong ciphertext"
		}
		return ""
	})
}
