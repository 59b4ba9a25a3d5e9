package absorb

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"testing"
	"unsafe"

	"xcipher/internal/conform"
)

// feed gives p to b and returns the runs, one after the other.
func feed(t *testing.T, b *Buf, p []byte, size, hold int) []byte {
	t.Helper()
	var all []byte
	calls := 0
	run, in := b.Next(p, size, hold)
	for ; run != nil; run, in = b.Next(in, size, hold) {
		if calls++; len(run) == 0 || len(run)%size != 0 {
			t.Fatalf("run of %d bytes, blocks of %d", len(run), size)
		}
		own := &run[0] == &b.buf[0]
		if own && (calls > 1 || len(run) != size) {
			t.Fatalf("run %d of %d bytes comes from the buffer", calls, len(run))
		}
		if !own && !within(run, p) {
			t.Fatalf("run %d is neither in the buffer nor in place", calls)
		}
		all = append(all, run...)
	}
	if calls > 2 {
		t.Fatalf("%d runs of %d bytes, want 2 at most", calls, len(p))
	}
	if len(in) != 0 {
		t.Fatalf("%d bytes are left over", len(in))
	}
	return all
}

// within tells whether x is a part of y.
func within(x, y []byte) bool {
	for i := range y {
		if &y[i] == &x[0] {
			return i+len(x) <= len(y)
		}
	}
	return false
}

// tail is how many of n bytes are held back.
func tail(n, size, hold int) int {
	if hold == 1 && n > 0 {
		return (n-1)%size + 1
	}
	return n % size
}

// TestNext cuts messages in three at every pair of places, an empty piece
// included.
func TestNext(t *testing.T) {
	for _, size := range []int{1, 3, 8, 16, 32, 64} {
		limit := 3*size + 1
		step := max(1, size/16)
		msg := make([]byte, limit)
		for i := range msg {
			msg[i] = byte(i + 1)
		}
		for hold := range 2 {
			for first := 0; first <= limit; first++ {
				for second := first; second <= limit; second += step {
					var b Buf
					var got []byte
					in := bytes.Clone(msg)
					at := 0
					for _, to := range []int{first, second, limit} {
						got = append(got, feed(t, &b, in[at:to], size, hold)...)
						at = to
						if len(b.Tail()) != tail(at, size, hold) {
							t.Fatalf("size %d, hold %d, split at %d and %d: a tail of %d after %d bytes", size, hold, first, second, len(b.Tail()), at)
						}
						if !bytes.Equal(append(got[:len(got):len(got)], b.Tail()...), msg[:at]) {
							t.Fatalf("size %d, hold %d, split at %d and %d: blocks and tail are not the message", size, hold, first, second)
						}
					}
					if !bytes.Equal(in, msg) {
						t.Fatalf("the message is changed")
					}
				}
			}
		}
	}
}

// TestRandomPieces does the same with many pieces.
func TestRandomPieces(t *testing.T) {
	rng := conform.Rand(t)
	for range 300 {
		size, hold := 1+rng.IntN(MaxBlockSize), rng.IntN(2)
		var b Buf
		var msg, got []byte
		for range rng.IntN(50) {
			p := make([]byte, rng.IntN(3)*rng.IntN(2*size))
			for i := range p {
				p[i] = byte(rng.Uint32())
			}
			msg = append(msg, p...)
			got = append(got, feed(t, &b, p, size, hold)...)
		}
		if len(b.Tail()) != tail(len(msg), size, hold) || !bytes.Equal(append(got, b.Tail()...), msg) {
			t.Fatalf("size %d, hold %d: blocks and tail are not the message of %d bytes", size, hold, len(msg))
		}
	}
}

func TestEmpty(t *testing.T) {
	for hold := range 2 {
		for _, fill := range []int{0, 5, 8} {
			var b Buf
			feed(t, &b, make([]byte, fill), 8, hold)
			want := bytes.Clone(b.Tail())
			for _, p := range [][]byte{nil, {}} {
				if run, _ := b.Next(p, 8, hold); run != nil || !bytes.Equal(b.Tail(), want) {
					t.Errorf("hold %d, fill %d: an empty piece gives %x, and a tail of %x", hold, fill, run, b.Tail())
				}
			}
		}
	}
}

