package conform

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// maxWrongSize is the longest key or nonce that is tried.
const maxWrongSize = 65

// some returns the sizes for which the whole suite is run: four at most, the
// first and the last among them.
func some(t suite, sizes []int) []int {
	if len(sizes) <= 4 {
		return sizes
	}
	i := Rand(t).Perm(len(sizes) - 2)
	return []int{sizes[0], sizes[1+i[0]], sizes[1+i[1]], sizes[len(sizes)-1]}
}

// TestKeySizes calls construct with keys of every length up to 65 bytes. The
// lengths in valid must be accepted; any other must give a KeySizeError and a nil
// interface.
func TestKeySizes(t *testing.T, valid []int, construct func(key []byte) (any, error)) {
	t.Helper()
	testKeySizes(host{t}, valid, construct)
}

func testKeySizes(t suite, valid []int, construct func(key []byte) (any, error)) {
	t.Helper()
	for n := range maxWrongSize + 1 {
		v, err := construct(make([]byte, n))
		if slices.Contains(valid, n) {
			if err != nil || v == nil {
				t.Errorf("key of %d bytes: %v, %v", n, v, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("key of %d bytes: no error", n)
		} else if want := fmt.Sprintf(": invalid key size %d", n); !strings.HasSuffix(err.Error(), want) {
			t.Errorf("key of %d bytes: error %q, want one that ends with %q", n, err, want)
		}
		if v != nil {
			t.Errorf("key of %d bytes: a %T with the error, want a nil interface", n, v)
		}
	}
}
