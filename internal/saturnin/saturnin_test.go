package saturnin

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
	"xcipher/vectors"
)

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// TestConstants compares the round constants with those of the specification's
// modes, RC1 || RC0.
func TestConstants(t *testing.T) {
	for _, test := range []struct {
		superRounds, domain int
		want                string
	}{
		{10, 0, "4EE326EF 815C5752 C98F5B8F ADD09943 55101C7E EF0001C1 0F1C30ED 27116952 DE0EAD61 0C4FDD47"},
		{10, 1, "4EB026C2 90595303 AA8FE632 FE928A92 4115A419 93539532 5DB1CC4E 541515CA BD1F55A8 5A6E1A0D"},
		{10, 2, "4E4526B5 A3565FF0 0F8F20D8 0B54BEE1 7D1A6C9D 17A6280A AA46C986 C1199062 182C5CDE A00D53FE"},
		{10, 3, "4E162698 B2535BA1 6C8F9D65 5816AD30 691FD4FA 6BF5BCF9 F8EB3525 B21DECFA 7B3DA417 F62C94B4"},
		{10, 4, "4FAF265B C5484616 45DCAD21 E08BD607 0504FDB8 1E1F5257 45FBC216 EB529B1F 52194E32 5498C018"},
		{10, 5, "4FFC2676 D44D4247 26DC109C B3C9C5D6 110145DF 624CC6A4 17563EB5 9856E787 3108B6FB 02B90752"},
		{10, 6, "4F092601 E7424EB4 83DCD676 460FF1A5 2D0E8D5B E6B97B9C E0A13B7D 0D5A622F 943BBF8D F8DA4EA1"},
		{16, 7, "3FBA180C 563AB9AB 125EA5EF 859DA26C B8CF779B 7D4DE793 07EFB49F 8D525306 1E08E6AB 41729F87 " +
			"8C4AEF0A 4AA0C9A7 D93A95EF BB00D2AF B62C5BF0 386D94D8"},
		{16, 8, "3C9B19A7 A9098694 23F878DA A7B647D3 74FC9D78 EACAAE11 2F31A677 4CC8C054 2F51CA05 5268F195 " +
			"4F5B8A2B F614B4AC F1D95401 764D2568 6A493611 8EEF9C3E"},
	} {
		dom := NewDomain(test.superRounds, test.domain)
		got := fmt.Sprintf("%08X", dom.rc[:dom.superRounds])
		if got != "["+test.want+"]" {
			t.Errorf("R = %d, D = %d: %s, want %s", test.superRounds, test.domain, got, test.want)
		}
	}
	for superRounds := 1; superRounds <= MaxSuperRounds; superRounds++ {
		for domain := range MaxDomain + 1 {
			dom := NewDomain(superRounds, domain)
			rc0, rc1 := referenceConstants(superRounds, domain)
			for s, rc := range dom.rc[:dom.superRounds] {
				if rc != uint32(rc1[s])<<16|uint32(rc0[s]) {
					t.Fatalf("R = %d, D = %d: super-round %d has %08X", superRounds, domain, s, rc)
				}
			}
		}
	}
}

// testSBox tries all inputs at once: the nibble n in column n.
func testSBox[W word](t *testing.T) {
	var in quad[W]
	for n := W(0); n < 16; n++ {
		in.p0 |= n & 1 << n
		in.p1 |= n >> 1 & 1 << n
		in.p2 |= n >> 2 & 1 << n
		in.p3 |= n >> 3 & 1 << n
	}
	for i, out := range []quad[W]{order0(sbox(in)), order1(sbox(in))} {
		for n, want := range sigmaTables[i] {
			if got := out.p0>>n&1 | out.p1>>n&1<<1 | out.p2>>n&1<<2 | out.p3>>n&1<<3; got != W(want) {
				t.Errorf("sigma%d(%d) = %d, want %d", i, n, got, want)
			}
		}
	}
	if unsbox(unorder0(order0(sbox(in)))) != in || unsbox(unorder1(order1(sbox(in)))) != in {
		t.Error("the inverse S-boxes do not undo the S-boxes")
	}
	if unalpha(alpha(in)) != in || alpha(unalpha(in)) != in {
		t.Error("unalpha does not undo alpha")
	}
}

