package main

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/crypto/argon2"
	"xcipher/internal/catalog"
)

// A sealed file is a header and then chunks of chunkSize bytes as package sio makes
// them: each sealed with the header's nonce and a 4-byte counter, bound to the whole
// header, the last one marked. Integers of the header are big-endian:
//
//	7   "xcipher"
//	1   version, 1
//	1   kdf: 0 a key, 1 a password through argon2id (RFC 9106), with
//	    1  passes
//	    1  lanes
//	    4  memory in KiB
//	1   length of the name
//	    name of the AEAD
//	32  salt, random
//	    nonce, random, 4 bytes shorter than the AEAD's
//	32  check
//
// The secret is the key, or 32 bytes of argon2id with the salt. HKDF-SHA256 with the
// salt makes of it the key of the chunks and the check, with info "xcipher sealed
// file: key" and "xcipher sealed file: check", both followed by the header up to the
// check. So each file has a key of its own, and the check finds a wrong secret or a
// changed header before any chunk is looked at.
const (
	sealMagic   = "xcipher"
	sealVersion = 1
	chunkSize   = 64 << 10
	sealSalt    = 32
	sealCheck   = 32
	sioCounter  = 4 // bytes of the nonce that number the chunks

	kdfNone     = 0
	kdfArgon2id = 1
)

// Bounds of argon2id, so that no header takes all memory or hours. The least memory
// makes a weak header an error too.
const (
	minMemory = 8 << 10  // KiB
	maxMemory = 1 << 20  // KiB
	maxWork   = 16 << 20 // KiB, memory times passes
	maxLanes  = 16
)

// argon2id are the parameters of the function.
type argon2id struct {
	passes, lanes uint8
	memory        uint32 // KiB
}

func (a argon2id) check() error {
	switch {
	case a.passes < 1 || a.lanes < 1 || a.lanes > maxLanes:
		return fmt.Errorf("argon2id with %d passes and %d lanes, want 1 or more, and 1 to %d", a.passes, a.lanes, maxLanes)
	case a.memory < minMemory || a.memory > maxMemory:
		return fmt.Errorf("argon2id with %d KiB of memory, want %d to %d", a.memory, minMemory, maxMemory)
	case uint64(a.memory)*uint64(a.passes) > maxWork:
		return fmt.Errorf("argon2id with %d passes over %d KiB of memory, want at most %d KiB in all", a.passes, a.memory, maxWork)
	}
	return nil
}

// sealHeader is the header without its check.
type sealHeader struct {
	kdf         byte
	argon2id    argon2id // if kdf says so
	algorithm   catalog.Algorithm
	salt, nonce []byte
}

// newSealHeader makes the salt and the nonce.
func newSealHeader(a catalog.Algorithm) *sealHeader {
	h := &sealHeader{algorithm: a, salt: make([]byte, sealSalt), nonce: make([]byte, a.NonceSizes[0]-sioCounter)}
	rand.Read(h.salt)
	rand.Read(h.nonce)
	return h
}

// sealable tells why an AEAD cannot seal files.
func sealable(a catalog.Algorithm) error {
	const least = 8 // random bytes of a nonce
	nonce := a.NonceSizes[0]
	switch {
	case a.NoAAD:
		return fmt.Errorf("%s cannot seal files: it takes no additional data, which binds the chunks to the header", a.Name)
	case a.MaxMessage > 0 && a.MaxMessage < chunkSize:
		return fmt.Errorf("%s cannot seal files: its messages have at most %d bytes, chunks %d", a.Name, a.MaxMessage, chunkSize)
	case nonce < sioCounter+least:
		return fmt.Errorf("%s cannot seal files: its nonce of %d bytes leaves %d beside the counter of chunks, and random ones of fewer than %d soon repeat",
			a.Name, nonce, nonce-sioCounter, least)
	}
	return nil
}

