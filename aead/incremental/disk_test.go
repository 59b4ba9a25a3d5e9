package incremental_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"testing/iotest"

	"xcipher/aead/incremental"
)

// TestFullDisk seals to a device without room, and to one that has some.
func TestFullDisk(t *testing.T) {
	disk, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		if runtime.GOOS == "linux" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	defer disk.Close()
	for name, a := range inPieces(t) {
		nonce, text := random(a.NonceSize()), random(70_000)
		s, err := incremental.NewSealer(a, disk, nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(s, bytes.NewReader(text)); n != 0 || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: copied %d, %v", name, n, err)
		}
		if err := s.Close(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: Close: %v", name, err)
		}
		// The text fits, but the tag does not.
		var out bytes.Buffer
		w := &switched{Writer: &out}
		if s, err = incremental.NewSealer(a, w, nonce, nil); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Write(text); n != len(text) || err != nil {
			t.Errorf("%s: Write: %d, %v", name, n, err)
		}
		w.Writer = disk
		for range 2 {
			if err := s.Close(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s: Close without room for the tag: %v", name, err)
			}
		}
		if r, err := incremental.NewOpener(a, bytes.NewReader(out.Bytes()), nonce, nil); r != nil || err == nil {
			t.Errorf("%s: opens without a tag: %v", name, err)
		}
	}
}

// switched writes to something that can be exchanged.
type switched struct{ io.Writer }

// TestPipes seals into pipes that nobody reads any more, and opens what cannot seek.
func TestPipes(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce, text := random(a.NonceSize()), random(3000)
		want := a.Seal(nil, nonce, text, nil)
		pr, pw := io.Pipe()
		s, err := incremental.NewSealer(a, pw, nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 1000)
		done := make(chan struct{})
		go func() {
			defer close(done)
			io.ReadFull(pr, got)
			pr.CloseWithError(errPlanned)
		}()
		n, err := s.Write(text)
		<-done
		if n != 1000 || err != errPlanned || !bytes.Equal(got, want[:1000]) {
			t.Errorf("%s: %d bytes into a pipe, %v", name, n, err)
		}
		if err := s.Close(); err != errPlanned {
			t.Errorf("%s: Close: %v", name, err)
		}

		r, w, err := os.Pipe()
		if err != nil {
			if runtime.GOOS != "js" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		if s, err = incremental.NewSealer(a, w, nonce, nil); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Write(text); n != len(text) || err != nil {
			t.Errorf("%s: into a pipe: %d, %v", name, n, err)
		}
		if o, err := incremental.NewOpener(a, r, nonce, nil); o != nil || err == nil {
			t.Errorf("%s: opens a pipe: %v", name, err)
		}
		r.Close()
		if err := s.Close(); err == nil {
			t.Errorf("%s: Close writes the tag to nobody", name)
		}
		w.Close()
	}
}

// TestFiles opens files that are closed or cut.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, a := range inPieces(t) {
		nonce, text := random(a.NonceSize()), random(150_000)
		path := filepath.Join(dir, "sealed")
		if err := os.WriteFile(path, a.Seal(nil, nonce, text, nil), 0o600); err != nil {
			if runtime.GOOS != "js" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		open := func() (*os.File, io.Reader) {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			r, err := incremental.NewOpener(a, f, nonce, nil)
			if err != nil {
				t.Fatal(err)
			}
			return f, r
		}
		f, r := open()
		f.Close()
		if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: reads %d bytes of a closed file, %v", name, n, err)
		}
		if r, err := incremental.NewOpener(a, f, nonce, nil); r != nil || !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: opens a closed file: %v", name, err)
		}
		f, r = open()
		if err := f.Truncate(100_000); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if !errors.Is(err, openError(a, nonce)) || !bytes.Equal(got, text[:len(got)]) || len(got) > 100_000 {
			t.Errorf("%s: a file that is cut: %d bytes, %v", name, len(got), err)
		}
		f.Close()
	}
}

// liar tells of other numbers of bytes than it has, and of places that are none.
type liar struct {
	io.Reader
	end int64
}

func (l *liar) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		return l.end, nil
	}
	return 0, nil
}

// A source that lies about its length is not opened, and makes no panic. Memory is
// taken for what comes, not for what it tells of.
func TestLiars(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce := random(a.NonceSize())
		sealed := a.Seal(nil, nonce, random(500), nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, end := range []int64{
			math.MinInt64, -1, 0, 1, int64(len(sealed)) - 1, int64(len(sealed)) + 1, 1 << 20, 1 << 31, 1 << 33, 1 << 37, 1 << 62, math.MaxInt64,
		} {
			r, err := incremental.NewOpener(a, &liar{bytes.NewReader(sealed), end}, nonce, nil)
			if r != nil || err == nil {
				t.Errorf("%s: opens what says that it ends at %d", name, end)
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
			t.Errorf("%s: %d MiB are taken for what does not come", name, n>>20)
		}
		dir, err := os.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if r, err := incremental.NewOpener(a, dir, nonce, nil); r != nil || err == nil {
			t.Errorf("%s: opens a directory", name)
		}
		dir.Close()
		for _, r := range []io.Reader{iotest.ErrReader(errPlanned), iotest.ErrReader(io.EOF), iotest.ErrReader(io.ErrUnexpectedEOF)} {
			if r, err := incremental.NewOpener(a, &liar{r, int64(len(sealed))}, nonce, nil); r != nil || err == nil {
				t.Errorf("%s: opens what cannot be read", name)
			}
		}
	}
}

// miscounter writes all, but tells another number.
type miscounter struct {
	bytes.Buffer
	told int
}

func (m *miscounter) Write(p []byte) (int, error) {
	m.Buffer.Write(p)
	return m.told, nil
}

// A writer that tells of fewer bytes than it got ends the message, also if the
// number is none; and Write never tells more than it was given.
func TestMiscountingWriter(t *testing.T) {
	for name, a := range inPieces(t) {
		for _, told := range []int{-5, 0, 99, 1 << 30} {
			w := &miscounter{told: told}
			s, err := incremental.NewSealer(a, w, random(a.NonceSize()), nil)
			if err != nil {
				t.Fatal(err)
			}
			n, err := s.Write(make([]byte, 100))
			if want := min(max(told, 0), 100); n != want || (err == io.ErrShortWrite) != (told < 100) {
				t.Errorf("%s: the writer tells of %d bytes: Write %d, %v", name, told, n, err)
			}
		}
	}
}
