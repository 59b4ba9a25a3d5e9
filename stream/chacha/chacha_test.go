package chacha

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20"

	"xcipher/internal/conform"
	"xcipher/vectors"
)

// variant is one number of rounds and its constructor.
type variant struct {
	rounds int
	new    func(key, nonce []byte) (cipher.Stream, error)
}

var (
	variants   = []variant{{8, New8}, {12, New12}, {20, New20}}
	nonceSizes = []int{nonceSize64, NonceSize, NonceSizeX}
)

// eachForm runs f for every tier, number of rounds and nonce size.
func eachForm(t *testing.T, f func(t *testing.T, v variant, nonceSize int)) {
	conform.Each(t, func(t *testing.T) {
		for _, v := range variants {
			for _, size := range nonceSizes {
				t.Run(fmt.Sprintf("rounds=%d/nonce=%d", v.rounds, size), func(t *testing.T) { f(t, v, size) })
			}
		}
	})
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// at returns a stream from block counter on.
func at(t *testing.T, rounds int, key, nonce []byte, counter uint64) cipher.Stream {
	t.Helper()
	s, err := NewWithCounter(rounds, key, nonce, counter)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// next returns the next n bytes of key stream.
func next(s cipher.Stream, n int) []byte {
	b := make([]byte, n)
	s.XORKeyStream(b, b)
	return b
}

func TestVectors(t *testing.T) {
	f, err := vectors.Load("chacha_stream")
	if err != nil {
		t.Fatal(err)
	}
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunStream(t, f, func(g *vectors.Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return withRounds(g.Rounds)
		})
		if want := (vectors.Result{Run: 169}); res != want {
			t.Errorf("%+v, want %+v", res, want)
		}
	})
}

// TestRegressions runs what once went wrong in other ChaCha implementations:
// carries between the halves of the counter, the last block.
func TestRegressions(t *testing.T) {
	f, err := vectors.Load("bug_regressions")
	if err != nil {
		t.Fatal(err)
	}
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunStream(t, f, func(g *vectors.Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			for _, v := range variants {
				name := fmt.Sprintf("CHACHA%d", v.rounds)
				if strings.HasPrefix(g.Algorithm, name) || g.Algorithm == "X"+name {
					return withRounds(v.rounds)
				}
			}
			return nil
		})
		if want := (vectors.Result{Run: 22, Skipped: 8}); res != want {
			t.Errorf("%+v, want %+v", res, want)
		}
	})
}

func withRounds(rounds int) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
	return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
		return NewWithCounter(rounds, key, iv, counter)
	}
}

func TestHChaChaVectors(t *testing.T) {
	f, err := vectors.Load("hchacha")
	if err != nil {
		t.Fatal(err)
	}
	conform.Each(t, func(t *testing.T) {
		res := vectors.RunHChaCha(t, f, func(g *vectors.Group) func(key, nonce []byte) ([]byte, error) {
			return func(key, nonce []byte) ([]byte, error) { return HChaCha(g.Rounds, key, nonce) }
		})
		if want := (vectors.Result{Run: 494}); res != want {
			t.Errorf("%+v, want %+v", res, want)
		}
	})
}

func TestStream(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		for _, v := range variants {
			t.Run(fmt.Sprintf("rounds=%d", v.rounds), func(t *testing.T) {
				conform.TestStream(t, KeySize, nonceSizes, v.new)
			})
		}
	})
}

func TestMethods(t *testing.T) {
	s, err := New20(make([]byte, KeySize), make([]byte, NonceSize))
	if err != nil {
		t.Fatal(err)
	}
	conform.Methods(t, s, reflect.TypeFor[cipher.Stream]())
}

func TestKeySizes(t *testing.T) {
	for _, v := range variants {
		for _, size := range nonceSizes {
			nonce := make([]byte, size)
			conform.TestKeySizes(t, []int{KeySize}, func(key []byte) (any, error) { return asAny(v.new(key, nonce)) })
			conform.TestKeySizes(t, []int{KeySize}, func(key []byte) (any, error) { return asAny(NewWithCounter(v.rounds, key, nonce, 1)) })
		}
	}
	_, err := New20(make([]byte, 31), make([]byte, 12))
	if k, ok := err.(KeySizeError); !ok || k != 31 || err.Error() != "chacha: invalid key size 31" {
		t.Errorf("key of 31 bytes: %#v", err)
	}
}

