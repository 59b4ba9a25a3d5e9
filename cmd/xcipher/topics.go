package main

import (
	"fmt"
	"slices"
	"strings"
)

// A topic is a page of help on more than one command.
type topic struct{ name, summary, text string }

func topics() []topic {
	return []topic{
		{"algorithms", "which algorithm to take", algorithmsTopic},
		{"nonces", "what must never happen twice", noncesTopic},
		{"keys", "where keys and passwords come from", keysTopic},
		{"formats", "lists of checksums, sealed files, files of test vectors", formatsTopic},
		{"interop", "the same work with gost12sum and openssl", interopTopic},
	}
}

const algorithmsTopic = `
xcipher list prints all algorithms with their sizes and standards.

To protect a file, use xcipher seal with its default, xchacha20-poly1305. Where a
Russian standard is asked for, take kuznyechik-mgm. Chaskey, CLOC, SILC and Saturnin
are for messages from and to small devices that use them too.

For checksums take streebog256, or streebog512 where a standard asks for it. A
checksum protects against accidents; against an attacker only if the list of
checksums is out of his reach. Otherwise take a MAC: kuznyechik-cmac or
hmac-streebog256.

Magma has blocks of 64 bits: use it only for old systems, and for little data per
key (SECURITY.md tells the limits). chacha8 and chacha12 have fewer rounds
than the standard and a smaller margin; their AEADs are not standardised. The names
chaskey8-... are for compatibility; prefer chaskey12.
`

const noncesTopic = `
A nonce is a number that must not be used twice with the same key. If it is, stream
ciphers and CTR give away the exclusive or of both texts, and AEADs based on them
(ChaCha20-Poly1305, MGM) also the means to forge.

xcipher seal makes a new random nonce for each file, so there is nothing to do, and
it refuses algorithms whose nonces are too short for that.

With xcipher enc the IV is yours to choose. For ctr and chacha20 it must never
repeat under one key; for cbc it must also be unpredictable: take it from a random
generator. With a password a random salt does that.
`

const keysTopic = `
  -keyfile FILE   the bytes of the key, as xcipher keygen writes them, or hex digits
                  with any white space between them
  -keyenv NAME    hex digits in the environment variable NAME
  -K HEX          hex digits on the command line, as openssl takes them

Without any of them the program asks on the terminal and shows nothing. Do not use
-K for a key that matters: other users see it in the list of processes, and the
shell writes it into its history; the program warns of it.

HMAC takes keys of any length. So a key file for hmac-... is always taken byte by
byte: hex digits or a newline at its end would be part of the key.

xcipher keygen makes a key from the system's random generator, in a new file that
only its owner can read. A password is no key: seal and enc derive keys from
passwords (-passfile, -passenv or a prompt), mac does not.
`

const formatsTopic = `
xcipher sum and mac print, as gost12sum does: the digest, one space, the name. A
name with a line break is escaped as by the coreutils (\n, \r, \\; a backslash
before the digest says so), and before a name that begins with a space or asterisk
stand two spaces: lists of gost12sum could not give these names back. With -tag,
sum prints what rhash --bsd does: GOST12-256 (name) = digest.

sum -c reads these, and the layouts of

  digest  name                  sha256sum, rhash
  digest *name                  sha256sum -b, openssl dgst -r
  STREEBOG256 (name) = digest   BSD, sha256sum --tag, rhash --bsd
  md_gost12_256(name)= digest   openssl dgst

with digits in either case, escaped names, line ends of DOS, comments (#) and empty
lines. The digests must be of a hash in xcipher list hash. Without -a, one of 256 bits
is taken for Streebog-256 and one of 512 bits for Streebog-512: all files of a list of
SHA-256 are reported as FAILED. A list in which no line is a checksum, or of which no
file could be checked, is an error. As with the coreutils the exit status is 0 if all is
right, 1 if something is not; it is 2 if the command line is wrong.

A file that xcipher seal makes is a header, then chunks of 64 KiB, each sealed in the
way of github.com/secure-io/sio-go: with the nonce of the header and a 4-byte counter,
bound to the whole header, the last one marked. Integers of the header are big-endian.
It has, in bytes:

  7   "xcipher"
  1   version, 1
  1   0 for a key; 1 for a password through argon2id (RFC 9106), and then
      1 passes, 1 lanes, 4 memory in KiB
  1   length of the name, and the name of the AEAD
  32  salt, random
      nonce, random, 4 bytes shorter than the AEAD's
  32  check

The secret is the key, or 32 bytes of argon2id with the salt. HKDF-SHA256 with the salt
makes of it the key of the chunks and the check, with "xcipher sealed file: key" and
"xcipher sealed file: check" as info, each followed by the header up to the check.

Files of test vectors are JSON as of Project Wycheproof; the package documentation
("go doc xcipher/vectors") tells what is added to it.
`

const interopTopic = `
Each pair does the same. OpenSSL needs its engine "gost", loaded for all algorithms:

  printf 'openssl_conf = a\n[a]\nengines = b\n[b]\ngost = c\n[c]\ndefault_algorithms = ALL\n' >gost.cnf
  export OPENSSL_CONF=$PWD/gost.cnf

The flag "-engine gost" does not do: with it kuznyechik-mac is another MAC.

  xcipher sum FILE
  gost12sum FILE

  xcipher sum -a streebog512 FILE
  gost12sum -l FILE

  xcipher sum -c LIST
  gost12sum -c LIST

  openssl dgst -md_gost12_256 -r FILE | xcipher sum -c
  openssl dgst -md_gost12_512 -r FILE | xcipher sum -c

  xcipher mac -a magma-cmac -size 4 -K KEY FILE
  openssl dgst -mac magma-mac -macopt hexkey:KEY -macopt size:4 FILE

  xcipher mac -a kuznyechik-cmac -size 8 -K KEY FILE
  openssl dgst -mac kuznyechik-mac -macopt hexkey:KEY -macopt size:8 FILE

  xcipher mac -a hmac-streebog256 -K KEY FILE
  openssl dgst -md_gost12_256 -mac hmac -macopt hexkey:KEY FILE

xcipher help enc has those of openssl enc.
`

// overview is the help on everything.
func overview() string {
	var b strings.Builder
	b.WriteString("usage: xcipher command [arguments]\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-12s %s\n", c.name, c.summary)
	}
	fmt.Fprintf(&b, "  %-12s %s\n\nTopics:\n", "help", "tell more about a command or topic: xcipher help sum")
	for _, t := range topics() {
		fmt.Fprintf(&b, "  %-12s %s\n", t.name, t.summary)
	}
	return b.String()
}

// help prints the help on commands and topics.
func help(names []string, s stdio) int {
	var pages []string
	for _, name := range names {
		all, pagesOf := commands(), topics()
		if name == "help" {
			pages = append(pages, overview())
		} else if i := slices.IndexFunc(all, func(c command) bool { return c.name == name }); i >= 0 {
			pages = append(pages, all[i].describe())
		} else if i := slices.IndexFunc(pagesOf, func(t topic) bool { return t.name == name }); i >= 0 {
			pages = append(pages, strings.TrimLeft(pagesOf[i].text, "\n"))
		} else {
			fmt.Fprintf(s.err, "xcipher: no command or topic %q; try xcipher help\n", name)
			return exitUsage
		}
	}
	return s.print("help", strings.Join(pages, "\n"))
}
