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

// The test binary stands for the program when this variable is set.
const asProgram = "XCIPHER_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

type result struct {
	out, err string
	status   int
}

// program runs xcipher in dir.
func program(t *testing.T, dir, stdin string, args ...string) result {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

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
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("m1", message)
	write("empty", "")
	write("two words", message)
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
		{"no command", "", []string{"smu"}, result{"", "xcipher: unknown command \"smu\"; try xcipher help\n", 2}},
	} {
		if got := program(t, dir, c.stdin, c.args...); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
	}
	if got := program(t, dir, "", "sum", "-x"); got.status != exitUsage || !strings.Contains(got.err, "usage: xcipher sum") {
		t.Errorf("unknown flag: %+v", got)
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
	if got := program(t, "", "", "list", "x"); got.status != exitUsage {
		t.Errorf("list with an argument: %+v", got)
	}
}

func TestHelp(t *testing.T) {
	if got := program(t, "", "", "help"); got.status != 0 || !strings.Contains(got.out, "xcipher command") {
		t.Errorf("help: %+v", got)
	}
	if got := program(t, "", "", "help", "sum"); got.status != 0 || !strings.Contains(got.err, "usage: xcipher sum [-a algorithm] [file ...]") {
		t.Errorf("help sum: %+v", got)
	}
	if got := program(t, "", ""); got.status != exitUsage || got.out != "" {
		t.Errorf("no arguments: %+v", got)
	}
}

// A full disk or a closed pipe must not look like success.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		if _, statErr := os.Stat("/dev/full"); statErr == nil {
			t.Fatal(err)
		}
		return // no such device on this system
	}
	defer full.Close()
	for _, args := range [][]string{{"sum"}, {"list"}} {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		cmd.Stdout = full
		if err := cmd.Run(); err == nil {
			t.Errorf("%v on a full disk succeeds", args)
		}
	}
}
