package clients

import (
	"bytes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"math/big"
	"testing"

	"github.com/emmansun/gmsm/drbg"

	"xcipher/internal/catalog"
	"xcipher/interop/tally"
)

func TestDRBG(t *testing.T) {
	for _, c := range algorithms(catalog.Block) {
		tally.Run(t, "gmsm drbg", c.Name, func(t *testing.T) {
			entropy, nonce, personal, again := random(32), random(16), random(20), random(32)
			theirs, err := drbg.NewNISTCtrDrbg(blockFunc(c.Name), c.KeySize, drbg.SECURITY_LEVEL_ONE, entropy, nonce, personal)
			if err != nil {
				t.Fatal(err)
			}
			ours := newCTRDRBG(t, c, entropy, nonce, personal)
			generates(t, theirs, func() []byte { return ours.generate(t, 100) })
			if err := theirs.Reseed(again, nil); err != nil {
				t.Fatal(err)
			}
			ours.reseed(t, again)
			generates(t, theirs, func() []byte { return ours.generate(t, 100) })
			if _, err := drbg.NewNISTCtrDrbg(blockFunc(c.Name), c.KeySize+1, drbg.SECURITY_LEVEL_ONE, entropy, nonce, personal); err == nil {
				t.Error("a wrong key size was taken")
			}
		})
	}
	for _, h := range algorithms(catalog.Hash) {
		tally.Run(t, "gmsm drbg", h.Name, func(t *testing.T) {
			newHash := func() hash.Hash { return noiseHash(h.Name).Hash() }
			entropy, nonce, personal := random(32), random(16), random(20)
			theirs, err := drbg.NewNISTHashDrbg(newHash(), drbg.SECURITY_LEVEL_ONE, entropy, nonce, personal)
			if err != nil {
				t.Fatal(err)
			}
			ours := newHashDRBG(newHash, entropy, nonce, personal)
			generates(t, theirs, func() []byte { return ours.generate(100) })
		})
	}
}

// generates compares ten outputs of 100 bytes.
func generates(t *testing.T, theirs drbg.DRBG, ours func() []byte) {
	t.Helper()
	seen := map[string]bool{}
	for range 10 {
		got := make([]byte, 100)
		if err := theirs.Generate(got, nil); err != nil {
			t.Fatal(err)
		}
		if want := ours(); !bytes.Equal(got, want) {
			t.Fatalf("%x, want %x", got, want)
		}
		if seen[string(got)] {
			t.Fatal("the output repeats")
		}
		seen[string(got)] = true
	}
}

// ctrDRBG is CTR_DRBG with a derivation function, NIST SP 800-90A section 10.2.1.
// It takes CTR and CBC from crypto/cipher, where the library has its own.
type ctrDRBG struct {
	algorithm catalog.Algorithm
	key, v    []byte
}

func newCTRDRBG(t *testing.T, a catalog.Algorithm, entropy, nonce, personal []byte) *ctrDRBG {
	d := &ctrDRBG{a, make([]byte, a.KeySize), make([]byte, a.BlockSize)}
	d.update(t, d.derive(t, bytes.Join([][]byte{entropy, nonce, personal}, nil)))
	return d
}

func (d *ctrDRBG) reseed(t *testing.T, entropy []byte) { d.update(t, d.derive(t, entropy)) }

// stream encrypts V+1, V+2 and so on, and leaves V at the last.
func (d *ctrDRBG) stream(t *testing.T, n int) []byte {
	size := d.algorithm.BlockSize
	blocks := (n + size - 1) / size
	out := make([]byte, blocks*size)
	cipher.NewCTR(newBlock(t, d.algorithm.Name, d.key), d.add(1)).XORKeyStream(out, out)
	d.v = d.add(blocks)
	return out[:n]
}

