package magma

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"xcipher/internal/batch"
	"xcipher/internal/conform"
)

// boxes are Pi'_0 to Pi'_7 of RFC 8891, section 4.1.
var boxes = [8][16]uint8{
	{12, 4, 6, 2, 10, 5, 11, 9, 14, 8, 13, 7, 0, 3, 15, 1},
	{6, 8, 2, 3, 9, 10, 5, 12, 1, 14, 4, 7, 11, 13, 0, 15},
	{11, 3, 5, 8, 2, 15, 10, 13, 14, 1, 7, 4, 12, 9, 6, 0},
	{12, 8, 2, 1, 13, 4, 15, 6, 7, 0, 10, 5, 3, 14, 9, 11},
	{7, 15, 5, 10, 8, 1, 6, 13, 0, 9, 3, 14, 11, 4, 2, 12},
	{5, 13, 15, 6, 9, 2, 12, 10, 11, 7, 8, 1, 4, 3, 14, 0},
	{8, 14, 2, 5, 6, 9, 1, 12, 15, 4, 11, 0, 13, 10, 3, 7},
	{1, 7, 14, 13, 0, 5, 8, 3, 4, 15, 10, 6, 9, 12, 11, 2},
}

// The reference: the standard word for word, by tables.

func refT(a uint32) (r uint32) {
	for i, box := range boxes {
		r |= uint32(box[a>>(4*i)&15]) << (4 * i)
	}
	return r
}

func refG(a, k uint32) uint32 { return bits.RotateLeft32(refT(a+k), 11) }

// refSchedule returns K_1 .. K_32 as the standard lists them.
func refSchedule(key []byte) (k []uint32) {
	for i := range 8 {
		k = append(k, binary.BigEndian.Uint32(key[4*i:]))
	}
	forward := slices.Clone(k)
	k = append(k, forward...)
	k = append(k, forward...)
	slices.Reverse(forward)
	return append(k, forward...)
}

// refCrypt enciphers whole blocks with round keys in the given order.
func refCrypt(k []uint32, src []byte) (dst []byte) {
	for block := range slices.Chunk(src, BlockSize) {
		a1, a0 := binary.BigEndian.Uint32(block), binary.BigEndian.Uint32(block[4:])
		for _, k := range k[:31] {
			a1, a0 = a0, a1^refG(a0, k)
		}
		a1 ^= refG(a0, k[31])
		dst = binary.BigEndian.AppendUint32(dst, a1)
		dst = binary.BigEndian.AppendUint32(dst, a0)
	}
	return dst
}

