package conform

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestStream checks a cipher.Stream. keySize and nonceSizes are all sizes in
// bytes that newStream accepts. A wrong nonce size must be an error with a nil
// interface, or, for modes made without an error as in crypto/cipher, a panic
// that speaks of a length or size.
//
// A test with CFB in its name is not expected to xor with a key stream that is
// independent of the data. Counters that run out are the package's own affair.
func TestStream(t *testing.T, keySize int, nonceSizes []int, newStream func(key, nonce []byte) (cipher.Stream, error)) {
	t.Helper()
	testStream(host{t}, keySize, nonceSizes, newStream)
}

func testStream(t suite, keySize int, nonceSizes []int, newStream func(key, nonce []byte) (cipher.Stream, error)) {
	t.Helper()
	rng := Rand(t)
	xors := !strings.Contains(t.Name(), "CFB")
	t.Run("KeySizes", func(t suite) {
		nonce := make([]byte, nonceSizes[0])
		testKeySizes(t, []int{keySize}, func(key []byte) (any, error) { return newStream(key, nonce) })
	})
	t.Run("NonceSizes", func(t suite) { testNonceSizes(t, make([]byte, keySize), nonceSizes, newStream) })
	for _, n := range some(t, nonceSizes) {
		t.Run(sizeName("nonce", n), func(t suite) {
			key, nonce := bytesOf(rng, keySize), bytesOf(rng, n)
			x := bytesOf(rng, 200+n)
			start := func(key, nonce []byte) func() []byte {
				s, err := newStream(key, nonce)
				if err != nil {
					t.Fatalf("key of %d bytes, nonce of %d: %v", len(key), len(nonce), err)
				}
				return func() []byte {
					y := make([]byte, len(x))
					s.XORKeyStream(y, x)
					return y
				}
			}
			testArgument(t, "Key", key, func(key []byte) func() []byte { return start(key, nonce) })
			testArgument(t, "Nonce", nonce, func(nonce []byte) func() []byte { return start(key, nonce) })
			testStreamCore(t, xors, func() cipher.Stream {
				s, err := newStream(bytes.Clone(key), bytes.Clone(nonce))
				if err != nil {
					t.Fatal(err)
				}
				return s
			})
		})
	}
}

func testNonceSizes(t suite, key []byte, valid []int, newStream func(key, nonce []byte) (cipher.Stream, error)) {
	for n := range maxWrongSize + 1 {
		if slices.Contains(valid, n) {
			continue
		}
		var s cipher.Stream
		var err error
		v, panicked := catch(func() { s, err = newStream(key, make([]byte, n)) })
		_, crash := v.(runtime.Error)
		text := fmt.Sprint(v)
		switch {
		case panicked && (crash || !strings.Contains(text, "length") && !strings.Contains(text, "size")):
			t.Errorf("nonce of %d bytes: panic %q", n, text)
		case !panicked && err == nil:
			t.Errorf("nonce of %d bytes: no error", n)
		case s != nil:
			t.Errorf("nonce of %d bytes: a %T with the error, want a nil interface", n, s)
		}
	}
}

