package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// converting are commands with all they need but input and output. The key is in
// the file "key"; the input of the last two is "sealed" and "encrypted".
var converting = [][]string{
	{"seal", "-keyfile", "key"},
	{"enc", "-a", "chacha20", "-keyfile", "key", "-iv", "00000000000000000000000000000000"},
	{"open", "-keyfile", "key"},
	{"dec", "-a", "chacha20", "-keyfile", "key", "-iv", "00000000000000000000000000000000"},
}

// prepare makes a directory with the key and the input of each command.
func prepare(t *testing.T, text string) (dir string, input map[string]string) {
	t.Helper()
	dir = t.TempDir()
	writeFile(t, dir, "key", random(32))
	return dir, map[string]string{
		"seal": text, "enc": text,
		"open": works(t, dir, text, converting[0]...),
		"dec":  works(t, dir, text, converting[1]...),
	}
}

// TestOutputExists: an existing file stays as it is without -f, and with -f if the
// work fails.
func TestOutputExists(t *testing.T) {
	dir, input := prepare(t, "some text")
	for _, c := range converting {
		writeFile(t, dir, "out", "old")
		fails(t, dir, input[c[0]], exitFailed, "out: file already exists; -f replaces it", append(c, "-o", "out")...)
		fails(t, dir, input[c[0]], exitFailed, "no such file", append(c, "-f", "-o", "out", "nothing")...)
		fails(t, dir, input[c[0]], exitFailed, "is a directory", append(c, "-f", "-o", "out", ".")...)
		if c[0] == "open" {
			fails(t, dir, input[c[0]]+"x", exitFailed, "damaged", append(c, "-f", "-o", "out")...)
		}
		if got := readFile(t, dir, "out"); got != "old" {
			t.Errorf("%s: a failure left %q", c[0], got)
		}
		works(t, dir, input[c[0]], append(c, "-f", "-o", "out")...)
		if got := readFile(t, dir, "out"); got == "old" {
			t.Errorf("%s -f does not replace the file", c[0])
		}
		if got := names(t, dir); got != "key out" {
			t.Errorf("%s: there is %s", c[0], got)
		}
		// In place.
		writeFile(t, dir, "out", input[c[0]])
		works(t, dir, "", append(c, "-f", "-o", "out", "out")...)
		if c[0] == "open" || c[0] == "dec" {
			same(t, readFile(t, dir, "out"), "some text", c[0]+" in place")
		}
	}
	fails(t, dir, "", exitFailed, "no"+string(filepath.Separator)+": no such file", append(converting[0], "-o", filepath.Join("no", "such"))...)
}

func TestOutputLinksAndModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has other links and permissions
	}
	dir, input := prepare(t, "some text")
	writeFile(t, dir, "old", "old")
	if err := errors.Join(os.Chmod(filepath.Join(dir, "old"), 0o640), os.Symlink("old", filepath.Join(dir, "link")),
		os.Symlink("nowhere", filepath.Join(dir, "dangling"))); err != nil {
		t.Fatal(err)
	}
	open := converting[2]
	works(t, dir, input["open"], append(open, "-f", "-o", "link")...)
	if info, err := os.Lstat(filepath.Join(dir, "old")); err != nil || info.Mode() != 0o640 || readFile(t, dir, "old") != "some text" {
		t.Errorf("the file behind a link is not replaced, or has other permissions: %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no link any more: %v", err)
	}
	fails(t, dir, input["open"], exitFailed, "exists", append(open, "-o", "dangling")...)

	// Nobody else reads the new content before the permissions are those of the old,
	// which may be none at all.
	for _, mode := range []fs.FileMode{0o640, 0} {
		if err := os.Chmod(filepath.Join(dir, "old"), mode); err != nil {
			t.Fatal(err)
		}
		a, err := createAtomic(filepath.Join(dir, "old"), 0o666, true)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := a.Stat(); err != nil || info.Mode()&^0o600 != 0 {
			t.Errorf("the temporary file for one of mode %v has %v, %v", mode, info.Mode(), err)
		}
		if err := a.commit(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(filepath.Join(dir, "old")); err != nil || info.Mode() != mode {
			t.Errorf("mode %v becomes %v, %v", mode, info.Mode(), err)
		}
	}

	// A device is not replaced, and a directory neither.
	if _, err := os.Stat("/dev/null"); err == nil {
		works(t, dir, input["open"], append(open, "-o", "/dev/null")...)
		works(t, dir, input["open"], append(open, "-f", "-o", "/dev/null")...)
		if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
			t.Fatalf("/dev/null is a file now: %v", err)
		}
	}
	fails(t, dir, input["open"], exitFailed, "is a directory", append(open, "-f", "-o", ".")...)
	if got := names(t, dir); got != "dangling key link old" {
		t.Errorf("there is %s", got)
	}
}

