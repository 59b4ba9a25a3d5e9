//go:build !valgrind

package ctcheck_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"xcipher/internal/cpu"
	"xcipher/internal/ctcheck"
)

func TestWithoutValgrind(t *testing.T) {
	b := []byte("abc")
	ctcheck.Secret(b)
	if ctcheck.Running() || ctcheck.IsSecret(b) || ctcheck.Errors() != 0 {
		t.Error("marks without the build tag")
	}
	ctcheck.Declassify(b)
	if string(b) != "abc" {
		t.Errorf("marks change the memory to %q", b)
	}
}

// A step of the stack pointer beyond --max-stackframe is a change of goroutines to
// memcheck, a smaller one a new frame. With the default of 2 MB results are random;
// below the largest frame, which kernels for many blocks have, secrets are lost.
var memcheck = []string{"-q", "--tool=memcheck", "--error-limit=no", "--max-stackframe=6144",
	"--suppressions=testdata/go.supp", "--num-callers=12"}

// Preemption by signals and the collector disturb memcheck, and RDTSCP is not
// known to it on every machine.
var environment = []string{"GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off"}

// TestConstantTime runs the tests that have the tag valgrind under valgrind.
func TestConstantTime(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the marks are for linux/amd64")
	}
	if out, err := exec.Command("valgrind", "-q", "--tool=none", "/bin/true").CombinedOutput(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("valgrind: %v\n%s", err, out)
		}
		t.Skipf("valgrind: %v\n%s", err, out)
	}
	dependOnSources(t)
	ctx, cancel := context.WithCancel(context.Background())
	if deadline, ok := t.Deadline(); ok {
		ctx, cancel = context.WithDeadline(context.Background(), deadline.Add(-5*time.Second))
	}
	defer cancel()

	program, tags := filepath.Join(t.TempDir(), "ctcheck.test"), "valgrind"
	if purego {
		tags += ",purego"
	}
	build := exec.CommandContext(ctx, "go", "test", "-c", "-tags", tags, "-cover", "-coverpkg=xcipher/...", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	profile := filepath.Join(t.TempDir(), "profile")
	args := append(slices.Clone(memcheck), program, "-test.v", "-test.timeout=0", "-test.coverprofile="+profile)
	if testing.Short() {
		args = append(args, "-test.short")
	}
	run := exec.CommandContext(ctx, "valgrind", args...)
	run.Env = append(os.Environ(), environment...)
	out, err := run.CombinedOutput()
	r := read(string(out))
	t.Logf("%s\nverdicts: %s", strings.Join(r.totals, "\n"), strings.Join(r.verdicts, ", "))
	if err != nil || len(r.reports) > 0 {
		t.Errorf("%v: %v\n%s", run, err, strings.Join(slices.Concat(r.reports, r.other), "\n"))
	}
	for _, want := range []string{"planted faults: ", "blocks: ", "modes: ", "AEADs: ", "random nonces: ", "pieces: ",
		"MACs: ", "hashes: ", "streams: ", "more: ", "all: "} {
		if !slices.ContainsFunc(r.totals, func(s string) bool { return strings.HasPrefix(s, "ctcheck: "+want) }) {
			t.Errorf("the tests did not come to %q", want)
		}
	}
	if cpu.AVX2 && !slices.Contains(r.totals, "ctcheck: tier avx2: true") {
		t.Error("this machine has AVX2, but valgrind did not show it")
	}
	if !testing.Short() { // which has not all lengths
		kernels(t, profile, slices.Contains(r.totals, "ctcheck: tier avx2: true"))
	}
}

// forAVX512 are functions without AVX-512 that only that tier calls.
var forAVX512 = []string{"internal/poly1305.powersMULX"}

// kernels checks that all assembly was watched that valgrind can execute.
func kernels(t *testing.T, profile string, avx2 bool) {
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	called, others, err := ctcheck.Kernels("../..", f)
	if err != nil {
		t.Fatal(err)
	}
	if purego || !avx2 {
		if len(called) > 0 {
			t.Errorf("assembly was called: %q", called)
		}
		return
	}
	for _, name := range forAVX512 {
		if !slices.Contains(others, name) {
			t.Errorf("%s is called without AVX-512 now, or is no more", name)
		}
	}
	others = slices.DeleteFunc(others, func(name string) bool {
		return strings.Contains(name, "AVX512") || strings.Contains(name, "GFNI") || slices.Contains(forAVX512, name)
	})
	if len(others) > 0 || len(called) == 0 {
		t.Errorf("kernels that were not watched: %q; watched: %q", others, called)
	}
	t.Logf("%d kernels were watched: %s", len(called), strings.Join(called, ", "))
}

