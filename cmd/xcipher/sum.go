package main

import (
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"

	"xcipher/internal/catalog"
)

// bufferSize makes the cost of reading small beside that of hashing.
const bufferSize = 256 << 10

const sumHelp = `
Each line is a digest, a space and the name of the file, as gost12sum prints it.
With -c the files are such lists, and what they name is checked; the layouts of
sha256sum, "openssl dgst -r" and BSD (-tag) are read too. The digests must be of
Streebog or Saturnin-Hash: one of SHA-256 is as long as one of Streebog-256 and taken
for it, so its file is reported as FAILED. Help on the topic formats tells more.

Examples:
  xcipher sum *.tar.gz >SUMS
  xcipher sum -c SUMS
  xcipher sum -a streebog512 -tag image.iso
  tar c dir | xcipher sum
`

// sum prints the digest of each file, one space and its name, as gost12sum does.
func sum(flags *flag.FlagSet, args []string, s stdio) int {
	algorithm := flags.String("a", "streebog256", "the hash `algorithm`; xcipher list hash names them all. With -c,\nlines of other algorithms are not accepted then")
	tag := flags.Bool("tag", false, "print lines as BSD does: ALGORITHM (file) = digest")
	check := addCheckFlags(flags)
	if status, done := parse(flags, args); done {
		return status
	}
	h, err := catalog.NewHash(*algorithm)
	if err != nil {
		s.complain("sum", err)
		return exitUsage
	}
	if err := check.conflict(); err != nil {
		return misused(flags, s, "%w", err)
	}
	if check.on {
		if *tag {
			return misused(flags, s, "-tag means nothing with -c")
		}
		only := ""
		if given(flags, "a") > 0 {
			only = *algorithm
		}
		return check.run("sum", flags.Args(), s, func(e entry) hash.Hash { return hashFor(e, only) })
	}
	p := printer{command: "sum", h: h, size: h.Size()}
	if *tag {
		p.tag = bsdTag(*algorithm)
	}
	return p.run(flags.Args(), s)
}

// A printer prints the digest or MAC of files.
type printer struct {
	command string
	h       hash.Hash
	size    int    // bytes of the digest that are printed
	tag     string // the name of the algorithm, for lines as BSD prints them
}

func (p *printer) run(files []string, s stdio) int {
	if len(files) == 0 {
		files = []string{"-"}
	}
	status, buf := exitOK, make([]byte, bufferSize)
	for _, name := range files {
		p.h.Reset()
		if err := hashFile(p.h, name, s, buf); err != nil {
			s.complain(p.command, err)
			status = exitFailed
			continue
		}
		if _, err := io.WriteString(s.out, p.line(p.h.Sum(nil)[:p.size], name)); err != nil {
			s.complain(p.command, err)
			return exitFailed
		}
	}
	return status
}

// line returns the line for a digest. It is that of gost12sum, except for names
// that such a list could not give back: those with a line break are escaped, and
// before those that begin with a space or asterisk stand two spaces.
func (p *printer) line(digest []byte, name string) string {
	if p.tag != "" {
		escaped, mark := name, ""
		if strings.ContainsAny(name, "\n\r\\") {
			escaped, mark = escape(name), `\`
		}
		return fmt.Sprintf("%s%s (%s) = %x\n", mark, p.tag, escaped, digest)
	}
	space := " "
	if strings.HasPrefix(name, " ") || strings.HasPrefix(name, "*") {
		space = "  "
	}
	if strings.ContainsAny(name, "\n\r") {
		return fmt.Sprintf("\\%x%s%s\n", digest, space, escape(name))
	}
	return fmt.Sprintf("%x%s%s\n", digest, space, name)
}

// hashFile writes a file to h; "-" is standard input.
func hashFile(h hash.Hash, name string, s stdio, buf []byte) error {
	in, size := s.in, int64(-1)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		in = f
	}
	in, stop := progress(s, in, size)
	// The wrappers hide io.WriterTo and io.ReaderFrom, which would bypass buf.
	_, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{in}, buf)
	stop()
	var path *fs.PathError
	if err != nil && !errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}
