package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"hash"

	aead "xcipher/aead/saturnin"
	block "xcipher/block/saturnin"
	digests "xcipher/hash/saturnin"

	"xcipher/aead/cloc"
	"xcipher/aead/silc"
	"xcipher/block/chaskey"
	chaskeymac "xcipher/mac/chaskey"
	"xcipher/mac/cmac"
)

// lightweight returns the algorithms for small devices. Neither Debian nor the module
// proxy has another implementation, so that all they get are landmarks.
func lightweight() []item {
	ours := func(m maker) contestant { return contestant{name: "ours", make: m} }
	landmark := func(name string, m maker) contestant { return contestant{name, m, true} }
	list := []item{
		{name: "Saturnin CTR", contestants: []contestant{
			ours(ctr(block.NewCipher)), landmark("AES-256", ctr(aes.NewCipher))}},
		{name: "Saturnin-CTR-Cascade Seal", contestants: []contestant{
			ours(seal(aead.NewCTRCascade)), landmark(ownCTR, ctr(block.NewCipher)), landmark("AES-256-GCM", seal(newGCM))}},
		{name: "Saturnin-CTR-Cascade Open", contestants: []contestant{
			ours(open(aead.NewCTRCascade)), landmark(ownSeal, seal(aead.NewCTRCascade)), landmark("AES-256-GCM", open(newGCM))}},
		{name: "Saturnin-Hash", contestants: []contestant{
			ours(digest(digests.New)), landmark("SHA-256", digest(sha256.New))}},
	}
	for _, c := range []struct {
		name     string
		newBlock func(key []byte) (cipher.Block, error)
		newMAC   func(key []byte) (hash.Hash, error)
	}{
		{"Chaskey-8", chaskey.NewCipher8, chaskeymac.New8},
		{"Chaskey-12", chaskey.NewCipher12, chaskeymac.New12},
		{"Chaskey-LTS", chaskey.NewCipherLTS, chaskeymac.NewLTS},
	} {
		list = append(list,
			item{name: c.name + " CTR", contestants: []contestant{
				ours(ctr(short(c.newBlock))), landmark("AES-128", ctr(short(aes.NewCipher)))}},
			item{name: c.name + " CBC decryption", contestants: []contestant{
				ours(cbcDecrypt(short(c.newBlock))), landmark("AES-128", cbcDecrypt(short(aes.NewCipher)))}},
			item{name: c.name + " MAC", contestants: []contestant{
				ours(mac(short(c.newMAC))), landmark("HMAC-SHA-256", mac(newHMAC))}})
	}
	list = append(list, item{name: "AES-128 CMAC", contestants: []contestant{
		ours(ourCMAC(short(aes.NewCipher))), landmark("HMAC-SHA-256", mac(newHMAC))}})
	for _, c := range []struct {
		name string
		new  func(key []byte) (cipher.AEAD, error)
	}{
		{"CLOC-AES-128", cloc.NewAES128},
		{"CLOC-Chaskey-8", over(chaskey.NewCipher8, cloc.New)},
		{"CLOC-Chaskey-12", over(chaskey.NewCipher12, cloc.New)},
		{"SILC-AES-128", silc.NewAES128},
	} {
		list = append(list,
			item{name: c.name + " Seal", contestants: []contestant{
				ours(seal(short(c.new))), landmark("AES-128-GCM", seal(short(newGCM)))}},
			item{name: c.name + " Open", contestants: []contestant{
				ours(open(short(c.new))), landmark(ownSeal, seal(short(c.new))), landmark("AES-128-GCM", open(short(newGCM)))}})
	}
	return list
}

// short passes on the first 16 bytes of a key.
func short[T any](f func(key []byte) (T, error)) func(key []byte) (T, error) {
	return func(key []byte) (T, error) { return f(key[:16]) }
}

// over makes an AEAD from a block cipher.
func over(newBlock func(key []byte) (cipher.Block, error), mode func(cipher.Block) (cipher.AEAD, error)) func(key []byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) { return mode(must(newBlock(key))) }
}

func newHMAC(key []byte) (hash.Hash, error) { return hmac.New(sha256.New, key), nil }

// mac is a MAC whose key is set once.
func mac(newMAC func(key []byte) (hash.Hash, error)) maker {
	return func(j *job) func(int) { return hashAll(must(newMAC(j.key)), j) }
}

func ourCMAC(newBlock func(key []byte) (cipher.Block, error)) maker {
	return mac(func(key []byte) (hash.Hash, error) { return cmac.New(must(newBlock(key))) })
}
