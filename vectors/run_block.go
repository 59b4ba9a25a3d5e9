package vectors

import (
	"crypto/cipher"
	"fmt"
)

// RunBlock runs the groups of type BlockTest: Encrypt and Decrypt of every block.
func RunBlock(t TB, f *File, pick func(g *Group) func(key []byte) (cipher.Block, error)) Result {
	t.Helper()
	return run(t, f, "BlockTest", func(g *Group) check {
		newBlock := pick(g)
		if newBlock == nil {
			return nil
		}
		return func(t *Test, r *replay) error { return checkBlock(g, t, r, newBlock) }
	})
}

func checkBlock(g *Group, t *Test, r *replay, newBlock func(key []byte) (cipher.Block, error)) error {
	size := g.BlockSize / 8
	b, err := construct(r, func(a [][]byte) (cipher.Block, error) { return newBlock(a[0]) }, t.Key)
	if err != nil {
		return err
	}
	if b.BlockSize() != size {
		return fmt.Errorf("BlockSize is %d instead of %d", b.BlockSize(), size)
	}
	// A transform that enciphers block by block. The slices that it hands on are
	// longer than a block, of which one block must be used.
	each := func(crypt func(dst, src []byte)) func() (transform, error) {
		return func() (transform, error) {
			return func(dst, src []byte) {
				for i := 0; i < len(src); i += size {
					crypt(dst[i:], src[i:])
					for range g.Iterations - 1 {
						crypt(dst[i:], dst[i:])
					}
				}
			}, nil
		}
	}
	if err := r.transform(size, each(b.Encrypt), t.Msg, t.CT); err != nil {
		return fmt.Errorf("encrypting: %w", err)
	}
	if err := r.transform(size, each(b.Decrypt), t.CT, t.Msg); err != nil {
		return fmt.Errorf("decrypting: %w", err)
	}
	return nil
}
