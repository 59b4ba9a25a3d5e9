//go:build !(amd64 && gc && !purego)

package chachapoly

import (
	"xcipher/internal/chacha"
	"xcipher/internal/poly1305"
)

// headSize is how many bytes of text belong to a head.
const headSize = chacha.BlockSize

// takesHead tells whether a text of so many bytes begins with a head. Without a
// kernel for that it would be no gain.
func takesHead(int) bool { return false }

// head is what the beginning of a message makes: block 0, with the one-time key.
type head struct{ first [chacha.BlockSize]byte }

// begin also XORs the first bytes of the text.
func (h *head) begin(stream *chacha.State, dst, src []byte, rounds int) {
	stream.BlockAndXOR(&h.first, dst, src, rounds)
}

// sum sets tag to that of the whole text and aad.
func (h *head) sum(tag *[poly1305.TagSize]byte, aad, text []byte) {
	poly1305.Sum(tag, (*[poly1305.KeySize]byte)(h.first[:]), aad, text)
}
