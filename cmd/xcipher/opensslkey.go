package main

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"xcipher/hash/streebog"
)

// A file that "openssl enc" makes with a password starts with these bytes and the
// salt, unless the salt was given by -S.
const (
	saltedMagic = "Salted__"
	saltSize    = 8
)

// digests are the hashes of PBKDF2 under their names in OpenSSL, and those of
// Streebog under ours too.
var digests = []struct {
	name string
	new  func() hash.Hash
}{
	{"sha256", sha256.New},
	{"sha384", sha512.New384},
	{"sha512", sha512.New},
	{"md_gost12_256", streebog.New256},
	{"md_gost12_512", streebog.New512},
	{"streebog256", streebog.New256},
	{"streebog512", streebog.New512},
}

func digestNames() string {
	var names []string
	for _, d := range digests {
		names = append(names, d.name)
	}
	return strings.Join(names, ", ")
}

// passwordKey derives keys and IVs from a password.
type passwordKey struct {
	digest     func() hash.Hash
	iterations int
	salt       []byte // of -S, or nil
}

// newPasswordKey checks the flags. salt is nil if none is given.
func newPasswordKey(md string, iterations int, salt *string) (*passwordKey, error) {
	p := &passwordKey{iterations: iterations}
	for _, d := range digests {
		if d.name == md {
			p.digest = d.new
		}
	}
	switch {
	case p.digest == nil:
		return nil, usageError{fmt.Errorf("unknown digest %q; there is %s", md, digestNames())}
	case iterations < 1:
		return nil, usageError{fmt.Errorf("invalid -iter %d, want 1 or more", iterations)}
	}
	if salt != nil {
		var err error
		if p.salt, err = hexOf("-S", *salt, saltSize); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// hexOf decodes the value of a flag, which must have so many bytes: neither padded
// nor cut, as openssl does.
func hexOf(name, value string, size int) ([]byte, error) {
	b, err := hex.DecodeString(value)
	switch {
	case err != nil:
		return nil, usageError{fmt.Errorf("%s is not hex", name)}
	case len(b) != size:
		return nil, usageError{fmt.Errorf("%s has %d bytes, want %d", name, len(b), size)}
	}
	return b, nil
}

// writeSalt makes a salt and writes the header, unless a salt was given.
func (p *passwordKey) writeSalt(w io.Writer) (salt []byte, err error) {
	if p.salt != nil {
		return p.salt, nil
	}
	salt = make([]byte, saltSize)
	rand.Read(salt)
	_, err = w.Write(append([]byte(saltedMagic), salt...))
	return salt, err
}

// readSalt reads the header, unless a salt was given.
func (p *passwordKey) readSalt(r io.Reader) (salt []byte, err error) {
	if p.salt != nil {
		return p.salt, nil
	}
	header := make([]byte, len(saltedMagic)+saltSize)
	_, err = io.ReadFull(r, header)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if err != nil || string(header[:len(saltedMagic)]) != saltedMagic {
		return nil, errors.New(`this was not encrypted with a password: there is no "` + saltedMagic + `" at the start, nor -S`)
	}
	return header[len(saltedMagic):], nil
}

func (p *passwordKey) derive(password string, salt []byte, keySize, ivSize int) (key, iv []byte, err error) {
	b, err := pbkdf2.Key(p.digest, password, salt, p.iterations, keySize+ivSize)
	if err != nil {
		return nil, nil, err
	}
	return b[:keySize], b[keySize:], nil
}
