package interop

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"xcipher/hash/streebog"
	"xcipher/interop/tally"
)

// scratch is a directory for what the tests build.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "interop"); err != nil {
		panic(err)
	}
	code := tally.Main(m, "gost12sum", "rhash", "nettle-hash", "botan", "openssl", "gost-engine", "gost provider",
		"GnuTLS", "libgcrypt", "libbotan", "libsodium", "aead", "x/crypto", "stored cases", "stored TLS 1.2 records", "stored TLS 1.3 records")
	os.RemoveAll(scratch)
	os.Exit(code)
}

func random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

// missing ends a test that cannot run here.
func missing(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// run returns the output of a program, whose absence ends the test.
func run(t *testing.T, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	out, err := try(stdin, name, args...)
	if errors.Is(err, exec.ErrNotFound) {
		missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func try(stdin []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.Bytes())
	}
	return out, err
}

// peer is a program that calls a C library (testdata/NAME.c).
type peer struct {
	name  string
	build func() error
}

func newPeer(name string, flags ...string) peer {
	return peer{name, sync.OnceValue(func() error {
		args := append([]string{"-O1", "-o", filepath.Join(scratch, name), filepath.Join("testdata", name+".c")}, flags...)
		_, err := try(nil, "gcc", args...)
		return err
	})}
}

var (
	gnutls = newPeer("gnutls", "-lgnutls")
	gcrypt = newPeer("gcrypt", "-lgcrypt")
	botan  = newPeer("botan", "-I/usr/include/botan-2", "-lbotan-2")
	sodium = newPeer("sodium", "-lsodium")
)

// run hands the program an algorithm, its arguments and a text.
func (p peer) run(t *testing.T, text []byte, algorithm string, args ...[]byte) []byte {
	t.Helper()
	if err := p.build(); err != nil {
		missing(t, err)
	}
	all := []string{algorithm}
	for _, a := range args {
		all = append(all, hex.EncodeToString(a))
	}
	return run(t, text, filepath.Join(scratch, p.name), all...)
}

// same compares our result with that of the other side.
func same(t *testing.T, got, want []byte, format string, args ...any) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: we have %s, they have %s", fmt.Sprintf(format, args...), brief(got), brief(want))
	}
}

func brief(b []byte) string {
	if len(b) > 40 {
		return fmt.Sprintf("%x... (%d bytes)", b[:40], len(b))
	}
	return fmt.Sprintf("%x", b)
}

var (
	lengths = []int{0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 1000, 65537, 3 << 20}
	few     = []int{0, 1, 16, 64, 65, 1000}
)

// streebogs are both sizes of the hash, in bits.
var streebogs = []struct {
	bits string
	new  func() hash.Hash
}{{"256", streebog.New256}, {"512", streebog.New512}}

func sum(newHash func() hash.Hash, text []byte) []byte {
	h := newHash()
	h.Write(text)
	return h.Sum(nil)
}

// file writes a file with random content and returns its name and content.
func file(t *testing.T, n int) (name string, text []byte) {
	t.Helper()
	name, text = filepath.Join(t.TempDir(), "some file"), random(n)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name, text
}
