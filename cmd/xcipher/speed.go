package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha512"
	"flag"
	"fmt"
	"hash"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/internal/catalog"
)

const speedHelp = `
Prints megabytes (10^6 bytes) per second for messages of several sizes, on each set
of instructions that this processor has and the algorithm makes use of, and beside
algorithms of the standard library and of golang.org/x/crypto. All measurements take
turns, several times; the best is shown, as what disturbs them only ever slows down.

TIER names the instructions; generic is portable Go. To look at one algorithm with
little noise, name it and give it time.

A block cipher is measured in CTR mode, an AEAD by Seal without additional data, a
stream cipher without its set-up.

Examples:
  xcipher speed
  xcipher speed -ns -sizes 16,256,4096 kuznyechik-mgm streebog256
  xcipher speed -time 1m >speed.txt
`

// speed measures algorithms.
func speed(flags *flag.FlagSet, args []string, s stdio) int {
	sizes := flags.String("sizes", "64,1024,8192,65536", "the sizes of messages in bytes, a `list`")
	total := flags.Duration("time", 10*time.Second, "measure for about this `duration` in all")
	perByte := flags.Bool("ns", false, "print nanoseconds per byte")
	if status, done := parse(flags, args); done {
		return status
	}
	var lengths []int
	for _, field := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 || n > 1<<30 {
			return misused(flags, s, "the size %q is not a number of bytes from 1 to 2^30", field)
		}
		lengths = append(lengths, n)
	}
	subjects, err := subjectsFor(flags.Args())
	if err != nil {
		return misused(flags, s, "%w", err)
	}
	if isTerminal(s.err) {
		fmt.Fprintf(s.err, "Measuring for %v or a little more.\n", *total)
	}
	figures := measureAll(subjects, lengths, *total)
	return s.print("speed", speedTable(figures, lengths, *perByte))
}

// A subject is what is measured. start makes an object and returns a function that
// processes one message of n bytes, nil if the algorithm takes no such message.
type subject struct {
	name     string
	start    func(n int) func()
	concerns func(pkg string) bool // whether it depends on a package of internal/impl
}

// peers are algorithms of others, for comparison.
func peers() []subject {
	key := make([]byte, 32)
	block := func() cipher.Block { return must(aes.NewCipher(key)) }
	alone := func(string) bool { return false }
	return []subject{
		{"crypto/aes: aes256-ctr", func(n int) func() {
			return xorStream(cipher.NewCTR(block(), make([]byte, aes.BlockSize)), n)
		}, alone},
		{"crypto/aes: aes256-gcm", func(n int) func() { return sealing(must(cipher.NewGCM(block())), n) }, alone},
		{"crypto/sha512: sha512", func(n int) func() { return hashing(sha512.New(), n) }, alone},
		{"x/crypto: chacha20-poly1305", func(n int) func() { return sealing(must(chacha20poly1305.New(key)), n) }, alone},
	}
}

// subjectsFor returns the algorithms that are named, or all, and the peers.
func subjectsFor(names []string) (list []subject, err error) {
	for _, name := range names {
		if _, ok := catalog.Lookup(name); !ok {
			return nil, fmt.Errorf("unknown algorithm %q; xcipher list names them all", name)
		}
	}
	for _, a := range catalog.Algorithms() {
		if len(names) == 0 || slices.Contains(names, a.Name) {
			list = append(list, subject{a.Name, func(n int) func() { return work(a, n) }, func(pkg string) bool { return dependsOn(a.Name, pkg) }})
		}
	}
	return append(list, peers()...), nil
}

// dependsOn tells whether an algorithm runs code of a package with kernels: those
// of ciphers and modes have their names, aesni is below AES-128.
func dependsOn(algorithm, pkg string) bool {
	if pkg == "aesni" {
		return strings.HasPrefix(algorithm, "aes128-")
	}
	return strings.Contains(algorithm, pkg)
}

