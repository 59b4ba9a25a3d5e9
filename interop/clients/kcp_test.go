package clients

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xtaci/kcp-go/v5"
	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/aead/chachapoly"
	"xcipher/interop/tally"
)

// Nonces are random, packets are sealed and opened in place, several goroutines
// share the AEAD, and a packet that Seal moved would be a panic.
func TestKCP(t *testing.T) {
	for _, a := range aeads() {
		tally.Run(t, "kcp-go", a.Name, func(t *testing.T) {
			t.Parallel()
			key := random(a.KeySize)
			server := newAEAD(t, a.Name, key)
			echo(t, server, newAEAD(t, a.Name, key))
			refused(t, server, newAEAD(t, a.Name, random(a.KeySize)))
		})
	}
	tally.Run(t, "kcp-go", "chacha20-poly1305 to x/crypto", func(t *testing.T) {
		t.Parallel()
		key := random(chachapoly.KeySize)
		ours, err := chachapoly.New(key)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := chacha20poly1305.New(key)
		if err != nil {
			t.Fatal(err)
		}
		echo(t, theirs, ours)
		echo(t, ours, theirs)
		refused(t, theirs, newAEAD(t, "chacha8-poly1305", key))
	})
}

const patience = 20 * time.Second

func listen(t *testing.T, a cipher.AEAD) *kcp.Listener {
	t.Helper()
	l, err := kcp.ListenWithOptions("127.0.0.1:0", kcp.NewAEADCrypt(a), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func dial(t *testing.T, l *kcp.Listener, a cipher.AEAD) *kcp.UDPSession {
	t.Helper()
	s, err := kcp.DialWithOptions(l.Addr().String(), kcp.NewAEADCrypt(a), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	hurry(s)
	return s
}

// hurry has a session send at once.
func hurry(s *kcp.UDPSession) {
	s.SetNoDelay(1, 10, 2, 1)
	s.SetDeadline(time.Now().Add(patience))
}

// echo sends 100 kB from a client to a server, which sends them back.
func echo(t *testing.T, atServer, atClient cipher.AEAD) {
	t.Helper()
	text := random(100_000)
	l := listen(t, atServer)
	client := dial(t, l, atClient)
	go client.Write(text)
	l.SetDeadline(time.Now().Add(patience))
	server, err := l.AcceptKCP()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	hurry(server)
	go io.Copy(server, server)
	got := make([]byte, len(text))
	if _, err := io.ReadFull(client, got); err != nil || !bytes.Equal(got, text) {
		t.Fatalf("the text does not come back: %v", err)
	}
}

// refusals counts what Open refuses.
type refusals struct {
	cipher.AEAD
	n atomic.Int32
}

func (r *refusals) Open(dst, nonce, sealed, ad []byte) ([]byte, error) {
	text, err := r.AEAD.Open(dst, nonce, sealed, ad)
	if err != nil {
		r.n.Add(1)
	}
	return text, err
}

// refused sends to a server under another key: it must drop every packet.
func refused(t *testing.T, atServer, atClient cipher.AEAD) {
	t.Helper()
	dropped := refusals{AEAD: atServer}
	l := listen(t, &dropped)
	if _, err := dial(t, l, atClient).Write(random(100)); err != nil {
		t.Fatal(err)
	}
	l.SetDeadline(time.Now().Add(300 * time.Millisecond))
	if _, err := l.AcceptKCP(); err == nil {
		t.Error("a packet under another key was accepted")
	} else if e := net.Error(nil); !errors.As(err, &e) || !e.Timeout() {
		t.Errorf("error %v, want a timeout", err)
	}
	if dropped.n.Load() == 0 {
		t.Error("no packet arrived")
	}
}
