// The tests of this folder are the drop-in proof: every algorithm of the catalog
// inside everything in the standard library and golang.org/x/crypto that takes a
// standard interface, found by its sizes alone. Where the same result can be had
// by another road, by a few lines written from the standard or over a block that
// hides its fast paths, both must be equal.
package xcipher_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"hash"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"xcipher/aead/chachapoly"
	"xcipher/aead/cloc"
	"xcipher/aead/mgm"
	"xcipher/aead/randnonce"
	aeadsaturnin "xcipher/aead/saturnin"
	"xcipher/aead/silc"
	blockchaskey "xcipher/block/chaskey"
	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	blocksaturnin "xcipher/block/saturnin"
	hashsaturnin "xcipher/hash/saturnin"
	"xcipher/hash/streebog"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
	macchaskey "xcipher/mac/chaskey"
	"xcipher/mac/cmac"
	"xcipher/stream/chacha"
)

// Programs pass the constructors themselves, so their types are part of the
// promise.
var (
	_ = []func(key []byte) (cipher.Block, error){
		kuznyechik.NewCipher, magma.NewCipher, blocksaturnin.NewCipher,
		blockchaskey.NewCipher8, blockchaskey.NewCipher12, blockchaskey.NewCipherLTS,
	}
	_ = []func(key []byte) (cipher.AEAD, error){
		chachapoly.New, chachapoly.NewX, chachapoly.New12, chachapoly.NewX12, chachapoly.New8, chachapoly.NewX8,
		cloc.NewAES128, silc.NewAES128, aeadsaturnin.NewCTRCascade, aeadsaturnin.NewShort,
	}
	_ = []func(cipher.Block) (cipher.AEAD, error){mgm.New, cloc.New, silc.New}
	_ = []func(cipher.AEAD) (cipher.AEAD, error){randnonce.New}
	_ = []func() hash.Hash{streebog.New256, streebog.New512, hashsaturnin.New}
	_ = []func(key []byte) (hash.Hash, error){macchaskey.New8, macchaskey.New12, macchaskey.NewLTS}
	_ = []func(cipher.Block) (hash.Hash, error){cmac.New}
	_ = []func(key, nonce []byte) (cipher.Stream, error){chacha.New20, chacha.New12, chacha.New8}
	_ = []func(b cipher.Block, iv []byte) cipher.Stream{
		gost3413.NewCTR, gost3413.NewOFB, gost3413.NewCFBEncrypter, gost3413.NewCFBDecrypter, cipher.NewCTR,
	}
	_ = []func(b cipher.Block, iv []byte) cipher.BlockMode{
		gost3413.NewCBCEncrypter, gost3413.NewCBCDecrypter, cipher.NewCBCEncrypter, cipher.NewCBCDecrypter,
	}
	_ = []func(cipher.Block) cipher.BlockMode{ecb.NewEncrypter, ecb.NewDecrypter}
)

// each runs f for every algorithm of a kind, in every tier. There must be at least
// one.
func each(t *testing.T, kind catalog.Kind, f func(t *testing.T, a catalog.Algorithm)) {
	t.Helper()
	conform.Each(t, func(t *testing.T) {
		n := 0
		for _, a := range catalog.Algorithms() {
			if a.Kind == kind {
				n++
				t.Run(a.Name, func(t *testing.T) { f(t, a) })
			}
		}
		if n == 0 {
			t.Errorf("the catalog has nothing of kind %s", kind)
		}
	})
}

// must returns the value of a constructor that does not fail.
func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func random(rng *rand.Rand, n int) []byte {
	b := make([]byte, n+7)
	for i := 0; i < n; i += 8 {
		binary.NativeEndian.PutUint64(b[i:], rng.Uint64())
	}
	return b[:n:n]
}

// plain has the methods of cipher.Block alone: neither crypto/cipher nor this
// module sees more in it than one block after the other.
type plain struct{ cipher.Block }

// lengths are of messages: none, parts of blocks, batches, and more than the
// 32 KiB which io.Copy moves at a time.
func lengths() []int {
	if testing.Short() {
		return []int{0, 1, 33, 1100}
	}
	return []int{0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 511, 512, 513, 1023, 1024, 1025, 4099, 40000}
}

// checkStream puts a Stream into what the standard library has for one. newStream
// returns it in its first state; it makes want of x.
func checkStream(t *testing.T, newStream func() cipher.Stream, x, want []byte) {
	t.Helper()
	check := func(how string, got []byte) {
		t.Helper()
		if !bytes.Equal(got, want) {
			t.Errorf("%s: wrong for %d bytes", how, len(x))
		}
	}
	got := make([]byte, len(x))
	newStream().XORKeyStream(got, x)
	check("one call", got)

	half, s := len(x)/2, newStream()
	s.XORKeyStream(got[:half], x[:half])
	s.XORKeyStream(got[half:], x[half:])
	check("two calls", got)

	copy(got, x)
	newStream().XORKeyStream(got, got)
	check("in place", got)

	var sink bytes.Buffer
	_, err := io.Copy(&sink, cipher.StreamReader{S: newStream(), R: bytes.NewReader(x)})
	check("StreamReader", sink.Bytes())
	if err != nil {
		t.Error(err)
	}

	got, err = io.ReadAll(iotest.HalfReader(cipher.StreamReader{S: newStream(), R: iotest.DataErrReader(bytes.NewReader(x))}))
	check("StreamReader over odd readers", got)
	if err != nil {
		t.Error(err)
	}

	out := &closer{}
	w := cipher.StreamWriter{S: newStream(), W: out}
	_, err = io.Copy(w, iotest.HalfReader(bytes.NewReader(x)))
	check("StreamWriter", out.Bytes())
	if err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil || !out.closed {
		t.Errorf("StreamWriter.Close: %v, closed %v", err, out.closed)
	}
}

type closer struct {
	bytes.Buffer
	closed bool
}

func (c *closer) Close() error {
	c.closed = true
	return nil
}

func TestStreams(t *testing.T) {
	each(t, catalog.Stream, func(t *testing.T, a catalog.Algorithm) {
		rng := conform.Rand(t)
		for _, size := range a.NonceSizes {
			key, nonce := random(rng, a.KeySize), random(rng, size)
			newStream := func() cipher.Stream { return must(catalog.NewStream(a.Name, key, nonce))(t) }
			for _, n := range lengths() {
				x, want := random(rng, n), make([]byte, n)
				otherStream(t, a.Name, key, nonce).XORKeyStream(want, x)
				checkStream(t, newStream, x, want)
			}
		}
	})
}