func reversed[E any](s []E) []E {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// packed is t of the package.
func packed(a uint32) uint32 { return t(nibbles(a)) }

// TestBoxes recomputes the words and runs the circuits for all inputs.
func TestBoxes(t *testing.T) {
	words := [8]uint64{pi0, pi1, pi2, pi3, pi4, pi5, pi6, pi7}
	for i, box := range boxes {
		var word uint64
		for n, v := range box {
			word |= bits.RotateLeft64(uint64(v), 4*(i-n))
		}
		if word != words[i] {
			t.Errorf("pi%d is %#016x, want %#016x", i, words[i], word)
		}
	}
	for i, circuit := range []func(x0, x1, x2, x3 uint64) (y0, y1, y2, y3 uint64){
		box0, box1, box2, box3, box4, box5, box6, box7,
	} {
		y0, y1, y2, y3 := circuit(lanes[0], lanes[1], lanes[2], lanes[3])
		for n := range 64 {
			got := y0>>n&1 | y1>>n&1<<1 | y2>>n&1<<2 | y3>>n&1<<3
			if want := boxes[i][n%16]; got != uint64(want) {
				t.Errorf("box%d makes %d of %d, want %d", i, got, n%16, want)
			}
		}
	}
	for i := range boxes {
		for n := range uint32(16) {
			for _, others := range []uint32{0, 0xffffffff, 0x76543210} {
				a := others&^(15<<(4*i)) | n<<(4*i)
				if got, want := packed(a), refT(a); got != want {
					t.Errorf("t(%08x) = %08x, want %08x", a, got, want)
				}
			}
		}
	}
}

func TestLanes(t *testing.T) {
	for j, lane := range lanes {
		for n := range 64 {
			if lane>>n&1 != uint64(n>>j&1) {
				t.Errorf("plane %d of number %d is wrong", j, n)
			}
		}
	}
}

// TestRFC8891 has the intermediate values of appendix A.
func TestRFC8891(t *testing.T) {
	// A.1: each value is t of the one before.
	ts := []uint32{0xfdb97531, 0x2a196f34, 0xebd9f03a, 0xb039bb3d, 0x68695433}
	for i, a := range ts[:4] {
		if got := packed(a); got != ts[i+1] || refT(a) != got {
			t.Errorf("t(%08x) = %08x, want %08x", a, got, ts[i+1])
		}
	}
	// A.2.
	for _, g := range [][3]uint32{ // k, a, g[k](a)
		{0x87654321, 0xfedcba98, 0xfdcbc20c},
		{0xfdcbc20c, 0x87654321, 0x7e791a4b},
		{0x7e791a4b, 0xfdcbc20c, 0xc76549ec},
		{0xc76549ec, 0x7e791a4b, 0x9791c849},
	} {
		if got := bits.RotateLeft32(packed(g[1]+g[0]), 11); got != g[2] || refG(g[1], g[0]) != got {
			t.Errorf("g[%08x](%08x) = %08x, want %08x", g[0], g[1], got, g[2])
		}
	}
	// A.3: the round keys.
	forward := []uint32{0xffeeddcc, 0xbbaa9988, 0x77665544, 0x33221100, 0xf0f1f2f3, 0xf4f5f6f7, 0xf8f9fafb, 0xfcfdfeff}
	schedule := slices.Concat(forward, forward, forward, reversed(forward))
	k := newKeyWords(unhex(t, exampleKey))
	for i, want := range schedule {
		if got := k[encrypt.word(i)]; got != want || refSchedule(unhex(t, exampleKey))[i] != want {
			t.Errorf("round key %d is %08x, want %08x", i+1, got, want)
		}
	}
	// A.4 and A.5: a1 and a0 before the first round, and what each round adds.
	rounds := []uint32{
		0xfedcba98, 0x76543210,
		0x28da3b14, 0xb14337a5, 0x633a7c68, 0xea89c02c, 0x11fe726d, 0xad0310a4, 0x37d97f25, 0x46324615,
		0xce995f2a, 0x93c1f449, 0x4811c7ad, 0xc4b3edca, 0x44ca5ce1, 0xfef51b68, 0x2098cd86, 0x4f15b0bb,
		0xe32805bc, 0xe7116722, 0x89cadf21, 0xbac8444d, 0x11263a21, 0x625434c3, 0x8025c0a5, 0xb0d66514,
		0x47b1d5f4, 0xc78e6d50, 0x80251e99, 0x2b96eca6, 0x05ef4401, 0x239a4577, 0xc2d8ca3d, 0x4ee901e5,
	}
	testRounds(t, k, encrypt, rounds)
	testRounds(t, k, decrypt, reversed(rounds))
	const text, ct = 0xfedcba9876543210, 0x4ee901e5c2d8ca3d
	if got := k.one(text, encrypt); got != ct {
		t.Errorf("E(%016x) = %016x, want %016x", uint64(text), got, uint64(ct))
	}
	if got := k.one(ct, decrypt); got != text {
		t.Errorf("D(%016x) = %016x, want %016x", uint64(ct), got, uint64(text))
	}
}

// testRounds checks each round alone, on words and on planes.
func testRounds(t *testing.T, k *keyWords, dir direction, a []uint32) {
	var key slicedKey
	key.expand(k)
	for i := range 32 {
		rk := k[dir.word(i)]
		if got := a[i] ^ bits.RotateLeft32(packed(a[i+1]+rk), 11); got != a[i+2] {
			t.Errorf("direction %d, round %d: %08x, want %08x", dir, i+1, got, a[i+2])
		}
		a1, a0, want := broadcast(a[i]), broadcast(a[i+1]), broadcast(a[i+2])
		round(&a1, &a0, &key[dir.word(i)])
		if a1 != want || a0 != broadcast(a[i+1]) {
			t.Errorf("direction %d, round %d in planes: %x, want %x", dir, i+1, a1, want)
		}
	}
}

// broadcast returns the planes of 64 times the same word.
func broadcast(a uint32) (h half) {
	for j := range h {
		h[j] = plane(a, j)
	}
	return h
}

func TestTranspose(t *testing.T) {
	rng := conform.Rand(t)
	var p, q planes
	for i := range p {
		p[i] = rng.Uint64()
	}
	q = p
	q.transpose()
	for i := range p {
		for j := range p {
			if p[i]>>j&1 != q[j]>>i&1 {
				t.Fatalf("bit %d of word %d is wrong", i, j)
			}
		}
	}
}

// TestReference compares everything with the reference, for all numbers of blocks
// around the limits of both paths.
func TestReference(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for n := range widest + 1 {
			key, src := make([]byte, KeySize), make([]byte, n*BlockSize)
			fill(rng, key, src)
			k, schedule := batch.Of(newCipher(t, key)), refSchedule(key)
			got := make([]byte, len(src))
			ct, pt := refCrypt(schedule, src), refCrypt(reversed(schedule), src)
			if k.EncryptBlocks(got, src); !bytes.Equal(got, ct) {
				t.Fatalf("EncryptBlocks of %d blocks is wrong", n)
			}
			if k.DecryptBlocks(got, got); !bytes.Equal(got, src) {
				t.Fatalf("DecryptBlocks of %d blocks in place is wrong", n)
			}
			if k.DecryptBlocks(got, src); !bytes.Equal(got, pt) {
				t.Fatalf("DecryptBlocks of %d blocks is wrong", n)
			}
			if k.EncryptBlocks(got, got); !bytes.Equal(got, src) {
				t.Fatalf("EncryptBlocks of %d blocks in place is wrong", n)
			}
		}
	})
}

