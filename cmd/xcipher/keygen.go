package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"

	"xcipher/internal/catalog"
)

const keygenHelp = `
The key comes from the random generator of the operating system. The file must not
exist yet, and only its owner may read it.

Examples:
  xcipher keygen seal.key
  xcipher keygen -a kuznyechik-cmac mac.key
  xcipher keygen -size 48 -hex tool.key
`

// maxKey bounds the size of new keys in bytes: no algorithm has use for more.
const maxKey = 1024

// keygen writes a random key to a new file.
func keygen(flags *flag.FlagSet, args []string, s stdio) int {
	algorithm := flags.String("a", "xchacha20-poly1305", "make a key for this `algorithm`")
	size := flags.Int("size", 0, "make a key of `n` bytes")
	asHex := flags.Bool("hex", false, "write hex digits and a newline instead of bytes")
	if status, done := parse(flags, args); done {
		return status
	}
	switch n, err := newKeySize(*algorithm); {
	case given(flags, "a", "size") > 1:
		return misused(flags, s, "give only one of -a and -size")
	case err != nil:
		s.complain("keygen", err)
		return exitUsage
	case given(flags, "size") == 0:
		*size = n
	}
	switch name := flags.Arg(0); {
	case *size < 1 || *size > maxKey:
		return misused(flags, s, "a key of %d bytes: make one of 1 to %d", *size, maxKey)
	case flags.NArg() != 1:
		return misused(flags, s, "give the name of one file")
	case name == "-":
		return misused(flags, s, "a key is not written to standard output; give the name of a file")
	default:
		if err := writeNewKey(name, *size, *asHex); err != nil {
			s.complain("keygen", err)
			return exitFailed
		}
	}
	return exitOK
}

// newKeySize returns the size in bytes of a new key for an algorithm: of its digest
// where the size is free, as RFC 2104 recommends.
func newKeySize(algorithm string) (int, error) {
	a, ok := catalog.Lookup(algorithm)
	switch {
	case !ok:
		return 0, fmt.Errorf("unknown algorithm %q; xcipher list names them all", algorithm)
	case a.AnyKey:
		return a.Size, nil
	case a.KeySize == 0:
		return 0, fmt.Errorf("%s has no key", a.Name)
	}
	return a.KeySize, nil
}

// writeNewKey leaves no file behind if it fails.
func writeNewKey(name string, size int, asHex bool) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists; a key is not overwritten", name)
	}
	if err != nil {
		return err
	}
	done := onInterrupt(func() { os.Remove(name) })
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			os.Remove(name)
		}
		done()
	}()
	key := make([]byte, size)
	rand.Read(key) // never fails
	if asHex {
		key = append(hex.AppendEncode(nil, key), '\n')
	}
	if _, err := f.Write(key); err != nil {
		return err
	}
	return f.Sync()
}
