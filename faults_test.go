package xcipher_test

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"hash"
	"io"
	"os"
	"runtime"
	"syscall"
	"testing"
	"testing/iotest"

	"xcipher/internal/catalog"
)

// The tests of this file put our streams, hashes and MACs between readers and
// writers that fail: what was passed on before is right, the error comes through
// as it is, and what can go on after it does so rightly.

// streams are makers of all streams of the catalog and of CTR over its blocks,
// sums those of its hashes and MACs.
func streamsAndSums(t *testing.T) (streams map[string]func() cipher.Stream, sums map[string]func() hash.Hash) {
	streams, sums = make(map[string]func() cipher.Stream), make(map[string]func() hash.Hash)
	key := bytes.Repeat([]byte{0x3c, 0xa5}, 16)
	for _, a := range catalog.Algorithms() {
		switch a.Kind {
		case catalog.Stream:
			streams[a.Name] = func() cipher.Stream {
				return must(catalog.NewStream(a.Name, key[:a.KeySize], key[:a.NonceSizes[0]]))(t)
			}
		case catalog.Block:
			b := must(catalog.NewBlock(a.Name, key[:a.KeySize]))(t)
			streams["CTR over "+a.Name] = func() cipher.Stream { return cipher.NewCTR(b, key[:a.BlockSize]) }
		case catalog.MAC:
			sums[a.Name] = func() hash.Hash { return must(catalog.NewMAC(a.Name, key[:max(a.KeySize, 1)]))(t) }
		case catalog.Hash:
			sums[a.Name] = func() hash.Hash { return must(catalog.NewHash(a.Name))(t) }
		}
	}
	return streams, sums
}

var errBroken = errors.New("broken")

// text is something to read, of n bytes.
func text(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*i>>7 + i)
	}
	return b
}

// xored is what a fresh stream makes of b.
func xored(s cipher.Stream, b []byte) []byte {
	out := bytes.Clone(b)
	s.XORKeyStream(out, out)
	return out
}

func summed(h hash.Hash, b []byte) []byte {
	h.Write(b)
	return h.Sum(nil)
}

// slow readers give the same in other pieces.
var slow = map[string]func(io.Reader) io.Reader{
	"whole":      func(r io.Reader) io.Reader { return r },
	"bytes":      iotest.OneByteReader,
	"halves":     iotest.HalfReader,
	"data, EOF":  iotest.DataErrReader,
	"empty ones": func(r io.Reader) io.Reader { return &nothings{r: r} },
}

// nothings returns nothing and no error before each read.
type nothings struct {
	r    io.Reader
	turn bool
}

func (n *nothings) Read(p []byte) (int, error) {
	if n.turn = !n.turn; n.turn {
		return 0, nil
	}
	return n.r.Read(p)
}

// broken reads what r has, and fails where that ends.
func broken(b []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(b), iotest.ErrReader(errBroken))
}

func TestFaultyReaders(t *testing.T) {
	streams, sums := streamsAndSums(t)
	for _, size := range []int{0, 1, 100, 4001} {
		b := text(size)
		for how, slowly := range slow {
			for name, make := range sums {
				h := make()
				// Without a WriterTo io.Copy would read in its own pieces.
				n, err := io.Copy(h, slowly(broken(b)))
				if n != int64(size) || err != errBroken {
					t.Errorf("%s of %d bytes, %s: copied %d, %v", name, size, how, n, err)
				}
				if !bytes.Equal(h.Sum(nil), summed(make(), b)) {
					t.Errorf("%s of %d bytes, %s: wrong after the failure", name, size, how)
				}
				if n, err := io.Copy(h, slowly(bytes.NewReader(b))); n != int64(size) || err != nil {
					t.Errorf("%s, %s: copied %d, %v", name, how, n, err)
				}
				if !bytes.Equal(h.Sum(nil), summed(make(), append(bytes.Clone(b), b...))) {
					t.Errorf("%s of %d bytes, %s: wrong when it goes on", name, size, how)
				}
			}
			for name, make := range streams {
				got, err := io.ReadAll(cipher.StreamReader{S: make(), R: slowly(broken(b))})
				if err != errBroken || !bytes.Equal(got, xored(make(), b)) {
					t.Errorf("%s of %d bytes, %s: %v, or wrong", name, size, how, err)
				}
			}
		}
	}
}

