package conform

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"reflect"
)

// The methods that crypto/cipher looks for on a Block.
type (
	ctrHook          interface{ NewCTR(iv []byte) cipher.Stream }
	cbcEncrypterHook interface {
		NewCBCEncrypter(iv []byte) cipher.BlockMode
	}
	cbcDecrypterHook interface {
		NewCBCDecrypter(iv []byte) cipher.BlockMode
	}
)

// hidden has the methods of cipher.Block alone, so that crypto/cipher falls back
// on its own code.
type hidden struct{ cipher.Block }

// testHooks compares the modes of crypto/cipher over b with the same modes over a
// block that hides its hooks.
func testHooks(t suite, w twins[cipher.Block]) {
	b := w.own
	size, rng := b.BlockSize(), Rand(t)
	if hook, ok := b.(ctrHook); ok {
		t.Run("CTRHook", func(t suite) {
			methods(t, hook.NewCTR(make([]byte, size)), reflect.TypeFor[cipher.Stream]())
			testStreamCore(t, true, func() cipher.Stream { return cipher.NewCTR(w.now(), make([]byte, size)) })
			testIV(t, size, "IV length must equal block size", func(iv []byte) any { return cipher.NewCTR(b, iv) })
			x := bytesOf(rng, 3*size)
			testArgument(t, "IV", bytesOf(rng, size), func(iv []byte) func() []byte {
				s := cipher.NewCTR(b, iv)
				return func() []byte {
					y := make([]byte, len(x))
					s.XORKeyStream(y, x)
					return y
				}
			})
		})
		t.Run("CTR", func(t suite) { testCTR(t, rng, w) })
	}
	enc, ok1 := b.(cbcEncrypterHook)
	dec, ok2 := b.(cbcDecrypterHook)
	if ok1 != ok2 {
		t.Errorf("only one of NewCBCEncrypter and NewCBCDecrypter")
	}
	if ok1 && ok2 {
		t.Run("CBCHook", func(t suite) {
			const want = "IV length must equal block size"
			testIV(t, size, want, func(iv []byte) any { return enc.NewCBCEncrypter(iv) })
			testIV(t, size, want, func(iv []byte) any { return dec.NewCBCDecrypter(iv) })
			testBlockMode(t, size, size,
				func(iv []byte) cipher.BlockMode { return w.now().(cbcEncrypterHook).NewCBCEncrypter(iv) },
				func(iv []byte) cipher.BlockMode { return w.now().(cbcDecrypterHook).NewCBCDecrypter(iv) })
		})
		t.Run("CBC", func(t suite) {
			iv := bytesOf(rng, size)
			for _, newMode := range []func(cipher.Block, []byte) cipher.BlockMode{cipher.NewCBCEncrypter, cipher.NewCBCDecrypter} {
				sameMode(t, size, newMode(hidden{w.plain}, iv), func() cipher.BlockMode { return newMode(b, iv) })
			}
		})
	}
	t.Run("OtherModes", func(t suite) { testOtherModes(t, rng, b) })
}

// testIV checks that construct panics for wrong lengths of iv.
func testIV(t suite, size int, want string, construct func(iv []byte) any) {
	t.Helper()
	for _, n := range []int{0, 1, size - 1, size + 1, 2 * size} {
		if n != size {
			MustPanic(t, want, func() { construct(make([]byte, n, 4*size)) })
		}
	}
	MustPanic(t, want, func() { construct(nil) })
}

