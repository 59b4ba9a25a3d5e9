package catalog_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"flag"
	"hash"
	"io"
	"math/rand/v2"
	"testing"

	"xcipher/aead/incremental"
	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/internal/authenc"
	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

var full = flag.Bool("full", false, "accumulate 10000 cases of each algorithm instead of 500")

// milestones are the numbers of cases after which a digest is known: for -short,
// for other runs, and for -full.
var milestones = [...]int{100, 500, 10000}

// TestDigest puts the outputs of many pseudo-random cases of each algorithm into
// one digest, which must be the same in every tier and on every architecture. What
// a case is may change only together with the digests.
//
// This code made the digests itself, so they prove no algorithm right. The test
// vectors do, in the package of each; these digests tell that all ways to compute
// an algorithm stay together, for inputs that no vector has.
func TestDigest(t *testing.T) {
	last := 1
	switch {
	case *full:
		last = 2
	case testing.Short():
		last = 0
	}
	conform.Each(t, func(t *testing.T) {
		for _, a := range catalog.Algorithms() {
			t.Run(a.Name, func(t *testing.T) {
				t.Parallel()
				want := digests[a.Name]
				var got [len(milestones)]string
				c := newCases(a)
				for i, n := 0, 0; i <= last; i++ {
					for ; n < milestones[i] && !t.Failed(); n++ {
						c.next(t)
					}
					got[i] = hex.EncodeToString(c.sum.Sum(nil)[:16])
				}
				for i := range last + 1 {
					if got[i] != want[i] {
						t.Errorf("after %d cases the digest is not %q; this run has\n%q: {%q, %q, %q},", milestones[i], want[i], a.Name, got[0], got[1], got[2])
						return
					}
				}
			})
		}
	})
	for name := range digests {
		if _, ok := catalog.Lookup(name); !ok {
			t.Errorf("there is a digest of %s, but no such algorithm", name)
		}
	}
}

// cases makes the cases of one algorithm, and keeps the hash of their outputs.
type cases struct {
	a   catalog.Algorithm
	rng *rand.ChaCha8
	sum hash.Hash // SHA-256
}

func newCases(a catalog.Algorithm) *cases {
	return &cases{a, rand.NewChaCha8(sha256.Sum256([]byte(a.Name))), sha256.New()}
}

// upTo returns a number from 0 to most. The methods of rand.Rand may take other
// ways where an int has 32 bits.
func (c *cases) upTo(most int) int { return int(c.rng.Uint64() % uint64(most+1)) }

func (c *cases) bytes(n int) []byte {
	b := make([]byte, n)
	c.rng.Read(b)
	return b
}

// pieces calls f with b in pieces of whole units, some of them empty.
func (c *cases) pieces(b []byte, unit int, f func(piece []byte)) {
	for len(b) > 0 {
		n := c.upTo([]int{1, 20, 200, 2000}[c.upTo(3)]) / unit * unit
		n = min(max(n, unit*c.upTo(1)), len(b))
		f(b[:n])
		b = b[n:]
	}
}

func (c *cases) next(t *testing.T) {
	size := c.a.KeySize
	if c.a.AnyKey {
		size = c.upTo(200)
	}
	key := c.bytes(size)
	switch c.a.Kind {
	case catalog.Block:
		c.block(must(catalog.NewBlock(c.a.Name, key))(t))
	case catalog.AEAD:
		c.aead(t, must(catalog.NewAEAD(c.a.Name, key))(t))
	case catalog.MAC:
		c.write(t, must(catalog.NewMAC(c.a.Name, key))(t))
	case catalog.Hash:
		c.write(t, must(catalog.NewHash(c.a.Name))(t))
	case catalog.Stream:
		nonce := c.bytes(c.a.NonceSizes[c.upTo(len(c.a.NonceSizes)-1)])
		c.stream(must(catalog.NewStream(c.a.Name, key, nonce))(t))
	default:
		t.Fatalf("no cases for %s", c.a.Kind)
	}
}

