package main

import (
	"fmt"
	"slices"

	"xcipher/internal/impl"
)

// force switches off our kernels above a tier. The peers keep what they have.
func force(tier string) error {
	rank := slices.Index(impl.Tiers(), tier)
	if rank < 0 {
		return fmt.Errorf("tier %q is none of %q", tier, impl.Tiers())
	}
	if rank < slices.Index(impl.Tiers(), fastest()) {
		return fmt.Errorf("this program has no tier above %s on this machine", fastest())
	}
	for _, s := range impl.Switches() {
		if slices.Index(impl.Tiers(), s.Tier) < rank {
			*s.Enabled = false
		}
	}
	return nil
}

// fastest returns the fastest tier that is on.
func fastest() string {
	for _, tier := range impl.Tiers() {
		if slices.ContainsFunc(impl.Switches(), func(s impl.Switch) bool { return s.Tier == tier && *s.Enabled }) {
			return tier
		}
	}
	return impl.Generic
}
