package xcipher_test

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

// The code in these documents is formatted, its programs are run and must print what
// the documents say, and so are their blocks of shell commands.
var documents = []string{"README.md", "docs/migrating.md"}

// A codeBlock is what stands between two lines of three backquotes.
type codeBlock struct {
	where    string // document and line
	language string
	text     string
}

func codeBlocks(t *testing.T, document string) (list []codeBlock) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var now *codeBlock
	for i, line := range slices.Collect(strings.Lines(string(text))) {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && now == nil:
			now = &codeBlock{where: fmt.Sprintf("%s:%d", document, i+1), language: strings.TrimSpace(language)}
		case fence:
			list, now = append(list, *now), nil
		case now != nil:
			now.text += line
		}
	}
	if now != nil {
		t.Fatalf("%s: the block does not end", now.where)
	}
	return list
}

// programs returns the complete programs of all documents and what each prints.
func programs(t *testing.T) (list, outputs []codeBlock) {
	t.Helper()
	for _, document := range documents {
		blocks := codeBlocks(t, document)
		for i, b := range blocks {
			if b.language != "go" {
				continue
			}
			if formatted, err := format.Source([]byte(b.text)); err != nil {
				t.Errorf("%s: %v", b.where, err)
			} else if string(formatted) != b.text {
				t.Errorf("%s: gofmt makes of it\n%s", b.where, formatted)
			}
			if !strings.HasPrefix(b.text, "package main") {
				continue
			}
			if i+1 == len(blocks) || blocks[i+1].language != "text" {
				t.Errorf("%s: the document does not tell what the program prints", b.where)
				continue
			}
			list, outputs = append(list, b), append(outputs, blocks[i+1])
		}
	}
	return list, outputs
}

// goCommand prepares a run of go, for the machine that this test runs on.
func goCommand(dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return slices.Contains([]string{"GOARCH", "GOOS", "GOFLAGS", "GODEBUG", "GOAMD64", "CGO_ENABLED"}, name)
	}), append(env, "GOWORK=off")...)
	return cmd
}

// onHost ends a test that would have to build programs for an emulated machine.
func onHost(t *testing.T) {
	t.Helper()
	host, err := exec.Command("go", "env", "GOHOSTARCH").Output()
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if s := strings.TrimSpace(string(host)); s != runtime.GOARCH {
		t.Skipf("programs are built on %s only", s)
	}
}

