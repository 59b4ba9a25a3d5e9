package main

import (
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"

	"xcipher/internal/catalog"
)

// bufferSize makes the cost of reading small beside that of hashing.
const bufferSize = 256 << 10

// sum prints the digest of each file, one space and its name, as gost12sum does.
func sum(flags *flag.FlagSet, args []string, s stdio) int {
	algorithm := flags.String("a", "streebog256", "the hash `algorithm`; xcipher list names them all")
	if status, done := parse(flags, args); done {
		return status
	}
	h, err := catalog.NewHash(*algorithm)
	if err != nil {
		s.complain("sum", err)
		return exitUsage
	}
	files := flags.Args()
	if len(files) == 0 {
		files = []string{"-"}
	}
	status, buf := exitOK, make([]byte, bufferSize)
	for _, name := range files {
		h.Reset()
		if err := hashFile(h, name, s.in, buf); err != nil {
			s.complain("sum", err)
			status = exitFailed
			continue
		}
		if _, err := fmt.Fprintf(s.out, "%x %s\n", h.Sum(nil), name); err != nil {
			s.complain("sum", err)
			return exitFailed
		}
	}
	return status
}

// hashFile writes a file to h; "-" is standard input.
func hashFile(h hash.Hash, name string, stdin io.Reader, buf []byte) error {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	// The wrappers hide io.WriterTo and io.ReaderFrom, which would bypass buf.
	_, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{in}, buf)
	var path *fs.PathError
	if err != nil && !errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}
