package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

// sealed returns a header with its check.
func sealed(t testing.TB, name string, password string) []byte {
	t.Helper()
	a, err := sealAlgorithm(name)
	if err != nil {
		t.Fatal(err)
	}
	h := newSealHeader(a)
	if password != "" {
		h.kdf, h.argon2id = kdfArgon2id, argon2id{1, 4, minMemory}
	}
	_, check, err := h.derive(secretOf(h, password))
	if err != nil {
		t.Fatal(err)
	}
	return append(h.fields(), check...)
}

func secretOf(h *sealHeader, password string) []byte {
	if h.kdf == kdfNone {
		return make([]byte, h.algorithm.KeySize)
	}
	return h.secret(password)
}

func openHeader(header []byte, password string) error {
	h, check, err := readSealHeader(bytes.NewReader(header))
	if err != nil {
		return err
	}
	_, err = h.open(secretOf(h, password), check)
	return err
}

// TestHeader changes every byte of headers to others, and cuts them everywhere.
func TestHeader(t *testing.T) {
	t.Parallel()
	for _, password := range []string{"", "secret"} {
		header := sealed(t, "xchacha20-poly1305", password)
		if err := openHeader(header, password); err != nil {
			t.Fatal(err)
		}
		masks := []byte{1, 0x40, 0xff}
		if testing.Short() && password != "" {
			masks = masks[:1]
		}
		for i := range header {
			for _, mask := range masks {
				header[i] ^= mask
				if err := openHeader(header, password); err == nil {
					t.Errorf("byte %d changed by %#x is not noticed", i, mask)
				}
				header[i] ^= mask
			}
			want := "the file ends within its header"
			if i < len(sealMagic) {
				want = errNotSealed.Error()
			}
			if err := openHeader(header[:i], password); err == nil || err.Error() != want {
				t.Errorf("%d bytes: %v", i, err)
			}
		}
		if password != "" {
			if err := openHeader(header, "Secret"); !errors.Is(err, errWrongSecret) {
				t.Errorf("wrong password: %v", err)
			}
		}
	}
}

// TestHeaderBounds takes parameters that would cost too much, or too little.
func TestHeaderBounds(t *testing.T) {
	for _, c := range []struct {
		a    argon2id
		want string
	}{
		{argon2id{1, 1, minMemory}, ""},
		{argon2id{1, maxLanes, maxMemory}, ""},
		{argon2id{16, 4, maxMemory}, ""},
		{argon2id{255, 4, 64 << 10}, ""},
		{argon2id{0, 4, minMemory}, "0 passes"},
		{argon2id{1, 0, minMemory}, "0 lanes"},
		{argon2id{1, maxLanes + 1, minMemory}, "17 lanes"},
		{argon2id{1, 4, minMemory - 1}, "8191 KiB"},
		{argon2id{1, 4, maxMemory + 1}, "1048577 KiB"},
		{argon2id{1, 4, 1<<32 - 1}, "4294967295 KiB"},
		{argon2id{17, 4, maxMemory}, "17 passes over 1048576 KiB"},
		{argon2id{255, 4, maxMemory}, "255 passes"},
	} {
		a, _ := catalog.Lookup("xchacha20-poly1305")
		h := newSealHeader(a)
		h.kdf, h.argon2id = kdfArgon2id, c.a
		_, _, err := readSealHeader(bytes.NewReader(append(h.fields(), make([]byte, sealCheck)...)))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c.a, err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"magma-mgm", "nonce of 7 bytes"},
		{"saturnin-short", "additional data"},
		{"kuznyechik", "unknown AEAD"},
		{"", "unknown AEAD"},
		{strings.Repeat("x", 255), "unknown AEAD"},
	} {
		header := append([]byte(sealMagic), sealVersion, kdfNone, byte(len(c.name)))
		header = append(append(header, c.name...), make([]byte, 200)...)
		if _, _, err := readSealHeader(bytes.NewReader(header)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("algorithm %q: %v", c.name, err)
		}
	}
}

// A reader's own error is told as it is.
func TestHeaderReadError(t *testing.T) {
	header := sealed(t, "xchacha20-poly1305", "")
	broken := errors.New("broken")
	for n := range header {
		r := io.MultiReader(bytes.NewReader(header[:n]), errorReader{broken})
		if _, _, err := readSealHeader(r); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

type errorReader struct{ err error }

func (e errorReader) Read([]byte) (int, error) { return 0, e.err }

// FuzzHeader: what is read as a header must be written as the same bytes, within
// the bounds, and no byte after it may be taken.
func FuzzHeader(f *testing.F) {
	f.Add(sealed(f, "xchacha20-poly1305", ""))
	f.Add(sealed(f, "aes128-silc", "secret"))
	f.Add([]byte(sealMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		h, check, err := readSealHeader(r)
		if err != nil {
			if h != nil || check != nil {
				t.Error("an error, and a header")
			}
			return
		}
		taken := data[:len(data)-r.Len()]
		if !bytes.Equal(append(h.fields(), check...), taken) {
			t.Errorf("%x is written as %x", taken, append(h.fields(), check...))
		}
		if h.kdf == kdfArgon2id && h.argon2id.check() != nil || sealable(h.algorithm) != nil {
			t.Errorf("accepted: %+v", h)
		}
	})
}
