package interop

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"testing"

	aeadstream "github.com/aead/chacha20"
	aeadrounds "github.com/aead/chacha20/chacha"
	aeadpoly "github.com/aead/chacha20poly1305"
	"golang.org/x/crypto/chacha20"

	"xcipher/aead/chachapoly"
	"xcipher/aead/incremental"
	"xcipher/block/gost3413"
	"xcipher/interop/tally"
	"xcipher/stream/chacha"
)

// These tests hold docs/migrating.md to what other libraries do.

// made ends the test if a constructor fails.
func made[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// gamma returns the first n bytes of a key stream.
func gamma(s cipher.Stream, n int) []byte {
	out := make([]byte, n)
	s.XORKeyStream(out, out)
	return out
}

// panics returns what f panics with.
func panics(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func TestMigratingFromAead(t *testing.T) {
	stream, aead := made[cipher.Stream](t), made[cipher.AEAD](t)
	key, nonce, text := random(32), random(24), random(5000)
	run := func(name string, f func(t *testing.T)) { tally.Run(t, "aead", name, f) }

	run("argument order", func(t *testing.T) {
		for _, n := range []int{8, 12, 24} {
			same(t, gamma(stream(chacha.New20(key, nonce[:n])), 100), gamma(stream(aeadstream.NewCipher(nonce[:n], key)), 100), "nonce of %d bytes", n)
			if _, err := chacha.New20(nonce[:n], key); err == nil {
				t.Error("a nonce was taken for a key")
			}
		}
	})
	run("rounds of HChaCha", func(t *testing.T) {
		for rounds, newStream := range map[int]func(key, nonce []byte) (cipher.Stream, error){8: chacha.New8, 12: chacha.New12, 20: chacha.New20} {
			theirs := made[*aeadrounds.Cipher](t)(aeadrounds.NewCipher(nonce, key, rounds))
			subkey := made[[]byte](t)(chacha.HChaCha(20, key, nonce[:16]))
			same(t, gamma(stream(newStream(subkey, nonce[16:])), 100), gamma(theirs, 100), "%d rounds", rounds)
		}
	})
	run("last block", func(t *testing.T) {
		theirs := made[*aeadrounds.Cipher](t)(aeadrounds.NewCipher(nonce[:12], key, 20))
		theirs.SetCounter(1<<32 - 1)
		if panics(func() { gamma(theirs, 64) }) == "" {
			t.Error("aead has the last block now")
		}
		gamma(stream(chacha.NewWithCounter(20, key, nonce[:12], 1<<32-1)), 64)
	})
	run("overlap", func(t *testing.T) {
		b := make([]byte, 100)
		theirs := stream(aeadstream.NewCipher(nonce, key))
		if s := panics(func() { theirs.XORKeyStream(b[1:], b[:99]) }); s != "" {
			t.Errorf("aead panics now: %s", s)
		}
		ours := stream(chacha.New20(key, nonce))
		if panics(func() { ours.XORKeyStream(b[1:], b[:99]) }) == "" {
			t.Error("ours does not panic")
		}
	})
	run("AEADs", func(t *testing.T) {
		for _, n := range []int{12, 24} {
			ours, theirs := aead(chachapoly.New(key)), aead(aeadpoly.NewIETFCipher(key))
			if n == 24 {
				ours, theirs = aead(chachapoly.NewX(key)), aead(aeadpoly.NewXCipher(key))
			}
			same(t, ours.Seal(nil, nonce[:n], text, key), theirs.Seal(nil, nonce[:n], text, key), "nonce of %d bytes", n)
		}
		short := aead(aeadpoly.NewCipher(key)).Seal(nil, nonce[:8], text, key)
		same(t, aead(chachapoly.New(key)).Seal(nil, append(make([]byte, 4), nonce[:8]...), text, key), short, "nonce of 8 bytes")
	})
	run("EncryptWriter", func(t *testing.T) {
		var theirs, ours bytes.Buffer
		written := bytes.Clone(text)
		w, err := aeadpoly.EncryptWriter(&theirs, key, nonce)
		if err != nil {
			t.Fatal(err)
		}
		s, err := incremental.NewSealer(aead(chachapoly.NewX(key)), &ours, nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range [][2]int{{0, 777}, {777, len(text)}} {
			if _, err := w.Write(written[part[0]:part[1]]); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Write(text[part[0]:part[1]]); err != nil {
				t.Fatal(err)
			}
		}
		if w.Close() != nil || s.Close() != nil {
			t.Fatal("a writer does not close")
		}
		same(t, ours.Bytes(), theirs.Bytes(), "%d bytes", len(text))
		same(t, written, theirs.Bytes()[:len(text)], "what was written to aead")
	})
}

func TestMigratingFromXCrypto(t *testing.T) {
	stream := made[cipher.Stream](t)
	key, nonce := random(32), random(24)
	for _, n := range []int{12, 24} {
		tally.Run(t, "x/crypto", fmt.Sprintf("nonce of %d bytes", n), func(t *testing.T) {
			theirs := made[*chacha20.Cipher](t)(chacha20.NewUnauthenticatedCipher(key, nonce[:n]))
			theirs.SetCounter(5)
			same(t, gamma(stream(chacha.NewWithCounter(20, key, nonce[:n], 5)), 100), gamma(theirs, 100), "from block 5")
			theirs.SetCounter(1<<32 - 1)
			if panics(func() { gamma(theirs, 65) }) == "" {
				t.Error("x/crypto counts on after 256 GiB now")
			}
		})
	}
	tally.Run(t, "x/crypto", "HChaCha20", func(t *testing.T) {
		bytesOf := made[[]byte](t)
		same(t, bytesOf(chacha.HChaCha(20, key, nonce[:16])), bytesOf(chacha20.HChaCha20(key, nonce[:16])), "subkey")
	})
}

// openssl enc takes IVs of any length for half a block.
func TestMigratingFromEngine(t *testing.T) {
	for _, c := range gostCiphers {
		tally.Run(t, "gost-engine", c.name+"-ctr cuts and pads its IV", func(t *testing.T) {
			key, text := random(32), random(100)
			block, err := c.new(key)
			if err != nil {
				t.Fatal(err)
			}
			iv := random(block.BlockSize())
			half := len(iv) / 2
			for _, n := range []int{half - 1, half, len(iv)} {
				theirs := gost(t, text, "enc", "-e", "-"+c.name+"-ctr", "-K", hex.EncodeToString(key), "-iv", hex.EncodeToString(iv[:n]))
				used := make([]byte, half)
				copy(used, iv[:n])
				got := bytes.Clone(text)
				gost3413.NewCTR(block, used).XORKeyStream(got, got)
				same(t, got, theirs, "IV of %d bytes", n)
				if n != half && panics(func() { gost3413.NewCTR(block, iv[:n]) }) == "" {
					t.Errorf("an IV of %d bytes is taken", n)
				}
			}
		})
	}
}
