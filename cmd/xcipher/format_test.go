package main

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"
	"xcipher/internal/catalog"
)

// TestFormatFrozen opens files of version 1, which all later versions must open.
func TestFormatFrozen(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "key", "change this password to a secret")
	writeFile(t, dir, "password", "secret\n")
	for flag, digits := range map[string]string{
		"-keyfile key": `7863697068657201000e6b757a6e79656368696b2d6d676d9107a86a397b7612b5ff96817fb9af5c
			9895c5136c8865bac987046dde03ee5888adcc930c028998765df6508758b1f295b5822f6dbc11cf
			7fe92cb68d664d1c642b0c373772417d2095a3174a922812be5894b613d7a34e2bf3986d457c21eb
			9b650408`,
		"-passfile password": `786369706865720101020400002400127863686163686132302d706f6c793133303552ac8e53378d
			dad49fcf52138b478fcff808e7910b44405198bd909eeaa2f3e295c1282baf69c2fc78ff10541852
			c5f58ccb61535cc52a8dab737c2535511ba3c379e2933ff34cdb59948ee5e13e4711bcadcc1a088d
			d2b0eb8ced751116bdb6960a3ae49642a1486943b8eaf1`,
	} {
		sealed, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
		if err != nil {
			t.Fatal(err)
		}
		same(t, works(t, dir, string(sealed), append([]string{"open"}, strings.Fields(flag)...)...), "some text", flag)
	}
}

// openByHand reads the format as header.go describes it, with nothing of what open
// uses but the AEAD, and of package sio nothing at all.
func openByHand(file, key []byte, password string) ([]byte, error) {
	next := func(n int) []byte {
		b := file[:n]
		file = file[n:]
		return b
	}
	all := file
	if string(next(8)) != "xcipher\x01" {
		return nil, fmt.Errorf("it begins with %q", all[:8])
	}
	kdf, passes, lanes, memory := next(1)[0], uint32(0), uint8(0), uint32(0)
	if kdf == 1 {
		passes, lanes, memory = uint32(next(1)[0]), next(1)[0], binary.BigEndian.Uint32(next(4))
	}
	name := string(next(int(next(1)[0])))
	a, ok := catalog.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("no algorithm %q", name)
	}
	salt, nonce := next(32), next(a.NonceSizes[0]-4)
	fields := string(all[:len(all)-len(file)])
	check := next(32)
	header := all[:len(all)-len(file)]
	if kdf == 1 {
		key = argon2.IDKey([]byte(password), salt, passes, memory, lanes, 32)
	}
	if want, err := hkdf.Key(sha256.New, key, salt, "xcipher sealed file: check"+fields, 32); err != nil || !bytes.Equal(want, check) {
		return nil, fmt.Errorf("the check is %x, want %x (%v)", check, want, err)
	}
	key, err := hkdf.Key(sha256.New, key, salt, "xcipher sealed file: key"+fields, a.KeySize)
	if err != nil {
		return nil, err
	}
	aead, err := catalog.NewAEAD(name, key)
	if err != nil {
		return nil, err
	}
	// The additional data of the chunks: a byte that marks the last one, and the tag
	// of the header under number 0. The chunks count from 1.
	number := func(i int) []byte { return binary.LittleEndian.AppendUint32(slices.Clone(nonce), uint32(i)) }
	bound := append([]byte{0}, aead.Seal(nil, number(0), nil, header)...)
	var text []byte
	for i := 1; ; i++ {
		n := min(len(file), 65536+a.Size)
		if n == len(file) {
			bound[0] = 0x80
		}
		if text, err = aead.Open(text, number(i), file[:n], bound); err != nil {
			return nil, fmt.Errorf("chunk %d: %w", i, err)
		}
		if file = file[n:]; len(file) == 0 {
			return text, nil
		}
	}
}

func TestFormat(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "password", "secret")
	for _, name := range []string{"kuznyechik-mgm", "aes128-cloc", "xchacha20-poly1305"} {
		a, _ := catalog.Lookup(name)
		key := random(a.KeySize)
		writeFile(t, dir, "key", key)
		for _, n := range sealLengths {
			text := random(n)
			got, err := openByHand([]byte(works(t, dir, text, "seal", "-a", name, "-keyfile", "key")), []byte(key), "")
			if err != nil {
				t.Fatalf("%s, %d bytes: %v", name, n, err)
			}
			same(t, string(got), text, fmt.Sprintf("%s, %d bytes", name, n))
		}
		text := random(100)
		got, err := openByHand([]byte(works(t, dir, text, args("seal", cheap, "-a", name, "-passfile", "password")...)), nil, "secret")
		if err != nil {
			t.Fatalf("%s by password: %v", name, err)
		}
		same(t, string(got), text, name+" by password")
	}
}
