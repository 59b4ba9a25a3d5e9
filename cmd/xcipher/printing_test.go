package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// printing returns calls that print something.
func printing(t *testing.T, dir string) [][]string {
	t.Helper()
	writeFile(t, dir, "m1", message)
	writeFile(t, dir, "list", digest256+" m1\n")
	writeFile(t, dir, "key", strings.Repeat("k", 32))
	return [][]string{
		{"sum", "m1"}, {"sum", "-c", "list"}, {"mac", "-a", "magma-cmac", "-keyfile", "key", "m1"},
		{"list"}, {"help"}, {"help", "sum"}, {"help", "keys"}, {"vectors", "saturnin_short"},
		{"speed", "-time", "0s", "-sizes", "16", "magma-ctr"}, {"completion", "bash"}, {"completion", "words", ""},
	}
}

// A full disk must not look like success.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // no such device
	}
	dir := t.TempDir()
	for _, args := range printing(t, dir) {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		cmd := asCommand(dir, args...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &errs
		err = cmd.Run()
		full.Close()
		if err == nil || cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v on a full disk: %v, %q", args, err, errs.String())
		}
	}
}

// Who reads the output may leave: the program then ends by SIGPIPE, and silently.
func TestClosedPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // no such signal
	}
	dir := t.TempDir()
	for _, args := range printing(t, dir) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := asCommand(dir, args...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &errs
		err = cmd.Run()
		w.Close()
		status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if err == nil || !ok || !status.Signaled() || status.Signal() != syscall.SIGPIPE || errs.Len() > 0 {
			t.Errorf("%v into a closed pipe: %v, %q", args, err, errs.String())
		}
	}
}

// Through a pipe, data comes in pieces of any size.
func TestSumPipe(t *testing.T) {
	dir := t.TempDir()
	text := random(bufferSize + 12345)
	writeFile(t, dir, "file", text)
	digest, _, _ := strings.Cut(works(t, dir, "", "sum", "file"), " ")
	r, w := io.Pipe()
	cmd := asCommand(dir, "sum", "-", filepath.Join(dir, "file"))
	cmd.Stdin = r
	go func() {
		for rest := text; len(rest) > 0; {
			n := min(len(rest), 1+len(rest)%777)
			if _, err := io.WriteString(w, rest[:n]); err != nil {
				break
			}
			rest = rest[n:]
		}
		w.Close()
	}()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	same(t, string(out), digest+" -\n"+digest+" "+filepath.Join(dir, "file")+"\n", "sum of a pipe")
}
