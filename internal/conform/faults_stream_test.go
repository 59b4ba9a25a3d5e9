package conform

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"testing"
)

// toyStream is another stream with a fault.
type toyStream struct {
	cipher.Stream
	fault string
	late  func() cipher.Stream // makes the stream at its first use
	all   *int                 // bytes of all streams
}

func (s *toyStream) XORKeyStream(dst, src []byte) {
	if s.late != nil {
		s.Stream, s.late = s.late(), nil
	}
	n := len(src)
	ok := n > 0 && len(dst) >= n
	switch s.fault {
	case "loses key stream":
		if ok {
			defer func() {
				if n == 37 {
					s.Stream.XORKeyStream(make([]byte, 13), make([]byte, 13))
				}
			}()
		}
	case "empty call skips":
		if n == 0 {
			s.Stream.XORKeyStream(make([]byte, 1), make([]byte, 1))
		}
	case "nil panics":
		_ = &src[0]
	case "short dst truncates":
		src = src[:min(n, len(dst))]
	case "short dst panics late":
		if !ok && n > 0 {
			clear(dst)
		}
	case "overlap accepted":
		src = bytes.Clone(src)
	case "overlap found by first bytes only":
		if ok && n > 1 && (&dst[n-1] == &src[0] || &src[n-1] == &dst[0]) {
			src = bytes.Clone(src)
		}
	case "all of dst is output":
		if len(dst) > n && n > 0 && &dst[0] != &src[0] && !overlapping(dst, src) {
			src = append(bytes.Clone(src), make([]byte, len(dst)-n)...)
		}
	case "all of dst is checked":
		if n > 0 && overlapping(dst, src) && &dst[0] != &src[0] {
			panic("toy: invalid buffer overlap")
		}
	case "writes behind dst":
		if ok && cap(dst) > n && !overlapping(dst[:n+1], src) {
			defer func(d []byte) { d[n]++ }(dst[:n+1])
		}
	case "src changed":
		if ok && n > 1 && &src[0] != &dst[0] && cap(src) > n+margin {
			defer func() { src[n-1]++ }()
		}
	case "refused call uses key stream":
		if len(dst) < n {
			s.Stream.XORKeyStream(make([]byte, 3), make([]byte, 3))
		}
	case "in place wrong":
		if ok && n > 16 && n < 4000 && &dst[0] == &src[0] {
			src[n-1]++
		}
	case "wrong for 1023 bytes":
		if ok && n == 1023 {
			defer func() { dst[999]++ }()
		}
	case "wrong above 16 KiB":
		if ok && n > 16<<10 {
			defer func() { dst[16<<10]++ }()
		}
	case "allocates":
		sink = make([]byte, 8)
	case "shared state":
		if ok {
			if *s.all += n; *s.all > 1000 {
				defer func() { dst[0] ^= byte(*s.all >> 4) }()
			}
		}
	case "data matters":
		if ok {
			defer func(first byte) { dst[n-1] ^= first >> 7 }(src[0])
		}
	case "no key stream":
		copy(dst[:n], src)
		return
	case "reads page behind src":
		if onPageEdge(src) {
			behind(src)
			defer func(v byte) { sink = []byte{v} }(behind(src))
		}
	}
	s.Stream.XORKeyStream(dst, src)
}

func overlapping(x, y []byte) bool {
	for i := range x {
		if len(y) > 0 && (&x[i] == &y[0] || &x[i] == &y[len(y)-1]) {
			return true
		}
	}
	return len(x) > 0 && len(y) > 0 && &y[0] == &x[0]
}

