package xcipher_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"sync"
)

// The record layer of TLS 1.3 (RFC 8446, section 5) over any connection and any
// AEAD, used as crypto/tls uses its own: sealed and opened in place, the header as
// additional data, nonces counted.
type recordConn struct {
	conn    net.Conn
	in, out *half
}

// A half is one direction.
type half struct {
	sync.Mutex
	aead cipher.AEAD
	iv   []byte // write_iv: NonceSize bytes
	seq  uint64
	buf  []byte // one record
}

const (
	headerSize     = 5
	maxPlaintext   = 1 << 14 // of one record; a content type and padding come on top
	typeAlert      = 21
	typeData       = 23
	alertWarning   = 1
	alertClose     = 0
	versionOnWire  = 0x0303
	maxInnerLength = maxPlaintext + 1
)

// newHalf derives key and IV from a traffic secret (section 7.3) with HKDF over a
// hash. expand is HKDF-Expand.
func newHalf(secret []byte, newHash func() hash.Hash, expand func(h func() hash.Hash, prk []byte, info string, n int) ([]byte, error),
	keySize int, newAEAD func(key []byte) (cipher.AEAD, error)) (*half, error) {
	label := func(name string, n int) ([]byte, error) {
		name = "tls13 " + name
		info := binary.BigEndian.AppendUint16(nil, uint16(n))
		info = append(info, byte(len(name)))
		info = append(info, name...)
		return expand(newHash, secret, string(append(info, 0)), n)
	}
	key, err := label("key", keySize)
	if err != nil {
		return nil, err
	}
	a, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	h := &half{aead: a, buf: make([]byte, headerSize+maxInnerLength+a.Overhead())}
	if n := a.NonceSize(); n > 0 {
		h.iv, err = label("iv", n)
	}
	return h, err
}

// next returns the nonce and the additional data for the next record. The nonce is
// the IV exclusive-ored with the sequence number, padded on the left (section 5.3).
// An AEAD that makes nonces by itself has the number in front of the additional
// data instead, as in TLS 1.2, or records could be replayed.
func (h *half) next(header []byte) (nonce, ad []byte, err error) {
	nonce, ad = bytes.Clone(h.iv), header
	n := len(nonce)
	if n == 0 {
		ad = append(binary.BigEndian.AppendUint64(nil, h.seq), header...)
	} else if n < 8 && h.seq>>(8*n) != 0 {
		return nil, nil, errors.New("sequence number does not fit the nonce")
	}
	for i := range min(n, 8) {
		nonce[n-1-i] ^= byte(h.seq >> (8 * i))
	}
	if h.seq++; h.seq == 0 {
		return nil, nil, errors.New("sequence number wraps")
	}
	return nonce, ad, nil
}

// writeRecord sends one record: the inner plaintext is data, its type and zeros.
func (c *recordConn) writeRecord(contentType byte, data []byte, padding int) error {
	h := c.out
	h.Lock()
	defer h.Unlock()
	inner := len(data) + 1 + padding
	record := h.buf[:headerSize+inner]
	record[0] = typeData
	binary.BigEndian.PutUint16(record[1:], versionOnWire)
	binary.BigEndian.PutUint16(record[3:], uint16(inner+h.aead.Overhead()))
	n := copy(record[headerSize:], data)
	record[headerSize+n] = contentType
	clear(record[headerSize+n+1:])
	nonce, ad, err := h.next(record[:headerSize])
	if err != nil {
		return err
	}
	sealed := h.aead.Seal(record[:headerSize], nonce, record[headerSize:], ad)
	if &sealed[0] != &h.buf[0] {
		return errors.New("Seal left the buffer although it has room")
	}
	_, err = c.conn.Write(sealed)
	return err
}

// Write sends p in records; nothing goes in an empty one.
func (c *recordConn) Write(p []byte) (n int, err error) {
	for {
		m := min(len(p), maxPlaintext)
		if err := c.writeRecord(typeData, p[:m], 0); err != nil {
			return n, err
		}
		n, p = n+m, p[m:]
		if len(p) == 0 {
			return n, nil
		}
	}
}

// readRecord returns the data of one record, valid until the next call, or io.EOF
// if the peer has closed in order. On any other error it closes the connection.
func (c *recordConn) readRecord() ([]byte, error) {
	c.in.Lock()
	defer c.in.Unlock()
	contentType, data, err := c.openRecord()
	switch {
	case err != nil:
	case contentType == typeData:
		return data, nil
	case contentType == typeAlert && bytes.Equal(data, []byte{alertWarning, alertClose}):
		return nil, io.EOF
	default:
		err = fmt.Errorf("unexpected content type %d", contentType)
	}
	c.conn.Close()
	return nil, fmt.Errorf("record layer: %w", err)
}

func (c *recordConn) openRecord() (contentType byte, data []byte, err error) {
	h := c.in
	header := h.buf[:headerSize]
	if _, err := io.ReadFull(c.conn, header); err == io.EOF {
		return 0, nil, io.ErrUnexpectedEOF // no close_notify: cut off
	} else if err != nil {
		return 0, nil, err
	}
	n := int(binary.BigEndian.Uint16(header[3:]))
	if header[0] != typeData || binary.BigEndian.Uint16(header[1:]) != versionOnWire || headerSize+n > len(h.buf) {
		return 0, nil, fmt.Errorf("bad header %x", header)
	}
	payload := h.buf[headerSize:][:n]
	if _, err := io.ReadFull(c.conn, payload); err != nil {
		return 0, nil, err
	}
	nonce, ad, err := h.next(header)
	if err != nil {
		return 0, nil, err
	}
	inner, err := h.aead.Open(payload[:0], nonce, payload, ad)
	if err != nil {
		return 0, nil, err
	}
	inner = bytes.TrimRight(inner, "\x00")
	if len(inner) == 0 {
		return 0, nil, errors.New("no content type")
	}
	last := len(inner) - 1
	return inner[last], inner[:last], nil
}

// Close says so to the peer, and closes.
func (c *recordConn) Close() error {
	return errors.Join(c.writeRecord(typeAlert, []byte{alertWarning, alertClose}, 0), c.conn.Close())
}
