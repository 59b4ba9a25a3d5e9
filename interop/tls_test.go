package interop

import (
	"bytes"
	"crypto/cipher"
	"crypto/hkdf"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"xcipher/aead/mgm"
	"xcipher/hash/streebog"
	"xcipher/interop/tally"
)

// tls12Session was captured between openssl s_server and s_client.
type tls12Session struct {
	Suite, IANA                              string
	MasterSecret, ClientRandom, ServerRandom hexBytes
	KeyBlock                                 hexBytes
	Records                                  []tls12Record
}

type tls12Record struct {
	Side                                           string
	Seq                                            uint64
	ContentType                                    byte
	Ciphertext, Plaintext, MAC, EncKey, MACKey, IV hexBytes
}

// tls13Record was made by GoGOST.
type tls13Record struct {
	Suite                                     string
	TrafficSecret, WriteKey, WriteIV          hexBytes
	Seq                                       uint64
	NonceXor, NonceMGM, RecordKey, AAD, Inner hexBytes
	Record                                    hexBytes
}

func hmac256(key []byte, parts ...[]byte) []byte {
	return hmacOf(streebog.New256, key, bytes.Join(parts, nil))
}

// tlstree derives the key of a record (RFC 9189 section 8.1).
func tlstree(key []byte, seq uint64, constants [3]uint64) []byte {
	for i, c := range constants {
		masked := binary.BigEndian.AppendUint64(nil, seq&c)
		key = hmac256(key, []byte{1}, fmt.Appendf(nil, "level%d", i+1), []byte{0}, masked, []byte{1, 0})
	}
	return key
}

// prf is the PRF of TLS 1.2 (RFC 5246 section 5).
func prf(secret []byte, label string, seed []byte, n int) (out []byte) {
	seed = append([]byte(label), seed...)
	for a := hmac256(secret, seed); len(out) < n; a = hmac256(secret, a) {
		out = append(out, hmac256(secret, a, seed)...)
	}
	return out[:n]
}

// The records use HMAC, PRF, TLSTREE, CTR-ACPKM and OMAC (RFC 9189 section 4.1).
func TestTLS12Records(t *testing.T) {
	total := 0
	for _, s := range load(t).TLS12.Sessions {
		c, section := gostCiphers[0], 4096
		constants := [3]uint64{0xFFFFFFFF00000000, 0xFFFFFFFFFFF80000, 0xFFFFFFFFFFFFFFC0}
		if strings.Contains(s.IANA, "MAGMA") {
			c, section = gostCiphers[1], 1024
			constants = [3]uint64{0xFFFFFFC000000000, 0xFFFFFFFFFE000000, 0xFFFFFFFFFFFFF000}
		}
		half := modeOf("ctr", blockSize(t, c.new)).ivSize
		block := prf(s.MasterSecret, "key expansion", append(bytes.Clone(s.ServerRandom), s.ClientRandom...), 4*32+2*half)
		same(t, block, s.KeyBlock, "%s: key block", s.Suite)
		for _, r := range s.Records {
			total++
			tally.Run(t, "stored TLS 1.2 records", fmt.Sprint(s.Suite, " ", r.Side, " ", r.Seq), func(t *testing.T) {
				macKey, key, iv := block[:32], block[64:96], block[128:][:half]
				if r.Side == "server" {
					macKey, key, iv = block[32:64], block[96:128], block[128+half:]
				}
				macKey, key = tlstree(macKey, r.Seq, constants), tlstree(key, r.Seq, constants)
				same(t, macKey, r.MACKey, "MAC key")
				same(t, key, r.EncKey, "key")

				// IV + seq modulo 2^(4n); the sequence numbers here are small.
				wide := append(make([]byte, 8-half), iv...)
				wide = binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(wide)+r.Seq)
				iv = wide[8-half:]
				same(t, iv, r.IV, "IV")

				head := binary.BigEndian.AppendUint64(nil, r.Seq)
				head = append(head, r.ContentType, 3, 3)
				head = binary.BigEndian.AppendUint16(head, uint16(len(r.Plaintext)))
				mac := cmacOf(t, c.new, macKey, append(head, r.Plaintext...))
				same(t, mac, r.MAC, "MAC")
				same(t, acpkm(t, c.new, key, iv, append(bytes.Clone(r.Plaintext), mac...), section), r.Ciphertext, "ciphertext")
			})
		}
	}
	if total != 18 {
		t.Errorf("%d records, want 18", total)
	}
}

func blockSize(t *testing.T, newCipher func(key []byte) (cipher.Block, error)) int {
	t.Helper()
	b, err := newCipher(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return b.BlockSize()
}

// expandLabel is HKDF-Expand-Label with an empty context (RFC 8446 section 7.1).
func expandLabel(t *testing.T, secret []byte, label string, n int) []byte {
	t.Helper()
	label = "tls13 " + label
	info := binary.BigEndian.AppendUint16(nil, uint16(n))
	info = append(info, byte(len(label)))
	info = append(info, label...)
	info = append(info, 0)
	key, err := hkdf.Expand(streebog.New256, secret, string(info), n)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// The records of the four MGM suites (RFC 9367).
func TestTLS13Records(t *testing.T) {
	s := load(t)
	for _, r := range s.TLS13.Records {
		tally.Run(t, "stored TLS 1.3 records", fmt.Sprint(r.Suite, " ", r.Seq), func(t *testing.T) {
			_, suite, _ := strings.Cut(r.Suite, "_WITH_")
			var constants [3]uint64
			for i, c := range s.TLS13.Constants[strings.ReplaceAll(strings.ToLower(suite), "_", "-")] {
				constants[i] = binary.BigEndian.Uint64(c)
			}
			c := gostCiphers[0]
			if strings.HasPrefix(suite, "MAGMA") {
				c = gostCiphers[1]
			}
			size := blockSize(t, c.new)
			key, iv := expandLabel(t, r.TrafficSecret, "key", 32), expandLabel(t, r.TrafficSecret, "iv", size)
			same(t, key, r.WriteKey, "write key")
			same(t, iv, r.WriteIV, "write IV")
			key = tlstree(key, r.Seq, constants)
			same(t, key, r.RecordKey, "record key")

			nonce := iv
			for i, x := range binary.BigEndian.AppendUint64(nil, r.Seq) {
				nonce[size-8+i] ^= x
			}
			same(t, nonce, r.NonceXor, "nonce")
			b, err := c.new(key)
			if err != nil {
				t.Fatal(err)
			}
			a, err := mgm.NewRFC9058(b, size)
			if err != nil {
				t.Fatal(err)
			}
			same(t, sealRFC9058(t, a, nonce, r.Inner, r.AAD), r.Record[len(r.AAD):], "record")

			inner, err := a.Open(nil, r.NonceMGM, r.Record[len(r.AAD):], r.AAD)
			if err != nil {
				t.Fatal(err)
			}
			same(t, inner, r.Inner, "inner text")
			wrong := bytes.Clone(r.Record[len(r.AAD):])
			wrong[int(r.Seq)%len(wrong)] ^= 1
			if _, err := a.Open(nil, r.NonceMGM, wrong, r.AAD); err == nil {
				t.Error("a flipped bit was accepted")
			}
		})
	}
	if n := len(s.TLS13.Records); n != 40 {
		t.Errorf("%d records, want 40", n)
	}
}
