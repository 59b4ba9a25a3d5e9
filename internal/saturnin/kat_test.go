package saturnin_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	aead "xcipher/aead/saturnin"
	block "xcipher/block/saturnin"
	hash "xcipher/hash/saturnin"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

// fill says how to fill a buffer: byte i is fill[0] + i*fill[1].
type fill [2]int

func (f fill) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(f[0] + i*f[1])
	}
	return b
}

type fills struct{ Key, Nonce, Msg, AAD fill }

// digests are those of long outputs: of the three files of answers that the
// specification came with, of more of their kind, and others.
type digests struct {
	KATFiles []struct {
		Name, Mode     string
		Fill           fills
		MaxMsg, MaxAAD int
		Records, Bytes int
		SHA256         vectors.HexBytes
	}
	BlockChains []struct {
		Rounds, Domain, Iterations     int
		Key, Msg, FinalKey, FinalBlock vectors.HexBytes
	}
	LongMessages []struct {
		Mode             string
		Fill             fills
		MsgLen, AADLen   int
		Tag              vectors.HexBytes
		SHA256OfCtAndTag vectors.HexBytes
	}
}

func load(t *testing.T) (d digests) {
	text, err := os.ReadFile("testdata/saturnin_kat_digests.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func newAEAD(t *testing.T, mode string, key []byte) cipher.AEAD {
	newAEAD := map[string]func(key []byte) (cipher.AEAD, error){"ctr-cascade": aead.NewCTRCascade, "short": aead.NewShort}[mode]
	if newAEAD == nil {
		t.Fatalf("unknown mode %q", mode)
	}
	a, err := newAEAD(key)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestKATFiles writes the files as genkat_aead.c and genkat_hash.c of NIST's
// lightweight cryptography project do.
func TestKATFiles(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		files := load(t).KATFiles
		if len(files) != 6 {
			t.Fatalf("found %d files", len(files))
		}
		for _, file := range files {
			var out bytes.Buffer
			count := 0
			msg, aad := file.Fill.Msg.bytes(file.MaxMsg), file.Fill.AAD.bytes(file.MaxAAD)
			if file.Mode == "hash" {
				for m := range file.MaxMsg + 1 {
					count++
					fmt.Fprintf(&out, "Count = %d\nMsg = %X\nMD = %X\n\n", count, msg[:m], hash.Sum256(msg[:m]))
				}
			} else {
				key, nonce := file.Fill.Key.bytes(32), file.Fill.Nonce.bytes(16)
				a := newAEAD(t, file.Mode, key)
				for m := range file.MaxMsg + 1 {
					for n := range file.MaxAAD + 1 {
						count++
						fmt.Fprintf(&out, "Count = %d\nKey = %X\nNonce = %X\nPT = %X\nAD = %X\nCT = %X\n\n",
							count, key, nonce, msg[:m], aad[:n], a.Seal(nil, nonce, msg[:m], aad[:n]))
					}
				}
			}
			sum := sha256.Sum256(out.Bytes())
			if count != file.Records || out.Len() != file.Bytes || !bytes.Equal(sum[:], file.SHA256) {
				t.Errorf("%s: %d records, %d bytes, %x, want %d, %d, %x",
					file.Name, count, out.Len(), sum, file.Records, file.Bytes, file.SHA256)
			}
		}
	})
}

// TestBlockChains encrypts a block again and again, and adds each result to the key.
func TestBlockChains(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		chains := load(t).BlockChains
		if len(chains) != 13 {
			t.Fatalf("found %d chains", len(chains))
		}
		for _, chain := range chains {
			key, x := bytes.Clone(chain.Key), bytes.Clone(chain.Msg)
			for range chain.Iterations {
				b, err := block.NewCipherWithDomain(key, chain.Rounds, chain.Domain)
				if err != nil {
					t.Fatal(err)
				}
				b.Encrypt(x, x)
				for i := range key {
					key[i] ^= x[i]
				}
			}
			if !bytes.Equal(key, chain.FinalKey) || !bytes.Equal(x, chain.FinalBlock) {
				t.Errorf("R = %d, D = %d: key %x, block %x, want %x, %x",
					chain.Rounds, chain.Domain, key, x, chain.FinalKey, chain.FinalBlock)
			}
		}
	})
}

// TestLongMessages brings the counter into its third byte.
func TestLongMessages(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		messages := load(t).LongMessages
		if len(messages) != 3 {
			t.Fatalf("found %d messages", len(messages))
		}
		for _, m := range messages {
			a := newAEAD(t, m.Mode, m.Fill.Key.bytes(32))
			nonce, text, aad := m.Fill.Nonce.bytes(16), m.Fill.Msg.bytes(m.MsgLen), m.Fill.AAD.bytes(m.AADLen)
			sealed := a.Seal(nil, nonce, text, aad)
			sum := sha256.Sum256(sealed)
			if !bytes.Equal(sealed[m.MsgLen:], m.Tag) || !bytes.Equal(sum[:], m.SHA256OfCtAndTag) {
				t.Errorf("%d bytes: tag %x, digest %x, want %x, %x", m.MsgLen, sealed[m.MsgLen:], sum, m.Tag, m.SHA256OfCtAndTag)
			}
			opened, err := a.Open(sealed[:0], nonce, sealed, aad)
			if err != nil || !bytes.Equal(opened, text) {
				t.Errorf("%d bytes: Open: %v", m.MsgLen, err)
			}
		}
	})
}
