//go:build !(amd64 && gc && !purego)

package chaskey

func encryptBlocks(k *Kernel, dst, src []byte) { encryptBlocksGeneric(k, dst, src) }

func decryptBlocks(k *Kernel, dst, src []byte) { decryptBlocksGeneric(k, dst, src) }

func xorCounter(k *Kernel, dst, src, ctr []byte, from, to int) {
	xorCounterGeneric(k, dst, src, ctr, from, to)
}

func absorb(s, w State, m []byte, rounds int) State { return absorbGeneric(s, w, m, rounds) }

func chain(k *Kernel, s, w State, dst, src []byte) State { return chainGeneric(k, s, w, dst, src) }

func encryptMAC(k *Kernel, dst, src []byte, c *[Size]byte, st *[2 * Size]byte, fix int) {
	encryptMACGeneric(k, dst, src, c, st, fix)
}

func decryptCBC(k *Kernel, dst, src, st []byte) { decryptCBCGeneric(k, dst, src, st) }
