package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha512"
	"hash"

	aeadchacha "github.com/aead/chacha20/chacha"
	aeadpoly "github.com/aead/chacha20poly1305"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"xcipher/aead/chachapoly"
	"xcipher/aead/mgm"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/hash/streebog"
	"xcipher/stream/chacha"
)

// Names of landmarks that bars.go refers to.
const (
	ownSeal   = "our Seal"
	ownCTR    = "our CTR"
	engineCBC = "gost-engine, CBC encryption"
)

// items returns everything there is to measure, with the C libraries behind the
// peers written in Go.
func items() []item {
	peer := func(name string, m maker) contestant { return contestant{name: name, make: m} }
	landmark := func(name string, m maker) contestant { return contestant{name, m, true} }
	list := []item{
		{name: "ChaCha20", contestants: []contestant{
			peer("ours", ourChaCha(chacha.New20)), peer("x/crypto", xChaCha), peer("aead", aeadChaCha(20))}},
		{name: "ChaCha12", contestants: []contestant{
			peer("ours", ourChaCha(chacha.New12)), peer("aead", aeadChaCha(12))}},
		{name: "ChaCha8", contestants: []contestant{
			peer("ours", ourChaCha(chacha.New8)), peer("aead", aeadChaCha(8))}},
		{name: "ChaCha20-Poly1305 Seal", contestants: []contestant{
			peer("ours", seal(chachapoly.New)), peer("x/crypto", seal(chacha20poly1305.New)), peer("aead", seal(aeadpoly.NewIETFCipher)),
			landmark("AES-256-GCM", seal(newGCM))}},
		{name: "ChaCha20-Poly1305 Open", contestants: []contestant{
			peer("ours", open(chachapoly.New)), peer("x/crypto", open(chacha20poly1305.New)), peer("aead", open(aeadpoly.NewIETFCipher)),
			landmark(ownSeal, seal(chachapoly.New))}},
		{name: "XChaCha20-Poly1305 Seal", contestants: []contestant{
			peer("ours", seal(chachapoly.NewX)), peer("x/crypto", seal(chacha20poly1305.NewX)), peer("aead", seal(aeadpoly.NewXCipher))}},
		{name: "ChaCha12-Poly1305 Seal", contestants: []contestant{
			peer("ours", seal(chachapoly.New12)), landmark("AES-256-GCM", seal(newGCM))}},
		{name: "ChaCha8-Poly1305 Seal", contestants: []contestant{
			peer("ours", seal(chachapoly.New8)), landmark("AES-256-GCM", seal(newGCM))}},
		{name: "Streebog-512", contestants: []contestant{
			peer("ours", digest(streebog.New512)), landmark("SHA-512", digest(sha512.New))}},
		{name: "Kuznyechik CTR", contestants: []contestant{
			peer("ours", ctr(kuznyechik.NewCipher)), landmark("AES-256", ctr(aes.NewCipher))}},
		{name: "Kuznyechik CBC decryption", contestants: []contestant{
			peer("ours", cbcDecrypt(kuznyechik.NewCipher)), landmark("AES-256", cbcDecrypt(aes.NewCipher))}},
		{name: "Kuznyechik CMAC", contestants: []contestant{
			peer("ours", ourCMAC(kuznyechik.NewCipher))}},
		{name: "Kuznyechik NewCipher", perKey: true, contestants: []contestant{
			peer("ours", newKey(kuznyechik.NewCipher)), landmark("AES-256", newKey(aes.NewCipher))}},
		{name: "Magma CTR", contestants: []contestant{
			peer("ours", ctr(magma.NewCipher))}},
		{name: "Magma CMAC", contestants: []contestant{
			peer("ours", ourCMAC(magma.NewCipher))}},
		{name: "Magma NewCipher", perKey: true, contestants: []contestant{
			peer("ours", newKey(magma.NewCipher))}},
	}
	for _, c := range []struct {
		name string
		new  func(key []byte) (cipher.Block, error)
	}{{"Kuznyechik", kuznyechik.NewCipher}, {"Magma", magma.NewCipher}} {
		newMGM := func(key []byte) (cipher.AEAD, error) { return mgm.New(must(c.new(key))) }
		list = append(list,
			item{name: "MGM-" + c.name + " Seal", contestants: []contestant{
				peer("ours", seal(newMGM)), landmark(ownCTR, ctr(c.new)), landmark("AES-256-GCM", seal(newGCM))}},
			item{name: "MGM-" + c.name + " Open", contestants: []contestant{
				peer("ours", open(newMGM)), landmark(ownSeal, seal(newMGM)), landmark("AES-256-GCM", open(newGCM))}})
	}
	list = append(list, lightweight()...)
	for i := range list {
		list[i].contestants = append(list[i].contestants, cPeers(list[i].name)...)
	}
	return list
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newGCM(key []byte) (cipher.AEAD, error) { return cipher.NewGCM(must(aes.NewCipher(key))) }

func ourChaCha(newStream func(key, nonce []byte) (cipher.Stream, error)) maker {
	return func(j *job) func(int) {
		return func(n int) {
			for range n {
				must(newStream(j.key, j.nonce)).XORKeyStream(j.dst, j.src)
			}
		}
	}
}

func xChaCha(j *job) func(int) {
	return func(n int) {
		for range n {
			must(chacha20.NewUnauthenticatedCipher(j.key, j.nonce)).XORKeyStream(j.dst, j.src)
		}
	}
}

func aeadChaCha(rounds int) maker {
	return func(j *job) func(int) {
		return func(n int) {
			for range n {
				aeadchacha.XORKeyStream(j.dst, j.src, j.nonce, j.key, rounds)
			}
		}
	}
}

// aeadNonce returns a nonce of the size that a takes.
func aeadNonce(a cipher.AEAD, j *job) []byte {
	nonce := make([]byte, a.NonceSize())
	copy(nonce, j.nonce)
	return nonce
}

func seal(newAEAD func(key []byte) (cipher.AEAD, error)) maker {
	return func(j *job) func(int) {
		a := must(newAEAD(j.key))
		nonce := aeadNonce(a, j)
		return func(n int) {
			for range n {
				a.Seal(j.dst[:0], nonce, j.src, nil)
			}
		}
	}
}

func open(newAEAD func(key []byte) (cipher.AEAD, error)) maker {
	return func(j *job) func(int) {
		a := must(newAEAD(j.key))
		nonce := aeadNonce(a, j)
		sealed := a.Seal(nil, nonce, j.src, nil)
		return func(n int) {
			for range n {
				must(a.Open(j.dst[:0], nonce, sealed, nil))
			}
		}
	}
}

func digest(newHash func() hash.Hash) maker {
	return func(j *job) func(int) { return hashAll(newHash(), j) }
}

func hashAll(h hash.Hash, j *job) func(int) {
	return func(n int) {
		for range n {
			h.Reset()
			h.Write(j.src)
			h.Sum(j.dst[:0])
		}
	}
}

func ctr(newBlock func(key []byte) (cipher.Block, error)) maker {
	return func(j *job) func(int) {
		b := must(newBlock(j.key))
		iv := j.ctrIV(b.BlockSize())
		return func(n int) {
			for range n {
				cipher.NewCTR(b, iv).XORKeyStream(j.dst, j.src)
			}
		}
	}
}

func cbcDecrypt(newBlock func(key []byte) (cipher.Block, error)) maker {
	return func(j *job) func(int) {
		b := must(newBlock(j.key))
		iv := j.cbcIV(b.BlockSize())
		return func(n int) {
			for range n {
				cipher.NewCBCDecrypter(b, iv).CryptBlocks(j.dst, j.src)
			}
		}
	}
}

// newKey sets n keys up and, to show that it did, encrypts one block at the end.
func newKey(newBlock func(key []byte) (cipher.Block, error)) maker {
	return func(j *job) func(int) {
		return func(n int) {
			var b cipher.Block
			for range n {
				b = must(newBlock(j.key))
			}
			b.Encrypt(j.dst, j.cbcIV(b.BlockSize()))
		}
	}
}
