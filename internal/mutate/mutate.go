// Mutate tells what the tests of a package would not notice: it changes one thing
// at a time in the package's code and runs the tests, which should fail.
//
//	go run ./internal/mutate [flags] package[=tests,...] ...
//
// Changes are those of one operator or number: +1 or one bit in integer constants
// and so in rotation amounts, << for >>, | for ^ and &, - for +, 0 for a carry, <=
// for <, != for ==, and the like; or one call without result is left out. No file
// of the tree is written; the changed one reaches the compiler with -overlay. The
// tests are those of the package itself, with -short, or of the packages listed
// behind =.
//
// A survivor is a mutant that no test noticed. Either a test is missing, or the
// mutant does the same as the original; then it goes to equivalent.txt, with the
// reason. That file has records of four lines, as survivors are printed: file and
// function, the line as it is, the line as it would be, the reason.
//
// With -generator the changes are those of the command that makes the package's
// assembly, found in its go:generate line: a mutant makes assembly in a temporary
// folder, and the tests run with that. What asmcheck objects to is noticed too. A
// mutant that makes the same program is called unchanged, one whose generator fails
// refused.
//
//	go run ./internal/mutate -generator [flags] package[=tests,...] ...
//
// It needs a shell, and one run may take long: about three seconds for a mutant.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	match   = flag.String("run", "", "take only mutants whose file, function, old or new line match the regular `expression`")
	most    = flag.Int("n", 10, "take so many mutants of a file that compile to something else, at random; 0: all")
	seed    = flag.Uint64("seed", 1, "which mutants -n takes")
	timeout = flag.Duration("timeout", 0, "for one run of tests (default ten times what they take without a mutant, and ten seconds)")
	asm     = flag.Bool("generator", false, "change the generator of the package's assembly")
	list    = flag.Bool("list", false, "list the mutants instead of running tests")
	verbose = flag.Bool("v", false, "tell the fate of every mutant")
)

//go:embed equivalent.txt
var equivalents string

// The fates of a mutant.
const (
	killed       = "killed"
	survived     = "survived"
	equivalent   = "equivalent"
	refused      = "refused"   // by the generator itself, which checks its tables
	unchanged    = "unchanged" // the same program
	notCompiling = "not compiling"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/mutate [flags] package[=tests,...] ...")
		flag.PrintDefaults()
	}
	flag.Parse()
	filter, err := regexp.Compile(*match)
	if err != nil {
		log.Fatal(err)
	}
	known, err := parseRecords(equivalents)
	if err != nil {
		log.Fatal(err)
	}
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	var rows []row
	for _, arg := range flag.Args() {
		pattern, tests, _ := strings.Cut(arg, "=")
		packages, err := load(pattern)
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range packages {
			r, err := check(p, tests, filter, known)
			if err != nil {
				log.Fatalf("%s: %v", p.ImportPath, err)
			}
			if r.mutants() > 0 {
				rows = append(rows, r)
			}
		}
	}
	if !*list {
		fmt.Print(table(rows))
	}
}

// row is a package's line in the report.
type row struct {
	name  string
	fates map[string]int
	took  time.Duration
}

func (r row) mutants() (n int) {
	for _, k := range r.fates {
		n += k
	}
	return n
}

func table(rows []row) string {
	sum := row{name: "all", fates: make(map[string]int)}
	for _, r := range rows {
		sum.took += r.took
		for fate, n := range r.fates {
			sum.fates[fate] += n
		}
	}
	var b strings.Builder
	fates := []string{killed, survived, equivalent, refused, unchanged, notCompiling}
	fmt.Fprintf(&b, "%-30s %8s", "package", "mutants")
	for _, f := range fates {
		fmt.Fprintf(&b, " %*s", max(8, len(f)), f)
	}
	fmt.Fprintf(&b, " %7s\n", "time")
	for _, r := range append(rows, sum) {
		fmt.Fprintf(&b, "%-30s %8d", r.name, r.mutants())
		for _, f := range fates {
			fmt.Fprintf(&b, " %*d", max(8, len(f)), r.fates[f])
		}
		fmt.Fprintf(&b, " %6.0fs\n", r.took.Seconds())
	}
	return b.String()
}

// check runs the mutants of one package.
func check(p pkg, tests string, filter *regexp.Regexp, known map[record]bool) (row, error) {
	r := row{name: p.ImportPath, fates: make(map[string]int)}
	began := time.Now()
	var t *tester
	source, prefix := p, ""
	var g *generator
	if *asm {
		var err error
		if g, err = generatorOf(p); g == nil {
			return r, err
		}
		source, prefix, r.name = g.pkg, g.prefix, g.pkg.ImportPath
	}
	for _, file := range source.GoFiles {
		name := prefix + source.name(file)
		mutants, err := mutantsOf(source.Dir, name, file)
		if err != nil {
			return r, err
		}
		for _, stale := range staleRecords(known, mutants, name) {
			log.Printf("equivalent.txt has what is no mutant now:\n%s", stale)
		}
		mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return !filter.MatchString(m.String()) })
		if *most > 0 {
			rng := rand.New(rand.NewPCG(*seed, 0))
			rng.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		}
		compiled := 0
		for _, m := range mutants {
			if *most > 0 && compiled == *most {
				break
			}
			if *list {
				compiled++
				fmt.Println(m)
				continue
			}
			fate := equivalent
			if !known[m.record] {
				if t == nil {
					if t, err = newTester(p, tests); err != nil {
						return r, err
					}
					defer t.close()
					if t.generator = g; g != nil {
						if err := g.prepare(t); err != nil {
							return r, err
						}
					}
				}
				if fate, err = t.run(m); err != nil {
					return r, err
				}
			}
			r.fates[fate]++
			if fate != notCompiling && fate != unchanged {
				compiled++
			}
			if *verbose || fate == survived {
				fmt.Printf("%s, line %d:\n%s\n", fate, m.line, m.record)
			}
		}
	}
	r.took = time.Since(began)
	return r, nil
}
