package asmcheck

import (
	"regexp"
	"strconv"
	"strings"
)

// file is a file of assembly.
type file struct {
	functions  []*function
	constants  map[string]bool // symbols that are read-only data
	violations []Violation
}

type function struct {
	name    string
	frame   int // bytes of locals
	noframe bool
	code    []instruction
	labels  map[string]int // index of the instruction behind the label
}

type instruction struct {
	line   int
	op     string
	suffix string // of EVEX instructions, as ".Z.BCST"
	args   []operand
	text   string
}

type kind int

const (
	bad kind = iota
	immediate
	register
	memory
	label
)

type operand struct {
	kind  kind
	name  string // of a register or label as written; the symbol of a memory operand
	reg   reg
	base  reg // of a memory operand: noReg if there is none, or a pseudo-register
	index reg
	off   int
}

var (
	textLine   = regexp.MustCompile(`^TEXT\s+([^\s,(]+)\(SB\)\s*,\s*(?:([A-Z0-9_|]+)\s*,\s*)?\$(-?\d+)(?:-\d+)?$`)
	globlLine  = regexp.MustCompile(`^GLOBL\s+([^\s,(]+)\(SB\)\s*,\s*([^,]+),\s*\$\d+$`)
	labelStart = regexp.MustCompile(`^(\w+):\s*`)
	memoryForm = regexp.MustCompile(`^([^\s()$+-]*?(?:<>)?)([+-]?(?:0x[0-9a-fA-F]+|\d+)?)\((?:(\w+)\)(?:\((\w+)\*\d\))?|(\w+)\*\d\))$`)
	nameForm   = regexp.MustCompile(`^\w+$`)
)

// parse splits a file into functions.
func parse(src string) *file {
	f := &file{constants: map[string]bool{}}
	var fn *function
	for i, raw := range strings.Split(src, "\n") {
		text, _, _ := strings.Cut(raw, "//")
		text = strings.TrimSpace(text)
		refuse := func(rule string) {
			name := ""
			if fn != nil {
				name = fn.name
			}
			f.violations = append(f.violations, Violation{name, i + 1, rule, text})
		}
		if m := labelStart.FindStringSubmatch(text); m != nil && fn != nil {
			fn.labels[m[1]] = len(fn.code)
			text = text[len(m[0]):]
		}
		word, _, _ := strings.Cut(text, " ")
		word, _, _ = strings.Cut(word, "\t")
		switch {
		case text == "" || strings.HasPrefix(text, "#include"):
		case strings.ContainsAny(text, "#;\\\"") || strings.Contains(text, "/*"):
			refuse(ruleSyntax)
		case word == "TEXT":
			m := textLine.FindStringSubmatch(text)
			if m == nil {
				refuse(ruleSyntax)
				fn = nil
				continue
			}
			frame, _ := strconv.Atoi(m[3])
			fn = &function{name: strings.TrimPrefix(m[1], "·"), frame: frame,
				noframe: strings.Contains(m[2], "NOFRAME"), labels: map[string]int{}}
			f.functions = append(f.functions, fn)
		case word == "GLOBL":
			if m := globlLine.FindStringSubmatch(text); m == nil {
				refuse(ruleSyntax)
			} else if strings.Contains(m[2], "RODATA") {
				f.constants[m[1]] = true
			}
		case word == "DATA":
		case fn == nil:
			refuse(ruleSyntax)
		default:
			fn.code = append(fn.code, parseInstruction(i+1, text))
		}
	}
	return f
}

func parseInstruction(line int, text string) instruction {
	op, rest := text, ""
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		op, rest = text[:i], strings.TrimSpace(text[i:])
	}
	in := instruction{line: line, op: op, text: text}
	if i := strings.IndexByte(op, '.'); i >= 0 {
		in.op, in.suffix = op[:i], op[i:]
	}
	for rest != "" {
		var arg string
		arg, rest, _ = strings.Cut(rest, ",")
		rest = strings.TrimSpace(rest)
		in.args = append(in.args, parseOperand(strings.TrimSpace(arg)))
	}
	return in
}

func parseOperand(s string) operand {
	if strings.HasPrefix(s, "$") {
		return operand{kind: immediate, name: s}
	}
	if r := registers[s]; r != noReg {
		return operand{kind: register, name: s, reg: r}
	}
	if m := memoryForm.FindStringSubmatch(s); m != nil {
		o := operand{kind: memory, name: m[1], base: registers[m[3]], index: registers[m[4]+m[5]]}
		if m[2] != "" {
			off, err := strconv.ParseInt(m[2], 0, 32)
			if err != nil {
				return operand{}
			}
			o.off = int(off)
		}
		pseudo := o.base == regFP || o.base == regSB
		if m[3] != "" && o.base == noReg || m[4]+m[5] != "" && o.index == noReg || pseudo != (o.name != "") && o.base != regSP {
			return operand{}
		}
		return o
	}
	if nameForm.MatchString(s) {
		return operand{kind: label, name: s}
	}
	return operand{}
}