func TestSBox(t *testing.T) {
	t.Run("32", testSBox[uint32])
	t.Run("64", testSBox[uint64])
}

// trace holds the states in the course of an encryption with R = 10 and D = 0.
const trace = `
block     031425364758697a8b9cadbecfe0f102132435465768798a9bacbdcedff00112
whitened  03152735435d6f7d8395a7b5c3edff0d03352755437d6f9d83b5a7d5c3ed1f0d
even S    0b15435d24202f3524e09bf5bfc5c36d0bd5435d24602f95e4e0dbd5ff85634d
even MC   ef25cb15efd5b0805b054cb8979d63cd2fc56bf58f1590001b05ec38177d63ed
odd S     db55a0f04f75fb45d430ecd8a36587bd3bd5c0304f355b25f4100cb8e385877d
odd SR    db55a0f04f75fb45b860d9b156ca1e7bce7530c01fc55e85f28006d4794a4bbe
odd MC    fcfb85e062801414e62a75ee2014351b036e153058e041f1991a85eb3081057e
odd SRinv fcfb85e0628014147315ba7710829a8d0c9b45c052b014f433251ad760120aed
end       1bdd9df04aa02c243b55e22778e2e2fd6755dd50fa10ac44fbe5c20788f2f21d
odd S     5f82cd4a1b328afb1f162c580d279fc1cb0a2d5ab72232836fbe0878d5470f09
odd SR    5f82cd4a1b328afbf161c582d270fc190acb5a2d22b78332e6fb80877d5490f0
odd MC    e0f07e3805d1e6ab58356e84ccd2b2f67187665e6f2895d7ce940ba45c63f635
odd SRinv e0f07e3805d1e6ab558346e82ccd6b2f87715e66286fd795e94cba40c635635f
end       b2a67c3b01d4e0ac5d8a4ce320c06520cbe14c753c7ac182f155a05bda287d40
end       4b2f9346305b77b186363a21cd492dd533347b4c59ef7170135906d132add943
end       b105f4fd94948b91ddd71460187308532bf7d13b4b6ea8cbc772b0eda511ae2e`

// TestTrace checks the reference against the published course of an encryption,
// of which some steps are left out, and the code step by step where it has them.
func TestTrace(t *testing.T) {
	key, src := make([]byte, KeySize), make([]byte, BlockSize)
	for i := range key {
		key[i], src[i] = byte(i), byte(17*i+3)
	}
	lines := strings.Split(strings.TrimSpace(trace), "\n")
	states := make([][]byte, len(lines))
	for i, line := range lines {
		states[i], _ = hex.DecodeString(strings.TrimSpace(line[10:]))
	}
	if !bytes.Equal(states[0], src) {
		t.Fatal("the block is another one")
	}
	next := 1
	ref := newReference(10, 0, key)
	ref.sequence = func(step string, c *cube) {
		if next < len(lines) && strings.TrimSpace(lines[next][:10]) == step && bytes.Equal(c.bytes(), states[next]) {
			next++
		}
	}
	if got := ref.encrypt(src); next != len(lines) || !bytes.Equal(got, states[next-1]) {
		t.Fatalf("the reference does not come to %q", lines[min(next, len(lines)-1)])
	}

	is := func(x block, line int) {
		t.Helper()
		var got [BlockSize]byte
		if x.store(&got); !bytes.Equal(got[:], states[line]) {
			t.Errorf("%s: got %x", lines[line], got)
		}
	}
	var k, x block
	k.load((*[KeySize]byte)(key))
	kr := k.rotated()
	x.load((*[BlockSize]byte)(src))
	x = block{add(x.ac, k.ac), add(x.bd, k.bd)}
	is(x, 1)
	x = block{order0(sbox(x.ac)), order1(sbox(x.bd))}
	is(x, 2)
	x.ac, x.bd = mds(x.ac, x.bd)
	is(x, 3)
	x = block{order0(sbox(x.ac)), order1(sbox(x.bd))}
	is(x, 4)
	x.ac, x.bd = mdsSlice(x.ac, x.bd)
	is(x, 7)
	x.ac.p0 ^= NewDomain(10, 0).rc[0]
	x = block{add(x.ac, kr.ac), add(x.bd, kr.bd)}
	is(x, 8)
	x.load((*[BlockSize]byte)(states[9]))
	x.ac, x.bd = mdsSheet(x.ac, x.bd)
	is(x, 12)
}

