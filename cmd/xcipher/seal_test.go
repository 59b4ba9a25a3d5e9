package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"xcipher/internal/catalog"
)

// cheap makes argon2id as fast as it may be.
var cheap = []string{"-passes", "1", "-memory", "8"}

var sealLengths = []int{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 5}

// TestSeal goes through every AEAD, and wants the reason of a refusal.
func TestSeal(t *testing.T) {
	t.Parallel()
	refused := map[string]string{
		"magma-mgm":      "its nonce of 7 bytes leaves 3 beside the counter of chunks",
		"saturnin-short": "it takes no additional data",
	}
	for _, a := range catalog.Algorithms() {
		if a.Kind != catalog.AEAD {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, dir, "key", random(a.KeySize))
			if why, ok := refused[a.Name]; ok {
				fails(t, dir, "text", exitUsage, why, "seal", "-a", a.Name, "-keyfile", "key")
				return
			}
			for _, n := range sealLengths {
				text := random(n)
				sealed := works(t, dir, text, "seal", "-a", a.Name, "-keyfile", "key")
				same(t, works(t, dir, sealed, "open", "-keyfile", "key"), text, fmt.Sprintf("%d bytes through pipes", n))
				chunks := max(1, (n+chunkSize-1)/chunkSize)
				if want := headerSize(a) + n + chunks*a.Size; len(sealed) != want {
					t.Errorf("%d bytes are sealed in %d, want %d", n, len(sealed), want)
				}
				writeFile(t, dir, "text", text)
				works(t, dir, "", "seal", "-a", a.Name, "-keyfile", "key", "-f", "-o", "sealed", "text")
				works(t, dir, "", "open", "-keyfile", "key", "-f", "-o", "opened", "sealed")
				same(t, readFile(t, dir, "opened"), text, fmt.Sprintf("%d bytes in files", n))
				if sealed == readFile(t, dir, "sealed") {
					t.Error("sealing twice gives the same file")
				}
			}
			if got := names(t, dir); got != "key opened sealed text" {
				t.Errorf("left behind: %s", got)
			}
		})
	}
	fails(t, "", "text", exitUsage, "chacha20-poly1305", "seal", "-a", "chacha20poly1305")
	fails(t, "", "text", exitUsage, "unknown aead algorithm", "seal", "-a", "kuznyechik")
}

// headerSize is that of a file sealed with a key.
func headerSize(a catalog.Algorithm) int {
	return len(sealMagic) + 3 + len(a.Name) + sealSalt + a.NonceSizes[0] - sioCounter + sealCheck
}

func TestSealPassword(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PASSWORD", "пароль")
	t.Setenv("WRONG", "пароль ")
	t.Setenv("EMPTY", "")
	t.Setenv("KEY", randomHex(32))
	writeFile(t, dir, "password", "пароль\nanother line\n")
	text := random(100000)
	sealed := works(t, dir, text, "seal", "-passenv", "PASSWORD") // costs what it costs by default
	same(t, works(t, dir, sealed, "open", "-passenv", "PASSWORD"), text, "with the default costs")
	sealed = works(t, dir, text, args("seal", cheap, "-passenv", "PASSWORD", "-a", "kuznyechik-mgm")...)
	same(t, works(t, dir, sealed, "open", "-passfile", "password"), text, "by a file")
	same(t, works(t, dir, sealed, "open", "-passenv", "PASSWORD"), text, "by the environment")
	fails(t, dir, sealed, exitFailed, errWrongSecret.Error(), "open", "-passenv", "WRONG")
	fails(t, dir, sealed, exitFailed, "the password is empty", "open", "-passenv", "EMPTY")
	fails(t, dir, sealed, exitFailed, "-passenv names no environment variable", "open", "-passenv", "NOTHING")
	fails(t, dir, sealed, exitFailed, "sealed with a password, not with a key", "open", "-keyenv", "KEY")
	fails(t, dir, "", exitFailed, "the password is empty", args("seal", cheap, "-passenv", "EMPTY")...)
	fails(t, dir, "", exitUsage, "not both", "seal", "-passenv", "PASSWORD", "-keyenv", "KEY")
	fails(t, dir, "", exitUsage, "not both", "open", "-passenv", "PASSWORD", "-keyenv", "KEY")
	fails(t, dir, "", exitUsage, "-passes and -memory", "seal", "-keyenv", "KEY", "-passes", "4")
	for _, flags := range []string{"-passes 0", "-passes 256", "-memory 7", "-memory 1025", "-memory 4194368", "-memory 1024 -passes 17"} {
		fails(t, dir, "", exitUsage, "", append([]string{"seal", "-passenv", "PASSWORD"}, strings.Fields(flags)...)...)
	}
	sealed = works(t, dir, text, "seal", "-keyenv", "KEY")
	fails(t, dir, sealed, exitFailed, "sealed with a key, not with a password", "open", "-passenv", "PASSWORD")
	t.Setenv("KEY", randomHex(32))
	fails(t, dir, sealed, exitFailed, errWrongSecret.Error(), "open", "-keyenv", "KEY")
}

