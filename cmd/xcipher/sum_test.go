package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

// RFC 6986 section 10.1, in the byte order of files.
const (
	message   = "012345678901234567890123456789012345678901234567890123456789012"
	digest256 = "9d151eefd8590b89daa6ba6cb74af9275dd051026bb149a452fd84e5e57b5500"
	digest512 = "1b54d01a4af5b9d5cc3d86d68d285462b19abc2475222f35c085122be4ba1ffa" +
		"00ad30f8767b3a82384c6574f024c311e2a481332b08ef7f41797891c1646f48"
	empty256 = "3f539a213e97c802cc229d474c6aa32a825a360b2a933a949fd925208d9ce1bb"
)

func TestSum(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "m1", message)
	writeFile(t, dir, "empty", "")
	writeFile(t, dir, "two words", message)
	for _, c := range []struct {
		name, stdin string
		args        []string
		want        result
	}{
		{"default", "", []string{"sum", "m1"}, result{out: digest256 + " m1\n"}},
		{"512", "", []string{"sum", "-a", "streebog512", "m1"}, result{out: digest512 + " m1\n"}},
		{"standard input", message, []string{"sum"}, result{out: digest256 + " -\n"}},
		{"dash", message, []string{"sum", "-a", "streebog256", "-"}, result{out: digest256 + " -\n"}},
		{"several", message, []string{"sum", "empty", "-", "two words"},
			result{out: empty256 + " empty\n" + digest256 + " -\n" + digest256 + " two words\n"}},
		{"missing", "", []string{"sum", "m1", "nothing", "empty"},
			result{digest256 + " m1\n" + empty256 + " empty\n", "xcipher sum: open nothing: no such file or directory\n", 1}},
		{"directory", "", []string{"sum", "."}, result{"", "xcipher sum: read .: is a directory\n", 1}},
		{"unknown", "", []string{"sum", "-a", "streebog", "m1"},
			result{"", "xcipher sum: unknown hash algorithm \"streebog\"; there is streebog256, streebog512\n", 2}},
	} {
		if got := program(t, dir, c.stdin, c.args...); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
	}
}

func TestSumOfEveryHash(t *testing.T) {
	for _, a := range catalog.Algorithms() {
		if a.Kind != catalog.Hash {
			continue
		}
		got := program(t, "", message, "sum", "-a", a.Name)
		if got.status != 0 || len(got.out) != 2*a.Size+len(" -\n") {
			t.Errorf("%s: %+v", a.Name, got)
		}
	}
}

// tool runs another program in dir. Without it a test is skipped, but fails in CI.
func tool(t *testing.T, dir, stdin, name string, args ...string) (out string, err error) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("this test needs another program: ", err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdin = strings.NewReader(stdin)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	err = cmd.Run()
	return both.String(), err
}

// toolWorks is for programs that must succeed.
func toolWorks(t *testing.T, dir, stdin, name string, args ...string) string {
	t.Helper()
	out, err := tool(t, dir, stdin, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

// severalFiles makes files of some sizes and with some names, all of which
// gost12sum and the coreutils can handle.
func severalFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	for name, size := range map[string]int{
		"empty": 0, "one": 1, "block": 64, "two words": 65, "buffer": bufferSize, "more": 3*bufferSize + 17,
		`back\slash`: 10, "-dash": 11, "(parens) = x": 12, "имя": 13, "'quoted'": 14, "star *": 15, "sub/file": 16, "# hash": 17,
	} {
		if sub := filepath.Dir(name); sub != "." {
			if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		writeFile(t, dir, name, random(size))
		names = append(names, name)
	}
	return names
}

// oddNames are those that need more than to be written down.
var oddNames = []string{"line\nbreak", "\r", "both\r\n\\n", " space", "*star", "  ", `\`, `\n`, "tab\tname"}

func TestSumLikeGost12sum(t *testing.T) {
	dir := t.TempDir()
	files := append([]string{"--"}, severalFiles(t, dir)...)
	for algorithm, theirs := range map[string][]string{"streebog256": nil, "streebog512": {"-l"}} {
		want := toolWorks(t, dir, "", "gost12sum", append(theirs, files...)...)
		same(t, works(t, dir, "", append([]string{"sum", "-a", algorithm}, files...)...), want, algorithm)

		want = toolWorks(t, dir, "text", "gost12sum", theirs...)
		same(t, works(t, dir, "text", "sum", "-a", algorithm), want, algorithm+" of standard input")
	}
}

func TestSumTagLikeRHash(t *testing.T) {
	dir := t.TempDir()
	for _, name := range severalFiles(t, dir) {
		if strings.ContainsAny(name, "\\-#") { // where rhash does otherwise, or takes a flag
			continue
		}
		for algorithm, flag := range map[string]string{"streebog256": "--gost12-256", "streebog512": "--gost12-512"} {
			want := toolWorks(t, dir, "", "rhash", "--bsd", flag, name)
			got := works(t, dir, "", "sum", "-tag", "-a", algorithm, name)
			if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
				t.Errorf("we print %q, rhash %q", got, want)
			}
			writeFile(t, dir, "list.bsd", got)
			toolWorks(t, dir, "", "rhash", "-c", "list.bsd")
		}
	}
}

func TestSumNames(t *testing.T) {
	p := &printer{}
	tagged := &printer{tag: "GOST12-256"}
	for _, c := range []struct{ name, line, tagged string }{
		{"a b", "ff a b", "GOST12-256 (a b) = ff"},
		{" a", "ff   a", "GOST12-256 ( a) = ff"},
		{"*a", "ff  *a", "GOST12-256 (*a) = ff"},
		{`a\b`, `ff a\b`, `\GOST12-256 (a\\b) = ff`},
		{"a\nb", `\ff a\nb`, `\GOST12-256 (a\nb) = ff`},
		{"*\r\\", `\ff  *\r\\`, `\GOST12-256 (*\r\\) = ff`},
	} {
		same(t, p.line([]byte{255}, c.name), c.line+"\n", c.name)
		same(t, tagged.line([]byte{255}, c.name), c.tagged+"\n", c.name)
	}
}

// The digest is what gost12sum prints.
func TestSumLong(t *testing.T) {
	if testing.Short() {
		t.Skip("hashes 3 GiB")
	}
	dir := t.TempDir()
	writeFile(t, dir, "sparse", "")
	if err := os.Truncate(filepath.Join(dir, "sparse"), 3<<30); err != nil {
		t.Fatal(err)
	}
	same(t, works(t, dir, "", "sum", "sparse"), "b37c82fbaff75b983048c38e2ccfe4880c898e58f0ca0d7b0f976d2d93a860a5 sparse\n", "3 GiB of zeros")
}

// Files that cannot be read, standard input among them.
func TestSumUnreadable(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "m1", message)
	writeFile(t, dir, "closed", message)
	if err := os.Chmod(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	unreadable := []string{"."}
	if _, err := os.Open(filepath.Join(dir, "closed")); errors.Is(err, os.ErrPermission) { // not for root
		unreadable = append(unreadable, "closed")
	}
	if _, err := os.Stat("/proc/self/mem"); err == nil {
		unreadable = append(unreadable, "/proc/self/mem") // opens, but has no byte 0
	}
	for _, name := range unreadable {
		got := program(t, dir, "", "sum", name, "m1")
		if got.status != exitFailed || got.out != digest256+" m1\n" || !strings.Contains(got.err, name) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	cmd := asCommand(dir, "sum")
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	cmd.Stdin = folder
	if out, err := cmd.Output(); err == nil || len(out) > 0 {
		t.Errorf("standard input that is a directory: %v, %s", err, out)
	}
}
