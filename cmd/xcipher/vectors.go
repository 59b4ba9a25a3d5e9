package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"xcipher/internal/catalog"
	"xcipher/internal/impl"
	"xcipher/vectors"
)

const vectorsHelp = `
Without -a, runs the vectors that are part of the program: those of the files that
are named, or all. With -a, runs Wycheproof-style JSON files against one algorithm;
groups of tests that are not for it are skipped.

REFUSED are tests whose parameters are not supported, where that is acceptable;
SKIPPED are those of groups that nothing here can run. Each failed test is told on
standard error, and makes the exit status 1.

Examples:
  xcipher vectors
  xcipher vectors -tiers streebog256 kuznyechik_mgm
  xcipher vectors -a aes-cmac aes_cmac_test.json
`

// runVectors runs test vectors and prints a table of the results.
func runVectors(flags *flag.FlagSet, args []string, s stdio) int {
	algorithm := flags.String("a", "", "run files against this `algorithm`")
	tiers := flags.Bool("tiers", false, "run each file on every set of instructions that this processor has")
	slow := flags.Bool("slow", false, "run also the tests that take minutes")
	if status, done := parse(flags, args); done {
		return status
	}
	names, picks, read := flags.Args(), embedded, vectors.Load
	if *algorithm != "" {
		a, ok := catalog.Lookup(*algorithm)
		switch {
		case !ok:
			return misused(flags, s, "unknown algorithm %q; xcipher list names them all", *algorithm)
		case len(names) == 0:
			return misused(flags, s, "give a file to run against %s", a.Name)
		}
		picks, read = against(a), parseVectors
	} else if len(names) == 0 {
		names = vectors.Names()
	}

	v := vectorRun{s: s, picks: picks, slow: *slow, status: exitOK}
	w := tabwriter.NewWriter(&v.table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "PASSED\tFAILED\tREFUSED\tSKIPPED\t  FILE")
	for _, name := range names {
		f, err := read(name)
		if err != nil {
			s.complain("vectors", err)
			v.status = exitFailed
			continue
		}
		if *tiers {
			eachTier(allPackages, func(tier string) { v.file(w, f, "  "+tier) })
		} else {
			v.file(w, f, "")
		}
	}
	if v.files > 1 {
		v.line(w, v.total, v.failures, "in all")
	}
	w.Flush()
	if status := s.print("vectors", v.table.String()); status != exitOK {
		return status
	}
	return v.status
}

// parseVectors reads a file of test vectors.
func parseVectors(name string) (*vectors.File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(name)
	f, err := vectors.Parse(strings.TrimSuffix(base, filepath.Ext(base)), text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// A vectorRun is one use of the command. It is the vectors.TB of its runners.
type vectorRun struct {
	s      stdio
	picks  picks
	slow   bool
	table  bytes.Buffer
	failed int // tests, or runners, of the file that is running
	status int

	files, failures int // of all files
	total           vectors.Result
}

func (v *vectorRun) Helper() {}

func (v *vectorRun) Errorf(format string, args ...any) {
	v.failed++
	v.s.complain("vectors", fmt.Errorf(format, args...))
}

func (v *vectorRun) Fatalf(format string, args ...any) { v.Errorf(format, args...) }

// file runs one file and adds its line to the table.
func (v *vectorRun) file(w *tabwriter.Writer, f *vectors.File, note string) {
	if !v.slow {
		f = f.Without("Slow")
	}
	v.failed = 0
	sum := v.picks.run(v, f)
	if sum.Run == 0 {
		v.s.complain("vectors", errors.New(f.Name+": no test was run"))
		v.status = exitFailed
	}
	if v.failed > 0 {
		v.status = exitFailed
	}
	v.line(w, sum, v.failed, f.Name+note)
	v.files++
	v.failures += v.failed
	v.total.Run += sum.Run
	v.total.Refused += sum.Refused
	v.total.Skipped += sum.Skipped
}

// line prints a line of the table.
func (v *vectorRun) line(w *tabwriter.Writer, r vectors.Result, failed int, name string) {
	fmt.Fprintf(w, "%d\t%d\t%d\t%d\t  %s\n", r.Run-r.Refused-failed, failed, r.Refused, r.Skipped, name)
}

// allPackages selects all switches of package impl.
func allPackages(string) bool { return true }

// eachTier calls f once for each tier that this machine has, fastest first, with
// the faster ones switched off. Only switches of packages that concern the caller
// count.
func eachTier(concerns func(pkg string) bool, f func(tier string)) {
	switches := impl.Switches()
	was := make([]bool, len(switches))
	for i, s := range switches {
		was[i] = *s.Enabled
	}
	defer func() {
		for i, s := range switches {
			*s.Enabled = was[i]
		}
	}()
	tiers := impl.Tiers()
	for rank, tier := range tiers {
		here := tier == impl.Generic
		for i, s := range switches {
			here = here || was[i] && s.Tier == tier && concerns(s.Package)
			*s.Enabled = was[i] && slices.Index(tiers, s.Tier) >= rank
		}
		if here {
			f(tier)
		}
	}
}
