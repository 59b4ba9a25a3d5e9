package conform

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestBlock checks a cipher.Block and, if it has them, the methods that
// crypto/cipher looks for on a Block. keySizes lists every key size in bytes.
func TestBlock(t *testing.T, keySizes []int, newBlock func(key []byte) (cipher.Block, error)) {
	t.Helper()
	testBlock(host{t}, keySizes, newBlock)
}

func testBlock(t suite, keySizes []int, newBlock func(key []byte) (cipher.Block, error)) {
	t.Helper()
	t.Run("KeySizes", func(t suite) { testKeySizes(t, keySizes, sized(newBlock)) })
	for _, n := range some(t, keySizes) {
		t.Run(sizeName("key", n), func(t suite) { testBlockWithKey(t, n, newBlock) })
	}
}

func testBlockWithKey(t suite, keySize int, newBlock func(key []byte) (cipher.Block, error)) {
	rng := Rand(t)
	key := bytesOf(rng, keySize)
	w := newTwins(t, newBlock, key)
	b := w.own
	size := b.BlockSize()
	if size <= 0 || size != b.BlockSize() {
		t.Fatalf("block size %d", size)
	}
	t.Run("Methods", func(t suite) {
		methods(t, b, reflect.TypeFor[cipher.Block](), "NewCTR", "NewCBCEncrypter", "NewCBCDecrypter")
	})
	x := bytesOf(rng, size)
	testArgument(t, "Key", key, func(key []byte) func() []byte {
		b := must(t, newBlock, key)
		return func() []byte {
			y := make([]byte, 2*size)
			b.Encrypt(y, x)
			b.Decrypt(y[size:], x)
			return y
		}
	})
	t.Run("Encrypt", func(t suite) { testCrypt(t, size, b.Encrypt, w.plain.Encrypt) })
	t.Run("Decrypt", func(t suite) { testCrypt(t, size, b.Decrypt, w.plain.Decrypt) })
	t.Run("Roundtrip", func(t suite) { testBlockRoundtrip(t, rng, b) })
	t.Run("Goroutines", func(t suite) { testBlockTogether(t, rng, w) })
	testHooks(t, w)
}

// testCrypt checks one direction of a block of size bytes. plain does the same in
// the generic tier.
func testCrypt(t suite, size int, crypt, plain func(dst, src []byte)) {
	rng := Rand(t)
	x := bytesOf(rng, size)
	want := make([]byte, size)
	generic(func() { plain(want, x) })

	t.Run("Bounds", func(t suite) {
		for offset := range 64 {
			src, dst := newRoomAt(rng, size, rng.IntN(64)), newRoomAt(rng, size, offset)
			src.set(x)
			crypt(dst.b, src.b)
			if !bytes.Equal(dst.b, want) {
				t.Fatalf("result depends on alignment, on old contents of dst or on what is beside src")
			}
			if src.touched(0) {
				t.Fatalf("src, or a byte beside it, is changed")
			}
			if dst.touched(size) {
				t.Fatalf("a byte beside dst is changed")
			}
		}
	})
	t.Run("OneBlock", func(t suite) {
		for _, blocks := range []int{2, 3, 8, 65} {
			src, dst := newRoom(rng, blocks*size), newRoom(rng, blocks*size)
			src.set(x)
			crypt(dst.b, src.b)
			if !bytes.Equal(dst.b[:size], want) {
				t.Errorf("slices of %d blocks: bytes after the first block have an influence", blocks)
			}
			if src.touched(0) || dst.touched(size) {
				t.Errorf("slices of %d blocks: more than the first block is changed", blocks)
			}
		}
	})
	t.Run("InPlace", func(t suite) {
		for _, blocks := range []int{1, 2, 3} {
			both := newRoom(rng, blocks*size)
			both.set(x)
			crypt(both.b, both.b)
			if !bytes.Equal(both.b[:size], want) {
				t.Errorf("slices of %d blocks: in place differs", blocks)
			}
			if both.touched(size) {
				t.Errorf("slices of %d blocks: in place, more than the first block is changed", blocks)
			}
		}
	})
	t.Run("Overlap", func(t suite) {
		buf := newRoom(rng, 3*size)
		for _, o := range overlaps(size) {
			refuses(t, "invalid buffer overlap", func() { crypt(buf.b[o.dst:][:size], buf.b[o.src:][:size]) }, buf)
			refuses(t, "invalid buffer overlap", func() { crypt(buf.b[o.dst:], buf.b[o.src:]) }, buf)
			buf.reset()
		}
		// Slices may overlap beyond the block that is used.
		buf.set(x)
		crypt(buf.b[size:], buf.b)
		if !bytes.Equal(buf.b[size:2*size], want) {
			t.Errorf("wrong result from slices that overlap after the first block")
		}
	})
	t.Run("Short", func(t suite) { testShortBlock(t, rng, size, crypt) })
	t.Run("Edges", func(t suite) {
		in, out := newBorder(t, size), newBorder(t, size)
		for _, src := range in.edges(size) {
			for _, dst := range out.edges(size) {
				copy(src, x)
				faults(t, func() { crypt(dst, src) })
				if !bytes.Equal(dst, want) {
					t.Errorf("wrong result at the edge of a page")
				}
			}
		}
	})
	t.Run("Allocs", func(t suite) {
		y := make([]byte, size)
		allocs(t, "one block", 0, func() { crypt(y, x) })
	})
}

