// Dudect looks for secrets in the time that algorithms take: it times each
// algorithm of the catalog in each tier with two classes of secret input, and asks
// whether the times of the classes differ.
//
//	go run ./internal/dudect [-time 5s] [-run regexp]
//
// AES without AES instructions, as in builds with the tag purego, uses tables: what
// stands on it is WRONG then.
//
// The method is that of "Dude, is my code constant time?" (Reparaz, Balasch,
// Verbauwhede, DATE 2017). One class is a fixed value, the other one is random;
// samples of both are taken in random order. Welch's t says how far apart the
// means are, in units of their uncertainty. Slow samples, where something else ran,
// are cut off at several percentiles. Several rounds are made, and the median of
// their t counts, so that what another program did once is not taken for a leak.
//
// It prints the largest |t| of each algorithm in each tier, and the test that has
// it. Below 5 there is nothing to see; from 10 on there is a leak. Functions with
// a leak are in the list to show that it would be found, and one without. The exit
// status is 1 if one of them, or one of the catalog, is on the wrong side of 10.
//
// Unlike valgrind and asmcheck it runs every tier as it is, AVX-512 and GFNI
// included, and sees instructions whose time depends on their operands. But it can
// only find leaks, never prove that there is none.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"time"
)

var (
	each  = flag.Duration("time", 5*time.Second, "for each algorithm in each tier")
	match = flag.String("run", "", "take only algorithms that match the regular `expression`")
	all   = flag.Bool("v", false, "print the result of every test")
)

const (
	rounds = 5
	limit  = 10.0 // of |t|
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("dudect: ")
	flag.Parse()
	filter, err := regexp.Compile(*match)
	if err != nil {
		log.Fatal(err)
	}
	bad, lines := 0, 0
	fmt.Printf("%-24s %-9s %8s  %s\n", "algorithm", "tier", "max |t|", "test, samples")
	show := func(name, tier string, tests []test, leaky bool) {
		worst := run(tests, *each)
		mark := ""
		if leaky != (worst.t() >= limit) {
			bad++
			mark = "  WRONG"
		}
		lines++
		fmt.Printf("%-24s %-9s %8.1f  %s, %d%s\n", name, tier, worst.t(), worst.name, worst.samples, mark)
	}
	for _, p := range planted() {
		if filter.MatchString(p.name) {
			show(p.name, "", p.tests, p.leaky)
		}
	}
	tiers(func(tier string) {
		for _, s := range subjects() {
			if !filter.MatchString(s.name) {
				continue
			}
			tests, err := s.tests()
			if err != nil {
				log.Fatal(err)
			}
			show(s.name, tier, tests, false)
		}
	})
	if lines == 0 {
		log.Fatalf("nothing matches %q", *match)
	}
	if bad > 0 {
		log.Printf("%d of %d on the wrong side of %v", bad, lines, limit)
		os.Exit(1)
	}
	fmt.Printf("%d lines, all on the right side of %v\n", lines, limit)
}

// result is what a test gave.
type result struct {
	name    string
	samples int
	ts      []float64 // the median of the rounds, for each cut
}

// t is the largest |t|.
func (r result) t() (most float64) {
	for _, t := range r.ts {
		most = max(most, t, -t)
	}
	return most
}

// run makes all tests and returns the one with the largest |t|.
func run(tests []test, total time.Duration) (worst result) {
	for i, t := range tests {
		r := t.measure(rounds, total/time.Duration(len(tests)*rounds))
		if *all {
			fmt.Printf("%36.1f  %s, %d\n", r.t(), r.name, r.samples)
		}
		if i == 0 || r.t() > worst.t() {
			worst = r
		}
	}
	return worst
}
