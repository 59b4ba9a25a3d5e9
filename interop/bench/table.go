package main

import (
	"fmt"
	"strings"
)

type table struct {
	it   item
	rows []row
}

type row struct {
	size int
	ns   []float64 // per job, one for each contestant
}

// add adds a row, or takes what is less into the row that there is.
func (t *table) add(size int, ns []float64) {
	for _, r := range t.rows {
		if r.size == size {
			for i := range ns {
				r.ns[i] = min(r.ns[i], ns[i])
			}
			return
		}
	}
	t.rows = append(t.rows, row{size, ns})
}

// per is what a figure is divided by: a byte or a key.
func (r row) per() float64 { return float64(max(1, r.size)) }

// markdown prints one table of all items with messages and one of those without.
func markdown(tables []*table) string {
	var texts, keys []*table
	for _, t := range tables {
		if t.it.perKey {
			keys = append(keys, t)
		} else {
			texts = append(texts, t)
		}
	}
	return lines(texts, "ns per byte") + lines(keys, "ns per key")
}

// lines prints a line for each contestant: the nanoseconds and, for a peer, how many
// times as long it takes as we do.
func lines(tables []*table, unit string) string {
	if len(tables) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | |", unit)
	for _, r := range tables[0].rows {
		fmt.Fprintf(&b, " %s |", sizeName(r.size))
	}
	fmt.Fprintf(&b, "\n|---|---|%s\n", strings.Repeat("--:|", len(tables[0].rows)))
	for _, t := range tables {
		for i, c := range t.it.contestants {
			switch {
			case i == 0:
				fmt.Fprintf(&b, "| **%s** | %s |", t.it.name, c.name)
			case c.landmark:
				fmt.Fprintf(&b, "| | (%s) |", c.name)
			default:
				fmt.Fprintf(&b, "| | %s |", c.name)
			}
			for _, r := range t.rows {
				fmt.Fprintf(&b, " %s", digits(r.ns[i]/r.per()))
				if i > 0 {
					fmt.Fprintf(&b, " ×%.2f", r.ns[i]/r.ns[0])
				}
				b.WriteString(" |")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// slower lists the peers that are faster than we, and at which sizes.
func (t *table) slower() string {
	var peers []string
	for i, c := range t.it.contestants {
		var sizes []string
		for _, r := range t.rows {
			if ratio := fmt.Sprintf("%.2f", r.ns[i]/r.ns[0]); i > 0 && !c.landmark && ratio < "1.00" {
				sizes = append(sizes, fmt.Sprintf("%s ×%s", sizeName(r.size), ratio))
			}
		}
		if sizes != nil {
			peers = append(peers, fmt.Sprintf("%s (%s)", c.name, strings.Join(sizes, ", ")))
		}
	}
	if peers == nil {
		return ""
	}
	return t.it.name + ": " + strings.Join(peers, ", ")
}

func sizeName(size int) string {
	switch {
	case size == 0:
		return "each"
	case size%1024 == 0:
		return fmt.Sprintf("%d KiB", size/1024)
	}
	return fmt.Sprintf("%d B", size)
}

// digits prints three significant digits.
func digits(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 1:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3f", x)
}
