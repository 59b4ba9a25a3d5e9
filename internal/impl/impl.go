// Package impl is the register of implementations that are chosen at run time:
// which package has which tier, and the switch that turns it off.
//
// Production packages register their switches. Tests throw them, through
// conform.Each, and what measures the tiers; nothing else does. The package imports
// nothing, so that no program links test support because of it.
package impl

// The tiers, fastest first. A machine that has one has those below it too.
// The generic tier is what is left when all switches of a package are off.
const (
	AVX512   = "avx512"
	AVX2GFNI = "avx2gfni"
	AVX2     = "avx2"
	Generic  = "generic"
)

// Tiers lists the names above in their order.
func Tiers() []string { return []string{AVX512, AVX2GFNI, AVX2, Generic} }

// Switch is one implementation of one package.
type Switch struct {
	Package string
	Tier    string
	Enabled *bool // read by the package at each dispatch
}

var switches []Switch

// Register enters an implementation. It is called from init functions and
// package variables only; a switch that is false at that time is never turned on.
func Register(pkg, tier string, enabled *bool) bool {
	switches = append(switches, Switch{pkg, tier, enabled})
	return *enabled
}

// Switches returns everything that was registered.
func Switches() []Switch { return switches }
