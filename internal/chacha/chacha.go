// Package chacha is the core of the ChaCha family: ChaCha (D. J. Bernstein,
// "ChaCha, a variant of Salsa20", 2008; RFC 8439, 2018) with 8, 12 or 20 rounds,
// and HChaCha and XChaCha (draft-irtf-cfrg-xchacha-03, 2020). Key 32 bytes, nonce
// 8, 12 or 24 bytes, block 64 bytes. It is constant-time.
//
// Nothing is checked here: the packages stream/chacha and aead/chachapoly do
// that, and count the blocks that a nonce may still be used for.
package chacha

import "encoding/binary"

const (
	KeySize    = 32 // bytes
	BlockSize  = 64 // bytes
	HNonceSize = 16 // bytes of input to HChaCha beside the key
)

// State is the matrix that a block is made from: words 0 to 3 constant, 4 to 11
// key, 12 and 13 block counter with its low half first, 14 and 15 nonce. A nonce
// of 12 bytes takes word 13 too. No function here treats that case apart: whoever
// uses one stops after block 2^32-1, before the counter could reach word 13.
type State [16]uint32

// Init sets s for block number counter. The nonce has 8 bytes (Bernstein), 12
// (RFC 8439, section 2.3; counter below 2^32) or 24 (XChaCha). rounds is the
// number of rounds of XChaCha's HChaCha step, and unused otherwise.
func (s *State) Init(key, nonce []byte, counter uint64, rounds int) {
	s.setKey(key)
	s.SetNonce(nonce, counter, rounds)
}

// SetNonce is Init with the key that s already has. A nonce of 24 bytes replaces
// that key by the subkey.
func (s *State) SetNonce(nonce []byte, counter uint64, rounds int) {
	if len(nonce) == 12 {
		s[12] = uint32(counter)
		s[13] = binary.LittleEndian.Uint32(nonce[0:])
		s[14] = binary.LittleEndian.Uint32(nonce[4:])
		s[15] = binary.LittleEndian.Uint32(nonce[8:])
		return
	}
	if len(nonce) == HNonceSize+8 {
		s.hChaCha(nonce[:HNonceSize], rounds)
		nonce = nonce[HNonceSize:]
	}
	s[12], s[13] = uint32(counter), uint32(counter>>32)
	s[14] = binary.LittleEndian.Uint32(nonce[0:])
	s[15] = binary.LittleEndian.Uint32(nonce[4:])
}

// setKey sets the constants and the key, words 0 to 11 (RFC 8439, section 2.3).
func (s *State) setKey(key []byte) {
	key = key[:KeySize]
	s[0], s[1], s[2], s[3] = 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 // "expand 32-byte k"
	s[4] = binary.LittleEndian.Uint32(key[0:])
	s[5] = binary.LittleEndian.Uint32(key[4:])
	s[6] = binary.LittleEndian.Uint32(key[8:])
	s[7] = binary.LittleEndian.Uint32(key[12:])
	s[8] = binary.LittleEndian.Uint32(key[16:])
	s[9] = binary.LittleEndian.Uint32(key[20:])
	s[10] = binary.LittleEndian.Uint32(key[24:])
	s[11] = binary.LittleEndian.Uint32(key[28:])
}

// hChaCha replaces the key in s by the one that HChaCha makes from it and nonce
// (draft-irtf-cfrg-xchacha-03, section 2.2).
func (s *State) hChaCha(nonce []byte, rounds int) {
	nonce = nonce[:HNonceSize]
	s[12] = binary.LittleEndian.Uint32(nonce[0:])
	s[13] = binary.LittleEndian.Uint32(nonce[4:])
	s[14] = binary.LittleEndian.Uint32(nonce[8:])
	s[15] = binary.LittleEndian.Uint32(nonce[12:])
	// HChaCha is a block cut to its first and last row, without the final addition
	// of the state that it was made from. To take that addition back costs less
	// than a second copy of the rounds.
	in := *s
	var block [BlockSize]byte
	s.Block(&block, rounds)
	for i := range 4 {
		s[4+i] = binary.LittleEndian.Uint32(block[4*i:]) - in[i]
		s[8+i] = binary.LittleEndian.Uint32(block[48+4*i:]) - in[12+i]
	}
}

// XORKeyStream sets dst to src XORed with the key stream, and leaves s at the
// next unused block. If src does not end with a whole block, the key stream of
// its last block is left in last. dst and src have the same length and are the
// same slice or disjoint; last overlaps neither.
func (s *State) XORKeyStream(dst, src []byte, rounds int, last *[BlockSize]byte) {
	xorKeyStream(dst, src, s, rounds, last)
}

// Block sets out to the key stream of the next block.
func (s *State) Block(out *[BlockSize]byte, rounds int) {
	*out = [BlockSize]byte{}
	xorKeyStream(out[:], out[:], s, rounds, nil) // a whole block: there is no last one
}

// BlockAndXOR sets first to the key stream of the next block, and dst to src
// XORed with that of the blocks behind it: what an AEAD needs for one message.
func (s *State) BlockAndXOR(first *[BlockSize]byte, dst, src []byte, rounds int) {
	var last [BlockSize]byte
	blockAndXOR(first, dst, src, s, rounds, &last)
}

// XOR sets dst to src XORed with the start of key, which is key stream. dst and src
// are as for XORKeyStream; key is at least as long, and overlaps neither.
func XOR(dst, src, key []byte) { xor(dst, src, key[:len(src)]) }

// HChaCha derives a key from a key and HNonceSize bytes. out may be the array of
// key.
func HChaCha(out *[KeySize]byte, key, nonce []byte, rounds int) {
	var s State
	s.setKey(key)
	s.hChaCha(nonce, rounds)
	for i, word := range s[4:12] {
		binary.LittleEndian.PutUint32(out[4*i:], word)
	}
}