// work returns a function that processes one message of n bytes.
func work(a catalog.Algorithm, n int) func() {
	if a.MaxMessage > 0 && uint64(n) > a.MaxMessage {
		return nil
	}
	key := make([]byte, max(a.KeySize, 1)) // HMAC takes any
	switch a.Kind {
	case catalog.Block:
		return xorStream(cipher.NewCTR(must(catalog.NewBlock(a.Name, key)), make([]byte, a.BlockSize)), n)
	case catalog.AEAD:
		return sealing(must(catalog.NewAEAD(a.Name, key)), n)
	case catalog.MAC:
		return hashing(must(catalog.NewMAC(a.Name, key)), n)
	case catalog.Hash:
		return hashing(must(catalog.NewHash(a.Name)), n)
	default:
		return xorStream(must(catalog.NewStream(a.Name, key, make([]byte, a.NonceSizes[0]))), n)
	}
}

func xorStream(s cipher.Stream, n int) func() {
	buf := make([]byte, n)
	return func() { s.XORKeyStream(buf, buf) }
}

func sealing(a cipher.AEAD, n int) func() {
	nonce, text, out := make([]byte, a.NonceSize()), make([]byte, n), make([]byte, 0, n+a.Overhead())
	return func() { a.Seal(out, nonce, text, nil) }
}

func hashing(h hash.Hash, n int) func() {
	text, sum := make([]byte, n), make([]byte, 0, h.Size())
	return func() {
		h.Reset()
		h.Write(text)
		h.Sum(sum)
	}
}

// must is for what cannot fail with the arguments that it gets here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A figure is a line of the table: nanoseconds per message for each size.
type figure struct {
	name, tier string
	ns         []float64
}

const (
	sliceTime = 200 * time.Microsecond // of one measurement
	repeats   = 4                      // of it in a row
	minRounds = 3                      // of all of them
)

// measureAll measures everything in turn until the time is over. The figures stand
// in the order of the subjects, tiers fastest first.
func measureAll(subjects []subject, sizes []int, total time.Duration) []figure {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var figures []figure
	index := map[string]int{} // by name and tier
	for start, round := time.Now(), 0; round < minRounds || time.Since(start) < total; round++ {
		for _, s := range subjects {
			eachTier(s.concerns, func(tier string) {
				if tier == "generic" && strings.Contains(s.name, ":") {
					tier = "-" // a peer, of which nothing is known
				}
				i, ok := index[s.name+" "+tier]
				if !ok {
					i = len(figures)
					index[s.name+" "+tier] = i
					figures = append(figures, figure{s.name, tier, slices.Repeat([]float64{math.Inf(1)}, len(sizes))})
				}
				for j, n := range sizes {
					if f := s.start(n); f != nil {
						figures[i].ns[j] = min(figures[i].ns[j], measure(f))
					}
				}
			})
		}
	}
	return figures
}

// measure returns how many nanoseconds a call of f takes, the least of some tries.
func measure(f func()) float64 {
	try := func(calls int) time.Duration {
		start := time.Now()
		for range calls {
			f()
		}
		return time.Since(start)
	}
	f()
	calls, least := 1, try(1)
	for least < sliceTime {
		calls *= 2
		least = try(calls)
	}
	for range repeats - 1 {
		least = min(least, try(calls))
	}
	return float64(least.Nanoseconds()) / float64(calls)
}

// speedTable formats the figures.
func speedTable(figures []figure, sizes []int, perByte bool) string {
	var b bytes.Buffer
	unit, width := "MB/s", len("ALGORITHM")
	if perByte {
		unit = "ns/B"
	}
	for _, f := range figures {
		width = max(width, len(f.name))
	}
	fmt.Fprintf(&b, "%-*s  %-8s", width, "ALGORITHM", "TIER")
	for _, n := range sizes {
		fmt.Fprintf(&b, "%12s", strconv.Itoa(n)+" B")
	}
	fmt.Fprintf(&b, "   %s\n", unit)
	for _, f := range figures {
		fmt.Fprintf(&b, "%-*s  %-8s", width, f.name, f.tier)
		for j, n := range sizes {
			switch speed := 1e3 * float64(n) / f.ns[j]; { // MB/s
			case math.IsInf(f.ns[j], 1):
				fmt.Fprintf(&b, "%12s", "-")
			case perByte:
				fmt.Fprintf(&b, "%12.2f", 1e3/speed)
			case speed < 10:
				fmt.Fprintf(&b, "%12.2f", speed)
			default:
				fmt.Fprintf(&b, "%12.0f", speed)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
