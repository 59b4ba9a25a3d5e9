package vectors

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"testing"
)

type pickHash = func(g *Group) func() hash.Hash

func hashFile() *File {
	g := &Group{Type: "HashTest", OutputSize: 256}
	add := func(msg []byte, repeat int) {
		d := sha256.Sum256(bytes.Repeat(msg, max(1, repeat)))
		g.Tests = append(g.Tests, &Test{Msg: msg, Repeat: repeat, Digest: d[:]})
	}
	for i := range 20 {
		add(randomBytes(uint64(i), i*i), i%3)
	}
	add([]byte("abcdefg"), 1000)
	add([]byte("abcdefg"), 10000)             // more than shortText
	add(randomBytes(1, 2*shortText), 0)       // the same without repeat
	add(randomBytes(1, writeSize-1), 3)       // pieces that cross from one msg to the next
	add(bytes.Repeat([]byte("xyz"), 1000), 0) // several writes of one block
	return newFile(g)
}

// fakeHash is a hash with some parts replaced.
type fakeHash struct {
	hash.Hash
	write func(h hash.Hash, p []byte) (int, error)
	sum   func(h hash.Hash, b []byte) []byte
	reset func(h hash.Hash)
	size  int
}

func (h *fakeHash) Write(p []byte) (int, error) { return h.write(h.Hash, p) }
func (h *fakeHash) Sum(b []byte) []byte         { return h.sum(h.Hash, b) }
func (h *fakeHash) Reset()                      { h.reset(h.Hash) }
func (h *fakeHash) Size() int                   { return h.size }

func fake(h hash.Hash, change func(h *fakeHash)) *fakeHash {
	f := &fakeHash{h, hash.Hash.Write, hash.Hash.Sum, hash.Hash.Reset, h.Size()}
	change(f)
	return f
}

// A hashFault breaks a hash or a MAC.
type hashFault struct {
	name, want string
	change     func(h *fakeHash)
}

var hashFaults = []hashFault{
	{"always", "sum differs", func(h *fakeHash) {
		h.sum = func(h hash.Hash, b []byte) []byte {
			b = h.Sum(b)
			b[len(b)-h.Size()] ^= 1
			return b
		}
	}},
	{"second Write", "in pieces", func(h *fakeHash) {
		calls := 0
		h.write = func(h hash.Hash, p []byte) (int, error) {
			if len(p) > 0 {
				calls++
			}
			if calls == 2 {
				h.Write([]byte{0})
			}
			return h.Write(p)
		}
	}},
	// The last block deferred wrongly if the first Write was of whole blocks.
	{"whole blocks, then more", "in pieces", func(h *fakeHash) {
		whole := false
		h.write = func(h hash.Hash, p []byte) (int, error) {
			if whole && len(p) > 0 {
				h.Write([]byte{0})
				whole = false
			}
			whole = len(p) > 0 && len(p)%4 == 0
			return h.Write(p)
		}
	}},
	{"empty Write", "in pieces", func(h *fakeHash) {
		h.write = func(h hash.Hash, p []byte) (int, error) {
			if p != nil && len(p) == 0 {
				h.Write([]byte{0})
			}
			return h.Write(p)
		}
	}},
	{"unaligned Write", "sum differs", func(h *fakeHash) {
		h.write = func(h hash.Hash, p []byte) (int, error) {
			if unaligned(p) {
				h.Write([]byte{0})
			}
			return h.Write(p)
		}
	}},
	{"Write changes p", "argument of Write changed", func(h *fakeHash) {
		h.write = func(h hash.Hash, p []byte) (int, error) {
			n, err := h.Write(p)
			clear(p)
			return n, err
		}
	}},
	{"Write returns too little", "call of Write with", func(h *fakeHash) {
		h.write = func(h hash.Hash, p []byte) (int, error) {
			h.Write(p)
			return len(p) &^ 1, nil
		}
	}},
	{"Write returns an error", "planted", func(h *fakeHash) {
		h.write = func(h hash.Hash, p []byte) (int, error) {
			h.Write(p)
			return len(p), errors.New("planted")
		}
	}},
	{"Write panics", "unexpected panic: planted", func(h *fakeHash) {
		h.write = func(h hash.Hash, p []byte) (int, error) { panic("planted") }
	}},
	{"Sum disturbs", "second sum differs", func(h *fakeHash) {
		h.sum = func(h hash.Hash, b []byte) []byte {
			b = h.Sum(b)
			h.Write([]byte{0})
			return b
		}
	}},
	{"Sum of b", "does not start with its argument", func(h *fakeHash) {
		h.sum = func(h hash.Hash, b []byte) []byte { return h.Sum(nil) }
	}},
	{"Sum changes b", "does not start with its argument", func(h *fakeHash) {
		h.sum = func(h hash.Hash, b []byte) []byte {
			b = h.Sum(b)
			b[0]++
			if len(b) == h.Size() {
				b[0]--
			}
			return b
		}
	}},
	{"Sum writes past its result", "bytes other than those that Sum appended", func(h *fakeHash) {
		h.sum = func(h hash.Hash, b []byte) []byte {
			b = h.Sum(b)
			if n := len(b); n > h.Size() && cap(b) > n {
				b[:n+1][n]++
			}
			return b
		}
	}},
	{"Sum works with nil only", "sum behind a prefix differs", func(h *fakeHash) {
		h.sum = func(h hash.Hash, b []byte) []byte {
			n := len(b)
			b = h.Sum(b)
			b[n] ^= min(1, byte(n))
			return b
		}
	}},
	{"Reset does nothing", "after Reset: sum differs", func(h *fakeHash) {
		h.reset = func(hash.Hash) {}
	}},
	{"Size", "but Size is", func(h *fakeHash) { h.size++ }},
}

