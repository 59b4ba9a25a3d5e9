package chaskey

import "xcipher/internal/chaskey"

// finish writes the tag: it processes the last block, which is empty for the
// empty message and at most 16 bytes long otherwise. The subkeys K1 = 2K and
// K2 = 2K1 tell a full last block from a padded one. They are as quick to compute
// as to keep.
func finish(tag []byte, s, key chaskey.State, last []byte, rounds int) {
	l := key.Double() // K1
	if len(last) < BlockSize {
		l = l.Double() // K2
		// The byte 01 follows the message, not 80 as in CMAC.
		var padded [BlockSize]byte
		padded[copy(padded[:], last)] = 1
		last = padded[:]
	}
	s.XOR(chaskey.Load(last)).XOR(l).Permute(rounds).XOR(l).Store(tag)
}
