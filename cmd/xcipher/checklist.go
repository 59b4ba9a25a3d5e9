package main

import (
	"encoding/hex"
	"hash"
	"strings"

	"xcipher/internal/catalog"
)

// An entry is a line of a list of checksums.
type entry struct {
	algorithm string // empty if the line does not say it
	digest    []byte
	name      string
}

// parseEntry reads a line as one of these programs prints it:
//
//	digest name              gost12sum
//	digest  name             sha256sum, rhash
//	digest *name             sha256sum -b, openssl dgst -r
//	ALGORITHM (name) = hex   BSD, sha256sum --tag, rhash --bsd
//	ALGORITHM(name)= hex     openssl dgst
//
// A backslash before all that says that the name is escaped.
func parseEntry(line string) (e entry, ok bool) {
	line = strings.TrimLeft(line, " \t")
	line, escaped := strings.CutPrefix(line, `\`)
	if e, ok = parseTagged(line); !ok {
		digest, rest, found := strings.Cut(line, " ")
		if e.digest, ok = decode(digest); !ok || !found {
			return e, false
		}
		e.name = rest
		if len(rest) > 1 && (rest[0] == ' ' || rest[0] == '*') {
			e.name = rest[1:]
		}
	}
	if escaped {
		if e.name, ok = unescape(e.name); !ok {
			return e, false
		}
	}
	return e, e.name != "" && !strings.Contains(e.name, "\x00")
}

func parseTagged(line string) (e entry, ok bool) {
	tag, rest, found := strings.Cut(line, "(")
	end := strings.LastIndex(rest, ")")
	if !found || end < 0 {
		return e, false
	}
	if e.algorithm, ok = fromTag(strings.TrimSuffix(tag, " ")); !ok {
		return e, false
	}
	e.name = rest[:end]
	digest, found := strings.CutPrefix(strings.TrimPrefix(rest[end+1:], " "), "= ")
	if !found {
		return e, false
	}
	e.digest, ok = decode(digest)
	return e, ok
}

// decode reads a digest in hex, in letters of either case.
func decode(digest string) ([]byte, bool) {
	b, err := hex.DecodeString(digest)
	return b, err == nil && len(b) > 0
}

// bsdTag returns the name of a hash in lines as BSD prints them. For Streebog it is
// the one that rhash writes and reads.
func bsdTag(algorithm string) string {
	switch algorithm {
	case "streebog256":
		return "GOST12-256"
	case "streebog512":
		return "GOST12-512"
	}
	return strings.ToUpper(algorithm)
}

// fromTag returns the hash that has a name in such a line. OpenSSL writes
// md_gost12_256, others STREEBOG-256.
func fromTag(tag string) (algorithm string, ok bool) {
	tag = strings.ToLower(tag)
	for _, old := range []string{"md_gost12_", "gost12-", "streebog-"} {
		if bits, found := strings.CutPrefix(tag, old); found {
			tag = "streebog" + bits
		}
	}
	a, ok := catalog.Lookup(tag)
	return a.Name, ok && a.Kind == catalog.Hash
}

// hashFor returns the hash of a line: the one that it names, or that of its length;
// with only, no other. It is nil if the line does not fit.
func hashFor(e entry, only string) hash.Hash {
	name := e.algorithm
	switch {
	case name != "":
	case only != "":
		name = only
	case len(e.digest) == 32:
		name = "streebog256"
	case len(e.digest) == 64:
		name = "streebog512"
	}
	if only != "" && only != name {
		return nil
	}
	h, err := catalog.NewHash(name)
	if err != nil || h.Size() != len(e.digest) {
		return nil
	}
	return h
}

var escaper = strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`)

// escape keeps a name on one line, as the coreutils do.
func escape(name string) string { return escaper.Replace(name) }

// unescape undoes escape; ok is false for what escape never makes.
func unescape(name string) (plain string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '\\' {
			b.WriteByte(name[i])
			continue
		}
		if i++; i == len(name) {
			return "", false
		}
		switch name[i] {
		case '\\':
			b.WriteByte('\\')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		default:
			return "", false
		}
	}
	return b.String(), true
}
