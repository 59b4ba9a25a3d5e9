package clients

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/shadowsocks/go-shadowsocks2/shadowaead"
	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/aead/chachapoly"
	"xcipher/interop/tally"
)

// messages are 300 records and more, two nonces each: the counter, which starts
// in the first byte of the nonce, passes 128 (the bit that plain MGM refuses) and
// carries into the second byte. The longest is cut in several records.
func messages() (all [][]byte) {
	for i := range 300 {
		all = append(all, random(1+i*5))
	}
	return append(all, random(50000))
}

func TestShadowAEAD(t *testing.T) {
	for _, a := range aeads() {
		tally.Run(t, "shadowaead", a.Name, func(t *testing.T) {
			shadow(t, newAEAD(t, a.Name, random(a.KeySize)), nil)
		})
	}
	tally.Run(t, "shadowaead", "chacha20-poly1305 to x/crypto", func(t *testing.T) {
		key := random(chachapoly.KeySize)
		ours, err := chachapoly.New(key)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := chacha20poly1305.New(key)
		if err != nil {
			t.Fatal(err)
		}
		shadow(t, ours, theirs)
	})
}

// shadow sends messages over a connection, from a to b. If b is nil it is a.
func shadow(t *testing.T, a, b cipher.AEAD) {
	if b == nil {
		b = a
	}
	all := messages()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	done := make(chan error, 1)
	go func() {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			done <- err
			return
		}
		defer conn.Close()
		w := shadowaead.NewWriter(conn, a)
		for _, m := range all {
			if _, err := w.Write(m); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var sealed bytes.Buffer
	got, err := io.ReadAll(shadowaead.NewReader(io.TeeReader(conn, &sealed), b))
	if err := errors.Join(err, <-done); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, bytes.Join(all, nil)) {
		t.Error("the messages do not come back")
	}

	for range 20 {
		if _, err := io.ReadAll(shadowaead.NewReader(bytes.NewReader(flip(sealed.Bytes())), b)); err == nil {
			t.Error("a flipped bit was accepted")
		}
	}
	second := 2 + a.Overhead() + len(all[0]) + a.Overhead()
	if _, err := io.ReadAll(shadowaead.NewReader(bytes.NewReader(sealed.Bytes()[second:]), b)); err == nil {
		t.Error("a record was accepted in place of the one before it")
	}
}
