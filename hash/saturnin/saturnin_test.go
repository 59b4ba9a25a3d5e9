package saturnin

import (
	"bytes"
	"crypto/hmac"
	"encoding"
	"encoding/hex"
	"fmt"
	"hash"
	"testing"

	"xcipher/internal/conform"
	"xcipher/vectors"
)

func TestConform(t *testing.T) {
	conform.Each(t, func(t *testing.T) { conform.TestHash(t, New) })
}

func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		f, err := vectors.Load("saturnin_hash")
		if err != nil {
			t.Fatal(err)
		}
		res := vectors.RunHash(t, f, func(*vectors.Group) func() hash.Hash { return New })
		if res != (vectors.Result{Run: 186}) {
			t.Errorf("ran %+v", res)
		}
		for _, g := range f.Groups {
			for _, test := range g.Tests {
				msg := bytes.Repeat(test.Msg, max(1, test.Repeat))
				if got := Sum256(msg); !bytes.Equal(got[:], test.Digest) {
					t.Errorf("Sum256, test %d: %x, want %x", test.ID, got, test.Digest)
				}
			}
		}
	})
}

// TestStateFormat keeps the format of a marshalled state: programs store it.
func TestStateFormat(t *testing.T) {
	const want = "73617401" +
		"e4ab10824314474f14b1e69d00ef8e49ee8a6bee721a97c67c49dc652b553d72" +
		"746861740000000000000000000000000000000000000000000000000000000004"
	h := New()
	h.Write([]byte("thirty-two bytes make one block.that"))
	got, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("got %x, %v, want %s", got, err, want)
	}
	r := New()
	if err := r.(encoding.BinaryUnmarshaler).UnmarshalBinary(got); err != nil || !bytes.Equal(r.Sum(nil), h.Sum(nil)) {
		t.Errorf("the restored state gives another digest, %v", err)
	}
	if err := r.(encoding.BinaryUnmarshaler).UnmarshalBinary(got[:4]); err != errSize {
		t.Errorf("an identifier alone: %v", err)
	}
	for i := range BlockSize - len("that") {
		other := bytes.Clone(got)
		other[len(other)-2-i] = 1
		if err := r.(encoding.BinaryUnmarshaler).UnmarshalBinary(other); err != errBlock {
			t.Errorf("a byte behind the rest of the text, %d before the end: %v", i, err)
		}
	}
}

// TestHMAC checks that every New gives a new object, which hmac depends on.
func TestHMAC(t *testing.T) {
	key, msg := []byte("key"), []byte("message")
	var inner, outer [BlockSize]byte
	copy(inner[:], key)
	copy(outer[:], key)
	for i := range inner {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	sum := Sum256(append(inner[:], msg...))
	want := Sum256(append(outer[:], sum[:]...))
	for range 2 {
		m := hmac.New(New, key)
		for range 2 {
			m.Write(msg)
			if got := m.Sum(nil); !bytes.Equal(got, want[:]) {
				t.Errorf("got %x, want %x", got, want)
			}
			m.Reset()
		}
	}
}

func TestAllocs(t *testing.T) {
	data, buf := make([]byte, 100), make([]byte, 0, Size)
	conform.Allocs(t, "Sum256", 0, func() { Sum256(data) })
	conform.Allocs(t, "New, Write and Sum", 0, func() {
		h := New()
		h.Write(data)
		buf = h.Sum(buf[:0])
	})
}

func BenchmarkHash(b *testing.B) {
	for _, n := range []int{0, 64, 1024, 8192} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h, data, sum := New(), make([]byte, n), make([]byte, 0, Size)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				h.Reset()
				h.Write(data)
				sum = h.Sum(sum[:0])
			}
		})
	}
}
