// Package saturnin holds the Saturnin block cipher and its re-keyed chain, for
// the public packages of that name.
//
// The specification is "Saturnin: a suite of lightweight symmetric algorithms
// for post-quantum security", version 1.1 of 2019-09-27, by Canteaut, Duval,
// Leurent, Naya-Plasencia, Perrin, Pornin and Schrottenloher, entry to round 2
// of NIST's lightweight cryptography project.
//
// Blocks and keys have 32 bytes. They are sixteen 16-bit registers r0 to r15,
// little-endian. Everything here is constant-time; slices are not checked.
package saturnin

// Sizes in bytes.
const (
	KeySize   = 32
	BlockSize = 32
)

// What the round constants have room for: five bits and four.
const (
	MaxSuperRounds = 31
	MaxDomain      = 15
)

// A Domain is the cipher for one number of super-rounds R and one domain D, but
// for the key. The two decide the round constants and nothing else.
type Domain struct {
	superRounds int
	rc          [MaxSuperRounds]uint32 // RC1 || RC0 of each super-round
	kernel      kernelConstants
}

// NewDomain returns the cipher with 1 to MaxSuperRounds super-rounds, of two
// rounds each, and a domain of 0 to MaxDomain.
func NewDomain(superRounds, domain int) *Domain {
	d := &Domain{superRounds: superRounds}
	seed := uint16(0xfe00 + superRounds<<4 + domain)
	rc0, rc1 := seed, seed
	for s := range d.rc[:superRounds] {
		for range 16 {
			rc0 = rc0<<1 ^ -(rc0>>15)&0x002d // X^16 + X^5 + X^3 + X^2 + 1
			rc1 = rc1<<1 ^ -(rc1>>15)&0x0053 // X^16 + X^6 + X^4 + X + 1
		}
		d.rc[s] = uint32(rc1)<<16 | uint32(rc0)
	}
	d.expand()
	return d
}

// Cascade sets t to E_t(m) ^ m for each block m of data: the data is encrypted,
// and each result is the key for the next block. len(data) is a multiple of 32.
func (dom *Domain) Cascade(t *[KeySize]byte, data []byte) {
	if len(data) > 0 {
		dom.cascade(t, data, nil, nil)
	}
}

// CascadeLast is Cascade over data, then last's over the block tail || 0x80 || 0...0.
// tail has less than 32 bytes.
func (dom *Domain) CascadeLast(t *[KeySize]byte, data []byte, last *Domain, tail []byte) {
	var block [BlockSize]byte
	block[copy(block[:], tail)] = 0x80
	dom.cascade(t, data, last, &block)
}

// Cipher is a Domain with a key. It is a batch.Kernel and a batch.Counter.
type Cipher struct {
	domain *Domain
	one    [2]block // K and K'
	four   [2]lanes // the same for four blocks
	kernel kernelKeys
}

// NewCipher returns a cipher with a key of 32 bytes, which is copied.
func NewCipher(d *Domain, key []byte) *Cipher {
	c := &Cipher{domain: d}
	c.expandGeneric((*[KeySize]byte)(key))
	c.expandKernels()
	return c
}

// BlockSize returns 32.
func (c *Cipher) BlockSize() int { return BlockSize }

// EncryptBlocks encrypts whole blocks.
func (c *Cipher) EncryptBlocks(dst, src []byte) { c.encryptBlocks(dst, src) }

// DecryptBlocks decrypts whole blocks.
func (c *Cipher) DecryptBlocks(dst, src []byte) { c.decryptBlocks(dst, src) }

// XORCounter sets dst to src ^ (E(ctr), E(ctr+1), ...) over whole blocks, and
// leaves ctr at the next value. A nil src means zeros. ctr[from:to] counts.
func (c *Cipher) XORCounter(dst, src, ctr []byte, from, to int) {
	c.xorCounter(dst, src, ctr, from, to)
}