// asAny keeps a nil interface nil.
func asAny(s cipher.Stream, err error) (any, error) { return s, err }

// TestErrors wants an error with the accepted range, and nothing else.
func TestErrors(t *testing.T) {
	refused := func(what, want string, v any, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", what, err, want)
		}
		if v != nil {
			t.Errorf("%s: a %T with the error", what, v)
		}
	}
	key := make([]byte, KeySize)
	for n := range 66 {
		what, nonce := fmt.Sprintf("nonce of %d bytes", n), make([]byte, n)
		if n != 8 && n != 12 && n != 24 {
			want := fmt.Sprintf("chacha: invalid nonce size %d, want 8, 12 or 24", n)
			for _, v := range variants {
				s, err := v.new(key, nonce)
				refused(what, want, s, err)
				s, err = NewWithCounter(v.rounds, key, nonce, 0)
				refused(what, want, s, err)
			}
		}
		if n != 16 {
			if out, err := HChaCha(20, key, nonce); out != nil {
				t.Errorf("HChaCha, %s: no nil slice", what)
			} else {
				refused("HChaCha, "+what, fmt.Sprintf("chacha: invalid HChaCha nonce size %d, want 16", n), nil, err)
			}
		}
		if n != KeySize {
			out, err := HChaCha(20, nonce, make([]byte, 16))
			if out != nil || err != KeySizeError(n) {
				t.Errorf("HChaCha, key of %d bytes: %x, %v", n, out, err)
			}
		}
	}
	for _, rounds := range []int{-8, 0, 1, 4, 6, 7, 10, 16, 18, 22, 24, 256 + 20, math.MinInt, math.MaxInt} {
		want := fmt.Sprintf("chacha: invalid number of rounds %d, want 8, 12 or 20", rounds)
		for _, size := range nonceSizes {
			s, err := NewWithCounter(rounds, key, make([]byte, size), 0)
			refused("rounds", want, s, err)
		}
		out, err := HChaCha(rounds, key, make([]byte, 16))
		if out != nil {
			t.Errorf("HChaCha with %d rounds: no nil slice", rounds)
		}
		refused("HChaCha", want, nil, err)
	}
	for _, counter := range []uint64{1 << 32, 1<<32 + 1, 1 << 63, math.MaxUint64} {
		want := fmt.Sprintf("chacha: invalid counter %d, want 0 to 4294967295 with a 12-byte nonce", counter)
		s, err := NewWithCounter(20, key, make([]byte, NonceSize), counter)
		refused("counter", want, s, err)
	}
}

// TestXCrypto compares random calls with golang.org/x/crypto: 20 rounds, nonces of
// 12 and 24 bytes, and through them, with 8.
func TestXCrypto(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		messages := 200
		if testing.Short() {
			messages = 20
		}
		for range messages {
			key, nonce, counter := random(r, KeySize), random(r, []int{12, 24}[r.IntN(2)]), r.Uint32N(1<<32-1000)
			theirs, err := chacha20.NewUnauthenticatedCipher(key, nonce)
			if err != nil {
				t.Fatal(err)
			}
			theirs.SetCounter(counter)
			streams := []cipher.Stream{at(t, 20, key, nonce, uint64(counter))}
			if len(nonce) == NonceSizeX {
				subkey, err := HChaCha(20, key, nonce[:16])
				if err != nil {
					t.Fatal(err)
				}
				streams = append(streams, at(t, 20, subkey, nonce[16:], uint64(counter)))
			} else {
				// A 12-byte nonce is an 8-byte one with a high half of the counter.
				high := uint64(nonce[0]) | uint64(nonce[1])<<8 | uint64(nonce[2])<<16 | uint64(nonce[3])<<24
				streams = append(streams, at(t, 20, key, nonce[4:], high<<32|uint64(counter)))
			}
			for range r.IntN(10) {
				src := random(r, r.IntN(2000))
				want := make([]byte, len(src))
				theirs.XORKeyStream(want, src)
				for i, s := range streams {
					got := make([]byte, len(src))
					s.XORKeyStream(got, src)
					if !bytes.Equal(got, want) {
						t.Fatalf("nonce %x, form %d: differs from x/crypto", nonce, i)
					}
				}
			}
			input := random(r, 16)
			want, err := chacha20.HChaCha20(key, input)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := HChaCha(20, key, input); err != nil || !bytes.Equal(got, want) {
				t.Errorf("HChaCha20 = %x, %v, want %x", got, err, want)
			}
		}
	})
}

