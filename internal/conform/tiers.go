package conform

import (
	"bytes"
	"slices"
	"testing"

	"xcipher/internal/impl"
)

// Each runs f as a subtest once per tier that this machine has, the generic one
// included. In each of them the switches of faster tiers are off, in every
// package that registered some. An object made in one tier must work in another.
// f must not call t.Parallel on its own t; its subtests may, if they are not those
// of this package.
func Each(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	each(host{t}, func(s suite) { f(s.(host).T) })
}

func each(t suite, f func(t suite)) {
	t.Helper()
	was := states()
	defer set(was)
	tiers := impl.Tiers()
	for rank, tier := range tiers {
		now := make([]bool, len(was))
		here := tier == impl.Generic
		for i, s := range impl.Switches() {
			here = here || was[i] && s.Tier == tier
			now[i] = was[i] && slices.Index(tiers, s.Tier) >= rank
		}
		if here {
			set(now)
			t.Run(tier, f)
		}
	}
}

// inGeneric is true while generic calls its function.
var inGeneric bool

// generic calls f with all switches off. What other tiers do is compared with
// what f computes.
func generic(f func()) {
	was := states()
	inGeneric = true
	defer func() {
		set(was)
		inGeneric = false
	}()
	set(make([]bool, len(was)))
	f()
}

// twins are two objects with the same key, one of them made in the generic tier.
type twins[T any] struct{ own, plain T }

func newTwins[T any](t testing.TB, construct func(key []byte) (T, error), key []byte) twins[T] {
	t.Helper()
	w := twins[T]{own: must(t, construct, bytes.Clone(key))}
	generic(func() { w.plain = must(t, construct, bytes.Clone(key)) })
	return w
}

// now returns the object for the tier that is on.
func (w twins[T]) now() T {
	if inGeneric {
		return w.plain
	}
	return w.own
}

// states returns which switches are on.
func states() []bool {
	var on []bool
	for _, s := range impl.Switches() {
		on = append(on, *s.Enabled)
	}
	return on
}

func set(on []bool) {
	for i, s := range impl.Switches()[:len(on)] {
		*s.Enabled = on[i]
	}
}
