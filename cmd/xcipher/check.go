package main

import (
	"bufio"
	"crypto/subtle"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"
)

// maxLine bounds the lines of lists.
const maxLine = 1 << 20

// A checker checks files against lists of their checksums.
type checker struct {
	on                                   bool
	quiet, status, strict, ignoreMissing bool

	fs      *flag.FlagSet
	command string
	s       stdio
	hashOf  func(e entry) hash.Hash // nil for a line that does not fit
	none    string                  // what to say if no line does
	buf     []byte
}

// addCheckFlags defines the flags about lists, those of the coreutils.
func addCheckFlags(fs *flag.FlagSet) *checker {
	c := &checker{fs: fs}
	fs.BoolVar(&c.on, "c", false, "read lists from the files and check what they name")
	fs.BoolVar(&c.on, "check", false, "the same as -c")
	fs.BoolVar(&c.quiet, "quiet", false, "with -c, print nothing for files that are right")
	fs.BoolVar(&c.status, "status", false, "with -c, print no results; the exit status tells them")
	fs.BoolVar(&c.strict, "strict", false, "with -c, fail also if a line is malformed")
	fs.BoolVar(&c.ignoreMissing, "ignore-missing", false, "with -c, pass over files that do not exist")
	return c
}

// conflict tells of a flag that needs -c.
func (c *checker) conflict() error {
	for _, name := range []string{"quiet", "status", "strict", "ignore-missing"} {
		if !c.on && given(c.fs, name) > 0 {
			return fmt.Errorf("-%s means something with -c only", name)
		}
	}
	return nil
}

// run checks all lists.
func (c *checker) run(command string, lists []string, s stdio, hashOf func(e entry) hash.Hash) int {
	c.command, c.s, c.hashOf, c.buf = command, s, hashOf, make([]byte, bufferSize)
	c.none = "no line is a checksum"
	if len(lists) == 0 {
		lists = []string{"-"}
	}
	status := exitOK
	for _, name := range lists {
		right, err := c.checkList(name)
		if err != nil {
			s.complain(command, err)
		}
		if err != nil || !right {
			status = exitFailed
		}
		if errors.As(err, new(outputError)) {
			break
		}
	}
	return status
}

// An outputError is one of standard output: there is no use in going on.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// A verdict is what became of a file.
type verdict string

const (
	isRight verdict = "OK"
	isWrong verdict = "FAILED"
	unread  verdict = "FAILED open or read"
	absent  verdict = ""
)

// checkList checks the files of one list. It is right if all are, and at least one.
func (c *checker) checkList(name string) (right bool, err error) {
	in := c.s.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return false, err
		}
		defer f.Close()
		in = f
	}
	var malformed int
	count := map[verdict]int{}
	bare := map[verdict]int{} // of these, digests of 256 bits that do not name their hash
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for first := true; lines.Scan(); first = false {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if first {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line == "" || line[0] == '#' {
			continue
		}
		e, ok := parseEntry(line)
		var h hash.Hash
		if ok {
			h = c.hashOf(e)
		}
		if h == nil {
			malformed++
			continue
		}
		v := c.verify(e, h, name)
		count[v]++
		if e.algorithm == "" && len(e.digest) == 32 {
			bare[v]++
		}
		if err := c.report(e.name, v); err != nil {
			return false, outputError{err}
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = errors.New("not a list: a line is too long")
		}
		var path *fs.PathError
		if !errors.As(err, &path) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return false, err
	}
	if len(count) == 0 {
		return false, fmt.Errorf("%s: %s", name, c.none)
	}
	c.warn(name, malformed, "%d line is malformed", "%d lines are malformed")
	c.warn(name, count[unread], "%d file could not be read", "%d files could not be read")
	c.warn(name, count[isWrong], "%d checksum did NOT match", "%d checksums did NOT match")
	if bare[isWrong] > 0 && bare[isRight] == 0 && c.command == "sum" && !c.status {
		c.s.complain(c.command, fmt.Errorf("%s: no digest of 64 digits matches: they may be of another hash, such as SHA-256", name))
	}
	if count[isRight]+count[isWrong]+count[unread] == 0 && !c.status {
		c.s.complain(c.command, fmt.Errorf("%s: none of the files exists", name))
	}
	return count[isRight] > 0 && count[isWrong]+count[unread] == 0 && !(c.strict && malformed > 0), nil
}

// verify checks one file.
func (c *checker) verify(e entry, h hash.Hash, list string) verdict {
	h.Reset()
	var err error
	if e.name == "-" && list == "-" {
		err = errors.New("-: standard input is the list")
	} else {
		err = hashFile(h, e.name, c.s, c.buf)
	}
	switch {
	case c.ignoreMissing && errors.Is(err, fs.ErrNotExist):
		return absent
	case err != nil:
		c.s.complain(c.command, err)
		return unread
	case subtle.ConstantTimeCompare(h.Sum(nil)[:len(e.digest)], e.digest) != 1:
		return isWrong
	}
	return isRight
}

// report prints the result of a file.
func (c *checker) report(name string, v verdict) error {
	if c.status || v == absent || v == isRight && c.quiet {
		return nil
	}
	mark := ""
	if strings.ContainsAny(name, "\n\r") {
		name, mark = escape(name), `\`
	}
	_, err := io.WriteString(c.s.out, mark+name+": "+string(v)+"\n")
	return err
}

// warn reports a number of faults in a list.
func (c *checker) warn(list string, n int, one, many string) {
	if n == 0 || c.status {
		return
	}
	if n > 1 {
		one = many
	}
	c.s.complain(c.command, fmt.Errorf("warning: %s: "+one, list, n))
}
