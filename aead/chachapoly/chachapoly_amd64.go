//go:build amd64 && gc && !purego

package chachapoly

import (
	"xcipher/internal/chacha"
	"xcipher/internal/poly1305"
)

const (
	// headSize is how many bytes of text belong to the head.
	headSize = chacha.HeadSize

	// leastHead is from how many bytes of text on the powers of Poly1305's multiplier
	// pay, where they are computed beside the key stream. Measured on AMD's Zen 4.
	leastHead = 5*chacha.BlockSize + 1
)

// In the tier of AVX2 golang.org/x/crypto/chacha20poly1305 would be faster with texts
// of more than a kilobyte, at 64 KiB by a seventh. It does not take part: its Open
// writes plaintext before the tag is verified.

// takesHead tells whether a text of so many bytes begins with a head.
func takesHead(text int) bool {
	return text >= leastHead && chacha.TakesHead() && poly1305.TakesPowers()
}

// head is what the beginning of a long message makes: the one-time key, and the
// powers of its multiplier.
type head struct {
	key    [poly1305.KeySize]byte
	powers poly1305.Powers
}

// begin also XORs the first bytes of the text, up to headSize.
func (h *head) begin(stream *chacha.State, dst, src []byte, rounds int) {
	stream.Head(&h.key, &h.powers, dst, src, rounds)
}

// sum sets tag to that of the whole text and aad.
func (h *head) sum(tag *[poly1305.TagSize]byte, aad, text []byte) {
	poly1305.SumWithPowers(tag, &h.key, &h.powers, aad, text)
}
