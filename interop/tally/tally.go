// Package tally counts the tests that passed for each client or tool.
package tally

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
)

type count struct{ passed, failed, skipped int }

var (
	mu     sync.Mutex
	counts = map[string]*count{}
)

// Run runs f as a subtest called who/name and counts it under who.
func Run(t *testing.T, who, name string, f func(t *testing.T)) {
	t.Helper()
	t.Run(who+"/"+name, func(t *testing.T) {
		t.Cleanup(func() { add(t, who) })
		f(t)
	})
}

func add(t *testing.T, who string) {
	mu.Lock()
	defer mu.Unlock()
	c := counts[who]
	if c == nil {
		c = new(count)
		counts[who] = c
	}
	switch {
	case t.Failed():
		c.failed++
	case t.Skipped():
		c.skipped++
	default:
		c.passed++
	}
}

// Main is a TestMain: it runs the tests and prints the counts. It fails if a name
// was not counted although all tests ran, and if CI=true and a test was skipped.
func Main(m *testing.M, names ...string) int {
	code := m.Run()
	for _, who := range slices.Sorted(maps.Keys(counts)) {
		c := counts[who]
		fmt.Printf("%s: %d passed", who, c.passed)
		if c.failed > 0 {
			fmt.Printf(", %d failed", c.failed)
		}
		if c.skipped > 0 {
			fmt.Printf(", %d skipped", c.skipped)
		}
		fmt.Println()
		if c.skipped > 0 && os.Getenv("CI") == "true" {
			code = 1
		}
	}
	if !chosen("test.run") && !chosen("test.skip") && !chosen("test.list") {
		for _, who := range names {
			if counts[who] == nil {
				fmt.Printf("%s: nothing ran\n", who)
				code = 1
			}
		}
	}
	return code
}

// chosen reports whether the command line picks tests with this flag.
func chosen(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != ""
}
