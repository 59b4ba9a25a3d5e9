package conform

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"fmt"
	"hash"
)

// state is what hashes can do with their state, and MACs must not.
type state interface {
	hash.Hash
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// magicSize is how many bytes at the start of a marshalled state are at least
// checked when it is read back.
const magicSize = 4

func (h *hashCase) testMarshal(t suite) {
	f := h.fresh()
	if _, ok := f.(state); !ok {
		t.Errorf("%T lacks MarshalBinary, AppendBinary or UnmarshalBinary", f)
		return
	}
	t.Run("MarshalForgets", h.testMarshalForgets)
	t.Run("Marshal", h.testMarshalRoundtrip)
	t.Run("MarshalAppend", h.testMarshalAppend)
	t.Run("UnmarshalRefusals", h.testUnmarshalRefusals)
	t.Run("UnmarshalFill", h.testUnmarshalFill)
	t.Run("UnmarshalAnything", h.testUnmarshalAnything)
	t.Run("MarshalAllocs", func(t suite) {
		f := h.of(h.block + 1).(state)
		saved := marshal(t, f)
		allocs(t, "AppendBinary", 0, func() { f.AppendBinary(saved[:0]) })
		allocs(t, "UnmarshalBinary", 0, func() { f.UnmarshalBinary(saved) })
	})
}

func marshal(t suite, f hash.Hash) []byte {
	t.Helper()
	saved, err := f.(state).MarshalBinary()
	if err != nil || len(saved) < magicSize {
		t.Fatalf("MarshalBinary: %x, %v", saved, err)
	}
	return saved
}

func unmarshal(t suite, f hash.Hash, saved []byte) {
	t.Helper()
	if err := f.(state).UnmarshalBinary(saved); err != nil {
		t.Fatalf("UnmarshalBinary: %v", err)
	}
}

// testMarshalRoundtrip restores a state at every fill of the block, to a new
// object and to a used one, and goes on.
func (h *hashCase) testMarshalRoundtrip(t suite) {
	size := len(marshal(t, h.fresh()))
	for n := range 2*h.block + 2 {
		f := h.of(n)
		saved := marshal(t, f)
		if len(saved) != size {
			t.Fatalf("the state of %d bytes has another length", n)
		}
		h.is(t, f, n, "MarshalBinary changes the state")
		for _, g := range []hash.Hash{h.fresh(), h.of(2*h.block - 1), f} {
			own := roomWith(h.rng, saved)
			unmarshal(t, g, own.b)
			if own.touched(0) {
				t.Errorf("UnmarshalBinary changes its argument")
			}
			clear(own.b)
			h.is(t, g, n, "UnmarshalBinary")
			if again := marshal(t, g); !bytes.Equal(again, saved) {
				t.Fatalf("the state of %d bytes, restored and saved again: %x, was %x", n, again, saved)
			}
			m := h.rng.IntN(2*h.block + 2)
			g.Write(h.text[n : n+m])
			h.is(t, g, n+m, "UnmarshalBinary after %d bytes, and Write", n)
			g.Reset()
			h.is(t, g, 0, "UnmarshalBinary and Reset")
		}
		// The same state however the bytes came.
		g := h.of(3)
		g.Sum(nil)
		g.Reset()
		for i := range n {
			g.Write(h.text[i : i+1])
		}
		if again := marshal(t, g); !bytes.Equal(again, saved) {
			t.Fatalf("the state of %d bytes depends on the past: %x and %x", n, again, saved)
		}
	}
}

func (h *hashCase) testMarshalAppend(t suite) {
	for _, n := range h.fills() {
		f := h.of(n).(state)
		saved := marshal(t, f)
		for _, prefix := range []int{0, 1, 13, 200} {
			for _, spare := range []int{0, 1, len(saved), len(saved) + 50} {
				buf := newRoom(h.rng, prefix+spare)
				got, err := f.AppendBinary(buf.b[:prefix:len(buf.b)])
				if err != nil || !bytes.Equal(got[:min(prefix, len(got))], buf.was[buf.lo:][:prefix]) {
					t.Fatalf("AppendBinary does not keep its argument: %v", err)
				}
				if !bytes.Equal(got[prefix:], saved) {
					t.Errorf("AppendBinary differs from MarshalBinary")
				}
				if buf.lo += prefix; spare < len(saved) && buf.touched(0) || buf.touched(min(spare, len(saved))) {
					t.Errorf("AppendBinary changes its argument, or what is behind its result")
				}
			}
		}
		h.is(t, f, n, "AppendBinary changes the state")
	}
}

// testMarshalForgets looks for input in states that do not need it any more.
func (h *hashCase) testMarshalForgets(t suite) {
	fresh := marshal(t, h.fresh())
	contains := func(saved, secret []byte) bool {
		for i := 0; i+8 <= len(secret); i++ {
			if bytes.Contains(saved, secret[i:i+8]) {
				return true
			}
		}
		return false
	}
	for _, n := range []int{1, h.block - 1, h.block, h.block + 1, 2*h.block - 1, 3*h.block - 1} {
		f := h.of(n)
		f.Sum(nil)
		f.Reset()
		saved := marshal(t, f)
		if contains(saved, h.text[:n]) {
			t.Errorf("the state after Reset holds some of the input before it")
		}
		if !bytes.Equal(saved, fresh) {
			t.Errorf("the state after Reset is %x, that of a new object %x", saved, fresh)
		}
	}
	for _, n := range []int{2 * h.block, 2*h.block + 1} {
		f := h.fresh()
		for i := 0; i < n; i += 7 {
			f.Write(h.text[i:min(n, i+7)])
		}
		if contains(marshal(t, f), h.text[:2*h.block]) {
			t.Errorf("the state holds input of blocks that are done")
		}
	}
}

// testUnmarshalRefusals checks that a wrong magic or size is an error, which
// changes nothing.
func (h *hashCase) testUnmarshalRefusals(t suite) {
	saved := marshal(t, h.of(5))
	f := h.of(h.block + 3).(state)
	refused := func(what string, p []byte) {
		t.Helper()
		if err := f.UnmarshalBinary(p); err == nil {
			t.Fatalf("UnmarshalBinary accepts %s", what)
		}
		h.is(t, f, h.block+3, "UnmarshalBinary refuses %s, but changes the state", what)
	}
	for n := range saved {
		refused("a state without its end", saved[:n])
		refused("a state without its start", saved[n+1:])
	}
	refused("nil", nil)
	refused("a state with a byte more", append(bytes.Clone(saved), 0))
	refused("a state with a byte before", append([]byte{0}, saved...))
	refused("a state twice", append(bytes.Clone(saved), saved...))
	for bit := range 8 * magicSize {
		refused("a wrong magic", flipped(saved, bit))
	}
	refused("zeros", make([]byte, len(saved)))
	if other, err := sha256.New().(encoding.BinaryMarshaler).MarshalBinary(); err == nil && !bytes.Equal(other[:magicSize], saved[:magicSize]) {
		refused("a state of SHA-256", other)
	}
}

// testUnmarshalFill looks for the byte that tells how full the block is, and
// puts too large values there.
func (h *hashCase) testUnmarshalFill(t suite) {
	zeros := make([]byte, 2*h.block)
	at := func(n int) []byte {
		f := h.fresh()
		f.Write(zeros[:n])
		return marshal(t, f)
	}
	isFill := make([]bool, len(at(0)))
	for i := range isFill {
		isFill[i] = h.block < 256
	}
	for n := range h.block {
		one, two := at(n), at(h.block+n)
		for i := range isFill {
			isFill[i] = isFill[i] && int(one[i]) == n && int(two[i]) == n
		}
	}
	for i, fill := range isFill {
		for v := h.block; fill && v < 256; v++ {
			saved := at(h.block - 1)
			saved[i] = byte(v)
			f := h.of(3).(state)
			if err := f.UnmarshalBinary(saved); err == nil {
				t.Fatalf("UnmarshalBinary accepts %d bytes in a block of %d", v, h.block)
			}
			h.is(t, f, 3, "UnmarshalBinary refuses %d bytes in a block of %d, but changes the state", v, h.block)
		}
	}
}

// testUnmarshalAnything checks that no state that is accepted panics later.
func (h *hashCase) testUnmarshalAnything(t suite) {
	try := func(saved []byte) {
		f := h.fresh().(state)
		v, panicked := catch(func() {
			if f.UnmarshalBinary(saved) != nil {
				return
			}
			f.Sum(nil)
			f.MarshalBinary()
			f.Write(h.text[:1])
			f.Sum(nil)
			f.Write(h.text[:2*h.block])
			f.Sum(nil)
			f.MarshalBinary()
		})
		if panicked {
			t.Fatalf("a state that was accepted panics: %s: %x", fmt.Sprint(v), saved)
		}
	}
	end := deadline()
	saved := marshal(t, h.of(h.block+3))
	for _, i := range h.rng.Perm(len(saved)) {
		for _, v := range []int{0, 1, h.block - 1, h.block, h.block + 1, 63, 64, 65, 127, 128, 254, 255, h.rng.IntN(256)} {
			p := bytes.Clone(saved)
			p[i] = byte(v)
			try(p)
		}
	}
	for range 3000 {
		if after(end) {
			return
		}
		p := bytes.Clone(saved)
		switch q := p[magicSize+h.rng.IntN(len(p)-magicSize):]; h.rng.IntN(3) {
		case 0:
			copy(q, bytesOf(h.rng, len(q)))
		case 1:
			copy(q, bytes.Repeat([]byte{0xff}, len(q)))
		case 2:
			q = q[:min(len(q), 1+h.rng.IntN(9))]
			copy(q, bytesOf(h.rng, len(q)))
		}
		try(p)
	}
}
