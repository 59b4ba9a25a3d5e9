package chacha

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"golang.org/x/crypto/chacha20"
)

// BenchmarkNew is a message with its set-up, BenchmarkXORKeyStream a long-lived
// stream; x/crypto stands beside ours.
func BenchmarkNew(b *testing.B) {
	key := make([]byte, KeySize)
	for _, n := range []int{64, 256, 1024, 8192} {
		buf := make([]byte, n)
		run := func(name string, nonceSize int, f func(nonce []byte)) {
			b.Run(fmt.Sprintf("size=%d/%s", n, name), func(b *testing.B) {
				nonce := make([]byte, nonceSize)
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					f(nonce)
				}
			})
		}
		run("chacha20", 12, func(nonce []byte) { s, _ := New20(key, nonce); s.XORKeyStream(buf, buf) })
		run("xcrypto20", 12, func(nonce []byte) { s, _ := chacha20.NewUnauthenticatedCipher(key, nonce); s.XORKeyStream(buf, buf) })
		run("xchacha20", 24, func(nonce []byte) { s, _ := New20(key, nonce); s.XORKeyStream(buf, buf) })
		run("xcryptoX20", 24, func(nonce []byte) { s, _ := chacha20.NewUnauthenticatedCipher(key, nonce); s.XORKeyStream(buf, buf) })
		run("chacha12", 12, func(nonce []byte) { s, _ := New12(key, nonce); s.XORKeyStream(buf, buf) })
		run("chacha8", 12, func(nonce []byte) { s, _ := New8(key, nonce); s.XORKeyStream(buf, buf) })
	}
}

func BenchmarkXORKeyStream(b *testing.B) {
	key, nonce := make([]byte, KeySize), make([]byte, NonceSize)
	theirs := func(key, nonce []byte) (cipher.Stream, error) { return chacha20.NewUnauthenticatedCipher(key, nonce) }
	for _, n := range []int{16, 64, 1024, 8192, 65536} {
		for _, c := range []struct {
			name string
			new  func(key, nonce []byte) (cipher.Stream, error)
		}{{"chacha20", New20}, {"xcrypto20", theirs}, {"chacha12", New12}, {"chacha8", New8}} {
			b.Run(fmt.Sprintf("size=%d/%s", n, c.name), func(b *testing.B) {
				buf := make([]byte, n)
				s, err := c.new(key, nonce)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for done := 0; b.Loop(); done += n {
					if done > 1<<30 { // long before the counter of 32 bits ends
						s, _ = c.new(key, nonce)
						done = 0
					}
					s.XORKeyStream(buf, buf)
				}
			})
		}
	}
}
