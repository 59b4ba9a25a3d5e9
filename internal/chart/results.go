package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// shown is the size of messages that the documents show.
const shown = "8 KiB"

// tiers are the sections of RESULTS.md, and what they are called in the documents.
var tiers = []struct{ name, title string }{
	{"avx512", "AVX-512"},
	{"avx2gfni", "AVX2 and GFNI"},
	{"avx2", "AVX2"},
	{"generic", "portable Go"},
}

// results is what RESULTS.md says: about the machine, and by tier and item.
type results struct {
	about map[string]string // CPU, system and so on
	tiers map[string]map[string]*item
	notes map[string][]string // by tier: where a peer is faster
}

// An item is an algorithm and those who were measured, the first of them ours.
type item struct{ rows []row }

type row struct {
	who      string
	landmark bool              // does something else
	time     map[string]string // nanoseconds per byte, by size, as they are printed
	ratio    map[string]string // "×1.23"
}

// figure is a time as a number.
func (r row) figure(size string) float64 {
	x, _ := strconv.ParseFloat(r.time[size], 64)
	return x
}

var (
	section = regexp.MustCompile(`(?s)<!-- bench (\w+) -->\n(.*?)<!-- /bench -->`)
	heading = regexp.MustCompile(`^\*\*(.+)\*\*$`)
)

func parse(text string) (*results, error) {
	r := &results{map[string]string{}, map[string]map[string]*item{}, map[string][]string{}}
	before, _, _ := strings.Cut(text, "<!-- bench")
	for line := range strings.Lines(before) {
		if c := cells(line); len(c) == 2 && c[0] != "" {
			r.about[c[0]] = c[1]
		}
	}
	for _, m := range section.FindAllStringSubmatch(text, -1) {
		items, notes, err := parseSection(m[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[1], err)
		}
		r.tiers[m[1]], r.notes[m[1]] = items, notes
	}
	for _, t := range tiers {
		if len(r.tiers[t.name]) == 0 {
			return nil, fmt.Errorf("no figures for %s", t.name)
		}
	}
	for _, key := range []string{"CPU", "system"} {
		if r.about[key] == "" {
			return nil, fmt.Errorf("no line on the %s", key)
		}
	}
	return r, nil
}

// cells splits a line of a table. It returns nil for other lines.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") || len(line) < 2 || strings.HasPrefix(line, "|--") {
		return nil
	}
	list := strings.Split(line[1:len(line)-1], "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

func parseSection(text string) (items map[string]*item, notes []string, err error) {
	items = map[string]*item{}
	var sizes []string
	var now *item
	slower := false
	for line := range strings.Lines(text) {
		c := cells(line)
		switch {
		case strings.HasPrefix(line, "Slower than"):
			slower = strings.HasPrefix(line, "Slower than a peer")
		case strings.HasPrefix(line, "* ") && slower:
			notes = append(notes, line)
		case c == nil:
		case strings.HasPrefix(c[0], "ns per"):
			sizes = c[2:]
		case len(c) != 2+len(sizes):
			return nil, nil, fmt.Errorf("a line has %d cells: %s", len(c), line)
		default:
			if m := heading.FindStringSubmatch(c[0]); m != nil {
				now = &item{}
				items[m[1]] = now
			} else if now == nil || c[0] != "" {
				return nil, nil, fmt.Errorf("a line belongs to no item: %s", line)
			}
			r, err := parseRow(c[1], c[2:], sizes)
			if err != nil {
				return nil, nil, fmt.Errorf("%w: %s", err, line)
			}
			now.rows = append(now.rows, r)
		}
	}
	return items, notes, nil
}

func parseRow(who string, figures, sizes []string) (row, error) {
	r := row{who: strings.Trim(who, "()"), landmark: strings.HasPrefix(who, "("), time: map[string]string{}, ratio: map[string]string{}}
	for i, size := range sizes {
		time, ratio, _ := strings.Cut(figures[i], " ")
		if x, err := strconv.ParseFloat(time, 64); err != nil || x <= 0 {
			return r, fmt.Errorf("%q is no time", time)
		}
		r.time[size], r.ratio[size] = time, ratio
	}
	return r, nil
}

// find returns an item that must be there.
func (r *results) find(tier, name string) (*item, error) {
	it := r.tiers[tier][name]
	if it == nil || it.rows[0].who != "ours" || it.rows[0].time[shown] == "" {
		return nil, fmt.Errorf("no figure of ours for %s of %s with %s", name, shown, tier)
	}
	return it, nil
}
