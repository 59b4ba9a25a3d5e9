package gost3413

import (
	"crypto/cipher"
	"crypto/subtle"

	"xcipher/internal/batch"
)

type cbcEncrypter struct{ register }

// NewCBCEncrypter returns a BlockMode that encrypts in cipher block chaining
// mode (section 5.4). The IV is one or more whole blocks.
func NewCBCEncrypter(b cipher.Block, iv []byte) cipher.BlockMode {
	return &cbcEncrypter{newRegister(b, iv)}
}

func (m *cbcEncrypter) BlockSize() int { return m.size }

func (m *cbcEncrypter) CryptBlocks(dst, src []byte) {
	batch.CheckBlocks(name, m.size, dst, src)
	// As many blocks as the register holds do not depend on each other.
	for len(src) > 0 {
		n := min(len(src), len(m.r))
		ct := dst[:n]
		subtle.XORBytes(ct, src[:n], m.r)
		m.k.EncryptBlocks(ct, ct)
		m.shift(ct)
		dst, src = dst[n:], src[n:]
	}
}

type cbcDecrypter struct{ register }

// NewCBCDecrypter returns a BlockMode that decrypts what NewCBCEncrypter encrypts.
func NewCBCDecrypter(b cipher.Block, iv []byte) cipher.BlockMode {
	return &cbcDecrypter{newRegister(b, iv)}
}

func (m *cbcDecrypter) BlockSize() int { return m.size }

func (m *cbcDecrypter) CryptBlocks(dst, src []byte) {
	batch.CheckBlocks(name, m.size, dst, src)
	if len(src) == 0 {
		return
	}
	ct, used := batch.GetBuf(), min(len(src), batch.BufSize) // dst may be src
	for len(src) > 0 {
		n := m.run(len(src))
		copy(ct[:n], src)
		m.k.DecryptBlocks(dst[:n], src[:n])
		old := subtle.XORBytes(dst[:n], dst[:n], m.r)
		subtle.XORBytes(dst[old:n], dst[old:n], ct[:n-old])
		m.shift(ct[:n])
		dst, src = dst[n:], src[n:]
	}
	batch.PutBuf(ct, used)
}
