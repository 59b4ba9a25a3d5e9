// Command xcipher computes and checks checksums and MACs, encrypts files, makes
// keys, and tests and measures the algorithms of module xcipher.
//
// Run xcipher help for its commands and topics.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Exit statuses, those of the coreutils.
const (
	exitOK     = 0
	exitFailed = 1 // some of the work could not be done
	exitUsage  = 2 // the command line is wrong, nothing was done
)

// stdio is what a command reads and writes beside its files.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// complain writes a message as "xcipher command: message".
func (s stdio) complain(command string, err error) {
	fmt.Fprintf(s.err, "xcipher %s: %v\n", command, err)
}

type command struct {
	name, args, summary string
	run                 func(fs *flag.FlagSet, args []string, s stdio) int
	help                string // what help prints after the flags; ends with examples
}

func commands() []command {
	return []command{
		{"sum", "[-a algorithm] [file ...]", "print or check checksums", sum, sumHelp},
		{"mac", "-a algorithm [-keyfile file] [file ...]", "print or check message authentication codes", mac, macHelp},
		{"seal", "[-keyfile file] [-o file] [file]", "encrypt and authenticate a file", seal, sealHelp},
		{"open", "[-keyfile file] [-o file] [file]", "verify and decrypt a sealed file", open, openHelp},
		{"enc", "-a cipher [-keyfile file -iv hex] [-o file] [file]", "encrypt a file as openssl enc does; not authenticated", enc, encHelp},
		{"dec", "-a cipher [-keyfile file -iv hex] [-o file] [file]", "decrypt a file of openssl enc", dec, decHelp},
		{"keygen", "[-a algorithm] file", "write a new random key to a file", keygen, keygenHelp},
		{"list", "[kind ...]", "list the algorithms", list, listHelp},
		{"vectors", "[-a algorithm] [file ...]", "run test vectors", runVectors, vectorsHelp},
		{"speed", "[algorithm ...]", "measure the algorithms", speed, speedHelp},
		{"version", "", "print the version, and the instruction sets that are used here", version, versionHelp},
		{"completion", "bash | zsh", "print a completion script for a shell", completion, completionHelp},
	}
}

func main() {
	os.Exit(run(os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

func run(args []string, s stdio) int {
	if len(args) == 0 {
		fmt.Fprint(s.err, overview())
		return exitUsage
	}
	name, args := args[0], args[1:]
	switch {
	case name == "help" && len(args) > 0:
		return help(args, s)
	case name == "help" || isHelpFlag(name):
		return s.print("help", overview())
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		fmt.Fprintf(s.err, "xcipher: unknown command %q; try xcipher help\n", name)
		return exitUsage
	}
	if wantsHelp(args) {
		return s.print(name, all[i].describe())
	}
	return all[i].run(all[i].flags(s.err), args, s)
}

// isHelpFlag knows the ways to ask for help by a flag.
func isHelpFlag(arg string) bool {
	return arg == "-h" || arg == "--h" || arg == "-help" || arg == "--help"
}

// wantsHelp looks for such a flag among the arguments of a command.
func wantsHelp(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.ContainsFunc(args, isHelpFlag)
}

// print writes what was asked for to standard output.
func (s stdio) print(command, text string) int {
	if _, err := io.WriteString(s.out, text); err != nil {
		s.complain(command, err)
		return exitFailed
	}
	return exitOK
}

// flags returns a set for the flags of c, which its run function defines.
func (c command) flags(out io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(out)
	fs.Usage = func() {
		fmt.Fprintf(out, "%stry xcipher help %s\n", c.usage(), c.name)
	}
	return fs
}

// usage returns the line that shows how to call c.
func (c command) usage() string {
	return fmt.Sprintf("usage: %s\n", strings.TrimSpace("xcipher "+c.name+" "+c.args))
}

// describe returns all help on c. The run function must know its flags, but does
// no more with this argument.
func (c command) describe() string {
	var text bytes.Buffer
	fs := c.flags(&text)
	fs.Usage = func() {
		fmt.Fprintf(&text, "%s%s%s.\n", c.usage(), strings.ToUpper(c.summary[:1]), c.summary[1:])
		if defined(fs) {
			fmt.Fprintln(&text)
			fs.PrintDefaults()
		}
		fmt.Fprintf(&text, "\n%s\n", strings.TrimSpace(c.help))
	}
	c.run(fs, []string{"-h"}, stdio{strings.NewReader(""), io.Discard, io.Discard})
	return text.String()
}

// defined tells whether a command has any flags.
func defined(fs *flag.FlagSet) (yes bool) {
	fs.VisitAll(func(*flag.Flag) { yes = true })
	return yes
}

// parse parses flags, which may stand before, between and after other arguments
// until "--"; fs.Args has those others then. If the command must end here, done
// says so.
func parse(fs *flag.FlagSet, args []string) (status int, done bool) {
	out, usage := fs.Output(), fs.Usage
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	restore := func() { fs.SetOutput(out); fs.Usage = usage }
	defer restore()
	operands := []string{"--"}
	for {
		switch err := fs.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			restore()
			usage()
			return exitOK, true
		case err != nil:
			fmt.Fprintf(out, "xcipher %s: %v\n", fs.Name(), err)
			usage()
			return exitUsage, true
		}
		rest := fs.Args()
		n := len(args) - len(rest)
		if len(rest) == 0 || n > 0 && args[n-1] == "--" {
			fs.Parse(append(operands, rest...))
			return exitOK, false
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}

// misused reports a mistake in the command line.
func misused(fs *flag.FlagSet, s stdio, format string, args ...any) int {
	s.complain(fs.Name(), fmt.Errorf(format, args...))
	fs.Usage()
	return exitUsage
}
