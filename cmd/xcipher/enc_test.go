package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

var encLengths = []int{0, 1, 7, 8, 15, 16, 17, 1000, bufferSize - 1, bufferSize, bufferSize + 1, 2*bufferSize + 16}

// withKey has the flags of a key and an IV for xcipher and for openssl; xcipher
// takes the key from the environment variable KEY.
func withKey(t *testing.T, c encCipher) (ours, theirs []string) {
	t.Helper()
	key, iv := randomHex(c.keySize), randomHex(c.ivSize)
	t.Setenv("KEY", key)
	ours, theirs = []string{"-a", c.name, "-keyenv", "KEY"}, []string{"-" + c.name, "-K", key}
	if c.ivSize > 0 {
		ours, theirs = append(ours, "-iv", iv), append(theirs, "-iv", iv)
	}
	return ours, theirs
}

func args(first string, rest []string, more ...string) []string {
	return append(append([]string{first}, rest...), more...)
}

func isPadded(c encCipher) bool {
	return strings.HasSuffix(c.name, "-cbc") || strings.HasSuffix(c.name, "-ecb")
}

// TestEncKey compares with openssl in both directions.
func TestEncKey(t *testing.T) {
	for _, c := range encCiphers() {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, n := range encLengths {
				if testing.Short() && i%3 != 0 {
					continue
				}
				ours, theirs := withKey(t, c)
				text := random(n)
				what := fmt.Sprintf("%d bytes", n)
				sealed := openssl(t, text, args("enc", theirs, "-e")...)
				same(t, works(t, dir, text, args("enc", ours)...), sealed, what+" encrypted")
				same(t, works(t, dir, sealed, args("dec", ours)...), text, what+" decrypted")

				text = text[:n-n%16]
				sealed = openssl(t, text, args("enc", theirs, "-e", "-nopad")...)
				same(t, works(t, dir, text, args("enc", ours, "-nopad")...), sealed, what+" encrypted without padding")
				same(t, works(t, dir, sealed, args("dec", ours, "-nopad")...), text, what+" decrypted without padding")
			}
			// From file to file.
			ours, theirs := withKey(t, c)
			text := random(1000)
			writeFile(t, dir, "text", text)
			works(t, dir, "", args("enc", ours, "-o", "sealed", "text")...)
			same(t, openssl(t, readFile(t, dir, "sealed"), args("enc", theirs, "-d")...), text, "openssl decrypts our file")
			works(t, dir, "", args("dec", ours, "-o", "opened", "sealed")...)
			same(t, readFile(t, dir, "opened"), text, "we decrypt our file")
		})
	}
}

// TestEncPassword has files of openssl decrypted by us and the other way round.
func TestEncPassword(t *testing.T) {
	dir := t.TempDir()
	for i, c := range encCiphers() {
		t.Run(c.name, func(t *testing.T) {
			for j, d := range digests[:5] {
				if testing.Short() && j > 0 && j != 1+i%4 {
					continue
				}
				password := randomHex(1 + i)
				t.Setenv("PASSWORD", password)
				ours := []string{"-a", c.name, "-passenv", "PASSWORD"}
				theirs := []string{"-" + c.name, "-pbkdf2", "-pass", "pass:" + password}
				if j > 0 { // else the defaults of both
					iterations := fmt.Sprint(1 + 500*i + j)
					ours = append(ours, "-md", d.name, "-iter", iterations)
					theirs = append(theirs, "-md", d.name, "-iter", iterations)
				}
				text := random(100*j + i)
				same(t, works(t, dir, openssl(t, text, args("enc", theirs, "-e")...), args("dec", ours)...), text, d.name+" from openssl")
				same(t, openssl(t, works(t, dir, text, args("enc", ours)...), args("enc", theirs, "-d")...), text, d.name+" to openssl")

				salt := randomHex(8)
				sealed := openssl(t, text, args("enc", theirs, "-e", "-S", salt)...)
				same(t, works(t, dir, text, args("enc", ours, "-S", salt)...), sealed, d.name+" with a salt given")
				same(t, works(t, dir, sealed, args("dec", ours, "-S", salt)...), text, d.name+" with a salt given, back")
				if c.ivSize > 0 {
					iv := randomHex(c.ivSize)
					sealed = openssl(t, text, args("enc", theirs, "-e", "-iv", iv)...)
					same(t, works(t, dir, sealed, args("dec", ours, "-iv", iv)...), text, d.name+" with an IV given")
				}
			}
		})
	}
}

