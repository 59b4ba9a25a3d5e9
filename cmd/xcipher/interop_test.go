package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var digestsInText = regexp.MustCompile(`\b[0-9a-f]{8,128}\b`)

// TestInteropTopic runs the lines that help interop prints, as somebody would who
// copies them: both sides of each pair print the same digest or accept the same list.
func TestInteropTopic(t *testing.T) {
	for _, tool := range []string{"sh", "openssl", "gost12sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip("this test needs more programs: ", err)
		}
	}
	openssl(t, "", "dgst", "-md_gost12_256") // with its engine
	dir := t.TempDir()
	writeFile(t, dir, "FILE", random(1000))
	script := "#!/bin/sh\n" + asProgram + "=1 exec '" + os.Args[0] + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "xcipher"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	key, setup := randomHex(32), "xcipher sum FILE >LIST\n"
	compared, page := 0, works(t, "", "", "help", "interop")
	for group := range strings.SplitSeq(page, "\n\n") {
		lines := strings.Split(strings.TrimSpace(group), "\n")
		switch {
		case !strings.HasPrefix(group, "  "):
			continue
		case strings.HasPrefix(lines[0], "printf"):
			setup += group + "\n"
			continue
		}
		var first string
		for i, line := range lines {
			line = strings.ReplaceAll(strings.TrimSpace(line), "KEY", key)
			cmd := exec.Command("sh", "-euc", setup+line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			out, err := cmd.Output() // without the warning of -K
			if err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
			got := digestsInText.FindString(string(out))
			if i == 0 {
				first = got
			}
			if got != first || (got == "") != strings.Contains(line, " -c") {
				t.Errorf("%s: %q, but %s: %q", line, got, lines[0], first)
			}
			compared++
		}
	}
	if compared < 14 {
		t.Errorf("%d lines:\n%s", compared, page)
	}
}
