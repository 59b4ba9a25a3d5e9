package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminalTest is a pseudoterminal and what was written to it.
type terminalTest struct {
	t          *testing.T
	ours, tty  *os.File
	shown      chan byte
	transcript []byte
}

func newTerminal(t *testing.T) *terminalTest {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("this test needs pseudoterminals: ", err)
	}
	t.Cleanup(func() { ours.Close() })
	fd := int(ours.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	p := &terminalTest{t: t, ours: ours, tty: tty, shown: make(chan byte, 1<<20)}
	go func() {
		b := make([]byte, 1)
		for {
			if _, err := ours.Read(b); err != nil {
				return
			}
			p.shown <- b[0]
		}
	}()
	return p
}

// start starts a program that has the terminal.
func (p *terminalTest) start(cmd *exec.Cmd) {
	p.t.Helper()
	cmd.ExtraFiles = []*os.File{p.tty}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// wait waits until the terminal shows something.
func (p *terminalTest) wait(text string) {
	p.t.Helper()
	timeout := time.After(time.Minute)
	for !bytes.Contains(p.transcript, []byte(text)) {
		select {
		case b := <-p.shown:
			p.transcript = append(p.transcript, b)
		case <-timeout:
			p.t.Fatalf("the terminal shows %q, not %q", p.transcript, text)
		}
	}
}

// answer waits for a question and types the answer.
func (p *terminalTest) answer(question, text string) {
	p.t.Helper()
	p.wait(question)
	p.transcript = nil
	for wait := 0; p.echo(); wait++ {
		if wait > 1000 {
			p.t.Fatal("the terminal echoes at: ", question)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := io.WriteString(p.ours, text); err != nil {
		p.t.Fatal(err)
	}
}

func (p *terminalTest) echo() bool {
	p.t.Helper()
	state, err := unix.IoctlGetTermios(int(p.tty.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// TestPrompt types keys and passwords, which must not be shown.
func TestPrompt(t *testing.T) {
	dir, p := t.TempDir(), newTerminal(t)
	ask := func(stdin string, answers [][2]string, args ...string) (out, errs string, status int) {
		t.Helper()
		cmd := asCommand(dir, args...)
		var o, e bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &o, &e
		p.start(cmd)
		for _, a := range answers {
			p.answer(a[0], a[1]+"\n")
		}
		cmd.Wait()
		p.wait("\n")
		if !p.echo() {
			t.Errorf("%v: the terminal does not echo afterwards", args)
		}
		for _, a := range answers {
			if a[1] != "" && (bytes.Contains(p.transcript, []byte(a[1])) || strings.Contains(e.String(), a[1])) {
				t.Errorf("%v shows the secret", args)
			}
		}
		return o.String(), e.String(), cmd.ProcessState.ExitCode()
	}
	twice := [][2]string{{"Password: ", "two words"}, {"again: ", "two words"}}

	sealed, errs, status := ask("some text", twice, "seal", "-passes", "1", "-memory", "8")
	if status != exitOK || errs != "" {
		t.Fatalf("status %d, %q", status, errs)
	}
	out, errs, status := ask(sealed, twice[:1], "open")
	if out != "some text" || status != exitOK || errs != "" {
		t.Errorf("%q, status %d, %q", out, status, errs)
	}
	t.Setenv("PASSWORD", "two words")
	same(t, works(t, dir, sealed, "open", "-passenv", "PASSWORD"), "some text", "from the environment")
	if out, errs, status = ask(sealed, [][2]string{{"Password: ", "two word"}}, "open"); out != "" || status != exitFailed || !strings.Contains(errs, errWrongSecret.Error()) {
		t.Errorf("wrong password: %q, status %d, %q", out, status, errs)
	}
	if out, errs, status = ask("some text", [][2]string{{"Password: ", "two words"}, {"again: ", "two word"}}, "seal"); out != "" || status != exitFailed || !strings.Contains(errs, "the passwords differ") {
		t.Errorf("different passwords: %q, status %d, %q", out, status, errs)
	}
	if out, errs, status = ask("some text", [][2]string{{"Password: ", ""}, {"again: ", ""}}, "seal"); out != "" || status != exitFailed || !strings.Contains(errs, "the password is empty") {
		t.Errorf("empty password: %q, status %d, %q", out, status, errs)
	}
	encrypted, errs, status := ask("some text", twice, "enc", "-a", "chacha20")
	if status != exitOK || errs != "" || len(encrypted) != 16+len("some text") {
		t.Errorf("enc: status %d, %q", status, errs)
	}
	same(t, works(t, dir, encrypted, "dec", "-a", "chacha20", "-passenv", "PASSWORD"), "some text", "enc")

	// A key.
	t.Setenv("KEY", randomHex(32))
	sealed = works(t, dir, "some text", "seal", "-keyenv", "KEY")
	if out, errs, status = ask(sealed, [][2]string{{"Key in hex: ", os.Getenv("KEY")}}, "open"); out != "some text" || status != exitOK || errs != "" {
		t.Errorf("key: %q, status %d, %q", out, status, errs)
	}
}

// Ctrl-C at a prompt must not leave a terminal that does not echo.
func TestPromptInterrupt(t *testing.T) {
	dir, p := t.TempDir(), newTerminal(t)
	cmd := asCommand(dir, "seal", "-o", "out")
	cmd.Stdin = strings.NewReader("some text")
	p.start(cmd)
	p.answer("Password: ", "secr\x03")
	cmd.Wait()
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !s.Signaled() || s.Signal() != syscall.SIGINT {
		t.Errorf("Ctrl-C: %v", cmd.ProcessState)
	}
	if !p.echo() {
		t.Error("the terminal does not echo any more")
	}
	if got := names(t, dir); got != "" {
		t.Errorf("there is %s", got)
	}
}

// Without a terminal there is nobody to ask.
func TestNoPrompt(t *testing.T) {
	cmd := asCommand(t.TempDir(), "seal", "-o", "out")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.CombinedOutput()
	if want := "xcipher seal: no password: give -passfile or -passenv, or a key (there is no terminal to ask on)\n"; err == nil || string(out) != want {
		t.Errorf("%v, %q", err, out)
	}
}

// TestToTerminal: what may be binary is not written to a terminal unless asked for.
func TestToTerminal(t *testing.T) {
	dir, input := prepare(t, "some text")
	for _, c := range converting {
		p := newTerminal(t)
		for _, insist := range []bool{false, true} {
			cmd := asCommand(dir, c...)
			if insist {
				cmd = asCommand(dir, append(c, "-o", "-")...)
			}
			var errs bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input[c[0]]), p.tty, &errs
			p.start(cmd)
			if err := cmd.Wait(); (err == nil) != insist || strings.Contains(errs.String(), "standard output is a terminal") == insist {
				t.Errorf("%s, insist %v: %v, %q", c[0], insist, err, errs.String())
			}
		}
		if c[0] == "open" {
			p.wait("some text")
		}
	}
}

// Nobody is asked for a password for nothing.
func TestToTerminalUnasked(t *testing.T) {
	for _, c := range [][]string{{"seal"}, {"enc", "-a", "chacha20"}} {
		p := newTerminal(t)
		cmd := asCommand(t.TempDir(), c...)
		var errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("text"), p.tty, &errs
		p.start(cmd)
		late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }) // it waits for an answer
		defer late.Stop()
		if err := cmd.Wait(); err == nil || !strings.Contains(errs.String(), "standard output is a terminal") {
			t.Errorf("%v: %v, %q", c, err, errs.String())
		}
	}
}

// TestProgress looks for the rate and the time left, after a second and only on a
// terminal.
func TestProgress(t *testing.T) {
	t.Parallel()
	dir, _ := prepare(t, "")
	f, err := os.Create(dir + "/large")
	if err != nil {
		t.Fatal(err)
	}
	// Sparse; it would take minutes, and is ended.
	if err := f.Truncate(1 << 40); err != nil {
		t.Fatal(err)
	}
	f.Close()
	zeros := func(w io.Writer) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	}
	for _, c := range []struct {
		file  string
		shows []string
	}{{"large", []string{"0%", "iB/s", "s:"}}, {"-", []string{"iB/s"}}} {
		p := newTerminal(t)
		cmd := asCommand(dir, append(converting[0], "-o", "/dev/null", c.file)...)
		if c.file == "-" {
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			go zeros(in)
		}
		cmd.Stderr = p.tty
		start := time.Now()
		p.start(cmd)
		t.Cleanup(func() { cmd.Process.Kill() })
		for _, text := range c.shows {
			p.wait(text)
		}
		if passed := time.Since(start); passed < patience {
			t.Errorf("progress is shown after %v", passed)
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	}
	// Short work says nothing.
	p := newTerminal(t)
	cmd := asCommand(dir, append(converting[0], "-o", "out")...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(random(1000)), p.tty
	p.start(cmd)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	time.Sleep(100 * time.Millisecond)
	if n := len(p.shown); n > 0 {
		t.Errorf("short work shows %d bytes", n)
	}
}
