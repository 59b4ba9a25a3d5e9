package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	got := strings.Split(works(t, "", "", "version"), "\n")
	second := fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if len(got) != 4 || !strings.HasPrefix(got[0], "xcipher ") || got[1] != second || got[2] != strings.Join(tiersHere(), " ") || !strings.HasSuffix(got[2], "generic") {
		t.Errorf("%q", got)
	}
	if runtime.GOARCH == "amd64" {
		t.Setenv("GODEBUG", "cpu.avx512f=off,cpu.avx2=off")
		if text := works(t, "", "", "version"); !strings.HasSuffix(text, "\ngeneric\n") {
			t.Errorf("without AVX2 it prints %q", text)
		}
	}
	if got := program(t, "", "", "version", "x"); got.status != exitUsage || got.out != "" || !strings.Contains(got.err, "unexpected argument") {
		t.Errorf("version x: %+v", got)
	}
}

func TestDescribeBuild(t *testing.T) {
	for _, c := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{}, "(devel)"},
		{debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0a"}, {Key: "vcs.time", Value: "now"}, {Key: "vcs.modified", Value: "false"}}}, "(devel) 0a now"},
		{debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0a"}, {Key: "vcs.modified", Value: "true"}}}, "(devel) 0a modified"},
	} {
		same(t, describeBuild(&c.info), c.want, c.want)
	}
}
