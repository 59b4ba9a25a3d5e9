package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A part of a report is a table or a list, with some lines about each item.
type part struct {
	head  string // the lines before the items
	lines map[string][]string
}

// A report is what there is to say about a tier.
type report struct {
	texts, keys, slower, short part
}

const (
	slowerHead = "Slower than a peer:\n\n"
	shortHead  = "Slower than we expect (`bench/bars.go`):\n\n"
)

func newReport(tables []*table, bars []bar) *report {
	r := parseReport(markdown(tables))
	r.slower, r.short = part{slowerHead, map[string][]string{}}, part{shortHead, map[string][]string{}}
	for _, t := range tables {
		if s := t.slower(); s != "" {
			r.slower.lines[t.it.name] = []string{"* " + s}
		}
		for _, s := range t.shortfalls(bars) {
			r.short.lines[t.it.name] = append(r.short.lines[t.it.name], "* "+s)
		}
	}
	return r
}

// entry is the first line about an item.
var entry = regexp.MustCompile(`^(?:\| \*\*([^*]+)\*\* \||\* ([^:,]+)[:,])`)

// parseReport reads what String returned.
func parseReport(text string) *report {
	r := &report{}
	var p *part
	var item string
	for line := range strings.Lines(text) {
		switch m := entry.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "| ns per byte"):
			p = &r.texts
		case strings.HasPrefix(line, "| ns per key"):
			p = &r.keys
		case strings.HasPrefix(slowerHead, line) && line != "\n":
			p = &r.slower
		case strings.HasPrefix(shortHead, line) && line != "\n":
			p = &r.short
		case p == nil || line == "\n" && p.lines != nil:
			continue
		case m != nil:
			if p.lines == nil {
				p.lines = map[string][]string{}
			}
			item = m[1] + m[2]
			fallthrough
		default:
			if p.lines != nil {
				p.lines[item] = append(p.lines[item], strings.TrimSuffix(line, "\n"))
				continue
			}
		}
		p.head += line
	}
	return r
}

// keep takes from old what it says about items that were not measured now.
func (r *report) keep(old *report, measured []string) error {
	for _, p := range []struct{ now, old *part }{{&r.texts, &old.texts}, {&r.keys, &old.keys}, {&r.slower, &old.slower}, {&r.short, &old.short}} {
		for item, lines := range p.old.lines {
			if slices.Contains(measured, item) {
				continue
			}
			if p.now.head == "" {
				p.now.head = p.old.head
			}
			if p.now.head != p.old.head {
				return fmt.Errorf("the figures for %s are of other sizes", item)
			}
			if p.now.lines == nil {
				p.now.lines = map[string][]string{}
			}
			p.now.lines[item] = lines
		}
	}
	return nil
}

// String has the items in their order.
func (r *report) String() string {
	var b strings.Builder
	for _, p := range []part{r.texts, r.keys, r.slower, r.short} {
		if len(p.lines) == 0 {
			continue
		}
		b.WriteString("\n" + p.head)
		for _, it := range items() {
			for _, line := range p.lines[it.name] {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// replace puts a report into file, between the lines that mark the tier.
func replace(file []byte, tier string, tables []*table, bars []bar) ([]byte, error) {
	begin, end := []byte("<!-- bench "+tier+" -->\n"), []byte("\n<!-- /bench -->\n")
	before, rest, found := bytes.Cut(file, begin)
	if !found {
		return nil, fmt.Errorf("no line %q", begin)
	}
	old, after, found := bytes.Cut(rest, end)
	if !found {
		return nil, fmt.Errorf("no line %q behind %q", end, begin)
	}
	var measured []string
	for _, t := range tables {
		measured = append(measured, t.it.name)
	}
	r := newReport(tables, bars)
	if err := r.keep(parseReport(string(old)+"\n"), measured); err != nil {
		return nil, err
	}
	return slices.Concat(before, begin, []byte(r.String()), end, after), nil
}