// TestState checks what copying, resetting and restoring a Buf do.
func TestState(t *testing.T) {
	secret := []byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz")
	for fill := range MaxBlockSize + 1 {
		var b, restored Buf
		feed(t, &b, secret[:fill], MaxBlockSize, 1)
		c := b
		feed(t, &b, secret[:3], MaxBlockSize, 1)
		if !bytes.Equal(c.Tail(), secret[:fill]) {
			t.Errorf("fill %d: a copy changes with the original", fill)
		}
		b.SetTail(secret[:fill])
		restored.SetTail(c.Tail())
		if b != restored || !bytes.Equal(b.Tail(), secret[:fill]) {
			t.Errorf("fill %d: a restored tail is %q", fill, b.Tail())
		}
		if rest := b.buf[fill:]; !bytes.Equal(rest, make([]byte, len(rest))) {
			t.Errorf("fill %d: old data behind a restored tail", fill)
		}
		if b = (Buf{}); len(b.Tail()) != 0 || bytes.ContainsAny(b.buf[:], string(secret)) {
			t.Errorf("fill %d: a reset Buf holds %q", fill, b.Tail())
		}
	}
}

func TestAllocs(t *testing.T) {
	if n := unsafe.Sizeof(Buf{}); n > 72 {
		t.Errorf("a Buf has %d bytes: hashes should stay small", n)
	}
	p := make([]byte, 1000)
	conform.Allocs(t, "a new Buf and its runs", 0, func() {
		var b Buf
		sum := 0
		for _, n := range []int{3, 64, 100, 1000} {
			in := p[:n]
			for run, in := b.Next(in, 64, 0); run != nil; run, in = b.Next(in, 64, 0) {
				sum += len(run)
			}
		}
		if sum+len(b.Tail()) != 1167 {
			panic(sum)
		}
	})
}

// toy is a hash over a Buf: SHA-256 of the state and each block.
type toy struct {
	in   Buf
	size int // block size
	hold int
	h    [32]byte
	key  [32]byte // what Reset begins with
	n    uint64   // blocks
}

func (d *toy) compress(p []byte, last int) {
	var in [32 + 64 + 2]byte
	copy(in[:], d.h[:])
	copy(in[32:], p)
	in[96], in[97] = byte(len(p)), byte(last)
	d.h = sha256.Sum256(in[:])
}

func (d *toy) Write(p []byte) (int, error) {
	n := len(p)
	for run, p := d.in.Next(p, d.size, d.hold); run != nil; run, p = d.in.Next(p, d.size, d.hold) {
		for ; len(run) > 0; run = run[d.size:] {
			d.compress(run[:d.size], 0)
			d.n++
		}
	}
	return n, nil
}

func (d *toy) Sum(b []byte) []byte {
	c := *d
	c.compress(c.in.Tail(), 1+d.hold)
	return append(b, c.h[:]...)
}

func (d *toy) Reset()         { *d = toy{size: d.size, hold: d.hold, key: d.key, h: d.key} }
func (d *toy) Size() int      { return 32 }
func (d *toy) BlockSize() int { return d.size }

func (d *toy) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// toyHash is a toy that can save its state.
type toyHash struct{ toy }

func (d *toyHash) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

func (d *toyHash) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

func (d *toyHash) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, "toy\x01"...)
	b = append(b, d.h[:]...)
	b = binary.BigEndian.AppendUint64(b, d.n)
	var block [MaxBlockSize]byte
	n := copy(block[:], d.in.Tail())
	return append(append(b, byte(n)), block[:d.size]...), nil
}

func (d *toyHash) UnmarshalBinary(p []byte) error {
	if len(p) != 45+d.size || string(p[:4]) != "toy\x01" || int(p[44]) >= d.size {
		return errors.New("toy: invalid hash state")
	}
	copy(d.h[:], p[4:])
	d.n = binary.BigEndian.Uint64(p[36:])
	d.in.SetTail(p[45 : 45+int(p[44])])
	return nil
}

type keySizeError int

func (e keySizeError) Error() string { return fmt.Sprintf("toy: invalid key size %d", int(e)) }

func TestConformance(t *testing.T) {
	for _, size := range []int{16, 64} {
		t.Run(fmt.Sprint("hash", size), func(t *testing.T) {
			conform.TestHash(t, func() hash.Hash { return &toyHash{toy{size: size}} })
		})
	}
	t.Run("MAC", func(t *testing.T) {
		conform.TestMAC(t, []int{32}, func(key []byte) (hash.Hash, error) {
			if len(key) != 32 {
				return nil, keySizeError(len(key))
			}
			d := &toy{size: 16, hold: 1, key: [32]byte(key)}
			d.Reset()
			return d, nil
		})
	})
}
