// Package cfbmac is what the authenticated modes CLOC and SILC share: the message
// is encrypted with CFB whose feedback has one bit set, and its ciphertext goes
// through CBC-MAC. Both chains start from one block V, which stands for nonce and
// additional data, and run over the same block cipher, of which only the encryption
// is used.
//
// An Algorithm supplies what differs. One state machine serves whole messages and
// pieces.
package cfbmac

import (
	"sync"

	"xcipher/internal/authenc"
	"xcipher/internal/batch"
)

// MaxBlockSize is the largest block in bytes.
const MaxBlockSize = 16

// Algorithm is one mode. Blocks have m.Size() bytes.
type Algorithm interface {
	// Hash derives V from nonce and additional data, in m.V().
	Hash(m *Message, nonce, aad []byte)

	// Seed puts what the first calls of the two chains encrypt into m.S() and m.T().
	// It knows V alone.
	Seed(m *Message)

	// Finish leaves the tag in m.T(). Everything but last, the last block of
	// ciphertext, was absorbed; last is empty if the message is, and m.T() then
	// holds what Seed put there. length is that of the whole message in bytes.
	Finish(m *Message, last []byte, length uint64)
}

// mode is an Algorithm over a block cipher.
type mode struct {
	alg    Algorithm
	kernel batch.Kernel
	chain  batch.Chain
	both   macEncrypter // for blocks of 16 bytes
	cfb    cfbDecrypter // for blocks of 16 bytes; may be nil
	size   int          // of a block, in bytes
	fix    int          // the byte of a feedback block whose top bit is set
	top    [2]uint64    // that bit in 16 bytes of blocks
}

// Scheme is a mode as an authenc.Scheme and authenc.Beginner.
type Scheme struct{ mode }

// New returns the scheme. fix is the byte of a feedback block whose top bit is set.
// Blocks are 8 or 16 bytes long.
func New(alg Algorithm, k batch.Kernel, fix int) *Scheme {
	s := &Scheme{mode{alg: alg, kernel: k, chain: batch.ChainOf(k), both: macEncrypterOf(k), size: k.BlockSize(), fix: fix}}
	s.cfb, _ = k.(cfbDecrypter)
	s.top = topBits(s.size, fix)
	return s
}

// messages spares an allocation per call: the state is handed to interface
// methods, so it cannot be a local variable.
var messages = sync.Pool{New: func() any { return new(Message) }}

func get(s *Scheme) *Message {
	m := messages.Get().(*Message)
	m.mode, m.n = &s.mode, s.size
	return m
}

func put(m *Message) {
	*m = Message{}
	messages.Put(m)
}

// Seal encrypts and authenticates a message.
func (s *Scheme) Seal(dst, src, nonce, aad []byte) (tag [authenc.MaxTagSize]byte) {
	m := get(s)
	m.begin(nonce, aad)
	m.Encrypt(dst, src)
	tag = m.Tag()
	put(m)
	return tag
}

// Authenticate returns the tag of a ciphertext, and V.
func (s *Scheme) Authenticate(ct, nonce, aad []byte) (tag, carry [authenc.MaxTagSize]byte) {
	m := get(s)
	m.begin(nonce, aad)
	copy(carry[:], m.V())
	m.Absorb(ct)
	tag = m.Tag()
	put(m)
	return tag, carry
}

// Decrypt decrypts a message, given V.
func (s *Scheme) Decrypt(dst, ct, _ []byte, carry [authenc.MaxTagSize]byte) {
	m := get(s)
	copy(m.V(), carry[:])
	s.alg.Seed(m)
	m.Decrypt(dst, ct)
	put(m)
}

// Begin starts a message in pieces.
func (s *Scheme) Begin(nonce, aad []byte) authenc.Incremental {
	m := &Message{mode: &s.mode, n: s.size}
	m.begin(nonce, aad)
	return m
}
