package main

import (
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// record is what equivalent.txt says of a mutant. It has no line number, so that
// it outlives changes elsewhere in the file.
type record struct {
	file     string // path in the module, with slashes
	function string // or the name of a constant or variable
	from, to string // the line without and with the change
}

func (r record) String() string {
	return fmt.Sprintf("%s %s\n\t%s\n\t%s\n", r.file, r.function, r.from, r.to)
}

// mutant is one change: bytes start to end of the file become text.
type mutant struct {
	record
	path       string
	line       int
	start, end int
	text       string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s => %s", m.file, m.line, m.function, m.from, m.to)
}

// apply returns the changed source.
func (m mutant) apply(source []byte) []byte {
	return fmt.Appendf(nil, "%s%s%s", source[:m.start], m.text, source[m.end:])
}

// others is what each operator is exchanged for.
var others = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR, token.AND_NOT: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,

	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.ADD_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.XOR_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// finder collects the mutants of a file.
type finder struct {
	fset     *token.FileSet
	file     string
	path     string
	source   []byte
	function string
	found    []mutant
}

// mutantsOf returns all mutants of a file in dir that is called name in the
// module, none if it is generated.
func mutantsOf(dir, name, file string) ([]mutant, error) {
	path := filepath.Join(dir, file)
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return find(name, path, source)
}

func find(file, path string, source []byte) ([]mutant, error) {
	f := &finder{fset: token.NewFileSet(), file: file, path: path, source: source}
	tree, err := parser.ParseFile(f.fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.function = d.Name.Name
			if d.Body != nil {
				ast.Inspect(d.Body, f.visit)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					f.function = v.Names[0].Name
					ast.Inspect(v, f.visit)
				}
			}
		}
	}
	return f.found, nil
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ArrayType:
		// A larger array is the same where the rest is unused.
		if _, ok := n.Len.(*ast.BasicLit); ok {
			return false
		}
	case *ast.BasicLit:
		switch n.Kind {
		case token.INT:
			f.number(n)
		case token.STRING:
			f.digits(n)
		}
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.UnaryExpr:
		if n.Op == token.XOR || n.Op == token.SUB || n.Op == token.NOT {
			f.change(n.OpPos, n.X.Pos(), "")
		}
	case *ast.CallExpr:
		f.carry(n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			if name, ok := call.Fun.(*ast.Ident); ok && (name.Name == "Comment" || name.Name == "Commentf" || name.Name == "Doc") {
				return false // in generated code
			}
		}
		f.change(n.Pos(), n.End(), "{}") // a call less
	}
	return true
}

func (f *finder) operator(pos token.Pos, op token.Token) {
	if other, ok := others[op]; ok {
		f.change(pos, pos+token.Pos(len(op.String())), other.String())
	}
}

// number makes a constant larger by one, and flips one of its bits but the lowest.
func (f *finder) number(n *ast.BasicLit) {
	v, ok := new(big.Int).SetString(n.Value, 0)
	if !ok {
		return
	}
	format := "%d"
	if strings.HasPrefix(n.Value, "0x") {
		format = "0x%0" + strconv.Itoa(len(n.Value)-2) + "x"
	}
	f.change(n.Pos(), n.End(), fmt.Sprintf(format, new(big.Int).Add(v, big.NewInt(1))))
	if size := v.BitLen(); size > 1 {
		bit := 1 + int(n.Pos())%(size-1)
		f.change(n.Pos(), n.End(), fmt.Sprintf(format, new(big.Int).SetBit(v, bit, v.Bit(bit)^1)))
	}
}

// digits flips a bit of one digit in a table that is written as a string of
// hexadecimal digits.
func (f *finder) digits(n *ast.BasicLit) {
	if b, err := hex.DecodeString(strings.Trim(n.Value, `"`)); err != nil || len(b) < 8 {
		return
	}
	at := n.Pos() + 1 + n.Pos()%token.Pos(len(n.Value)-2)
	v, err := strconv.ParseUint(n.Value[at-n.Pos():][:1], 16, 4)
	if err == nil {
		f.change(at, at+1, strconv.FormatUint(v^1<<(n.Pos()%4), 16))
	}
}

// carry drops what goes into bits.Add64 and the like.
func (f *finder) carry(n *ast.CallExpr) {
	s, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || len(n.Args) != 3 {
		return
	}
	switch s.Sel.Name {
	case "Add64", "Add32", "Add", "Sub64", "Sub32", "Sub":
		if _, ok := n.Args[2].(*ast.BasicLit); !ok {
			f.change(n.Args[2].Pos(), n.Args[2].End(), "0")
		}
	}
}

func (f *finder) change(from, to token.Pos, text string) {
	at := f.fset.Position(from)
	m := mutant{path: f.path, line: at.Line, start: at.Offset, end: f.fset.Position(to).Offset, text: text}
	first := strings.LastIndexByte(string(f.source[:m.start]), '\n') + 1
	last := m.end + strings.IndexByte(string(f.source[m.end:])+"\n", '\n')
	m.record = record{f.file, f.function,
		oneLine(string(f.source[first:last])),
		oneLine(string(f.source[first:m.start]) + text + string(f.source[m.end:last])),
	}
	f.found = append(f.found, m)
}

// oneLine joins what a change across several lines touches.
func oneLine(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// parseRecords reads equivalent.txt. Lines that start with # are comments.
func parseRecords(text string) (map[record]bool, error) {
	known := make(map[record]bool)
	var lines []string
	for _, line := range strings.Split(text+"\n\n", "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line != "" {
			lines = append(lines, line)
			continue
		}
		if len(lines) == 0 {
			continue
		}
		file, function, ok := strings.Cut(lines[0], " ")
		if !ok || len(lines) < 4 {
			return nil, fmt.Errorf("equivalent.txt: not file and function, two lines and a reason: %q", lines)
		}
		known[record{file, function, lines[1], lines[2]}] = true
		lines = nil
	}
	return known, nil
}

// staleRecords returns what is known of a file but is none of its mutants.
func staleRecords(known map[record]bool, mutants []mutant, file string) (stale []record) {
	are := make(map[record]bool)
	for _, m := range mutants {
		are[m.record] = true
	}
	for r := range known {
		if r.file == file && !are[r] {
			stale = append(stale, r)
		}
	}
	return stale
}
