package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
)

// RunHash runs the groups of type HashTest.
func RunHash(t TB, f *File, pick func(g *Group) func() hash.Hash) Result {
	t.Helper()
	return run(t, f, "HashTest", func(g *Group) check {
		newHash := pick(g)
		if newHash == nil {
			return nil
		}
		return func(t *Test, r *replay) error {
			return r.digest(func() (hash.Hash, error) {
				return construct(r, func([][]byte) (hash.Hash, error) { return newHash(), nil })
			}, t.Msg, t.Repeat, func(sum []byte) error { return differ(sum, t.Digest) })
		}
	})
}

const (
	shortText = 1 << 16 // longer ones are not held in memory
	longText  = 1 << 24 // and even longer ones are hashed only once
	writeSize = 1 << 15 // at most that many bytes in one Write of a text that is not short
)

// A text is msg, repeated to n bytes.
type text struct {
	period, n, most int
	*region         // some repetitions, enough for a piece of most bytes from anywhere in msg
}

func (r *replay) text(msg []byte, repeat int) text {
	t := text{period: len(msg), n: len(msg) * max(1, repeat), most: writeSize}
	copies := max(1, repeat)
	if t.n > shortText {
		copies = 2 + writeSize/t.period
	} else {
		t.most = max(1, t.n)
	}
	t.region = r.copy(bytes.Repeat(msg, copies), 0)
	return t
}

func (t text) slice(from, to int) []byte {
	if t.n > shortText {
		from, to = from%t.period, from%t.period+to-from
	}
	return t.b[from:to]
}

// digest writes msg, repeat times over, to hashes in several ways and has each sum
// tested.
func (r *replay) digest(fresh func() (hash.Hash, error), msg []byte, repeat int, test func(sum []byte) error) error {
	h, err := fresh()
	if err != nil {
		return err
	}
	t, where := r.text(msg, repeat), "in pieces"
	if t.n <= longText {
		for from := 0; from == 0 || from < t.n; from += t.most {
			if err := write(h, t.slice(from, min(t.n, from+t.most))); err != nil {
				return err
			}
		}
		if err := r.sums(h, t, test); err != nil {
			return err
		}
		h.Reset()
		where = "in pieces, after Reset"
	}
	if err := r.digestPieces(h, t, test); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if t.n > shortText {
		return nil
	}
	if h, err = fresh(); err != nil {
		return err
	}
	other, err := fresh()
	if err != nil {
		return err
	}
	if err := write(other, []byte("of no influence on h")); err != nil {
		return err
	}
	if err := r.digestPieces(h, t, test); err != nil {
		return fmt.Errorf("in pieces: %w", err)
	}
	other.Reset()
	if err := r.digestPieces(other, t, test); err != nil {
		return fmt.Errorf("in pieces, after Reset: %w", err)
	}
	return nil
}

// digestPieces writes t to h in pieces and has the sum tested.
func (r *replay) digestPieces(h hash.Hash, t text, test func(sum []byte) error) error {
	err := r.pieces(t.n, 1, t.most, func(from, to int) error {
		if t.n <= shortText && r.IntN(4) == 0 {
			h.Sum(nil) // must not disturb the state
		}
		return write(h, t.slice(from, to))
	})
	if err != nil {
		return err
	}
	return r.sums(h, t, test)
}

func write(h hash.Hash, p []byte) error {
	if n, err := h.Write(p); n != len(p) || err != nil {
		return fmt.Errorf("call of Write with %d bytes returned %d, %v", len(p), n, err)
	}
	return nil
}

// sums tests Sum after t was written: alone, again, and behind a prefix.
func (r *replay) sums(h hash.Hash, t text, test func(sum []byte) error) error {
	if !t.intact() {
		return errors.New("argument of Write changed")
	}
	sum := h.Sum(nil)
	if len(sum) != h.Size() {
		return fmt.Errorf("sum has %d bytes, but Size is %d", len(sum), h.Size())
	}
	if err := test(sum); err != nil {
		return fmt.Errorf("sum %w", err)
	}
	if err := differ(h.Sum(nil), sum); err != nil {
		return fmt.Errorf("second sum %w", err)
	}
	prefix := r.region(r.IntN(40), r.IntN(2)*(h.Size()+r.IntN(40)))
	n, room := len(prefix.b), cap(prefix.b)
	both := h.Sum(prefix.b)
	if len(both) != n+h.Size() || !bytes.Equal(both[:n], prefix.was[prefix.start:][:n]) {
		return errors.New("result of Sum does not start with its argument")
	}
	if !prefix.intactExcept(n, min(room, n+h.Size())) {
		return errors.New("bytes other than those that Sum appended changed")
	}
	if err := differ(both[n:], sum); err != nil {
		return fmt.Errorf("sum behind a prefix %w", err)
	}
	return nil
}
