package main

import (
	"flag"
	"io"
	"slices"
	"strings"

	"xcipher/internal/catalog"
	"xcipher/vectors"
)

const completionHelp = `
Completes commands, flags, algorithms and files.

Examples:
  source <(xcipher completion bash)     # in ~/.bashrc
  source <(xcipher completion zsh)      # in ~/.zshrc, after compinit
`

// The scripts ask the program for the words, so they need not change with it.
// "completion words" gets all words after "xcipher" up to the one that is typed.
const bashCompletion = `_xcipher() {
	local IFS=$'\n'
	COMPREPLY=($(xcipher completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o bashdefault -o default -F _xcipher xcipher
`

const zshCompletion = `_xcipher() {
	local -a found
	found=(${(f)"$(xcipher completion words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	if (( $#found )); then
		compadd -a found
	else
		_files
	fi
}
compdef _xcipher xcipher
`

// completion prints a script, or, for such a script, the words that may stand where
// the last argument is being typed.
func completion(flags *flag.FlagSet, args []string, s stdio) int {
	if len(args) > 0 && args[0] == "words" {
		return s.print("completion", strings.Join(candidates(args[1:]), ""))
	}
	if status, done := parse(flags, args); done {
		return status
	}
	switch {
	case flags.NArg() == 1 && flags.Arg(0) == "bash":
		return s.print("completion", bashCompletion)
	case flags.NArg() == 1 && flags.Arg(0) == "zsh":
		return s.print("completion", zshCompletion)
	}
	return misused(flags, s, "name a shell, bash or zsh")
}

// candidates returns lines: the words that the last of words may become. There are
// none where the name of a file is due.
func candidates(words []string) (lines []string) {
	if len(words) == 0 {
		return nil
	}
	typed, before := words[len(words)-1], words[:len(words)-1]
	for _, word := range wordsAfter(before, strings.HasPrefix(typed, "-")) {
		if strings.HasPrefix(typed, "--") && strings.HasPrefix(word, "-") {
			word = "-" + word
		}
		if strings.HasPrefix(word, typed) {
			lines = append(lines, word+"\n")
		}
	}
	return lines
}

// wordsAfter returns all words that may follow others.
func wordsAfter(before []string, wantFlag bool) []string {
	if len(before) == 0 || before[0] == "help" {
		return firstWords(len(before) == 0)
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == before[0] })
	if i < 0 {
		return nil
	}
	if last := before[len(before)-1]; len(before) > 1 && strings.HasPrefix(last, "-") {
		switch strings.TrimLeft(last, "-") {
		case "a":
			return algorithmsOf(all[i].name)
		case "md":
			return strings.Split(digestNames(), ", ")
		}
	}
	if wantFlag {
		return flagsOf(all[i])
	}
	switch all[i].name {
	case "speed":
		return algorithmsOf("speed")
	case "list":
		var words []string
		for _, kind := range kinds {
			words = append(words, string(kind))
		}
		return words
	case "vectors":
		if !slices.Contains(before, "-a") {
			return vectors.Names()
		}
	case "completion":
		return []string{"bash", "zsh"}
	}
	return nil
}

// firstWords returns the commands, and the topics where help is asked for.
func firstWords(first bool) (words []string) {
	for _, c := range commands() {
		words = append(words, c.name)
	}
	if first {
		return append(words, "help")
	}
	for _, t := range topics() {
		words = append(words, t.name)
	}
	return words
}

// algorithmsOf returns what may follow -a of a command.
func algorithmsOf(command string) (names []string) {
	if command == "enc" || command == "dec" {
		for _, c := range encCiphers() {
			names = append(names, c.name)
		}
		return names
	}
	kind := map[string]catalog.Kind{"sum": catalog.Hash, "mac": catalog.MAC, "seal": catalog.AEAD}[command]
	for _, a := range catalog.Algorithms() {
		if kind == "" || a.Kind == kind {
			names = append(names, a.Name)
		}
	}
	return names
}

// flagsOf returns the flags of a command.
func flagsOf(c command) (names []string) {
	fs := c.flags(io.Discard)
	c.run(fs, []string{"-h"}, stdio{strings.NewReader(""), io.Discard, io.Discard})
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return names
}