// A full disk must not look like success, and a pipe that nobody reads ends the
// program.
func TestOutputFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		if _, statErr := os.Stat("/dev/full"); statErr == nil {
			t.Fatal(err)
		}
		return // no such device on this system
	}
	defer full.Close()
	for _, text := range []string{"short", random(300000)} {
		dir, input := prepare(t, text)
		for _, c := range converting {
			fails(t, dir, input[c[0]], exitFailed, "no space left", append(c, "-o", "/dev/full")...)
			cmd := asCommand(dir, c...)
			cmd.Stdin, cmd.Stdout = strings.NewReader(input[c[0]]), full
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(errs.String(), "no space left") {
				t.Errorf("%v to a full disk: %v, %q", c, err, errs.String())
			}
			cmd = asCommand(dir, c...)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			cmd.Stdin, cmd.Stdout = strings.NewReader(input[c[0]]), w
			err = cmd.Run()
			w.Close()
			if err == nil {
				t.Errorf("%v to a closed pipe succeeds", c)
			}
		}
	}
}

func TestInputUnreadable(t *testing.T) {
	dir, _ := prepare(t, "some text")
	for _, c := range converting {
		fails(t, dir, "", exitFailed, "no such file", append(c, "-o", "out", "nothing")...)
		fails(t, dir, "", exitFailed, "is a directory", append(c, "-o", "out", ".")...)
		fails(t, dir, "", exitUsage, `unexpected argument "b"`, append(c, "a", "b")...)
		if _, err := os.Stat("/proc/self/mem"); err == nil { // can be opened, but not be read from its start
			fails(t, dir, "", exitFailed, "input/output error", append(c, "-o", "out", "/proc/self/mem")...)
		}
		if os.Getuid() > 0 { // root may read all
			writeFile(t, dir, "secret", "some text")
			if err := os.Chmod(filepath.Join(dir, "secret"), 0); err != nil {
				t.Fatal(err)
			}
			fails(t, dir, "", exitFailed, "permission denied", append(c, "-o", "out", "secret")...)
			os.Remove(filepath.Join(dir, "secret"))
		}
		if got := names(t, dir); got != "key" {
			t.Errorf("%s: there is %s", c[0], got)
		}
	}
}

// TestOutputChunks: open writes verified chunks while more is to come.
func TestOutputChunks(t *testing.T) {
	text := random(3 * chunkSize)
	dir, input := prepare(t, text)
	cmd := asCommand(dir, converting[2]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sealed := input["open"]
	header := len(sealed) - 3*(chunkSize+16)
	if _, err := io.WriteString(in, sealed[:header+chunkSize+16+1]); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, chunkSize)
	if _, err := io.ReadFull(out, first); err != nil {
		t.Fatal(err)
	}
	same(t, string(first), text[:chunkSize], "the first chunk")
	in.Close()
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || len(rest) > 0 {
		t.Errorf("cut after the first chunk: %v, %d bytes more", err, len(rest))
	}
}

// TestOutputAppears: a file that comes into being during the work is not replaced
// either.
func TestOutputAppears(t *testing.T) {
	dir, input := prepare(t, "some text")
	for _, c := range converting {
		cmd := asCommand(dir, append(c, "-o", "out")...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitForTemporary(t, dir)
		writeFile(t, dir, "out", "other")
		_, err = io.WriteString(in, input[c[0]])
		if err := errors.Join(err, in.Close()); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || !strings.Contains(errs.String(), "out: file already exists") {
			t.Errorf("%s: %v, %q", c[0], err, errs.String())
		}
		if got := readFile(t, dir, "out"); got != "other" || names(t, dir) != "key out" {
			t.Errorf("%s: the other file has %q, there is %s", c[0], got, names(t, dir))
		}
		os.Remove(filepath.Join(dir, "out"))
	}
}

// waitForTemporary waits until a command has begun its output.
func waitForTemporary(t *testing.T, dir string) {
	t.Helper()
	for wait := 0; !strings.Contains(names(t, dir), ".xcipher-"); wait++ {
		if wait > 6000 {
			t.Fatal("no temporary file")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestLarge sends a sparse file of more than 2^31 bytes through the program.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("gigabytes")
	}
	const size = 3 << 30
	dir, _ := prepare(t, "")
	f, err := os.Create(filepath.Join(dir, "large"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		forth, back := asCommand(dir, append(converting[i], "large")...), asCommand(dir, converting[i+2]...)
		pipe, err := forth.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		back.Stdin = pipe
		text, err := back.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(forth.Start(), back.Start()); err != nil {
			t.Fatal(err)
		}
		buf, zero, n := make([]byte, 1<<20), make([]byte, 1<<20), int64(0)
		for {
			k, err := text.Read(buf)
			if !bytes.Equal(buf[:k], zero[:k]) {
				t.Fatalf("%s: not zero at %d", converting[i+2][0], n)
			}
			n += int64(k)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(forth.Wait(), back.Wait()); err != nil || n != size {
			t.Errorf("%s and back: %d bytes, %v", converting[i][0], n, err)
		}
	}
}
