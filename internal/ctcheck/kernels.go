package ctcheck

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// noKernels are folders without, though some have assembly.
var noKernels = []string{"testdata", "cmd", "interop", "ctcheck", "cpu"}

// Kernels reads a coverage profile of the module in root, and returns which of the
// functions in assembly were called in that run, and which were not.
func Kernels(root string, profile io.Reader) (called, others []string, err error) {
	covered, err := readProfile(profile)
	if err != nil {
		return nil, nil, err
	}
	state := make(map[string]bool) // package and name
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if path != root && (d.Name()[0] == '.' || d.Name()[0] == '_' || slices.Contains(noKernels, d.Name())) {
			return fs.SkipDir
		}
		dir, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return callsIn(path, filepath.ToSlash(dir), covered, state)
	})
	for name, was := range state {
		if was {
			called = append(called, name)
		} else {
			others = append(others, name)
		}
	}
	slices.Sort(called)
	slices.Sort(others)
	return called, others, err
}

// callsIn enters what is declared without a body in a folder, and whether a call
// of it was covered.
func callsIn(path, dir string, covered map[string][]block, state map[string]bool) error {
	files, err := filepath.Glob(filepath.Join(path, "*_amd64*.go"))
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	var trees []*ast.File
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		trees = append(trees, tree)
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
				state[dir+"."+f.Name.Name] = false
			}
		}
	}
	for _, tree := range trees {
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.Ident); ok {
				name := dir + "." + f.Name
				at := set.Position(call.Pos())
				if _, ok := state[name]; ok && slices.ContainsFunc(covered[dir+"/"+filepath.Base(at.Filename)], func(b block) bool { return b.has(at) }) {
					state[name] = true
				}
			}
			return true
		})
	}
	return nil
}

// block is a part of a file that was executed.
type block struct{ line, column, endLine, endColumn int }

func (b block) has(p token.Position) bool {
	return (p.Line > b.line || p.Line == b.line && p.Column >= b.column) &&
		(p.Line < b.endLine || p.Line == b.endLine && p.Column < b.endColumn)
}

// readProfile returns the executed blocks of each file, which is named by its path
// in the module.
func readProfile(r io.Reader) (map[string][]block, error) {
	covered := make(map[string][]block)
	for s := bufio.NewScanner(r); s.Scan(); {
		if strings.HasPrefix(s.Text(), "mode: ") {
			continue
		}
		file, rest, _ := strings.Cut(s.Text(), ":")
		var b block
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &statements, &count); err != nil {
			return nil, fmt.Errorf("ctcheck: coverage profile: %q: %w", s.Text(), err)
		}
		if count > 0 {
			_, file, _ = strings.Cut(file, "/")
			covered[file] = append(covered[file], b)
		}
	}
	return covered, nil
}