func newToyStream(fault string, all *int, key, nonce []byte) (cipher.Stream, error) {
	own := bytes.Clone(nonce)
	if len(key) == 32 && len(nonce) != 12 {
		switch fault {
		case "typed nil":
			return (*toyStream)(nil), errors.New("toy: nonce size")
		case "any nonce":
			own = append(own, make([]byte, 12)...)[:12]
		case "nonce panics":
			_ = nonce[:12:12][66]
		case "nonce kept", "nonce bit ignored": // as it should be
		}
		if len(own) != 12 {
			return nil, errors.New("toy: nonce must have 12 bytes")
		}
	}
	if fault == "nonce bit ignored" && len(own) > 3 {
		own[3] &^= 2
	}
	inner, err := newStream(key, own)
	if err != nil {
		return nil, err
	}
	s := &toyStream{Stream: inner, fault: fault, all: all}
	if fault == "nonce kept" {
		key := bytes.Clone(key)
		s.late = func() cipher.Stream { s, _ := newStream(key, nonce); return s }
	}
	if fault == "extra method" {
		return struct {
			*toyStream
			rounder
		}{toyStream: s}, nil
	}
	return s, nil
}

func TestStreamFaults(t *testing.T) {
	faults := []fault{
		{"loses key stream", "State"},
		{"empty call skips", "calls without data change the state"},
		{"nil panics", "unexpected panic"},
		{"short dst truncates", "want one with \"output smaller than input\""},
		{"short dst panics late", "before the panic"},
		{"overlap accepted", "want one with \"invalid buffer overlap\""},
		{"overlap found by first bytes only", "want one with \"invalid buffer overlap\""},
		{"all of dst is output", "changed"},
		{"all of dst is checked", "unexpected panic"},
		{"writes behind dst", "beside dst"},
		{"src changed", "src, or a byte|change the state"},
		{"refused call uses key stream", "refused calls change the state"},
		{"in place wrong", "in place differs"},
		{"wrong for 1023 bytes", "differ"},
		{"wrong above 16 KiB", "Long"},
		{"shared state", "nonce12"},
		{"data matters", "XOR"},
		{"no key stream", "has no effect"},
		{"typed nil", "want a nil interface"},
		{"any nonce", "no error"},
		{"nonce panics", "index out of range"},
		{"nonce kept", "the Nonce is not copied"},
		{"nonce bit ignored", "bit 25 of the Nonce has no effect"},
		{"extra method", "has the extra method Rounds"},
	}
	if countsAllocs() {
		faults = append(faults, fault{"allocates", "1 allocations, want at most 0"})
	}
	if hasGuardPages {
		faults = append(faults, fault{"reads page behind src", "outside its slices"})
	}
	plant(t, faults, func(t suite, fault string) {
		var all int
		testStream(t, 32, []int{12}, func(key, nonce []byte) (cipher.Stream, error) {
			return newToyStream(fault, &all, key, nonce)
		})
	})
}

// toyMode is another mode with a fault.
type toyMode struct {
	cipher.BlockMode
	fault string
	late  func() cipher.BlockMode // makes the mode at its first use
}

func (m *toyMode) BlockSize() int {
	if m.fault == "other block size" {
		return 8
	}
	return m.BlockMode.BlockSize()
}

