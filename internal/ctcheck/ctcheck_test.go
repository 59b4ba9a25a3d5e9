//go:build valgrind

package ctcheck_test

import (
	"crypto/subtle"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	xcpu "golang.org/x/sys/cpu"

	"xcipher/internal/catalog"
	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/ctcheck"
)

// These tests run under valgrind; TestConstantTime, without the tag, starts them
// and reads what say prints.
func TestMain(m *testing.M) {
	if !ctcheck.Running() {
		fmt.Fprintln(os.Stderr, "these tests need valgrind: run them through go test without the tag valgrind")
		os.Exit(1)
	}
	say(":", "tier avx2: %v", cpu.AVX2)
	say(":", "AES by tables, not checked: %v", tables)
	start := ctcheck.Errors() // of the runtime: sched_getaffinity
	code := m.Run()
	if n := ctcheck.Errors() - start; n != all.reports {
		say("!", "%d reports in all, of which %d in the calls that were watched", n, all.reports)
		code = 1
	}
	for _, a := range catalog.Algorithms() {
		if !seen[a.Name] && !overTables(a.Name) && flag.Lookup("test.run").Value.String() == "" {
			say("!", "%s was not watched", a.Name)
			code = 1
		}
	}
	say(":", "all: %d algorithms, %v", len(seen), all)
	os.Exit(code)
}

// say prints a line between the reports of valgrind. The mark after the first word
// is ":" for totals, ">" before a verdict, "~" before another call that must be
// reported, "<" after both, "!" for a wrong number of reports.
func say(mark, format string, args ...any) {
	fmt.Fprintf(os.Stderr, "ctcheck"+mark+" "+format+"\n", args...)
}

// count is what was watched.
type count struct {
	calls   int
	wanted  int // reports that must be
	reports int // all reports
}

func (c count) String() string {
	return fmt.Sprintf("%d calls, %d wanted reports, %d others", c.calls, c.wanted, c.reports-c.wanted)
}

var (
	all  count
	seen = map[string]bool{} // the algorithms
)

// section runs f once per tier, and prints what was watched in it.
func section(t *testing.T, name string, f func(s *suite)) {
	before, tiers, names := all, 0, map[string]bool{}
	conform.Each(t, func(t *testing.T) {
		tiers++
		f(&suite{t, conform.Rand(t), names})
	})
	say(":", "%s: %d algorithms, %d tiers, %v", name, len(names), tiers,
		count{all.calls - before.calls, all.wanted - before.wanted, all.reports - before.reports})
}

type suite struct {
	*testing.T
	rand  *rand.Rand
	names map[string]bool // the algorithms of the section
}

// tables is true where crypto/aes uses them, at addresses that are secret.
var tables = purego || !xcpu.X86.HasAES

// overTables reports whether an algorithm inherits that.
func overTables(name string) bool {
	return tables && strings.Contains(strings.ToLower(name), "aes")
}

// each runs f for one algorithm.
func (s *suite) each(name string, f func(s *suite)) {
	if overTables(name) {
		return
	}
	s.names[name], seen[name] = true, true
	s.Run(name, func(t *testing.T) { f(&suite{t, s.rand, s.names}) })
}

// public returns n random bytes.
func (s *suite) public(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.rand.Uint32())
	}
	return b
}

// secret returns n random bytes that are secret.
func (s *suite) secret(n int) []byte {
	b := s.public(n)
	ctcheck.Secret(b)
	return b
}

// reveal declassifies what a call returned. It must have depended on the secret,
// else the call was watched in vain.
func (s *suite) reveal(what string, b []byte) []byte {
	s.Helper()
	if len(b) > 0 && !ctcheck.IsSecret(b) {
		s.Errorf("%s does not depend on the secret", what)
	}
	ctcheck.Declassify(b)
	return b
}

// equal compares two results after declassifying them.
func (s *suite) equal(what string, got, want []byte) {
	s.Helper()
	ctcheck.Declassify(got)
	ctcheck.Declassify(want)
	// Not bytes.Equal: it reads 8 bytes where there are fewer, and the others may be secret.
	if subtle.ConstantTimeCompare(got, want) != 1 {
		s.Errorf("%s: wrong result", what)
	}
}

// quiet watches a call that must not be reported.
func (s *suite) quiet(what string, f func()) {
	s.Helper()
	s.watch(what, 0, 0, f)
}

// verdict watches a call that decides whether a tag is right: the only branch on a
// secret.
func (s *suite) verdict(what string, f func()) {
	s.Helper()
	say(">", "%s: %s", s.Name(), what)
	all.wanted += min(1, s.watch(what, 1, 1, f))
}

// leak watches a call that must be reported, most times at most.
func (s *suite) leak(what string, most int, f func()) {
	s.Helper()
	say("~", "%s: %s", s.Name(), what)
	all.wanted += min(most, s.watch(what, 1, most, f))
}

// watch returns how many reports there were.
func (s *suite) watch(what string, least, most int, f func()) int {
	s.Helper()
	before := ctcheck.Errors()
	f()
	n := ctcheck.Errors() - before
	all.calls++
	all.reports += n
	switch {
	case n < least || n > most:
		say("!", "%s: %s: %d reports, want %d to %d", s.Name(), what, n, least, most)
		s.Fail()
	case least > 0:
		say("<", "%s: %s", s.Name(), what)
	}
	return n
}
