package main

import (
	"crypto/subtle"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// test is a function of a secret, with two classes of values for it.
type test struct {
	name   string
	size   int            // of the secret
	fixed  func(b []byte) // sets the value of the first class, the same at each call
	random func(b []byte) // sets one of the second class
	run    func(b []byte)
}

// least is how long a sample takes, so that the clock does not matter: several
// calls, each with a value of its own, if one is shorter.
const least = 2 * time.Microsecond

// mostCalls keeps the values of a sample in the first cache.
const mostCalls = 64

// measure makes some rounds of a duration.
func (t test) measure(rounds int, round time.Duration) result {
	// A collection at random times would be noise: it is done between the rounds.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	calls := t.calls()
	r := result{name: t.name}
	byCut := make([][]float64, len(cuts))
	for range rounds {
		runtime.GC()
		classes, times := t.round(calls, round)
		r.samples += len(times)
		for i, v := range welch(classes, times) {
			byCut[i] = append(byCut[i], v)
		}
	}
	for _, ts := range byCut {
		slices.Sort(ts)
		r.ts = append(r.ts, ts[len(ts)/2])
	}
	return r
}

// calls returns how many make a sample.
func (t test) calls() int {
	b := make([]byte, t.size)
	t.fixed(b)
	t.run(b)
	for n := 1; n < mostCalls; n *= 2 {
		best := time.Hour
		for range 5 {
			begin := time.Now()
			for range n {
				t.run(b)
			}
			best = min(best, time.Since(begin))
		}
		if best >= least {
			return n
		}
	}
	return mostCalls
}

// round takes samples. Both classes go the same way, through the same memory: both
// values are made each time, and the one that counts is selected without a branch.
func (t test) round(calls int, d time.Duration) (classes []uint8, times []float64) {
	used := make([]byte, calls*t.size)
	other := make([]byte, t.size)
	constant := make([]byte, t.size)
	t.fixed(constant)
	for end := time.Now().Add(d); len(times) < 200 || time.Now().Before(end); {
		class := uint8(rand.Uint32() & 1)
		for i := 0; i < len(used); i += t.size {
			t.random(other)
			copy(used[i:][:t.size], other)
			subtle.ConstantTimeCopy(int(class^1), used[i:][:t.size], constant)
		}
		begin := time.Now()
		for i := 0; i < len(used); i += t.size {
			t.run(used[i : i+t.size])
		}
		times = append(times, float64(time.Since(begin)))
		classes = append(classes, class)
	}
	return classes, times
}

// cuts are the parts of the samples that are kept, the fastest ones. Which those
// are does not depend on the class.
var cuts = []float64{1, 0.99, 0.95, 0.9, 0.75, 0.5}

// welch returns Welch's t of the two classes for each cut.
func welch(classes []uint8, times []float64) (ts []float64) {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	for _, part := range cuts {
		bound := sorted[int(part*float64(len(sorted)-1))]
		var m [2]moments
		for i, v := range times {
			if v <= bound {
				m[classes[i]].add(v)
			}
		}
		ts = append(ts, tOf(m[0], m[1]))
	}
	return ts
}

// moments has mean and variance, by Welford's method.
type moments struct{ n, mean, squares float64 }

func (m *moments) add(v float64) {
	m.n++
	d := v - m.mean
	m.mean += d / m.n
	m.squares += d * (v - m.mean)
}

// tOf is 0 if there is no difference, or nothing to tell it from.
func tOf(a, b moments) float64 {
	if a.n < 2 || b.n < 2 || a.mean == b.mean {
		return 0
	}
	return (a.mean - b.mean) / math.Sqrt(a.squares/(a.n-1)/a.n+b.squares/(b.n-1)/b.n)
}
