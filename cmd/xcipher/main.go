// Command xcipher computes checksums with the hashes of module xcipher and
// lists what the module has.
//
// Usage:
//
//	xcipher sum [-a algorithm] [file ...]
//	xcipher list
//	xcipher help [command]
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
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
}

func commands() []command {
	return []command{
		{"sum", "[-a algorithm] [file ...]", "print the checksum of each file, or of standard input", sum},
		{"list", "", "list the algorithms", list},
	}
}

func main() {
	os.Exit(run(os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

func run(args []string, s stdio) int {
	if len(args) == 0 {
		usage(s.err)
		return exitUsage
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(args) == 0 {
			usage(s.out)
			return exitOK
		}
		name, args = args[0], []string{"-h"}
	}
	for _, c := range commands() {
		if c.name == name {
			fs := flag.NewFlagSet(name, flag.ContinueOnError)
			fs.SetOutput(s.err)
			fs.Usage = func() {
				fmt.Fprintf(fs.Output(), "usage: %s\n%s%s.\n", strings.TrimSpace("xcipher "+name+" "+c.args), strings.ToUpper(c.summary[:1]), c.summary[1:])
				fs.PrintDefaults()
			}
			return c.run(fs, args, s)
		}
	}
	fmt.Fprintf(s.err, "xcipher: unknown command %q; try xcipher help\n", name)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: xcipher command [arguments]")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-32s %s\n", strings.TrimSpace(c.name+" "+c.args), c.summary)
	}
	fmt.Fprintf(w, "  %-32s %s\n", "help [command]", "tell more about a command")
}

// parse parses flags; if the command must end here, done says so.
func parse(fs *flag.FlagSet, args []string) (status int, done bool) {
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK, true
	case err != nil:
		return exitUsage, true
	}
	return exitOK, false
}
