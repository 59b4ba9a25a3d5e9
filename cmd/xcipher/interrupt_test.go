//go:build unix

package main

import (
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
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
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
				if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != s {
					t.Errorf("%s after %v: %v", c[0], s, cmd.ProcessState)
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
