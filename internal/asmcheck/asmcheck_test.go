package asmcheck

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	r := Check(readFile(t, "testdata/clean.s.txt"))
	for _, v := range r.Violations {
		t.Error(v)
	}
	if len(r.Functions) != 9 || r.Instructions < 100 {
		t.Errorf("read %d functions and %d instructions", len(r.Functions), r.Instructions)
	}
}

// Every planted fault is found, where it is and as what it is, and nothing else.
func TestPlanted(t *testing.T) {
	src := readFile(t, "testdata/planted.s.txt")
	want := map[int][]string{}
	quoted := regexp.MustCompile(`"([^"]+)"`)
	planted := map[string]int{}
	for i, line := range strings.Split(src, "\n") {
		if _, rules, ok := strings.Cut(line, "// want "); ok {
			for _, m := range quoted.FindAllStringSubmatch(rules, -1) {
				want[i+1] = append(want[i+1], m[1])
				planted[m[1]]++
			}
		}
	}
	for _, v := range Check(src).Violations {
		i := slices.Index(want[v.Line], v.Rule)
		if i < 0 {
			t.Errorf("not planted: %v", v)
			continue
		}
		want[v.Line] = slices.Delete(want[v.Line], i, i+1)
	}
	for line, rules := range want {
		for _, rule := range rules {
			t.Errorf("line %d: not found: %s", line, rule)
		}
	}
	for _, rule := range []string{ruleAddress, ruleMask, ruleBranch, ruleDivision, ruleJump, ruleEnd, ruleUpper,
		ruleBP, ruleR14, ruleSP, ruleFrame, ruleEVEX, ruleTier, ruleUnknown, ruleSyntax} {
		if planted[rule] == 0 {
			t.Errorf("no fault is planted against %q", rule)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const root = "../.."

// assembly returns all assembly of the module and of those nested in it, the
// generators' aside.
func assembly(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "_asm" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".s"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(files, filepath.Join(root, "internal/cpu/cpu_amd64.s")) {
		t.Fatalf("found only %q", files)
	}
	return files
}

func TestModule(t *testing.T) {
	functions, instructions := 0, 0
	files := assembly(t)
	for _, file := range files {
		r := Check(readFile(t, file))
		for _, v := range r.Violations {
			t.Errorf("%s: %v", file, v)
		}
		if len(r.Functions) == 0 {
			t.Errorf("%s: no function", file)
		}
		functions += len(r.Functions)
		instructions += r.Instructions
	}
	t.Logf("asmcheck: %d files, %d functions, %d instructions", len(files), functions, instructions)
}
