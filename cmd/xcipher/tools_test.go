package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// What the tests of enc, dec, seal and open share.

// Under the race detector, each program would wait a second before it exits.
func init() {
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
}

// asCommand returns xcipher to be run in dir.
func asCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// works runs xcipher in dir, which must succeed without a word, and returns its
// output.
func works(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	got := program(t, dir, stdin, args...)
	if got.status != exitOK || got.err != "" {
		t.Fatalf("xcipher %s: status %d, %q", strings.Join(args, " "), got.status, got.err)
	}
	return got.out
}

// fails runs xcipher in dir, which must exit with the status, and write nothing but
// a message that contains text.
func fails(t *testing.T, dir, stdin string, status int, text string, args ...string) {
	t.Helper()
	got := program(t, dir, stdin, args...)
	if got.status != status || got.out != "" || !strings.Contains(got.err, text) || strings.Count(got.err, "\n") != 1 {
		t.Errorf("xcipher %s: status %d, %d bytes of output, %q; want status %d, no output and %q", strings.Join(args, " "),
			got.status, len(got.out), got.err, status, text)
	}
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// names returns what there is in a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func random(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return string(b)
}

func randomHex(n int) string { return hex.EncodeToString([]byte(random(n))) }

// same compares without showing megabytes.
func same(t *testing.T, got, want, what string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %d bytes, %.40x..., want %d, %.40x...", what, len(got), got, len(want), want)
	}
}

// engine tells why there is no GOST engine, if there is none.
var engine = sync.OnceValue(func() error {
	out, err := exec.Command("openssl", "engine", "gost").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return err
})

// opensslConfig loads the engine for all algorithms.
const opensslConfig = "openssl_conf = a\n[a]\nengines = b\n[b]\ngost = c\n[c]\ndefault_algorithms = ALL\n"

// openssl runs openssl with the GOST engine. Without them a test is skipped, but
// fails in CI.
func openssl(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	if err := engine(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("this test needs openssl with the engine gost: ", err)
	}
	dir := t.TempDir()
	writeFile(t, dir, "openssl.cnf", opensslConfig)
	cmd := exec.Command("openssl", args...)
	cmd.Env = append(os.Environ(), "OPENSSL_CONF="+filepath.Join(dir, "openssl.cnf"))
	cmd.Stdin = strings.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return string(out)
}
