//go:build amd64 && gc && !purego

package aesni

import (
	"bytes"
	"crypto/aes"
	"math/rand/v2"
	"strings"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
	"xcipher/internal/cpu"
	"xcipher/internal/impl"
)

// TestTier checks which kernel works in each tier.
func TestTier(t *testing.T) {
	seen := map[string]bool{}
	conform.Each(t, func(t *testing.T) {
		tier := t.Name()[strings.LastIndex(t.Name(), "/")+1:]
		_, own := must(New(make([]byte, KeySize))).(*kernel)
		if own != (tier != impl.Generic) {
			t.Errorf("AES instructions in use: %v", own)
		}
		for n := range lengths {
			if got, want := pickAVX512(n), tier == impl.AVX512 && n >= 4; got != want {
				t.Errorf("%d blocks: AVX-512 %v, want %v", n, got, want)
			}
		}
		seen[tier] = true
	})
	for tier, there := range map[string]bool{impl.AVX512: cpu.AVX512, impl.AVX2: cpu.AVX2, impl.Generic: true} {
		if seen[tier] != there {
			t.Errorf("tier %s tested: %v, want %v", tier, seen[tier], there)
		}
	}
}

// TestOtherTier: a kernel works in a tier other than it was made in.
func TestOtherTier(t *testing.T) {
	var all []batch.Kernel
	conform.Each(t, func(t *testing.T) { all = append(all, must(New(sp800Key))) })
	conform.Each(t, func(t *testing.T) {
		for i, k := range all {
			got := make([]byte, len(sp800ECB))
			if k.EncryptBlocks(got, sp800Plain); !bytes.Equal(got, sp800ECB) {
				t.Errorf("kernel of tier %d: encryption differs", i)
			}
			if k.DecryptBlocks(got, got); !bytes.Equal(got, sp800Plain) {
				t.Errorf("kernel of tier %d: decryption differs", i)
			}
		}
	})
}

// ownTiers runs f once per tier with AES instructions.
func ownTiers(t *testing.T, f func(t *testing.T)) {
	conform.Each(t, func(t *testing.T) {
		if useAVX2 {
			f(t)
		}
	})
}

func TestKeyExpansion(t *testing.T) {
	// FIPS 197, appendix A.1.
	want := unhex("2b7e151628aed2a6abf7158809cf4f3c a0fafe1788542cb123a339392a6c7605" +
		"f2c295f27a96b9435935807a7359f67f 3d80477d4716fe3e1e237e446d7a883b" +
		"ef44a541a8525b7fb671253bdb0bad00 d4d1c6f87c839d87caf2b8bc11f915bc" +
		"6d88a37a110b3efddbf98641ca0093fd 4e54f70e5f5fc9f384a64fb24ea6dc4f" +
		"ead27321b58dbad2312bf5607f8d292f ac7766f319fadc2128d12941575c006e" +
		"d014f9a8c9ee2589e13f0cc8b6630ca6")
	ownTiers(t, func(t *testing.T) {
		if k := newKernel(sp800Key); !bytes.Equal(k.keys[:], want) {
			t.Errorf("%x, want %x", k.keys, want)
		}
	})
}

// loops checks a method of the kernel in several pieces and places. f gives it the
// first bytes of dst and src up to cut, then the others, and tells whether the result
// besides dst is right.
func loops(t *testing.T, r *rand.Rand, src, want []byte, f func(dst, src []byte, cut int) bool) {
	t.Helper()
	cut := r.IntN(len(src)/BlockSize+1) * BlockSize
	check := func(dst, src []byte, cut int) {
		t.Helper()
		if right := f(dst, src, cut); !bytes.Equal(dst, want) || !right {
			t.Fatalf("%d blocks, cut at %d bytes: wrong", len(src)/BlockSize, cut)
		}
	}
	check(make([]byte, len(src)), src, cut)
	in := make([]byte, 64+len(src))[r.IntN(64):][:len(src)]
	for _, p := range append(conform.Edges(t, len(src)), in) {
		copy(p, src)
		check(p, p, len(src))
		copy(p, src)
		check(p, p, cut)
	}
}

