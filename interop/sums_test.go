package interop

import (
	"bytes"
	"crypto/hmac"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"xcipher/interop/tally"
)

// gost12sum is the reference for the output of xcipher sum, to the byte.
func TestGost12sum(t *testing.T) {
	tool := filepath.Join(scratch, "xcipher")
	build := exec.Command("go", "build", "-o", tool, ".")
	build.Dir = "../cmd/xcipher"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var names []string
	for i, n := range lengths {
		name := filepath.Join(t.TempDir(), fmt.Sprintf("file %d", i))
		if err := os.WriteFile(name, random(n), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	for algorithm, flags := range map[string][]string{"streebog256": nil, "streebog512": {"-l"}} {
		ours := func(t *testing.T, text []byte, names ...string) []byte {
			return run(t, text, tool, append([]string{"sum", "-a", algorithm}, names...)...)
		}
		theirs := func(t *testing.T, text []byte, names ...string) []byte {
			return run(t, text, "gost12sum", append(flags, names...)...)
		}
		tally.Run(t, "gost12sum", algorithm+" of files", func(t *testing.T) {
			if got, want := ours(t, nil, names...), theirs(t, nil, names...); !bytes.Equal(got, want) {
				t.Errorf("\n%s, gost12sum:\n%s", got, want)
			}
		})
		tally.Run(t, "gost12sum", algorithm+" of standard input", func(t *testing.T) {
			for _, n := range few {
				text := random(n)
				if got, want := ours(t, text), theirs(t, text); !bytes.Equal(got, want) {
					t.Errorf("%s, gost12sum: %s", got, want)
				}
			}
		})
		tally.Run(t, "gost12sum", algorithm+" checked", func(t *testing.T) {
			list := filepath.Join(t.TempDir(), "list")
			right := ours(t, nil, names...)
			if err := os.WriteFile(list, right, 0o600); err != nil {
				t.Fatal(err)
			}
			run(t, nil, "gost12sum", "-c", list)

			wrong := bytes.Clone(right)
			wrong[0] ^= 1 // another hexadecimal digit
			if err := os.WriteFile(list, wrong, 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := try(nil, "gost12sum", "-c", list); err == nil {
				t.Errorf("it takes a wrong digest: %s", out)
			}
		})
	}
}

func TestRHash(t *testing.T) {
	for _, s := range streebogs {
		flag := "--gost12-" + s.bits
		tally.Run(t, "rhash", "streebog"+s.bits, func(t *testing.T) {
			for _, n := range lengths {
				name, text := file(t, n)
				want := fmt.Sprintf("%x  %s\n", sum(s.new, text), name)
				if got := run(t, nil, "rhash", flag, name); string(got) != want {
					t.Errorf("%d bytes: we have %srhash: %s", n, want, got)
				}
			}
		})
		tally.Run(t, "rhash", "streebog"+s.bits+" checked", func(t *testing.T) {
			name, text := file(t, 1000)
			digest := sum(s.new, text)
			list := filepath.Join(t.TempDir(), "list")
			for _, wrong := range []bool{false, true} {
				if wrong {
					digest[5] ^= 1
				}
				if err := os.WriteFile(list, fmt.Appendf(nil, "%x  %s\n", digest, name), 0o600); err != nil {
					t.Fatal(err)
				}
				if !wrong {
					run(t, nil, "rhash", flag, "-c", list)
				} else if out, err := try(nil, "rhash", flag, "-c", list); err == nil {
					t.Errorf("it takes a wrong digest: %s", out)
				}
			}
		})
	}
}

func TestNettle(t *testing.T) {
	for _, s := range streebogs {
		tally.Run(t, "nettle-hash", "streebog"+s.bits, func(t *testing.T) {
			for _, n := range lengths {
				text := random(n)
				same(t, sum(s.new, text), run(t, text, "nettle-hash", "-a", "streebog"+s.bits, "--raw"), "%d bytes", n)
			}
		})
	}
}

func TestBotan(t *testing.T) {
	field := func(out []byte) string { return strings.Fields(string(out))[0] }
	for _, s := range streebogs {
		tally.Run(t, "botan", "streebog"+s.bits, func(t *testing.T) {
			for _, n := range lengths {
				name, text := file(t, n)
				want := fmt.Sprintf("%X", sum(s.new, text))
				if got := field(run(t, nil, "botan", "hash", "--algo=Streebog-"+s.bits, name)); got != want {
					t.Errorf("%d bytes: we have %s, botan %s", n, want, got)
				}
			}
		})
		tally.Run(t, "botan", "hmac-streebog"+s.bits, func(t *testing.T) {
			for _, n := range few {
				keyName, key := file(t, 1+n)
				name, text := file(t, n)
				m := hmac.New(s.new, key)
				m.Write(text)
				want := strings.ToUpper(hex.EncodeToString(m.Sum(nil)))
				if got := field(run(t, nil, "botan", "hmac", "--hash=Streebog-"+s.bits, keyName, name)); got != want {
					t.Errorf("%d bytes: we have %s, botan %s", n, want, got)
				}
			}
		})
	}
}
