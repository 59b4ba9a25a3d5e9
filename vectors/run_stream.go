package vectors

import (
	"crypto/cipher"
	"fmt"
)

// RunStream runs the groups of type StreamTest. The constructor gets the number
// of the first block of key stream: 0 for most tests, up to 2^64-1 for a few.
func RunStream(t TB, f *File, pick func(g *Group) func(key, iv []byte, counter uint64) (cipher.Stream, error)) Result {
	t.Helper()
	return run(t, f, "StreamTest", func(g *Group) check {
		newStream := pick(g)
		if newStream == nil {
			return nil
		}
		return func(t *Test, r *replay) error { return checkStream(t, r, newStream) }
	})
}

func checkStream(t *Test, r *replay, newStream func(key, iv []byte, counter uint64) (cipher.Stream, error)) error {
	counter, wide := t.counter()
	if wide {
		return errSkip
	}
	fresh := func() (transform, error) {
		s, err := construct(r, func(a [][]byte) (cipher.Stream, error) {
			return newStream(a[0], a[1], counter)
		}, t.Key, t.IV)
		if err != nil {
			return nil, err
		}
		return s.XORKeyStream, nil
	}
	if err := r.transform(1, fresh, t.Msg, t.CT); err != nil {
		return fmt.Errorf("encrypting: %w", err)
	}
	if err := r.transform(1, fresh, t.CT, t.Msg); err != nil {
		return fmt.Errorf("decrypting: %w", err)
	}
	return nil
}
