package vectors

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"hash"
	"testing"

	"golang.org/x/crypto/chacha20"
)

type pickMAC = func(g *Group) func(key []byte) (hash.Hash, error)

func hmacSHA256(key []byte) (hash.Hash, error) {
	if len(key) == 99 {
		return nil, errors.New("wrong key size")
	}
	return hmac.New(sha256.New, key), nil
}

// macFile has 20 valid tests in each group, then some invalid ones.
func macFile() *File {
	full := &Group{Type: "MacTest", KeySize: 128, TagSize: 256}
	short := &Group{Type: "MacTest", TagSize: 64}
	for _, g := range []*Group{full, short} {
		for i := range 25 {
			t := &Test{Key: randomBytes(uint64(i), 16), Msg: randomBytes(uint64(i), i*i)}
			m := hmac.New(sha256.New, t.Key)
			m.Write(t.Msg)
			t.Tag = m.Sum(nil)[:g.TagSize/8]
			if i >= 20 {
				t.Result = "invalid"
			}
			switch i {
			case 20:
				t.Tag = flip(t.Tag, newReplay(0, i).Rand)
			case 21:
				t.Msg = flip(t.Msg, newReplay(0, i).Rand)
			case 22:
				t.Tag = t.Tag[:len(t.Tag)-1]
			case 23:
				t.Tag = []byte{}
			case 24:
				t.Key = make([]byte, 99)
			}
			g.Tests = append(g.Tests, t)
		}
	}
	return newFile(full, short)
}

func TestRunMAC(t *testing.T) {
	right := func(*Group) func(key []byte) (hash.Hash, error) { return hmacSHA256 }
	mustPass(t, RunMAC, macFile, right, Result{Run: 50})
	mustPass(t, RunMAC, macFile, func(g *Group) func(key []byte) (hash.Hash, error) {
		if g.TagSize == 64 {
			return nil
		}
		return hmacSHA256
	}, Result{Run: 25, Skipped: 25})
	mustPass(t, RunMAC, func() *File {
		f := macFile()
		f.Groups[1].Tests[2].Result = "acceptable"
		f.Groups[1].Tests[3].Result = "acceptable"
		f.Groups[1].Tests[3].Key = make([]byte, 99)
		return f
	}, right, Result{Run: 50, Refused: 1})

	plants := []plant[pickMAC]{
		{"bit of tag", func(f *File) { valid(f); flipOne(f, func(t *Test) *HexBytes { return &t.Tag }) }, right, "sum differs"},
		{"bit of msg", func(f *File) { valid(f); flipOne(f, func(t *Test) *HexBytes { return &t.Msg }) }, right, "sum differs"},
		{"bit of key", func(f *File) { valid(f); flipOne(f, func(t *Test) *HexBytes { return &t.Key }) }, right, "sum differs"},
		{"invalid accepted", func(f *File) { f.Groups[1].Tests[3].Result = "invalid" }, right, "the tag was accepted"},
		{"acceptable but wrong", func(f *File) {
			t := f.Groups[1].Tests[3]
			t.Result, t.Tag = "acceptable", flip(t.Tag, newReplay(f.Seed, 0).Rand)
		}, right, "sum differs"},
		{"valid refused", func(f *File) { f.Groups[0].Tests[3].Key = make([]byte, 99) }, right, "the constructor says: wrong key size"},
		{"tag longer than Sum", func(f *File) { f.Groups[0].TagSize = 512 }, right, "has 32 bytes, the tag has 64"},
		{"constructor error", nil, func(*Group) func(key []byte) (hash.Hash, error) {
			return func(key []byte) (hash.Hash, error) { return nil, errors.New("planted") }
		}, "the constructor says: planted"},
		{"second constructor error", nil, func(*Group) func(key []byte) (hash.Hash, error) {
			calls := 0
			return func(key []byte) (hash.Hash, error) {
				if calls++; calls%2 == 0 {
					return nil, errors.New("planted")
				}
				return hmacSHA256(key)
			}
		}, "the constructor says: planted"},
		{"constructor panic", nil, func(*Group) func(key []byte) (hash.Hash, error) {
			return func(key []byte) (hash.Hash, error) { panic("planted") }
		}, "unexpected panic: planted"},
		{"nil", nil, func(*Group) func(key []byte) (hash.Hash, error) {
			return func(key []byte) (hash.Hash, error) { return nil, nil }
		}, "returned nil"},
		{"key changed", nil, func(*Group) func(key []byte) (hash.Hash, error) {
			return func(key []byte) (hash.Hash, error) {
				h, err := hmacSHA256(key)
				clear(key)
				return h, err
			}
		}, "changed its arguments"},
		{"key kept", nil, func(*Group) func(key []byte) (hash.Hash, error) {
			return func(key []byte) (hash.Hash, error) {
				return fake(sha256.New(), func(h *fakeHash) {
					h.sum = func(h hash.Hash, b []byte) []byte { return append(b, h.Sum(bytes.Clone(key))[len(key):]...) }
				}), nil
			}
		}, "sum differs"},
	}
	for _, f := range hashFaults {
		plants = append(plants, plant[pickMAC]{f.name, nil, func(*Group) func(key []byte) (hash.Hash, error) {
			return func(key []byte) (hash.Hash, error) {
				h, err := hmacSHA256(key)
				if err != nil {
					return nil, err
				}
				return fake(h, f.change), nil
			}
		}, f.want})
	}
	mustReport(t, RunMAC, macFile, plants)
}

