package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// interrupts holds what must be put in order if a signal ends the program.
var interrupts struct {
	sync.Mutex
	watched bool
	undo    map[*func()]struct{}
}

// onInterrupt has undo called if a signal ends the program, until the function it
// returns is called.
func onInterrupt(undo func()) (done func()) {
	i := &interrupts
	i.Lock()
	defer i.Unlock()
	if !i.watched {
		i.watched, i.undo = true, map[*func()]struct{}{}
		signals := make(chan os.Signal, 1)
		for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
			if !signal.Ignored(s) { // as nohup has it
				signal.Notify(signals, s)
			}
		}
		go func() { die(<-signals) }()
	}
	i.undo[&undo] = struct{}{}
	return func() {
		i.Lock()
		defer i.Unlock()
		delete(i.undo, &undo)
	}
}

// die undoes what is listed and ends the program by the same signal, so that a
// shell sees how it ended.
func die(s os.Signal) {
	interrupts.Lock() // for ever, so that no file is given its name any more
	for undo := range interrupts.undo {
		(*undo)()
	}
	if s == syscall.SIGQUIT {
		os.Exit(128 + 3) // Go's own way prints registers and stacks, which hold secrets
	}
	signal.Reset()
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second)
	}
	status := 128 + 15 // as a shell tells it
	if s == os.Interrupt {
		status = 128 + 2
	}
	os.Exit(status)
}
