//go:build valgrind

package ctcheck_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"testing"

	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/internal/catalog"
	"xcipher/internal/ctcheck"
)

// algorithms calls f for all algorithms of a kind.
func (s *suite) algorithms(kind catalog.Kind, f func(s *suite, a catalog.Algorithm)) {
	for _, a := range catalog.Algorithms() {
		if a.Kind == kind {
			s.each(a.Name, func(s *suite) { f(s, a) })
		}
	}
}

// batches returns numbers of blocks: one, and around the batches of kernels.
func batches() []int {
	if testing.Short() {
		return []int{1, 5, 67}
	}
	return []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 67, 128, 131}
}

// newBlock keys a block cipher with a secret.
func (s *suite) newBlock(a catalog.Algorithm) (b cipher.Block) {
	key := s.secret(a.KeySize)
	s.quiet("key set-up", func() {
		var err error
		if b, err = catalog.NewBlock(a.Name, key); err != nil {
			s.Fatal(err)
		}
	})
	return b
}

func TestBlocks(t *testing.T) {
	section(t, "blocks", func(s *suite) {
		s.algorithms(catalog.Block, func(s *suite, a catalog.Algorithm) {
			b := s.newBlock(a)
			plain := s.public(a.BlockSize)
			src, ct, back := bytes.Clone(plain), make([]byte, a.BlockSize), make([]byte, a.BlockSize)
			ctcheck.Secret(src)
			s.quiet("Encrypt", func() { b.Encrypt(ct, src) })
			s.reveal("Encrypt", ct)
			s.quiet("Decrypt", func() { b.Decrypt(back, ct) })
			s.reveal("Decrypt", back)
			s.equal("Decrypt", back, plain)
			for _, n := range batches() {
				s.modeBothWays(fmt.Sprintf("ECB, %d blocks", n), n*a.BlockSize, a.BlockSize, ecb.NewEncrypter(b), ecb.NewDecrypter(b))
			}
		})
	})
}

// modeBothWays watches a BlockMode in two calls.
func (s *suite) modeBothWays(what string, n, blockSize int, encrypter, decrypter cipher.BlockMode) {
	s.bothWays(what, n, blockSize, encrypter.CryptBlocks, decrypter.CryptBlocks)
}

// streamBothWays watches a Stream in two calls, neither of whole blocks.
func (s *suite) streamBothWays(what string, n int, encrypter, decrypter cipher.Stream) {
	s.bothWays(what, n, 1, encrypter.XORKeyStream, decrypter.XORKeyStream)
}

func (s *suite) bothWays(what string, n, unit int, encrypt, decrypt func(dst, src []byte)) {
	first := n / unit / 3 * unit
	plain := s.public(n)
	src, ct, back := bytes.Clone(plain), make([]byte, n), make([]byte, n)
	ctcheck.Secret(src)
	s.quiet(what, func() {
		encrypt(ct[:first], src[:first])
		encrypt(ct[first:], src[first:])
	})
	s.reveal(what, ct)
	s.quiet(what+" decryption", func() {
		decrypt(back[:first], ct[:first])
		decrypt(back[first:], ct[first:])
	})
	s.reveal(what+" decryption", back)
	s.equal(what+" decryption", back, plain)
}

func TestModes(t *testing.T) {
	section(t, "modes", func(s *suite) {
		s.algorithms(catalog.Block, func(s *suite, a catalog.Algorithm) {
			b, size := s.newBlock(a), a.BlockSize
			sizes := batches()
			if !testing.Short() {
				sizes = []int{1, 2, 3, 9, 17, 33, 67, 131}
			}
			for _, blocks := range sizes {
				n := blocks * size
				name := func(mode string) string { return fmt.Sprintf("%s, %d blocks", mode, blocks) }
				iv := s.public(size)
				s.streamBothWays(name("CTR"), n, cipher.NewCTR(b, iv), cipher.NewCTR(b, iv))
				s.modeBothWays(name("CBC"), n, size, cipher.NewCBCEncrypter(b, iv), cipher.NewCBCDecrypter(b, iv))
				half := s.public(size / 2)
				s.streamBothWays(name("GOST CTR"), n, gost3413.NewCTR(b, half), gost3413.NewCTR(b, half))
				for z := 1; z <= 2; z++ {
					iv := s.public(z * size)
					name := func(mode string) string { return name(fmt.Sprintf("GOST %s, register of %d", mode, z)) }
					s.modeBothWays(name("CBC"), n, size, gost3413.NewCBCEncrypter(b, iv), gost3413.NewCBCDecrypter(b, iv))
					s.streamBothWays(name("OFB"), n, gost3413.NewOFB(b, iv), gost3413.NewOFB(b, iv))
					s.streamBothWays(name("CFB"), n, gost3413.NewCFBEncrypter(b, iv), gost3413.NewCFBDecrypter(b, iv))
				}
			}
			// Short calls: the counter mode of our blocks then works ahead.
			iv := s.public(size)
			enc, dec := cipher.NewCTR(b, iv), cipher.NewCTR(b, iv)
			for i := range 5 {
				s.streamBothWays(fmt.Sprintf("CTR, short call %d", i), 3*size/2, enc, dec)
			}
		})
	})
}
