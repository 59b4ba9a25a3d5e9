package main

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

// A MAC that openssl has too.
var opensslMACs = []struct {
	algorithm string
	args      []string // of openssl dgst
	maxSize   int      // the longest that this version makes, 0 if it makes only one
}{
	{"magma-cmac", []string{"-mac", "magma-mac"}, 8},
	{"kuznyechik-cmac", []string{"-mac", "kuznyechik-mac"}, 8},
	{"hmac-streebog256", []string{"-md_gost12_256", "-mac", "hmac"}, 0},
	{"hmac-streebog512", []string{"-md_gost12_512", "-mac", "hmac"}, 0},
	{"aes-cmac", []string{"-mac", "cmac", "-macopt", "cipher:aes-128-cbc"}, 0},
}

func TestMACLikeOpenSSL(t *testing.T) {
	dir := t.TempDir()
	for _, m := range opensslMACs {
		a, _ := catalog.Lookup(m.algorithm)
		size := a.KeySize
		if a.AnyKey {
			size = 40
		}
		key := random(size)
		writeFile(t, dir, "key", key)
		ours := []string{"mac", "-a", m.algorithm, "-keyfile", "key"}
		theirs := append(append([]string{"dgst"}, m.args...), "-macopt", "hexkey:"+hex.EncodeToString([]byte(key)))
		digest := func(args []string, text string) string {
			out := strings.Fields(openssl(t, text, args...))
			return out[len(out)-1]
		}
		for _, n := range []int{0, 1, 15, 16, 17, 1000, bufferSize + 1} {
			text := random(n)
			want := digest(theirs, text)
			same(t, works(t, dir, text, ours...), want+" -\n", fmt.Sprint(m.algorithm, " of ", n, " bytes"))
			for size := minTag; size <= m.maxSize; size++ {
				want := digest(append(theirs, "-macopt", fmt.Sprint("size:", size)), text)
				same(t, works(t, dir, text, append(ours, "-size", fmt.Sprint(size))...), want+" -\n", fmt.Sprint(m.algorithm, " cut to ", size))
			}
			// openssl's list is checked by us. It says "*stdin" for standard input.
			writeFile(t, dir, "stdin", text)
			list := openssl(t, text, append([]string{"dgst", "-r"}, theirs[1:]...)...)
			same(t, works(t, dir, list, append(ours, "-c")...), "stdin: OK\n", "openssl dgst -r, "+m.algorithm)
		}
	}
}

// Keys from files, the environment and the command line give the same.
func TestMACKeys(t *testing.T) {
	dir := t.TempDir()
	const digits = "00112233445566778899AABBccddeeff"
	key, _ := hex.DecodeString(digits)
	writeFile(t, dir, "m1", message)
	writeFile(t, dir, "raw", string(key))
	writeFile(t, dir, "hex", digits[:8]+" "+digits[8:]+"\n")
	writeFile(t, dir, "short", string(key[1:]))
	writeFile(t, dir, "empty", "")
	t.Setenv("XCIPHER_TEST_KEY", digits)
	for _, a := range catalog.Algorithms() {
		if a.Kind != catalog.MAC || a.KeySize != 16 && !a.AnyKey {
			continue
		}
		h, err := catalog.NewMAC(a.Name, key)
		if err != nil {
			t.Fatal(err)
		}
		h.Write([]byte(message))
		want := fmt.Sprintf("%x m1\n", h.Sum(nil))
		mac := []string{"mac", "-a", a.Name, "m1"}
		same(t, works(t, dir, "", append(mac, "-keyfile", "raw")...), want, a.Name+": bytes")
		same(t, works(t, dir, "", append(mac, "-keyenv", "XCIPHER_TEST_KEY")...), want, a.Name+": environment")
		got := program(t, dir, "", append(mac, "-K", digits)...)
		if got.status != exitOK || got.out != want || !strings.Contains(got.err, "xcipher mac: warning:") || strings.Contains(got.err, digits) {
			t.Errorf("%s: -K: %+v", a.Name, got)
		}
		if !a.AnyKey { // otherwise the digits are the key
			same(t, works(t, dir, "", append(mac, "-keyfile", "hex")...), want, a.Name+": hex")
			fails(t, dir, "", exitFailed, "xcipher mac: short: the key must have 16 ", append(mac, "-keyfile", "short")...)
		}
		fails(t, dir, "", exitFailed, "xcipher mac: ", append(mac, "-keyfile", "empty")...)
		fails(t, dir, "", exitFailed, "no such file", append(mac, "-keyfile", "none")...)
		fails(t, dir, "", exitFailed, "-keyenv names no environment variable", append(mac, "-keyenv", "XCIPHER_TEST_NONE")...)
	}
	fails(t, dir, "", exitUsage, "give only one of", "mac", "-a", "aes-cmac", "m1", "-keyfile", "raw", "-K", "00")
	for _, n := range []int{16, 24, 32} {
		works(t, dir, "", "mac", "-a", "aes-cmac", "m1", "-keyfile", keyFile(t, dir, n))
	}
	fails(t, dir, "", exitFailed, "16 or 24 or 32", "mac", "-a", "aes-cmac", "m1", "-keyfile", keyFile(t, dir, 33))
}