// TestOpenHeader changes every byte of the header; nothing may come out, whatever
// the message is.
func TestOpenHeader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "key", random(32))
	sealed := works(t, dir, "text", "seal", "-keyfile", "key")
	masks := []byte{1, 0x80, 0xff}
	if testing.Short() {
		masks = masks[:1]
	}
	header := len(sealed) - len("text") - 16
	for i := range header {
		for _, mask := range masks {
			changed := []byte(sealed)
			changed[i] ^= mask
			fails(t, dir, string(changed), exitFailed, "", "open", "-keyfile", "key")
		}
	}
	for _, n := range []int{0, 1, len(sealMagic) - 1} {
		fails(t, dir, sealed[:n], exitFailed, errNotSealed.Error(), "open", "-keyfile", "key")
	}
	for _, n := range []int{len(sealMagic), len(sealMagic) + 1, len(sealMagic) + 10, header / 2, header - 1} {
		fails(t, dir, sealed[:n], exitFailed, "the file ends within its header", "open", "-keyfile", "key")
	}
	fails(t, dir, sealed[:header], exitFailed, "only the first 0 bytes", "open", "-keyfile", "key")
	fails(t, dir, sealed[:7]+"\x02"+sealed[8:], exitFailed, "sealed in version 2, this program knows version 1", "open", "-keyfile", "key")
	fails(t, dir, "a text that is no sealed file", exitFailed, errNotSealed.Error(), "open", "-keyfile", "key")
}

// TestOpenChunks opens what is truncated, swapped, repeated, continued or damaged: a
// pipe gets whole good chunks at most, a file nothing.
func TestOpenChunks(t *testing.T) {
	t.Parallel()
	const name, tag = "chacha20-poly1305", 16
	dir := t.TempDir()
	key := random(32)
	writeFile(t, dir, "key", key)
	a, _ := catalog.Lookup(name)
	const sealedChunk = chunkSize + tag
	for _, n := range []int{3 * chunkSize, 3*chunkSize + 100} {
		text := random(n)
		sealed := works(t, dir, text, "seal", "-a", name, "-keyfile", "key")
		header, body := sealed[:headerSize(a)], sealed[headerSize(a):]
		chunk := func(i int) string { return body[i*sealedChunk : min((i+1)*sealedChunk, len(body))] }

		// bad opens a file of which so many chunks are good.
		bad := func(what, body string, good int) {
			t.Helper()
			got := program(t, dir, header+body, "open", "-keyfile", "key")
			if want := fmt.Sprintf("truncated, damaged or was changed: only the first %d bytes", good*chunkSize); got.status != exitFailed || !strings.Contains(got.err, want) {
				t.Errorf("%s: status %d, %q, want %q", what, got.status, got.err, want)
			}
			same(t, got.out, text[:good*chunkSize], what)
			got = program(t, dir, header+body, "open", "-keyfile", "key", "-o", "opened")
			if left := names(t, dir); got.status != exitFailed || got.out != "" || left != "key" {
				t.Errorf("%s to a file: status %d, there is %s", what, got.status, left)
			}
		}
		for cut := 0; cut <= len(body); cut += sealedChunk {
			for _, end := range []int{cut - 1, cut, cut + 1} {
				if end >= 0 && end < len(body) {
					bad(fmt.Sprintf("cut to %d", end), body[:end], max(0, (end-1)/sealedChunk))
				}
			}
		}
		bad("the last byte is missing", body[:len(body)-1], (len(body)-2)/sealedChunk)
		bad("swapped 0 and 1", chunk(1)+chunk(0)+body[2*sealedChunk:], 0)
		bad("swapped 1 and 2", chunk(0)+chunk(2)+chunk(1)+body[3*sealedChunk:], 1)
		bad("repeated", chunk(0)+chunk(0)+body[sealedChunk:], 1)
		bad("left out", chunk(0)+body[2*sealedChunk:], 1)
		bad("nothing but the end", chunk(2), 0)
		bad("a byte more", body+"x", (len(body)-1)/sealedChunk)
		bad("a chunk more", body+chunk(0), (len(body)-1)/sealedChunk)
		bad("twice", body+body, (len(body)-1)/sealedChunk)
		for range 5 {
			at := rand.IntN(len(body))
			changed := []byte(body)
			changed[at] ^= 1 << rand.IntN(8)
			bad(fmt.Sprintf("byte %d changed", at), string(changed), at/sealedChunk)
		}
		// Chunks of another file with the same key.
		other := works(t, dir, text, "seal", "-a", name, "-keyfile", "key")[headerSize(a):]
		bad("chunk of another file", chunk(0)+other[sealedChunk:2*sealedChunk]+body[2*sealedChunk:], 1)
		bad("body of another file", other, 0)
	}
}

func TestSealKeySizes(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int{0, 1, 16, 31, 33, 64, maxSecretFile + 1} {
		writeFile(t, dir, "key", random(n))
		fails(t, dir, "", exitFailed, "key", "seal", "-keyfile", "key", "-o", "sealed")
	}
	writeFile(t, dir, "key", random(16))
	works(t, dir, "", "seal", "-keyfile", "key", "-a", "aes128-silc", "-o", "sealed")
	writeFile(t, dir, "key", random(32))
	fails(t, dir, "", exitFailed, "the key must have 16 bytes; the file has 32 bytes", "open", "-keyfile", "key", "sealed")
	fails(t, dir, "", exitFailed, "no such file", "open", "-keyfile", "nothing", "sealed")
	fails(t, dir, "", exitFailed, "no such file", "open", "-keyfile", "key", "nothing")
	fails(t, dir, "", exitUsage, `unexpected argument "key"`, "open", "sealed", "key")
	fails(t, dir, "", exitFailed, "directory", "seal", "-keyfile", "key", "-o", filepath.Join("no", "such"))
}
