package main

import (
	"strings"
	"testing"
)

// TestKeySources gives the same key in every way.
func TestKeySources(t *testing.T) {
	dir := t.TempDir()
	const hexKey = "6368616e676520746869732070617373776f726420746f206120736563726574"
	const rawKey = "change this password to a secret"
	flags := []string{"-a", "kuznyechik-ctr", "-iv", "0011223344556677"}
	t.Setenv("KEY", hexKey)
	want := works(t, dir, "some text", args("enc", flags, "-keyenv", "KEY")...)
	for _, content := range []string{rawKey, hexKey, hexKey + "\n", strings.ToUpper(hexKey) + "\r\n", " " + hexKey[:20] + "\n\t" + hexKey[20:] + "\n\n"} {
		writeFile(t, dir, "key", content)
		same(t, works(t, dir, "some text", args("enc", flags, "-keyfile", "key")...), want, content)
		t.Setenv("KEY", content)
		if content != rawKey {
			same(t, works(t, dir, "some text", args("enc", flags, "-keyenv", "KEY")...), want, content)
		}
	}
	got := program(t, dir, "some text", args("enc", flags, "-K", hexKey)...)
	same(t, got.out, want, "-K")
	if got.status != exitOK || !strings.HasPrefix(got.err, "xcipher enc: warning: ") || strings.Contains(got.err, hexKey) {
		t.Errorf("-K: status %d, %q", got.status, got.err)
	}

	got = program(t, dir, "some text", args("enc", flags, "-K", "zz")...)
	if got.status != exitFailed || got.out != "" || !strings.HasSuffix(got.err, "\nxcipher enc: -K: not hex\n") {
		t.Errorf("-K zz: status %d, %q", got.status, got.err)
	}

	for _, c := range []struct{ content, want string }{
		{"", "must have 32 bytes, not 0"},
		{rawKey[1:], "the key must have 32 bytes; the file has 31 bytes"},
		{rawKey + "\n", "the key must have 32 bytes; the file has 33 bytes"},
		{hexKey[1:], "the file has 63 bytes"},
		{hexKey[2:], "must have 32 bytes, not 31"},
		{strings.Repeat("x", maxSecretFile+1), "too long"},
	} {
		writeFile(t, dir, "key", c.content)
		fails(t, dir, "", exitFailed, c.want, args("enc", flags, "-keyfile", "key")...)
	}
	t.Setenv("KEY", hexKey[:63])
	fails(t, dir, "", exitFailed, "KEY: an odd number of hex digits", args("enc", flags, "-keyenv", "KEY")...)
	t.Setenv("KEY", hexKey[:63]+"g")
	fails(t, dir, "", exitFailed, "KEY: not hex", args("enc", flags, "-keyenv", "KEY")...)
	fails(t, dir, "", exitFailed, "-keyenv names no environment variable", args("enc", flags, "-keyenv", "NOTHING")...)
	fails(t, dir, "", exitUsage, "only one of -keyfile, -keyenv and -K", args("enc", flags, "-keyenv", "KEY", "-keyfile", "key")...)
	fails(t, dir, "", exitUsage, "only one of -passfile and -passenv", "enc", "-a", "chacha20", "-passenv", "KEY", "-passfile", "key")
}

func TestKeyFromFile(t *testing.T) {
	const digits = "00112233445566778899aabbccddeeff" // 32
	for _, c := range []struct {
		text  string
		sizes []int
		size  int // 0: an error
	}{
		{digits, []int{32}, 32},
		{digits, []int{16}, 16},
		{digits, []int{16, 24, 32}, 0}, // may be both
		{digits + "\n", []int{16, 24, 32}, 16},
		{digits[:24], []int{16, 24, 32}, 24},
		{digits, nil, 32},
		{digits + "\n", nil, 33},
		{"", nil, 0},
	} {
		key, err := keyFromFile([]byte(c.text), c.sizes)
		if len(key) != c.size || (err == nil) != (c.size > 0 || c.sizes == nil) {
			t.Errorf("%q for %v: %d bytes, %v", c.text, c.sizes, len(key), err)
		}
	}
}
