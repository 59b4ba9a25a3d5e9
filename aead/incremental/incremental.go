// Package incremental seals and opens messages that do not fit in memory, with
// any AEAD of this module that can work in pieces: those of packages mgm, cloc,
// cloc/hutorny, silc, chachapoly, and saturnin's CTR-Cascade. The bytes are those
// of Seal and Open: either side may use the whole message, or other pieces.
//
// To open a message its tag, which comes last, must be known before the first
// byte of plaintext may be trusted. So an opener reads its source twice, and
// needs one that can seek. Where the source is a pipe or a network connection, use
// a format of many small messages instead, such as that of
// github.com/secure-io/sio-go, with an AEAD of this module; it fits also where
// only a part of a large file is wanted.
//
// Nonces and limits are those of the AEAD. All is as constant-time as the AEAD.
package incremental

import (
	"crypto/cipher"
	"errors"
	"fmt"

	"xcipher/internal/authenc"
)

const name = "incremental"

// chunkSize is how many bytes are worked on at a time, at least.
const chunkSize = 64 << 10

var (
	errPieces = errors.New(name + ": this AEAD cannot work in pieces")
	errClosed = errors.New(name + ": write after Close")
)

// message is what sealer and opener know of an AEAD and a nonce.
type message struct {
	p     *authenc.Params
	s     authenc.Beginner
	nonce []byte
	aad   uint64 // bytes of additional data
}

func newMessage(a cipher.AEAD, nonce, additionalData []byte) (*message, error) {
	s, p, ok := authenc.Of(a)
	if !ok {
		return nil, errPieces
	}
	b, ok := s.(authenc.Beginner)
	if !ok {
		return nil, errPieces
	}
	if len(nonce) != p.NonceSize {
		return nil, fmt.Errorf("%s: invalid nonce size %d, must be %d", name, len(nonce), p.NonceSize)
	}
	return &message{p, b, append([]byte(nil), nonce...), uint64(len(additionalData))}, nil
}

// check asks the AEAD whether it takes a message of so many bytes.
func (m *message) check(text uint64) error {
	if m.p.Check == nil {
		return nil
	}
	if refusal := m.p.Check(m.nonce, text, m.aad); refusal != "" {
		return errors.New(m.p.Name + ": " + refusal)
	}
	return nil
}
