package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
)

// RunMAC runs the groups of type MacTest. A tag is compared with as many bytes of
// Sum from its start as the tagSize of the group says, so that one constructor
// serves all sizes.
func RunMAC(t TB, f *File, pick func(g *Group) func(key []byte) (hash.Hash, error)) Result {
	t.Helper()
	return run(t, f, "MacTest", func(g *Group) check {
		newMAC := pick(g)
		if newMAC == nil {
			return nil
		}
		return func(t *Test, r *replay) error { return checkMAC(g, t, r, newMAC) }
	})
}

func checkMAC(g *Group, t *Test, r *replay, newMAC func(key []byte) (hash.Hash, error)) error {
	fresh := func() (hash.Hash, error) {
		return construct(r, func(a [][]byte) (hash.Hash, error) { return newMAC(a[0]) }, t.Key)
	}
	size := g.TagSize / 8
	if t.Result == "invalid" {
		h, err := fresh()
		var refused *refusal
		if errors.As(err, &refused) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := write(h, t.Msg); err != nil {
			return err
		}
		sum := h.Sum(nil)
		if len(sum) < size {
			return fmt.Errorf("sum has %d bytes, the tag has %d", len(sum), size)
		}
		if bytes.Equal(sum[:size], t.Tag) {
			return errors.New("the tag was accepted")
		}
		return nil
	}
	return r.digest(fresh, t.Msg, t.Repeat, func(sum []byte) error {
		if len(sum) < size {
			return fmt.Errorf("has %d bytes, the tag has %d", len(sum), size)
		}
		return differ(sum[:size], t.Tag)
	})
}
