//go:build valgrind

package ctcheck_test

import (
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"xcipher/aead/cloc"
	oldcloc "xcipher/aead/cloc/hutorny"
	"xcipher/aead/mgm"
	"xcipher/aead/saturnin"
	"xcipher/aead/silc"
	"xcipher/block/chaskey"
	oldchaskey "xcipher/block/chaskey/hutorny"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	blocksaturnin "xcipher/block/saturnin"
	"xcipher/hash/streebog"
	"xcipher/internal/aesni"
	"xcipher/mac/cmac"
	"xcipher/stream/chacha"
)

// TestMore has what the catalog does not list: other sizes, other forms.
func TestMore(t *testing.T) {
	section(t, "more", func(s *suite) {
		s.moreAEADs()
		s.moreBlocks()
		s.each("aes kernel", func(s *suite) {
			key := s.secret(aesni.KeySize)
			for _, blocks := range batches() {
				s.quiet("key set-up", func() {
					k, err := aesni.New(key)
					if err != nil {
						s.Fatal(err)
					}
					text := s.secret(blocks * aesni.BlockSize)
					k.EncryptBlocks(text, text)
					k.DecryptBlocks(text, text)
					copy(key, text)
				})
			}
			s.reveal("DecryptBlocks", key)
		})
		s.each("cmac with a short tag", func(s *suite) {
			key := s.secret(32)
			b, _ := kuznyechik.NewCipher(key)
			s.quiet("NewWithTagSize and Sum", func() {
				h, err := cmac.NewWithTagSize(b, 4)
				if err != nil {
					s.Fatal(err)
				}
				key = sum(h, key)
			})
			s.reveal("Sum", key)
		})
		s.each("streebog.Sum", func(s *suite) {
			msg := s.secret(100)
			var short [32]byte
			var long [64]byte
			s.quiet("Sum256 and Sum512", func() { short, long = streebog.Sum256(msg), streebog.Sum512(msg) })
			s.reveal("Sum256", short[:])
			s.reveal("Sum512", long[:])
		})
		for _, rounds := range []int{8, 12, 20} {
			s.each("HChaCha", func(s *suite) {
				key, nonce := s.secret(32), s.public(16)
				var out []byte
				s.quiet("HChaCha", func() { out, _ = chacha.HChaCha(rounds, key, nonce) })
				s.reveal("HChaCha", out)
				enc, _ := chacha.NewWithCounter(rounds, key, nonce[:12], 1<<32-4)
				dec, _ := chacha.NewWithCounter(rounds, key, nonce[:12], 1<<32-4)
				s.streamBothWays("the last blocks", 256, enc, dec)
			})
		}
	})
}

type newBlock = func(key []byte) (cipher.Block, error)

func (s *suite) moreAEADs() {
	over := func(block newBlock, mode func(cipher.Block) (cipher.AEAD, error)) func([]byte) (cipher.AEAD, error) {
		return func(key []byte) (cipher.AEAD, error) {
			b, err := block(key)
			if err != nil {
				return nil, err
			}
			return mode(b)
		}
	}
	rfc9058 := func(b cipher.Block) (cipher.AEAD, error) { return mgm.NewRFC9058(b, b.BlockSize()-1) }
	for _, v := range []struct {
		name    string
		keySize int
		new     func(key []byte) (cipher.AEAD, error)
	}{
		{"kuznyechik mgm.NewRFC9058", 32, over(kuznyechik.NewCipher, rfc9058)},
		{"magma mgm.NewRFC9058", 32, over(magma.NewCipher, rfc9058)},
		{"aes mgm.New", 32, over(aes.NewCipher, mgm.New)},
		{"magma cloc.New", 32, over(magma.NewCipher, cloc.New)},
		{"kuznyechik cloc.NewCAESAR", 32, over(kuznyechik.NewCipher, func(b cipher.Block) (cipher.AEAD, error) { return cloc.NewCAESAR(b, 12, 8, 0xc0) })},
		{"cloc.NewAES128WithSizes", 16, func(key []byte) (cipher.AEAD, error) { return cloc.NewAES128WithSizes(key, 8, 16) }},
		{"chaskey silc.New", 16, over(chaskey.NewCipher12, silc.New)},
		{"magma silc.New", 32, over(magma.NewCipher, silc.New)},
		{"saturnin.NewCTRCascadeWithSizes", 32, func(key []byte) (cipher.AEAD, error) { return saturnin.NewCTRCascadeWithSizes(key, 20, 16) }},
		{"cloc/hutorny", 16, oldcloc.New},
	} {
		s.each(v.name, func(s *suite) {
			key := s.secret(v.keySize)
			var aead cipher.AEAD
			s.quiet("key set-up", func() {
				var err error
				if aead, err = v.new(key); err != nil {
					s.Fatal(err)
				}
			})
			for i, n := range []int{1, 16, 40, 700} {
				s.sealOpen(validNonces{aead}, message{length: n, aad: []int{20, 0, 64, 7}[i]})
			}
		})
	}
}

// validNonces clears the first bit of nonces, which RFC 9058 wants.
type validNonces struct{ cipher.AEAD }

func (a validNonces) Seal(dst, nonce, src, aad []byte) []byte {
	nonce[0] &= 0x7f
	return a.AEAD.Seal(dst, nonce, src, aad)
}

func (s *suite) moreBlocks() {
	for _, superRounds := range []int{10, 16} {
		s.each("saturnin.NewCipherWithDomain", func(s *suite) {
			key := s.secret(32)
			s.quiet("all", func() {
				b, err := blocksaturnin.NewCipherWithDomain(key, superRounds, 7)
				if err != nil {
					s.Fatal(err)
				}
				b.Encrypt(key, key)
				b.Decrypt(key, key)
			})
			s.reveal("Decrypt", key)
		})
	}
	for _, v := range []struct {
		name     string
		enc, dec func(key, iv []byte) (cipher.BlockMode, error)
		ivSize   int
	}{
		{"chaskey/hutorny", oldchaskey.NewCBCEncrypter, oldchaskey.NewCBCDecrypter, 20},
		{"chaskey/hutorny IV", oldchaskey.NewCBCEncrypterIV, oldchaskey.NewCBCDecrypterIV, 16},
	} {
		s.each(v.name, func(s *suite) {
			key, iv := s.secret(16), s.public(v.ivSize)
			var enc, dec cipher.BlockMode
			s.quiet("key set-up", func() {
				enc, _ = v.enc(key, iv)
				dec, _ = v.dec(key, iv)
			})
			s.modeBothWays("CBC", 160, 16, enc, dec)
			s.modeBothWays("CBC", 16*67, 16, enc, dec)
		})
	}
}
