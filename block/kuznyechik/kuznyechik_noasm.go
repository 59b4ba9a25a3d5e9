//go:build !(amd64 && gc && !purego)

package kuznyechik

type kernelKeys struct{}

func (k *roundKeys) expand(key []byte) { expand(&k.encrypt, &k.decrypt, key) }

func (k *roundKeys) encryptBlocks(dst, src []byte) { encryptGeneric(&k.encrypt, dst, src) }

func (k *roundKeys) decryptBlocks(dst, src []byte) { decryptGeneric(&k.decrypt, dst, src) }

func (k *roundKeys) xorCounter(dst, src, ctr []byte, from, to int) {
	counterGeneric(&k.encrypt, dst, src, ctr, from, to)
}

func (k *roundKeys) chain(dst, src, st []byte) { chainGeneric(&k.encrypt, dst, src, st) }
