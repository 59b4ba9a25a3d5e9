package main

import (
	"errors"
	"flag"
	"fmt"
	"hash"

	"xcipher/internal/catalog"
)

const macHelp = `
Each line is a MAC, a space and the name of the file. With -c the files are such
lists; a MAC of any other length than the one asked for is not accepted there, as
a forger could choose a short one.

A key file holds the bytes of the key, or its hex digits; for the algorithms that
take keys of any length (hmac-...) always the bytes. Without a flag for the key,
the program asks for it.

Examples:
  xcipher keygen -a kuznyechik-cmac mac.key
  xcipher mac -a kuznyechik-cmac -keyfile mac.key *.bin >MACS
  xcipher mac -a kuznyechik-cmac -keyfile mac.key -c MACS
  xcipher mac -a chaskey12-mac -keyenv DEVICE_KEY -size 8 firmware
`

// minTag is the least size of a MAC, in bytes, that is printed or accepted.
const minTag = 4

// mac prints or checks the message authentication codes of files.
func mac(flags *flag.FlagSet, args []string, s stdio) int {
	algorithm := flags.String("a", "", "the MAC `algorithm`; xcipher list mac names them all")
	size := flags.Int("size", 0, "cut the MAC to its first `n` bytes")
	keys := addKeyFlags(flags)
	check := addCheckFlags(flags)
	if status, done := parse(flags, args); done {
		return status
	}
	if *algorithm == "" {
		return misused(flags, s, "no algorithm: give one of xcipher list mac with -a")
	}
	a, ok := catalog.Lookup(*algorithm)
	if !ok || a.Kind != catalog.MAC {
		_, err := catalog.NewMAC(*algorithm, nil) // its error names what there is
		s.complain("mac", err)
		return exitUsage
	}
	if given(flags, "size") == 0 {
		*size = a.Size
	}
	if *size < minTag || *size > a.Size {
		return misused(flags, s, "a MAC of %d bytes: %s has %d to %d", *size, a.Name, minTag, a.Size)
	}
	if err := check.conflict(); err != nil {
		return misused(flags, s, "%w", err)
	}
	h, err := keyedMAC(a, keys, s)
	if err != nil {
		return finish("mac", s, err)
	}
	if check.on {
		return check.run("mac", flags.Args(), s, func(e entry) hash.Hash {
			if n := len(e.digest); e.algorithm != "" || n != *size {
				check.none = fmt.Sprintf("no line has a MAC of %d bytes", *size)
				if n >= minTag && n <= a.Size {
					check.none += fmt.Sprintf("; if they were made with -size %d, give it here too", n)
				}
				return nil
			}
			return h
		})
	}
	p := printer{command: "mac", h: h, size: *size}
	return p.run(flags.Args(), s)
}

// keyedMAC reads the key and makes the MAC.
func keyedMAC(a catalog.Algorithm, keys *keyFlags, s stdio) (hash.Hash, error) {
	key, err := keys.read(s, keySizes(a))
	if err != nil {
		return nil, err
	}
	if len(key) == 0 {
		return nil, errors.New("the key is empty")
	}
	return catalog.NewMAC(a.Name, key)
}

// keySizes returns the sizes of keys in bytes, nil if all will do.
func keySizes(a catalog.Algorithm) []int {
	switch {
	case a.AnyKey:
		return nil
	case a.Name == "aes-cmac":
		return []int{16, 24, 32}
	}
	return []int{a.KeySize}
}