// TestCounter has the counters of CTR and MGM wrap and carry anywhere in a batch.
func TestCounter(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		rng := conform.Rand(t)
		for _, field := range [][2]int{{0, 8}, {4, 8}, {0, 4}} {
			from, to := field[0], field[1]
			for n := range widest + 1 {
				key, src, ctr := make([]byte, KeySize), make([]byte, n*BlockSize), make([]byte, BlockSize)
				fill(rng, key, src, ctr)
				for i := from + rng.IntN(to-from); i < to-1; i++ {
					ctr[i] = 0xff
				}
				k := batch.CounterOf(batch.Of(newCipher(t, key)))
				start, next, blocks := slices.Clone(ctr), slices.Clone(ctr), []byte{}
				for range n {
					blocks = append(blocks, next...)
					batch.Increment(next[from:to])
				}
				stream := refCrypt(refSchedule(key), blocks)
				got := make([]byte, len(src))
				fill(rng, got)
				if k.XORCounter(got, nil, ctr, from, to); !bytes.Equal(got, stream) || !bytes.Equal(ctr, next) {
					t.Fatalf("%d blocks from %x, bytes %d to %d: wrong key stream or next counter %x", n, start, from, to, ctr)
				}
				want := make([]byte, len(src))
				subtle.XORBytes(want, stream, src)
				copy(ctr, start)
				if k.XORCounter(got, src, ctr, from, to); !bytes.Equal(got, want) || !bytes.Equal(ctr, next) {
					t.Fatalf("%d blocks from %x, bytes %d to %d: wrong result or next counter %x", n, start, from, to, ctr)
				}
				copy(ctr, start)
				if k.XORCounter(got, got, ctr, from, to); !bytes.Equal(got, src) || !bytes.Equal(ctr, next) {
					t.Fatalf("%d blocks from %x, bytes %d to %d: wrong in place", n, start, from, to)
				}
			}
		}
	})
}

// TestGOST28147 uses the byte order of GOST 28147-89 (RFC 5830): N1 before N2, and
// both, like the words of the key, least significant byte first. Magma is the same
// cipher with the bytes of the block and of each word of the key reversed.
func TestGOST28147(t *testing.T) {
	rng := conform.Rand(t)
	for range 100 {
		key, block := make([]byte, KeySize), make([]byte, BlockSize)
		fill(rng, key, block)

		var x [8]uint32
		for i := range x {
			x[i] = binary.LittleEndian.Uint32(key[4*i:])
		}
		n1, n2 := binary.LittleEndian.Uint32(block), binary.LittleEndian.Uint32(block[4:])
		for i := range 32 {
			w := x[i%8]
			if i >= 24 {
				w = x[7-i%8]
			}
			n1, n2 = n2^refG(n1, w), n1
		}
		old := binary.LittleEndian.AppendUint32(nil, n2)
		old = binary.LittleEndian.AppendUint32(old, n1)

		var swapped []byte
		for word := range slices.Chunk(key, 4) {
			swapped = append(swapped, reversed(word)...)
		}
		got := make([]byte, BlockSize)
		newCipher(t, swapped).Encrypt(got, reversed(block))
		if !bytes.Equal(reversed(got), old) {
			t.Fatalf("key %x, block %x: Magma gives %x, GOST 28147-89 %x", key, block, reversed(got), old)
		}
	}
}

func fill(rng *rand.Rand, slices ...[]byte) {
	for _, p := range slices {
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
	}
}
