package main

import (
	"bytes"
	"fmt"
	"math"
	"time"
)

// run is how long a contestant works before it is the turn of the next.
const run = 75 * time.Microsecond

// minRounds is how often each contestant runs even if time is up.
const minRounds = 3

// A job is what all contestants of an item do: the same input at the same address.
type job struct {
	key   []byte // 32 bytes
	nonce []byte // 12 bytes
	src   []byte // the message
	dst   []byte // room for the message and 64 bytes
}

func newJob(size int) *job {
	// The addresses of src and dst differ by no multiple of 4096, which would make
	// the CPU take loads for dependent on earlier stores.
	memory := make([]byte, 2*size+4096)
	j := &job{fill(32, 1), fill(12, 2), memory[:size:size], memory[size+(2048-size)&4095:][:size+64]}
	copy(j.src, fill(size, 3))
	return j
}

// fill returns n bytes that depend on seed.
func fill(n int, seed uint32) []byte {
	b := make([]byte, n)
	for i := range b {
		seed = seed*1664525 + 1013904223
		b[i] = byte(seed >> 24)
	}
	return b
}

// ctrIV is the first counter block of the CTR mode of GOST R 34.13-2015.
func (j *job) ctrIV(blockSize int) []byte {
	iv := make([]byte, blockSize)
	copy(iv[:blockSize/2], j.nonce)
	return iv
}

// cbcIV is an IV for CBC.
func (j *job) cbcIV(blockSize int) []byte { return fill(blockSize, 4) }

// A maker prepares a job and returns a function that does it n times. Each time
// writes the same bytes to dst.
type maker func(j *job) func(n int)

type contestant struct {
	name     string
	make     maker
	landmark bool // does something else, for orientation only
}

// An item is a job and those who can do it; the first contestant is ours.
type item struct {
	name        string
	contestants []contestant
	perKey      bool // takes no message
}

// of returns the sizes to measure.
func (it item) of(sizes []int) []int {
	if it.perKey {
		return []int{0}
	}
	return sizes
}

// agree does the job three times with each contestant, so that they also have to
// start over, and compares the results.
func agree(it item, j *job) error {
	var ours []byte
	for i, c := range it.contestants {
		clear(j.dst)
		c.make(j)(3)
		if i == 0 {
			ours = bytes.Clone(j.dst)
		} else if !c.landmark && !bytes.Equal(j.dst, ours) {
			return fmt.Errorf("%s of %d bytes: %s and %s differ", it.name, len(j.src), it.contestants[0].name, c.name)
		}
	}
	if bytes.Equal(ours, make([]byte, len(ours))) {
		return fmt.Errorf("%s of %d bytes: no result", it.name, len(j.src))
	}
	return nil
}

// measure returns the shortest time for one job of each contestant, in nanoseconds.
func measure(it item, j *job, budget time.Duration) []float64 {
	n := len(it.contestants)
	do, times, best := make([]func(int), n), make([]int, n), make([]float64, n)
	for i, c := range it.contestants {
		do[i], best[i] = c.make(j), math.Inf(1)
		times[i] = calibrate(do[i])
	}
	start := time.Now()
	for round := 0; round < minRounds || time.Since(start) < budget; round++ {
		for i, f := range do {
			f(1) // brings code and data back into the caches
			best[i] = min(best[i], clock(f, times[i]))
		}
	}
	return best
}

// calibrate returns how many jobs take about as long as run.
func calibrate(f func(int)) int {
	for n := 1; ; n *= 2 {
		if t := min(clock(f, n), clock(f, n), clock(f, n)); t*float64(n) > float64(run)/4 {
			return max(1, int(float64(run)/t))
		}
	}
}

// clock returns the nanoseconds that each of n jobs took.
func clock(f func(int), n int) float64 {
	start := time.Now()
	f(n)
	return float64(time.Since(start).Nanoseconds()) / float64(n)
}