func (m *toyMode) CryptBlocks(dst, src []byte) {
	if m.late != nil {
		m.BlockMode, m.late = m.late(), nil
	}
	n := len(src)
	ok := n > 0 && n%16 == 0 && len(dst) >= n
	switch m.fault {
	case "partial block left over":
		src = src[:n/16*16]
	case "partial block padded":
		if n%16 != 0 && len(dst) >= n {
			out := make([]byte, n+16)
			m.BlockMode.CryptBlocks(out[:(n+15)/16*16], append(bytes.Clone(src), out...)[:(n+15)/16*16])
			copy(dst, out)
			return
		}
	case "short dst truncates":
		src = src[:min(n, len(dst)/16*16)]
	case "short dst panics late":
		if n%16 == 0 && len(dst) < n && len(dst) >= 16 {
			m.BlockMode.CryptBlocks(dst[:16], src[:16])
		}
	case "overlap accepted":
		src = bytes.Clone(src)
	case "writes behind dst":
		if ok && cap(dst) > n && !overlapping(dst[:n+1], src) {
			defer func(d []byte) { d[n]++ }(dst[:n+1])
		}
	case "all of dst is output":
		if ok && len(dst) >= n+16 && !overlapping(dst, src) {
			src = append(bytes.Clone(src), make([]byte, len(dst)/16*16-n)...)
		}
	case "in place wrong":
		if ok && n >= 32 && &dst[0] == &src[0] {
			src[16]++
		}
	case "wrong after 65 blocks":
		if ok && n > 65*16 {
			defer func() { dst[65*16]++ }()
		}
	case "refused call changes state":
		if !ok {
			m.BlockMode.CryptBlocks(make([]byte, 16), make([]byte, 16))
		}
	case "old dst matters":
		if ok {
			defer func(old byte) { dst[0] ^= old & 1 }(dst[0])
		}
	case "allocates":
		sink = make([]byte, 8)
	case "nil panics":
		_ = &src[0]
	case "reads page behind src":
		if onPageEdge(src) {
			defer func(v byte) { sink = []byte{v} }(behind(src))
		}
	}
	m.BlockMode.CryptBlocks(dst, src)
}

func TestModeFaults(t *testing.T) {
	faults := []fault{
		{"other block size", "block sizes"},
		{"partial block left over", "want one with \"input not full blocks\""},
		{"partial block padded", "want one with \"input not full blocks\""},
		{"short dst truncates", "want one with \"output smaller than input\""},
		{"short dst panics late", "before the panic"},
		{"overlap accepted", "want one with \"invalid buffer overlap\""},
		{"writes behind dst", "beside"},
		{"all of dst is output", "Bounds"},
		{"in place wrong", "in place differs"},
		{"wrong after 65 blocks", "blocks at once differ"},
		{"loses state", "differs from one call"},
		{"refused call changes state", "change the state"},
		{"old dst matters", "Encrypter/"},
		{"nil panics", "unexpected panic"},
		{"IV ignored", "of the IV has no effect"},
		{"IV kept", "the IV is not copied"},
		{"any IV", "IV of 15 bytes is accepted"},
		{"extra method", "has the extra method SetIV"},
		{"decrypts another way", "decrypting what was encrypted"},
	}
	if countsAllocs() {
		faults = append(faults, fault{"allocates", "1 allocations, want at most 0"})
	}
	if hasGuardPages {
		faults = append(faults, fault{"reads page behind src", "outside its slices"})
	}
	plant(t, faults, func(t suite, fault string) {
		enc, dec := newMode(make([]byte, 16))
		toy := func(construct func(iv []byte) cipher.BlockMode) func(iv []byte) cipher.BlockMode {
			return func(iv []byte) cipher.BlockMode {
				if len(iv) != 16 && fault == "any IV" || fault == "IV ignored" && len(iv) == 16 {
					iv = make([]byte, 16)
				}
				m := &toyMode{BlockMode: construct(iv), fault: fault}
				switch fault {
				case "IV kept":
					m.late = func() cipher.BlockMode { return construct(iv) }
				case "extra method":
					return m.BlockMode.(mode).BlockMode
				case "loses state":
					return &forgetful{m, construct, bytes.Clone(iv)}
				}
				return m
			}
		}
		if fault == "decrypts another way" {
			dec, _ = newMode(make([]byte, 24))
		}
		testBlockMode(t, 16, 16, toy(enc), toy(dec))
	})
}

// forgetful starts anew after 64 blocks in one call.
type forgetful struct {
	cipher.BlockMode
	construct func(iv []byte) cipher.BlockMode
	iv        []byte
}

func (m *forgetful) CryptBlocks(dst, src []byte) {
	m.BlockMode.CryptBlocks(dst, src)
	if len(src) == 64*16 {
		m.BlockMode = m.construct(m.iv)
	}
}
