package main

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"xcipher/internal/catalog"
)

const listHelp = `
Sizes are in bytes. SIZE is that of a digest or MAC, and what an AEAD adds to a
message. The kinds are block, aead, mac, hash and stream.

Examples:
  xcipher list
  xcipher list aead mac
  xcipher list -names hash
`

var kinds = []catalog.Kind{catalog.Block, catalog.AEAD, catalog.MAC, catalog.Hash, catalog.Stream}

// list prints the catalog, or the kinds that are named, as a table.
func list(flags *flag.FlagSet, args []string, s stdio) int {
	names := flags.Bool("names", false, "print the names only")
	if status, done := parse(flags, args); done {
		return status
	}
	for _, kind := range flags.Args() {
		if !slices.Contains(kinds, catalog.Kind(kind)) {
			return misused(flags, s, "unknown kind %q; there is block, aead, mac, hash, stream", kind)
		}
	}
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	if !*names {
		fmt.Fprintln(w, "NAME\tKIND\tKEY\tNONCE\tBLOCK\tSIZE\tSTANDARD\tNOTE")
	}
	for _, a := range catalog.Algorithms() {
		switch {
		case flags.NArg() > 0 && !slices.Contains(flags.Args(), string(a.Kind)):
		case *names:
			fmt.Fprintln(w, a.Name)
		default:
			fmt.Fprintln(w, row(a))
		}
	}
	w.Flush()
	lines := strings.Split(text.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return s.print("list", strings.Join(lines, "\n"))
}

// row returns the line of an algorithm, with tabs between its cells.
func row(a catalog.Algorithm) string {
	var keys, nonces []string
	for _, n := range keySizes(a) {
		keys = append(keys, size(n))
	}
	if a.AnyKey {
		keys = []string{"any"}
	}
	for _, n := range a.NonceSizes {
		nonces = append(nonces, size(n))
	}
	line := []string{a.Name, string(a.Kind), strings.Join(keys, ","), dash(strings.Join(nonces, ",")), size(a.BlockSize), size(a.Size), a.Standard, a.Note}
	return strings.Join(line, "\t")
}

func size(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
