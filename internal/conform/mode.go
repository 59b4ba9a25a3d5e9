package conform

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestBlockMode checks a cipher.BlockMode. A wrong IV length must make the
// constructors panic, or return nil if they are wrapped from ones that return an
// error. ivSize 0 is for modes without IV.
func TestBlockMode(t *testing.T, blockSize, ivSize int, newEncrypter, newDecrypter func(iv []byte) cipher.BlockMode) {
	t.Helper()
	testBlockMode(host{t}, blockSize, ivSize, newEncrypter, newDecrypter)
}

func testBlockMode(t suite, blockSize, ivSize int, newEncrypter, newDecrypter func(iv []byte) cipher.BlockMode) {
	t.Helper()
	rng := Rand(t)
	iv := bytesOf(rng, ivSize)
	enc, dec := newEncrypter(iv), newDecrypter(iv)
	if e, d := enc.BlockSize(), dec.BlockSize(); e != blockSize || d != blockSize {
		t.Fatalf("block sizes %d and %d, want %d", e, d, blockSize)
	}
	t.Run("Encrypter", func(t suite) { testMode(t, blockSize, iv, newEncrypter) })
	t.Run("Decrypter", func(t suite) { testMode(t, blockSize, iv, newDecrypter) })
	t.Run("Roundtrip", func(t suite) {
		for _, blocks := range []int{0, 1, 2, 3, 64, 65} {
			x := bytesOf(rng, blocks*blockSize)
			y, z := make([]byte, len(x)), make([]byte, len(x))
			newEncrypter(iv).CryptBlocks(y, x)
			newDecrypter(iv).CryptBlocks(z, y)
			if !bytes.Equal(z, x) {
				t.Errorf("decrypting what was encrypted gives something else, %d blocks", blocks)
			}
			newDecrypter(iv).CryptBlocks(y, x)
			newEncrypter(iv).CryptBlocks(z, y)
			if !bytes.Equal(z, x) {
				t.Errorf("encrypting what was decrypted gives something else, %d blocks", blocks)
			}
		}
	})
}

// testMode checks one direction.
func testMode(t suite, size int, iv []byte, construct func(iv []byte) cipher.BlockMode) {
	rng := Rand(t)
	fresh := func() cipher.BlockMode { return construct(iv) }
	t.Run("Methods", func(t suite) {
		methods(t, fresh(), reflect.TypeFor[cipher.BlockMode]())
	})
	if len(iv) > 0 {
		t.Run("IVLength", func(t suite) {
			for _, n := range []int{len(iv) - 1, len(iv) + 1} {
				var m cipher.BlockMode
				if _, panicked := catch(func() { m = construct(make([]byte, n, 2*n+1)) }); !panicked && m != nil {
					t.Errorf("IV of %d bytes is accepted", n)
				}
			}
		})
		x := bytesOf(rng, (len(iv)/size+2)*size)
		testArgument(t, "IV", iv, func(iv []byte) func() []byte {
			m := construct(iv)
			return func() []byte {
				y := make([]byte, len(x))
				m.CryptBlocks(y, x)
				return y
			}
		})
	}

	// One block at a time is what everything else is compared with.
	batch := batchOf(size)
	x := bytesOf(rng, 4*batch+size)
	want := make([]byte, len(x))
	generic(func() {
		for m, at := fresh(), 0; at < len(x); at += size {
			m.CryptBlocks(want[at:at+size], x[at:at+size])
		}
	})

	t.Run("Empty", func(t suite) {
		dst := newRoom(rng, 2*size)
		m := fresh()
		m.CryptBlocks(dst.b, nil)
		m.CryptBlocks(dst.b, []byte{})
		m.CryptBlocks(dst.b[:0], x[:0])
		m.CryptBlocks(nil, nil)
		if dst.touched(0) {
			t.Errorf("no blocks, but dst is changed")
		}
		m.CryptBlocks(dst.b, x[:2*size])
		if !bytes.Equal(dst.b, want[:2*size]) {
			t.Errorf("calls without blocks change the state")
		}
	})
	t.Run("Lengths", func(t suite) {
		src, dst := roomWith(rng, x), newRoom(rng, len(x))
		sweep(t, rng, batch, size, func(n int) {
			fresh().CryptBlocks(dst.b[:n], src.b[:n])
			if !bytes.Equal(dst.b[:n], want[:n]) {
				t.Errorf("%d blocks at once differ from one at a time", n/size)
			}
			if dst.touched(n) || src.touched(0) {
				t.Errorf("%d blocks: src, or a byte beside dst, is changed", n/size)
			}
			dst.reset()
			copy(dst.b, x[:n])
			fresh().CryptBlocks(dst.b[:n], dst.b[:n])
			if !bytes.Equal(dst.b[:n], want[:n]) || dst.touched(n) {
				t.Errorf("%d blocks: in place differs", n/size)
			}
			dst.reset()
		})
	})
	t.Run("Bounds", func(t suite) {
		for offset := range 64 {
			n := rng.IntN(10) * size
			src, dst := newRoomAt(rng, n+3*size, rng.IntN(64)), newRoomAt(rng, n+5*size, offset)
			src.set(x[:n])
			fresh().CryptBlocks(dst.b, src.b[:n]) // dst may be longer
			if !bytes.Equal(dst.b[:n], want[:n]) {
				t.Fatalf("result depends on alignment, on old contents of dst or on what is beside src")
			}
			if src.touched(0) || dst.touched(n) {
				t.Fatalf("src, or a byte beside len(src) bytes of dst, is changed")
			}
		}
	})
	t.Run("State", func(t suite) { testModeState(t, rng, size, x, want, fresh) })
	t.Run("Refusals", func(t suite) { testModeRefusals(t, rng, size, x, want, fresh) })
	t.Run("Edges", func(t suite) {
		in, out := newBorder(t, len(x)), newBorder(t, len(x))
		sweep(t, rng, batch, size, func(n int) {
			i, o := rng.IntN(2), rng.IntN(2)
			src, dst := in.edges(n)[i], out.edges(n)[o]
			copy(src, x)
			faults(t, func() { fresh().CryptBlocks(dst, src) })
			if !bytes.Equal(dst, want[:n]) {
				t.Errorf("%d blocks: wrong at the edge of a page", n/size)
			}
		})
	})
	t.Run("Allocs", func(t suite) {
		y := make([]byte, len(x))
		m := fresh()
		for _, n := range []int{0, size, 3 * size, batch, len(x)} {
			allocs(t, "CryptBlocks", 0, func() { m.CryptBlocks(y[:n], x[:n]) })
		}
	})
}