// testShortBlock uses slices whose capacity would do but whose length does not.
func testShortBlock(t suite, rng *rand.Rand, size int, crypt func(dst, src []byte)) {
	const input, output = "input not full block", "output not full block"
	src, dst := newRoom(rng, 2*size), newRoom(rng, 2*size)
	for _, c := range []struct {
		want     string
		dst, src int
	}{
		{input, size, 0}, {input, size, 1}, {input, size, size - 1},
		{input, 2 * size, size - 1}, {input, 0, 0}, {input, 1, 1}, {input, size - 1, size - 1},
		{output, 0, size}, {output, 1, size}, {output, size - 1, size}, {output, size - 1, 2 * size},
	} {
		refuses(t, c.want, func() { crypt(dst.b[:c.dst], src.b[:c.src]) }, dst, src)
		if c.dst == c.src {
			refuses(t, c.want, func() { crypt(dst.b[:c.dst], dst.b[:c.src]) }, dst)
		}
		if t.Failed() {
			t.Fatalf("dst of %d bytes, src of %d", c.dst, c.src)
		}
	}
	refuses(t, input, func() { crypt(dst.b, nil) }, dst)
	refuses(t, output, func() { crypt(nil, src.b) }, src)
}

func testBlockRoundtrip(t suite, rng *rand.Rand, b cipher.Block) {
	size := b.BlockSize()
	try := func(x []byte) {
		y, z := make([]byte, size), make([]byte, size)
		b.Encrypt(y, x)
		b.Decrypt(z, y)
		if !bytes.Equal(z, x) {
			t.Fatalf("Decrypt(Encrypt(%x)) = %x", x, z)
		}
		b.Decrypt(y, x)
		b.Encrypt(z, y)
		if !bytes.Equal(z, x) {
			t.Fatalf("Encrypt(Decrypt(%x)) = %x", x, z)
		}
	}
	for bit := range 8 * size {
		try(flipped(make([]byte, size), bit))
	}
	for v := range 256 {
		try(bytes.Repeat([]byte{byte(v)}, size))
	}
	for range 100 {
		try(bytesOf(rng, size))
	}
}

// testBlockTogether uses one block from many goroutines; the race detector, if it
// is on, sees what the results do not show.
func testBlockTogether(t suite, rng *rand.Rand, w twins[cipher.Block]) {
	b := w.own
	size := b.BlockSize()
	const inputs = 7
	var x, y, z [inputs][]byte
	for i := range x {
		x[i], y[i], z[i] = bytesOf(rng, size), make([]byte, size), make([]byte, size)
		generic(func() {
			w.plain.Encrypt(y[i], x[i])
			w.plain.Decrypt(z[i], x[i])
		})
	}
	var out [32][]byte
	for i := range out {
		out[i] = make([]byte, size)
	}
	together(t, func(worker, call int) string {
		i, out := (worker+call)%inputs, out[worker]
		if b.Encrypt(out, x[i]); !bytes.Equal(out, y[i]) {
			return "Encrypt is wrong"
		}
		if b.Decrypt(out, x[i]); !bytes.Equal(out, z[i]) {
			return "Decrypt is wrong"
		}
		return ""
	})
}
