// Package chaskey implements the Chaskey message authentication code as a keyed
// hash.Hash: 128-bit keys, 128-bit tags.
//
// Chaskey is by N. Mouha, B. Mennink, A. Van Herrewege, D. Watanabe, B. Preneel
// and I. Verbauwhede, "Chaskey: An Efficient MAC Algorithm for 32-bit
// Microcontrollers", SAC 2014. Chaskey-12, with 12 rounds in place of 8, is in
// ISO/IEC 29192-6:2019; Chaskey-LTS has 16.
//
// Choose New12 for new designs. Published attacks reach 7 rounds, which leaves New8
// a margin of one: it is here for what is already in use.
//
// A tag may be cut to its first bytes; the designers advise against fewer than 8.
// Compare tags with hmac.Equal, never with bytes.Equal. Authenticate no more than
// 2^48 blocks (4 PiB) under one key. A MAC is a function of key and message alone:
// a message that is sent twice has the same tag twice.
//
// The computation is constant-time: no tables, no branches on data or key. For
// messages on a desktop or server, HMAC-SHA-256 is the conservative choice.
package chaskey

import (
	"hash"
	"strconv"

	"xcipher/internal/absorb"
	"xcipher/internal/chaskey"
)

// Sizes in bytes.
const (
	KeySize   = 16
	Size      = 16
	BlockSize = 16
)

// KeySizeError is the length of a key that is not KeySize bytes long.
type KeySizeError int

func (e KeySizeError) Error() string {
	return "chaskey: invalid key size " + strconv.Itoa(int(e))
}

// New8 returns Chaskey with 8 rounds, the number of the original paper.
func New8(key []byte) (h hash.Hash, err error) {
	d := new(digest)
	if err = d.init(chaskey.Rounds8, key); err == nil {
		h = d
	}
	return
}

// New12 returns Chaskey-12, with 12 rounds.
func New12(key []byte) (h hash.Hash, err error) {
	d := new(digest)
	if err = d.init(chaskey.Rounds12, key); err == nil {
		h = d
	}
	return
}

// NewLTS returns Chaskey-LTS, with 16 rounds.
func NewLTS(key []byte) (h hash.Hash, err error) {
	d := new(digest)
	if err = d.init(chaskey.Rounds16, key); err == nil {
		h = d
	}
	return
}

type digest struct {
	in     absorb.Buf // holds a full block back: the last one is treated differently
	key    chaskey.State
	state  chaskey.State
	rounds int
}

// init is not inlined, so that the constructors are: then a MAC that does not
// leave its caller stays on the caller's stack.
//
//go:noinline
func (d *digest) init(rounds int, key []byte) error {
	if len(key) != KeySize {
		return KeySizeError(len(key))
	}
	d.rounds = rounds
	d.key = chaskey.Load(key)
	d.state = d.key
	return nil
}

func (d *digest) Size() int { return Size }

func (d *digest) BlockSize() int { return BlockSize }

func (d *digest) Reset() {
	d.in = absorb.Buf{}
	d.state = d.key
}

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

func (d *digest) Write(p []byte) (int, error) {
	n := len(p)
	for run, p := d.in.Next(p, BlockSize, 1); run != nil; run, p = d.in.Next(p, BlockSize, 1) {
		d.state = chaskey.Absorb(d.state, run, d.rounds)
	}
	return n, nil
}

func (d *digest) Sum(b []byte) []byte {
	n := len(b)
	b = append(b, make([]byte, Size)...)
	finish(b[n:], d.state, d.key, d.in.Tail(), d.rounds)
	return b
}