// add returns V+n.
func (d *ctrDRBG) add(n int) []byte {
	v := new(big.Int).SetBytes(d.v)
	v.Add(v, big.NewInt(int64(n)))
	v.SetBit(v, 8*len(d.v), 0)
	return v.FillBytes(make([]byte, len(d.v)))
}

func (d *ctrDRBG) update(t *testing.T, provided []byte) {
	temp := d.stream(t, len(d.key)+len(d.v))
	subtle.XORBytes(temp, temp, provided)
	d.key, d.v = temp[:len(d.key)], temp[len(d.key):]
}

func (d *ctrDRBG) generate(t *testing.T, n int) []byte {
	out := d.stream(t, n)
	d.update(t, make([]byte, len(d.key)+len(d.v)))
	return out
}

// derive is Block_Cipher_df (section 10.3.2).
func (d *ctrDRBG) derive(t *testing.T, input []byte) []byte {
	size := d.algorithm.BlockSize
	seed := d.algorithm.KeySize + size
	s := binary.BigEndian.AppendUint32(nil, uint32(len(input)))
	s = binary.BigEndian.AppendUint32(s, uint32(seed))
	s = append(append(s, input...), 0x80)
	for len(s)%size != 0 {
		s = append(s, 0)
	}
	key := make([]byte, d.algorithm.KeySize)
	for i := range key {
		key[i] = byte(i)
	}
	b := newBlock(t, d.algorithm.Name, key)
	var temp []byte
	for i := uint32(0); len(temp) < seed; i++ {
		text := append(binary.BigEndian.AppendUint32(nil, i), make([]byte, size-4)...)
		text = append(text, s...)
		cipher.NewCBCEncrypter(b, make([]byte, size)).CryptBlocks(text, text)
		temp = append(temp, text[len(text)-size:]...)
	}
	// CBC of zeros is a chain of encryptions.
	b = newBlock(t, d.algorithm.Name, temp[:d.algorithm.KeySize])
	out := make([]byte, (seed+size-1)/size*size)
	cipher.NewCBCEncrypter(b, temp[d.algorithm.KeySize:seed]).CryptBlocks(out, out)
	return out[:seed]
}

// hashDRBG is Hash_DRBG, NIST SP 800-90A section 10.1.1.
type hashDRBG struct {
	newHash func() hash.Hash
	v, c    []byte
	count   int64
}

func newHashDRBG(newHash func() hash.Hash, entropy, nonce, personal []byte) *hashDRBG {
	d := &hashDRBG{newHash: newHash, count: 1}
	d.v = d.derive(entropy, nonce, personal)
	d.c = d.derive([]byte{0}, d.v)
	return d
}

func (d *hashDRBG) sum(parts ...[]byte) []byte {
	h := d.newHash()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// derive is Hash_df (section 10.3.1).
func (d *hashDRBG) derive(input ...[]byte) []byte {
	seed := 55
	if d.newHash().Size() > 32 {
		seed = 111
	}
	var out []byte
	for i := byte(1); len(out) < seed; i++ {
		head := binary.BigEndian.AppendUint32([]byte{i}, uint32(8*seed))
		out = append(out, d.sum(append([][]byte{head}, input...)...)...)
	}
	return out[:seed]
}

// add returns the sum of numbers modulo the size of V.
func (d *hashDRBG) add(numbers ...[]byte) []byte {
	total := new(big.Int)
	for _, n := range numbers {
		total.Add(total, new(big.Int).SetBytes(n))
	}
	total.Mod(total, new(big.Int).Lsh(big.NewInt(1), uint(8*len(d.v))))
	return total.FillBytes(make([]byte, len(d.v)))
}

func (d *hashDRBG) generate(n int) []byte {
	var out []byte
	for v := d.v; len(out) < n; v = d.add(v, []byte{1}) {
		out = append(out, d.sum(v)...)
	}
	d.v = d.add(d.v, d.sum([]byte{3}, d.v), d.c, big.NewInt(d.count).Bytes())
	d.count++
	return out[:n]
}
