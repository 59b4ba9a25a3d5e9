package batch

import (
	"bytes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync/atomic"
	"testing"

	"xcipher/internal/alias"
)

// toy is a kernel: a few rounds of add, rotate and xor over bytes. It panics when
// it is called with anything but what Kernel promises.
type toy struct {
	key   []byte
	calls atomic.Int64 // of EncryptBlocks and DecryptBlocks
	done  atomic.Int64 // blocks
}

func newToy(size int, key []byte) *toy {
	k := make([]byte, size)
	for i, v := range key {
		k[i%size] = bits.RotateLeft8(k[i%size], 3) + v ^ byte(i)
	}
	return &toy{key: k}
}

func (k *toy) BlockSize() int { return len(k.key) }

func (k *toy) check(dst, src []byte) {
	if len(dst) != len(src) || len(src)%len(k.key) != 0 || alias.InexactOverlap(dst, src) {
		panic(fmt.Sprintf("kernel called with dst of %d and src of %d bytes", len(dst), len(src)))
	}
	k.calls.Add(1)
	k.done.Add(int64(len(src) / len(k.key)))
}

func (k *toy) EncryptBlocks(dst, src []byte) {
	k.check(dst, src)
	copy(dst, src)
	for n := len(k.key); len(dst) > 0; dst = dst[n:] {
		for round := range 4 {
			for i := range n {
				dst[i] = bits.RotateLeft8(dst[i]^k.key[i], 3) + dst[(i+n-1)%n] + byte(round)
			}
		}
	}
}

func (k *toy) DecryptBlocks(dst, src []byte) {
	k.check(dst, src)
	copy(dst, src)
	for n := len(k.key); len(dst) > 0; dst = dst[n:] {
		for round := 3; round >= 0; round-- {
			for i := n - 1; i >= 0; i-- {
				dst[i] = bits.RotateLeft8(dst[i]-byte(round)-dst[(i+n-1)%n], -3) ^ k.key[i]
			}
		}
	}
}

// toyCounter is a toy with a Counter of its own, written another way than plain.
type toyCounter struct {
	*toy
	counts *atomic.Int64
}

func (k toyCounter) XORCounter(dst, src, ctr []byte, from, to int) {
	n := len(k.key)
	if len(dst)%n != 0 || src != nil && len(src) != len(dst) || len(ctr) != n || from < 0 || to > n || alias.InexactOverlap(dst, src) {
		panic(fmt.Sprintf("XORCounter called with dst of %d, src of %d and counter of %d bytes", len(dst), len(src), len(ctr)))
	}
	k.counts.Add(1)
	for i := 0; i < len(dst); i += n {
		var buf [MaxBlockSize]byte
		block := buf[:n]
		k.EncryptBlocks(block, ctr)
		if src != nil {
			subtle.XORBytes(block, block, src[i:i+n])
		}
		copy(dst[i:], block)
		for j := to - 1; j >= from; j-- {
			if ctr[j]++; ctr[j] != 0 {
				break
			}
		}
	}
}

// toyChain is a toy with a Chain of its own.
type toyChain struct {
	*toy
	chains *atomic.Int64
}

func (k toyChain) Chain(dst, src, st []byte) {
	n := len(k.key)
	if len(src)%n != 0 || dst != nil && len(dst) != len(src) || len(st) != n || alias.InexactOverlap(dst, src) {
		panic(fmt.Sprintf("Chain called with dst of %d, src of %d and state of %d bytes", len(dst), len(src), len(st)))
	}
	k.chains.Add(1)
	for i := 0; i < len(src); i += n {
		var buf [MaxBlockSize]byte
		block := buf[:n]
		for j := range block {
			block[j] = src[i+j] ^ st[j]
		}
		k.EncryptBlocks(st, block)
		if dst != nil {
			copy(dst[i:], st)
		}
	}
}

// toyCBC is a toy with a DecryptCBC of its own.
type toyCBC struct {
	*toy
	cbcs *atomic.Int64
}

func (k toyCBC) DecryptCBC(dst, src, st []byte) {
	n := len(k.key)
	if len(src)%n != 0 || len(dst) != len(src) || len(st) != n || alias.InexactOverlap(dst, src) {
		panic(fmt.Sprintf("DecryptCBC called with dst of %d, src of %d and state of %d bytes", len(dst), len(src), len(st)))
	}
	k.cbcs.Add(1)
	for i := 0; i < len(src); i += n {
		var c, p [MaxBlockSize]byte
		copy(c[:n], src[i:])
		k.DecryptBlocks(p[:n], c[:n])
		for j := range n {
			dst[i+j] = p[j] ^ st[j]
		}
		copy(st, c[:n])
	}
}

// toyBoth has both.
type toyBoth struct {
	toyCounter
	chain toyChain
}

func (k toyBoth) Chain(dst, src, st []byte) { k.chain.Chain(dst, src, st) }

var sizes = []int{8, 16, 32}

// kernels returns a toy of each kind with the same key.
func kernels(size int) map[string]Kernel {
	key := []byte("some key, of whatever length it may be")
	counter := func() toyCounter { return toyCounter{newToy(size, key), new(atomic.Int64)} }
	chain := func() toyChain { return toyChain{newToy(size, key), new(atomic.Int64)} }
	cbc := toyCBC{newToy(size, key), new(atomic.Int64)}
	return map[string]Kernel{"cbc": cbc, "plain": newToy(size, key), "counter": counter(), "chain": chain(), "both": toyBoth{counter(), chain()}}
}

// each runs f for every size and kind of toy.
func each(t *testing.T, f func(t *testing.T, k Kernel)) {
	t.Helper()
	for _, size := range sizes {
		for name, k := range kernels(size) {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) { f(t, k) })
		}
	}
}

// hidden hides the hooks of a block.
type hidden struct{ cipher.Block }

type keySizeError int

func (e keySizeError) Error() string { return fmt.Sprintf("toy: invalid key size %d", int(e)) }

// blockOf returns a constructor of blocks over a toy of a kind.
func blockOf(size int, kind string) func(key []byte) (cipher.Block, error) {
	return func(key []byte) (cipher.Block, error) {
		if len(key) != 16 {
			return nil, keySizeError(len(key))
		}
		k := newToy(size, key)
		switch kind {
		case "both":
			return New("toy", toyBoth{toyCounter{k, new(atomic.Int64)}, toyChain{k, new(atomic.Int64)}}), nil
		default:
			return New("toy", k), nil
		}
	}
}

// TestToy checks the toy itself.
func TestToy(t *testing.T) {
	for _, size := range sizes {
		k := newToy(size, []byte("0123456789abcdef"))
		x := make([]byte, 5*size)
		for i := range x {
			x[i] = byte(i * i)
		}
		y, z := make([]byte, len(x)), make([]byte, len(x))
		k.EncryptBlocks(y, x)
		if k.DecryptBlocks(z, y); !bytes.Equal(z, x) || bytes.Equal(y, x) {
			t.Errorf("the toy of %d bytes is no cipher", size)
		}
		if calls, blocks := k.calls.Load(), k.done.Load(); calls != 2 || blocks != 10 {
			t.Errorf("%d calls and %d blocks are counted, want 2 and 10", calls, blocks)
		}
		one := binary.BigEndian.AppendUint64(make([]byte, size-8), 1)
		if k.EncryptBlocks(y[:size], one); bytes.Equal(y[:size], y[size:2*size]) {
			t.Errorf("the toy ignores its input")
		}
	}
}