func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// block takes one mode of operation, or block after block.
func (c *cases) block(b cipher.Block) {
	size := b.BlockSize()
	iv := c.bytes(size)
	wide := c.bytes(size * (1 + c.upTo(2)))
	switch c.upTo(12) {
	case 0:
		c.stream(cipher.NewCTR(b, iv))
	case 1:
		c.mode(cipher.NewCBCEncrypter(b, iv))
	case 2:
		c.mode(cipher.NewCBCDecrypter(b, iv))
	case 3:
		c.mode(ecb.NewEncrypter(b))
	case 4:
		c.mode(ecb.NewDecrypter(b))
	case 5:
		c.stream(gost3413.NewCTR(b, iv[:size/2]))
	case 6:
		c.stream(gost3413.NewOFB(b, wide))
	case 7:
		c.stream(gost3413.NewCFBEncrypter(b, wide))
	case 8:
		c.stream(gost3413.NewCFBDecrypter(b, wide))
	case 9:
		c.mode(gost3413.NewCBCEncrypter(b, wide))
	case 10:
		c.mode(gost3413.NewCBCDecrypter(b, wide))
	case 11:
		c.single(size, b.Encrypt)
	case 12:
		c.single(size, b.Decrypt)
	}
}

func (c *cases) single(size int, crypt func(dst, src []byte)) {
	text := c.bytes(size * (1 + c.upTo(3)))
	for i := 0; i < len(text); i += size {
		crypt(text[i:], text[i:])
	}
	c.sum.Write(text)
}

func (c *cases) mode(m cipher.BlockMode) {
	text := c.bytes(c.upTo(2000) / m.BlockSize() * m.BlockSize())
	c.pieces(text, m.BlockSize(), func(piece []byte) { m.CryptBlocks(piece, piece) })
	c.sum.Write(text)
}

func (c *cases) stream(s cipher.Stream) {
	text := c.bytes(c.upTo(2000))
	c.pieces(text, 1, func(piece []byte) { s.XORKeyStream(piece, piece) })
	c.sum.Write(text)
}

func (c *cases) aead(t *testing.T, a cipher.AEAD) {
	nonce := c.bytes(a.NonceSize())
	text := c.bytes(c.upTo(int(min(c.a.MaxMessage-1, 1999)) + 1)) // a limit of 0 is none
	var aad []byte
	if !c.a.NoAAD {
		aad = c.bytes(c.upTo(300))
	}
	sealed := a.Seal(nil, nonce, text, aad)
	c.sum.Write(sealed)
	opened := must(a.Open(nil, nonce, sealed, aad))(t)
	if !bytes.Equal(opened, text) {
		t.Fatalf("%d bytes with %d of additional data do not open to themselves", len(text), len(aad))
	}
	if !inPieces(a) || c.upTo(3) > 0 {
		return
	}
	var out bytes.Buffer
	w := must(incremental.NewSealer(a, &out, nonce, aad))(t)
	c.pieces(text, 1, func(piece []byte) { w.Write(piece) })
	w.Close()
	r := must(incremental.NewOpener(a, bytes.NewReader(sealed), nonce, aad))(t)
	if opened := must(io.ReadAll(r))(t); !bytes.Equal(out.Bytes(), sealed) || !bytes.Equal(opened, text) {
		t.Fatalf("%d bytes with %d of additional data differ in pieces", len(text), len(aad))
	}
}

// inPieces tells whether an AEAD fits package incremental.
func inPieces(a cipher.AEAD) bool {
	s, _, _ := authenc.Of(a)
	_, ok := s.(authenc.Beginner)
	return ok
}

// write takes a hash or a MAC.
func (c *cases) write(t *testing.T, h hash.Hash) {
	c.pieces(c.bytes(c.upTo(2000)), 1, func(piece []byte) { h.Write(piece) })
	if saver, ok := h.(encoding.BinaryMarshaler); ok {
		state := must(saver.MarshalBinary())(t)
		c.sum.Write(state)
		h = must(catalog.NewHash(c.a.Name))(t)
		if c.upTo(3) == 0 {
			// A state that no message of a usual length leaves behind: the first half has
			// no bytes of the message, but may count them.
			for range 1 + c.upTo(1) {
				c.rng.Read(state[4+c.upTo(len(state)/2-5):][:1])
			}
		}
		if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state) != nil {
			c.sum.Write([]byte("refused"))
		}
	} else if cloner, ok := h.(hash.Cloner); ok {
		h = must(cloner.Clone())(t)
	}
	c.pieces(c.bytes(c.upTo(200)), 1, func(piece []byte) { h.Write(piece) })
	c.sum.Write(h.Sum(nil))
}

