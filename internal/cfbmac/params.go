package cfbmac

import (
	"fmt"

	"xcipher/internal/authenc"
)

// Params checks the sizes in bytes of a mode over a block cipher. param is the
// length of what stands in front of the nonce; at least one byte of the nonce's
// block stays free, so that padding keeps nonces apart.
func Params(name string, blockSize, nonceSize, tagSize, param int, err error) (*authenc.Params, error) {
	if blockSize != 8 && blockSize != 16 {
		return nil, fmt.Errorf("%s: invalid block size %d: want 8 or 16", name, blockSize)
	}
	if longest := blockSize - 1 - param; nonceSize < 1 || nonceSize > longest {
		return nil, fmt.Errorf("%s: invalid nonce size %d: want 1 to %d", name, nonceSize, longest)
	}
	if tagSize < blockSize/2 || tagSize > blockSize {
		return nil, fmt.Errorf("%s: invalid tag size %d: want %d to %d", name, tagSize, blockSize/2, blockSize)
	}
	return &authenc.Params{Name: name, NonceSize: nonceSize, Overhead: tagSize, Err: err}, nil
}
