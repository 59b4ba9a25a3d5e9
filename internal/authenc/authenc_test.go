package authenc

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"xcipher/internal/alias"
	"xcipher/internal/conform"
)

var errToy = errors.New("toy: message authentication failed")

// toy is a scheme over SHA-512: its blocks of key stream and its tag are digests of
// key, nonce, and a counter or what is to be authenticated. It panics when it is
// called with anything but what Scheme promises, and may note its calls.
type toy struct {
	key   [16]byte
	calls *[]string
}

type keySizeError int

func (e keySizeError) Error() string { return fmt.Sprintf("toy: invalid key size %d", int(e)) }

func newToy(key []byte) (*toy, error) {
	if len(key) != 16 {
		return nil, keySizeError(len(key))
	}
	return &toy{key: [16]byte(key)}, nil
}

func (s *toy) note(call string) {
	if s.calls != nil {
		*s.calls = append(*s.calls, call)
	}
}

func (s *toy) check(dst, src, aad []byte) {
	if len(dst) != len(src) || alias.InexactOverlap(dst, src) || alias.AnyOverlap(dst, aad) {
		panic(fmt.Sprintf("scheme called with dst of %d, src of %d and additional data of %d bytes", len(dst), len(src), len(aad)))
	}
}

func (s *toy) Seal(dst, src, nonce, aad []byte) (tag [MaxTagSize]byte) {
	s.check(dst, src, aad)
	s.note("Seal")
	m := s.begin(nonce, aad)
	m.Encrypt(dst, src)
	return m.Tag()
}

func (s *toy) Authenticate(ct, nonce, aad []byte) (tag, carry [MaxTagSize]byte) {
	s.note("Authenticate")
	m := s.begin(nonce, aad)
	m.Absorb(ct)
	carry[7] = 7
	return m.Tag(), carry
}

func (s *toy) Decrypt(dst, ct, nonce []byte, carry [MaxTagSize]byte) {
	s.check(dst, ct, nil)
	s.note("Decrypt")
	if carry != [MaxTagSize]byte{7: 7} {
		panic("Decrypt does not get what Authenticate carries")
	}
	m := s.begin(nonce, nil)
	m.Decrypt(dst, ct)
}

func (s *toy) Begin(nonce, aad []byte) Incremental {
	m := s.begin(nonce, aad)
	return &m
}

// message is a toy message in pieces.
type message struct {
	block [64]byte
	seed  [16 + 12 + 8]byte
	mac   [64]byte
	n     uint64 // bytes of key stream
	sum   [64]byte
	have  int // bytes in sum
	total uint64
}

func (s *toy) begin(nonce, aad []byte) (m message) {
	copy(m.seed[:], s.key[:])
	copy(m.seed[16:], nonce)
	m.mac = sha512.Sum512(m.seed[:28])
	m.Absorb(aad)
	m.flush()
	return m
}

func (m *message) Encrypt(dst, src []byte) {
	m.Decrypt(dst, src)
	m.Absorb(dst)
}

func (m *message) Decrypt(dst, src []byte) {
	for i := range src {
		if m.n%64 == 0 {
			binary.LittleEndian.PutUint64(m.seed[28:], m.n/64+1)
			m.block = sha512.Sum512(m.seed[:])
		}
		dst[i] = src[i] ^ m.block[m.n%64]
		m.n++
	}
}

func (m *message) Absorb(ct []byte) {
	for len(ct) > 0 {
		c := copy(m.sum[m.have:], ct)
		ct = ct[c:]
		m.total += uint64(c)
		if m.have += c; m.have == 64 {
			m.flush()
		}
	}
}

// flush hashes a block and its place.
func (m *message) flush() {
	var in [64 + 64 + 9]byte
	copy(in[:], m.mac[:])
	copy(in[64:], m.sum[:m.have])
	in[128] = byte(m.have)
	binary.LittleEndian.PutUint64(in[129:], m.total)
	m.mac, m.have = sha512.Sum512(in[:]), 0
}

func (m *message) Tag() (tag [MaxTagSize]byte) {
	m.flush()
	copy(tag[:], m.mac[:])
	return tag
}