// testCTR checks every length, and random pieces, from initial counters that wrap
// or carry sooner or later.
func testCTR(t suite, rng *rand.Rand, w twins[cipher.Block]) {
	b := w.own
	size := b.BlockSize()
	batch := batchOf(size)
	x := bytesOf(rng, 4*batch+1)
	var ivs, want [][]byte
	for _, tail := range []int{size, size - 1, min(8, size), 4, 2, 1, 0} { // bytes of ff
		iv := bytesOf(rng, size)
		for i := range tail {
			iv[size-1-i] = 0xff
		}
		if tail > 1 {
			iv[size-1] = byte(rng.IntN(256)) // so that any block of a batch may carry
		}
		ivs = append(ivs, iv)
	}
	ivs = append(ivs, bytes.Repeat([]byte{0xff}, size))
	for _, iv := range ivs {
		y := make([]byte, len(x))
		generic(func() { cipher.NewCTR(hidden{w.plain}, iv).XORKeyStream(y, x) })
		want = append(want, y)
	}
	out := newRoom(rng, len(x))
	sweep(t, rng, batch, 1, func(n int) {
		i := rng.IntN(len(ivs))
		s := cipher.NewCTR(b, ivs[i])
		s.XORKeyStream(out.b[:n], x[:n])
		if !bytes.Equal(out.b[:n], want[i][:n]) {
			t.Errorf("CTR through the hook is wrong for %d bytes from counter %x", n, ivs[i])
		}
		if out.touched(n) {
			t.Errorf("CTR through the hook of %d bytes writes beyond them", n)
		}
		out.reset()
	})
	for i, iv := range ivs {
		for range 4 {
			s := cipher.NewCTR(b, iv)
			pieces(rng, len(x), 1, func(from, to int) { s.XORKeyStream(out.b[from:to], x[from:to]) })
			if !bytes.Equal(out.b, want[i]) {
				t.Fatalf("CTR through the hook, in pieces, is wrong from counter %x", iv)
			}
		}
	}
}

// sameMode compares a mode with another implementation of it, which is used in the
// generic tier, for every number of blocks, and in random pieces.
func sameMode(t suite, size int, other cipher.BlockMode, construct func() cipher.BlockMode) {
	t.Helper()
	rng := Rand(t)
	batch := batchOf(size)
	x := bytesOf(rng, 4*batch+size)
	want, out := make([]byte, len(x)), newRoom(rng, len(x))
	generic(func() { other.CryptBlocks(want, x) })
	sweep(t, rng, batch, size, func(n int) {
		m := construct()
		m.CryptBlocks(out.b[:n], x[:n])
		if !bytes.Equal(out.b[:n], want[:n]) || out.touched(n) {
			t.Errorf("%T: wrong for %d bytes, or writes beyond them", m, n)
		}
		out.reset()
	})
	for range 10 {
		m := construct()
		copy(out.b, x)
		pieces(rng, len(x), size, func(from, to int) { m.CryptBlocks(out.b[from:to], out.b[from:to]) })
		if !bytes.Equal(out.b, want) {
			t.Fatalf("%T: wrong in place and in pieces", m)
		}
	}
}

// testOtherModes uses what else crypto/cipher makes of a Block.
func testOtherModes(t suite, rng *rand.Rand, b cipher.Block) {
	size := b.BlockSize()
	iv, x := bytesOf(rng, size), bytesOf(rng, 5*size+3)
	for _, m := range []struct {
		name     string
		enc, dec func(b cipher.Block, iv []byte) cipher.Stream
	}{
		{"CTR", cipher.NewCTR, cipher.NewCTR},
		//lint:ignore SA1019 old modes must work too
		{"OFB", cipher.NewOFB, cipher.NewOFB},
		//lint:ignore SA1019 old modes must work too
		{"CFB", cipher.NewCFBEncrypter, cipher.NewCFBDecrypter},
	} {
		y, z := make([]byte, len(x)), make([]byte, len(x))
		m.enc(b, iv).XORKeyStream(y, x)
		m.dec(b, iv).XORKeyStream(z, y)
		if !bytes.Equal(z, x) || bytes.Equal(y, x) {
			t.Errorf("%s does not get its input back", m.name)
		}
	}
	gcm, err := cipher.NewGCM(b)
	if size != 16 {
		if err == nil {
			t.Errorf("GCM over blocks of %d bytes is not refused", size)
		}
		return
	}
	if err != nil {
		t.Fatalf("GCM: %v", err)
	}
	nonce := bytesOf(rng, gcm.NonceSize())
	y := gcm.Seal(nil, nonce, x, iv)
	if z, err := gcm.Open(nil, nonce, y, iv); err != nil || !bytes.Equal(z, x) {
		t.Errorf("GCM does not get its input back: %v", err)
	}
	y[0] ^= 1
	if _, err := gcm.Open(nil, nonce, y, iv); err == nil {
		t.Errorf("GCM takes a changed ciphertext")
	}
}