func TestRunHash(t *testing.T) {
	right := func(*Group) func() hash.Hash { return sha256.New }
	mustPass(t, RunHash, hashFile, right, Result{Run: 25})
	mustPass(t, RunHash, func() *File {
		f := hashFile()
		f.Groups[0].Tests[3].Flags = []string{"Slow", "Long"}
		f.Groups[0].Tests[4].Flags = []string{"Big"}
		f.Groups[0].Tests[5].Flags = []string{"Big", "Slow"}
		return f.Without("Slow").Without("Big", "Other")
	}, right, Result{Run: 22, Skipped: 3})

	plants := []plant[pickHash]{
		{"bit of digest", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Digest }) }, right, "sum differs"},
		{"bit of msg", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Msg }) }, right, "sum differs"},
		{"length of digest", func(f *File) { t := f.Groups[0].Tests[3]; t.Digest = t.Digest[:31] }, right, "sum has 32 bytes instead of 31"},
		{"repeat", func(f *File) { f.Groups[0].Tests[21].Repeat-- }, right, "sum differs"},
		{"nil", nil, func(*Group) func() hash.Hash { return func() hash.Hash { return nil } }, "returned nil"},
		{"the same object each time", nil, func(*Group) func() hash.Hash {
			h := sha256.New()
			return func() hash.Hash { return h }
		}, "sum differs"},
	}
	for _, f := range hashFaults {
		plants = append(plants, plant[pickHash]{f.name, nil, func(*Group) func() hash.Hash {
			return func() hash.Hash { return fake(sha256.New(), f.change) }
		}, f.want})
	}
	mustReport(t, RunHash, hashFile, plants)
}

// TestRunHashLong runs a test that is hashed once only.
func TestRunHashLong(t *testing.T) {
	h, msg := sha256.New(), randomBytes(1, 1000)
	for range 17000 {
		h.Write(msg)
	}
	f := newFile(&Group{Type: "HashTest", OutputSize: 256, Tests: []*Test{{Msg: msg, Repeat: 17000, Digest: h.Sum(nil)}}})
	var r recorder
	right := func(*Group) func() hash.Hash { return sha256.New }
	if got := RunHash(&r, f, right); got != (Result{Run: 1}) || len(r.reports) > 0 {
		t.Errorf("%+v, %q", got, r.reports)
	}
	f.Groups[0].Tests[0].Repeat++
	if got := RunHash(&r, f, right); got != (Result{Run: 1}) || len(r.reports) != 1 {
		t.Errorf("one repetition too much: %+v, %q", got, r.reports)
	}
}