// testModeState checks that calls in a row are one message.
func testModeState(t suite, rng *rand.Rand, size int, x, want []byte, fresh func() cipher.BlockMode) {
	y := make([]byte, len(x))
	for _, blocks := range []int{2, 3, 9, 70} {
		n := blocks * size
		for at := 0; at <= n; at += size {
			m := fresh()
			m.CryptBlocks(y[:at], x[:at])
			m.CryptBlocks(y[at:n], x[at:n])
			if !bytes.Equal(y[:n], want[:n]) {
				t.Fatalf("%d blocks, then %d: differs from one call", at/size, (n-at)/size)
			}
		}
	}
	for range 10 {
		m, other := fresh(), fresh()
		copy(y, x)
		pieces(rng, len(x), size, func(from, to int) {
			m.CryptBlocks(y[from:to], y[from:to])
			other.CryptBlocks(make([]byte, 2*size), x[:2*size]) // must have no influence
		})
		if !bytes.Equal(y, want) {
			t.Fatalf("in place and in pieces: differs from one call")
		}
	}
}

// testModeRefusals checks that wrong slices make it panic, with nothing written
// and nothing else changed.
func testModeRefusals(t suite, rng *rand.Rand, size int, x, want []byte, fresh func() cipher.BlockMode) {
	const partial, short, overlap = "input not full blocks", "output smaller than input", "invalid buffer overlap"
	m := fresh()
	src, dst := newRoom(rng, 4*size), newRoom(rng, 4*size)
	for _, n := range []int{1, size - 1, size + 1, 2*size - 1, 2*size + 1} {
		if n%size != 0 {
			refuses(t, partial, func() { m.CryptBlocks(dst.b, src.b[:n]) }, src, dst)
			refuses(t, partial, func() { m.CryptBlocks(dst.b[:n], src.b[:n]) }, src, dst)
			refuses(t, partial, func() { m.CryptBlocks(dst.b[:n], dst.b[:n]) }, dst)
		}
	}
	for _, n := range []int{0, 1, size - 1, size, 2*size - 1} {
		refuses(t, short, func() { m.CryptBlocks(dst.b[:n], src.b[:2*size]) }, src, dst)
	}
	refuses(t, short, func() { m.CryptBlocks(nil, src.b) }, src)
	for _, blocks := range []int{1, 2, 70} {
		n := blocks * size
		buf := newRoom(rng, 3*n)
		for _, o := range overlaps(n) {
			refuses(t, overlap, func() { m.CryptBlocks(buf.b[o.dst:][:n], buf.b[o.src:][:n]) }, buf)
			refuses(t, overlap, func() { m.CryptBlocks(buf.b[o.dst:], buf.b[o.src:][:n]) }, buf)
			buf.reset()
		}
		// What dst has beyond len(src) may overlap.
		copy(buf.b[n:], x[:n])
		fresh().CryptBlocks(buf.b, buf.b[n:2*n])
		if !bytes.Equal(buf.b[:n], want[:n]) {
			t.Errorf("%d blocks: wrong where only the unused end of dst overlaps", blocks)
		}
	}
	y := make([]byte, 3*size)
	if m.CryptBlocks(y, x[:3*size]); !bytes.Equal(y, want[:3*size]) {
		t.Errorf("refused calls change the state")
	}
}
