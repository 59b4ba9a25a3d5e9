package vectors

import (
	"bytes"
	"cmp"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"
)

// RunAEAD runs the groups of type AeadTest: Seal and Open. Its ciphertext is ct
// followed by tag.
func RunAEAD(t TB, f *File, pick func(g *Group) func(key []byte) (cipher.AEAD, error)) Result {
	t.Helper()
	return run(t, f, "AeadTest", func(g *Group) check {
		newAEAD := pick(g)
		if newAEAD == nil {
			return nil
		}
		return func(t *Test, r *replay) error {
			a, err := construct(r, func(a [][]byte) (cipher.AEAD, error) { return newAEAD(a[0]) }, t.Key)
			var refused *refusal
			if errors.As(err, &refused) && t.Result == "invalid" {
				return nil
			}
			if err != nil {
				return err
			}
			c := &aeadCheck{AEAD: a, t: t, r: r, sealed: slices.Concat(t.CT, t.Tag)}
			return c.run()
		}
	})
}

// aeadCheck is one test of one AEAD.
type aeadCheck struct {
	cipher.AEAD
	t      *Test
	r      *replay
	sealed []byte // ct and tag
}

// An operation is Seal or Open.
type operation func(dst, nonce, in, aad []byte) ([]byte, error)

func (c *aeadCheck) seal(dst, nonce, in, aad []byte) ([]byte, error) {
	return c.Seal(dst, nonce, in, aad), nil
}

func (c *aeadCheck) run() error {
	if len(c.t.IV) != c.NonceSize() {
		if c.t.Result == "valid" {
			return fmt.Errorf("NonceSize is %d, but the nonce has %d bytes", c.NonceSize(), len(c.t.IV))
		}
		if err := c.wrongNonce(c.t.IV); err != nil || c.t.Result == "invalid" {
			return err
		}
		return &refusal{"Seal and Open do not take the nonce"}
	}
	if c.t.Result == "invalid" {
		return c.invalid()
	}
	return c.valid()
}