// newCase returns a cipher with a random domain and key, and the reference.
func newCase(rng *rand.Rand, superRounds, domain int) (*Cipher, *reference) {
	key := randomBytes(rng, KeySize)
	c := NewCipher(NewDomain(superRounds, domain), key)
	ref := newReference(superRounds, domain, key)
	clear(key)
	return c, ref
}

func TestReference(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for superRounds := 1; superRounds <= MaxSuperRounds; superRounds++ {
			for domain := range MaxDomain + 1 {
				if testing.Short() && (superRounds+domain)%5 != 0 {
					continue
				}
				c, ref := newCase(rng, superRounds, domain)
				src := randomBytes(rng, (1+rng.IntN(4))*BlockSize)
				testBlocks(t, c, ref, src)
			}
		}
		for blocks := range 14 {
			c, ref := newCase(rng, 10, blocks)
			testBlocks(t, c, ref, randomBytes(rng, blocks*BlockSize))
		}
	})
}

// testBlocks encrypts and decrypts src, to another slice and in place.
func testBlocks(t *testing.T, c *Cipher, ref *reference, src []byte) {
	t.Helper()
	var encrypted, decrypted []byte
	for b := src; len(b) > 0; b = b[BlockSize:] {
		encrypted = append(encrypted, ref.encrypt(b)...)
		decrypted = append(decrypted, ref.decrypt(b)...)
	}
	dst, in := make([]byte, len(src)), bytes.Clone(src)
	if c.EncryptBlocks(dst, in); !bytes.Equal(dst, encrypted) {
		t.Fatalf("R = %d: %d blocks are encrypted to %x, want %x", c.domain.superRounds, len(src)/BlockSize, dst, encrypted)
	}
	if c.DecryptBlocks(dst, in); !bytes.Equal(dst, decrypted) {
		t.Fatalf("R = %d: %d blocks are decrypted to %x, want %x", c.domain.superRounds, len(src)/BlockSize, dst, decrypted)
	}
	if !bytes.Equal(in, src) {
		t.Fatal("the source was changed")
	}
	if c.EncryptBlocks(in, in); !bytes.Equal(in, encrypted) {
		t.Fatalf("in place %d blocks are encrypted wrongly", len(src)/BlockSize)
	}
	if c.DecryptBlocks(in, in); !bytes.Equal(in, src) {
		t.Fatalf("in place %d blocks are decrypted wrongly", len(src)/BlockSize)
	}
}

func TestCascade(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for n := range 150 {
			superRounds, domain := 1+rng.IntN(MaxSuperRounds), rng.IntN(MaxDomain+1)
			dom := NewDomain(superRounds, domain)
			start, data := randomBytes(rng, KeySize), randomBytes(rng, n)
			whole := n / BlockSize * BlockSize
			state := [KeySize]byte(start)
			dom.Cascade(&state, data[:whole])
			want := referenceCascade(superRounds, domain, start, data[:whole])
			if !bytes.Equal(state[:], want) {
				t.Fatalf("R = %d, D = %d, %d bytes: %x, want %x", superRounds, domain, whole, state, want)
			}
			lastRounds, lastDomain := superRounds, rng.IntN(MaxDomain+1)
			if n%3 == 0 {
				lastRounds = 1 + rng.IntN(MaxSuperRounds)
			}
			state = [KeySize]byte(start)
			dom.CascadeLast(&state, data[:whole], NewDomain(lastRounds, lastDomain), data[whole:])
			last := append(data[whole:], 0x80)
			last = append(last, make([]byte, BlockSize-len(last))...)
			if want = referenceCascade(lastRounds, lastDomain, want, last); !bytes.Equal(state[:], want) {
				t.Fatalf("R = %d and %d, D = %d and %d, %d bytes: %x, want %x", superRounds, lastRounds, domain, lastDomain, n, state, want)
			}
		}
	})
}

