package saturnin

import (
	"crypto/subtle"
	"math"

	"xcipher/internal/absorb"
	"xcipher/internal/authenc"
	"xcipher/internal/keystream"
	"xcipher/internal/saturnin"
)

const (
	blockSize    = saturnin.BlockSize
	maxNonceSize = 20

	// A counter block is the nonce, 0x80, zeros, and a big-endian number of 95
	// bits, of which the top 7 are beside the 0x80 of the longest nonce. The rest,
	// 11 bytes, cannot overflow: lengths have no more than 64 bits.
	counterStart = maxNonceSize + 1
)

// The domains of the suite, with 10 super-rounds.
var (
	domainCounter  = saturnin.NewDomain(10, 1)
	domainAAD      = saturnin.NewDomain(10, 2) // and the first counter block
	domainAADLast  = saturnin.NewDomain(10, 3)
	domainText     = saturnin.NewDomain(10, 4)
	domainTextLast = saturnin.NewDomain(10, 5)
	domainShort    = saturnin.NewDomain(10, 6)
)

// cascade is CTR-Cascade with a key, an authenc.Scheme and Beginner.
type cascade struct {
	key [KeySize]byte
	ctr *saturnin.Cipher
}

func newCascade(key []byte) *cascade {
	return &cascade{[KeySize]byte(key), saturnin.NewCipher(domainCounter, key)}
}

// chunk is how much is encrypted before the cascade takes it, so that it does so from
// the cache.
const chunk = 16 << 10

func (c *cascade) Seal(dst, src, nonce, aad []byte) [authenc.MaxTagSize]byte {
	var m message
	m.start(c, nonce)
	m.authenticate(aad)
	for len(src) > chunk {
		m.Decrypt(dst[:chunk], src[:chunk])
		domainText.Cascade(&m.t, dst[:chunk])
		dst, src = dst[chunk:], src[chunk:]
	}
	m.Decrypt(dst, src)
	return m.tag(dst[:len(src)])
}

func (c *cascade) Authenticate(ct, nonce, aad []byte) (tag, carry [authenc.MaxTagSize]byte) {
	var m message
	m.start(c, nonce)
	m.authenticate(aad)
	return m.tag(ct), carry
}

func (c *cascade) Decrypt(dst, ct, nonce []byte, _ [authenc.MaxTagSize]byte) {
	var m message
	m.start(c, nonce)
	m.Decrypt(dst, ct)
}

func (c *cascade) Begin(nonce, aad []byte) authenc.Incremental {
	m := new(message)
	m.start(c, nonce)
	m.authenticate(aad)
	return m
}

// message is the state of one message, an authenc.Incremental.
type message struct {
	c    *cascade
	ctr  [blockSize]byte
	ks   keystream.Buf
	t    [KeySize]byte // key of the next step of the cascade
	text absorb.Buf
}

// start sets the counter to 1; 0 belongs to the tag.
func (m *message) start(c *cascade, nonce []byte) {
	m.c = c
	m.ctr[copy(m.ctr[:], nonce)] = 0x80
	m.ctr[blockSize-1] = 1
}

// authenticate starts the cascade with the counter block 0 and additional data.
func (m *message) authenticate(aad []byte) {
	m.t = m.c.key
	first := m.ctr
	first[blockSize-1] = 0
	data := first[:]
	whole := len(aad) / blockSize * blockSize
	if whole > 0 {
		domainAAD.Cascade(&m.t, data)
		data = aad[:whole]
	}
	domainAAD.CascadeLast(&m.t, data, domainAADLast, aad[whole:])
}

// tag ends the cascade with what it has not taken yet of a ciphertext.
func (m *message) tag(ct []byte) [authenc.MaxTagSize]byte {
	whole := len(ct) / blockSize * blockSize
	domainText.CascadeLast(&m.t, ct[:whole], domainTextLast, ct[whole:])
	return m.t
}

func (m *message) Encrypt(dst, src []byte) {
	m.Decrypt(dst, src)
	m.Absorb(dst[:len(src)])
}

func (m *message) Decrypt(dst, src []byte) {
	dst, src = m.ks.Begin("saturnin", blockSize, math.MaxUint64, dst, src)
	if len(src) == 0 {
		return
	}
	whole := len(src) / blockSize * blockSize
	m.c.ctr.XORCounter(dst[:whole], src[:whole], m.ctr[:], counterStart, blockSize)
	if whole < len(src) {
		last := m.ks.Last[:blockSize]
		m.c.ctr.XORCounter(last, nil, m.ctr[:], counterStart, blockSize)
		subtle.XORBytes(dst[whole:], src[whole:], last)
	}
}

func (m *message) Absorb(ct []byte) {
	for run, ct := m.text.Next(ct, blockSize, 0); run != nil; run, ct = m.text.Next(ct, blockSize, 0) {
		domainText.Cascade(&m.t, run)
	}
}

func (m *message) Tag() [authenc.MaxTagSize]byte {
	return m.tag(m.text.Tail())
}