func keyFile(t *testing.T, dir string, size int) string {
	name := fmt.Sprint("key", size)
	writeFile(t, dir, name, random(size))
	return name
}

func TestMACCheck(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "m1", message)
	writeFile(t, dir, "m2", message+"x")
	key := keyFile(t, dir, 32)
	mac := []string{"mac", "-a", "kuznyechik-cmac", "-keyfile", key}
	list := works(t, dir, "", append(mac, "m1", "m2")...)
	same(t, works(t, dir, list, append(mac, "-c", "-strict")...), "m1: OK\nm2: OK\n", "the list")

	// A forger has no use for the first bytes of a MAC, if he finds them.
	cut := strings.NewReplacer(list[8:32]+" m1", " m1").Replace(list)
	const malformed = "xcipher mac: warning: -: 1 line is malformed\n"
	if got := program(t, dir, cut, append(mac, "-c")...); got != (result{"m2: OK\n", malformed, exitOK}) {
		t.Errorf("a MAC that is cut: %+v", got)
	}
	cut = works(t, dir, "", append(mac, "-size", "4", "m1")...)
	same(t, cut, list[:8]+" m1\n", "-size 4")
	same(t, works(t, dir, cut, append(mac, "-size", "4", "-c")...), "m1: OK\n", "the list of -size 4")
	if got := program(t, dir, cut, append(mac, "-size", "5", "-c")...); got != (result{"", "xcipher mac: -: no line has a MAC of 5 bytes; if they were made with -size 4, give it here too\n", exitFailed}) {
		t.Errorf("with another size: %+v", got)
	}

	// Every bit counts.
	line, _, _ := strings.Cut(list, "\n")
	for i := range 32 {
		forged := []byte(line)
		forged[i] = "10"[strings.Count(line[i:i+1], "1")] // another digit
		if got := program(t, dir, string(forged), append(mac, "-c", "-status")...); got != (result{"", "", exitFailed}) {
			t.Errorf("digit %d: %+v", i, got)
		}
	}
	other := []string{"mac", "-a", "kuznyechik-cmac", "-keyfile", keyFile(t, dir, 32)}
	if got := program(t, dir, list, append(other, "-c", "-status")...); got.status != exitFailed {
		t.Errorf("with another key: %+v", got)
	}
	if got := program(t, dir, "GOST12-256 (m1) = "+digest256, append(mac, "-c")...); got.status != exitFailed || got.out != "" {
		t.Errorf("a list of digests: %+v", got)
	}
}

func TestMACUsage(t *testing.T) {
	dir := t.TempDir()
	key := keyFile(t, dir, 32)
	for _, c := range []struct{ args, text string }{
		{"", "no algorithm"},
		{"-a kuznyechik", "unknown mac algorithm"},
		{"-a streebog256", "there is hmac-streebog256"},
		{"-a magma-cmac -size 3", "magma-cmac has 4 to 8"},
		{"-a magma-cmac -size 9", "magma-cmac has 4 to 8"},
		{"-a magma-cmac -size x", "invalid value"},
		{"-a magma-cmac -quiet", "-c only"},
	} {
		args := append([]string{"mac", "-keyfile", key}, strings.Fields(c.args)...)
		if got := program(t, dir, "", args...); got.status != exitUsage || got.out != "" || !strings.Contains(got.err, c.text) {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}
