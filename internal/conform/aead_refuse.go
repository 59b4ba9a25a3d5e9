package conform

import (
	"bytes"
	"runtime"
)

// testOverlap checks that Seal and Open refuse an output that overlaps the input
// at other indexes, or the additional data at all, and nothing else.
func (a *aeadCase) testOverlap(t suite) {
	const want = "invalid buffer overlap"
	for _, n := range []int{2, 15, 16, 17, 100, 1024} {
		in := a.input(n, 10)
		sealed := a.seal(in)
		text, n, m, k := in.text, len(in.text), len(sealed), len(in.aad)
		if n < 2 || a.NoSeparateTag && n < a.MaxMessage {
			continue
		}
		p := n + m + 3 // where the fixed slice lies in buf
		buf := newRoom(a.rng, 3*p)
		try := func(from []byte, starts []int, f func(dst, from []byte)) {
			t.Helper()
			copy(buf.b[p:], from)
			copy(buf.was[buf.lo+p:], from)
			for _, o := range starts {
				refuses(t, want, func() { f(buf.b[o:o], buf.b[p:p+len(from)]) }, buf)
				refuses(t, want, func() { f(buf.b[o-3:o], buf.b[p:p+len(from)]) }, buf)
				buf.reset()
			}
		}
		seal := func(text, aad []byte) func(dst []byte) {
			return func(dst []byte) { a.c.Seal(dst, in.nonce, text, aad) }
		}
		try(text, []int{p + 1, p - 1, p + n - 1, p - (m - 1)}, func(dst, text []byte) { seal(text, in.aad)(dst) })
		open := func(sealed, aad []byte) func(dst []byte) {
			return func(dst []byte) {
				if _, err := a.c.Open(dst, in.nonce, sealed, aad); err != nil {
					t.Errorf("Open with overlapping slices fails: %v", err)
				}
			}
		}
		try(sealed, []int{p + 1, p - 1, p + n - 1, p - (n - 1)}, func(dst, sealed []byte) { open(sealed, in.aad)(dst) })
		if k > 0 {
			try(in.aad, []int{p, p + 1, p + k - 1, p - 1, p - (m - 1)}, func(dst, aad []byte) { seal(text, aad)(dst) })
			try(in.aad, []int{p, p + 1, p + k - 1, p - 1, p - (n - 1)}, func(dst, aad []byte) { open(sealed, aad)(dst) })
		}
		if t.Failed() {
			t.Fatalf("output and input overlap: %v", in)
		}
		a.testHarmless(t, in, sealed)
	}
}

// testHarmless checks slices that share an array but are no inexact overlap.
func (a *aeadCase) testHarmless(t suite, in input, sealed []byte) {
	n, m, k := len(in.text), len(sealed), len(in.aad)
	// The inputs lie in the capacity of dst, behind the result.
	buf := newRoom(a.rng, m+n+m+k)
	buf.lo += m
	buf.set(append(append(bytes.Clone(in.text), sealed...), in.aad...))
	buf.lo -= m
	text, ct, aad := buf.b[m:m+n], buf.b[m+n:m+n+m], buf.b[m+n+m:]
	got := a.c.Seal(buf.b[:0], in.nonce, text, aad)
	a.good(t, "Seal with its input behind its result", in, got, sealed)
	if buf.touched(len(got)) {
		t.Errorf("Seal of %v writes beyond its result", in)
	}
	buf.reset()
	got, err := a.c.Open(buf.b[:0], in.nonce, ct, aad)
	if err != nil || !bytes.Equal(got, in.text) || buf.touched(len(got)) {
		t.Errorf("Open of %v is wrong with its input behind its result: %v", in, err)
	}
	// The result follows the nonce.
	if dst := append(make([]byte, 0, len(in.nonce)+m), in.nonce...); len(dst) > 0 {
		dst = a.c.Seal(dst, dst, in.text, in.aad)
		if !bytes.Equal(dst[:len(in.nonce)], in.nonce) {
			t.Errorf("Seal changes the nonce before its result")
		}
		a.good(t, "Seal behind its nonce", in, dst[len(in.nonce):], sealed)
	}
	// Text and additional data are the same slice.
	if !a.NoAAD {
		same := input{in.nonce, in.text, in.text}
		a.good(t, "Seal of its own additional data", same, a.c.Seal(nil, in.nonce, in.text, in.text), a.seal(same))
	}
}

