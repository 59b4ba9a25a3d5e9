//go:build !(amd64 && gc && !purego)

package magma

func crypt(k *keyWords, dst, src []byte, dir direction) { cryptGeneric(k, dst, src, dir) }

func counterBlocks(k *keyWords, dst, src, ctr []byte, from, to int) {
	counterGeneric(k, dst, src, ctr, from, to)
}

func chain(k *keyWords, dst, src, st []byte) { chainGeneric(k, dst, src, st) }
