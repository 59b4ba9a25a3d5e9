package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/secure-io/sio-go"
	"xcipher/internal/catalog"
)

const sealHelp = `
Seals the file, or standard input, with a key of the algorithm's size (xcipher keygen
makes one) or with a password, which is asked for twice unless a flag names it. Each
file gets a key of its own, from the key or password and a random salt, and its
nonces are made here, so one key may seal any number of files of any size.

The file names its algorithm; xcipher open needs the key or the password alone. A
change of any bit is noticed, also at the end. The size of the content can be seen.

Examples:
  xcipher keygen -a xchacha20-poly1305 key
  xcipher seal -keyfile key -o notes.sealed notes
  tar c dir | xcipher seal -passfile secret >dir.sealed
  xcipher seal -a kuznyechik-mgm -o notes.sealed notes
`

// seal encrypts and authenticates a file.
func seal(fs *flag.FlagSet, args []string, s stdio) int {
	key, password, out := addKeyFlags(fs), addPasswordFlags(fs), addOutputFlags(fs)
	name := fs.String("a", "xchacha20-poly1305", "the AEAD `algorithm`; xcipher list aead names them all")
	passes := fs.Uint("passes", 3, "password: the passes of argon2id")
	memory := fs.Uint("memory", 64, "password: the memory of argon2id in `MiB`")
	if status, done := parse(fs, args); done {
		return status
	}
	return finish(fs.Name(), s, func() error {
		a, err := sealAlgorithm(*name)
		if err != nil {
			return err
		}
		h := newSealHeader(a)
		switch {
		case key.given() && password.given():
			return usageError{errors.New("give a key or a password, not both")}
		case key.given() && given(fs, "passes", "memory") > 0:
			return usageError{errors.New("-passes and -memory go with a password, not with a key")}
		case *passes > math.MaxUint8 || *memory > maxMemory>>10:
			return usageError{fmt.Errorf("at most %d passes and %d MiB", math.MaxUint8, maxMemory>>10)}
		}
		if !key.given() {
			h.kdf, h.argon2id = kdfArgon2id, argon2id{passes: uint8(*passes), lanes: 4, memory: uint32(*memory << 10)}
			if err := h.argon2id.check(); err != nil {
				return usageError{err}
			}
		}
		if err := out.check(s); err != nil {
			return err
		}
		secret, err := sealSecret(h, s, key, password, true)
		if err != nil {
			return err
		}
		return transform(fs, out, s, func(w io.Writer, r io.Reader) error { return sealStream(w, r, h, secret) })
	}())
}

// sealAlgorithm returns an AEAD that can seal files.
func sealAlgorithm(name string) (catalog.Algorithm, error) {
	a, ok := catalog.Lookup(name)
	if !ok || a.Kind != catalog.AEAD {
		_, err := catalog.NewAEAD(name, nil) // its error has names that are near
		return a, usageError{err}
	}
	if err := sealable(a); err != nil {
		return a, usageError{err}
	}
	return a, nil
}

// sealSecret returns the key, or what comes of the password, as the header says.
func sealSecret(h *sealHeader, s stdio, key *keyFlags, password *passwordFlags, isNew bool) ([]byte, error) {
	if h.kdf == kdfNone {
		return key.read(s, []int{h.algorithm.KeySize})
	}
	p, err := password.read(isNew)
	if err != nil {
		return nil, err
	}
	return h.secret(p), nil
}

func sealStream(w io.Writer, r io.Reader, h *sealHeader, secret []byte) error {
	key, check, err := h.derive(secret)
	if err != nil {
		return err
	}
	stream, err := sealedStream(h, key)
	if err != nil {
		return err
	}
	header := append(h.fields(), check...)
	if _, err := w.Write(header); err != nil {
		return err
	}
	chunks := stream.EncryptWriter(struct{ io.Writer }{w}, h.nonce, header)
	if _, err := chunks.ReadFrom(r); err != nil {
		return err
	}
	return chunks.Close()
}

func sealedStream(h *sealHeader, key []byte) (*sio.Stream, error) {
	a, err := catalog.NewAEAD(h.algorithm.Name, key)
	if err != nil {
		return nil, err
	}
	return sio.NewStream(a, chunkSize), nil
}
