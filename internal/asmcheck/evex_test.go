package asmcheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// assemble returns the listing of a file as Go's assembler makes it.
func assemble(t *testing.T, file string) string {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(goroot)), "pkg", "include")
	cmd := exec.Command("go", "tool", "asm", "-S", "-p", "p", "-I", include, "-D", "GOOS_linux", "-D", "GOARCH_amd64",
		"-o", filepath.Join(t.TempDir(), "asm.o"), file)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// What the assembler makes is the same everywhere; once, without an emulator, will do.
func needAssembler(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("run on amd64")
	}
}

func TestPlantedEVEX(t *testing.T) {
	needAssembler(t)
	const file = "testdata/evex.s.txt"
	var want []int
	for i, line := range strings.Split(readFile(t, file), "\n") {
		if strings.HasSuffix(line, "// EVEX") {
			want = append(want, i+1)
		}
	}
	functions, violations := EVEX(assemble(t, file))
	var got []int
	for _, v := range violations {
		got = append(got, v.Line)
	}
	if !slices.Equal(got, want) || len(want) != 7 || len(functions) != 3 {
		t.Errorf("in %d functions: EVEX encodings in lines %d, want %d", len(functions), got, want)
	}
}

// The examples are Go assembly, not something like it.
func TestExamplesAssemble(t *testing.T) {
	needAssembler(t)
	for _, file := range []string{"testdata/clean.s.txt", "testdata/planted.s.txt"} {
		functions, _ := EVEX(assemble(t, file))
		if read := Check(readFile(t, file)).Functions; !slices.Equal(functions, read) {
			t.Errorf("%s: the assembler lists %q, the source has %q", file, functions, read)
		}
	}
}

func TestModuleEVEX(t *testing.T) {
	needAssembler(t)
	avx2 := 0
	for _, file := range assembly(t) {
		functions, violations := EVEX(assemble(t, file))
		for _, v := range violations {
			t.Errorf("%s: %v", file, v)
		}
		if read := Check(readFile(t, file)).Functions; !slices.Equal(functions, read) {
			t.Errorf("%s: the assembler lists %q, the source has %q", file, functions, read)
		}
		for _, name := range functions {
			if isAVX2(name) {
				avx2++
			}
		}
	}
	t.Logf("asmcheck: %d functions for AVX2 without EVEX encodings", avx2)
}
