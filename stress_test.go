package xcipher_test

import (
	"bytes"
	"context"
	"crypto/cipher"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"xcipher/internal/catalog"
	"xcipher/internal/conform"
	"xcipher/internal/impl"
)

var fullTests = flag.Bool("full", false, "tests of minutes and gigabytes: TestShared and TestT19Disturbed take 60 s each, TestGigabytes has 5 GiB")

// soak is how long the tests of this file go on, all tiers together.
func soak() time.Duration {
	switch {
	case *fullTests:
		return 60 * time.Second
	case testing.Short():
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// job does something with an object that others use at the same time, or with one
// of its own. It works inside buf, at an offset, and returns what must be want.
type job struct {
	name string
	run  func(buf []byte) []byte
	want []byte
}

const jobText = 3001 // bytes, more than the batches of all kernels

// jobs are one for each thing that an algorithm can do. The objects are made in
// the tier that is on, what they shall give is computed in the generic one.
func jobs(t *testing.T) (all []job) {
	rng := conform.Rand(t)
	src := random(rng, jobText)
	add := func(name string, run func(buf []byte) []byte) { all = append(all, job{name: name, run: run}) }
	for _, a := range catalog.Algorithms() {
		switch a.Kind {
		case catalog.AEAD:
			c := must(catalog.NewAEAD(a.Name, random(rng, a.KeySize)))(t)
			nonce, text, aad := random(rng, c.NonceSize()), src, src[:100]
			if a.MaxMessage > 0 && a.MaxMessage < jobText {
				text = src[:a.MaxMessage]
			}
			if a.NoAAD {
				aad = nil
			}
			sealed := c.Seal(nil, nonce, text, aad)
			add(a.Name+" Seal", func(buf []byte) []byte { return c.Seal(buf[:0], nonce, buf[:copy(buf, text)], aad) })
			add(a.Name+" Open", func(buf []byte) []byte {
				out, err := c.Open(buf[:0], nonce, buf[:copy(buf, sealed)], aad)
				return fmt.Append(out, err)
			})
			add(a.Name+" forgery", func(buf []byte) []byte {
				n := copy(buf, sealed)
				buf[n-1] ^= 1
				out, err := c.Open(nil, nonce, buf[:n], aad)
				return fmt.Append(out, err)
			})
		case catalog.Block:
			b := must(catalog.NewBlock(a.Name, random(rng, a.KeySize)))(t)
			iv, n := random(rng, a.BlockSize), jobText/a.BlockSize*a.BlockSize
			add(a.Name, func(buf []byte) []byte {
				copy(buf, src[:2*a.BlockSize])
				b.Encrypt(buf, buf)
				b.Decrypt(buf[a.BlockSize:], buf[a.BlockSize:])
				return buf[:2*a.BlockSize]
			})
			add(a.Name+" CTR", func(buf []byte) []byte {
				buf = buf[:copy(buf, src)]
				cipher.NewCTR(b, iv).XORKeyStream(buf, buf)
				return buf
			})
			add(a.Name+" CBC", func(buf []byte) []byte {
				buf = buf[:copy(buf, src[:n])]
				cipher.NewCBCDecrypter(b, iv).CryptBlocks(buf, buf)
				return buf
			})
		}
	}
	for _, f := range transforms(t) {
		add(f.name+" of its own", func(buf []byte) []byte {
			buf = buf[:copy(buf, src)]
			return f.run(t, [][]byte{buf[:1000], buf[1000:]})
		})
	}
	inGeneric(func() {
		for i := range all {
			all[i].want = bytes.Clone(all[i].run(make([]byte, jobText+64)))
		}
	})
	return all
}

// inGeneric calls f with all kernels switched off.
func inGeneric(f func()) {
	for _, s := range impl.Switches() {
		defer func(was bool) { *s.Enabled = was }(*s.Enabled)
		*s.Enabled = false
	}
	f()
}

// tierCount returns in how many tiers conform.Each calls its function.
func tierCount() time.Duration {
	tiers := map[string]bool{impl.Generic: true}
	for _, s := range impl.Switches() {
		tiers[s.Tier] = tiers[s.Tier] || *s.Enabled
	}
	maps.DeleteFunc(tiers, func(_ string, on bool) bool { return !on })
	return time.Duration(len(tiers))
}

// work runs jobs at random until the time is over, each with memory at a random
// offset, and returns how many it ran.
func work(ctx context.Context, t *testing.T, all []job, wrap func(f func() []byte) []byte) (ran int64) {
	room := make([]byte, jobText+256)
	for ran == 0 || ctx.Err() == nil && !t.Failed() {
		j := all[rand.IntN(len(all))]
		at := rand.IntN(130)
		room[at] = 0x5a
		if got := wrap(func() []byte { return j.run(room[at+1:]) }); !bytes.Equal(got, j.want) {
			t.Errorf("%s: another result at offset %d", j.name, at+1)
		}
		if room[at] != 0x5a {
			t.Errorf("%s: writes before its memory", j.name)
		}
		ran++
	}
	return ran
}

func plainly(f func() []byte) []byte { return f() }

// TestShared has many goroutines that share all AEADs and blocks, in every tier.
// It is for the race detector, too.
func TestShared(t *testing.T) {
	each := soak() / tierCount()
	conform.Each(t, func(t *testing.T) {
		all := jobs(t)
		ctx, stop := context.WithTimeout(t.Context(), each)
		defer stop()
		var ran atomic.Int64
		var workers sync.WaitGroup
		for range 16 {
			workers.Go(func() { ran.Add(work(ctx, t, all, plainly)) })
		}
		workers.Wait()
		t.Logf("%d calls of %d jobs", ran.Load(), len(all))
	})
}

// TestT19Disturbed does the same with few goroutines, while everything that the
// runtime can do to a running kernel goes on: collections one after the other,
// other numbers of processors (which stops the world), preemption, profiling
// signals, and stacks that grow and move.
func TestT19Disturbed(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no threads, no profiler")
	}
	each := soak() / tierCount()
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	conform.Each(t, func(t *testing.T) {
		all := jobs(t)
		ctx, stop := context.WithTimeout(t.Context(), each)
		defer stop()
		var ran atomic.Int64
		var disturbed [3]int
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				ran.Add(work(ctx, t, all, func(f func() []byte) []byte { return deep(rand.IntN(20), f) }))
			})
		}
		again := func(count *int, pause time.Duration, f func()) {
			workers.Go(func() {
				for f(); ctx.Err() == nil; f() {
					*count++
					time.Sleep(pause)
				}
				*count++
			})
		}
		again(&disturbed[0], 0, runtime.GC)
		again(&disturbed[1], time.Millisecond, func() { runtime.GOMAXPROCS(1 + rand.IntN(2*runtime.NumCPU())) })
		again(&disturbed[2], 0, func() {
			// A profiler that runs already, for go test -cpuprofile, will do.
			if pprof.StartCPUProfile(io.Discard) == nil {
				defer pprof.StopCPUProfile()
			}
			time.Sleep(50 * time.Millisecond)
		})
		for range 2 {
			workers.Go(func() {
				for ctx.Err() == nil {
					runtime.Gosched()
				}
			})
		}
		workers.Wait()
		t.Logf("%d calls of %d jobs, %d collections, %d changes of GOMAXPROCS, %d profiles",
			ran.Load(), len(all), disturbed[0], disturbed[1], disturbed[2])
	})
}
