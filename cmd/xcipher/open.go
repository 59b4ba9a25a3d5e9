package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/secure-io/sio-go"
)

const openHelp = `
With -o a regular file appears only after all of it was verified. Standard output gets
each chunk of 64 KiB as soon as that is verified; if the end is missing or something
later was changed, open says so and exits with status 1, and what reads the output
must look at that before it relies on having everything.

Examples:
  xcipher open -keyfile key -o notes notes.sealed
  xcipher open -passfile secret dir.sealed | tar x
`

// open verifies and decrypts what seal makes.
func open(fs *flag.FlagSet, args []string, s stdio) int {
	key, password, out := addKeyFlags(fs), addPasswordFlags(fs), addOutputFlags(fs)
	if status, done := parse(fs, args); done {
		return status
	}
	return finish(fs.Name(), s, func() error {
		if key.given() && password.given() {
			return usageError{errors.New("give a key or a password, not both")}
		}
		return transform(fs, out, s, func(w io.Writer, r io.Reader) error {
			h, check, err := readSealHeader(r)
			if err != nil {
				return err
			}
			switch {
			case h.kdf == kdfNone && password.given():
				return errors.New("the file is sealed with a key, not with a password")
			case h.kdf != kdfNone && key.given():
				return errors.New("the file is sealed with a password, not with a key")
			}
			secret, err := sealSecret(h, s, key, password, false)
			if err != nil {
				return err
			}
			return openStream(w, r, h, check, secret)
		})
	}())
}

// openStream writes no byte that was not verified.
func openStream(w io.Writer, r io.Reader, h *sealHeader, check, secret []byte) error {
	key, err := h.open(secret, check)
	if err != nil {
		return err
	}
	stream, err := sealedStream(h, key)
	if err != nil {
		return err
	}
	good := &countingWriter{w: w}
	chunks := stream.DecryptWriter(good, h.nonce, append(h.fields(), check...))
	_, err = chunks.ReadFrom(r)
	if err == nil {
		err = chunks.Close()
	}
	if errors.Is(err, sio.NotAuthentic) {
		return fmt.Errorf("the file is truncated, damaged or was changed: only the first %d bytes of the content are good", good.n)
	}
	return err
}

// countingWriter counts what it passes on, and hides that w may be closed.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
