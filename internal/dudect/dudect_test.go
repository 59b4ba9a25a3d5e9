package main

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"xcipher/internal/cpu"
	"xcipher/internal/ctcheck"
	"xcipher/internal/impl"
)

// A leak is found, and none where there is none. What a table costs depends on the
// caches of the machine, an early exit is seen on all.
func TestPlanted(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the clock has steps of a millisecond")
	}
	for _, p := range planted() {
		if p.name == "planted-table" && runtime.GOARCH != "amd64" {
			continue
		}
		// The machine may be busy: what is wrong three times is wrong.
		var r result
		for range 3 {
			if r = run(p.tests, 200*time.Millisecond); p.leaky == (r.t() >= limit) {
				break
			}
		}
		if p.leaky != (r.t() >= limit) {
			t.Errorf("%s: |t| is %.1f", p.name, r.t())
		}
		if r.samples < rounds*200 || len(r.ts) != len(cuts) {
			t.Errorf("%s: %d samples, %d cuts", p.name, r.samples, len(r.ts))
		}
	}
}

// Welch's t of two small samples, by hand: means 3 and 6, variances 2.5 and 10/3.
func TestWelch(t *testing.T) {
	var a, b moments
	for _, v := range []float64{1, 2, 3, 4, 5} {
		a.add(v)
	}
	for _, v := range []float64{4, 6, 6, 8} {
		b.add(v)
	}
	b.n, b.mean, b.squares = 4, 6, 10
	want := (3 - 6.0) / math.Sqrt(2.5/5+10.0/3/4)
	if got := tOf(a, b); math.Abs(got-want) > 1e-12 {
		t.Errorf("t is %v, want %v", got, want)
	}
	if got := tOf(b, a); math.Abs(got+want) > 1e-12 {
		t.Errorf("t is %v, want %v", got, -want)
	}
	if got := tOf(moments{}, a); got != 0 {
		t.Errorf("t of no samples is %v", got)
	}
}

// Cuts keep the fastest samples: a difference that only outliers hide is found.
func TestCuts(t *testing.T) {
	var classes []uint8
	var times []float64
	for i := range 2000 {
		v := 100 + float64(i%7) + float64(i&1)
		if i%50 < 2 {
			v = float64(1e6 * (1 + i%100))
		}
		classes, times = append(classes, uint8(i&1)), append(times, v)
	}
	ts := welch(classes, times)
	if math.Abs(ts[0]) > 3 || ts[3] > -5 {
		t.Errorf("t is %v", ts)
	}
	worst := result{ts: []float64{1, -7, 3}}
	if worst.t() != 7 {
		t.Errorf("largest of %v is %v", worst.ts, worst.t())
	}
}

// Every algorithm has tests that run, in every tier, with values of both classes
// that differ; and the switches are as they were afterwards.
func TestTests(t *testing.T) {
	var before, after []bool
	for _, s := range impl.Switches() {
		before = append(before, *s.Enabled)
	}
	var seen []string
	tiers(func(tier string) {
		seen = append(seen, tier)
		for _, a := range subjects() {
			tests, err := a.tests()
			if err != nil {
				t.Fatalf("%s: %v", a.name, err)
			}
			if len(tests) < 3 {
				t.Errorf("%s: %d tests", a.name, len(tests))
			}
			for _, x := range tests {
				one, again, other := make([]byte, x.size), make([]byte, x.size), make([]byte, x.size)
				x.fixed(one)
				x.fixed(again)
				x.random(other)
				if !slices.Equal(one, again) || slices.Equal(one, other) {
					t.Errorf("%s, %s: values %x, %x and %x", a.name, x.name, one, again, other)
				}
				x.run(one)
				x.run(other)
			}
		}
	})
	for _, s := range impl.Switches() {
		after = append(after, *s.Enabled)
	}
	if !slices.Equal(before, after) {
		t.Errorf("switches %v, before %v", after, before)
	}
	if slices.Contains(before, true) != (len(seen) > 1) || !slices.Contains(seen, impl.Generic) {
		t.Errorf("tiers %q", seen)
	}
}

// TestEveryKernel runs TestTests, and looks at which assembly it came.
func TestEveryKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles all packages anew")
	}
	if !slices.ContainsFunc(impl.Switches(), func(s impl.Switch) bool { return *s.Enabled }) {
		return // no kernels
	}
	profile := filepath.Join(t.TempDir(), "profile")
	cmd := exec.Command("go", "test", "-count=1", "-run", "^TestTests$", "-coverpkg=xcipher/...", "-coverprofile="+profile, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	called, others, err := ctcheck.Kernels("../..", f)
	if err != nil {
		t.Fatal(err)
	}
	others = slices.DeleteFunc(others, func(name string) bool {
		return strings.Contains(name, "AVX512") && !cpu.AVX512 || strings.Contains(name, "GFNI") && !cpu.AVX2GFNI
	})
	if len(others) > 0 || len(called) == 0 {
		t.Errorf("kernels that are not timed: %q; timed: %q", others, called)
	}
	t.Logf("%d kernels are timed: %s", len(called), strings.Join(called, ", "))
}
