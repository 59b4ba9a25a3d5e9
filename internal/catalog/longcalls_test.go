package catalog_test

import (
	"bytes"
	"testing"

	"xcipher/internal/catalog"
)

// TestLongCalls compares one call for a long text with many calls. Glue cuts long
// texts for the kernels, so that nothing has to wait long for assembly to end.
func TestLongCalls(t *testing.T) {
	const size = 200<<10 + 37
	for _, a := range catalog.Algorithms() {
		c := newCases(a)
		key, iv, text := c.bytes(32), c.bytes(96), stretch(c.bytes(61), size)
		cuts := bytes.Repeat([]byte{255, 254, 1, 250}, 100)
		for i := range operations(t, a, key, iv) {
			agree(t, func(t *testing.T) []byte {
				op := operations(t, a, key, iv)[i]
				out := bytes.Clone(op(t, make([]byte, size+128), text, nil))
				if place := append(bytes.Clone(text), make([]byte, 128)...); !bytes.Equal(op(t, place, place[:size], cuts), out) {
					t.Errorf("%s: operation %d: one call and many differ", a.Name, i)
				}
				return out
			})
		}
	}
}
