package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"xcipher/internal/catalog"
)

// TestSumProgress looks for the rate of a file that takes long, and for the time
// left if its size is known.
func TestSumProgress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "large", "")
	if err := os.Truncate(dir+"/large", 1<<40); err != nil { // sparse
		t.Fatal(err)
	}
	for _, c := range []struct {
		file  string
		shows []string
	}{{"large", []string{"0%", "iB/s", "s:"}}, {"/dev/zero", []string{"iB/s"}}} {
		p := newTerminal(t)
		cmd := asCommand(dir, "sum", c.file)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, p.tty
		p.start(cmd)
		t.Cleanup(func() { cmd.Process.Kill() })
		for _, text := range c.shows {
			p.wait(text)
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || s.Signal() != syscall.SIGINT || out.Len() > 0 {
			t.Errorf("%s: Ctrl-C: %v, %q", c.file, cmd.ProcessState, out.String())
		}
		if percent := bytes.Contains(p.transcript, []byte("%")); percent != (c.file == "large") {
			t.Errorf("%s: %q", c.file, p.transcript)
		}
	}
}

// TestMACPrompt types the key, which must not be shown.
func TestMACPrompt(t *testing.T) {
	dir, p := t.TempDir(), newTerminal(t)
	for _, name := range []string{"kuznyechik-cmac", "hmac-streebog512"} {
		digits := randomHex(32)
		key, _ := hex.DecodeString(digits)
		h, err := catalog.NewMAC(name, key)
		if err != nil {
			t.Fatal(err)
		}
		h.Write([]byte(message))
		cmd := asCommand(dir, "mac", "-a", name)
		var out bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(message), &out, p.tty
		p.start(cmd)
		p.answer("Key in hex: ", digits+"\n")
		cmd.Wait()
		same(t, out.String(), fmt.Sprintf("%x -\n", h.Sum(nil)), name)
		if !p.echo() || bytes.Contains(p.transcript, []byte(digits)) {
			t.Errorf("%s: the terminal shows %q", name, p.transcript)
		}
	}
	cmd := asCommand(dir, "mac", "-a", "magma-cmac")
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(message), &errs
	p.start(cmd)
	p.answer("Key in hex: ", "00112233\n")
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(errs.String(), "the key must have 32 bytes") {
		t.Errorf("a short key: %v, %s", cmd.ProcessState, errs.String())
	}
}