// A read that ran out of time can be repeated.
func TestTimeout(t *testing.T) {
	streams, _ := streamsAndSums(t)
	b := text(3000)
	for name, make := range streams {
		r := cipher.StreamReader{S: make(), R: iotest.TimeoutReader(iotest.HalfReader(bytes.NewReader(b)))}
		var got []byte
		timeouts := 0
		for buf := [700]byte{}; ; {
			n, err := r.Read(buf[:])
			got = append(got, buf[:n]...)
			if err == io.EOF {
				break
			}
			if err == iotest.ErrTimeout {
				timeouts++
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if timeouts != 1 || !bytes.Equal(got, xored(make(), b)) {
			t.Errorf("%s: wrong after %d times out", name, timeouts)
		}
	}
}

// full has room for left bytes. What does not fit it refuses, or, if it is sly,
// drops without a word.
type full struct {
	bytes.Buffer
	left int
	sly  bool
}

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	f.Buffer.Write(p[:n])
	if n < len(p) && !f.sly {
		return n, errBroken
	}
	return n, nil
}

func TestFaultyWriters(t *testing.T) {
	streams, sums := streamsAndSums(t)
	b := text(5000)
	for _, room := range []int{0, 1, 63, 1024, 4999} {
		for _, sly := range []bool{false, true} {
			want := errBroken
			if sly {
				want = io.ErrShortWrite
			}
			for name, make := range streams {
				out := &full{left: room, sly: sly}
				w := cipher.StreamWriter{S: make(), W: out}
				plain := bytes.Clone(b)
				if n, err := w.Write(plain); n != room || err != want {
					t.Errorf("%s, room for %d: wrote %d, %v", name, room, n, err)
				}
				if !bytes.Equal(out.Bytes(), xored(make(), b)[:room]) {
					t.Errorf("%s, room for %d: wrong bytes", name, room)
				}
				if !bytes.Equal(plain, b) {
					t.Errorf("%s: Write changes what is written", name)
				}
			}
			// A hash before and one behind what fails: the first has seen the piece, the
			// other one has not.
			for name, make := range sums {
				first, second := make(), make()
				out := &full{left: room, sly: sly}
				pieces := iotest.OneByteReader(bytes.NewReader(b))
				n, err := io.Copy(io.MultiWriter(first, out, second), pieces)
				if n != int64(room) || err != want {
					t.Errorf("%s, room for %d: copied %d, %v", name, room, n, err)
				}
				if !bytes.Equal(first.Sum(nil), summed(make(), b[:room+1])) || !bytes.Equal(second.Sum(nil), summed(make(), b[:room])) {
					t.Errorf("%s, room for %d: wrong sums", name, room)
				}
			}
		}
	}
}

// The other side of a pipe is closed, with an error of its own and without.
func TestClosedPipes(t *testing.T) {
	streams, sums := streamsAndSums(t)
	b := text(3000)
	for name, make := range streams {
		for _, reason := range []error{io.ErrClosedPipe, errBroken} {
			r, w := io.Pipe()
			done := goClose(func() {
				io.ReadFull(r, bytes.Clone(b[:1000]))
				r.CloseWithError(reason)
			})
			n, err := cipher.StreamWriter{S: make(), W: w}.Write(b)
			<-done
			if n != 1000 || err != reason {
				t.Errorf("%s: wrote %d, %v", name, n, err)
			}
		}
	}
	for name, make := range sums {
		r, w := io.Pipe()
		done := goClose(func() {
			w.Write(b)
			w.CloseWithError(errBroken)
		})
		h := make()
		n, err := io.Copy(h, r)
		<-done
		if n != int64(len(b)) || err != errBroken || !bytes.Equal(h.Sum(nil), summed(make(), b)) {
			t.Errorf("%s: copied %d, %v, or wrong", name, n, err)
		}
	}
}

func goClose(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

// The system's own full disk and closed pipe.
func TestSystemFaults(t *testing.T) {
	streams, _ := streamsAndSums(t)
	disk, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		disk = nil // not on this system
	} else {
		defer disk.Close()
	}
	b := text(100_000)
	for name, make := range streams {
		if disk != nil {
			if n, err := (cipher.StreamWriter{S: make(), W: disk}).Write(b); n != 0 || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s: on a full disk: wrote %d, %v", name, n, err)
			}
		}
		r, w, err := os.Pipe()
		if err != nil {
			if runtime.GOOS != "js" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		s := cipher.StreamWriter{S: make(), W: w}
		if n, err := s.Write(b[:1000]); n != 1000 || err != nil {
			t.Errorf("%s: into a pipe: wrote %d, %v", name, n, err)
		}
		r.Close()
		if n, err := s.Write(b); n != 0 || err == nil {
			t.Errorf("%s: into a pipe that nobody reads: wrote %d, %v", name, n, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
		if n, err := s.Write(b); n != 0 || !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: into a closed file: wrote %d, %v", name, n, err)
		}
	}
}
