package incremental_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"xcipher/aead/incremental"
)

// source is an io.ReadSeeker over bytes that may change, with planned failures.
type source struct {
	b        []byte
	pos      int64
	seeks    int // so many succeed, if not 0
	readFail int64
	eof      bool  // returns io.EOF with the last bytes
	hidden   int64 // so many bytes at the end are not there for Seek
}

var errPlanned = errors.New("planned failure")

func (s *source) Read(p []byte) (int, error) {
	if s.readFail > 0 && s.pos >= s.readFail {
		return 0, errPlanned
	}
	if s.pos >= int64(len(s.b)) {
		return 0, io.EOF
	}
	n := copy(p, s.b[s.pos:])
	s.pos += int64(n)
	if s.eof && s.pos == int64(len(s.b)) {
		return n, io.EOF
	}
	return n, nil
}

func (s *source) Seek(offset int64, whence int) (int64, error) {
	if s.seeks == 1 {
		return 0, errPlanned
	}
	s.seeks--
	switch whence {
	case io.SeekCurrent:
		offset += s.pos
	case io.SeekEnd:
		offset += int64(len(s.b)) - s.hidden
	}
	s.pos = offset
	return offset, nil
}

func TestFailingSource(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce, text := random(a.NonceSize()), random(100_000)
		ct := a.Seal(nil, nonce, text, nil)
		for seeks := 1; seeks <= 4; seeks++ {
			r, err := incremental.NewOpener(a, &source{b: ct, seeks: seeks}, nonce, nil)
			if r != nil || !errors.Is(err, errPlanned) {
				t.Errorf("%s: seek %d fails: %v, %v", name, seeks, r, err)
			}
		}
		for _, at := range []int64{1, 70_000} {
			r, err := incremental.NewOpener(a, &source{b: ct, readFail: at}, nonce, nil)
			if r != nil || !errors.Is(err, errPlanned) {
				t.Errorf("%s: reading fails at %d: %v, %v", name, at, r, err)
			}
		}
		src := &source{b: ct, eof: true}
		r, err := incremental.NewOpener(a, src, nonce, nil)
		if err != nil {
			t.Fatalf("%s: a reader that returns data with io.EOF: %v", name, err)
		}
		src.readFail = 70_000
		got, err := io.ReadAll(r)
		if !errors.Is(err, errPlanned) || !bytes.Equal(got, text[:65536]) {
			t.Errorf("%s: reading fails in the second pass: %d bytes, %v", name, len(got), err)
		}
		src = &source{b: ct, eof: true}
		if r, err = incremental.NewOpener(a, iotestSeeker{iotest.OneByteReader(src), src}, nonce, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(iotest.OneByteReader(r)); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: single bytes of a reader of single bytes: %v", name, err)
		}
		src = &source{b: append(ct, 0), hidden: 1}
		r, err = incremental.NewOpener(a, src, nonce, nil)
		if r != nil || err == nil || err.Error() != "incremental: source is longer than it was" {
			t.Errorf("%s: a source that is longer than it seemed: %v, %v", name, r, err)
		}
	}
}

type iotestSeeker struct {
	io.Reader
	io.Seeker
}

// faulty fails after so many bytes, or writes one byte less than it says.
type faulty struct {
	bytes.Buffer
	left  int
	short bool
}

func (f *faulty) Write(p []byte) (int, error) {
	if len(p) > f.left {
		n, _ := f.Buffer.Write(p[:f.left])
		f.left = 0
		if f.short {
			return n, nil
		}
		return n, errPlanned
	}
	f.left -= len(p)
	return f.Buffer.Write(p)
}

func TestFailingWriter(t *testing.T) {
	for name, a := range inPieces(t) {
		nonce, text := random(a.NonceSize()), random(200_000)
		want := a.Seal(nil, nonce, text, nil)
		for _, short := range []bool{false, true} {
			wantErr := errPlanned
			if short {
				wantErr = io.ErrShortWrite
			}
			for _, left := range []int{0, 10, 70_000, len(text), len(want) - 1} {
				w := &faulty{left: left, short: short}
				s, err := incremental.NewSealer(a, w, nonce, nil)
				if err != nil {
					t.Fatal(err)
				}
				n, err := s.Write(text)
				if left < len(text) && (n != left || err != wantErr) || left >= len(text) && (n != len(text) || err != nil) {
					t.Errorf("%s: room for %d: Write %d, %v", name, left, n, err)
				}
				w.left = 1 << 20 // too late
				if left >= len(text) {
					w.left = left - len(text)
				} else if n, err := s.Write(text); n != 0 || err != wantErr {
					t.Errorf("%s: room for %d: second Write %d, %v", name, left, n, err)
				}
				for range 2 {
					if err := s.Close(); err != wantErr {
						t.Errorf("%s: room for %d: Close %v", name, left, err)
					}
				}
				if !bytes.Equal(w.Bytes(), want[:left]) {
					t.Errorf("%s: room for %d: %d bytes were written, or others", name, left, w.Len())
				}
			}
		}
	}
}
