package xcipher_test

import (
	"crypto"
	"crypto/ed25519"
	"crypto/hpke"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"xcipher/hash/streebog"
	"xcipher/internal/conform"
)

// What follows is closed to algorithms from outside. The tests say so in order to
// fail on the day when it opens, as the README tells users.

// isOurs reports whether a name may mean an algorithm that the standard library
// and x/crypto do not have.
func isOurs(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{
		"gost", "streebog", "stribog", "kuznyechik", "grasshopper", "magma", "mgm", "saturnin",
		"chaskey", "cloc", "silc", "xchacha", "chacha12", "chacha8",
	}, func(s string) bool { return strings.Contains(name, s) })
}

func none(t *testing.T, where string, names []string) {
	t.Helper()
	if len(names) == 0 {
		t.Errorf("%s lists nothing", where)
	}
	for _, n := range names {
		if isOurs(n) {
			t.Errorf("%s has %s now", where, n)
		}
	}
}

// firstUnknown is the first number that crypto.Hash has no algorithm for.
func firstUnknown() (unknown crypto.Hash, names []string) {
	for unknown = 1; ; unknown++ {
		name := unknown.String()
		if strings.HasPrefix(name, "unknown hash") {
			return unknown, names
		}
		names = append(names, name)
	}
}

// Hashes have fixed numbers. Without one, whatever takes a crypto.Hash cannot take
// ours: RSA signatures, certificates, prehashed Ed25519.
func TestRegisterHashIsClosed(t *testing.T) {
	unknown, names := firstUnknown()
	none(t, "crypto.Hash", names)
	for h := unknown; h < unknown+50; h++ {
		conform.MustPanic(t, "RegisterHash of unknown hash function", func() { crypto.RegisterHash(h, streebog.New256) })
		conform.MustPanic(t, "is unavailable", func() { h.New() })
		if h.Available() {
			t.Errorf("hash number %d is available", h)
		}
	}

	key, digest := rsaKey(t), make([]byte, 32)
	conform.MustPanic(t, "unknown hash function", func() { rsa.SignPKCS1v15(nil, key, unknown, digest) })
	conform.MustPanic(t, "is unavailable", func() { rsa.SignPSS(rand.Reader, key, unknown, digest, nil) })
	conform.MustPanic(t, "is unavailable", func() {
		rsa.EncryptOAEPWithOptions(rand.Reader, &key.PublicKey, digest, &rsa.OAEPOptions{Hash: unknown})
	})
	_, edwards, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := edwards.Sign(nil, digest, &ed25519.Options{Hash: unknown}); err == nil {
		t.Error("Ed25519 signs with an unknown hash")
	}
}

func TestX509IsClosed(t *testing.T) {
	key := rsaKey(t)
	var names []string
	for i := x509.SignatureAlgorithm(1); i < 100; i++ {
		if name := i.String(); name != fmt.Sprint(int(i)) {
			names = append(names, name)
			continue
		}
		template := &x509.Certificate{SerialNumber: big.NewInt(1), SignatureAlgorithm: i}
		if _, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key); err == nil {
			t.Errorf("a certificate is signed with the nameless algorithm %d", i)
		}
	}
	none(t, "crypto/x509", names)
}

func TestTLSIsClosed(t *testing.T) {
	var names []string
	for _, s := range slices.Concat(tls.CipherSuites(), tls.InsecureCipherSuites()) {
		names = append(names, s.Name)
	}
	none(t, "crypto/tls", names)
	for id := uint16(0xc100); id <= 0xc106; id++ { // the suites of RFC 9189 and RFC 9367
		if got, want := tls.CipherSuiteName(id), fmt.Sprintf("0x%04X", id); got != want {
			t.Errorf("crypto/tls knows suite %s as %s", want, got)
		}
	}
	// Nor does its configuration have room for an object.
	config := reflect.TypeFor[tls.Config]()
	for i := range config.NumField() {
		f := config.Field(i)
		for _, pkg := range []string{"cipher.", "hash.", "crypto.Hash"} {
			if f.IsExported() && strings.Contains(f.Type.String(), pkg) {
				t.Errorf("tls.Config.%s is a %v", f.Name, f.Type)
			}
		}
	}
}

// The interfaces of crypto/hpke have unexported methods.
func TestHPKEIsClosed(t *testing.T) {
	for _, iface := range []reflect.Type{reflect.TypeFor[hpke.AEAD](), reflect.TypeFor[hpke.KDF](), reflect.TypeFor[hpke.KEM]()} {
		unexported := 0
		for i := range iface.NumMethod() {
			if !iface.Method(i).IsExported() {
				unexported++
			}
		}
		if unexported == 0 {
			t.Errorf("%v can be implemented outside", iface)
		}
	}
}

func TestSSHIsClosed(t *testing.T) {
	for _, a := range []ssh.Algorithms{ssh.SupportedAlgorithms(), ssh.InsecureAlgorithms()} {
		none(t, "x/crypto/ssh", slices.Concat(a.Ciphers, a.MACs, a.KeyExchanges, a.HostKeys, a.PublicKeyAuths))
	}
	config := ssh.Config{Ciphers: []string{"kuznyechik-ctr", "aes256-ctr"}}
	config.SetDefaults()
	if !slices.Equal(config.Ciphers, []string{"aes256-ctr"}) {
		t.Errorf("x/crypto/ssh accepts the ciphers %q", config.Ciphers)
	}
}
