package main

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"xcipher/internal/catalog"
	"xcipher/internal/impl"
)

func TestSpeed(t *testing.T) {
	args := []string{"speed", "-time", "0s", "-sizes", "15, 16"}
	// In short, one of each kind.
	algorithms := []string{"kuznyechik", "chacha20-poly1305", "hmac-streebog256", "saturnin-hash", "magma-ctr", "saturnin-short"}
	if !testing.Short() {
		algorithms = nil
		for _, a := range catalog.Algorithms() {
			algorithms = append(algorithms, a.Name)
		}
	}
	for _, unit := range []string{"MB/s", "ns/B"} {
		if unit == "ns/B" {
			args = append(args, "-ns")
		}
		lines := strings.Split(strings.TrimSuffix(works(t, "", "", append(args, algorithms...)...), "\n"), "\n")
		if got := strings.Join(strings.Fields(lines[0]), " "); got != "ALGORITHM TIER 15 B 16 B "+unit {
			t.Errorf("the table begins with %s", got)
		}
		seen := map[string]int{}
		for _, line := range lines[1:] {
			fields := strings.Fields(line)
			seen[fields[0]]++
			for _, cell := range fields[len(fields)-2:] {
				n, err := strconv.ParseFloat(cell, 64)
				if cell == "-" {
					n, err = 1, nil
				}
				if err != nil || n < 0 || n > 1e6 {
					t.Errorf("a speed of %q: %s", cell, line)
				}
			}
			if short := fields[0] == "saturnin-short"; short != (fields[len(fields)-1] == "-") || fields[len(fields)-2] == "-" {
				t.Errorf("what is longer than a message may be: %s", line)
			}
		}
		for _, name := range algorithms {
			tiers := 0
			eachTier(func(pkg string) bool { return dependsOn(name, pkg) }, func(string) { tiers++ })
			if seen[name] != tiers {
				t.Errorf("%s has %d lines, want one for each of %d tiers", name, seen[name], tiers)
			}
		}
		if seen["crypto/aes:"] != 2 || seen["crypto/sha512:"] != 1 || seen["x/crypto:"] != 1 {
			t.Errorf("peers: %v", seen)
		}
	}
}

// Packages with kernels are known by the names of algorithms.
func TestDependsOn(t *testing.T) {
	for _, s := range impl.Switches() {
		found := false
		for _, a := range catalog.Algorithms() {
			found = found || dependsOn(a.Name, s.Package)
		}
		if !found {
			t.Errorf("no algorithm depends on package %s", s.Package)
		}
	}
	for _, c := range []struct {
		algorithm, pkg string
		want           bool
	}{
		{"magma-mgm", "mgm", true}, {"magma-mgm", "magma", true}, {"magma-mgm", "kuznyechik", false},
		{"hmac-streebog256", "streebog", true}, {"aes128-cloc", "aesni", true}, {"chaskey8-cloc", "aesni", false},
	} {
		if got := dependsOn(c.algorithm, c.pkg); got != c.want {
			t.Errorf("%s, %s: %v", c.algorithm, c.pkg, got)
		}
	}
}

func TestSpeedTable(t *testing.T) {
	figures := []figure{{"a", "generic", []float64{500, math.Inf(1)}}, {"longer", "-", []float64{1, 2e5}}}
	sizes := []int{100, 1000}
	want := "" +
		"ALGORITHM  TIER           100 B      1000 B   MB/s\n" +
		"a          generic          200           -\n" +
		"longer     -             100000        5.00\n"
	if got := speedTable(figures, sizes, false); got != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	if got := speedTable(figures, sizes, true); !strings.Contains(got, "5.00") || !strings.Contains(got, "0.01      200.00\n") {
		t.Errorf("\n%s", got)
	}
}

func TestSpeedUsage(t *testing.T) {
	for _, c := range []struct{ args, text string }{
		{"magmo", "unknown algorithm"}, {"-sizes 0", "size"}, {"-sizes 1,x", "size"}, {"-sizes 1073741825", "size"}, {"-time x", "invalid value"},
	} {
		got := program(t, "", "", append([]string{"speed"}, strings.Fields(c.args)...)...)
		if got.status != exitUsage || got.out != "" || !strings.Contains(got.err, c.text) {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}
