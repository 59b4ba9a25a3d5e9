package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The documents must show the figures of RESULTS.md.
func TestDocuments(t *testing.T) {
	root := filepath.Join("..", "..")
	documents, err := draw(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(documents) != 2 {
		t.Errorf("%d documents", len(documents))
	}
	for name, want := range documents {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("%s is out of date: run go run ./internal/chart", name)
		}
	}
}

func TestRun(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"README.md", "interop/RESULTS.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(" 0."), []byte(" 3.")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := run(root); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"README.md", "docs/speed.svg"} {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if was, _ := os.ReadFile(filepath.Join("..", "..", name)); bytes.Equal(got, was) {
			t.Errorf("%s does not depend on the figures", name)
		}
	}
}

// sample is a RESULTS.md in which the tiers take 1, 2, 3 and 4 ns for every item,
// and peers 2.5 ns.
func sample() string {
	var b strings.Builder
	b.WriteString("# Speed\n\n| | |\n|---|---|\n| CPU | a < b; busy |\n| system | s |\n")
	names := slices.Sorted(maps.Values(measured))
	names = slices.Compact(append(slices.DeleteFunc(names, func(s string) bool { return s == "" }), compared...))
	for i, t := range tiers {
		b.WriteString("\n<!-- bench " + t.name + " -->\n\n| ns per byte | | 64 B | 8 KiB |\n|---|---|--:|--:|\n")
		for _, name := range names {
			ours := strconv.Itoa(i + 1)
			b.WriteString("| **" + name + "** | ours | 9 | " + ours + " |\n| | peer | 9 ×1.00 | 2.50 ×2.50 |\n| | (other) | 9 ×1.00 | 0.1 ×0.10 |\n")
		}
		b.WriteString("\nSlower than a peer:\n\n* note on " + t.name + "\n\nSlower than we expect:\n\n* expectation\n\n<!-- /bench -->\n")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	r, err := parse(sample())
	if err != nil {
		t.Fatal(err)
	}
	it, err := r.find("avx2", "Magma CTR")
	if err != nil {
		t.Fatal(err)
	}
	if got := it.rows[0].time[shown]; got != "3" {
		t.Errorf("we take %s", got)
	}
	if p := it.rows[1]; p.who != "peer" || p.landmark || p.time[shown] != "2.50" || p.ratio[shown] != "×2.50" || p.figure(shown) != 2.5 {
		t.Errorf("peer: %+v", p)
	}
	if o := it.rows[2]; o.who != "other" || !o.landmark {
		t.Errorf("other: %+v", o)
	}
	if got := r.notes["avx2"]; !slices.Equal(got, []string{"* note on avx2\n"}) {
		t.Errorf("notes %q", got)
	}
	for _, bad := range []struct{ old, new string }{
		{"<!-- bench generic -->", "<!-- generic -->"},
		{"| CPU |", "| chip |"},
		{"| 9 | 1 |", "| 9 |"},
		{"| 9 | 1 |", "| 9 | x |"},
		{"| 9 | 1 |", "| 9 | 0 |"},
		{"| **AES-128 CMAC** |", "| |"},
	} {
		if _, err := parse(strings.Replace(sample(), bad.old, bad.new, 1)); err == nil {
			t.Errorf("%q in place of %q is accepted", bad.new, bad.old)
		}
	}
}

// page is a README.md with a table of all algorithms.
func page() string {
	names := slices.Sorted(maps.Keys(measured))
	return "top\n<!-- algorithms -->\n| a | b | c |\n|---|---|--:|\n| `" + strings.Join(names, "`, `") + "` | text |  |\n<!-- /algorithms -->\nmiddle\n<!-- speed -->\nold\n<!-- /speed -->\nend\n"
}

func TestReadme(t *testing.T) {
	r, err := parse(sample())
	if err != nil {
		t.Fatal(err)
	}
	r.tiers["avx512"]["ChaCha8"].rows[0].time[shown] = "0.5"
	got, err := r.readme(page())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"top\n<!-- algorithms -->\n| a | b | c |\n|---|---|--:|\n", "| text | 1, 0.5 |\n<!-- /algorithms -->\nmiddle\n<!-- speed -->\n",
		"\n| ChaCha20 | 1 | 2 | 3 | 4 | peer ×2.50 |\n", "with AVX-512:\n\n* note on avx512\n", "with AVX2:\n\n* note on avx2\n<!-- /speed -->\nend\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	again, err := r.readme(got)
	if err != nil || again != got {
		t.Errorf("the second time gives %v\n%s", err, again)
	}
	for _, bad := range []struct{ old, new string }{
		{"<!-- speed -->", ""}, {"<!-- /algorithms -->", ""}, {"`magma`", "`mogma`"}, {"`magma`", ""},
	} {
		if _, err := r.readme(strings.Replace(page(), bad.old, bad.new, 1)); err == nil {
			t.Errorf("%q in place of %q is accepted", bad.new, bad.old)
		}
	}
	delete(r.tiers["avx512"], "Magma CTR")
	if _, err := r.readme(page()); err == nil {
		t.Error("a speed is not known, and the README was written")
	}
}

func TestPicture(t *testing.T) {
	r, err := parse(sample())
	if err != nil {
		t.Fatal(err)
	}
	picture, err := r.svg()
	if err != nil {
		t.Fatal(err)
	}
	widths := map[string]int{}
	rates := map[string]int{}
	var last string
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			for _, a := range e.Attr {
				if e.Name.Local == "rect" && a.Name.Local == "width" {
					widths[a.Value]++
				}
			}
		case xml.CharData:
			if last = strings.TrimSpace(string(e)); strings.HasSuffix(last, "B/s") {
				rates[last]++
			}
		}
	}
	n := len(panels)
	want := map[string]int{"200": n, "100": n, "67": n, "50": n, "80": n, strconv.Itoa(2*margin + 2*column): 1}
	if !maps.Equal(widths, want) {
		t.Errorf("bars %v, want %v", widths, want)
	}
	if want := map[string]int{"1.0 GB/s": n, "500 MB/s": n, "333 MB/s": n, "250 MB/s": n, "400 MB/s": n}; !maps.Equal(rates, want) {
		t.Errorf("rates %v, want %v", rates, want)
	}
	it := r.tiers["avx512"][panels[0]]
	it.rows = it.rows[:1]
	if _, err := r.svg(); err == nil {
		t.Error("a panel without peers is drawn")
	}
}

func TestRate(t *testing.T) {
	for ns, want := range map[float64]string{0.05: "20 GB/s", 0.2: "5.0 GB/s", 1.25: "800 MB/s", 29: "34 MB/s"} {
		if got := rate(ns); got != want {
			t.Errorf("%v ns per byte are %s, want %s", ns, got, want)
		}
	}
}
