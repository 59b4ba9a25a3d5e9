package main

import (
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

func TestList(t *testing.T) {
	got := program(t, "", "", "list")
	if got.status != 0 || got.err != "" {
		t.Fatalf("%+v", got)
	}
	lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
	all := catalog.Algorithms()
	if len(lines) != len(all)+1 {
		t.Fatalf("%d lines for %d algorithms", len(lines), len(all))
	}
	for i, a := range all {
		if !strings.HasPrefix(lines[i+1], a.Name+" ") {
			t.Errorf("line %d: %q, want %s", i+1, lines[i+1], a.Name)
		}
	}
	if got := program(t, "", "", "list", "x"); got.status != exitUsage || got.out != "" || !strings.Contains(got.err, "unknown kind") {
		t.Errorf("list of an unknown kind: %+v", got)
	}
}

func TestListOfKinds(t *testing.T) {
	for _, kind := range kinds {
		var want []string
		for _, a := range catalog.Algorithms() {
			if a.Kind == kind {
				want = append(want, a.Name)
			}
		}
		if len(want) == 0 {
			t.Fatalf("no algorithm is of kind %s", kind)
		}
		got := works(t, "", "", "list", "-names", string(kind))
		same(t, got, strings.Join(want, "\n")+"\n", string(kind))
		if table := works(t, "", "", "list", string(kind)); strings.Count(table, "\n") != 1+len(want) {
			t.Errorf("%s:\n%s", kind, table)
		}
	}
	if got := works(t, "", "", "list", "-names"); strings.Count(got, "\n") != len(catalog.Algorithms()) {
		t.Errorf("all names:\n%s", got)
	}
}

func TestListTable(t *testing.T) {
	for kind, want := range map[string]string{
		"hash": "" +
			"NAME           KIND  KEY  NONCE  BLOCK  SIZE  STANDARD                          NOTE\n" +
			"streebog256    hash  -    -      64     32    GOST R 34.11-2012, RFC 6986\n" +
			"streebog512    hash  -    -      64     64    GOST R 34.11-2012, RFC 6986\n" +
			"saturnin-hash  hash  -    -      32     32    Saturnin v1.1 (NIST LWC round 2)\n",
		"mac":    "aes-cmac          mac   16,24,32  -      16     16    NIST SP 800-38B, RFC 4493",
		"aead":   "magma-mgm             aead  32   7      -      8     RFC 9058",
		"stream": "chacha20        stream  32   8,12,24  -      -     RFC 8439",
		"block":  "saturnin     block  32   -      32     -     Saturnin v1.1",
	} {
		if got := works(t, "", "", "list", kind); !strings.Contains(got, want) {
			t.Errorf("list %s has no\n%s\n%s", kind, want, got)
		}
	}
	if got := works(t, "", "", "list", "mac"); !strings.Contains(got, "hmac-streebog512  mac   any ") {
		t.Errorf("list mac:\n%s", got)
	}
}