// TestXChaChaRounds pins both readings of XChaCha with fewer rounds: HChaCha with
// as many rounds as the stream, which is ours, and with 20, that of
// github.com/aead/chacha20.
func TestXChaChaRounds(t *testing.T) {
	key, nonce := make([]byte, KeySize), make([]byte, NonceSizeX)
	for i := range key {
		key[i] = byte(i)
	}
	copy(nonce, key)
	subkey, err := HChaCha(20, key, nonce[:16])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		new        func(key, nonce []byte) (cipher.Stream, error)
		ours, aead string
	}{
		{New8, "e58d7840a92973924f15e48183f09f29f1d0e8d67b7544f87ce9f3cd43604b5a", "86214b373f5910f61d8bf6e5f3fd5c292b1cba6e75b2eab0811b21133212f04f"},
		{New12, "60bdbcfb13471492e573e1ec837f739a6f5e41cf916bdcd8e8a682166b51d4b2", "8125df42cdd400621686f70b51d7984394e8150d5b7319b1c59a42720d172473"},
	} {
		for _, form := range []struct {
			key, nonce []byte
			want       string
		}{{key, nonce, c.ours}, {subkey, nonce[16:], c.aead}} {
			s, err := c.new(form.key, form.nonce)
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(next(s, 32)); got != form.want {
				t.Errorf("nonce of %d bytes: %s, want %s", len(form.nonce), got, form.want)
			}
		}
	}
}

// TestCopies overwrites key and nonce behind the constructor.
func TestCopies(t *testing.T) {
	eachForm(t, func(t *testing.T, v variant, nonceSize int) {
		r := conform.Rand(t)
		key, nonce := random(r, KeySize), random(r, nonceSize)
		want := next(at(t, v.rounds, key, nonce, 0), 200)
		s, err := v.new(key, nonce)
		if err != nil {
			t.Fatal(err)
		}
		clear(key)
		clear(nonce)
		if got := next(s, 200); !bytes.Equal(got, want) {
			t.Errorf("the stream follows the caller's key or nonce")
		}
	})
}

// TestAllocs wants the stream on the caller's stack, set-up included.
func TestAllocs(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		key, buf := make([]byte, KeySize), make([]byte, 8192)
		for _, size := range nonceSizes {
			nonce := make([]byte, size)
			for _, n := range []int{64, 100, 8192} {
				name := fmt.Sprintf("nonce of %d bytes, %d bytes", size, n)
				conform.Allocs(t, "New20, "+name, 0, func() {
					s, _ := New20(key, nonce)
					s.XORKeyStream(buf[:n], buf[:n])
				})
				conform.Allocs(t, "New12, "+name, 0, func() {
					s, _ := New12(key, nonce)
					s.XORKeyStream(buf[:n], buf[:n])
				})
				conform.Allocs(t, "New8, "+name, 0, func() {
					s, _ := New8(key, nonce)
					s.XORKeyStream(buf[:n], buf[:n])
				})
				conform.Allocs(t, "NewWithCounter, "+name, 0, func() {
					s, _ := NewWithCounter(20, key, nonce, 7)
					s.XORKeyStream(buf[:n], buf[:n])
				})
			}
		}
		conform.Allocs(t, "HChaCha", 0, func() {
			subkey, _ := HChaCha(20, key, buf[:16])
			copy(key, subkey)
		})
	})
}