var digests = map[string][len(milestones)]string{
	"kuznyechik":           {"19a516aaa2996e59c871842f3abe1b0c", "fe3bf8352ff44081804e90af83b8e3bd", "ef5e614d2b19c45bd42ce99d1c1b3c0d"},
	"magma":                {"23ddd1d95fa38e920fc5b4cd07040fae", "2cd33e6b8839c0cfdc07ab2cb70ee2c6", "3c03fe6bd62b2f622337c7947fa20e48"},
	"saturnin":             {"a71570e7128f51e44d5c28667e06bf43", "ac06e73743fd6c4cb7c6b568a3e44e20", "f88d37af25bdb8eb0f6fde8d9b0677ce"},
	"chaskey8":             {"0419aef5f386b4a2eb5420395480ca24", "c471fc340ee52aaf2ec6542c21ebe004", "4d069f1e840a40940d646252d96f8760"},
	"chaskey12":            {"63310c681817a625715a251ec887eaec", "46d52b6dd3c4b5b5e9aae0108534188f", "af4e6045631f7c5fdee8583278aab030"},
	"chaskey-lts":          {"d9be4cd31887362b1e326bec95e0ca98", "ef1bcd8225c979f8945e127d3a8b86a1", "bd90857dad8ffc9765903ba526d525d9"},
	"kuznyechik-mgm":       {"14d4388a85d7136549d5d54e43cfc3fb", "1f310bba5a7e32da51c2554c2f254cb6", "42d43028e9fb3e77f039e845d9fb7e25"},
	"magma-mgm":            {"f7a35b2f1940a2dfebe3bbb6e78afe9f", "905724d9239905054290d8846dd4325e", "1ab39b8a48cffd6640dbf0a86f5b09f8"},
	"aes128-cloc":          {"f24616f47f38860914f6dc55480b22d1", "31daff687ae46fc4684c7a942226db4d", "1c7f76217f91796168fb91831b40a58f"},
	"chaskey8-cloc":        {"0555ccf417a0b327df4f2bd0bbe27809", "b48deda73624c89d8bf550ec8d58a4ce", "367af3a14aeca7bbcbd4542ee2ddffe2"},
	"chaskey12-cloc":       {"b1c57a36b9f4d2ea427c6679ae665d4b", "826eb99f21cfce110615a7c66e9e4ed0", "eb4a44036b53e164b8272831d143ed85"},
	"aes128-silc":          {"c771327ad023c8d77489be93a092a40b", "02bd574d7e219de7b8726ead5db83b04", "6020898b2f49d9fde9e6648a4f7f842a"},
	"saturnin-ctr-cascade": {"80d4711f37d499d023e897abbeac15e5", "f45bb02e0add6a291336518bbc5d60ff", "55768db61041ab55ed01a1ef69538ec2"},
	"saturnin-short":       {"8c8143591f4c3d590db6008c081b1bd9", "63d2e73173a7f0eef0fccac34907ca9d", "1debc5ac13700cc21fd3ed988f1f431e"},
	"chacha20-poly1305":    {"5f2b87e3a6c80dd1aab494062f083ae2", "d86cb83f43d7c7b74aeb5f5fbd2201af", "87e6eb29e837108ec842b8be0894ea8b"},
	"xchacha20-poly1305":   {"cef91913792ea3a5df6a59eac3fcb172", "836e466dd3ff62b85f89a2a2e4c0761b", "591f9eb644e0a36a8ee3b916ed86cae6"},
	"chacha12-poly1305":    {"a43bb46199596e6a8ed5fd3ab3f18d4d", "5ece8da951a7ab3f165cd78bcafe5d24", "319f55717cebe458f22128de6e2117c4"},
	"xchacha12-poly1305":   {"9df2dc9457b0dd02e03b5e5fc6acf1ae", "1c964d2c9b541cad7b5f59d5950dac74", "c3c5770d09a9eff788f4bb06bd07ad8c"},
	"chacha8-poly1305":     {"faa7335587fc609150eec5345f7a5423", "4d35f17fdb7dffb9bd6a7dbc7fa02980", "d9cf3b89e1f6ec079a17b92430877b0f"},
	"xchacha8-poly1305":    {"6abd48cc91f492001216b5430a9df065", "f50cc1dcb668b22362597b23fc12dd75", "8b03ab704e79bb15727134035af63311"},
	"kuznyechik-cmac":      {"0e9ee3dfc3b301fc4c4149df07c98abb", "56f09eb14bdf31ab897fea377fad3658", "68baac7c3a8f3106bc0456ab92e96ab9"},
	"magma-cmac":           {"f3980e885e2612a45eda22ca81eef1f8", "37b4ab12276445760f8c86f8a05a6f19", "f29ecf11d256d01d04604747b7b4d232"},
	"aes-cmac":             {"5b939abef81a7cf19e325ed5e6d8849a", "5f133e35398099cfe437652bcd05e550", "a98cbd342d3628b439bd412c0ccd7265"},
	"chaskey8-mac":         {"41cbef986302076c2e14a833a3b78234", "22729a070275c5e0148d97afa708a84b", "b037b62b50db5cbf7e0e28b975d474e3"},
	"chaskey12-mac":        {"220abf8fa9c5cb128d94792f7f0e4682", "ff7fed34c51b9cdc22159ece2d2a1e5f", "19eca1c33db5272dc9c2aed0f68f6ff2"},
	"chaskey-lts-mac":      {"1d17a6ed143f58616e62516f068cc996", "a77f1a83c7a523e4b812c5b0ba90805b", "b7a625c91b8f492e287aaab143ab7052"},
	"hmac-streebog256":     {"5526ba49df26b370f8f3509ae644fdfc", "039b6d7ef313561cfbd13c0922a5ef8c", "620fac06bfe2ee7484f7b8a5529b373c"},
	"hmac-streebog512":     {"700ffc26028bfae67fabc3e68430c462", "599d999497c6d1b967ad7ac9f125da1e", "412e1a98850e9ed23695dd893797db44"},
	"streebog256":          {"5dafa77aec0fc897da07a214bc8ed05f", "c49cdd5434bab788eae5de4eae24f929", "49bc9befd7514905ac0f4fd1851f38ef"},
	"streebog512":          {"5f2b4817a40456586da7479ae69e8ccb", "d248365cbf41cfe0e6d264a2385c9b69", "790d22debc9ec5cf2b5baa22353372b8"},
	"saturnin-hash":        {"58aa19511322826bb511feaff5ebcfba", "493f94069bd8f44a2871b13c1c6d27f9", "3eb6ccf0872759b8e63d3b1bf14b91a6"},
	"chacha20":             {"47a7aa6c4de2432fdd25dd4a2568dea6", "63c53a67ef40b5873e1a31c06afdf5a7", "f2ed294f2f89b214bf4dd99d18b57942"},
	"chacha12":             {"518ad64ad742dacee927b4229503c39c", "1ec4f7f18f8844caf3ee95aa806e537f", "9b0cbda928112b658b368d226fe1728b"},
	"chacha8":              {"8ee55382726bfd187eb39d22d8011c5e", "74e006461fa2a77f0b2ec5c80c77c753", "520f1381066e9e526fac51c19291e3fb"},
	"kuznyechik-ctr":       {"cb6e37b2241e306ff75044c10e89026d", "7918797f83a095fe6ea47b6eb6e27426", "e47980925721fb141d7d1c535afb7c71"},
	"magma-ctr":            {"a0d2be5d9b5372057942b6f1b26007a5", "a8d09b54d4dbfae67c3726d72a48917d", "03a5a69391af313245a329f4e8f907e3"},
}
