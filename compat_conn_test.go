package xcipher_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	xhkdf "golang.org/x/crypto/hkdf"

	"xcipher/aead/randnonce"
	"xcipher/hash/streebog"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// secrets are those of one connection: of the client's and the server's traffic.
type secrets [2][]byte

func newSecrets() (s secrets) {
	for i := range s {
		s[i] = make([]byte, 32)
		rand.Read(s[i])
	}
	return s
}

// client has the AEAD of the catalog; its keys come from crypto/hkdf.
func (s secrets) client(t *testing.T, conn net.Conn, a catalog.Algorithm, wrap wrapper) *recordConn {
	t.Helper()
	newAEAD := func(key []byte) (cipher.AEAD, error) {
		c, err := catalog.NewAEAD(a.Name, key)
		return wrap(c), err
	}
	return s.conn(t, conn, 0, a.KeySize, newAEAD, hkdf.Expand[hash.Hash])
}

// server has the same AEAD by another road; its keys come from x/crypto.
func (s secrets) server(t *testing.T, conn net.Conn, a catalog.Algorithm, wrap wrapper) *recordConn {
	t.Helper()
	newAEAD := func(key []byte) (cipher.AEAD, error) { return wrap(otherAEAD(t, a.Name, key)), nil }
	expand := func(h func() hash.Hash, prk []byte, info string, n int) ([]byte, error) {
		out := make([]byte, n)
		_, err := io.ReadFull(xhkdf.Expand(h, prk, []byte(info)), out)
		return out, err
	}
	return s.conn(t, conn, 1, a.KeySize, newAEAD, expand)
}

func (s secrets) conn(t *testing.T, conn net.Conn, side, keySize int, newAEAD func([]byte) (cipher.AEAD, error),
	expand func(func() hash.Hash, []byte, string, int) ([]byte, error)) *recordConn {
	t.Helper()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	t.Cleanup(func() { conn.Close() })
	out := must(newHalf(s[side], streebog.New256, expand, keySize, newAEAD))(t)
	in := must(newHalf(s[1-side], streebog.New256, expand, keySize, newAEAD))(t)
	return &recordConn{conn, in, out}
}

// A wrapper is put around an AEAD on both sides.
type wrapper func(cipher.AEAD) cipher.AEAD

func bare(a cipher.AEAD) cipher.AEAD { return a }

// transports return the two ends of a connection.
var transports = []struct {
	name string
	dial func(t *testing.T) (client, server net.Conn)
}{
	{"pipe", func(*testing.T) (client, server net.Conn) { return net.Pipe() }},
	{"tcp", func(t *testing.T) (client, server net.Conn) {
		l := must(net.Listen("tcp", "127.0.0.1:0"))(t)
		defer l.Close()
		accepted := make(chan error, 1)
		go func() {
			var err error
			server, err = l.Accept()
			accepted <- err
		}()
		client = must(net.Dial("tcp", l.Addr().String()))(t)
		if err := <-accepted; err != nil {
			t.Fatal(err)
		}
		return client, server
	}},
}

// eachConn runs f over every AEAD that a record layer can have, bare and, where it
// fits, with random nonces, and over every transport.
func eachConn(t *testing.T, f func(t *testing.T, a catalog.Algorithm, wrap wrapper, dial func(*testing.T) (client, server net.Conn))) {
	each(t, catalog.AEAD, func(t *testing.T, a catalog.Algorithm) {
		if a.NoAAD {
			c := must(catalog.NewAEAD(a.Name, make([]byte, a.KeySize)))(t)
			conform.MustPanic(t, "additional data", func() { // the header of a record
				c.Seal(nil, make([]byte, c.NonceSize()), nil, make([]byte, headerSize))
			})
			return
		}
		for _, tr := range transports {
			t.Run(tr.name, func(t *testing.T) { f(t, a, bare, tr.dial) })
		}
		if a.NonceSizes[0] >= 12 {
			random := func(a cipher.AEAD) cipher.AEAD { return must(randnonce.New(a))(t) }
			t.Run("randnonce", func(t *testing.T) { f(t, a, random, transports[0].dial) })
		}
	})
}

// messages are what each side sends: the shortest and longest records, others,
// and one that takes three.
func messages(t *testing.T) [][]byte {
	rng := conform.Rand(t)
	sizes := []int{0, 1, maxPlaintext, 100, 0, 2*maxPlaintext + 1}
	if testing.Short() {
		sizes = sizes[:4]
	}
	var m [][]byte
	for _, n := range sizes {
		m = append(m, random(rng, n))
	}
	return m
}

