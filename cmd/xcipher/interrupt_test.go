//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"syscall"
	"testing"
)

// TestInterrupt ends the program by a signal in the middle of its work.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	text := random(1 << 20)
	dir, input := prepare(t, text)
	for _, c := range converting {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
			for _, existing := range []bool{false, true} {
				want := "key"
				if existing {
					writeFile(t, dir, "out", "old")
					want = "key out"
				}
				cmd := asCommand(dir, append(c, "-f", "-o", "out")...)
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				var printed bytes.Buffer
				cmd.Stderr = &printed
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				// The input is never closed, so the work does not end.
				if _, err := io.WriteString(in, input[c[0]][:900000]); err != nil {
					t.Fatal(err)
				}
				waitForTemporary(t, dir)
				cmd.Process.Signal(s)
				cmd.Wait()
				status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
				right := ok && status.Signaled() && status.Signal() == s
				if s == syscall.SIGQUIT { // by which Go would print registers
					right = ok && status.Exited() && status.ExitStatus() == 128+3 && printed.Len() == 0
				}
				if !right {
					t.Errorf("%s after %v: %v, %s", c[0], s, cmd.ProcessState, &printed)
				}
				if got := names(t, dir); got != want {
					t.Errorf("%s after %v: there is %s, want %s", c[0], s, got, want)
				}
				if existing {
					same(t, readFile(t, dir, "out"), "old", "the existing file")
					os.Remove(dir + "/out")
				}
			}
		}
	}
}