// TestEncPasswordFile has the password in a file, of which both take the first line.
func TestEncPasswordFile(t *testing.T) {
	dir := t.TempDir()
	for i, content := range []string{"word", "word\n", "word\r\n", "two words\nand another line", "пароль\n"} {
		writeFile(t, dir, "password", content)
		text := random(100)
		ours := works(t, dir, text, "enc", "-a", "kuznyechik-cbc", "-passfile", "password")
		same(t, works(t, dir, ours, "dec", "-a", "kuznyechik-cbc", "-passfile", "password"), text, "back")
		same(t, openssl(t, ours, "enc", "-d", "-kuznyechik-cbc", "-pbkdf2", "-pass", "file:"+dir+"/password"), text, fmt.Sprint("password file ", i))
	}
}

// TestEncChaCha20Counter crosses 2^32 blocks, where OpenSSL carries into the next
// word, and ends where the counter of 64 bits would wrap.
func TestEncChaCha20Counter(t *testing.T) {
	key, text := randomHex(32), random(1000)
	t.Setenv("KEY", key)
	for _, iv := range []string{"ffffffff4a000000" + randomHex(8), "ffffffffffffff00" + randomHex(8), "f1ffffffffffffff" + randomHex(8)} {
		want := openssl(t, text[:900], "enc", "-chacha20", "-K", key, "-iv", iv)
		same(t, works(t, "", text[:900], "enc", "-a", "chacha20", "-keyenv", "KEY", "-iv", iv), want, iv)
	}
	last := "f1ffffffffffffff" + randomHex(8) // 15 blocks
	works(t, "", text[:960], "enc", "-a", "chacha20", "-keyenv", "KEY", "-iv", last)
	fails(t, "", text[:961], exitFailed, "counter", "enc", "-a", "chacha20", "-keyenv", "KEY", "-iv", last)
}

func TestEncSizes(t *testing.T) {
	for _, c := range encCiphers() {
		t.Setenv("KEY", randomHex(c.keySize))
		for _, n := range []int{0, 1, c.ivSize - 1, c.ivSize + 1, 2 * c.ivSize, 16, 32} {
			if n == c.ivSize && n > 0 || n < 0 {
				continue
			}
			want := fmt.Sprintf("-iv has %d bytes, want %d", n, c.ivSize)
			if c.ivSize == 0 {
				want = "has no IV"
			}
			for _, command := range []string{"enc", "dec"} {
				fails(t, "", "text", exitUsage, want, command, "-a", c.name, "-keyenv", "KEY", "-iv", randomHex(n))
			}
		}
		iv := []string{"-a", c.name}
		if c.ivSize > 0 {
			fails(t, "", "text", exitUsage, "give the IV", "enc", "-a", c.name, "-keyenv", "KEY")
			fails(t, "", "text", exitUsage, "-iv is not hex", "enc", "-a", c.name, "-keyenv", "KEY", "-iv", strings.Repeat("0g", c.ivSize))
			iv = append(iv, "-iv", randomHex(c.ivSize))
		}
		for _, n := range []int{1, 16, 31, 33, 64} {
			t.Setenv("OTHER", randomHex(n))
			fails(t, "", "text", exitFailed, fmt.Sprintf("must have 32 bytes, not %d", n), args("enc", iv, "-keyenv", "OTHER")...)
		}
	}
	t.Setenv("PASSWORD", "x")
	for _, c := range []struct{ want, flags string }{
		{"-S has 0 bytes, want 8", "-S="},
		{"-S has 7 bytes, want 8", "-S " + randomHex(7)},
		{"-S has 9 bytes, want 8", "-S " + randomHex(9)},
		{"invalid -iter 0", "-iter 0"},
		{`unknown digest "md5"`, "-md md5"},
		{"not both", "-keyenv PASSWORD"},
	} {
		fails(t, "", "text", exitUsage, c.want, append([]string{"enc", "-a", "chacha20", "-passenv", "PASSWORD"}, strings.Fields(c.flags)...)...)
	}
	fails(t, "", "text", exitUsage, "-S, -md and -iter", "enc", "-a", "chacha20", "-keyenv", "KEY", "-iter", "5")
	fails(t, "", "text", exitUsage, `unknown cipher "chacha"; there is kuznyechik-ctr,`, "enc", "-a", "chacha")
	fails(t, "", "text", exitUsage, "give the cipher by -a: kuznyechik-ctr,", "enc")
}

