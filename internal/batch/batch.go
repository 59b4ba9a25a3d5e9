// Package batch holds the contract of cipher.Block and of the modes that run
// over many blocks at once.
//
// A cipher implements Kernel, the algorithm alone; Cipher makes it a
// cipher.Block with all checks, and with the methods that crypto/cipher looks for
// on a Block, so that cipher.NewCTR and the others reach the kernel.
package batch

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
	"sync"

	"xcipher/internal/alias"
)

// MaxBlockSize is the largest block, in bytes, that the modes here can carry.
const MaxBlockSize = 32

// Kernel is a keyed cipher over whole blocks. len(dst) == len(src), a multiple
// of BlockSize; dst and src are the same slice or disjoint. A kernel is safe for
// concurrent use, keeps neither slice, and checks nothing: Cipher has done that.
type Kernel interface {
	BlockSize() int
	EncryptBlocks(dst, src []byte)
	DecryptBlocks(dst, src []byte)
}

// Counter is implemented by a Kernel that makes counter blocks itself:
// dst = src ^ (E(ctr), E(ctr+1), ...) over whole blocks, a nil src meaning zeros.
// The big-endian integer ctr[from:to] counts and wraps, the other bytes of ctr
// stay; ctr, one block, is left at the next value. CTR counts [0:n]; MGM, with
// blocks of n bytes, [n/2:n] and [0:n/2].
type Counter interface {
	XORCounter(dst, src, ctr []byte, from, to int)
}

// Chain is implemented by a Kernel with a fast serial path: st = E(st ^ block)
// for every block of src; each st is written to dst unless dst is nil. It is the
// core of CBC encryption, CMAC and CFB.
type Chain interface {
	Chain(dst, src, st []byte)
}

// CBCDecrypter is implemented by a Kernel that decrypts CBC in one pass: to each
// decrypted block of src it XORs the block of src before it, to the first one st,
// and leaves the last block of src in st.
type CBCDecrypter interface {
	DecryptCBC(dst, src, st []byte)
}

// Cipher is a cipher.Block over a Kernel.
type Cipher struct {
	name    string
	size    int
	kernel  Kernel
	counter Counter
	chain   Chain
	cbc     CBCDecrypter
	plain   plain
}

// New returns a cipher.Block over k. Its panics start with name, the package
// that the caller sees.
func New(name string, k Kernel) *Cipher {
	c := &Cipher{name: name, size: k.BlockSize(), kernel: k}
	c.plain = plain{k}
	c.counter, c.chain, c.cbc = &c.plain, &c.plain, &c.plain
	if own, ok := k.(Counter); ok {
		c.counter = own
	}
	if own, ok := k.(Chain); ok {
		c.chain = own
	}
	if own, ok := k.(CBCDecrypter); ok {
		c.cbc = own
	}
	return c
}

// Of returns the kernel of one of our blocks. For a foreign block it returns an
// adapter that calls the block in a loop.
func Of(b cipher.Block) Kernel {
	if c, ok := b.(*Cipher); ok {
		return c.kernel
	}
	return foreign{b}
}

// CounterOf returns k's own Counter, or one that fills counter blocks in Go.
func CounterOf(k Kernel) Counter {
	if own, ok := k.(Counter); ok {
		return own
	}
	return &plain{k}
}

// ChainOf returns k's own Chain, or one that calls k block by block.
func ChainOf(k Kernel) Chain {
	if own, ok := k.(Chain); ok {
		return own
	}
	return &plain{k}
}

// BlockSize returns the block size in bytes.
func (c *Cipher) BlockSize() int { return c.size }

// Encrypt encrypts exactly one block, however long the slices are.
func (c *Cipher) Encrypt(dst, src []byte) {
	c.check(dst, src)
	c.kernel.EncryptBlocks(dst[:c.size], src[:c.size])
}

// Decrypt decrypts exactly one block, however long the slices are.
func (c *Cipher) Decrypt(dst, src []byte) {
	c.check(dst, src)
	c.kernel.DecryptBlocks(dst[:c.size], src[:c.size])
}

func (c *Cipher) check(dst, src []byte) {
	if len(src) < c.size {
		panic(c.name + ": input not full block")
	}
	if len(dst) < c.size {
		panic(c.name + ": output not full block")
	}
	if alias.InexactOverlap(dst[:c.size], src[:c.size]) {
		panic(c.name + ": invalid buffer overlap")
	}
}

// CheckBlocks makes the checks of cipher.BlockMode.CryptBlocks, and panics with
// the standard library's words after name.
func CheckBlocks(name string, blockSize int, dst, src []byte) {
	if len(src)%blockSize != 0 {
		panic(name + ": input not full blocks")
	}
	if len(dst) < len(src) {
		panic(name + ": output smaller than input")
	}
	if alias.InexactOverlap(dst[:len(src)], src) {
		panic(name + ": invalid buffer overlap")
	}
}

// foreign lends a block from elsewhere to the modes.
type foreign struct{ b cipher.Block }

func (f foreign) BlockSize() int { return f.b.BlockSize() }

