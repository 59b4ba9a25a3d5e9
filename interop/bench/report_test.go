package main

import (
	"slices"
	"strings"
	"testing"

	"xcipher/internal/impl"
)

// figures makes a table of an item, where we take ours nanoseconds and all others 1.
func figures(t *testing.T, name string, ours float64) *table {
	t.Helper()
	for _, it := range items() {
		if it.name == name {
			ns := []float64{ours}
			for range it.contestants[1:] {
				ns = append(ns, 1)
			}
			return &table{it, []row{{it.of([]int{64})[0], ns}}}
		}
	}
	t.Fatalf("no item %q", name)
	return nil
}

const document = `about bench

<!-- bench avx512 -->
what is here goes

<!-- /bench -->
between
<!-- bench avx2 -->

<!-- /bench -->
end
`

func TestReplace(t *testing.T) {
	limits := []bar{{"ChaCha12", "aead", 0, whatever, 2}, {"ChaCha8", "aead", 0, whatever, 2}}
	now, err := replace([]byte(document), "avx512", []*table{figures(t, "ChaCha12", 2), figures(t, "ChaCha8", 4), figures(t, "Magma NewCipher", 1)}, limits)
	if err != nil {
		t.Fatal(err)
	}
	now, err = replace(now, "avx512", []*table{figures(t, "ChaCha8", 0.1)}, limits)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(document, "what is here goes\n", `
| ns per byte | | 64 B |
|---|---|--:|
| **ChaCha12** | ours | 0.031 |
| | aead | 0.016 ×0.50 |
| **ChaCha8** | ours | 0.002 |
| | aead | 0.016 ×10.00 |

| ns per key | | each |
|---|---|--:|
| **Magma NewCipher** | ours | 1.00 |

Slower than a peer:

* ChaCha12: aead (64 B ×0.50)

`+shortHead+`* ChaCha12, 64 B: 0.50 times aead, wanted 2
`, 1)
	got := string(now)
	if cPeers("Magma NewCipher") != nil {
		want = strings.Replace(want, "| ours | 1.00 |\n", "| ours | 1.00 |\n| | gost-engine | 1.00 ×1.00 |\n", 1)
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, tier := range []string{"avx2gfni", ""} {
		if _, err := replace(now, tier, nil, nil); err == nil {
			t.Errorf("a report for tier %q was put somewhere", tier)
		}
	}
	other := figures(t, "ChaCha8", 1)
	other.rows[0].size = 256
	if _, err := replace(now, "avx512", []*table{other}, nil); err == nil {
		t.Error("one table has figures for different sizes")
	}
}

// Whatever the items are called, their lines must be found again.
func TestReportIsReadBack(t *testing.T) {
	var tables []*table
	var bars []bar
	for _, it := range items() {
		tables = append(tables, figures(t, it.name, 3))
		for _, c := range it.contestants[1:] {
			bars = append(bars, bar{it.name, c.name, 0, whatever, 9})
		}
	}
	all := newReport(tables, bars)
	var again report
	if err := again.keep(parseReport(all.String()), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := again.String(), all.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(all.short.lines) == 0 || len(all.slower.lines) == 0 || len(all.texts.lines) == 0 || len(all.keys.lines) == 0 {
		t.Error("a part is empty")
	}
}

func TestForce(t *testing.T) {
	was := map[*bool]bool{}
	for _, s := range impl.Switches() {
		was[s.Enabled] = *s.Enabled
	}
	defer func() {
		for p, on := range was {
			*p = on
		}
	}()
	if err := force("sse"); err == nil {
		t.Error("there is a tier sse")
	}
	for rank, tier := range impl.Tiers() {
		had := slices.Index(impl.Tiers(), fastest())
		if err := force(tier); (err == nil) != (rank >= had) {
			t.Errorf("tier %s after %s: %v", tier, impl.Tiers()[had], err)
		}
		if now := slices.Index(impl.Tiers(), fastest()); now < rank || now < had {
			t.Errorf("with tier %s the fastest is %s", tier, fastest())
		}
	}
	if fastest() != impl.Generic {
		t.Errorf("generic is %s", fastest())
	}
}
