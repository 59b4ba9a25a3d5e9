package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestParseEntry(t *testing.T) {
	d256, d512 := strings.Repeat("0f", 32), strings.Repeat("0f", 64)
	for _, c := range []struct{ line, algorithm, name string }{
		{d256 + " a b", "", "a b"},
		{d256 + "  a b", "", "a b"},
		{d256 + " *a b", "", "a b"},
		{d256 + "   a", "", " a"},
		{d256 + "  *a", "", "*a"},
		{d256 + " **a", "", "*a"},
		{d256 + " *", "", "*"},
		{d256 + `  a\n`, "", `a\n`},
		{"\\" + d256 + `  a\n\\\r`, "", "a\n\\\r"},
		{" \t" + d256 + "  a", "", "a"},
		{strings.ToUpper(d512) + "  a", "", "a"},
		{"0f a", "", "a"}, // whether the length is right depends on the algorithm
		{"GOST12-256 (a) = " + d256, "streebog256", "a"},
		{"GOST12-512 (a) b) = " + d512, "streebog512", "a) b"},
		{"md_gost12_256(a)= " + d256, "streebog256", "a"},
		{"STREEBOG-512 (a) = " + d512, "streebog512", "a"},
		{"streebog256 (a = (b) = c) = " + d256, "streebog256", "a = (b) = c"},
		{"SATURNIN-HASH (a) = " + d256, "saturnin-hash", "a"},
		{`\GOST12-256 (a\nb) = ` + d256, "streebog256", "a\nb"},
		{d256 + " (a) = 0f", "", "(a) = 0f"},
	} {
		e, ok := parseEntry(c.line)
		if !ok || e.algorithm != c.algorithm || e.name != c.name || len(bytes.Trim(e.digest, "\x0f")) > 0 {
			t.Errorf("%s: %v, %+v", c.line, ok, e)
		}
	}
	for _, line := range []string{
		"", " ", "a", d256, d256 + " ", d256[1:] + " a", d256 + "\ta", "x" + d256 + " a", "\\" + d256 + `  a\`, "\\" + d256 + `  a\x`,
		"SHA256 (a) = " + d256, "GOST12-256 (a) " + d256, "GOST12-256 (a = " + d256, "GOST12-256 a) = " + d256,
		"GOST12-256 (a) = ", "GOST12-256 (a) = 0", "GOST12-256 (a) = xx", "GOST12-256 () = " + d256, "magma-cmac (a) = " + d256,
		d256 + " a\x00b", "GOST12-256  (a) = " + d256, `\\` + d256 + " a",
	} {
		if e, ok := parseEntry(line); ok {
			t.Errorf("%q: %+v", line, e)
		}
	}
}

// What sum prints, sum -c reads.
func FuzzEntry(f *testing.F) {
	for _, name := range append(oddNames, "plain", "(a) = b", `a\nb`) {
		f.Add(name, false)
		f.Add(name, true)
	}
	f.Fuzz(func(t *testing.T, name string, tag bool) {
		parseEntry(name) // must not panic
		if name == "" || strings.Contains(name, "\x00") {
			return // no file has such a name
		}
		p := printer{}
		if tag {
			p.tag = bsdTag("streebog512")
		}
		digest := bytes.Repeat([]byte{0xa5}, 64)
		line, end := strings.CutSuffix(p.line(digest, name), "\n")
		e, ok := parseEntry(line)
		if !end || !ok || e.name != name || !bytes.Equal(e.digest, digest) || strings.ContainsAny(line, "\n\r") {
			t.Errorf("%q is read as %v, %+v", line, ok, e)
		}
	})
}

// Lists of other programs.
func TestCheckLists(t *testing.T) {
	dir := t.TempDir()
	files := severalFiles(t, dir)
	slices.Sort(files)
	ok := func(files []string) (want string) {
		for _, name := range files {
			want += name + ": OK\n"
		}
		return want
	}
	check := func(what, list string, files []string) {
		t.Helper()
		writeFile(t, dir, "LIST", list)
		same(t, works(t, dir, "", "sum", "-c", "--strict", "LIST"), ok(files), what)
		same(t, works(t, dir, list, "sum", "-check"), ok(files), what+" through a pipe")
		crlf := strings.ReplaceAll(list, "\n", "\r\n")
		same(t, works(t, dir, "\ufeff# comment\n\n"+crlf, "sum", "-c", "-strict", "-"), ok(files), what+" with line ends of DOS")
	}
	all := append([]string{"--"}, files...)
	check("gost12sum", toolWorks(t, dir, "", "gost12sum", all...), files)
	check("gost12sum -l", toolWorks(t, dir, "", "gost12sum", append([]string{"-l"}, all...)...), files)
	plain := slices.DeleteFunc(slices.Clone(files), func(name string) bool { return strings.ContainsAny(name, `-\#`) })
	for _, bits := range []string{"256", "512"} {
		check("rhash", toolWorks(t, dir, "", "rhash", append([]string{"--gost12-" + bits}, plain...)...), plain)
		check("rhash --bsd", toolWorks(t, dir, "", "rhash", append([]string{"--bsd", "--gost12-" + bits}, plain...)...), plain)
		check("openssl dgst -r", inDir(t, dir, func() string {
			return openssl(t, "", append([]string{"dgst", "-r", "-md_gost12_" + bits}, plain...)...)
		}), plain)
		check("openssl dgst", inDir(t, dir, func() string { return openssl(t, "", append([]string{"dgst", "-md_gost12_" + bits}, plain...)...) }), plain)
	}
	for _, form := range [][]string{nil, {"-tag"}, {"-a", "streebog512"}, {"-tag", "-a", "streebog512"}, {"-tag", "-a", "saturnin-hash"}} {
		list := works(t, dir, "", append(append([]string{"sum"}, form...), all...)...)
		check(fmt.Sprint("our own ", form), list, files)
		upper := ""
		for line := range strings.Lines(list) {
			e, _ := parseEntry(strings.TrimSuffix(line, "\n"))
			digest := fmt.Sprintf("%x", e.digest)
			upper += strings.Replace(line, digest, strings.ToUpper(digest), 1)
		}
		check(fmt.Sprint("our own in upper case ", form), upper, files)
	}
	// And the other way round.
	writeFile(t, dir, "LIST", works(t, dir, "", append([]string{"sum"}, all...)...))
	toolWorks(t, dir, "", "gost12sum", "-c", "LIST")
	writeFile(t, dir, "LIST", works(t, dir, "", append([]string{"sum", "-a", "streebog512"}, all...)...))
	toolWorks(t, dir, "", "gost12sum", "-c", "LIST")
}

// inDir runs f in another working directory.
func inDir(t *testing.T, dir string, f func() string) string {
	t.Helper()
	old, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(old)
	return f()
}

// The escapes of the coreutils, read by sha256sum and by us.
func TestCheckNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range oddNames {
		writeFile(t, dir, name, name)
	}
	all := append([]string{"--"}, oddNames...)
	for _, form := range [][]string{nil, {"-tag"}} {
		list := works(t, dir, "", append(append([]string{"sum"}, form...), all...)...)
		got := works(t, dir, list, "sum", "-c", "-strict")
		if strings.Count(got, ": OK\n") != len(oddNames) || strings.Count(got, "\n") != len(oddNames) || !strings.Contains(got, "\\line\\nbreak: OK\n") {
			t.Errorf("%v:\n%sgives\n%s", form, list, got)
		}
	}
	// Names as sha256sum writes them, with our digests.
	for _, form := range [][]string{{"--"}, {"--tag", "--"}} {
		list := toolWorks(t, dir, "", "sha256sum", append(form, oddNames...)...)
		var ours string
		for i, line := range strings.SplitAfter(strings.TrimSuffix(list, "\n"), "\n") {
			e, _ := parseEntry(strings.Replace(strings.TrimSuffix(line, "\n"), "SHA256", "GOST12-256", 1))
			digest := strings.Fields(works(t, dir, oddNames[i], "sum"))[0]
			ours += strings.Replace(strings.Replace(line, "SHA256", "GOST12-256", 1), fmt.Sprintf("%x", e.digest), digest, 1)
		}
		if got := works(t, dir, ours+"\n", "sum", "-c", "-strict"); strings.Count(got, ": OK\n") != len(oddNames) {
			t.Errorf("%v:\n%s\ngives\n%s", form, ours, got)
		}
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "m1", message)
	writeFile(t, dir, "m2", message+"x")
	const (
		right   = digest256 + " m1\n"
		right5  = digest512 + "  m1\n"
		wrong   = digest256 + " m2\n"
		missing = digest256 + " m3\n"
		folder  = digest256 + " .\n"
		text    = "some text\n"
	)
	const (
		prefix   = "xcipher sum: "
		warning  = prefix + "warning: -: "
		another  = prefix + "-: no digest of 64 digits matches: they may be of another hash, such as SHA-256\n"
		noFile   = prefix + "open m3: no such file or directory\n"
		oneWrong = warning + "1 checksum did NOT match\n"
	)
	for _, c := range []struct {
		name, list, flags string
		want              result
	}{
		{"right", right + right5, "", result{out: "m1: OK\nm1: OK\n"}},
		{"right, quiet", right, "-quiet", result{}},
		{"right, status", right, "--status", result{}},
		{"no newline at the end", strings.TrimSpace(right), "", result{out: "m1: OK\n"}},
		{"wrong", wrong + right, "", result{"m2: FAILED\nm1: OK\n", oneWrong, 1}},
		{"two wrong", wrong + wrong, "-quiet", result{"m2: FAILED\nm2: FAILED\n", warning + "2 checksums did NOT match\n" + another, 1}},
		{"wrong, the right one of 512 bits", wrong + right5, "", result{"m2: FAILED\nm1: OK\n", oneWrong + another, 1}},
		{"wrong, but its hash is told", "GOST12-256 (m2) = " + digest256 + "\n", "", result{"m2: FAILED\n", oneWrong, 1}},
		{"wrong, status", wrong, "-status", result{status: 1}},
		{"missing", missing + right, "", result{"m3: FAILED open or read\nm1: OK\n", noFile + warning + "1 file could not be read\n", 1}},
		{"missing, ignored", missing + right, "-ignore-missing", result{out: "m1: OK\n"}},
		{"missing, ignored, strict", missing + right, "-ignore-missing -strict", result{out: "m1: OK\n"}},
		{"only missing, ignored", missing, "-ignore-missing", result{"", prefix + "-: none of the files exists\n", 1}},
		{"only missing, ignored, status", missing, "-ignore-missing -status", result{status: 1}},
		{"folder, missing ignored", folder + right, "-ignore-missing",
			result{".: FAILED open or read\nm1: OK\n", prefix + "read .: is a directory\n" + warning + "1 file could not be read\n", 1}},
		{"malformed", text + right + text, "", result{"m1: OK\n", warning + "2 lines are malformed\n", 0}},
		{"malformed, strict", text + right, "-strict", result{"m1: OK\n", warning + "1 line is malformed\n", 1}},
		{"malformed, strict, status", text + right, "-strict -status", result{"", "", 1}},
		{"malformed only", text, "", result{"", prefix + "-: no line is a checksum\n", 1}},
		{"malformed only, status", text, "-status", result{"", prefix + "-: no line is a checksum\n", 1}},
		{"empty", "", "", result{"", prefix + "-: no line is a checksum\n", 1}},
		{"comments only", "# " + right + "\n\n", "", result{"", prefix + "-: no line is a checksum\n", 1}},
		{"another length", right + right5, "-a streebog256", result{"m1: OK\n", warning + "1 line is malformed\n", 0}},
		{"the length of 512", right + right5, "-a streebog512", result{"m1: OK\n", warning + "1 line is malformed\n", 0}},
		{"another algorithm", right, "-a saturnin-hash", result{"m1: FAILED\n", oneWrong + another, 1}},
		{"another algorithm, told", "GOST12-256 (m1) = " + digest256 + "\n", "-a saturnin-hash", result{"", prefix + "-: no line is a checksum\n", 1}},
		{"a length without algorithm", "0f m1\n", "", result{"", prefix + "-: no line is a checksum\n", 1}},
		{"wrong length for what is told", "GOST12-512 (m1) = " + digest256 + "\n", "", result{"", prefix + "-: no line is a checksum\n", 1}},
		{"the list itself", digest256 + " -\n", "", result{"-: FAILED open or read\n", prefix + "-: standard input is the list\n" + warning + "1 file could not be read\n", 1}},
		{"a line too long", right + strings.Repeat("x", maxLine+1) + "\n", "", result{"m1: OK\n", prefix + "-: not a list: a line is too long\n", 1}},
	} {
		args := append([]string{"sum", "-c"}, strings.Fields(c.flags)...)
		if got := program(t, dir, c.list, args...); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
	}
	writeFile(t, dir, "right", right)
	writeFile(t, dir, "input", digest512+" -\n")
	writeFile(t, dir, "nothing", "")
	for _, c := range []struct {
		args string
		want result
	}{
		{"right right", result{out: "m1: OK\nm1: OK\n"}},
		{"input", result{out: "-: OK\n"}},
		{"none right", result{"m1: OK\n", prefix + "open none: no such file or directory\n", 1}},
		{". right", result{"m1: OK\n", prefix + "read .: is a directory\n", 1}},
		{"nothing right", result{"m1: OK\n", prefix + "nothing: no line is a checksum\n", 1}},
		{"right nothing", result{"m1: OK\n", prefix + "nothing: no line is a checksum\n", 1}},
	} {
		if got := program(t, dir, message, append([]string{"sum", "-c"}, strings.Fields(c.args)...)...); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.args, got, c.want)
		}
	}
	for _, flags := range []string{"-quiet", "-status", "-strict", "-ignore-missing", "-c -tag"} {
		args := append([]string{"sum", "m1"}, strings.Fields(flags)...)
		if got := program(t, dir, "", args...); got.status != exitUsage || got.out != "" || !strings.Contains(got.err, "-c") {
			t.Errorf("%s: %+v", flags, got)
		}
	}
}
