// Command bench measures module xcipher beside other implementations of the same
// algorithms, in one process and in turn, so that whatever else the machine does
// hits all of them alike. It prints tables in Markdown and lists where a peer is
// faster and, on a CPU with AVX-512, every figure that falls short of what we
// expect there (bars.go).
//
//	GOWORK=off go -C interop run ./bench
//	GOWORK=off go -C interop run -tags cpeers ./bench -update RESULTS.md
//
// With the build tag cpeers C libraries take part. They need cgo and the packages
// libssl-dev libengine-gost-openssl libgcrypt20-dev nettle-dev libsodium-dev of
// Debian. -tier avx2 and the like take faster kernels from us, not from the peers;
// the tag purego leaves portable Go to us and to the peers written in Go.
//
// -update writes what was measured into a file, in place of what stands there about
// the same tier and items.
//
// A figure is the shortest of many runs of some 75 microseconds each, over several
// passes through all items.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"xcipher/internal/impl"
)

// passes is how many times all items are measured, so that a busy minute of the
// machine does not decide a figure.
const passes = 4

func main() {
	pattern := flag.String("run", "", "measure only the items whose name matches this `regexp`")
	list := flag.String("sizes", "64,256,1024,8192,65536", "sizes of messages in `bytes`")
	budget := flag.Duration("time", 500*time.Millisecond, "`time` to spend on each item and size")
	only := flag.String("tier", fastest(), "use no kernels of ours above this `tier`")
	file := flag.String("update", "", "put the results into this `file`")
	flag.Parse()
	err := force(*only)
	var tables []*table
	if err == nil {
		tables, err = bench(os.Stdout, *pattern, *list, *budget)
	}
	if err == nil && *file != "" {
		err = update(*file, tables)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// barsHere are the bars for the tier that is on.
func barsHere() []bar {
	if fastest() == impl.AVX512 {
		return bars
	}
	return nil
}

func update(name string, tables []*table) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	now, err := replace(old, fastest(), tables, barsHere())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, now, 0o644)
}

func bench(w io.Writer, pattern, list string, budget time.Duration) ([]*table, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	sizes, err := parseSizes(list)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fmt.Fprintf(w, "%s %s/%s, ours: %s, peers: %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, fastest(), versions())
	var tables []*table
	for _, it := range items() {
		if !match.MatchString(it.name) {
			continue
		}
		for _, size := range it.of(sizes) {
			if err := agree(it, newJob(size)); err != nil {
				return nil, err
			}
		}
		tables = append(tables, &table{it: it})
	}
	for range passes {
		for _, t := range tables {
			for _, size := range t.it.of(sizes) {
				t.add(size, measure(t.it, newJob(size), budget/passes))
			}
		}
	}
	_, err = io.WriteString(w, newReport(tables, barsHere()).String())
	return tables, err
}

func parseSizes(list string) ([]int, error) {
	var sizes []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 16 || n%16 != 0 {
			return nil, fmt.Errorf("size %q is not a positive multiple of 16", s)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}
