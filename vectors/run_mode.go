package vectors

import (
	"crypto/cipher"
	"errors"
	"fmt"
)

// Modes holds the constructors of a mode of operation. The first two are for modes
// that work on whole blocks (CBC, ECB), the others for those that give a stream
// (CTR, OFB, CFB). For any other mode, whichever are set are used. The IV of a mode
// without one is empty.
type Modes struct {
	NewEncrypter, NewDecrypter             func(key, iv []byte) (cipher.BlockMode, error)
	NewStreamEncrypter, NewStreamDecrypter func(key, iv []byte) (cipher.Stream, error)
}

// streams reports which pair of constructors a group needs.
func (m *Modes) streams(g *Group) bool {
	switch g.Mode {
	case "CBC", "ECB":
		return false
	case "CTR", "OFB", "CFB":
		return true
	}
	return m.NewEncrypter == nil
}

// RunBlockMode runs the groups of type BlockModeTest: both directions.
//
// An acceptable test may be refused by a panic of the constructor, too, as that is
// how the constructors of crypto/cipher refuse an IV.
func RunBlockMode(t TB, f *File, pick func(g *Group) *Modes) Result {
	t.Helper()
	return run(t, f, "BlockModeTest", func(g *Group) check {
		m := pick(g)
		if m == nil {
			return nil
		}
		return func(t *Test, r *replay) error {
			if m.streams(g) {
				return checkMode(g, t, r, m.NewStreamEncrypter, m.NewStreamDecrypter, streamTransform)
			}
			return checkMode(g, t, r, m.NewEncrypter, m.NewDecrypter, blockTransform)
		}
	})
}

func streamTransform(s cipher.Stream) (unit int, f transform) { return 1, s.XORKeyStream }

func blockTransform(m cipher.BlockMode) (unit int, f transform) { return m.BlockSize(), m.CryptBlocks }

func checkMode[M any](g *Group, t *Test, r *replay, newEncrypter, newDecrypter func(key, iv []byte) (M, error),
	use func(M) (unit int, f transform)) error {
	if newEncrypter == nil || newDecrypter == nil {
		return fmt.Errorf("mode %s: no constructors of the kind that it needs", g.Mode)
	}
	msg := []byte(t.Msg)
	switch g.Padding {
	case "", "none":
	case "zero":
		msg = append(msg[:len(msg):len(msg)], make([]byte, max(0, len(t.CT)-len(msg)))...)
	default:
		return fmt.Errorf("unknown padding %q", g.Padding)
	}
	one := func(newMode func(key, iv []byte) (M, error), in, want []byte) error {
		fresh := func() (M, error) {
			return construct(r, func(a [][]byte) (m M, err error) {
				if v, panicked := panics(func() { m, err = newMode(a[0], a[1]) }); panicked {
					return m, fmt.Errorf("panic: %v", v)
				}
				return m, err
			}, t.Key, t.IV)
		}
		m, err := fresh()
		if err != nil {
			return err
		}
		unit, _ := use(m)
		if unit <= 0 {
			return errors.New("BlockSize is not positive")
		}
		if g.BlockSize != 0 && unit > 1 && unit != g.BlockSize/8 {
			return fmt.Errorf("BlockSize is %d instead of %d", unit, g.BlockSize/8)
		}
		if pad := len(msg) - len(t.Msg); pad > unit {
			return fmt.Errorf("the test has %d bytes of padding, but the block has %d", pad, unit)
		}
		return r.transform(unit, func() (transform, error) {
			m, err := fresh()
			if err != nil {
				return nil, err
			}
			_, f := use(m)
			return f, nil
		}, in, want)
	}
	if err := one(newEncrypter, msg, t.CT); err != nil {
		return fmt.Errorf("encrypting: %w", err)
	}
	if err := one(newDecrypter, t.CT, msg); err != nil {
		return fmt.Errorf("decrypting: %w", err)
	}
	return nil
}