// valid leaves only the valid tests.
func valid(f *File) {
	for _, g := range f.Groups {
		g.Tests = g.Tests[:20]
	}
}

type pickHChaCha = func(g *Group) func(key, nonce []byte) ([]byte, error)

func hchachaFile() *File {
	g := &Group{Type: "HChaChaTest", Rounds: 20, KeySize: 256, IVSize: 128, OutputSize: 256}
	for i := range 10 {
		t := &Test{Key: randomBytes(uint64(i), 32), IV: randomBytes(uint64(i), 16)}
		t.Out, _ = chacha20.HChaCha20(t.Key, t.IV)
		g.Tests = append(g.Tests, t)
	}
	return newFile(g)
}

func hchachas(f func(key, nonce []byte) ([]byte, error)) pickHChaCha {
	return func(*Group) func(key, nonce []byte) ([]byte, error) { return f }
}

func TestRunHChaCha(t *testing.T) {
	right := hchachas(chacha20.HChaCha20)
	mustPass(t, RunHChaCha, hchachaFile, right, Result{Run: 10})
	mustPass(t, RunHChaCha, func() *File {
		f := hchachaFile()
		return newFile(f.Groups[0], &Group{Type: "HChaChaTest", Rounds: 8, Tests: []*Test{{}}})
	}, func(g *Group) func(key, nonce []byte) ([]byte, error) {
		if g.Rounds == 8 {
			return nil
		}
		return chacha20.HChaCha20
	}, Result{Run: 10, Skipped: 1})
	var shared [32]byte
	mustReport(t, RunHChaCha, hchachaFile, []plant[pickHChaCha]{
		{"bit of out", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Out }) }, right, "output differs"},
		{"bit of key", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Key }) }, right, "output differs"},
		{"bit of iv", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.IV }) }, right, "output differs"},
		{"valid refused", func(f *File) { f.Groups[0].Tests[2].IV = make([]byte, 12) }, right, "wrong HChaCha20 nonce size"},
		{"panic", nil, hchachas(func(key, nonce []byte) ([]byte, error) { panic("planted") }), "unexpected panic: planted"},
		{"too short", nil, hchachas(func(key, nonce []byte) ([]byte, error) {
			out, err := chacha20.HChaCha20(key, nonce)
			return out[:31], err
		}), "output has 31 bytes"},
		{"unaligned", nil, hchachas(func(key, nonce []byte) ([]byte, error) {
			out, err := chacha20.HChaCha20(key, nonce)
			if unaligned(key) {
				out[0]++
			}
			return out, err
		}), "unaligned: output differs"},
		{"nonce changed", nil, hchachas(func(key, nonce []byte) ([]byte, error) {
			out, err := chacha20.HChaCha20(key, nonce)
			clear(nonce)
			return out, err
		}), "changed its arguments"},
		{"shared result", nil, hchachas(func(key, nonce []byte) ([]byte, error) {
			out, err := chacha20.HChaCha20(key, nonce)
			copy(shared[:], out)
			return shared[:], err
		}), "share memory"},
		{"key overwritten by the result", nil, hchachas(func(key, nonce []byte) ([]byte, error) {
			out, err := chacha20.HChaCha20(key, nonce)
			return append(key[:0], out...), err
		}), "changed its arguments"},
	})
}
