package impl

import (
	"slices"
	"testing"
)

func TestRegister(t *testing.T) {
	defer func(was []Switch) { switches = was }(switches)
	switches = nil
	on, off := true, false
	if !Register("a", AVX512, &on) {
		t.Errorf("Register of a switch that is on returns false")
	}
	if Register("b", AVX2, &off) {
		t.Errorf("Register of a switch that is off returns true")
	}
	want := []Switch{{"a", AVX512, &on}, {"b", AVX2, &off}}
	if got := Switches(); !slices.Equal(got, want) {
		t.Errorf("Switches = %v, want %v", got, want)
	}
	if !on || off {
		t.Errorf("Register changes a switch")
	}
	*Switches()[0].Enabled = false
	if on {
		t.Errorf("the switch in the register is not the package's own")
	}
}

func TestTiers(t *testing.T) {
	if got, want := Tiers(), []string{"avx512", "avx2gfni", "avx2", "generic"}; !slices.Equal(got, want) {
		t.Errorf("Tiers = %q, want %q", got, want)
	}
	Tiers()[0] = ""
	if Tiers()[0] != AVX512 {
		t.Errorf("a caller can change the list of tiers")
	}
}
