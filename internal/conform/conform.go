// Package conform holds what every cipher.Block, cipher.BlockMode,
// cipher.Stream, cipher.AEAD, hash.Hash and MAC of this module must do besides
// computing the right values. Tests import it, programs do not.
//
// It asks for at least what the standard library's own internal suites ask of
// crypto/aes, crypto/cipher and crypto/sha256. Data is random, drawn anew at
// every run; the seed of a failing test is logged, and -conform.seed repeats it.
//
// Long series of lengths have a time limit, so that a slow algorithm costs no
// more than a fast one: the lengths at which batches begin and end are always
// tried, the others in random order until the time is over.
//
// What is computed in a fast tier is compared with the generic one: the suite
// throws the switches of package impl, so it must not run beside other tests.
package conform

import (
	"encoding/binary"
	"flag"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var seedFlag = flag.Uint64("conform.seed", 0, "repeat the random data of a run that failed (0: seed from the clock)")

// suite is a *testing.T for the checks. It is an interface so that the tests of
// this package can watch the checks fail.
type suite interface {
	testing.TB
	Run(name string, f func(t suite))
}

// host is the suite over a real test.
type host struct{ *testing.T }

func (h host) Run(name string, f func(t suite)) {
	h.T.Run(name, func(t *testing.T) { f(host{t}) })
}

var (
	clock = uint64(time.Now().UnixNano())
	calls sync.Map // name of a test: *atomic.Uint64, how often it called Rand
)

// Rand returns a source of random data. It depends on the clock, the name of the
// test and the number of earlier calls. The seed is logged if the test fails.
func Rand(t testing.TB) *rand.Rand {
	t.Helper()
	seed := *seedFlag
	if seed == 0 {
		seed = clock
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat the random data with -conform.seed=%d", seed)
		}
	})
	n, _ := calls.LoadOrStore(t.Name(), new(atomic.Uint64))
	name := fnv.New64a()
	io.WriteString(name, t.Name())
	return rand.New(rand.NewPCG(seed, name.Sum64()+n.(*atomic.Uint64).Add(1)))
}

// bytesOf returns n random bytes.
func bytesOf(rng *rand.Rand, n int) []byte {
	b := make([]byte, n+7)
	for i := 0; i < n; i += 8 {
		binary.NativeEndian.PutUint64(b[i:], rng.Uint64())
	}
	return b[:n:n]
}

// flipped returns a copy of b in which one bit differs.
func flipped(b []byte, bit int) []byte {
	c := append([]byte(nil), b...)
	c[bit/8] ^= 1 << (bit % 8)
	return c
}

// budget is the time for one series of checks. The tests of this package lower it.
var budget = 120 * time.Millisecond

func deadline() time.Time {
	if testing.Short() {
		return time.Now().Add(budget / 10)
	}
	return time.Now().Add(budget)
}

// after tells whether a deadline has passed.
func after(end time.Time) bool { return time.Now().After(end) }

// batchOf is a number of bytes that no kernel's batch exceeds: 64 blocks, and at
// least 1024 bytes.
func batchOf(blockSize int) int { return max(1024, 64*blockSize) }

// sweep calls f with lengths from 0 to 4 batches and one byte, in multiples of
// step: short ones and those near whole batches and halves always, the others
// while time lasts. It stops at the first failure.
func sweep(t suite, rng *rand.Rand, batch, step int, f func(n int)) {
	t.Helper()
	limit := 4*batch + max(1, step)
	var rest []int
	for n := 0; n <= limit; n += step {
		edge := (n + 2*step) % (batch / 2)
		if n > 2*step+64 && edge > 4*step {
			rest = append(rest, n)
			continue
		}
		if f(n); t.Failed() {
			return
		}
	}
	end := deadline()
	rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	for _, n := range rest {
		if f(n); t.Failed() || after(end) {
			return
		}
	}
}

// pieces cuts 0..n at random places, some of them at the same place, and calls f
// with each piece. The length of each piece but the last is a multiple of unit.
func pieces(rng *rand.Rand, n, unit int, f func(from, to int)) {
	for at := 0; at < n; {
		size := 0
		switch rng.IntN(4) {
		case 0:
			size = rng.IntN(3)
		case 1:
			size = rng.IntN(20)
		case 2:
			size = rng.IntN(200)
		case 3:
			size = rng.IntN(2100)
		}
		to := min(n, at+(size+unit-1)/unit*unit)
		f(at, to)
		at = to
	}
}

// together calls f from 32 goroutines at once, 1000 times each or until time is
// over. f returns what is wrong.
func together(t suite, f func(worker, call int) string) {
	t.Helper()
	const workers, calls, least = 32, 1000, 20
	end := deadline()
	var wg sync.WaitGroup
	wrong := make([]string, workers)
	for w := range workers {
		wg.Go(func() {
			for i := 0; i < calls && wrong[w] == "" && (i < least || !after(end)); i++ {
				wrong[w] = f(w, i)
			}
		})
	}
	wg.Wait()
	for _, text := range wrong {
		if text != "" {
			t.Fatalf("used by several goroutines at once: %s", text)
		}
	}
}