// TestEncPadding wants the same words for all that may be wrong at the end.
func TestEncPadding(t *testing.T) {
	for _, c := range encCiphers() {
		if !isPadded(c) {
			continue
		}
		size := 16
		if strings.HasPrefix(c.name, "magma") {
			size = 8
		}
		ours, _ := withKey(t, c)
		bad := func(text, what string) {
			t.Helper()
			got := program(t, "", text, args("dec", ours)...)
			if want := "xcipher dec: " + errPadding.Error() + "\n"; got.status != exitFailed || got.err != want {
				t.Errorf("%s, %s: status %d, %q", c.name, what, got.status, got.err)
			}
		}
		sealed := works(t, "", random(100), args("enc", ours)...)
		bad("", "empty")
		bad(sealed[:len(sealed)-1], "a byte less")
		bad(sealed+"x", "a byte more")
		// Paddings that are none, made by encrypting without one.
		for n := range size + 2 {
			end := strings.Repeat(string(rune(n)), size)
			if n > 0 && n <= size {
				end = random(size-n) + strings.Repeat(string(rune(n)), n)
				whole := works(t, "", end, args("enc", ours, "-nopad")...)
				same(t, works(t, "", whole, args("dec", ours)...), end[:size-n], "good padding")
				if n == 1 {
					continue
				}
				end = end[:size-n] + "\x20" + end[size-n+1:] // its first byte is wrong
			}
			bad(works(t, "", end, args("enc", ours, "-nopad")...), fmt.Sprintf("padding %d", n))
		}
		bad(works(t, "", strings.Repeat("\xff", size), args("enc", ours, "-nopad")...), "padding 255")
		// Without padding, only the length can be wrong.
		for _, command := range []string{"enc", "dec"} {
			fails(t, "", "123", exitFailed, "no multiple of the block", args(command, ours, "-nopad")...)
		}
		// A file that does not decrypt is not there.
		dir := t.TempDir()
		fails(t, dir, sealed[:len(sealed)-1], exitFailed, errPadding.Error(), args("dec", ours, "-o", "file")...)
		if got := names(t, dir); got != "" {
			t.Errorf("a failure leaves %s", got)
		}
	}
}

func TestEncSalted(t *testing.T) {
	t.Setenv("PASSWORD", "x")
	sealed := works(t, "", "text", "enc", "-a", "magma-ctr", "-passenv", "PASSWORD", "-iter", "1")
	if len(sealed) != 20 || sealed[:8] != saltedMagic {
		t.Errorf("a file starts with %q", sealed)
	}
	for _, text := range []string{"", "Salted__", sealed[:15], "salted__" + sealed[8:], sealed[1:]} {
		fails(t, "", text, exitFailed, "not encrypted with a password", "dec", "-a", "magma-ctr", "-passenv", "PASSWORD", "-iter", "1")
	}
	if again := works(t, "", "text", "enc", "-a", "magma-ctr", "-passenv", "PASSWORD", "-iter", "1"); again[8:16] == sealed[8:16] {
		t.Error("two files have the same salt")
	}
}

// TestPaddingOf takes every last byte.
func TestPaddingOf(t *testing.T) {
	for n := range math.MaxUint8 + 1 {
		block := []byte(strings.Repeat("\x00", 15) + string([]byte{byte(n)}))
		if _, ok := paddingOf(block); ok != (n == 1) {
			t.Errorf("a block that ends in %d after zeros: %v", n, ok)
		}
	}
}
