package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The test binary stands for the program when this variable is set.
const asProgram = "XCIPHER_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

type result struct {
	out, err string
	status   int
}

// program runs xcipher in dir.
func program(t *testing.T, dir, stdin string, args ...string) result {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

func TestHelp(t *testing.T) {
	dir := t.TempDir()
	overview := works(t, dir, "", "help")
	for _, flag := range []string{"-h", "-help", "--help"} {
		same(t, works(t, dir, "", flag), overview, flag)
	}
	for _, c := range commands() {
		if !strings.Contains(overview, "\n  "+c.name+" ") {
			t.Errorf("help does not name %s", c.name)
		}
		page := works(t, dir, "", "help", c.name)
		for _, text := range []string{"usage: xcipher " + c.name, "\nExamples:\n  "} {
			if !strings.Contains(page, text) {
				t.Errorf("help %s lacks %q:\n%s", c.name, text, page)
			}
		}
		if wide(page) {
			t.Errorf("help %s is too wide:\n%s", c.name, page)
		}
		same(t, works(t, dir, "", c.name, "x", "--help"), page, c.name+" --help")
		fs := c.flags(io.Discard)
		c.run(fs, []string{"-h"}, stdio{strings.NewReader(""), io.Discard, io.Discard})
		fs.VisitAll(func(f *flag.Flag) {
			if !strings.Contains(page, "\n  -"+f.Name) {
				t.Errorf("help %s does not name -%s", c.name, f.Name)
			}
		})
	}
	for _, topic := range topics() {
		page := works(t, dir, "", "help", topic.name)
		if len(page) < 200 || wide(page) || !strings.Contains(overview, "\n  "+topic.name+" ") {
			t.Errorf("help %s:\n%s", topic.name, page)
		}
	}
	fails(t, dir, "", exitUsage, "no command or topic", "help", "smu")
	if got := program(t, dir, ""); got.status != exitUsage || got.out != "" || got.err != overview {
		t.Errorf("no arguments: %+v", got)
	}
	fails(t, dir, "", exitUsage, `unknown command "smu"; try xcipher help`, "smu")
}

// wide tells whether a page has prose that does not fit a terminal. What package
// flag breaks itself begins with a tab.
func wide(page string) bool {
	for line := range strings.Lines(page) {
		if len(line) > 1+88 && line[0] != ' ' && !strings.HasPrefix(line, "usage:") {
			return true
		}
	}
	return false
}

// Every word that the examples call a command is one, and their flags exist.
func TestExamplesInHelp(t *testing.T) {
	known := map[string][]string{}
	for _, c := range commands() {
		known[c.name] = flagsOf(c)
	}
	texts := map[string]string{}
	for _, c := range commands() {
		texts[c.name] = c.help
	}
	for _, topic := range topics() {
		texts[topic.name] = topic.text
	}
	examples := 0
	for page, text := range texts {
		for line := range strings.Lines(text) {
			_, call, found := strings.Cut(line, "xcipher ")
			if !found || !strings.HasPrefix(line, "  ") {
				continue
			}
			examples++
			words := strings.Fields(call)
			flags, ok := known[words[0]]
			if !ok && words[0] != "help" {
				t.Errorf("%s: there is no command %q: %s", page, words[0], line)
			}
			for _, word := range words[1:] {
				if word == "|" || word == "#" || strings.HasPrefix(word, "<") || strings.HasPrefix(word, ">") {
					break
				}
				if strings.HasPrefix(word, "-") && word != "-" && !slices.Contains(flags, word) {
					t.Errorf("%s: %s has no flag %s: %s", page, words[0], word, line)
				}
			}
		}
	}
	if examples < 30 {
		t.Errorf("%d examples", examples)
	}
}

func TestFlags(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "m1", message)
	writeFile(t, dir, "-a", message)
	line := func(name string) string { return digest512 + " " + name + "\n" }
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-a", "streebog512", "m1"}, line("m1")},
		{[]string{"--a=streebog512", "m1"}, line("m1")},
		{[]string{"m1", "-a", "streebog512"}, line("m1")},
		{[]string{"m1", "-a", "streebog512", "m1", "-tag=false"}, line("m1") + line("m1")},
		{[]string{"-a", "streebog512", "--", "m1", "-a"}, line("m1") + line("-a")},
		{[]string{"m1", "-a", "streebog512", "--", "-a"}, line("m1") + line("-a")},
		{[]string{"-a=streebog512", "-", "m1"}, digest512 + " -\n" + line("m1")},
	} {
		same(t, works(t, dir, message, append([]string{"sum"}, c.args...)...), c.want, strings.Join(c.args, " "))
	}
	got := program(t, dir, "", "sum", "m1", "-x")
	if want := "xcipher sum: flag provided but not defined: -x\nusage: xcipher sum [-a algorithm] [file ...]\ntry xcipher help sum\n"; got != (result{"", want, exitUsage}) {
		t.Errorf("unknown flag: %+v", got)
	}
}
