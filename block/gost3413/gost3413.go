// Package gost3413 implements the modes of operation of GOST R 34.13-2015 (GOST
// 34.13-2018) over any cipher.Block, where they differ from crypto/cipher: the
// IV of CTR is half a block, and the IV of CBC, CFB and OFB may be several
// blocks long, which makes as many interleaved chains.
//
// With an IV of one block, CBC, CFB and OFB equal those of crypto/cipher, and
// NewCTR equals cipher.NewCTR with the IV followed by as many zero bytes. The
// unit that the standard calls s is the whole block. Electronic codebook mode is
// package xcipher/block/ecb, the MAC of the standard is xcipher/mac/cmac.
//
// An IV must never repeat under one key, and must be unpredictable for CBC and
// CFB. None of the modes authenticates; to protect data use an AEAD, such as
// xcipher/aead/mgm. Over the ciphers of this module they run in constant time.
//
// The constructors panic if the length of the IV does not fit, as those of
// crypto/cipher do, and copy it. The returned values panic as those of
// crypto/cipher do, and are not safe for concurrent use.
package gost3413

import (
	"crypto/cipher"

	"xcipher/internal/batch"
)

const name = "gost3413"

// NewCTR returns a Stream in counter mode (section 5.2). The IV is half a block:
// 4 bytes for a 64-bit block, 8 bytes for a 128-bit one. The other half counts,
// so one IV serves 2^32 or 2^64 blocks; the counter then runs into the IV, as the
// standard has it, and it is the caller's duty to stop before.
func NewCTR(b cipher.Block, iv []byte) cipher.Stream {
	k := batch.Of(b)
	size := k.BlockSize()
	if size%2 != 0 || size > batch.MaxBlockSize {
		panic(name + ": unsupported block size")
	}
	if len(iv) != size/2 {
		panic(name + ": IV length must equal half the block size")
	}
	var first [batch.MaxBlockSize]byte
	copy(first[:], iv)
	return batch.New(name, k).NewCTR(first[:size])
}

// register is the shift register of m bits of sections 5.3 to 5.5: one block or
// more, the oldest first.
type register struct {
	k    batch.Kernel
	size int // bytes of a block
	r    []byte
}

func newRegister(b cipher.Block, iv []byte) register {
	k := batch.Of(b)
	size := k.BlockSize()
	if size > batch.BufSize {
		panic(name + ": unsupported block size")
	}
	if len(iv) == 0 || len(iv)%size != 0 {
		panic(name + ": IV length must be a multiple of the block size")
	}
	return register{k, size, append([]byte(nil), iv...)}
}

// shift appends ct to the register, which drops as many of its oldest bytes.
func (r *register) shift(ct []byte) {
	if n := len(r.r) - len(ct); n > 0 {
		copy(r.r, r.r[len(ct):])
		copy(r.r[n:], ct)
		return
	}
	copy(r.r, ct[len(ct)-len(r.r):])
}

// run is how many of n bytes, whole blocks, fit into the work space of batch.
func (r *register) run(n int) int { return min(n, batch.BufSize/r.size*r.size) }
