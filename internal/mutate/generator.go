package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"xcipher/internal/asmcheck"
)

// generator is the command that makes a package's assembly, as the go:generate
// line of the package runs it.
type generator struct {
	pkg      pkg      // the command
	env      []string // such as GOWORK=off
	prefix   string   // of its file names in the module
	asm      string   // what it writes: absolute path of the .s file
	stubs    string   // and of the Go file with the declarations
	name     string   // of the package it writes for
	original [2][]byte
	binary   [sha256.Size]byte // of the test program without a mutant
}

// generatorOf finds the generator in the package's go:generate lines; nil if
// there is none.
func generatorOf(p pkg) (*generator, error) {
	for _, file := range append(p.GoFiles, p.IgnoredGoFiles...) {
		source, err := os.ReadFile(filepath.Join(p.Dir, file))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(source)) {
			if rest, ok := strings.CutPrefix(line, "//go:generate "); ok {
				if g, err := parseGenerate(p.Dir, rest); g != nil || err != nil {
					return g, err
				}
			}
		}
	}
	return nil, nil
}

// parseGenerate reads env GOWORK=off go -C dir run ./command -out file -stubs file
// -pkg name; nil for what is not such a line.
func parseGenerate(dir, line string) (*generator, error) {
	g := &generator{}
	var root, command string
	words := strings.Fields(line)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case strings.Contains(w, "=") && !strings.HasPrefix(w, "-"):
			g.env = append(g.env, w)
		case w == "-C":
			root = filepath.Join(dir, next)
		case w == "run":
			command = next
		case w == "-out":
			g.asm = filepath.Join(root, next)
		case w == "-stubs":
			g.stubs = filepath.Join(root, next)
		case w == "-pkg":
			g.name = next
		}
	}
	if root == "" || command == "" || g.asm == "" || g.stubs == "" || g.name == "" {
		return nil, nil
	}
	packages, err := loadIn(root, g.env, command)
	if err != nil {
		return nil, err
	}
	if len(packages) != 1 {
		return nil, fmt.Errorf("%s is not one package", command)
	}
	g.pkg, g.prefix = packages[0], filepath.Base(root)+"/"
	return g, nil
}

// prepare makes what mutants are compared with.
func (g *generator) prepare(t *tester) (err error) {
	if g.original, err = g.run(t, map[string]string{}); err != nil {
		return fmt.Errorf("without a mutant: %w", err)
	}
	for i, path := range []string{g.asm, g.stubs} {
		committed, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(afterHeader(committed), afterHeader(g.original[i])) {
			return fmt.Errorf("%s is not what the generator makes", path)
		}
	}
	binary, out, err := t.build(t.tests[0])
	if err != nil {
		return fmt.Errorf("without a mutant: %w\n%s", err, out)
	}
	g.binary, err = digest(binary)
	return err
}

// afterHeader cuts off the line that has the command.
func afterHeader(b []byte) []byte {
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	return rest
}

func digest(path string) (sum [sha256.Size]byte, err error) {
	b, err := os.ReadFile(path)
	return sha256.Sum256(b), err
}

var errRefused = errors.New("the generator fails")

// run runs the generator with replaced files, and returns the assembly and the
// declarations. If the generator itself fails, the error is errRefused.
func (g *generator) run(t *tester, replace map[string]string) (made [2][]byte, err error) {
	flags, err := t.overlay(replace)
	if err != nil {
		return made, err
	}
	program := filepath.Join(t.tmp, "generator")
	build := exec.Command("go", append(append([]string{"build", "-o", program}, flags...), g.pkg.ImportPath)...)
	build.Dir, build.Env = g.pkg.Dir, append(os.Environ(), g.env...)
	if out, err := build.CombinedOutput(); err != nil {
		return made, fmt.Errorf("%w\n%s", err, out)
	}
	asm, stubs := t.made()
	if out, err := t.limited(program, "-out", asm, "-stubs", stubs, "-pkg", g.name); err != nil {
		if exited(err) == nil {
			err = errRefused
		}
		return made, fmt.Errorf("%w\n%s", err, out)
	}
	for i, path := range []string{asm, stubs} {
		if made[i], err = os.ReadFile(path); err != nil {
			return made, err
		}
	}
	return made, nil
}

// fate runs the generator with a mutant, and the tests with what it makes.
func (g *generator) fate(t *tester, changed map[string]string) (string, error) {
	made, err := g.run(t, changed)
	if errors.Is(err, errRefused) {
		return refused, nil
	}
	if err != nil {
		return notCompiling, exited(err)
	}
	if bytes.Equal(made[0], g.original[0]) && bytes.Equal(made[1], g.original[1]) {
		return unchanged, nil
	}
	if len(asmcheck.Check(string(made[0])).Violations) > 0 {
		return killed, nil
	}
	asm, stubs := t.made()
	return t.fate(map[string]string{g.asm: asm, g.stubs: stubs}, &g.binary)
}
