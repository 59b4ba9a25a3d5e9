package incremental

import (
	"crypto/cipher"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"

	"xcipher/internal/authenc"
)

// NewOpener verifies a ciphertext and its tag, which are what r holds from its
// present position to its end, and returns a reader of the plaintext. If they do
// not verify it returns the error that a.Open would, and nil.
//
// r is read twice: now to verify, and later to decrypt. In between a digest is
// kept of each chunk, 64 KiB or more, and no chunk is decrypted that differs from
// the verified one. If one does, or if r has become longer or shorter, reading
// ends with an error that wraps the one of a.Open; what was returned before is
// part of the authentic message. Nothing else may move r until the reader is done.
//
// Chunks and digests together take less than 16 MiB for sources of up to 2 TiB,
// 2 MiB for 1 GiB. Neither nonce nor additionalData is kept. It is an error if a
// cannot work in pieces, or if the nonce does not fit. The reader is not safe for
// concurrent use.
func NewOpener(a cipher.AEAD, r io.ReadSeeker, nonce, additionalData []byte) (io.Reader, error) {
	m, err := newMessage(a, nonce, additionalData)
	if err != nil {
		return nil, err
	}
	start, size, err := extent(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if size < int64(m.p.Overhead) {
		return nil, m.p.Err
	}
	text := size - int64(m.p.Overhead)
	if m.check(uint64(text)) != nil {
		return nil, m.p.Err
	}
	o := &opener{message: m, r: r, left: text, size: chunkFor(text)}
	if err := o.verify(m.s.Begin(nonce, additionalData)); err != nil {
		return nil, err
	}
	if _, err := r.Seek(start, io.SeekStart); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	o.left = text
	o.pieces = m.s.Begin(nonce, additionalData)
	return o, nil
}

// extent tells where r stands, and how many bytes follow.
func extent(r io.Seeker) (start, size int64, err error) {
	if start, err = r.Seek(0, io.SeekCurrent); err != nil {
		return 0, 0, err
	}
	end, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, 0, err
	}
	_, err = r.Seek(start, io.SeekStart)
	return start, end - start, err
}

// chunkFor returns the size of chunks for a text of so many bytes: as small as
// it can be while the digests take no more room than a chunk or 8 MiB.
func chunkFor(text int64) int64 {
	chunk := int64(chunkSize)
	for text/chunk*sha256.Size > max(chunk, 8<<20) {
		chunk *= 2
	}
	return chunk
}

type opener struct {
	*message
	r       io.Reader
	pieces  authenc.Incremental
	left    int64 // bytes of text that are not read yet
	size    int64 // bytes of text in a chunk, but for the last
	digests [][sha256.Size]byte
	chunk   []byte
	plain   []byte // what of chunk is decrypted and not returned yet
	done    bool   // the last chunk was read
	err     error
}

// verify is the first pass.
func (o *opener) verify(pieces authenc.Incremental) error {
	for {
		text, tag, err := o.next()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if n := len(o.digests); n == cap(o.digests) {
			// At most as many as there are, unlike append.
			all := int64(n) + o.left/o.size + 2
			o.digests = append(make([][sha256.Size]byte, 0, min(all, max(2*int64(n), 64))), o.digests...)
		}
		o.digests = append(o.digests, sha256.Sum256(o.chunk[:len(text)+len(tag)]))
		pieces.Absorb(text)
		if tag == nil {
			continue
		}
		want := pieces.Tag()
		if subtle.ConstantTimeCompare(want[:len(tag)], tag) != 1 {
			return o.p.Err
		}
		return nil
	}
}

// errLonger is for a source that goes on after its end.
var errLonger = errors.New("source is longer than it was")

// next reads the next chunk. The last one has the tag behind it, and there is
// always one that has, even if it has no text.
func (o *opener) next() (text, tag []byte, err error) {
	n := min(o.left, o.size)
	o.left -= n
	length := n
	if o.left == 0 {
		length += int64(o.p.Overhead)
	}
	read, err := o.fill(length)
	if err != nil {
		return nil, nil, err
	}
	if o.left > 0 {
		return read, nil, nil
	}
	var more [1]byte
	switch k, err := io.ReadFull(o.r, more[:]); {
	case k > 0:
		return nil, nil, errLonger
	case err != io.EOF:
		return nil, nil, err
	}
	return read[:n], read[n:], nil
}

// fill reads n bytes to the start of o.chunk, which grows as they come: the size that
// a source claims to have may be anything, for a directory for example.
func (o *opener) fill(n int64) ([]byte, error) {
	for have := int64(0); have < n; {
		if have == int64(len(o.chunk)) {
			o.chunk = append(make([]byte, 0, min(n, max(2*have, chunkSize))), o.chunk...)
			o.chunk = o.chunk[:cap(o.chunk)]
		}
		k, err := io.ReadFull(o.r, o.chunk[have:min(n, int64(len(o.chunk)))])
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		have += int64(k)
	}
	return o.chunk[:n], nil
}

// Read implements io.Reader.
func (o *opener) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(o.plain) == 0 && o.err == nil {
		o.err = o.decrypt()
	}
	if len(o.plain) == 0 {
		return 0, o.err
	}
	n := copy(p, o.plain)
	o.plain = o.plain[n:]
	return n, nil
}

// decrypt is the second pass, one chunk of it.
func (o *opener) decrypt() error {
	if o.done {
		return io.EOF
	}
	text, tag, err := o.next()
	switch {
	case err == errLonger || errors.Is(err, io.ErrUnexpectedEOF):
		return o.changed()
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	if digest := sha256.Sum256(o.chunk[:len(text)+len(tag)]); digest != o.digests[0] {
		return o.changed()
	}
	o.digests = o.digests[1:]
	o.done = tag != nil
	o.pieces.Decrypt(text, text)
	o.plain = text
	return nil
}

func (o *opener) changed() error {
	return fmt.Errorf("%s: source changed after it was verified: %w", name, o.p.Err)
}