func TestXORCounter(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for blocks := range 14 {
			for _, part := range [][2]int{{0, 32}, {16, 32}, {0, 16}, {21, 32}, {31, 32}} {
				c, ref := newCase(rng, 10, 1)
				src, ctr := randomBytes(rng, blocks*BlockSize), randomBytes(rng, BlockSize)
				from, to := part[0], part[1]
				for i := from; i < to-1; i++ {
					ctr[i] = 0xff
				}
				ctr[to-1] = byte(-rng.IntN(5))
				want, next := []byte(nil), bytes.Clone(ctr)
				for i := range blocks {
					for j, v := range ref.encrypt(next) {
						want = append(want, v^src[i*BlockSize+j])
					}
					for j := to - 1; j >= from; j-- {
						if next[j]++; next[j] != 0 {
							break
						}
					}
				}
				dst, first := make([]byte, len(src)), bytes.Clone(ctr)
				c.XORCounter(dst, src, ctr, from, to)
				if !bytes.Equal(dst, want) || !bytes.Equal(ctr, next) {
					t.Fatalf("%d blocks, counting [%d:%d]: wrong", blocks, from, to)
				}
				c.XORCounter(dst, dst, bytes.Clone(first), from, to)
				if !bytes.Equal(dst, src) {
					t.Fatalf("%d blocks, counting [%d:%d]: wrong in place", blocks, from, to)
				}
				c.XORCounter(dst, nil, first, from, to)
				for i := range dst {
					dst[i] ^= src[i]
				}
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d blocks, counting [%d:%d]: wrong over zeros", blocks, from, to)
				}
			}
		}
	})
}

// TestVectors runs all numbers of super-rounds, also those below 10 that the
// public packages refuse.
func TestVectors(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		f, err := vectors.Load("saturnin_block")
		if err != nil {
			t.Fatal(err)
		}
		res := vectors.RunBlock(t, f, func(g *vectors.Group) func(key []byte) (cipher.Block, error) {
			return func(key []byte) (cipher.Block, error) {
				return batch.New("saturnin", NewCipher(NewDomain(g.Rounds, g.Domain), key)), nil
			}
		})
		if res != (vectors.Result{Run: 315}) {
			t.Errorf("ran %+v", res)
		}
		batches := 0
		for _, g := range f.Groups {
			if !g.Tests[0].Has("SameKeyBatch") {
				continue
			}
			batches++
			var msg, ct []byte
			for _, test := range g.Tests {
				msg, ct = append(msg, test.Msg...), append(ct, test.CT...)
			}
			c := NewCipher(NewDomain(g.Rounds, g.Domain), g.Tests[0].Key)
			got := make([]byte, len(msg))
			if c.EncryptBlocks(got, msg); !bytes.Equal(got, ct) {
				t.Errorf("the batch of test %d is encrypted wrongly", g.Tests[0].ID)
			}
			if c.DecryptBlocks(got, ct); !bytes.Equal(got, msg) {
				t.Errorf("the batch of test %d is decrypted wrongly", g.Tests[0].ID)
			}
		}
		if batches != 2 {
			t.Errorf("found %d batches", batches)
		}
	})
}

func TestAllocs(t *testing.T) {
	c := NewCipher(NewDomain(10, 1), make([]byte, KeySize))
	buf, ctr := make([]byte, 7*BlockSize), make([]byte, BlockSize)
	conform.Allocs(t, "EncryptBlocks", 0, func() { c.EncryptBlocks(buf, buf) })
	conform.Allocs(t, "DecryptBlocks", 0, func() { c.DecryptBlocks(buf, buf) })
	conform.Allocs(t, "XORCounter", 0, func() { c.XORCounter(buf, buf, ctr, 16, 32) })
	conform.Allocs(t, "Cascade", 0, func() {
		var state [KeySize]byte
		c.domain.Cascade(&state, buf)
		c.domain.CascadeLast(&state, nil, c.domain, buf[:5])
		c.domain.CascadeLast(&state, buf, c.domain, buf[:5])
	})
}

func BenchmarkCascade(b *testing.B) {
	for _, superRounds := range []int{10, 16} {
		b.Run(fmt.Sprint(superRounds), func(b *testing.B) {
			dom, data := NewDomain(superRounds, 7), make([]byte, 8192)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				var state [KeySize]byte
				dom.Cascade(&state, data)
			}
		})
	}
}

func BenchmarkXORCounter(b *testing.B) {
	c := NewCipher(NewDomain(10, 1), make([]byte, KeySize))
	buf, ctr := make([]byte, 8192), make([]byte, BlockSize)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		c.XORCounter(buf, buf, ctr, 16, 32)
	}
}
