package main

import (
	"bytes"
	"context"
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
	Module          struct{ Path string }
}

// name returns a file's path in the module.
func (p pkg) name(file string) string {
	return path.Join(strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/"), file)
}

func load(patterns ...string) (packages []pkg, err error) {
	cmd := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,GoFiles,Module", "--"}, patterns...)...)
	cmd.Stderr = os.Stderr
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
	changed, overlay := filepath.Join(t.tmp, "changed.go"), filepath.Join(t.tmp, "overlay.json")
	if err := os.WriteFile(changed, m.apply(source), 0o666); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{m.path: changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, replace, 0o666); err != nil {
		return "", err
	}
	for i, p := range t.tests {
		binary, _, err := t.build(p, "-overlay", overlay)
		if err != nil {
			return notCompiling, exited(err)
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
	args := append([]string{"test", "-c", "-o", binary}, flags...)
	cmd := exec.Command("go", append(args, p.ImportPath)...)
	cmd.Dir = p.Dir
	out, err = cmd.CombinedOutput()
	return binary, out, err
}

// test runs a test binary. A mutant may loop for ever, or ask for all memory: it
// gets 8 GiB. Tests may reserve more addresses than that.
func (t *tester) test(p pkg, binary string, limit time.Duration) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -d 8388608; exec "$0" "$@"`, binary, "-test.short", "-test.failfast")
	cmd.Dir = p.Dir
	cmd.WaitDelay = time.Second
	return cmd.CombinedOutput()
}