// testNonceLength checks that a nonce of a wrong length is a panic, whatever else is wrong.
func (a *aeadCase) testNonceLength(t suite) {
	const want = "incorrect nonce length"
	in := a.input(15, 3)
	sealed := a.seal(in)
	size := a.c.NonceSize()
	for _, n := range []int{0, 1, size - 1, size + 1, size + 8, 2 * size} {
		if n < 0 || n == size {
			continue
		}
		dst := newRoom(a.rng, 100)
		nonce := bytesOf(a.rng, n+size)[:n]
		refuses(t, want, func() { a.c.Seal(dst.b[:0], nonce, in.text, in.aad) }, dst)
		for _, sealed := range [][]byte{sealed, sealed[1:], sealed[:1], nil} {
			refuses(t, want, func() { _, _ = a.c.Open(dst.b[:0], nonce, sealed, in.aad) }, dst)
		}
	}
}

// testLimits checks what the AEAD does not take: Seal panics, Open returns an error.
func (a *aeadCase) testLimits(t suite) {
	in := a.input(0, 0)
	refused := func(what string, text, aad []byte) {
		t.Helper()
		dst := newRoom(a.rng, len(text)+a.c.Overhead())
		v, panicked := catch(func() { a.c.Seal(dst.b[:0], in.nonce, text, aad) })
		if _, crash := v.(runtime.Error); !panicked || crash {
			t.Errorf("Seal of %s: no panic of its own but %v", what, v)
		}
		if dst.touched(0) {
			t.Errorf("Seal of %s writes before its panic", what)
		}
		got, err := a.c.Open(nil, in.nonce, bytesOf(a.rng, len(text)+a.c.Overhead()), aad)
		if err == nil || got != nil {
			t.Errorf("Open of %s: %x, %v", what, got, err)
		}
	}
	if a.MaxMessage > 0 && a.MaxMessage <= 1<<20 {
		refused("a message that is too long", bytesOf(a.rng, a.MaxMessage+1), nil)
		refused("a message that is far too long", bytesOf(a.rng, 2*a.MaxMessage+100), nil)
	}
	if a.NoAAD {
		refused("additional data", in.text, []byte{0})
	}
	if a.NoEmpty {
		refused("nothing", nil, nil)
	}
}

// fails checks that Open returns an error and a nil slice.
func (a *aeadCase) fails(t suite, what string, in input, sealed []byte) {
	t.Helper()
	got, err := a.c.Open(nil, in.nonce, sealed, in.aad)
	if err == nil {
		t.Fatalf("Open accepts %s: %v", what, in)
	}
	if got != nil {
		t.Fatalf("Open returns a slice, not nil, with the error for %s: %v", what, in)
	}
}

func (a *aeadCase) testTruncated(t suite) {
	for _, n := range []int{0, 1, 15, 16, 17, 40} {
		in := a.input(n, n/2)
		sealed := a.seal(in)
		for i := range sealed {
			a.fails(t, "a ciphertext without its end", in, sealed[:i])
			a.fails(t, "a ciphertext without its start", in, sealed[i+1:])
		}
		a.fails(t, "a nil ciphertext", in, nil)
		a.fails(t, "a ciphertext with a byte more", in, append(bytes.Clone(sealed), 0))
		a.fails(t, "a ciphertext with a byte before", in, append([]byte{1}, sealed...))
		a.fails(t, "a ciphertext twice", in, append(bytes.Clone(sealed), sealed...))
	}
	for n := range a.c.Overhead() + 40 {
		a.fails(t, "random bytes", a.input(0, n%3), bytesOf(a.rng, n))
		if n >= a.c.Overhead() {
			a.fails(t, "zeros", a.input(0, n%3), make([]byte, n))
		}
	}
}