// aead returns an AEAD over a toy, and the toy, which notes its calls.
func aead(t testing.TB, overhead int, check func(nonce []byte, text, aad uint64) string) (*AEAD, *toy) {
	t.Helper()
	s, err := newToy([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	s.calls = new([]string)
	return New(&Params{Name: "toy", NonceSize: 12, Overhead: overhead, Err: errToy, Check: check}, s), s
}

func TestConformance(t *testing.T) {
	for _, overhead := range []int{8, 16, MaxTagSize} {
		t.Run(fmt.Sprint(overhead), func(t *testing.T) {
			p := &Params{Name: "toy", NonceSize: 12, Overhead: overhead, Err: errToy}
			conform.TestAEAD(t, conform.AEAD{KeySizes: []int{16}, New: func(key []byte) (cipher.AEAD, error) {
				s, err := newToy(key)
				if err != nil {
					return nil, err
				}
				return New(p, s), nil
			}})
		})
	}
	t.Run("limits", func(t *testing.T) {
		p := &Params{Name: "toy", NonceSize: 12, Overhead: 16, Err: errToy, Check: func(nonce []byte, text, aad uint64) string {
			switch {
			case text > 1000:
				return "message too large"
			case aad > 0:
				return "additional data not supported"
			case text == 0:
				return "nothing to do"
			case nonce[0] >= 0x80:
				return "nonce out of range"
			}
			return ""
		}}
		conform.TestAEAD(t, conform.AEAD{KeySizes: []int{16}, MaxMessage: 1000, NoAAD: true, NoEmpty: true,
			Nonce: func(nonce []byte) { nonce[0] &= 0x7f },
			New: func(key []byte) (cipher.AEAD, error) {
				s, err := newToy(key)
				if err != nil {
					return nil, err
				}
				return New(p, s), nil
			}})
	})
}

// TestOrder checks which parts of the scheme are called, and when.
func TestOrder(t *testing.T) {
	a, s := aead(t, 16, nil)
	nonce, aad := make([]byte, 12), []byte("data")
	called := func(want ...string) {
		t.Helper()
		if !slices.Equal(*s.calls, want) {
			t.Errorf("calls %q, want %q", *s.calls, want)
		}
		*s.calls = nil
	}
	sealed := a.Seal(nil, nonce, []byte("text"), aad)
	called("Seal")
	if text, err := a.Open(nil, nonce, sealed, aad); err != nil || string(text) != "text" {
		t.Errorf("Open: %q, %v", text, err)
	}
	called("Authenticate", "Decrypt")
	for bit := range 8 * len(sealed) {
		bad := bytes.Clone(sealed)
		bad[bit/8] ^= 1 << (bit % 8)
		dst := bytes.Repeat([]byte{42}, 10)
		if text, err := a.Open(dst[:2], nonce, bad, aad); text != nil || err != errToy {
			t.Errorf("Open of a forgery: %q, %v", text, err)
		}
		called("Authenticate")
		if !bytes.Equal(dst, []byte{42, 42, 0, 0, 0, 0, 42, 42, 42, 42}) {
			t.Errorf("a failed Open leaves %d", dst)
		}
	}
	for n := range 16 {
		if text, err := a.Open(nil, nonce, sealed[:n], aad); text != nil || err != errToy {
			t.Errorf("Open of %d bytes: %q, %v", n, text, err)
		}
		called()
	}
	conform.MustPanic(t, "toy: incorrect nonce length", func() { a.Seal(nil, nonce[:11], nil, nil) })
	conform.MustPanic(t, "toy: incorrect nonce length", func() { a.Open(nil, nil, nil, nil) })
	buf := make([]byte, 100)
	const text, data = "toy: invalid buffer overlap of output and input", "toy: invalid buffer overlap of output and additional data"
	conform.MustPanic(t, text, func() { a.Seal(buf[1:1], nonce, buf[:10], nil) })
	conform.MustPanic(t, data, func() { a.Seal(buf[:0], nonce, buf[:10], buf[:1]) })
	conform.MustPanic(t, text, func() { a.Open(buf[1:1], nonce, buf[:50], nil) })
	conform.MustPanic(t, data, func() { a.Open(buf[:0], nonce, buf[:50], buf[33:34]) })
	called()
}

// TestCheck checks what Check is asked, and what follows from its answer.
func TestCheck(t *testing.T) {
	var asked []string
	answer := ""
	a, s := aead(t, 16, func(nonce []byte, text, aad uint64) string {
		asked = append(asked, fmt.Sprintf("%x %d %d", nonce, text, aad))
		return answer
	})
	nonce := []byte("abcdefghijkl")
	want := fmt.Sprintf("%x 5 7", nonce)
	sealed := a.Seal(nil, nonce, make([]byte, 5), make([]byte, 7))
	if _, err := a.Open(nil, nonce, sealed, make([]byte, 7)); err != nil {
		t.Errorf("Open: %v", err)
	}
	if !slices.Equal(asked, []string{want, want}) {
		t.Errorf("Check is asked %q, want %q twice", asked, want)
	}
	*s.calls, asked = nil, nil

	answer = "not today"
	dst := bytes.Repeat([]byte{42}, 50)
	conform.MustPanic(t, "toy: not today", func() { a.Seal(dst[:0], nonce, make([]byte, 5), make([]byte, 7)) })
	if text, err := a.Open(dst[:0], nonce, sealed, make([]byte, 7)); text != nil || err != errToy {
		t.Errorf("Open of what Check refuses: %q, %v", text, err)
	}
	if len(asked) != 2 || len(*s.calls) != 0 || !bytes.Equal(dst, bytes.Repeat([]byte{42}, 50)) {
		t.Errorf("Check refuses, but there are calls %q, and dst holds %d", *s.calls, dst)
	}

	asked = nil
	conform.MustPanic(t, "toy: incorrect nonce length", func() { a.Seal(nil, nonce[1:], nil, nil) })
	conform.MustPanic(t, "toy: incorrect nonce length", func() { a.Open(nil, nonce[1:], sealed, nil) })
	a.Open(nil, nonce, sealed[:15], nil)
	if len(asked) != 0 {
		t.Errorf("Check is asked about wrong lengths: %q", asked)
	}
}

func TestOf(t *testing.T) {
	a, s := aead(t, 16, nil)
	if scheme, p, ok := Of(a); scheme != s || p != a.p || !ok {
		t.Errorf("Of = %v, %v, %v", scheme, p, ok)
	}
	b, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, foreign := range []cipher.AEAD{gcm, struct{ cipher.AEAD }{a}, nil} {
		if scheme, p, ok := Of(foreign); scheme != nil || p != nil || ok {
			t.Errorf("Of(%T) = %v, %v, %v", foreign, scheme, p, ok)
		}
	}
}

func TestGrow(t *testing.T) {
	for _, length := range []int{0, 1, 10} {
		for _, spare := range []int{0, 1, 5, 6, 100} {
			for _, n := range []int{0, 1, 5, 6} {
				dst := make([]byte, length, length+spare)
				for i := range dst {
					dst[i] = byte(i + 1)
				}
				all, room := Grow(dst, n)
				if len(all) != length+n || len(room) != n || !bytes.Equal(all[:length], dst) {
					t.Errorf("Grow of %d bytes by %d: %d and %d bytes", length, n, len(all), len(room))
				}
				if n > 0 && &room[0] != &all[length] {
					t.Errorf("the room is not at the end")
				}
				if cap(all) > 0 && cap(dst) > 0 && spare >= n && &all[:1][0] != &dst[:1][0] {
					t.Errorf("Grow of %d bytes by %d moves them, with %d to spare", length, n, spare)
				}
			}
		}
	}
	if all, room := Grow(nil, 0); len(all) != 0 || len(room) != 0 {
		t.Errorf("Grow(nil, 0) = %v, %v", all, room)
	}
	dst := make([]byte, 10, 100)
	conform.Allocs(t, "Grow within the capacity", 0, func() { Grow(dst, 90) })
	conform.Allocs(t, "Grow beyond the capacity", 1, func() { Grow(dst, 91) })
}

func TestCheckOverlap(t *testing.T) {
	p := make([]byte, 100)
	CheckOverlap("name", p, p, nil)
	CheckOverlap("name", p[:60], p[:50], p[60:])
	CheckOverlap("name", p[:50], p[50:], p[50:])
	CheckOverlap("name", nil, p, p)
	CheckOverlap("name", p[:0], p, p)
	conform.MustPanic(t, "name: invalid buffer overlap of output and input", func() { CheckOverlap("name", p[:50], p[49:], nil) })
	conform.MustPanic(t, "name: invalid buffer overlap of output and additional data", func() { CheckOverlap("name", p, p, p[:1]) })
	conform.MustPanic(t, "name: invalid buffer overlap of output and additional data", func() { CheckOverlap("name", p[:50], nil, p[49:]) })
}

// TestBegin checks that messages in pieces and in one call are the same, as the
// callers of Begin rely on.
func TestBegin(t *testing.T) {
	rng := conform.Rand(t)
	a, _ := aead(t, MaxTagSize, nil)
	s, _, _ := Of(a)
	b, ok := s.(Beginner)
	if !ok {
		t.Fatal("the toy has no Begin")
	}
	for n := range 200 {
		nonce, aad, text := make([]byte, 12), make([]byte, n%70), make([]byte, n)
		for i := range text {
			text[i] = byte(rng.Uint32())
		}
		want := a.Seal(nil, nonce, text, aad)
		cuts := []int{0, rng.IntN(n + 1), rng.IntN(n + 1), n}
		slices.Sort(cuts)

		sealed := make([]byte, n)
		m := b.Begin(nonce, aad)
		for i, at := range cuts[1:] {
			m.Encrypt(sealed[cuts[i]:at], text[cuts[i]:at])
		}
		tag := m.Tag()
		if sealed = append(sealed, tag[:]...); !bytes.Equal(sealed, want) {
			t.Fatalf("%d bytes sealed in pieces cut at %d differ from one call", n, cuts)
		}

		m, opened := b.Begin(nonce, aad), make([]byte, n)
		for i, at := range cuts[1:] {
			m.Absorb(sealed[cuts[i]:at])
		}
		if got := m.Tag(); !hmac.Equal(got[:], tag[:]) {
			t.Fatalf("%d bytes absorbed in pieces cut at %d have another tag", n, cuts)
		}
		m = b.Begin(nonce, aad)
		for i, at := range cuts[1:] {
			m.Decrypt(opened[cuts[i]:at], sealed[cuts[i]:at])
		}
		if subtle.ConstantTimeCompare(opened, text) != 1 {
			t.Fatalf("%d bytes opened in pieces cut at %d differ", n, cuts)
		}
	}
}