// TestEncryptMAC compares with the definition over crypto/aes, for every byte that
// may be fixed.
func TestEncryptMAC(t *testing.T) {
	ownTiers(t, func(t *testing.T) {
		r := conform.Rand(t)
		for fix := range BlockSize {
			for n := range 12 {
				key, src := random(r, KeySize), random(r, n*BlockSize)
				c0, st0 := [16]byte(random(r, 16)), [32]byte(random(r, 32))
				k, ref := newKernel(key), must(aes.NewCipher(key))

				c, st, want := c0, st0, []byte{}
				for i := range n {
					fixed := c
					fixed[fix] |= 0x80
					ref.Encrypt(st[:16], fixed[:])
					copy(st[16:], xor(st[16:], c[:]))
					ref.Encrypt(st[16:], st[16:])
					copy(c[:], xor(src[i*BlockSize:][:BlockSize], st[:16]))
					want = append(want, c[:]...)
				}
				loops(t, r, src, want, func(dst, src []byte, cut int) bool {
					gotC, gotST := c0, st0
					k.EncryptMAC(dst[:cut], src[:cut], &gotC, &gotST, fix)
					k.EncryptMAC(dst[cut:], src[cut:], &gotC, &gotST, fix)
					return gotC == c && gotST == st
				})
			}
		}
	})
}

// TestDecryptCFB does the same on every number of blocks.
func TestDecryptCFB(t *testing.T) {
	ownTiers(t, func(t *testing.T) {
		r := conform.Rand(t)
		for n := range lengths + 2 {
			for range 4 {
				key, src, first := random(r, KeySize), random(r, n*BlockSize), [16]byte(random(r, 16))
				k, ref, fix := newKernel(key), must(aes.NewCipher(key)), r.IntN(BlockSize)

				in, want := first, []byte{}
				for i := range n {
					block, s := src[i*BlockSize:][:BlockSize], [16]byte{}
					ref.Encrypt(s[:], in[:])
					want = append(want, xor(block, s[:])...)
					in = [16]byte(block)
					in[fix] |= 0x80
				}
				loops(t, r, src, want, func(dst, src []byte, cut int) bool {
					second := first
					if cut > 0 {
						second = [16]byte(src[cut-BlockSize:])
						second[fix] |= 0x80
					}
					was := first
					k.DecryptCFB(dst[:cut], src[:cut], &first, fix)
					k.DecryptCFB(dst[cut:], src[cut:], &second, fix)
					return first == was
				})
			}
		}
	})
}

// TestEdges has slices that begin or end where memory does.
func TestEdges(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		r := conform.Rand(t)
		k, ref := must(New(sp800Key)), must(aes.NewCipher(sp800Key))
		for n := range lengths + 1 {
			data := random(r, n*BlockSize)
			for _, p := range conform.Edges(t, len(data)) {
				copy(p, data)
				k.EncryptBlocks(p, p)
				for i := 0; i < len(p); i += BlockSize {
					ref.Decrypt(p[i:], p[i:])
				}
				if !bytes.Equal(p, data) {
					t.Fatalf("%d blocks at an edge: encryption differs", n)
				}
				for i := 0; i < len(p); i += BlockSize {
					ref.Encrypt(p[i:], p[i:])
				}
				if k.DecryptBlocks(p, p); !bytes.Equal(p, data) {
					t.Fatalf("%d blocks at an edge: decryption differs", n)
				}
				batch.ChainOf(k).Chain(p, p, make([]byte, BlockSize))
				cipher := bytes.Clone(p)
				for i := len(p) - BlockSize; i >= 0; i -= BlockSize {
					ref.Decrypt(p[i:], p[i:])
					if i > 0 {
						copy(p[i:], xor(p[i:][:BlockSize], cipher[i-BlockSize:]))
					}
				}
				if !bytes.Equal(p, data) {
					t.Fatalf("%d blocks at an edge: chain differs", n)
				}
			}
		}
	})
}
