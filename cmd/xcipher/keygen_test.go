package main

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

func TestKeygen(t *testing.T) {
	dir := t.TempDir()
	for _, a := range catalog.Algorithms() {
		if a.Kind == catalog.Hash {
			fails(t, dir, "", exitUsage, a.Name+" has no key", "keygen", "-a", a.Name, "none")
			continue
		}
		want := a.KeySize
		if a.AnyKey {
			want = a.Size
		}
		works(t, dir, "", "keygen", "-a", a.Name, a.Name)
		if got := readFile(t, dir, a.Name); len(got) != want {
			t.Errorf("%s: %d bytes, want %d", a.Name, len(got), want)
		}
	}
	works(t, dir, "", "keygen", "default")
	works(t, dir, "", "keygen", "another")
	if a, b := readFile(t, dir, "default"), readFile(t, dir, "another"); len(a) != 32 || a == b {
		t.Errorf("two keys: %x, %x", a, b)
	}
	works(t, dir, "", "keygen", "-size", "7", "-hex", "digits")
	if key, err := hex.DecodeString(strings.TrimSuffix(readFile(t, dir, "digits"), "\n")); err != nil || len(key) != 7 {
		t.Errorf("-hex: %x, %v", key, err)
	}
	for _, size := range []string{"1", "1024"} {
		works(t, dir, "", "keygen", "-size", size, "size"+size)
		if got := strconv.Itoa(len(readFile(t, dir, "size"+size))); got != size {
			t.Errorf("-size %s gives %s bytes", size, got)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "digits"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v", info.Mode())
	}
}

// A key that exists is not lost, whatever stands at its name.
func TestKeygenOverwrites(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "key", "old")
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	for _, name := range []string{"key", "link", "."} {
		fails(t, dir, "", exitFailed, name+" exists; a key is not overwritten", "keygen", name)
	}
	fails(t, dir, "", exitFailed, "no such file or directory", "keygen", "folder/key")
	if readFile(t, dir, "key") != "old" || names(t, dir) != before {
		t.Errorf("%q, files %s", readFile(t, dir, "key"), names(t, dir))
	}
}

func TestKeygenUsage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, text string }{
		{"", "give the name of one file"},
		{"a b", "give the name of one file"},
		{"-", "standard output"},
		{"-size 0 k", "make one of 1 to 1024"},
		{"-size 1025 k", "make one of 1 to 1024"},
		{"-size 16 -a magma k", "only one of"},
		{"-a magmo k", "unknown algorithm"},
	} {
		got := program(t, dir, "", append([]string{"keygen"}, strings.Fields(c.args)...)...)
		if got.status != exitUsage || got.out != "" || !strings.Contains(got.err, c.text) {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
	if got := names(t, dir); got != "" {
		t.Errorf("files are left: %s", got)
	}
}