func (f foreign) EncryptBlocks(dst, src []byte) {
	for n := f.b.BlockSize(); len(src) > 0; dst, src = dst[n:], src[n:] {
		f.b.Encrypt(dst[:n], src[:n])
	}
}

func (f foreign) DecryptBlocks(dst, src []byte) {
	for n := f.b.BlockSize(); len(src) > 0; dst, src = dst[n:], src[n:] {
		f.b.Decrypt(dst[:n], src[:n])
	}
}

// BufSize is the work space, in bytes, that modes take for one call of a kernel.
// It fills the widest generic kernel, 64 blocks of 16 bytes.
const BufSize = 1024

// Buf is work space for one call of a kernel.
type Buf [BufSize]byte

var bufs = sync.Pool{New: func() any { return new(Buf) }}

// GetBuf takes work space from a pool, with unspecified contents: a local array
// would be allocated anew at each call, as its slices go to interface methods.
func GetBuf() *Buf { return bufs.Get().(*Buf) }

// PutBuf gives work space back. used is how much of it may hold secrets, which
// are cleared.
func PutBuf(b *Buf, used int) {
	clear(b[:min(used, len(b))])
	bufs.Put(b)
}

// plain is Counter, Chain and CBCDecrypter for kernels that have none.
type plain struct{ k Kernel }

func (p *plain) XORCounter(dst, src, ctr []byte, from, to int) {
	size := len(ctr)
	if src == nil {
		Fill(dst, ctr, from, to)
		p.k.EncryptBlocks(dst, dst)
		return
	}
	buf, used := GetBuf(), min(len(dst), BufSize)
	for run := BufSize / size * size; len(dst) > 0; {
		n := min(run, len(dst))
		Fill(buf[:n], ctr, from, to)
		p.k.EncryptBlocks(buf[:n], buf[:n])
		subtle.XORBytes(dst[:n], src[:n], buf[:n])
		dst, src = dst[n:], src[n:]
	}
	PutBuf(buf, used)
}

func (p *plain) Chain(dst, src, st []byte) {
	for n := len(st); len(src) > 0; src = src[n:] {
		subtle.XORBytes(st, st, src[:n])
		p.k.EncryptBlocks(st, st)
		if dst != nil {
			dst = dst[copy(dst, st):]
		}
	}
}

func (p *plain) DecryptCBC(dst, src, st []byte) {
	// The ciphertext is kept aside, as dst may be src.
	size := len(st)
	ct, used := GetBuf(), min(len(src), BufSize)
	for run := BufSize / size * size; len(src) > 0; {
		n := min(run, len(src))
		copy(ct[:n], src)
		p.k.DecryptBlocks(dst[:n], src[:n])
		subtle.XORBytes(dst[:size], dst[:size], st)
		subtle.XORBytes(dst[size:n], dst[size:n], ct[:n-size])
		copy(st, ct[n-size:n])
		dst, src = dst[n:], src[n:]
	}
	PutBuf(ct, used)
}

// Fill writes counter blocks to dst, whole blocks, and moves ctr on, as Counter
// describes. No carry decides a branch: the counters of MGM are secret.
func Fill(dst, ctr []byte, from, to int) {
	switch len(ctr) {
	case 8:
		// The field that counts, and one in its lowest bit.
		shift := 64 - 8*to
		field := uint64(1)<<(8*(to-from)) - 1
		field <<= shift
		v := binary.BigEndian.Uint64(ctr)
		for ; len(dst) >= 8; dst = dst[8:] {
			binary.BigEndian.PutUint64(dst, v)
			v = v&^field | (v+1<<shift)&field
		}
		binary.BigEndian.PutUint64(ctr, v)
	case 16:
		if from%8 != 0 || to%8 != 0 {
			break
		}
		var inc [2]uint64 // of the left and the right half
		inc[(to-1)/8] = 1
		carries := -uint64(from/8 ^ 1) // into the left half, if that counts too
		hi, lo := binary.BigEndian.Uint64(ctr), binary.BigEndian.Uint64(ctr[8:])
		for ; len(dst) >= 16; dst = dst[16:] {
			binary.BigEndian.PutUint64(dst, hi)
			binary.BigEndian.PutUint64(dst[8:], lo)
			var carry uint64
			lo, carry = bits.Add64(lo, inc[1], 0)
			hi += inc[0] + carry&carries
		}
		binary.BigEndian.PutUint64(ctr, hi)
		binary.BigEndian.PutUint64(ctr[8:], lo)
	}
	for len(dst) > 0 {
		dst = dst[copy(dst, ctr):]
		Increment(ctr[from:to])
	}
}

// Increment adds one to the big-endian integer c, wrapping to zero. The counters
// of MGM are secret, so no carry decides a branch.
func Increment(c []byte) {
	carry := uint64(1)
	for ; len(c) >= 8; c = c[:len(c)-8] {
		low := c[len(c)-8:]
		var v uint64
		v, carry = bits.Add64(binary.BigEndian.Uint64(low), 0, carry)
		binary.BigEndian.PutUint64(low, v)
	}
	for i := len(c) - 1; i >= 0; i-- {
		carry += uint64(c[i])
		c[i] = byte(carry)
		carry >>= 8
	}
}