// testForged changes one bit at a time, and moves bytes between the inputs.
func (a *aeadCase) testForged(t suite) {
	for _, size := range []struct{ text, aad int }{{0, 0}, {1, 0}, {0, 1}, {16, 16}, {17, 5}, {33, 20}, {0, 32}, {1500, 1100}} {
		in := a.input(size.text, size.aad)
		sealed := a.seal(in)
		bits := func(p []byte, f func(bit int)) {
			some := a.rng.Perm(8 * len(p))
			for _, bit := range some[:min(len(some), 600)] {
				f(bit)
			}
		}
		bits(sealed, func(bit int) { a.fails(t, "a flipped bit of ciphertext or tag", in, flipped(sealed, bit)) })
		bits(in.aad, func(bit int) {
			a.fails(t, "a flipped bit of additional data", input{in.nonce, in.text, flipped(in.aad, bit)}, sealed)
		})
		bits(in.nonce, func(bit int) {
			a.fails(t, "a flipped bit of the nonce", input{flipped(in.nonce, bit), in.text, in.aad}, sealed)
		})
		if !a.NoAAD {
			more := append(bytes.Clone(in.aad), 0)
			a.fails(t, "additional data with a zero more", input{in.nonce, in.text, more}, sealed)
			a.fails(t, "additional data with a zero before", input{in.nonce, in.text, append([]byte{0}, in.aad...)}, sealed)
			more[len(more)-1] = sealed[0]
			a.fails(t, "a byte moved to the additional data", input{in.nonce, in.text, more}, sealed[1:])
		}
		if k := len(in.aad); k > 0 {
			a.fails(t, "additional data without its end", input{in.nonce, in.text, in.aad[:k-1]}, sealed)
			a.fails(t, "additional data without its start", input{in.nonce, in.text, in.aad[1:]}, sealed)
			a.fails(t, "no additional data", input{in.nonce, in.text, nil}, sealed)
			moved := append([]byte{in.aad[k-1]}, sealed...)
			a.fails(t, "a byte moved to the ciphertext", input{in.nonce, in.text, in.aad[:k-1]}, moved)
		}
		if text, err := a.c.Open(nil, in.nonce, sealed, in.aad); err != nil || !bytes.Equal(text, in.text) {
			t.Errorf("after forgeries, Open of the right ciphertext: %v", err)
		}
	}
}

// testFailure checks what a failed Open leaves behind.
func (a *aeadCase) testFailure(t suite) {
	_, first := a.c.Open(nil, a.input(0, 0).nonce, nil, nil)
	for _, n := range []int{1, 15, 16, 17, 100, 1024, 4097} {
		in := a.input(n, 12)
		good := a.seal(in)
		n = len(in.text)
		for _, bit := range []int{0, 8*len(good) - 1} {
			bad := flipped(good, bit)
			for _, prefix := range []int{0, 1, 100} {
				for _, spare := range []int{0, n, n + 1, n + 100} {
					ct, aad := roomWith(a.rng, bad), roomWith(a.rng, in.aad)
					dst := newRoom(a.rng, prefix+spare)
					dst.set(bytes.Repeat([]byte{42}, prefix+spare))
					got, err := a.c.Open(dst.b[:prefix:prefix+spare], in.nonce, ct.b, aad.b)
					if err == nil || got != nil {
						t.Fatalf("failing Open returns %d bytes and %v", len(got), err)
					}
					if err != first {
						t.Errorf("failing Open returns %q, and another error for a short ciphertext: %q", err, first)
					}
					if ct.touched(0) || aad.touched(0) {
						t.Errorf("failing Open changes its input")
					}
					if dst.lo += prefix; spare < n {
						n = 0
					}
					if dst.touched(n) {
						t.Errorf("failing Open changes what dst holds, or what is behind the plaintext")
					}
					a.wiped(t, dst.b[prefix:][:n], dst.was[dst.lo:])
					n = len(in.text)
				}
			}
			both := newRoom(a.rng, len(bad)+100)
			both.set(bad)
			if got, err := a.c.Open(both.b[:0], in.nonce, both.b[:len(bad)], in.aad); err == nil || got != nil {
				t.Errorf("failing Open in place returns %d bytes and %v", len(got), err)
			}
			end := n
			if a.Random {
				end = len(bad) // the nonce it carries may have made way for the text
			}
			if both.touched(end) {
				t.Errorf("failing Open in place changes what is behind the plaintext")
			}
			a.wiped(t, both.b[:n], bad)
		}
		if text, err := a.c.Open(nil, in.nonce, good, in.aad); err != nil || !bytes.Equal(text, in.text) {
			t.Errorf("after a failure, Open of the right ciphertext: %v", err)
		}
		if t.Failed() {
			t.Fatalf("%v", in)
		}
	}
}

// wiped checks that the place of the plaintext is zero. Where the length of the
// plaintext is not known before decryption, it may also be as it was.
func (a *aeadCase) wiped(t suite, p, was []byte) {
	t.Helper()
	for i, v := range p {
		if v != 0 && !(a.NoSeparateTag && v == was[i]) {
			t.Errorf("failing Open leaves %#x at byte %d of the plaintext's place, want 0", v, i)
			return
		}
	}
}
