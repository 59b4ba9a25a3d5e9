package conform

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"hash"
	"testing"
)

// toyHash is SHA-256 over blocks of 32 bytes, with a fault: each block is hashed
// together with the state before it.
type toyHash struct {
	fault string
	h     [32]byte
	count uint64 // blocks
	buf   []byte // 32 bytes
	n     int
	sums  int
	kept  []byte // written, but not used yet
}

const toyMagic = "toy\x01"

var toyShared toyHash

func newToyHash(fault string) hash.Hash {
	h := &toyHash{fault: fault, buf: make([]byte, 32)}
	switch fault {
	case "first Reset differs":
		h.h[0] = 1
	case "the same object each time":
		if toyShared.buf == nil {
			toyShared = *h
		}
		return &toyShared
	case "extra method":
		return struct {
			*toyHash
			rounder
		}{toyHash: h}
	case "no Clone":
		return struct {
			hash.Hash
			encoding.BinaryMarshaler
		}{h, h}
	case "no marshalling":
		return struct{ hash.Cloner }{h}
	}
	return h
}

func (h *toyHash) Size() int { return 32 }

func (h *toyHash) BlockSize() int {
	if h.fault == "no block size" {
		return 0
	}
	return 32
}

func (h *toyHash) compress(p []byte, last byte) {
	block := [72]byte{64: last, 65: byte(h.count)}
	copy(block[:32], h.h[:])
	copy(block[32:64], p)
	h.h = sha256.Sum256(block[:])
	h.count++
}

func (h *toyHash) Write(p []byte) (written int, err error) {
	written = len(p)
	if k := h.kept; k != nil {
		h.kept = nil
		h.Write(k[:len(k):len(k)])
	}
	switch h.fault {
	case "bytes lost at a split":
		if h.n == 7 && len(p) > 60 {
			p = p[1:]
		}
	case "wrong for many blocks":
		if len(p) > 33*32 {
			h.h[0]++
		}
	case "wrong count":
		defer func() { written %= 64 }()
	case "error":
		if len(p) == 0 {
			return 0, errors.New("toy: nothing to write")
		}
	case "input changed":
		if len(p) > 0 && cap(p) == len(p)+margin {
			defer func(p []byte) { p[0]++ }(p)
		}
	case "allocates":
		sink = make([]byte, 8)
	case "nil panics":
		_ = &p[0]
	case "reads behind input":
		if len(p)%32 == 7 && cap(p) > len(p) {
			h.h[3] ^= p[:len(p)+1][len(p)]
		}
	case "reads page behind input":
		if onPageEdge(p) {
			sink = []byte{behind(p)}
		}
	case "input kept":
		if cap(p) > len(p) {
			h.kept = p
			return written, nil
		}
	}
	for len(p) > 0 {
		c := copy(h.buf[h.n:], p)
		p = p[c:]
		if h.n += c; h.n == 32 {
			h.compress(h.buf, 0)
			h.n = 0
			if h.fault != "full blocks left in the buffer" {
				clear(h.buf)
			}
		}
	}
	return written, nil
}

func (h *toyHash) Sum(b []byte) []byte {
	if h.kept != nil {
		h.Write(nil)
	}
	c := *h
	var tail [32]byte
	copy(tail[:], h.buf[:h.n])
	switch h.fault {
	case "Sum changes the state":
		h.h[5]++
	case "Sum hashes its argument":
		c.h[0] ^= byte(len(b))
	case "Sum fails the second time":
		if h.sums++; h.sums > 1 {
			c.h[1]++
		}
	case "Sum drops its argument":
		b = nil
	case "Sum writes behind its result":
		if cap(b) > len(b)+32 {
			b[:len(b)+33][len(b)+32]++
		}
	case "Sum writes to a short slice":
		if cap(b) > len(b) {
			b[:len(b)+1][len(b)]++
		}
	case "no padding":
		c.n = 0
	}
	c.compress(tail[:], byte(1+c.n))
	if h.fault == "tag all zero" {
		c.h = [32]byte{}
	}
	return append(b, c.h[:]...)
}

func (h *toyHash) Reset() {
	switch h.fault {
	case "Reset keeps the count":
		h.h, h.n = [32]byte{}, 0
		clear(h.buf)
		return
	case "Reset keeps old input":
		h.h, h.count, h.n = [32]byte{}, 0, 0
		return
	case "Reset keeps the fill":
		h.h, h.count = [32]byte{}, 0
		return
	}
	*h = toyHash{fault: h.fault, buf: h.buf}
	clear(h.buf)
}

func (h *toyHash) Clone() (hash.Cloner, error) {
	c := *h
	switch h.fault {
	case "shallow Clone":
		return &c, nil
	case "Clone is the object":
		return h, nil
	case "Clone is empty":
		return newToyHash("").(*toyHash), nil
	case "Clone fails":
		return nil, errors.New("toy: no clone")
	}
	c.buf = bytes.Clone(h.buf)
	return &c, nil
}