// fields returns the header up to its check.
func (h *sealHeader) fields() []byte {
	b := append([]byte(sealMagic), sealVersion, h.kdf)
	if h.kdf == kdfArgon2id {
		b = append(b, h.argon2id.passes, h.argon2id.lanes)
		b = binary.BigEndian.AppendUint32(b, h.argon2id.memory)
	}
	b = append(b, byte(len(h.algorithm.Name)))
	b = append(b, h.algorithm.Name...)
	b = append(b, h.salt...)
	return append(b, h.nonce...)
}

var errNotSealed = errors.New("this is not a file that xcipher seal made")

// readSealHeader reads no further than the header, and returns its check beside it.
func readSealHeader(r io.Reader) (h *sealHeader, check []byte, err error) {
	in := fieldReader{r: r}
	magic := string(in.next(len(sealMagic)))
	switch {
	case in.err != nil && !errors.Is(in.err, io.ErrUnexpectedEOF):
		return nil, nil, in.err
	case magic != sealMagic:
		return nil, nil, errNotSealed
	}
	h = new(sealHeader)
	version := in.byte()
	if in.err == nil && version != sealVersion {
		return nil, nil, fmt.Errorf("the file is sealed in version %d, this program knows version %d", version, sealVersion)
	}
	h.kdf = in.byte()
	switch h.kdf {
	case kdfNone:
	case kdfArgon2id:
		p := in.next(6)
		h.argon2id = argon2id{p[0], p[1], binary.BigEndian.Uint32(p[2:])}
		err = h.argon2id.check()
	default:
		err = fmt.Errorf("unknown key derivation %d", h.kdf)
	}
	if err == nil && in.err == nil {
		name := string(in.next(int(in.byte())))
		var ok bool
		if h.algorithm, ok = catalog.Lookup(name); ok && h.algorithm.Kind == catalog.AEAD {
			err = sealable(h.algorithm)
		} else {
			err = fmt.Errorf("unknown AEAD %q", name)
		}
	}
	if in.err == nil && err == nil {
		h.salt = in.next(sealSalt)
		h.nonce = in.next(h.algorithm.NonceSizes[0] - sioCounter)
		check = in.next(sealCheck)
	}
	switch {
	case errors.Is(in.err, io.ErrUnexpectedEOF):
		return nil, nil, errors.New("the file ends within its header")
	case in.err != nil:
		return nil, nil, in.err
	case err != nil:
		return nil, nil, fmt.Errorf("the header is not valid: %w", err)
	}
	return h, check, nil
}

// fieldReader reads fields, zeros after an error. An end is always unexpected.
type fieldReader struct {
	r   io.Reader
	err error
}

func (f *fieldReader) next(n int) []byte {
	b := make([]byte, n)
	if f.err == nil {
		if _, f.err = io.ReadFull(f.r, b); f.err == io.EOF {
			f.err = io.ErrUnexpectedEOF
		}
	}
	return b
}

func (f *fieldReader) byte() byte { return f.next(1)[0] }

// secret derives a secret from a password.
func (h *sealHeader) secret(password string) []byte {
	a := h.argon2id
	return argon2.IDKey([]byte(password), h.salt, uint32(a.passes), a.memory, a.lanes, 32)
}

// derive returns the key of the chunks and the check of the header.
func (h *sealHeader) derive(secret []byte) (key, check []byte, err error) {
	prk, err := hkdf.Extract(sha256.New, secret, h.salt)
	if err != nil {
		return nil, nil, err
	}
	fields := string(h.fields())
	if key, err = hkdf.Expand(sha256.New, prk, "xcipher sealed file: key"+fields, h.algorithm.KeySize); err != nil {
		return nil, nil, err
	}
	check, err = hkdf.Expand(sha256.New, prk, "xcipher sealed file: check"+fields, sealCheck)
	return key, check, err
}

// errWrongSecret cannot say more: a changed header looks like a wrong key.
var errWrongSecret = errors.New("wrong key or password, or the header was changed")

// open returns the key of the chunks if the check is right.
func (h *sealHeader) open(secret, check []byte) (key []byte, err error) {
	key, want, err := h.derive(secret)
	if err == nil && subtle.ConstantTimeCompare(check, want) != 1 {
		return nil, errWrongSecret
	}
	return key, err
}
