package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"xcipher/internal/catalog"
)

// list prints the catalog as a table. Sizes are in bytes.
func list(flags *flag.FlagSet, args []string, s stdio) int {
	if status, done := parse(flags, args); done {
		return status
	}
	if flags.NArg() > 0 {
		s.complain("list", fmt.Errorf("unexpected argument %q", flags.Arg(0)))
		return exitUsage
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tKIND\tKEY\tNONCE\tBLOCK\tSIZE\tSTANDARD\tNOTE")
	for _, a := range catalog.Algorithms() {
		key := size(a.KeySize)
		if a.AnyKey {
			key = "any"
		}
		var nonces []string
		for _, n := range a.NonceSizes {
			nonces = append(nonces, strconv.Itoa(n))
		}
		line := []string{a.Name, string(a.Kind), key, dash(strings.Join(nonces, ",")), size(a.BlockSize), size(a.Size), a.Standard, a.Note}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(line, "\t"), "\t"))
	}
	if err := w.Flush(); err != nil {
		s.complain("list", err)
		return exitFailed
	}
	return exitOK
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
