package conform

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"reflect"
	"testing"

	"golang.org/x/crypto/chacha20"

	"xcipher/internal/impl"
)

// What the standard library has passes; the wrappers take away what callers of
// this module are not offered, or name the error as this module does.

type mode struct{ cipher.BlockMode } // no SetIV

type stream struct{ cipher.Stream } // no SetCounter

type keySizeError int

func (e keySizeError) Error() string { return fmt.Sprintf("toy: invalid key size %d", int(e)) }

func newAES(key []byte) (cipher.Block, error) { return aes.NewCipher(key) }

func newMode(key []byte) (enc, dec func(iv []byte) cipher.BlockMode) {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	return func(iv []byte) cipher.BlockMode { return mode{cipher.NewCBCEncrypter(b, iv)} },
		func(iv []byte) cipher.BlockMode { return mode{cipher.NewCBCDecrypter(b, iv)} }
}

func newStream(key, nonce []byte) (cipher.Stream, error) {
	if len(key) != chacha20.KeySize {
		return nil, keySizeError(len(key))
	}
	s, err := chacha20.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		return nil, err
	}
	return stream{s}, nil
}

func newGCM(key []byte) (cipher.AEAD, error) {
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

func newHMAC(key []byte) (hash.Hash, error) {
	if len(key) > 64 {
		return nil, keySizeError(len(key))
	}
	return mac{hmac.New(sha256.New, key)}, nil
}

// mac is HMAC without what this module's MACs do not have.
type mac struct{ hash.Hash }

func (m mac) Clone() (hash.Cloner, error) {
	c, err := m.Hash.(hash.Cloner).Clone()
	return mac{c}, err
}

func sizesUpTo(n int) []int {
	var sizes []int
	for i := 1; i <= n; i++ {
		sizes = append(sizes, i)
	}
	return sizes
}

func TestStandardBlock(t *testing.T) { TestBlock(t, []int{16, 24, 32}, newAES) }

func TestStandardMode(t *testing.T) {
	enc, dec := newMode(make([]byte, 16))
	TestBlockMode(t, 16, 16, enc, dec)
}

func TestStandardStream(t *testing.T) { TestStream(t, 32, []int{12, 24}, newStream) }

// The data has an influence on CFB's key stream.
func TestStandardCFB(t *testing.T) {
	//lint:ignore SA1019 the oldest mode that is no plain xor
	for _, newMode := range []func(cipher.Block, []byte) cipher.Stream{cipher.NewCFBEncrypter, cipher.NewCFBDecrypter} {
		TestStream(t, 32, []int{16}, func(key, nonce []byte) (cipher.Stream, error) {
			if len(key) != 32 {
				return nil, keySizeError(len(key))
			}
			b, err := aes.NewCipher(key)
			if err != nil {
				return nil, err
			}
			return newMode(b, nonce), nil
		})
	}
}

func TestStandardAEAD(t *testing.T) {
	TestAEAD(t, AEAD{KeySizes: []int{16, 24, 32}, New: newGCM})
}

func TestStandardHash(t *testing.T) {
	TestHash(t, sha256.New)
	TestHash(t, sha512.New)
}

// HMAC pads its keys with zeros, so an empty one is like a short one.
func TestStandardMAC(t *testing.T) {
	TestMAC(t, append([]int{0}, sizesUpTo(64)...), newHMAC)
}

func TestEach(t *testing.T) {
	fast, faster, absent := true, true, false
	impl.Register("toy", impl.AVX2, &fast)
	impl.Register("toy", impl.AVX2GFNI, &absent)
	impl.Register("toy", impl.AVX512, &faster)
	var got []string
	Each(t, func(t *testing.T) {
		got = append(got, fmt.Sprintf("%s %v %v %v", t.Name(), fast, faster, absent))
		generic(func() {
			if fast || faster || absent {
				t.Errorf("generic leaves a switch on")
			}
		})
	})
	want := []string{"TestEach/avx512 true true false", "TestEach/avx2 true false false", "TestEach/generic false false false"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("tiers %q, want %q", got, want)
	}
	if !fast || !faster || absent {
		t.Errorf("switches are not restored: %v %v %v", fast, faster, absent)
	}
	func() {
		defer func() { recover() }()
		each(newRecorder(t), func(suite) { panic("stop") })
	}()
	if !fast || !faster || absent {
		t.Errorf("switches are not restored after a panic: %v %v %v", fast, faster, absent)
	}
	fast, faster = false, false // what is left of this test is the generic tier
}

func TestMethods(t *testing.T) {
	iface := reflect.TypeFor[hash.Hash]()
	Methods(t, sha256.New(), iface, "Clone", "MarshalBinary", "AppendBinary", "UnmarshalBinary")
	for _, c := range []struct {
		value  any
		report string
	}{
		{sha256.New(), "extra method AppendBinary"},
		{nil, "no value"},
		{5, "int is no hash.Hash"},
		{mode{}, "extra method BlockSize|extra method CryptBlocks|is no hash.Hash"},
	} {
		r := newRecorder(t)
		methods(r, c.value, iface)
		r.check(t, c.report)
	}
}

func TestAllocs(t *testing.T) {
	calls := 0
	Allocs(t, "nothing", 0, func() { calls++ })
	Allocs(t, "one", 1, func() { sink = make([]byte, 10) })
	if calls == 0 {
		t.Errorf("the function is not called")
	}
	if countsAllocs() {
		r := newRecorder(t)
		allocs(r, "two", 1, func() { sink = make([]byte, 10); sink = make([]byte, 10) })
		r.check(t, "two: 2 allocations, want at most 1")
	}
}

func TestSizes(t *testing.T) {
	TestKeySizes(t, []int{16, 24, 32}, sized(newAES))
	for report, construct := range map[string]func(key []byte) (any, error){
		"key of 16 bytes: <nil>, toy": func(key []byte) (any, error) { return nil, keySizeError(len(key)) },
		"key of 24 bytes: <nil>, <nil>": func(key []byte) (any, error) {
			if len(key) == 24 {
				return nil, nil
			}
			return sized(newAES)(key)
		},
		"want one that ends with \": invalid key size 0\"": func(key []byte) (any, error) {
			if len(key) == 0 {
				return nil, errors.New("toy: no key")
			}
			return sized(newAES)(key)
		},
	} {
		r := newRecorder(t)
		testKeySizes(r, []int{16, 24, 32}, construct)
		r.check(t, report)
	}
	if got := some(host{t}, sizesUpTo(40)); len(got) != 4 || got[0] != 1 || got[3] != 40 {
		t.Errorf("some of 1..40 are %v", got)
	}
	if got := some(host{t}, []int{5, 6}); !reflect.DeepEqual(got, []int{5, 6}) {
		t.Errorf("some of 5 and 6 are %v", got)
	}
}

func TestMustPanic(t *testing.T) {
	for _, c := range []struct {
		want, report string
		f            func()
	}{
		{"b", "", func() { panic("abc") }},
		{"", "", func() { panic(errors.New("abc")) }},
		{"index out of range", "", func() { _ = []int{}[len(t.Name())] }},
		{"b", `panic "xyz", want one with "b"`, func() { panic("xyz") }},
		{"b", `no panic, want one with "b"`, func() {}},
		{"", `no panic`, func() {}},
	} {
		r := newRecorder(t)
		r.Run("", func(t suite) { MustPanic(t, c.want, c.f) })
		r.check(t, c.report)
	}
}

func TestEdges(t *testing.T) {
	for _, n := range []int{0, 1, 100, 4096, 5000, 70000} {
		for i, e := range Edges(t, n) {
			if len(e) != n || cap(e) != n {
				t.Errorf("slice %d has %d of %d bytes, want %d", i, len(e), cap(e), n)
			}
			for j := range e {
				e[j]++
			}
		}
	}
}

func TestRand(t *testing.T) {
	defer func(seed uint64) { *seedFlag = seed }(*seedFlag)
	*seedFlag = 5
	r := newRecorder(t)
	r.name = "TestRand/fixed"
	calls.Delete(r.name) // of an earlier run in this process
	a, b := Rand(r).Uint64(), Rand(r).Uint64()
	if a == b {
		t.Errorf("two calls give %d", a)
	}
	calls.Delete(r.name)
	if c, d := Rand(r).Uint64(), Rand(r).Uint64(); a != c || b != d {
		t.Errorf("the same seed gives %d, %d and %d, %d", a, b, c, d)
	}
	r.name = "TestRand/other"
	if c := Rand(r).Uint64(); a == c {
		t.Errorf("two tests get %d", a)
	}
	if b := bytesOf(Rand(t), 13); len(b) != 13 {
		t.Errorf("%d bytes, want 13", len(b))
	}
}