func TestKernels(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a_amd64_stubs.go": "package a\n\nfunc one(x int)\n\nfunc two()\n\nfunc three() int\n",
		"a/a_amd64.go":       "package a\n\nfunc f(x bool) {\n\tif x { one(three()) } else { two() }\n}\n",
		"a/b_amd64_test.go":  "package a\n\nfunc g() {\n\ttwo()\n}\n",
		"cmd/c_amd64.go":     "package c\n\nfunc four()\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const profile = "mode: set\nm/a/a_amd64.go:3.18,4.8 1 1\nm/a/a_amd64.go:4.8,4.26 1 1\nm/a/a_amd64.go:4.30,4.40 1 0\nm/a/b_amd64_test.go:3.1,5.1 1 1\n"
	called, others, err := ctcheck.Kernels(dir, strings.NewReader(profile))
	if err != nil || !slices.Equal(called, []string{"a.one", "a.three"}) || !slices.Equal(others, []string{"a.two"}) {
		t.Errorf("called %q, others %q, %v", called, others, err)
	}
	if _, _, err := ctcheck.Kernels(dir, strings.NewReader("mode: set\nnonsense\n")); err == nil {
		t.Error("a profile that is none is read")
	}
}

// dependOnSources looks at every source file of the module. This test imports next
// to nothing of what it checks, and go test would take its last result for good;
// but it runs a test anew if a file that the test has looked at has changed.
func dependOnSources(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && len(d.Name()) > 2 && d.Name()[0] == '.' {
			return filepath.SkipDir
		}
		switch filepath.Ext(path) {
		case ".go", ".s", ".mod", ".supp":
			if err == nil {
				_, err = os.Stat(path)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// results is what the tests under valgrind printed.
type results struct {
	totals   []string
	reports  []string // of valgrind, where none must be, and what say("!") tells of
	verdicts []string // where they are
	other    []string
}

var (
	pid   = regexp.MustCompile(`^==\d+== ?`)
	place = regexp.MustCompile(`^ +at 0x[0-9A-F]+: (.*)`)
)

func read(out string) (r results) {
	var pending []string // reports in a call that must be reported
	inWanted, verdict := false, false
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "ctcheck: "):
			r.totals = append(r.totals, line)
		case strings.HasPrefix(line, "ctcheck> "), strings.HasPrefix(line, "ctcheck~ "):
			pending, inWanted, verdict = nil, true, line[len("ctcheck")] == '>'
		case strings.HasPrefix(line, "ctcheck< "):
			for _, w := range pending {
				m := place.FindStringSubmatch(w)
				if m != nil && verdict && !slices.Contains(r.verdicts, m[1]) {
					r.verdicts = append(r.verdicts, m[1])
				}
			}
			pending, inWanted = nil, false
		case strings.HasPrefix(line, "ctcheck! "):
			r.reports = append(append(r.reports, pending...), line)
			pending, inWanted = nil, false
		case pid.MatchString(line):
			if len(r.totals) == 0 {
				continue // the start of the runtime
			}
			line = pid.ReplaceAllString(line, "")
			if inWanted {
				pending = append(pending, line)
			} else {
				r.reports = append(r.reports, line)
			}
		case !strings.HasPrefix(line, "=== ") && !strings.Contains(line, "--- PASS"):
			r.other = append(r.other, line)
		}
	}
	return r
}

func TestRead(t *testing.T) {
	report := func(place string) string {
		return "==7== Use of uninitialised value of size 8\n==7==    at 0x4A0: " + place + "\n==7== \n"
	}
	r := read(report("runtime") + "ctcheck: all: 3\nctcheck> Open\n" + report("verdict") + "ctcheck< Open\n" +
		"ctcheck~ planted\n" + report("fault") + "ctcheck< planted\n" + report("leak") + "ctcheck! Seal: 1\n" +
		"ctcheck> Open\n" + report("two") + report("many") + "ctcheck! Open: 2\n" + report("outside"))
	var places []string
	for _, line := range r.reports {
		if m := place.FindStringSubmatch(line); m != nil {
			places = append(places, m[1])
		}
	}
	if got := strings.Join(places, " "); got != "leak two many outside" {
		t.Errorf("reports of %q", got)
	}
	if got := strings.Join(r.verdicts, " "); got != "verdict" {
		t.Errorf("verdicts at %q", got)
	}
	if !slices.Equal(r.totals, []string{"ctcheck: all: 3"}) {
		t.Errorf("totals %q", r.totals)
	}
}
