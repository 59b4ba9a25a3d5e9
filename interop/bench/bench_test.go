package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestContestantsAgree(t *testing.T) {
	for _, it := range items() {
		t.Run(it.name, func(t *testing.T) {
			for _, size := range it.of([]int{16, 64, 256, 1040, 8192}) {
				if err := agree(it, newJob(size)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// copies returns a contestant that copies its input and adds x to the first byte.
func copies(name string, x byte) contestant {
	return contestant{name: name, make: func(j *job) func(int) {
		return func(n int) {
			for range n {
				copy(j.dst, j.src)
				j.dst[0] += x
			}
		}
	}}
}

func TestAgreeNoticesDifferences(t *testing.T) {
	wrong := copies("wrong", 1)
	wrong.landmark = true
	nothing := contestant{name: "nothing", make: func(*job) func(int) { return func(int) {} }}
	for _, test := range []struct {
		contestants []contestant
		want        string
	}{
		{[]contestant{copies("ours", 0), copies("theirs", 0)}, ""},
		{[]contestant{copies("ours", 0), wrong}, ""},
		{[]contestant{copies("ours", 0), copies("theirs", 0), copies("wrong", 1)}, "copy of 64 bytes: ours and wrong differ"},
		{[]contestant{copies("ours", 0), nothing}, "copy of 64 bytes: ours and nothing differ"},
		{[]contestant{nothing, nothing}, "copy of 64 bytes: no result"},
	} {
		err := agree(item{name: "copy", contestants: test.contestants}, newJob(64))
		if got := strings.TrimPrefix(fmt.Sprint(err), "<nil>"); got != test.want {
			t.Errorf("error %q, want %q", got, test.want)
		}
	}
}

func TestMeasureTakesTheShortest(t *testing.T) {
	var rests []time.Duration
	slow := contestant{name: "slow", make: func(*job) func(int) {
		return func(n int) {
			rest := time.Millisecond * time.Duration(1+len(rests)%3)
			rests = append(rests, rest)
			time.Sleep(rest)
		}
	}}
	got := measure(item{contestants: []contestant{slow, copies("fast", 0)}}, newJob(64), 30*time.Millisecond)
	if len(got) != 2 || got[0] < 1e6 || got[0] > 1e9 || got[1] <= 0 || got[1] > got[0] {
		t.Errorf("%v ns after rests of %v", got, rests)
	}
	if len(rests) < 3+2*minRounds {
		t.Errorf("%d runs", len(rests))
	}
}

var example = table{
	it:   item{name: "Copy", contestants: []contestant{{name: "ours"}, {name: "memcpy"}, {name: "memset", landmark: true}}},
	rows: []row{{64, []float64{64, 128, 6.4}}, {65536, []float64{65536 * 12, 65536 * 6, 65536 * 1234}}},
}

func TestMarkdown(t *testing.T) {
	keys := table{it: item{name: "Keys", perKey: true, contestants: []contestant{{name: "ours"}}}, rows: []row{{0, []float64{433.2}}}}
	want := `
| ns per byte | | 64 B | 64 KiB |
|---|---|--:|--:|
| **Copy** | ours | 1.00 | 12.0 |
| | memcpy | 2.00 ×2.00 | 6.00 ×0.50 |
| | (memset) | 0.100 ×0.10 | 1234 ×102.83 |

| ns per key | | each |
|---|---|--:|
| **Keys** | ours | 433 |
`
	if got := markdown([]*table{&keys, &example}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAddKeepsTheLeast(t *testing.T) {
	var got table
	got.add(64, []float64{3, 2})
	got.add(256, []float64{9, 9})
	got.add(64, []float64{1, 4})
	if s := fmt.Sprint(got.rows); s != "[{64 [1 2]} {256 [9 9]}]" {
		t.Error(s)
	}
}

func TestShortfalls(t *testing.T) {
	got := example.shortfalls([]bar{
		{"Copy", "memcpy", 64, 64, 2},
		{"Copy", "memcpy", 64, 64, 2.1},
		{"Copy", "memcpy", 64, whatever, 0.75},
		{"Copy", "absent", 0, whatever, 9},
		{"Other", "memcpy", 0, whatever, 9},
		{"Copy", "", 64, 64, 20},
		{"Copy", "", 64, 64, 15},
	})
	want := []string{
		"Copy, 64 B: 2.00 times memcpy, wanted 2.1",
		"Copy, 64 KiB: 0.50 times memcpy, wanted 0.75",
		"Copy: 64 ns, wanted at most 50",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A bar that names nobody would always be met.
func TestBarsNameContestants(t *testing.T) {
	list := items()
	for _, b := range bars {
		i := slices.IndexFunc(list, func(it item) bool { return it.name == b.item })
		if i < 0 {
			t.Errorf("no item %q", b.item)
			continue
		}
		known := slices.ContainsFunc(list[i].contestants, func(c contestant) bool { return c.name == b.peer })
		if cPeers(b.item) == nil {
			known = known || slices.Contains([]string{"OpenSSL", "gost-engine", engineCBC, "libgcrypt", "nettle"}, b.peer)
		}
		if !known && b.peer != "" {
			t.Errorf("%s: no peer %q", b.item, b.peer)
		}
	}
}

func TestBench(t *testing.T) {
	var out strings.Builder
	if _, err := bench(&out, "^ChaCha8$", "64,256", time.Millisecond); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ours: " + fastest(), "\n| ns per byte | | 64 B | 256 B |\n|---|", "\n| **ChaCha8** | ours | ", "\n| | aead | "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
	if n := strings.Count(out.String(), "**"); n != 2 {
		t.Errorf("%d items", n/2)
	}
	for _, bad := range []struct{ pattern, sizes string }{{"(", "64"}, {"", ""}, {"", "64,"}, {"", "0"}, {"", "-16"}, {"", "65"}} {
		if _, err := bench(io.Discard, bad.pattern, bad.sizes, 0); err == nil {
			t.Errorf("-run %q -sizes %q is accepted", bad.pattern, bad.sizes)
		}
	}
}
