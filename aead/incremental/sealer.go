package incremental

import (
	"crypto/cipher"
	"io"

	"xcipher/internal/authenc"
)

// NewSealer returns a writer that encrypts what is written to it and passes the
// ciphertext on to w at once, and the tag when it is closed. Together w gets what
// a.Seal(nil, nonce, plaintext, additionalData) returns. Close does not close w.
//
// If a Write fails, the message cannot be completed any more: all later calls
// return the same error, and Close writes no tag. Check the error of every Write
// and of io.Copy before Close: closing after a source that failed half-way would
// authenticate half a message.
//
// A sealer holds at most 64 KiB, whatever the length of the message. Neither nonce
// nor additionalData is kept. It is an error if a cannot work in pieces, or if
// the nonce does not fit. The writer is not safe for concurrent use.
func NewSealer(a cipher.AEAD, w io.Writer, nonce, additionalData []byte) (io.WriteCloser, error) {
	m, err := newMessage(a, nonce, additionalData)
	if err != nil {
		return nil, err
	}
	// Some AEADs refuse an empty message, which this is none yet.
	if err := m.check(1); err != nil {
		return nil, err
	}
	return &sealer{message: m, pieces: m.s.Begin(nonce, additionalData), w: w}, nil
}

type sealer struct {
	*message
	pieces authenc.Incremental
	w      io.Writer
	text   uint64 // bytes encrypted
	buf    []byte
	closed bool
	err    error
}

// Write implements io.Writer.
func (s *sealer) Write(p []byte) (n int, err error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.closed {
		return 0, errClosed
	}
	if s.err = s.check(max(1, s.text+uint64(len(p)))); s.err != nil {
		return 0, s.err
	}
	for len(p) > 0 && s.err == nil {
		piece := p[:min(len(p), chunkSize)]
		if len(s.buf) < len(piece) {
			s.buf = make([]byte, len(piece))
		}
		ct := s.buf[:len(piece)]
		s.pieces.Encrypt(ct, piece)
		s.text += uint64(len(piece))
		n += s.write(ct)
		p = p[len(piece):]
	}
	return n, s.err
}

// Close writes the tag. A second Close does nothing.
func (s *sealer) Close() error {
	if s.closed || s.err != nil {
		return s.err
	}
	if s.err = s.check(s.text); s.err != nil {
		return s.err
	}
	s.closed = true
	tag := s.pieces.Tag()
	s.write(tag[:s.p.Overhead])
	return s.err
}

// write passes b on, and keeps the error if that fails.
func (s *sealer) write(b []byte) int {
	n, err := s.w.Write(b)
	if n < len(b) && err == nil {
		err = io.ErrShortWrite
	}
	s.err = err
	return min(max(n, 0), len(b))
}
