package xcipher_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"hash"
	"math/big"
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

// testRSA2048 is the key of RFC 9500, section 2.1, for tests only.
const testRSA2048 = `-----BEGIN RSA TESTING KEY-----
MIIEowIBAAKCAQEAsPnoGUOnrpiSqt4XynxA+HRP7S+BSObI6qJ7fQAVSPtRkqso
tWxQYLEYzNEx5ZSHTGypibVsJylvCfuToDTfMul8b/CZjP2Ob0LdpYrNH6l5hvFE
89FU1nZQF15oVLOpUgA7wGiHuEVawrGfey92UE68mOyUVXGweJIVDdxqdMoPvNNU
l86BU02vlBiESxOuox+dWmuVV7vfYZ79Toh/LUK43YvJh+rhv4nKuF7iHjVjBd9s
B6iDjj70HFldzOQ9r8SRI+9NirupPTkF5AKNe6kUhKJ1luB7S27ZkvB3tSTT3P59
3VVJvnzOjaA1z6Cz+4+eRvcysqhrRgFlwI9TEwIDAQABAoIBAEEYiyDP29vCzx/+
dS3LqnI5BjUuJhXUnc6AWX/PCgVAO+8A+gZRgvct7PtZb0sM6P9ZcLrweomlGezI
FrL0/6xQaa8bBr/ve/a8155OgcjFo6fZEw3Dz7ra5fbSiPmu4/b/kvrg+Br1l77J
aun6uUAs1f5B9wW+vbR7tzbT/mxaUeDiBzKpe15GwcvbJtdIVMa2YErtRjc1/5B2
BGVXyvlJv0SIlcIEMsHgnAFOp1ZgQ08aDzvilLq8XVMOahAhP1O2A3X8hKdXPyrx
IVWE9bS9ptTo+eF6eNl+d7htpKGEZHUxinoQpWEBTv+iOoHsVunkEJ3vjLP3lyI/
fY0NQ1ECgYEA3RBXAjgvIys2gfU3keImF8e/TprLge1I2vbWmV2j6rZCg5r/AS0u
pii5CvJ5/T5vfJPNgPBy8B/yRDs+6PJO1GmnlhOkG9JAIPkv0RBZvR0PMBtbp6nT
Y3yo1lwamBVBfY6rc0sLTzosZh2aGoLzrHNMQFMGaauORzBFpY5lU50CgYEAzPHl
u5DI6Xgep1vr8QvCUuEesCOgJg8Yh1UqVoY/SmQh6MYAv1I9bLGwrb3WW/7kqIoD
fj0aQV5buVZI2loMomtU9KY5SFIsPV+JuUpy7/+VE01ZQM5FdY8wiYCQiVZYju9X
Wz5LxMNoz+gT7pwlLCsC4N+R8aoBk404aF1gum8CgYAJ7VTq7Zj4TFV7Soa/T1eE
k9y8a+kdoYk3BASpCHJ29M5R2KEA7YV9wrBklHTz8VzSTFTbKHEQ5W5csAhoL5Fo
qoHzFFi3Qx7MHESQb9qHyolHEMNx6QdsHUn7rlEnaTTyrXh3ifQtD6C0yTmFXUIS
CW9wKApOrnyKJ9nI0HcuZQKBgQCMtoV6e9VGX4AEfpuHvAAnMYQFgeBiYTkBKltQ
XwozhH63uMMomUmtSG87Sz1TmrXadjAhy8gsG6I0pWaN7QgBuFnzQ/HOkwTm+qKw
AsrZt4zeXNwsH7QXHEJCFnCmqw9QzEoZTrNtHJHpNboBuVnYcoueZEJrP8OnUG3r
UjmopwKBgAqB2KYYMUqAOvYcBnEfLDmyZv9BTVNHbR2lKkMYqv5LlvDaBxVfilE0
2riO4p6BaAdvzXjKeRrGNEKoHNBpOSfYCOM16NjL8hIZB1CaV3WbT5oY+jp7Mzd5
7d56RZOE+ERK2uz/7JX9VSsM/LbH9pJibd4e8mikDS9ntciqOH/3
-----END RSA TESTING KEY-----`

func rsaKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	block, _ := pem.Decode([]byte(strings.ReplaceAll(testRSA2048, "TESTING KEY", "PRIVATE KEY")))
	if block == nil {
		t.Fatal("the key is not PEM")
	}
	return must(x509.ParsePKCS1PrivateKey(block.Bytes))(t)
}

// mgf1 changes dst by the mask generation function of RFC 8017, appendix B.2.1.
func mgf1(newHash func() hash.Hash, dst, seed []byte) {
	for i := uint32(0); len(dst) > 0; i++ {
		dst = dst[subtle.XORBytes(dst, dst, sum(newHash, seed, binary.BigEndian.AppendUint32(nil, i))):]
	}
}

// unpad decrypts with a bare exponentiation, and undoes EME-OAEP (RFC 8017,
// section 7.1.2).
func unpad(newHash func() hash.Hash, key *rsa.PrivateKey, ct, label []byte) (message []byte, ok bool) {
	m := new(big.Int).Exp(new(big.Int).SetBytes(ct), key.D, key.N).FillBytes(make([]byte, key.Size()))
	size := newHash().Size()
	seed, db := m[1:1+size], m[1+size:]
	mgf1(newHash, seed, db)
	mgf1(newHash, db, seed)
	if m[0] != 0 || !bytes.Equal(db[:size], sum(newHash, label)) {
		return nil, false
	}
	db = bytes.TrimLeft(db[size:], "\x00")
	return db[1:], db[0] == 1
}

func TestOAEP(t *testing.T) {
	key := rsaKey(t)
	eachHash(t, func(t *testing.T, a catalog.Algorithm, newHash func() hash.Hash) {
		message, label := []byte("the key of a session"), []byte("label")
		h := newHash() // one hash for all calls, which must leave it reset
		ct := must(rsa.EncryptOAEP(h, rand.Reader, &key.PublicKey, message, label))(t)
		if got, ok := unpad(newHash, key, ct, label); !ok || !bytes.Equal(got, message) {
			t.Errorf("EncryptOAEP: %q, %v inside", got, ok)
		}
		if got := must(rsa.DecryptOAEP(h, nil, key, ct, label))(t); !bytes.Equal(got, message) {
			t.Errorf("DecryptOAEP: %q", got)
		}
		if _, err := rsa.DecryptOAEP(h, nil, key, ct, []byte("other")); err == nil {
			t.Error("DecryptOAEP takes another label")
		}
		if _, err := rsa.EncryptOAEP(h, rand.Reader, &key.PublicKey, make([]byte, key.Size()-2*a.Size-1), label); err == nil {
			t.Error("EncryptOAEP takes too long a message: it must count with Size")
		}
	})
}
