package conform

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// toyAEAD is GCM with a fault.
type toyAEAD struct {
	gcm   cipher.AEAD
	fault string
	key   []byte
	busy  atomic.Int32
	calls int
}

func newToyAEAD(fault string, key []byte) (cipher.AEAD, error) {
	if len(key) != 16 {
		if fault == "typed nil" {
			return (*toyAEAD)(nil), keySizeError(len(key))
		}
		return nil, keySizeError(len(key))
	}
	own := bytes.Clone(key)
	if fault == "key bit ignored" {
		own[15] |= 0x80
	}
	gcm, err := newGCM(own)
	a := &toyAEAD{gcm: gcm, fault: fault, key: key}
	if fault == "extra method" {
		return struct {
			*toyAEAD
			rounder
		}{toyAEAD: a}, err
	}
	return a, err
}

func (a *toyAEAD) NonceSize() int { return a.gcm.NonceSize() }
func (a *toyAEAD) Overhead() int  { return a.gcm.Overhead() }

var errToy = errors.New("toy: message authentication failed")

// common has the faults of both directions, and returns what is left of the inputs.
func (a *toyAEAD) common(dst, nonce, in, aad []byte) (gcm cipher.AEAD, n, i, d []byte) {
	gcm = a.gcm
	switch a.fault {
	case "any nonce length":
		nonce = append(bytes.Clone(nonce), make([]byte, 12)...)[:12]
	case "short nonce accepted":
		if len(nonce) == 11 {
			nonce = append(bytes.Clone(nonce), 0)
		}
	case "nonce bit ignored":
		nonce = bytes.Clone(nonce)
		if len(nonce) > 4 {
			nonce[4] &^= 0x20
		}
	case "additional data ignored":
		aad = nil
	case "additional data padded":
		aad = append(bytes.Clone(aad), make([]byte, 16)...)
		aad = aad[:len(aad)/16*16]
	case "nil additional data differs":
		if aad == nil {
			aad = []byte{1}
		}
	case "empty message panics":
		_ = in[0]
	case "key kept":
		gcm, _ = newGCM(a.key)
	case "overlap accepted":
		in = bytes.Clone(in)
	case "overlap with additional data accepted":
		aad = bytes.Clone(aad)
	case "overlap with capacity refused":
		if all := dst[:cap(dst)]; overlapping(all, in) && len(dst) == 0 && len(in) > 0 && &all[0] != &in[0] {
			panic("toy: invalid buffer overlap")
		}
	case "nonce changed":
		if len(nonce) == 12 && cap(nonce) >= margin {
			defer func(p []byte) { p[0]++ }(nonce)
			nonce = bytes.Clone(nonce)
		}
	case "input changed":
		if len(in) > 0 && cap(in) >= len(in)+margin {
			defer func(p []byte) { p[0]++ }(in)
			in = bytes.Clone(in)
		}
	case "allocates":
		sink = make([]byte, 10)
	case "not for goroutines":
		defer a.busy.Add(-1)
		a.busy.Add(1)
		runtime.Gosched()
		if a.busy.Load() > 1 {
			aad = []byte{1}
		}
	case "reads page behind additional data":
		if onPageEdge(aad) {
			sink = []byte{behind(aad)}
		}
	}
	return gcm, nonce, in, aad
}

func (a *toyAEAD) Seal(dst, nonce, text, aad []byte) []byte {
	if a.fault == "empty message ignores nonce" && len(text) == 0 {
		nonce = make([]byte, len(nonce))
	}
	gcm, nonce, in, aad := a.common(dst, nonce, text, aad)
	switch a.fault {
	case "writes before nonce panic":
		if len(nonce) != 12 && cap(dst) > len(dst) {
			dst[:len(dst)+1][len(dst)]++
		}
	case "writes behind result":
		defer func() {
			if end := len(dst) + len(text) + 16; cap(dst) > end {
				dst[:end+1][end]++
			}
		}()
	case "uses capacity as work space":
		defer func() {
			if end := len(dst) + len(text) + 16; cap(dst) > end+16 {
				clear(dst[:cap(dst)][end:])
			}
		}()
	case "ignores capacity":
		dst = slices.Clip(dst)
	case "drops dst":
		return gcm.Seal(dst[:0:0], nonce, in, aad)
	case "in place wrong":
		if len(text) > 16 && cap(dst) > 0 && &dst[:1][0] == &text[0] {
			text[len(text)-1]++
		}
	case "prefix matters":
		if len(dst) > 5 {
			aad = append(bytes.Clone(aad), dst[5])
		}
	case "random":
		nonce := append(make([]byte, 8), 0, 0, 0, 0)
		rand.Read(nonce)
		return append(gcm.Seal(dst, nonce, in, aad), nonce[:8]...)
	case "grows twice":
		if cap(dst) == 0 {
			return append(gcm.Seal(nil, nonce, in, aad)[:15:15], gcm.Seal(nil, nonce, in, aad)[15:]...)
		}
	case "additional data without length":
		return gcm.Seal(dst, nonce, in, nil)
	}
	return gcm.Seal(dst, nonce, in, aad)
}

