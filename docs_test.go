package xcipher_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// publicPackages returns the folders of all packages that others can import.
func publicPackages(t *testing.T) (dirs []string) {
	t.Helper()
	for _, top := range []string{"aead", "block", "hash", "mac", "stream", "vectors"} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !slices.Contains(dirs, filepath.Dir(path)) {
				dirs = append(dirs, filepath.Dir(path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(dirs) < 20 {
		t.Fatalf("%d packages", len(dirs))
	}
	return dirs
}

// parsed returns the files of a package, its tests apart.
func parsed(t *testing.T, fset *token.FileSet, dir string) (files, tests []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		switch {
		case err != nil:
			t.Fatal(err)
		case strings.HasSuffix(name, "_test.go"):
			tests = append(tests, f)
		default:
			files = append(files, f)
		}
	}
	return files, tests
}

// TestEveryNameIsDocumented wants a comment on each package and on each exported
// name that begins with it, but for methods such as Error, which say nothing new.
func TestEveryNameIsDocumented(t *testing.T) {
	names := 0
	for _, dir := range publicPackages(t) {
		fset := token.NewFileSet()
		files, _ := parsed(t, fset, dir)
		p, err := doc.NewFromFiles(fset, files, "xcipher/"+filepath.ToSlash(dir))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(p.Doc, "Package "+p.Name+" ") {
			t.Errorf("%s: the comment of the package begins with %.20q", dir, p.Doc)
		}
		check := func(name, comment string) {
			names++
			if !strings.HasPrefix(comment, name+" ") && !strings.HasPrefix(comment, "A "+name+" ") && !strings.HasPrefix(comment, "An "+name+" ") {
				t.Errorf("%s: the comment of %s begins with %.20q", dir, name, comment)
			}
		}
		for _, f := range p.Funcs {
			check(f.Name, f.Doc)
		}
		for _, typ := range p.Types {
			check(typ.Name, typ.Doc)
			for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
				if f.Name != "Error" && f.Name != "String" {
					check(f.Name, f.Doc)
				}
			}
		}
		for _, v := range slices.Concat(p.Consts, p.Vars) {
			for _, s := range v.Decl.Specs {
				s := s.(*ast.ValueSpec)
				if names++; v.Doc == "" && s.Doc == nil && s.Comment == nil {
					t.Errorf("%s: nothing tells what %v is", dir, s.Names)
				}
			}
		}
	}
	if names < 100 {
		t.Errorf("%d names", names)
	}
}

// TestEveryPackageHasExamples wants examples that run.
func TestEveryPackageHasExamples(t *testing.T) {
	for _, dir := range publicPackages(t) {
		_, tests := parsed(t, token.NewFileSet(), dir)
		examples := doc.Examples(tests...)
		if len(examples) == 0 {
			t.Errorf("%s has no example", dir)
		}
		for _, e := range examples {
			if e.Output == "" {
				t.Errorf("%s: the example %s is not run", dir, e.Name)
			}
		}
	}
}

// TestOverview compares the list in doc.go with the packages.
func TestOverview(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range publicPackages(t) {
		if path := "xcipher/" + filepath.ToSlash(dir); !strings.Contains(string(text), path) {
			t.Errorf("doc.go does not name %s", path)
		}
	}
}

var qualified = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.([A-Z]\w*)`)

// TestMigratingNames looks whether what docs/migrating.md says to call exists.
func TestMigratingNames(t *testing.T) {
	functions := map[string][]string{} // by the name of the package
	for _, dir := range publicPackages(t) {
		name := filepath.Base(dir)
		functions[name] = append(functions[name], exportedFunctions(t, dir)...)
	}
	text, err := os.ReadFile("docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	ours := false // in a table that has our calls in its second column
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		switch {
		case !strings.HasPrefix(line, "|"):
			ours = false
		case len(cells) == 2 && cells[1] == "here":
			ours = true
		case ours && len(cells) == 2:
			for _, m := range qualified.FindAllStringSubmatch(cells[1], -1) {
				if known, ok := functions[m[1]]; ok {
					checked++
					if !slices.Contains(known, m[2]) {
						t.Errorf("package %s has no function %s: %s", m[1], m[2], line)
					}
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d names", checked)
	}
}
