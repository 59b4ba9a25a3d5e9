// Command bench measures module xcipher beside other implementations of the same
// algorithms, in one process and in turn, so that whatever else the machine does
// hits all of them alike. It prints tables in Markdown and, on a CPU with AVX-512,
// every figure that falls short of what we expect there (bars.go).
//
//	GOWORK=off go -C interop run ./bench
//	GOWORK=off go -C interop run -tags cpeers ./bench
//
// With the build tag cpeers C libraries take part. They need cgo and the packages
// libssl-dev libengine-gost-openssl libgcrypt20-dev nettle-dev libsodium-dev of
// Debian. GODEBUG=cpu.avx512f=off measures the tier below AVX-512, the tag purego
// portable Go; both hold for the peers written in Go, too.
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

	"xcipher/internal/cpu"
)

// passes is how many times all items are measured, so that a busy minute of the
// machine does not decide a figure.
const passes = 4

func main() {
	pattern := flag.String("run", "", "measure only the items whose name matches this `regexp`")
	list := flag.String("sizes", "64,256,1024,8192,65536", "sizes of messages in `bytes`")
	budget := flag.Duration("time", 500*time.Millisecond, "`time` to spend on each item and size")
	flag.Parse()
	if err := bench(os.Stdout, *pattern, *list, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(w io.Writer, pattern, list string, budget time.Duration) error {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	sizes, err := parseSizes(list)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fmt.Fprintf(w, "%s %s/%s, ours: %s, peers: %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, tier(), versions())
	var tables []*table
	for _, it := range items() {
		if !match.MatchString(it.name) {
			continue
		}
		for _, size := range it.of(sizes) {
			if err := agree(it, newJob(size)); err != nil {
				return err
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
	io.WriteString(w, markdown(tables))
	if !cpu.AVX512 {
		return nil
	}
	fmt.Fprintln(w)
	for _, t := range tables {
		for _, s := range t.shortfalls(bars) {
			fmt.Fprintln(w, "* short:", s)
		}
	}
	return nil
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
