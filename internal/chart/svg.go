package main

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// panels are the items of the picture: those that other libraries have, too.
var panels = []string{
	"Streebog-512", "Kuznyechik CTR", "Kuznyechik CMAC", "Magma CTR", "Magma CMAC",
	"ChaCha20", "ChaCha12", "ChaCha8", "ChaCha20-Poly1305 Seal",
}

type bar struct {
	label  string
	ns     float64 // per byte
	colour string
}

// The colours of the tiers, fastest first, and of the peers.
var (
	colours = []string{"#0a5c9e", "#3a83bf", "#74abd8", "#b5d2ea"}
	others  = "#b0a08c"
)

// bars returns ours and those of the peers.
func (r *results) bars(name string) ([]bar, error) {
	var list []bar
	for i, t := range tiers {
		it, err := r.find(t.name, name)
		if err != nil {
			return nil, err
		}
		list = append(list, bar{"xcipher, " + t.title, it.rows[0].figure(shown), colours[i]})
	}
	// GFNI alone changes nothing for most algorithms.
	if list[1].ns > 0.9*list[2].ns {
		list = slices.Delete(list, 1, 2)
	}
	it := r.tiers[tiers[0].name][name]
	for _, p := range it.rows[1:] {
		if !p.landmark {
			list = append(list, bar{p.who, p.figure(shown), others})
		}
	}
	if list[len(list)-1].colour != others {
		return nil, fmt.Errorf("%s has no peer", name)
	}
	return list, nil
}

// Measures of the picture in pixels.
const (
	margin    = 16
	column    = 440 // width of a panel
	labels    = 150 // of which the names take so much
	longest   = 200 // and the longest bar so much
	lineStep  = 18
	titleStep = 30
)

// rate is a speed for people.
func rate(ns float64) string {
	if gb := 1 / ns; gb < 1 {
		return fmt.Sprintf("%.0f MB/s", 1000*gb)
	} else if gb < 10 {
		return fmt.Sprintf("%.1f GB/s", gb)
	}
	return fmt.Sprintf("%.0f GB/s", 1/ns)
}

// svg draws two columns of panels. In each, the longest bar is the fastest.
func (r *results) svg() (string, error) {
	var b strings.Builder
	y := [2]int{margin + titleStep, margin + titleStep}
	for _, name := range panels {
		bars, err := r.bars(name)
		if err != nil {
			return "", err
		}
		side := 0
		if y[1] < y[0] {
			side = 1
		}
		x := margin + side*column
		y[side] += titleStep
		text(&b, x, y[side]-8, `font-weight="bold"`, name)
		fastest := slices.MinFunc(bars, func(a, b bar) int { return cmp.Compare(a.ns, b.ns) }).ns
		for _, s := range bars {
			length := max(1, int(longest*fastest/s.ns+0.5))
			text(&b, x+labels-6, y[side]+13, `text-anchor="end"`, s.label)
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x+labels, y[side]+2, length, lineStep-4, s.colour)
			text(&b, x+labels+length+6, y[side]+13, `fill="#444"`, rate(s.ns))
			y[side] += lineStep
		}
	}
	width, height := 2*margin+2*column, max(y[0], y[1])+margin
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&out, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	text(&out, margin, margin+16, `font-size="15"`, fmt.Sprintf("Messages of %s on one core: %s", shown, before(r.about["CPU"], ";")))
	return out.String() + b.String() + "</svg>\n", nil
}

func text(b *strings.Builder, x, y int, attributes, s string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" %s>%s</text>`+"\n", x, y, attributes, html.EscapeString(s))
}

// before returns what stands before a mark, or everything.
func before(s, mark string) string {
	s, _, _ = strings.Cut(s, mark)
	return s
}
