package cpu

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func tiers() string {
	var names []string
	for _, t := range []struct {
		name string
		on   bool
	}{{"avx512", AVX512}, {"avx2gfni", AVX2GFNI}, {"avx2", AVX2}} {
		if t.on {
			names = append(names, t.name)
		}
	}
	return strings.Join(names, " ")
}

func TestTiersImplyEachOther(t *testing.T) {
	if AVX512 && !AVX2GFNI || AVX2GFNI && !AVX2 {
		t.Errorf("a tier lacks a lower one: %q", tiers())
	}
}

// The kernel's own list of CPU flags is an independent witness.
func TestAgainstKernel(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !assembly || os.Getenv("GODEBUG") != "" {
		if AVX2 && !assembly {
			t.Error("a tier without assembly")
		}
		return
	}
	var flags []string
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "flags" {
			flags = strings.Fields(value)
			break
		}
	}
	has := func(names string) bool {
		return !slices.ContainsFunc(strings.Fields(names), func(n string) bool { return !slices.Contains(flags, n) })
	}
	avx2 := has("avx2 bmi1 bmi2 pclmulqdq aes")
	gfni := avx2 && has("gfni")
	avx512 := gfni && has("avx512f avx512bw avx512dq avx512vl avx512vbmi avx512_vbmi2 avx512ifma vaes vpclmulqdq")
	if len(flags) > 0 && (AVX2 != avx2 || AVX2GFNI != gfni || AVX512 != avx512) {
		t.Errorf("tiers %q, but the kernel says avx2 %v, gfni %v, avx512 %v", tiers(), avx2, gfni, avx512)
	}
}

// GODEBUG is read at the start of a process, so each setting needs its own.
func TestGODEBUG(t *testing.T) {
	const variable = "XCIPHER_CPU_TEST_TIERS"
	if os.Getenv(variable) != "" {
		os.Stdout.WriteString("tiers=" + tiers() + "\n")
		return
	}
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		return // no processes; no tiers either
	}
	for setting, absent := range map[string][]string{
		"cpu.avx512f=off":    {"avx512"},
		"cpu.avx512vbmi=off": {"avx512"},
		"cpu.avx2=off":       {"avx512", "avx2gfni", "avx2"},
		"cpu.all=off":        {"avx512", "avx2gfni", "avx2"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestGODEBUG$")
		cmd.Env = append(os.Environ(), variable+"=1", "GODEBUG="+setting)
		out, err := cmd.Output()
		if err != nil {
			if runtime.GOARCH != "amd64" {
				continue // under an emulator that cannot start itself; no tiers there
			}
			t.Fatalf("%s: %v", setting, err)
		}
		_, rest, _ := strings.Cut(string(out), "tiers=")
		line, _, _ := strings.Cut(rest, "\n")
		for _, tier := range absent {
			if slices.Contains(strings.Fields(line), tier) {
				t.Errorf("%s: tier %s is on", setting, tier)
			}
		}
	}
}
