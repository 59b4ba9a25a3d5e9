package xcipher_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"fmt"
	"hash"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	xhkdf "golang.org/x/crypto/hkdf"
	xpbkdf2 "golang.org/x/crypto/pbkdf2"
	"golang.org/x/crypto/xts"

	"xcipher/aead/randnonce"
	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/hash/streebog"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

const transcriptLine = "transcript: "

// With GODEBUG=fips140=only the wrappers of the standard library refuse what is
// not theirs, while everything of this module goes on and gives the same values.
// The setting is read once, so the test runs itself with it.
func TestFIPSOnly(t *testing.T) {
	if fips140.Enforced() {
		standardRefuses(t)
		fmt.Printf("%s%x\n", transcriptLine, transcript(t))
		return
	}
	if runtime.GOARCH == "wasm" {
		t.Skip("no processes and no FIPS mode on wasm")
	}
	cmd := exec.Command(must(os.Executable())(t), "-test.run=^TestFIPSOnly$")
	setting := "fips140=only"
	if old := os.Getenv("GODEBUG"); old != "" {
		setting = old + "," + setting
	}
	cmd.Env = append(os.Environ(), "GODEBUG="+setting)
	out, err := cmd.CombinedOutput()
	if err != nil {
		if emulated(err) {
			t.Skip("under emulation: ", err)
		}
		if bytes.Contains(out, []byte("FIPS 140-3 mode is ")) { // incompatible with, or not supported on
			t.Skipf("%s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	want := fmt.Sprintf("%s%x\n", transcriptLine, transcript(t))
	if !strings.Contains(string(out), want) {
		t.Errorf("the values differ: want %s%s", want, out)
	}
}

// emulated reports whether a program did not start because it is for another
// machine, as happens to tests that run in an emulator.
func emulated(err error) bool { return strings.Contains(err.Error(), "exec format error") }

// standardRefuses holds the standard library to what its documentation says of
// this mode.
func standardRefuses(t *testing.T) {
	panics := func(f func()) {
		t.Helper()
		conform.MustPanic(t, "FIPS 140-only mode", f)
	}
	fails := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "FIPS 140-only mode") {
			t.Errorf("%s: %v", what, err)
		}
	}
	each(t, catalog.Block, func(t *testing.T, a catalog.Algorithm) {
		b := must(catalog.NewBlock(a.Name, make([]byte, a.KeySize)))(t)
		iv := make([]byte, a.BlockSize)
		panics(func() { cipher.NewCTR(b, iv) })
		panics(func() { cipher.NewCBCEncrypter(b, iv) })
		panics(func() { cipher.NewCBCDecrypter(b, iv) })
		//lint:ignore SA1019 refused here
		panics(func() { cipher.NewOFB(b, iv) })
		//lint:ignore SA1019 refused here
		panics(func() { cipher.NewCFBEncrypter(b, iv) })
		//lint:ignore SA1019 refused here
		panics(func() { cipher.NewCFBDecrypter(b, iv) })
		_, err := cipher.NewGCM(b)
		fails("NewGCM", err)
		_, err = cipher.NewGCMWithNonceSize(b, 12)
		fails("NewGCMWithNonceSize", err)
		_, err = cipher.NewGCMWithTagSize(b, 16)
		fails("NewGCMWithTagSize", err)
		if _, err = cipher.NewGCMWithRandomNonce(b); err == nil {
			t.Error("NewGCMWithRandomNonce takes a block that is not AES")
		}
		// XTS of x/crypto asks for nothing.
		if a.BlockSize == 16 {
			c := must(xts.NewCipher(func(key []byte) (cipher.Block, error) { return catalog.NewBlock(a.Name, key) }, make([]byte, 2*a.KeySize)))(t)
			c.Encrypt(iv, iv, 0)
		}
	})
	private := rsaKey(t)
	signer := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	key := make([]byte, 32)
	each(t, catalog.Hash, func(t *testing.T, a catalog.Algorithm) {
		newHash := func() hash.Hash { return must(catalog.NewHash(a.Name))(t) }
		panics(func() { hmac.New(newHash, key) })
		_, err := hkdf.Extract(newHash, key, key)
		fails("hkdf.Extract", err)
		_, err = hkdf.Expand(newHash, key, "", 32)
		fails("hkdf.Expand", err)
		_, err = hkdf.Key(newHash, key, key, "", 32)
		fails("hkdf.Key", err)
		_, err = pbkdf2.Key(newHash, "password", key, 1, 32)
		fails("pbkdf2.Key", err)
		panics(func() { xhkdf.New(newHash, key, key, nil) })
		panics(func() { xpbkdf2.Key(key, key, 1, 32, newHash) })
		_, err = rsa.EncryptOAEP(newHash(), rand.Reader, &private.PublicKey, key, nil)
		fails("rsa.EncryptOAEP", err)
		_, err = rsa.DecryptOAEP(newHash(), nil, private, make([]byte, private.Size()), nil)
		fails("rsa.DecryptOAEP", err)
		// A digest is bytes, which ECDSA takes.
		digest := sum(newHash, key)
		if s, err := ecdsa.SignASN1(rand.Reader, signer, digest); err != nil || !ecdsa.VerifyASN1(&signer.PublicKey, digest, s) {
			t.Errorf("ecdsa.SignASN1: %v", err)
		}
	})
	// HMAC is crypto/hmac's, in the catalog too.
	each(t, catalog.MAC, func(t *testing.T, a catalog.Algorithm) {
		if a.AnyKey {
			panics(func() { catalog.NewMAC(a.Name, key) })
		}
	})
}

// transcript uses everything that this module makes by itself, with keys, nonces
// and texts from a fixed seed, and returns a digest of all results.
func transcript(t *testing.T) []byte {
	rng := mathrand.New(mathrand.NewPCG(1, 2))
	log := sha256.New()
	enter := func(name string, value []byte) { fmt.Fprintf(log, "%s %x\n", name, value) }
	for _, a := range catalog.Algorithms() {
		key, text, out := random(rng, a.KeySize), random(rng, 320), make([]byte, 320)
		switch a.Kind {
		case catalog.Block:
			b := must(catalog.NewBlock(a.Name, key))(t)
			b.Encrypt(out, text)
			enter(a.Name, out)
			b.Decrypt(out, text)
			enter(a.Name, out)
			iv := random(rng, 2*a.BlockSize)
			ecb.NewEncrypter(b).CryptBlocks(out, text)
			enter(a.Name+" ECB", out)
			ecb.NewDecrypter(b).CryptBlocks(out, text)
			enter(a.Name+" ECB", out)
			gost3413.NewCBCEncrypter(b, iv).CryptBlocks(out, text)
			enter(a.Name+" CBC", out)
			gost3413.NewCBCDecrypter(b, iv).CryptBlocks(out, text)
			enter(a.Name+" CBC", out)
			for _, s := range []cipher.Stream{
				gost3413.NewCTR(b, iv[:a.BlockSize/2]), gost3413.NewOFB(b, iv), gost3413.NewCFBEncrypter(b, iv), gost3413.NewCFBDecrypter(b, iv),
			} {
				s.XORKeyStream(out, text)
				enter(a.Name+" stream", out)
			}
		case catalog.AEAD:
			c := must(catalog.NewAEAD(a.Name, key))(t)
			nonce := random(rng, c.NonceSize())
			ns, ad := limits(a)
			text = text[:ns[1]]
			sealed := c.Seal(nil, nonce, text, ad)
			enter(a.Name, sealed)
			if got, err := c.Open(nil, nonce, sealed, ad); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%s: Open: %v", a.Name, err)
			}
			if r, err := randnonce.New(c); err == nil {
				if got, err := r.Open(nil, nil, r.Seal(nil, nil, text, ad), ad); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%s with random nonces: %v", a.Name, err)
				}
			}
		case catalog.Hash:
			enter(a.Name, sum(func() hash.Hash { return must(catalog.NewHash(a.Name))(t) }, text))
		case catalog.MAC:
			if !a.AnyKey { // else it is crypto/hmac's
				enter(a.Name, sum(func() hash.Hash { return must(catalog.NewMAC(a.Name, key))(t) }, text))
			}
		case catalog.Stream:
			for _, n := range a.NonceSizes {
				must(catalog.NewStream(a.Name, key, random(rng, n)))(t).XORKeyStream(out, text)
				enter(a.Name, out)
			}
		default:
			t.Errorf("%s is of an unknown kind", a.Name)
		}
	}
	e := eddsa{t, streebog.New512}
	enter("EdDSA", e.sign(random(rng, 32), []byte("message")))
	return log.Sum(nil)
}
