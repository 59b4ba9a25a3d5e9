package vectors

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"testing"
)

type pickBlock = func(g *Group) func(key []byte) (cipher.Block, error)

func aesBlock(key []byte) cipher.Block {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	return b
}

func blockFile() *File {
	once := &Group{Type: "BlockTest", KeySize: 128, BlockSize: 128}
	often := &Group{Type: "BlockTest", KeySize: 256, BlockSize: 128, Iterations: 5}
	for i := range 16 {
		once.Tests = append(once.Tests, blockTest(uint64(i), 16, 1+i%4, 1))
		often.Tests = append(often.Tests, blockTest(uint64(i), 32, 1+i%2, 5))
	}
	return newFile(once, often)
}

func blockTest(seed uint64, keySize, blocks, iterations int) *Test {
	key, msg := randomBytes(seed, keySize), randomBytes(seed+100, 16*blocks)
	b, ct := aesBlock(key), make([]byte, len(msg))
	for i := 0; i < len(msg); i += 16 {
		copy(ct[i:], msg[i:i+16])
		for range iterations {
			b.Encrypt(ct[i:i+16], ct[i:i+16])
		}
	}
	return &Test{Key: key, Msg: msg, CT: ct}
}

// fakeBlock is AES-128 or AES-256 with some parts replaced.
type fakeBlock struct {
	size             int
	encrypt, decrypt transform
}

func (b *fakeBlock) BlockSize() int          { return b.size }
func (b *fakeBlock) Encrypt(dst, src []byte) { b.encrypt(dst, src) }
func (b *fakeBlock) Decrypt(dst, src []byte) { b.decrypt(dst, src) }

func fakeBlocks(change func(b *fakeBlock, key []byte)) pickBlock {
	return func(*Group) func(key []byte) (cipher.Block, error) {
		return func(key []byte) (cipher.Block, error) {
			b := aesBlock(key)
			f := &fakeBlock{16, b.Encrypt, b.Decrypt}
			if change != nil {
				change(f, key)
			}
			return f, nil
		}
	}
}

func TestRunBlock(t *testing.T) {
	right := fakeBlocks(nil)
	mustPass(t, RunBlock, blockFile, right, Result{Run: 32})
	mustPass(t, RunBlock, blockFile, func(g *Group) func(key []byte) (cipher.Block, error) {
		if g.Iterations > 0 {
			return nil
		}
		return aes.NewCipher
	}, Result{Run: 16, Skipped: 16})

	plants := []plant[pickBlock]{
		{"bit of ct", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.CT }) }, right, "encrypting: output differs"},
		{"bit of msg", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Msg }) }, right, "encrypting: output differs"},
		{"bit of key", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Key }) }, right, "encrypting: output differs"},
		{"iterations", func(f *File) { f.Groups[1].Iterations-- }, right, "encrypting: output differs"},
		{"constructor error", nil, func(*Group) func(key []byte) (cipher.Block, error) {
			return func(key []byte) (cipher.Block, error) { return nil, errors.New("planted") }
		}, "the constructor says: planted"},
		{"nil", nil, func(*Group) func(key []byte) (cipher.Block, error) {
			return func(key []byte) (cipher.Block, error) { return nil, nil }
		}, "returned nil without an error"},
		{"constructor panic", nil, func(*Group) func(key []byte) (cipher.Block, error) {
			return func(key []byte) (cipher.Block, error) { panic("planted") }
		}, "unexpected panic: planted"},
		{"key changed", nil, fakeBlocks(func(b *fakeBlock, key []byte) { key[3]++ }), "changed its arguments"},
		{"key kept", nil, fakeBlocks(func(b *fakeBlock, key []byte) {
			b.encrypt = func(dst, src []byte) { aesBlock(key).Encrypt(dst, src) }
		}), "encrypting: output differs"},
		{"BlockSize", nil, fakeBlocks(func(b *fakeBlock, key []byte) { b.size = 8 }), "BlockSize is 8"},
		{"all blocks of src", nil, fakeBlocks(func(b *fakeBlock, key []byte) {
			one := b.encrypt
			b.encrypt = func(dst, src []byte) {
				for i := 0; i+16 <= min(len(src), len(dst)); i += 16 {
					one(dst[i:], src[i:])
				}
			}
		}), "encrypting: in place"},
		{"block after dst", nil, fakeBlocks(func(b *fakeBlock, key []byte) {
			one := b.encrypt
			b.encrypt = func(dst, src []byte) {
				one(dst, src)
				clear(dst[16:min(len(dst), 32)])
			}
		}), "encrypting: in one call, unaligned: bytes outside"},
	}
	one := func([]byte) int { return 16 }
	for _, f := range transformFaults {
		if !f.blocks {
			continue
		}
		plants = append(plants,
			plant[pickBlock]{"Encrypt: " + f.name, nil, fakeBlocks(func(b *fakeBlock, key []byte) { b.encrypt = f.wrap(b.encrypt, one) }), f.want},
			plant[pickBlock]{"Decrypt: " + f.name, nil, fakeBlocks(func(b *fakeBlock, key []byte) { b.decrypt = f.wrap(b.decrypt, one) }), f.want})
	}
	mustReport(t, RunBlock, blockFile, plants)
}