// testStreamCore checks the streams that fresh returns, all with one key stream.
func testStreamCore(t suite, xors bool, fresh func() cipher.Stream) {
	rng := Rand(t)
	t.Run("Methods", func(t suite) { methods(t, fresh(), reflect.TypeFor[cipher.Stream]()) })

	// One byte at a time is what everything else is compared with.
	const batch = 1024
	x := bytesOf(rng, 4*batch+1)
	want := make([]byte, len(x))
	generic(func() {
		for s, i := fresh(), 0; i < len(x); i++ {
			s.XORKeyStream(want[i:i+1], x[i:i+1])
		}
	})
	if xors {
		t.Run("XOR", func(t suite) {
			y := make([]byte, len(x))
			fresh().XORKeyStream(y, y)
			if bytes.Equal(y, make([]byte, len(y))) {
				t.Errorf("the key stream is zero")
			}
			for i := range y {
				if y[i] ^= x[i]; y[i] != want[i] {
					t.Fatalf("byte %d is not the xor of input and key stream", i)
				}
			}
			fresh().XORKeyStream(y, want)
			if !bytes.Equal(y, x) {
				t.Errorf("a second pass does not get the input back")
			}
		})
	}
	t.Run("Empty", func(t suite) {
		for _, unread := range []int{0, 5, 64} {
			s, dst := fresh(), newRoom(rng, 100)
			s.XORKeyStream(make([]byte, unread), x[:unread])
			s.XORKeyStream(dst.b, nil)
			s.XORKeyStream(dst.b, []byte{})
			s.XORKeyStream(dst.b[:0], x[:0])
			s.XORKeyStream(nil, nil)
			if dst.touched(0) {
				t.Errorf("nothing to do, but dst is changed")
			}
			s.XORKeyStream(dst.b, x[unread:unread+100])
			if !bytes.Equal(dst.b, want[unread:unread+100]) {
				t.Errorf("calls without data change the state")
			}
		}
	})
	t.Run("Lengths", func(t suite) {
		src, dst := roomWith(rng, x), newRoom(rng, len(x))
		sweep(t, rng, batch, 1, func(n int) {
			fresh().XORKeyStream(dst.b[:n], src.b[:n])
			if !bytes.Equal(dst.b[:n], want[:n]) {
				t.Errorf("%d bytes at once differ from one at a time", n)
			}
			if dst.touched(n) || src.touched(0) {
				t.Errorf("%d bytes: src, or a byte beside dst, is changed", n)
			}
			dst.reset()
			copy(dst.b, x[:n])
			fresh().XORKeyStream(dst.b[:n], dst.b[:n])
			if !bytes.Equal(dst.b[:n], want[:n]) || dst.touched(n) {
				t.Errorf("%d bytes: in place differs", n)
			}
			dst.reset()
		})
	})
	t.Run("Bounds", func(t suite) {
		for offset := range 64 {
			n := rng.IntN(200)
			src, dst := newRoomAt(rng, n+100, rng.IntN(64)), newRoomAt(rng, n+100, offset)
			src.set(x[:n])
			fresh().XORKeyStream(dst.b, src.b[:n]) // dst may be longer
			if !bytes.Equal(dst.b[:n], want[:n]) {
				t.Fatalf("result depends on alignment, on old contents of dst or on what is beside src")
			}
			if src.touched(0) || dst.touched(n) {
				t.Fatalf("src, or a byte beside len(src) bytes of dst, is changed")
			}
		}
	})
	t.Run("State", func(t suite) { testStreamState(t, rng, batch, x, want, fresh) })
	t.Run("Long", func(t suite) { testStreamLong(t, rng, fresh) })
	t.Run("Refusals", func(t suite) { testStreamRefusals(t, rng, x, want, fresh) })
	t.Run("Edges", func(t suite) {
		in, out := newBorder(t, len(x)), newBorder(t, len(x))
		sweep(t, rng, batch, 1, func(n int) {
			i, o := rng.IntN(2), rng.IntN(2)
			src, dst := in.edges(n)[i], out.edges(n)[o]
			copy(src, x)
			faults(t, func() { fresh().XORKeyStream(dst, src) })
			if !bytes.Equal(dst, want[:n]) {
				t.Errorf("%d bytes: wrong at the edge of a page", n)
			}
		})
	})
	t.Run("Allocs", func(t suite) {
		// A stream may make itself a buffer at its first short calls.
		s, y := fresh(), make([]byte, batch)
		for range 3 {
			s.XORKeyStream(y[:5], x[:5])
		}
		for _, n := range []int{0, 1, 16, 64, 100, 1024, batch} {
			allocs(t, "XORKeyStream", 0, func() { s.XORKeyStream(y[:n], x[:n]) })
		}
	})
}