func (a *toyAEAD) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	n := len(sealed) - 16
	room := func() []byte {
		if n < 0 || cap(dst)-len(dst) < n {
			return nil
		}
		return dst[len(dst) : len(dst)+n]
	}
	switch a.fault {
	case "truncated tag accepted":
		if len(sealed) > 0 && len(sealed) < 16 && len(nonce) == 12 {
			if bytes.HasPrefix(a.gcm.Seal(nil, nonce, nil, aad), sealed) {
				return dst, nil
			}
		}
	case "empty message ignores nonce":
		if n == 0 {
			nonce = make([]byte, len(nonce))
		}
	case "short ciphertext panics":
		_ = sealed[len(sealed)-16]
	case "tag not checked":
		if len(sealed) >= 16 && len(nonce) == 12 {
			return a.decrypt(dst, nonce, sealed), nil
		}
	case "last tag byte not checked":
		if len(sealed) >= 16 && len(nonce) == 12 {
			out, err := a.gcm.Open(dst, nonce, sealed, aad)
			for v := 0; err != nil && v < 256; v++ {
				s := bytes.Clone(sealed)
				s[len(s)-1] = byte(v)
				out, err = a.gcm.Open(dst, nonce, s, aad)
			}
			if err != nil {
				return nil, errToy
			}
			return out, nil
		}
	case "not wiped":
		if r := room(); r != nil && len(nonce) == 12 && !overlapping(r, sealed) {
			was := bytes.Clone(r)
			out, err := a.gcm.Open(dst, nonce, sealed, aad)
			if err != nil {
				copy(r, was)
				return nil, errToy
			}
			return out, nil
		}
	case "plaintext released":
		if r := room(); r != nil && len(nonce) == 12 && len(r) > 0 && !overlapping(r, sealed) {
			out, err := a.gcm.Open(dst, nonce, sealed, aad)
			if err != nil {
				copy(r, a.decrypt(nil, nonce, sealed))
				return nil, errToy
			}
			return out, nil
		}
	case "wiped too much":
		if cap(dst)-len(dst) > n+16 && n >= 0 && len(nonce) == 12 {
			out, err := a.gcm.Open(dst, nonce, sealed, aad)
			if err != nil {
				clear(dst[len(dst):cap(dst)])
				return nil, errToy
			}
			return out, nil
		}
	case "error changes":
		defer func() { a.calls++ }()
		if n < 0 && len(nonce) == 12 {
			return nil, errors.New("toy: short")
		}
	case "slice with error":
		if len(nonce) == 12 {
			out, err := a.gcm.Open(dst, nonce, sealed, aad)
			if err != nil {
				return dst[:len(dst):len(dst)], errToy
			}
			return out, nil
		}
	case "broken after failure":
		if a.calls > 0 {
			return nil, errToy
		}
		out, err := a.gcm.Open(dst, nonce, sealed, aad)
		if err != nil {
			a.calls++
			return nil, errToy
		}
		return out, nil
	case "random":
		if len(sealed) < 24 {
			return nil, errToy
		}
		nonce := append(bytes.Clone(sealed[len(sealed)-8:]), 0, 0, 0, 0)
		return a.gcm.Open(dst, nonce, sealed[:len(sealed)-8], aad)
	}
	gcm, nonce, in, aad := a.common(dst, nonce, sealed, aad)
	if a.fault == "additional data without length" {
		aad = nil
	}
	out, err := gcm.Open(dst, nonce, in, aad)
	if err != nil {
		return nil, errToy
	}
	return out, nil
}

// decrypt is GCM without its tag.
func (a *toyAEAD) decrypt(dst, nonce, sealed []byte) []byte {
	n := len(sealed) - 16
	stream := a.gcm.Seal(nil, nonce, make([]byte, n), nil)[:n]
	subtle.XORBytes(stream, stream, sealed)
	return append(dst, stream...)
}

