package vectors

import (
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

type pickStream = func(g *Group) func(key, iv []byte, counter uint64) (cipher.Stream, error)

// ctr is AES-128 in CTR mode with a nonce of 8 bytes.
func ctr(key, iv []byte, counter uint64) cipher.Stream {
	return cipher.NewCTR(aesBlock(key), binary.BigEndian.AppendUint64(iv[:8:8], counter))
}

func streamFile() *File {
	g := &Group{Type: "StreamTest", KeySize: 128, IVSize: 64}
	for i := range 24 {
		t := &Test{
			Key: randomBytes(uint64(i), 16),
			IV:  randomBytes(uint64(i), 8),
			Msg: randomBytes(uint64(i), i*i),
			CT:  make([]byte, i*i),
		}
		switch i % 4 {
		case 2:
			t.Counter = 1 << 40
		case 3:
			t.Counter = math.MaxUint64 - 40
		}
		ctr(t.Key, t.IV, t.Counter).XORKeyStream(t.CT, t.Msg)
		g.Tests = append(g.Tests, t)
	}
	return newFile(g)
}

type fakeStream struct{ xor transform }

func (s *fakeStream) XORKeyStream(dst, src []byte) { s.xor(dst, src) }

// streams makes CTR streams with XORKeyStream replaced.
func streams(change func(s cipher.Stream) transform) pickStream {
	return func(*Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
		return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return &fakeStream{change(ctr(key, iv, counter))}, nil
		}
	}
}

func TestRunStream(t *testing.T) {
	right := func(*Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
		return func(key, iv []byte, counter uint64) (cipher.Stream, error) { return ctr(key, iv, counter), nil }
	}
	mustPass(t, RunStream, streamFile, right, Result{Run: 24})
	mustPass(t, RunStream, func() *File {
		f := streamFile()
		f.Groups[0].Tests[5].CounterHex = HexBytes{1, 0, 0, 0, 0, 0, 0, 0, 0}
		f.Groups[0].Tests[6].CounterHex = HexBytes{0, 0, 1, 0, 0, 0, 0, 0} // and Counter
		return f
	}, right, Result{Run: 23, Skipped: 1})

	mustPass(t, RunStream, func() *File {
		return newFile(streamFile().Groups[0], &Group{Type: "StreamTest", Comment: "no", Tests: []*Test{{}, {}, {}}})
	}, func(g *Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
		if g.Comment == "no" {
			return nil
		}
		return right(g)
	}, Result{Run: 24, Skipped: 3})

	plants := []plant[pickStream]{
		{"bit of ct", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.CT }) }, right, "encrypting: output differs"},
		{"bit of msg", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Msg }) }, right, "encrypting: output differs"},
		{"bit of iv", func(f *File) { t := f.Groups[0].Tests[7]; t.IV = flip(t.IV, newReplay(f.Seed, 0).Rand) }, right, "encrypting: output differs"},
		{"counter", func(f *File) { f.Groups[0].Tests[7].Counter++ }, right, "test 8 (valid), seed "},
		{"counter ignored", nil, func(*Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return func(key, iv []byte, counter uint64) (cipher.Stream, error) { return ctr(key, iv, 0), nil }
		}, "encrypting: output differs"},
		{"constructor error", nil, func(*Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return func(key, iv []byte, counter uint64) (cipher.Stream, error) { return nil, errors.New("planted") }
		}, "the constructor says: planted"},
		{"iv changed", nil, func(*Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
				s := ctr(key, iv, counter)
				clear(iv)
				return s, nil
			}
		}, "changed its arguments"},
		{"behind the iv", nil, func(*Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
				return cipher.NewCTR(aesBlock(key), binary.BigEndian.AppendUint64(iv, counter)), nil
			}
		}, "changed its arguments"},
		{"iv kept", nil, func(*Group) func(key, iv []byte, counter uint64) (cipher.Stream, error) {
			return func(key, iv []byte, counter uint64) (cipher.Stream, error) {
				b := aesBlock(key)
				var s cipher.Stream
				return &fakeStream{func(dst, src []byte) {
					if s == nil {
						s = cipher.NewCTR(b, binary.BigEndian.AppendUint64(iv[:8:8], counter))
					}
					s.XORKeyStream(dst, src)
				}}, nil
			}
		}, "encrypting: output differs"},
		{"rest of the block dropped", nil, streams(func(s cipher.Stream) transform {
			return func(dst, src []byte) {
				s.XORKeyStream(dst, src)
				waste := make([]byte, -len(src)&15)
				s.XORKeyStream(waste, waste)
			}
		}), "in pieces"},
		// A call of 129 to 192 bytes that advances the counter too far.
		{"counter after a call", nil, streams(func(s cipher.Stream) transform {
			return func(dst, src []byte) {
				s.XORKeyStream(dst, src)
				if len(src) > 128 && len(src) <= 192 {
					s.XORKeyStream(make([]byte, 64), make([]byte, 64))
				}
			}
		}), "in pieces"},
	}
	whole := func(src []byte) int { return len(src) }
	for _, f := range transformFaults {
		plants = append(plants, plant[pickStream]{f.name, nil, streams(func(s cipher.Stream) transform {
			return f.wrap(s.XORKeyStream, whole)
		}), f.want})
	}
	mustReport(t, RunStream, streamFile, plants)
}