func TestDocumentedPrograms(t *testing.T) {
	list, outputs := programs(t)
	if len(list) < 4 {
		t.Errorf("%d programs", len(list))
	}
	onHost(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	// The module of somebody who uses ours by a replacement, with the same versions.
	dir := t.TempDir()
	ours, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod := strings.Replace(string(ours), "module xcipher\n", "module programs\n", 1) +
		fmt.Sprintf("\nrequire xcipher v0.0.0\n\nreplace xcipher => %q\n", root)
	files := map[string]string{"go.mod": mod}
	if sums, err := os.ReadFile("go.sum"); err == nil {
		files["go.sum"] = string(sums)
	}
	for i, p := range list {
		files[fmt.Sprintf("p%d/main.go", i)] = p.text
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := goCommand(dir, []string{"GOPROXY=off", "GOFLAGS=-mod=mod"}, "build", "-ldflags=-s -w", "-o", "bin"+string(filepath.Separator), "./...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, p := range list {
		t.Run(p.where, func(t *testing.T) {
			run := exec.Command(filepath.Join(dir, "bin", fmt.Sprintf("p%d", i)))
			run.Dir = t.TempDir()
			out, err := run.CombinedOutput()
			if err != nil {
				t.Error(err)
			}
			if want := outputs[i].text; string(out) != want {
				t.Errorf("it prints\n%snot\n%s", out, want)
			}
		})
	}
}

func TestDocumentedCommands(t *testing.T) {
	var list []codeBlock
	for _, document := range documents {
		for _, b := range codeBlocks(t, document) {
			if b.language == "sh" {
				list = append(list, b)
			}
		}
	}
	if len(list) == 0 {
		t.Error("there are no commands")
	}
	onHost(t)
	bin := t.TempDir()
	build := goCommand("cmd/xcipher", nil, "build", "-ldflags=-s -w", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		// The tool has a module of its own, whose libraries may be out of reach.
		if offline := regexp.MustCompile(`dial tcp|module lookup disabled`); os.Getenv("CI") != "true" && offline.Match(out) {
			t.Skipf("%v\n%s", err, out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	for _, b := range list {
		t.Run(b.where, func(t *testing.T) {
			sh := exec.Command("sh", "-eu")
			sh.Dir = t.TempDir()
			sh.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			sh.Stdin = strings.NewReader(b.text)
			if out, err := sh.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// marked returns the lines of README between two comments, each as cells.
func marked(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "<!-- "+name+" -->\n")
	table, _, found := strings.Cut(after, "<!-- /"+name+" -->\n")
	if !found {
		t.Fatalf("README.md has no part %q", name)
	}
	for line := range strings.Lines(table) {
		row := strings.Split(strings.Trim(line, "| \n"), " | ")
		rows = append(rows, row)
	}
	return rows[2:]
}

var quoted = regexp.MustCompile("`([^`]+)`")

func inQuotes(cell string) (list []string) {
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestAlgorithmTable compares the table in README with the catalog: every algorithm
// is there once, with its sizes and interface, and the constructors exist.
func TestAlgorithmTable(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range marked(t, "algorithms") {
		if len(row) < 7 {
			t.Fatalf("a row of %d cells: %q", len(row), row)
		}
		var all []catalog.Algorithm
		for _, name := range inQuotes(row[0]) {
			a, ok := catalog.Lookup(name)
			if !ok || seen[name] {
				t.Errorf("%s is unknown or there twice", name)
			}
			seen[name] = true
			all = append(all, a)
		}
		if len(all) == 0 {
			t.Fatalf("a row without algorithms: %q", row)
		}
		exported := exportedFunctions(t, row[1])
		for _, name := range inQuotes(row[2]) {
			if !slices.Contains(exported, name) {
				t.Errorf("%s: package %s has no function %s", row[0], row[1], name)
			}
		}
		for _, a := range all {
			if want := interfaces[a.Kind]; row[3] != "`"+want+"`" {
				t.Errorf("%s gives %s, not %s", a.Name, want, row[3])
			}
		}
		if want := sizes(all); row[4] != want {
			t.Errorf("%s: sizes %q, want %q", row[0], row[4], want)
		}
	}
	for _, a := range catalog.Algorithms() {
		if !seen[a.Name] {
			t.Errorf("%s is missing", a.Name)
		}
	}
}

var interfaces = map[catalog.Kind]string{
	catalog.Block: "cipher.Block", catalog.AEAD: "cipher.AEAD", catalog.MAC: "hash.Hash", catalog.Hash: "hash.Hash", catalog.Stream: "cipher.Stream",
}

// sizes describes algorithms of one kind.
func sizes(all []catalog.Algorithm) string {
	var parts []string
	add := func(label string, of func(a catalog.Algorithm) []int) {
		var list []int
		for _, a := range all {
			list = append(list, of(a)...)
		}
		slices.Sort(list)
		list = slices.Compact(slices.DeleteFunc(list, func(n int) bool { return n == 0 }))
		if len(list) == 0 {
			return
		}
		s := strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
		if i := strings.LastIndex(s, ", "); i >= 0 {
			s = s[:i] + " or " + s[i+2:]
		}
		parts = append(parts, label+" "+s)
	}
	if all[0].AnyKey {
		parts = append(parts, "any key")
	}
	kind := all[0].Kind
	add("key", func(a catalog.Algorithm) []int { return []int{a.KeySize} })
	add("nonce", func(a catalog.Algorithm) []int { return a.NonceSizes })
	if kind == catalog.Block {
		add("block", func(a catalog.Algorithm) []int { return []int{a.BlockSize} })
	}
	label := map[catalog.Kind]string{catalog.Hash: "digest"}[kind]
	add(cmp.Or(label, "tag"), func(a catalog.Algorithm) []int { return []int{a.Size} })
	return strings.Join(parts, ", ")
}

// exportedFunctions returns the names of the exported functions of a package here.
func exportedFunctions(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no package %s (%v)", dir, err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && !strings.HasSuffix(name, "_test.go") {
				names = append(names, d.Name.Name)
			}
		}
	}
	return names
}

var link = regexp.MustCompile(`\]\(([^)]+)\)`)

// TestLinks follows the links from document to document.
func TestLinks(t *testing.T) {
	checked := 0
	for _, document := range append([]string{"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "interop/RESULTS.md"}, documents...) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Error(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			path := document
			if to != "" {
				path = filepath.Join(filepath.Dir(document), filepath.FromSlash(to))
			}
			target, err := os.ReadFile(path)
			if err != nil {
				t.Errorf("%s: %v", document, err)
			}
			if anchor != "" && !slices.Contains(anchors(string(target)), anchor) {
				t.Errorf("%s: %s has no heading for #%s", document, path, anchor)
			}
			checked++
		}
	}
	if checked < 5 {
		t.Errorf("%d links", checked)
	}
}

// anchors are the names that GitHub and others give to the headings of a text.
func anchors(text string) (list []string) {
	for line := range strings.Lines(text) {
		if title, found := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); found && strings.HasPrefix(line, "#") {
			title = regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			list = append(list, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return list
}