// valid checks a test that is valid, or acceptable and maybe refused.
func (c *aeadCheck) valid() error {
	if n := len(c.sealed) - len(c.t.Msg); n > c.Overhead() {
		return fmt.Errorf("wrong Overhead %d: the ciphertext is %d bytes longer than the message", c.Overhead(), n)
	}
	var sealRefused, openRefused error
	if c.t.Result == "acceptable" {
		sealRefused, openRefused = c.refused()
	}
	if sealRefused == nil {
		if err := c.appends(c.seal, c.t.Msg, c.sealed); err != nil {
			return fmt.Errorf("sealing: %w", err)
		}
	}
	if openRefused == nil {
		if err := c.appends(c.Open, c.sealed, c.t.Msg); err != nil {
			return fmt.Errorf("opening: %w", err)
		}
	}
	if err := cmp.Or(sealRefused, openRefused); err != nil {
		return err
	}
	for _, n := range []int{0, c.NonceSize() - 1, c.NonceSize() + 1} {
		if n >= 0 && n != c.NonceSize() {
			if err := c.wrongNonce(make([]byte, n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// refused returns refusals if Seal panics and if Open returns an error.
func (c *aeadCheck) refused() (bySeal, byOpen error) {
	args := c.r.lend(c.t.IV, c.t.AAD, c.t.Msg, c.sealed).slices()
	if v, panicked := panics(func() { c.Seal(nil, args[0], args[2], args[1]) }); panicked {
		bySeal = &refusal{fmt.Sprintf("Seal panics: %v", v)}
	}
	if _, err := c.Open(nil, args[0], args[3], args[1]); err != nil {
		byOpen = &refusal{"Open says: " + err.Error()}
	}
	return bySeal, byOpen
}

// wrongNonce checks that Seal and Open panic.
func (c *aeadCheck) wrongNonce(nonce []byte) error {
	args := c.r.lend(nonce, c.t.AAD, c.t.Msg, c.sealed).slices()
	if _, panicked := panics(func() { c.Seal(nil, args[0], args[2], args[1]) }); !panicked {
		return fmt.Errorf("no panic of Seal for a nonce of %d bytes", len(nonce))
	}
	if _, panicked := panics(func() { c.Open(nil, args[0], args[3], args[1]) }); !panicked {
		return fmt.Errorf("no panic of Open for a nonce of %d bytes", len(nonce))
	}
	return nil
}

// appends checks an operation that succeeds: that it appends want to dst.
func (c *aeadCheck) appends(op operation, in, want []byte) error {
	out, err := op(nil, bytes.Clone(c.t.IV), bytes.Clone(in), bytes.Clone(c.t.AAD))
	if err != nil {
		return err
	}
	if err := differ(out, want); err != nil {
		return fmt.Errorf("result %w", err)
	}
	prefix, spare := 1+c.r.IntN(40), 1+c.r.IntN(200)
	for _, way := range []struct {
		name          string
		inPlace       bool
		prefix, spare int
	}{
		{"unaligned", false, 0, 0},
		{"behind a prefix", false, prefix, 0},
		{"behind a prefix, with spare capacity", false, prefix, spare},
		{"in place", true, 0, 0},
		{"in place, with spare capacity", true, 0, spare},
	} {
		if err := c.appendsOnce(op, in, want, way.inPlace, way.prefix, way.spare); err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
	}
	return nil
}

func (c *aeadCheck) appendsOnce(op operation, in, want []byte, inPlace bool, prefix, spare int) error {
	args := c.r.lend(c.t.IV, c.t.AAD)
	var src, dst *region
	used := len(want)
	if inPlace {
		src = c.r.copy(in, max(0, len(want)-len(in))+spare)
		dst = src
		used = max(used, len(in)) // Open may clear the tag
	} else {
		src = c.r.copy(in, 0)
		dst = c.r.region(prefix, len(want)+spare)
		args = append(args, src)
	}
	out, err := op(dst.b[:prefix], args[0].b, src.b, args[1].b)
	if err != nil {
		return err
	}
	if len(out) < prefix || !bytes.Equal(out[:prefix], dst.was[dst.start:][:prefix]) {
		return errors.New("the result does not start with dst")
	}
	if err := differ(out[prefix:], want); err != nil {
		return fmt.Errorf("result %w", err)
	}
	if !dst.intactExcept(prefix, prefix+used) {
		return errors.New("bytes outside the result changed")
	}
	if !args.intact() {
		return errors.New("an argument changed")
	}
	return nil
}

// sealPanics are the flags of invalid tests that Seal must not take, either.
var sealPanics = []string{"AadNotSupported", "MessageTooLong", "NonceTopBit"}

func (c *aeadCheck) invalid() error {
	prefix, spare := 1+c.r.IntN(40), c.r.IntN(len(c.sealed)+40)
	for _, way := range []struct {
		name          string
		inPlace       bool
		prefix, spare int
	}{
		{"with no room in dst", false, 0, 0},
		{"behind a prefix", false, prefix, spare},
		{"in place", true, 0, 0},
	} {
		if err := c.invalidOnce(way.inPlace, way.prefix, way.spare); err != nil {
			return fmt.Errorf("opening %s: %w", way.name, err)
		}
	}
	args := c.r.lend(c.t.IV, c.t.AAD, c.t.Msg).slices()
	var out []byte
	if _, panicked := panics(func() { out = c.Seal(nil, args[0], args[2], args[1]) }); panicked {
		return nil
	}
	if slices.ContainsFunc(sealPanics, c.t.Has) {
		return errors.New("no panic of Seal")
	}
	if bytes.Equal(out, c.sealed) {
		return errors.New("refused by Open, but Seal gives the ciphertext")
	}
	return nil
}

func (c *aeadCheck) invalidOnce(inPlace bool, prefix, spare int) error {
	args := c.r.lend(c.t.IV, c.t.AAD)
	src := c.r.copy(c.sealed, 0)
	dst := src
	if !inPlace {
		dst = c.r.region(prefix, spare)
		args = append(args, src)
	}
	out, err := c.Open(dst.b[:prefix], args[0].b, src.b, args[1].b)
	if err == nil {
		return errors.New("accepted")
	}
	if out != nil {
		return errors.New("a slice was returned with the error")
	}
	// The contents of dst up to its capacity may change.
	if !dst.intactExcept(prefix, cap(dst.b)) {
		return errors.New("bytes outside dst changed")
	}
	if !args.intact() {
		return errors.New("an argument changed")
	}
	return nil
}