// testStreamState checks that calls in a row are one stream.
func testStreamState(t suite, rng *rand.Rand, batch int, x, want []byte, fresh func() cipher.Stream) {
	y := make([]byte, len(x))
	check := func(n int, format string, args ...any) {
		t.Helper()
		if !bytes.Equal(y[:n], want[:n]) {
			t.Fatalf(format+" differs from one byte at a time", args...)
		}
		clear(y)
	}
	// Every split of some lengths.
	step := 1
	if testing.Short() || sanitized {
		step = 7
	}
	for _, n := range []int{130, 1100} {
		for at := 0; at <= n; at += 1 + (step-1)*n/1100 {
			s := fresh()
			s.XORKeyStream(y, x[:at])
			s.XORKeyStream(y[at:], x[at:n])
			check(n, "%d bytes, then %d:", at, n-at)
		}
	}
	// What follows every length, with a short and a longer call.
	sweep(t, rng, batch, 1, func(n int) {
		s := fresh()
		end := min(len(x), n+200)
		s.XORKeyStream(y, x[:n])
		s.XORKeyStream(y[n:], x[n:min(n+3, end)])
		s.XORKeyStream(y[min(n+3, end):], x[min(n+3, end):end])
		check(end, "%d bytes, then 3, then more:", n)
	})
	for _, steps := range [][]int{
		{1}, {3}, {4}, {8}, {10}, {15}, {16}, {20}, {32}, {50}, {63, 1}, {64}, {65}, {1024}, {1025, 1}, {4096}, {5000},
		{4, 16, 4, 4, 4, 4, 16, 4, 4, 4, 4, 16}, {3, 1023, 1024}, {1, 0, 0, 2},
	} {
		s := fresh()
		for at, i := 0, 0; at < len(x); i++ {
			to := min(len(x), at+steps[i%len(steps)])
			s.XORKeyStream(y[at:], x[at:to])
			at = to
		}
		check(len(x), "steps of %v:", steps)
	}
	for range 20 {
		s, other := fresh(), fresh()
		copy(y, x)
		pieces(rng, len(x), 1, func(from, to int) {
			s.XORKeyStream(y[from:to], y[from:to])
			other.XORKeyStream(make([]byte, 70), x[:70]) // must have no influence
		})
		check(len(x), "in place and in pieces:")
	}
}

// testStreamLong compares long calls with calls of odd and small sizes.
func testStreamLong(t suite, rng *rand.Rand, fresh func() cipher.Stream) {
	sizes := []int{8 << 10, 16 << 10, 24 << 10, 32 << 10, 64 << 10, 1 << 20}
	most := sizes[len(sizes)-1] + 17
	if testing.Short() || sanitized {
		sizes = sizes[:3]
		most = sizes[2] + 17
	}
	x := bytesOf(rng, most)
	want, y := make([]byte, most), make([]byte, most)
	generic(func() {
		for s, at := fresh(), 0; at < most; at += 48 {
			to := min(most, at+48)
			s.XORKeyStream(want[at:to], x[at:to])
		}
	})
	end := deadline()
	for _, size := range sizes {
		for _, n := range []int{size - 1, size, size + 1, size + 17} {
			fresh().XORKeyStream(y, x[:n])
			if !bytes.Equal(y[:n], want[:n]) {
				t.Fatalf("%d bytes at once differ from 48 at a time", n)
			}
			clear(y[:n])
			if n > 32<<10 && after(end) {
				return
			}
		}
	}
}

// testStreamRefusals checks that wrong slices make it panic, with nothing written
// and nothing else changed.
func testStreamRefusals(t suite, rng *rand.Rand, x, want []byte, fresh func() cipher.Stream) {
	for _, unread := range []int{0, 5} { // at the start, and within a block
		s, y := fresh(), make([]byte, len(x))
		s.XORKeyStream(y, x[:unread])
		src, dst := newRoom(rng, 8000), newRoom(rng, 8000)
		for _, n := range []int{2, 3, 4, 8, 10, 15, 16, 20, 32, 50, 64, 130, 1024, 4096} {
			for _, short := range []int{0, 1, n - 1} {
				refuses(t, "output smaller than input", func() { s.XORKeyStream(dst.b[:short], src.b[:n]) }, src, dst)
			}
			refuses(t, "output smaller than input", func() { s.XORKeyStream(dst.b[:n], src.b) }, src, dst)
			refuses(t, "output smaller than input", func() { s.XORKeyStream(nil, src.b[:n]) }, src)

			buf := newRoom(rng, 3*n)
			for _, o := range overlaps(n) {
				refuses(t, "invalid buffer overlap", func() { s.XORKeyStream(buf.b[o.dst:][:n], buf.b[o.src:][:n]) }, buf)
				refuses(t, "invalid buffer overlap", func() { s.XORKeyStream(buf.b[o.dst:], buf.b[o.src:][:n]) }, buf)
				buf.reset()
			}
			// What dst has beyond len(src) may overlap.
			copy(buf.b[n:], x[:n])
			fresh().XORKeyStream(buf.b, buf.b[n:2*n])
			if !bytes.Equal(buf.b[:n], want[:n]) {
				t.Errorf("%d bytes: wrong where only the unused end of dst overlaps", n)
			}
			if t.Failed() {
				t.Fatalf("%d bytes, %d before", n, unread)
			}
		}
		s.XORKeyStream(y[unread:], x[unread:])
		copy(y, want[:unread])
		if !bytes.Equal(y, want) {
			t.Errorf("refused calls change the state")
		}
	}
}
