package interop

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"testing"

	"xcipher/aead/chachapoly"
	"xcipher/internal/catalog"
	"xcipher/interop/tally"
	"xcipher/stream/chacha"
)

// chachaCase is a nonce and a counter to start from.
type chachaCase struct {
	nonce   []byte
	counter uint64
}

// iv is the last row of the state: 4 or 8 bytes of counter, little-endian, then
// the nonce of 12 or 8.
func (c chachaCase) iv() []byte {
	counter := binary.LittleEndian.AppendUint64(nil, c.counter)
	return append(counter[:16-len(c.nonce)], c.nonce...)
}

// chachaCases start at zero, at random, and so that n bytes end right at the limit
// of 32 bits. The counter of 64 bits also passes it, and ends at its own.
func chachaCases(nonceSize, n int) (cases []chachaCase) {
	blocks := max(1, uint64(n+63)/64)
	counters := []uint64{0, binary.LittleEndian.Uint64(random(8)) % (1<<32 - blocks), 1<<32 - blocks}
	if nonceSize != 12 {
		counters[1] = binary.LittleEndian.Uint64(random(8)) % (1<<63 - blocks)
		counters = append(counters, 1<<32-blocks/2-1, -blocks)
	}
	for _, c := range counters {
		cases = append(cases, chachaCase{random(nonceSize), c})
	}
	return cases
}

// chachaStream compares streams.
func chachaStream(t *testing.T, rounds, nonceSize int, theirs func(key, text []byte, c chachaCase) []byte) {
	t.Helper()
	for _, n := range []int{0, 1, 64, 65, 1000, 65537} {
		for _, c := range chachaCases(nonceSize, n) {
			key, text, got := random(32), random(n), make([]byte, n)
			s, err := chacha.NewWithCounter(rounds, key, c.nonce, c.counter)
			if err != nil {
				t.Fatal(err)
			}
			s.XORKeyStream(got, text)
			same(t, got, theirs(key, text, c), "%d bytes from counter %d", n, c.counter)
		}
	}
}

func TestChaCha(t *testing.T) {
	for _, nonceSize := range []int{8, 12} {
		name := fmt.Sprintf("chacha20 nonce %d", nonceSize)
		tally.Run(t, "openssl", name, func(t *testing.T) {
			chachaStream(t, 20, nonceSize, func(key, text []byte, c chachaCase) []byte {
				return run(t, text, "openssl", "enc", "-e", "-chacha20", "-K", hex.EncodeToString(key), "-iv", hex.EncodeToString(c.iv()))
			})
		})
		tally.Run(t, "libgcrypt", name, func(t *testing.T) {
			chachaStream(t, 20, nonceSize, func(key, text []byte, c chachaCase) []byte {
				return gcrypt.run(t, text, "chacha20", key, c.iv())
			})
		})
		tally.Run(t, "GnuTLS", name, func(t *testing.T) {
			chachaStream(t, 20, nonceSize, func(key, text []byte, c chachaCase) []byte {
				return gnutls.run(t, text, fmt.Sprintf("chacha20-%d", 8*(16-nonceSize)), key, c.iv())
			})
		})
	}
	for _, nonceSize := range []int{8, 12, 24} {
		tally.Run(t, "libsodium", fmt.Sprintf("chacha20 nonce %d", nonceSize), func(t *testing.T) {
			chachaStream(t, 20, nonceSize, func(key, text []byte, c chachaCase) []byte {
				return sodium.run(t, text, "chacha20", key, c.nonce, binary.LittleEndian.AppendUint64(nil, c.counter))
			})
		})
		for _, rounds := range []int{8, 12, 20} {
			tally.Run(t, "libbotan", fmt.Sprintf("chacha%d nonce %d", rounds, nonceSize), func(t *testing.T) {
				for _, n := range lengths {
					key, nonce, text, got := random(32), random(nonceSize), random(n), make([]byte, n)
					s, err := chacha.NewWithCounter(rounds, key, nonce, 0)
					if err != nil {
						t.Fatal(err)
					}
					s.XORKeyStream(got, text)
					same(t, got, botan.run(t, text, fmt.Sprintf("ChaCha(%d)", rounds), key, nonce), "%d bytes", n)
				}
			})
		}
	}
	tally.Run(t, "libsodium", "hchacha20", func(t *testing.T) {
		for range 20 {
			key, nonce := random(32), random(16)
			got, err := chacha.HChaCha(20, key, nonce)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, sodium.run(t, nonce, "hchacha20", key), "HChaCha20")
		}
	})
}

func TestChaChaPoly(t *testing.T) {
	for _, c := range []struct {
		who  string
		peer peer
		name string // theirs
		ours string
	}{
		{"libsodium", sodium, "chacha20-poly1305", "chacha20-poly1305"},
		{"libsodium", sodium, "xchacha20-poly1305", "xchacha20-poly1305"},
		{"GnuTLS", gnutls, "chacha20-poly1305", "chacha20-poly1305"},
		{"libgcrypt", gcrypt, "chacha20-poly1305", "chacha20-poly1305"},
		{"libbotan", botan, "ChaCha20Poly1305", "chacha20-poly1305"},
		{"libbotan", botan, "ChaCha20Poly1305", "xchacha20-poly1305"},
	} {
		tally.Run(t, c.who, c.ours, func(t *testing.T) {
			for i, n := range lengths {
				key := random(chachapoly.KeySize)
				a, err := catalog.NewAEAD(c.ours, key)
				if err != nil {
					t.Fatal(err)
				}
				nonce, text, ad := random(a.NonceSize()), random(n), random(i*i)
				theirs := c.peer.run(t, text, c.name, key, nonce, ad)
				same(t, a.Seal(nil, nonce, text, ad), theirs, "%d bytes", n)
				back, err := a.Open(nil, nonce, theirs, ad)
				if err != nil {
					t.Error(err)
				}
				same(t, back, text, "%d bytes, back", n)
			}
		})
	}
}
