package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var completions = []struct {
	words string // of the command line, the last one unfinished
	want  string // all candidates, or none, where files are due
}{
	{"s", "sum seal speed"},
	{"hel", "help"},
	{"help for", "formats"},
	{"help su", "sum"},
	{"sum -a streebog2", "streebog256"},
	{"sum -a ", "streebog256 streebog512 saturnin-hash"},
	{"mac --a hm", "hmac-streebog256 hmac-streebog512"},
	{"seal -a xchacha2", "xchacha20-poly1305"},
	{"enc -a magma", "magma-ctr magma-cbc"},
	{"keygen -a aes-", "aes-cmac"},
	{"sum -i", "-ignore-missing"},
	{"sum --i", "--ignore-missing"},
	{"mac --a", "--a"},
	{"enc -md sha", "sha256 sha384 sha512"},
	{"help ver", "version"},
	{"sum file -st", "-status -strict"},
	{"list a", "aead"},
	{"list -names blo", "block"},
	{"speed magma-c", "magma-cmac magma-ctr"},
	{"vectors chaskey_", "chaskey_block chaskey_cbc chaskey_mac"},
	{"vectors -a magma-cmac f", ""},
	{"completion ", "bash zsh"},
	{"sum f", ""},
	{"nothing ", ""},
}

func TestCompletionWords(t *testing.T) {
	for _, c := range completions {
		words := strings.Split(c.words, " ")
		got := works(t, "", "", append([]string{"completion", "words"}, words...)...)
		same(t, strings.Join(strings.Fields(got), " "), c.want, c.words)
	}
	if got := works(t, "", "", "completion", "words"); got != "" {
		t.Errorf("without a word: %q", got)
	}
	for _, args := range [][]string{{}, {"fish"}, {"bash", "zsh"}} {
		if got := program(t, "", "", append([]string{"completion"}, args...)...); got.status != exitUsage || got.out != "" || !strings.Contains(got.err, "name a shell") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// The scripts, in real shells.
func TestCompletionScripts(t *testing.T) {
	dir := t.TempDir()
	// A program called xcipher, which the scripts call.
	script := "#!/bin/sh\n" + asProgram + "=1 exec " + os.Args[0] + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "xcipher"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, shell := range []struct{ name, run string }{
		{"bash", `source <(xcipher completion bash)
			complete -p xcipher >/dev/null || exit 1
			COMP_WORDS=(xcipher "$@"); COMP_CWORD=$#
			_xcipher
			printf '%s\n' "${COMPREPLY[@]}"`},
		{"zsh", `compdef() { [[ $* == "_xcipher xcipher" ]] || exit 1 }
			compadd() { print -l -- "${(P@)2}" }
			_files() { }
			source <(xcipher completion zsh)
			words=(xcipher "$@"); CURRENT=$#words
			_xcipher`},
	} {
		if _, err := exec.LookPath(shell.name); err != nil {
			if shell.name == "bash" && os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Logf("not tested: %v", err)
			continue
		}
		for _, c := range completions {
			cmd := exec.Command(shell.name, append([]string{"-c", shell.run, "shell"}, strings.Split(c.words, " ")...)...)
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", shell.name, err, out)
			}
			same(t, strings.Join(strings.Fields(string(out)), " "), c.want, shell.name+": "+c.words)
		}
	}
}