func TestAEADFaults(t *testing.T) {
	faults := []fault{
		{"typed nil", "want a nil interface"},
		{"key bit ignored", "bit 127 of the Key has no effect"},
		{"key kept", "the Key is not copied"},
		{"extra method", "has the extra method Rounds"},
		{"any nonce length", "want one with \"incorrect nonce length\""},
		{"short nonce accepted", "want one with \"incorrect nonce length\""},
		{"writes before nonce panic", "before the panic"},
		{"nonce bit ignored", "a flipped bit of the nonce"},
		{"additional data ignored", "additional data"},
		{"additional data padded", "additional data"},
		{"additional data without length", "additional data"},
		{"nil additional data differs", "nil or empty"},
		{"empty message panics", "unexpected panic"},
		{"empty message ignores nonce", "another nonce|last byte of nonce"},
		{"overlap accepted", "want one with \"invalid buffer overlap\""},
		{"overlap with additional data accepted", "want one with \"invalid buffer overlap\""},
		{"overlap with capacity refused", "unexpected panic"},
		{"nonce changed", "changes its input"},
		{"input changed", "changes its input"},
		{"not for goroutines", "used by several goroutines"},
		{"writes behind result", "writes beyond its result"},
		{"uses capacity as work space", "writes beyond its result"},
		{"ignores capacity", "does not use the capacity"},
		{"drops dst", "does not keep what dst holds"},
		{"in place wrong", "Seal in place"},
		{"prefix matters", "Append"},
		{"random", "Key is not copied|differs from the plain call"},
		{"truncated tag accepted", "Open accepts"},
		{"short ciphertext panics", "index out of range"},
		{"tag not checked", "Open accepts"},
		{"last tag byte not checked", "Open accepts"},
		{"not wiped", "of the plaintext's place, want 0"},
		{"plaintext released", "of the plaintext's place, want 0"},
		{"wiped too much", "what is behind the plaintext"},
		{"error changes", "another error"},
		{"slice with error", "not nil, with the error|failing Open returns"},
		{"broken after failure", "Open"},
	}
	if countsAllocs() {
		faults = append(faults,
			fault{"allocates", "1 allocations, want at most 0"},
			fault{"grows twice", "allocations, want at most"})
	}
	if hasGuardPages {
		faults = append(faults, fault{"reads page behind additional data", "outside its slices"})
	}
	plant(t, faults, func(t suite, fault string) {
		testAEAD(t, AEAD{KeySizes: []int{16}, New: func(key []byte) (cipher.AEAD, error) { return newToyAEAD(fault, key) }})
	})
}

// limited is GCM with limits, with and without faults.
type limited struct {
	*toyAEAD
	fault string
}

func (a limited) refusal(nonce []byte, text int, aad []byte) string {
	switch {
	case text > 100 && a.fault != "long message accepted":
		return "toy: message too large"
	case len(aad) > 0 && a.fault != "additional data accepted":
		return "toy: additional data not supported"
	case text == 0 && a.fault != "nothing accepted":
		return "toy: nothing to do"
	case len(nonce) == 12 && nonce[0] >= 0x80:
		return "toy: nonce out of range"
	}
	return ""
}

func (a limited) Seal(dst, nonce, text, aad []byte) []byte {
	if r := a.refusal(nonce, len(text), aad); r != "" && len(nonce) == 12 {
		if a.fault == "writes before panic" && cap(dst) > 0 {
			dst[:1][0]++
		}
		if a.fault == "crashes" {
			panic(fmt.Sprint(text[:len(text)+cap(text)+1]))
		}
		panic(r)
	}
	return a.toyAEAD.Seal(dst, nonce, text, aad)
}

func (a limited) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	if len(nonce) == 12 && len(sealed) >= 16 {
		if r := a.refusal(nonce, len(sealed)-16, aad); r != "" {
			if a.fault == "Open panics" {
				panic(r)
			}
			return nil, errToy
		}
	}
	return a.toyAEAD.Open(dst, nonce, sealed, aad)
}

func TestLimitFaults(t *testing.T) {
	plant(t, []fault{
		{"long message accepted", "a message that is too long: no panic"},
		{"additional data accepted", "Seal of additional data: no panic"},
		{"nothing accepted", "Seal of nothing: no panic"},
		{"writes before panic", "writes before its panic"},
		{"crashes", "no panic of its own"},
		{"Open panics", "unexpected panic"},
	}, func(t suite, fault string) {
		testAEAD(t, AEAD{KeySizes: []int{16}, MaxMessage: 100, NoAAD: true, NoEmpty: true,
			Nonce: func(nonce []byte) { nonce[0] &= 0x7f },
			New: func(key []byte) (cipher.AEAD, error) {
				a, err := newToyAEAD("", key)
				if err != nil {
					return nil, err
				}
				return limited{a.(*toyAEAD), fault}, nil
			}})
	})
}
