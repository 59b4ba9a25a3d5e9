package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// pkg is what go list tells of a package.
type pkg struct {
	Dir, ImportPath string
	GoFiles         []string
	IgnoredGoFiles  []string // for other tags
	Module          struct{ Path string }
}

// name returns a file's path in the module.
func (p pkg) name(file string) string {
	return path.Join(strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/"), file)
}

func load(patterns ...string) (packages []pkg, err error) { return loadIn("", nil, patterns...) }

// loadIn lists packages of the module in dir, where the environment has env.
func loadIn(dir string, env []string, patterns ...string) (packages []pkg, err error) {
	cmd := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,GoFiles,IgnoredGoFiles,Module", "--"}, patterns...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// tester runs the tests that shall notice the mutants of a package.
type tester struct {
	tests []pkg
	limit []time.Duration // of each
	tmp   string

	generator *generator // whose mutants they are, or nil
}

// newTester runs the tests without a mutant. tests may be empty: those of p.
func newTester(p pkg, tests string) (*tester, error) {
	t := &tester{tests: []pkg{p}}
	var err error
	if tests != "" {
		if t.tests, err = load(strings.Split(tests, ",")...); err != nil {
			return nil, err
		}
	}
	if t.tmp, err = os.MkdirTemp("", "mutate"); err != nil {
		return nil, err
	}
	for _, p := range t.tests {
		began := time.Now()
		binary, out, err := t.build(p)
		if err == nil {
			began = time.Now()
			out, err = t.test(p, binary, time.Hour)
		}
		if err != nil {
			t.close()
			return nil, fmt.Errorf("without a mutant: %w\n%s", err, out)
		}
		limit := 10*time.Second + 10*time.Since(began)
		if *timeout > 0 {
			limit = *timeout
		}
		t.limit = append(t.limit, limit)
	}
	return t, nil
}

func (t *tester) close() { os.RemoveAll(t.tmp) }

// run returns the fate of a mutant.
func (t *tester) run(m mutant) (fate string, err error) {
	source, err := os.ReadFile(m.path)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(t.tmp, "changed.go")
	if err := os.WriteFile(changed, m.apply(source), 0o666); err != nil {
		return "", err
	}
	replace := map[string]string{m.path: changed}
	if t.generator != nil {
		return t.generator.fate(t, replace)
	}
	return t.fate(replace, nil)
}

// overlay returns the flags that make the compiler read other files.
func (t *tester) overlay(replace map[string]string) (flags []string, err error) {
	path := filepath.Join(t.tmp, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return []string{"-overlay", path}, os.WriteFile(path, text, 0o666)
}

// made returns the names of what a generator writes.
func (t *tester) made() (asm, stubs string) {
	return filepath.Join(t.tmp, "made.s"), filepath.Join(t.tmp, "made.go")
}

// fate runs the tests with replaced files. original is the test program without a
// mutant, or nil; one that is equal need not run.
func (t *tester) fate(replace map[string]string, original *[sha256.Size]byte) (string, error) {
	flags, err := t.overlay(replace)
	if err != nil {
		return "", err
	}
	for i, p := range t.tests {
		binary, _, err := t.build(p, flags...)
		if err != nil {
			return notCompiling, exited(err)
		}
		if original != nil && i == 0 {
			sum, err := digest(binary)
			if err != nil {
				return "", err
			}
			if sum == *original {
				return unchanged, nil
			}
		}
		if _, err := t.test(p, binary, t.limit[i]); err != nil {
			return killed, exited(err)
		}
	}
	return survived, nil
}

// exited returns err unless it tells only that a program has failed.
func exited(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

func (t *tester) build(p pkg, flags ...string) (binary string, out []byte, err error) {
	binary = filepath.Join(t.tmp, "test")
	args := append([]string{"test", "-c", "-ldflags", "-s -w -buildid=", "-o", binary}, flags...)
	cmd := exec.Command("go", append(args, p.ImportPath)...)
	cmd.Dir = p.Dir
	out, err = cmd.CombinedOutput()
	return binary, out, err
}

// test runs a test binary.
func (t *tester) test(p pkg, binary string, limit time.Duration) (out []byte, err error) {
	// Tests may reserve more addresses than they use memory.
	return within(limit, 8<<20, p.Dir, binary, "-test.short", "-test.failfast")
}

// limited runs a generator.
func (t *tester) limited(program string, args ...string) (out []byte, err error) {
	return within(time.Minute, 1<<20, t.tmp, program, args...)
}

// within runs a program. A mutant may loop for ever, or ask for all memory: it
// gets so many KiB.
func within(limit time.Duration, memory int, dir, program string, args ...string) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	script := fmt.Sprintf(`ulimit -d %d; exec "$0" "$@"`, memory)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", script, program}, args...)...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	return cmd.CombinedOutput()
}
