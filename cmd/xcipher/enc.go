package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

const encHelp = `
Reads the file, or standard input, and makes what "openssl enc" makes of it: with a
key and an IV, or with a password ("Salted__" and the salt, then PBKDF2). Without
flags for either, the password is asked for. An -iv beside a password takes the
place of the derived one. OpenSSL needs the configuration that xcipher help interop
shows.

Nothing here is authenticated: whoever changes the file changes what it decrypts to,
and dec does not notice. Never use an IV twice with a key. Unless openssl must read
the file, use xcipher seal.

Examples:
  xcipher enc -a kuznyechik-ctr -iter 600000 -md md_gost12_512 -o notes.enc notes
    openssl enc -d -kuznyechik-ctr -pbkdf2 -iter 600000 -md md_gost12_512 -in notes.enc
  xcipher enc -a magma-cbc -keyfile key -iv 0011223344556677 <notes >notes.enc
  xcipher enc -a chacha20 -keyenv KEY -iv 01000000000000000000004a00000000 notes >notes.enc
    The IV of chacha20 is the counter (4 bytes, little-endian) and the nonce (12).
`

const decHelp = `
The flags must be those of the encryption; openssl's own defaults, -md sha256 and
-iter 10000, are the defaults here. Files made by "openssl enc" without -pbkdf2 are
not supported. Pipe those of "openssl enc -a" through "base64 -d" first. OpenSSL needs
the configuration that xcipher help interop shows.

Nothing is authenticated: that a file decrypts does not mean that nobody changed
it. Only wrong padding is noticed, and that not always. With -o no file is left of a
file that does not decrypt; on standard output all but the end of it has been
written by then.

Examples:
  openssl enc -kuznyechik-cbc -pbkdf2 -in notes -out notes.enc
    xcipher dec -a kuznyechik-cbc -o notes notes.enc
  xcipher dec -a kuznyechik-ctr -keyfile key -iv 0011223344556677 <notes.enc >notes
`

// enc encrypts a file as "openssl enc" does.
func enc(fs *flag.FlagSet, args []string, s stdio) int { return encrypt(fs, args, s, true) }

// dec decrypts what enc and "openssl enc" make.
func dec(fs *flag.FlagSet, args []string, s stdio) int { return encrypt(fs, args, s, false) }

// encFlags are the flags of enc and dec.
type encFlags struct {
	fs                    *flag.FlagSet
	algorithm, iv, salt   string
	digest                string
	iterations            int
	noPadding, encrypting bool
	key                   *keyFlags
	password              *passwordFlags
	output                *outputFlags
}

func encrypt(fs *flag.FlagSet, args []string, s stdio, encrypting bool) int {
	f := &encFlags{fs: fs, encrypting: encrypting, key: addKeyFlags(fs), password: addPasswordFlags(fs), output: addOutputFlags(fs)}
	fs.StringVar(&f.algorithm, "a", "", "the `cipher`: "+encNames())
	fs.StringVar(&f.iv, "iv", "", "the initialisation vector in `hex`, exactly as long as the cipher's")
	fs.StringVar(&f.salt, "S", "", "the salt for the password in `hex`, 8 bytes; the file then has no header")
	fs.StringVar(&f.digest, "md", "sha256", "the `digest` of PBKDF2: "+digestNames())
	fs.IntVar(&f.iterations, "iter", 10000, "the iterations of PBKDF2; openssl's default is low, for a new file take 600000 or more")
	fs.BoolVar(&f.noPadding, "nopad", false, "cbc and ecb: no padding, whole blocks only")
	if status, done := parse(fs, args); done {
		return status
	}
	return finish(fs.Name(), s, f.run(s))
}

func encNames() string {
	var names []string
	for _, c := range encCiphers() {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

func (f *encFlags) run(s stdio) error {
	var c encCipher
	for _, each := range encCiphers() {
		if each.name == f.algorithm {
			c = each
		}
	}
	switch {
	case f.algorithm == "":
		return usageError{errors.New("give the cipher by -a: " + encNames())}
	case c.name == "":
		return usageError{fmt.Errorf("unknown cipher %q; there is %s", f.algorithm, encNames())}
	case f.key.given() && f.password.given():
		return usageError{errors.New("give a key or a password, not both")}
	case f.key.given() && given(f.fs, "S", "md", "iter") > 0:
		return usageError{errors.New("-S, -md and -iter go with a password, not with a key")}
	}
	var iv []byte
	if given(f.fs, "iv") > 0 {
		if c.ivSize == 0 {
			return usageError{fmt.Errorf("%s has no IV", c.name)}
		}
		var err error
		if iv, err = hexOf("-iv", f.iv, c.ivSize); err != nil {
			return err
		}
	}
	if err := f.output.check(s); err != nil {
		return err
	}
	if f.key.given() {
		return f.withKey(s, c, iv)
	}
	return f.withPassword(s, c, iv)
}

func (f *encFlags) withKey(s stdio, c encCipher, iv []byte) error {
	if iv == nil && c.ivSize > 0 {
		return usageError{fmt.Errorf("give the IV of %d bytes by -iv", c.ivSize)}
	}
	key, err := f.key.read(s, []int{c.keySize})
	if err != nil {
		return err
	}
	return transform(f.fs, f.output, s, func(w io.Writer, r io.Reader) error { return f.process(c, key, iv, w, r) })
}

func (f *encFlags) withPassword(s stdio, c encCipher, iv []byte) error {
	var salt *string
	if given(f.fs, "S") > 0 {
		salt = &f.salt
	}
	p, err := newPasswordKey(f.digest, f.iterations, salt)
	if err != nil {
		return err
	}
	password, err := f.password.read(f.encrypting)
	if err != nil {
		return err
	}
	return transform(f.fs, f.output, s, func(w io.Writer, r io.Reader) error {
		var salt []byte
		if f.encrypting {
			salt, err = p.writeSalt(w)
		} else {
			salt, err = p.readSalt(r)
		}
		if err != nil {
			return err
		}
		key, derived, err := p.derive(password, salt, c.keySize, c.ivSize)
		if err != nil {
			return err
		}
		if iv != nil {
			derived = iv
		}
		return f.process(c, key, derived, w, r)
	})
}

func (f *encFlags) process(c encCipher, key, iv []byte, w io.Writer, r io.Reader) error {
	crypt := c.decrypt
	if f.encrypting {
		crypt = c.encrypt
	}
	run, err := crypt(key, iv, !f.noPadding)
	if err != nil {
		return err
	}
	return run(w, r)
}
