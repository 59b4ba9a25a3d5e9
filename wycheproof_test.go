package xcipher_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"hash"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"xcipher/aead/chachapoly"
	"xcipher/internal/conform"
	"xcipher/mac/cmac"
	"xcipher/vectors"
)

// Project Wycheproof's vectors are 26 MB, so nobody downloads them but this test.
// No go.sum pins the module; the sum here does.
const (
	wycheproofModule = "github.com/c2sp/wycheproof@v0.0.0-20260902155932-3fa63dd0344a"
	wycheproofSum    = "h1:pNbL2nztRsWfW/ispAwsvcDFxs9Id38uIsR2/Up5G2c="
)

// wycheproofDir downloads the module if it is not there yet, and returns its
// folder. The test is skipped if that is impossible, but fails in CI: what is
// skipped there looks as if it had passed.
func wycheproofDir(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes, so no go command")
	}
	cmd := exec.Command("go", "mod", "download", "-json", wycheproofModule)
	// Away from go.mod and go.work of this module, which have nothing to do with it.
	cmd.Dir = t.TempDir()
	flags := slices.DeleteFunc(strings.Fields(os.Getenv("GOFLAGS")), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return name == "mod" || name == "modfile"
	})
	cmd.Env = append(os.Environ(), "PWD="+cmd.Dir, "GOWORK=off", "GO111MODULE=on", "GOFLAGS="+strings.Join(flags, " "))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		if os.Getenv("CI") == "true" && !emulated(err) {
			t.Fatalf("go mod download: %v\n%s%s", err, errs.Bytes(), out)
		}
		t.Skipf("go mod download: %v\n%s%s", err, errs.Bytes(), out)
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	if module.Sum != wycheproofSum {
		t.Fatalf("%s has the sum %s, want %s", wycheproofModule, module.Sum, wycheproofSum)
	}
	return module.Dir
}

func TestWycheproof(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the network")
	}
	dir := wycheproofDir(t)
	aead := func(newAEAD func([]byte) (cipher.AEAD, error)) func(*testing.T, *vectors.File) vectors.Result {
		return func(t *testing.T, f *vectors.File) vectors.Result {
			return vectors.RunAEAD(t, f, func(*vectors.Group) func([]byte) (cipher.AEAD, error) { return newAEAD })
		}
	}
	newCMAC := func(key []byte) (hash.Hash, error) {
		b, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cmac.New(b)
	}
	for _, c := range []struct {
		file string
		run  func(*testing.T, *vectors.File) vectors.Result
		want int // all its tests
	}{
		{"chacha20_poly1305_test", aead(chachapoly.New), 325},
		{"xchacha20_poly1305_test", aead(chachapoly.NewX), 315},
		{"aes_cmac_test", func(t *testing.T, f *vectors.File) vectors.Result {
			return vectors.RunMAC(t, f, func(*vectors.Group) func([]byte) (hash.Hash, error) { return newCMAC })
		}, 311},
	} {
		t.Run(c.file, func(t *testing.T) {
			text := must(os.ReadFile(filepath.Join(dir, "testvectors_v1", c.file+".json")))(t)
			f := must(vectors.Parse(c.file, text))(t)
			conform.Each(t, func(t *testing.T) {
				if got, want := c.run(t, f), (vectors.Result{Run: c.want}); got != want {
					t.Errorf("ran %+v, want %+v", got, want)
				}
			})
		})
	}
}
