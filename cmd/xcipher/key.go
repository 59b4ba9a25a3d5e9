package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// maxSecretFile bounds what is read from a file of a key or password.
const maxSecretFile = 64 << 10

// keyFlags are the flags that tell where a key comes from.
type keyFlags struct {
	fs             *flag.FlagSet
	file, env, hex string
}

// addKeyFlags defines the flags of a command that takes a key.
func addKeyFlags(fs *flag.FlagSet) *keyFlags {
	k := &keyFlags{fs: fs}
	fs.StringVar(&k.file, "keyfile", "", "read the key from `file`: its bytes, or hex if the number of bytes does not fit")
	fs.StringVar(&k.env, "keyenv", "", "take the key from the environment `variable`, in hex")
	fs.StringVar(&k.hex, "K", "", "the key in `hex`; other users may see it in the list of processes")
	return k
}

// given tells whether a flag names a key. Without one, read asks on the terminal.
func (k *keyFlags) given() bool { return given(k.fs, "keyfile", "keyenv", "K") > 0 }

// read returns the key, whose size in bytes must be one of sizes; nil allows all.
func (k *keyFlags) read(s stdio, sizes []int) ([]byte, error) {
	if given(k.fs, "keyfile", "keyenv", "K") > 1 {
		return nil, usageError{errors.New("give only one of -keyfile, -keyenv and -K")}
	}
	switch {
	case given(k.fs, "keyfile") > 0:
		text, err := readSecretFile(k.file)
		if err != nil {
			return nil, err
		}
		key, err := keyFromFile(text, sizes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.file, err)
		}
		return key, nil
	case given(k.fs, "keyenv") > 0:
		text, ok := os.LookupEnv(k.env)
		if !ok {
			return nil, errors.New("-keyenv names no environment variable that is set") // it may be the key itself
		}
		key, err := keyFromHex(text, sizes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.env, err)
		}
		return key, nil
	case given(k.fs, "K") > 0:
		s.complain(k.fs.Name(), errors.New("warning: other users may see the key of -K in the list of processes; use -keyfile or -keyenv"))
		key, err := keyFromHex(k.hex, sizes)
		if err != nil {
			return nil, fmt.Errorf("-K: %w", err)
		}
		return key, nil
	}
	text, err := prompt("Key in hex: ")
	if err != nil {
		return nil, fmt.Errorf("no key: give -keyfile or -keyenv (%w)", err)
	}
	return keyFromHex(string(text), sizes)
}

// given counts the flags of names that are set.
func given(fs *flag.FlagSet, names ...string) (n int) {
	fs.Visit(func(f *flag.Flag) {
		if slices.Contains(names, f.Name) {
			n++
		}
	})
	return n
}

// keyFromFile takes the content of a file as it is if a key may have that size,
// and as hex otherwise. Where keys of any size are taken, no content is hex.
func keyFromFile(text []byte, sizes []int) ([]byte, error) {
	if sizes == nil {
		return text, nil
	}
	key, err := keyFromHex(string(text), sizes)
	if !slices.Contains(sizes, len(text)) {
		var bad hex.InvalidByteError
		if errors.As(err, &bad) || errors.Is(err, hex.ErrLength) {
			err = fmt.Errorf("%w; the file has %d bytes", keySizeError{sizes}, len(text))
		}
		return key, err
	}
	if err == nil {
		return nil, fmt.Errorf("this may be a key of %d bytes, or one of %d in hex; if it is hex, add a newline", len(text), len(key))
	}
	return text, nil
}

// keyFromHex ignores white space.
func keyFromHex(text string, sizes []int) ([]byte, error) {
	key, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	switch {
	case err != nil:
		return nil, hexError{err}
	case sizes != nil && !slices.Contains(sizes, len(key)):
		return nil, fmt.Errorf("%w, not %d", keySizeError{sizes}, len(key))
	}
	return key, nil
}

// hexError is a message of package hex without the digit, which may be a secret.
type hexError struct{ err error }

func (e hexError) Error() string {
	if errors.Is(e.err, hex.ErrLength) {
		return "an odd number of hex digits"
	}
	return "not hex"
}

func (e hexError) Unwrap() error { return e.err }

type keySizeError struct{ sizes []int }

func (e keySizeError) Error() string {
	var sizes []string
	for _, n := range e.sizes {
		sizes = append(sizes, strconv.Itoa(n))
	}
	return "the key must have " + strings.Join(sizes, " or ") + " bytes"
}

// passwordFlags are the flags that tell where a password comes from.
type passwordFlags struct {
	fs        *flag.FlagSet
	file, env string
}

// addPasswordFlags defines the flags of a command that takes a password.
func addPasswordFlags(fs *flag.FlagSet) *passwordFlags {
	p := &passwordFlags{fs: fs}
	fs.StringVar(&p.file, "passfile", "", "read the password from the first line of `file`")
	fs.StringVar(&p.env, "passenv", "", "take the password from the environment `variable`")
	return p
}

func (p *passwordFlags) given() bool { return given(p.fs, "passfile", "passenv") > 0 }

// read returns the password. If no flag names it, read asks on the terminal, and
// asks twice for a new one.
func (p *passwordFlags) read(isNew bool) (string, error) {
	if given(p.fs, "passfile", "passenv") > 1 {
		return "", usageError{errors.New("give only one of -passfile and -passenv")}
	}
	var password []byte
	switch {
	case given(p.fs, "passfile") > 0:
		text, err := readSecretFile(p.file)
		if err != nil {
			return "", err
		}
		password, _, _ = bytes.Cut(text, []byte("\n")) // a carriage return belongs to the password, as with openssl
	case given(p.fs, "passenv") > 0:
		text, ok := os.LookupEnv(p.env)
		if !ok {
			return "", errors.New("-passenv names no environment variable that is set") // it may be the password itself
		}
		password = []byte(text)
	default:
		var err error
		if password, err = prompt("Password: "); err != nil {
			return "", fmt.Errorf("no password: give -passfile or -passenv, or a key (%w)", err)
		}
		if isNew {
			again, err := prompt("The same password again: ")
			if err != nil {
				return "", err
			}
			if !bytes.Equal(password, again) {
				return "", errors.New("the passwords differ")
			}
		}
	}
	if len(password) == 0 {
		return "", errors.New("the password is empty")
	}
	return string(password), nil
}

func readSecretFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecretFile+1))
	if err == nil && len(text) > maxSecretFile {
		err = fmt.Errorf("%s: too long for a key or password", name)
	}
	return text, err
}
