package vectors

import (
	"bytes"
	"errors"
	"fmt"
)

// RunHChaCha runs the groups of type HChaChaTest: the function that makes the
// subkey of XChaCha from a key and the first 16 bytes of the nonce.
func RunHChaCha(t TB, f *File, pick func(g *Group) func(key, nonce []byte) ([]byte, error)) Result {
	t.Helper()
	return run(t, f, "HChaChaTest", func(g *Group) check {
		hchacha := pick(g)
		if hchacha == nil {
			return nil
		}
		return func(t *Test, r *replay) error { return checkHChaCha(t, r, hchacha) }
	})
}

func checkHChaCha(t *Test, r *replay, hchacha func(key, nonce []byte) ([]byte, error)) error {
	out, err := hchacha(bytes.Clone(t.Key), bytes.Clone(t.IV))
	if err != nil {
		return err
	}
	if err := differ(out, t.Out); err != nil {
		return fmt.Errorf("output %w", err)
	}
	again, err := construct(r, func(a [][]byte) ([]byte, error) { return hchacha(a[0], a[1]) }, t.Key, t.IV)
	if err != nil {
		return fmt.Errorf("unaligned: %w", err)
	}
	if err := differ(again, t.Out); err != nil {
		return fmt.Errorf("unaligned: output %w", err)
	}
	clear(again)
	if differ(out, t.Out) != nil {
		return errors.New("two results share memory")
	}
	return nil
}