func (h *toyHash) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

func (h *toyHash) AppendBinary(b []byte) ([]byte, error) {
	if h.fault == "AppendBinary drops its argument" {
		b = b[:0]
	}
	b = append(b, toyMagic...)
	b = append(b, h.h[:]...)
	b = append(b, h.buf...)
	b = append(b, byte(h.n))
	b = binary.BigEndian.AppendUint64(b, h.count)
	switch h.fault {
	case "MarshalBinary changes the state":
		h.count++
	case "length of state varies":
		b = append(b, make([]byte, h.n)...)
	case "count not saved":
		clear(b[len(b)-8:])
	}
	return b, nil
}

func (h *toyHash) UnmarshalBinary(p []byte) error {
	const size = len(toyMagic) + 32 + 32 + 1 + 8
	switch h.fault {
	case "longer state accepted":
		p = p[:min(len(p), size)]
	case "short state panics":
		_ = p[size-1]
	case "any magic":
		if len(p) == size {
			p = append([]byte(toyMagic), p[4:]...)
		}
	case "state changed by refusal":
		h.count = 9
	}
	if len(p) != size || string(p[:4]) != toyMagic {
		return errors.New("toy: invalid hash state")
	}
	limit := 31
	switch h.fault {
	case "full block accepted":
		limit = 32
	case "any fill accepted":
		limit = 255
	case "state kept":
		h.buf = p[36:68]
	case "UnmarshalBinary allocates":
		sink = make([]byte, 32)
	}
	if int(p[68]) > limit {
		return errors.New("toy: invalid hash state")
	}
	copy(h.h[:], p[4:])
	copy(h.buf, p[36:])
	h.n, h.count = int(p[68]), binary.BigEndian.Uint64(p[69:])
	if h.fault == "some state panics" && h.count > 1<<62 {
		_ = h.buf[h.count]
	}
	return nil
}

func TestHashFaults(t *testing.T) {
	faults := []fault{
		{"first Reset differs", "Reset"},
		{"the same object each time", "Fresh|Lengths"},
		{"extra method", "has the extra method Rounds"},
		{"no Clone", "has no Clone"},
		{"no marshalling", "lacks MarshalBinary"},
		{"no block size", "block size 0"},
		{"bytes lost at a split", "Splits|Clone"},
		{"wrong for many blocks", "Lengths"},
		{"wrong count", "Write of"},
		{"error", "Write of 0 bytes returns 0, toy"},
		{"input changed", "Write changes its argument|one Write"},
		{"input kept", "changing what was written"},
		{"nil panics", "unexpected panic"},
		{"reads behind input", "one Write|beside it"},
		{"Sum changes the state", "Sum|Lengths"},
		{"Sum hashes its argument", "is not its argument and the digest"},
		{"Sum fails the second time", "Sum"},
		{"Sum drops its argument", "is not its argument and the digest"},
		{"Sum writes behind its result", "behind its result"},
		{"Sum writes to a short slice", "Sum changes its argument"},
		{"no padding", "have the same digest"},
		{"tag all zero", "have the same digest"},
		{"Reset keeps the count", "Reset"},
		{"Reset keeps old input", "after Reset holds"},
		{"Reset keeps the fill", "Reset"},
		{"shallow Clone", "Clone"},
		{"Clone is the object", "Clone"},
		{"Clone is empty", "Clone"},
		{"Clone fails", "Clone: <nil>, toy: no clone"},
		{"full blocks left in the buffer", "the past|blocks that are done"},
		{"AppendBinary drops its argument", "AppendBinary does not keep"},
		{"MarshalBinary changes the state", "MarshalBinary changes the state"},
		{"length of state varies", "another length"},
		{"count not saved", "Marshal"},
		{"longer state accepted", "UnmarshalBinary accepts a state with a byte more"},
		{"short state panics", "unexpected panic"},
		{"any magic", "UnmarshalBinary accepts a wrong magic"},
		{"state changed by refusal", "but changes the state"},
		{"full block accepted", "UnmarshalBinary accepts 32 bytes in a block of 32"},
		{"any fill accepted", "UnmarshalBinary accepts 32 bytes in a block of 32"},
		{"state kept", "UnmarshalBinary"},
		{"some state panics", "a state that was accepted panics"},
	}
	if countsAllocs() {
		faults = append(faults,
			fault{"allocates", "Write: 1 allocations, want at most 0"},
			fault{"UnmarshalBinary allocates", "UnmarshalBinary: 1 allocations, want at most 0"})
	}
	if hasGuardPages {
		faults = append(faults, fault{"reads page behind input", "outside its slices"})
	}
	plant(t, faults, func(t suite, fault string) {
		testHash(t, func() hash.Hash { return newToyHash(fault) })
	})
}