func TestRecords(t *testing.T) {
	eachConn(t, func(t *testing.T, a catalog.Algorithm, wrap wrapper, dial func(*testing.T) (client, server net.Conn)) {
		c, s := dial(t)
		keys := newSecrets()
		client, server := keys.client(t, c, a, wrap), keys.server(t, s, a, wrap)
		upward, downward := messages(t), messages(t)
		var wg sync.WaitGroup
		run := func(what string, f func() error) {
			wg.Go(func() {
				if err := f(); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			})
		}
		var received sync.WaitGroup // nobody closes before both have read all
		received.Add(2)
		for _, end := range []struct {
			name       string
			conn       *recordConn
			send, want [][]byte
		}{{"client", client, upward, downward}, {"server", server, downward, upward}} {
			run(end.name+" sends", func() error {
				for _, m := range end.send {
					if n, err := end.conn.Write(m); n != len(m) || err != nil {
						return fmt.Errorf("%d of %d bytes: %w", n, len(m), err)
					}
				}
				return end.conn.writeRecord(typeData, []byte("padded\x00"), 200)
			})
			run(end.name+" receives", func() error {
				defer received.Done()
				return receive(end.conn, append(end.want, []byte("padded\x00")))
			})
		}
		received.Wait()
		run("client closes", client.Close)
		if _, err := server.readRecord(); err != io.EOF {
			t.Errorf("after the client has closed: %v", err)
		}
		wg.Wait()
	})
}

// receive reads messages, each from as many records as it takes.
func receive(c *recordConn, want [][]byte) error {
	for _, m := range want {
		for first := true; first || len(m) > 0; first = false {
			got, err := c.readRecord()
			if err != nil {
				return err
			}
			n := min(len(m), maxPlaintext)
			if !bytes.Equal(got, m[:n]) {
				return fmt.Errorf("a record of %d bytes is wrong", n)
			}
			m = m[n:]
		}
	}
	return nil
}

// A forger sits between the record layer and the connection and changes the
// second record.
type forger struct {
	net.Conn
	forge func(records [][]byte) []byte // what to send instead of the last one
	seen  [][]byte
}

func (f *forger) Write(p []byte) (int, error) {
	f.seen = append(f.seen, bytes.Clone(p))
	if len(f.seen) == 2 {
		p = f.forge(f.seen)
	}
	_, err := f.Conn.Write(p)
	return len(p), err
}

// changed changes one byte, counted from the end of the record if at is negative.
func changed(at int, mask byte) func(records [][]byte) []byte {
	return func(records [][]byte) []byte {
		r := bytes.Clone(records[1])
		r[(at+len(r))%len(r)] ^= mask
		return r
	}
}

var forgeries = map[string]func(records [][]byte) []byte{
	"first byte":   changed(headerSize, 0x40),
	"last byte":    changed(-1, 1),
	"content type": changed(0, 1),
	"version":      changed(2, 1),
	"too long":     changed(3, 0xff),
	"replayed":     func(records [][]byte) []byte { return records[0] },
	"shorter than a tag": func([][]byte) []byte {
		return []byte{typeData, 3, 3, 0, 1, 0}
	},
	"one byte less": func(records [][]byte) []byte {
		r := bytes.Clone(records[1])
		r[4]--
		return r[:len(r)-1]
	},
}

func TestWrongRecords(t *testing.T) {
	eachConn(t, func(t *testing.T, a catalog.Algorithm, wrap wrapper, dial func(*testing.T) (client, server net.Conn)) {
		for name, forge := range forgeries {
			c, s := dial(t)
			keys := newSecrets()
			client := keys.client(t, &forger{Conn: c, forge: forge}, a, wrap)
			server := keys.server(t, s, a, wrap)
			sent := make(chan error, 1)
			go func() {
				_, err := client.Write([]byte("one"))
				client.Write([]byte("two")) // which may find the connection closed
				sent <- err
			}()
			if got, err := server.readRecord(); err != nil || string(got) != "one" {
				t.Errorf("%s: the record before: %q, %v", name, got, err)
			}
			if got, err := server.readRecord(); err == nil || err == io.EOF {
				t.Errorf("%s: the server reads %q, %v", name, got, err)
			}
			if got, err := client.readRecord(); err == nil || err == io.EOF {
				t.Errorf("%s: the client reads %q, %v", name, got, err)
			}
			if err := <-sent; err != nil {
				t.Errorf("%s: the record before: %v", name, err)
			}
			for side, conn := range map[string]*recordConn{"client": client, "server": server} {
				if _, err := conn.Write([]byte("more")); !errors.Is(err, net.ErrClosed) && !errors.Is(err, io.ErrClosedPipe) {
					t.Errorf("%s: the %s is not closed: Write says %v", name, side, err)
				}
			}
		}
	})
}

// Nonces of 7 bytes hold no sequence number of 64 bits: it stops, and does not wrap.
func TestRecordNonce(t *testing.T) {
	iv := bytes.Repeat([]byte{0xf0}, 24)
	for _, c := range []struct {
		size int
		seq  uint64
		want string
	}{
		{12, 0, "f0f0f0f0f0f0f0f0f0f0f0f0"},
		{12, 0x0102030405060708, "f0f0f0f0f1f2f3f4f5f6f7f8"},
		{16, 0xff, "f0f0f0f0f0f0f0f0f0f0f0f0f0f0f00f"},
		{8, 1 << 63, "70f0f0f0f0f0f0f0"},
		{7, 1<<56 - 1, "0f0f0f0f0f0f0f"},
		{7, 1 << 56, ""},
		{12, 1<<64 - 1, ""},
		{0, 5, ""},
	} {
		h := &half{iv: iv[:c.size], seq: c.seq}
		got, _, err := h.next(nil)
		if hex.EncodeToString(got) != c.want || (err != nil) != (c.want == "" && c.size > 0) {
			t.Errorf("%d bytes, record %d: %x, %v", c.size, c.seq, got, err)
		}
	}
}
