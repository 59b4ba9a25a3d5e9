package main

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"xcipher/block/ecb"
	"xcipher/block/gost3413"
	"xcipher/block/kuznyechik"
	"xcipher/block/magma"
	"xcipher/stream/chacha"
)

// encCipher is a cipher under its name in "openssl enc". Sizes are in bytes; the IV
// of CTR is half a block, as OpenSSL's GOST engine wants it.
type encCipher struct {
	name            string
	keySize, ivSize int
	encrypt         func(key, iv []byte, padding bool) (process, error)
	decrypt         func(key, iv []byte, padding bool) (process, error)
}

// process sends all of r through a cipher to w.
type process func(w io.Writer, r io.Reader) error

func encCiphers() []encCipher {
	kuznyechikStream := func(f func(cipher.Block, []byte) cipher.Stream) func(key, iv []byte, padding bool) (process, error) {
		return streamOver(kuznyechik.NewCipher, f)
	}
	return []encCipher{
		{"kuznyechik-ctr", 32, 8, kuznyechikStream(gost3413.NewCTR), kuznyechikStream(gost3413.NewCTR)},
		{"kuznyechik-cbc", 32, 16, padded(kuznyechik.NewCipher, gost3413.NewCBCEncrypter), unpadded(kuznyechik.NewCipher, gost3413.NewCBCDecrypter)},
		{"kuznyechik-ecb", 32, 0, padded(kuznyechik.NewCipher, ecbEncrypter), unpadded(kuznyechik.NewCipher, ecbDecrypter)},
		{"magma-ctr", 32, 4, streamOver(magma.NewCipher, gost3413.NewCTR), streamOver(magma.NewCipher, gost3413.NewCTR)},
		{"magma-cbc", 32, 8, padded(magma.NewCipher, gost3413.NewCBCEncrypter), unpadded(magma.NewCipher, gost3413.NewCBCDecrypter)},
		{"chacha20", 32, 16, chacha20, chacha20},
	}
}

func ecbEncrypter(b cipher.Block, _ []byte) cipher.BlockMode { return ecb.NewEncrypter(b) }
func ecbDecrypter(b cipher.Block, _ []byte) cipher.BlockMode { return ecb.NewDecrypter(b) }

func streamOver(new newBlock, mode func(cipher.Block, []byte) cipher.Stream) func(key, iv []byte, padding bool) (process, error) {
	return func(key, iv []byte, _ bool) (process, error) {
		b, err := new(key)
		if err != nil {
			return nil, err
		}
		return xor(mode(b, iv), math.MaxUint64), nil
	}
}

// chacha20 takes an IV of 16 bytes as OpenSSL does: a counter of 64 bits, little
// endian, and the 8-byte nonce of the original ChaCha20; or, while the counter stays
// in its first 32 bits, that counter and the 12-byte nonce of RFC 8439.
func chacha20(key, iv []byte, _ bool) (process, error) {
	counter := binary.LittleEndian.Uint64(iv)
	s, err := chacha.NewWithCounter(20, key, iv[8:], counter)
	if err != nil {
		return nil, err
	}
	limit := uint64(math.MaxUint64)
	if blocks := -counter; counter != 0 && blocks < math.MaxUint64/chacha.BlockSize {
		limit = blocks * chacha.BlockSize
	}
	return xor(s, limit), nil
}

// xor is the process of a stream cipher for at most limit bytes.
func xor(s cipher.Stream, limit uint64) process {
	return func(w io.Writer, r io.Reader) error {
		buf := make([]byte, bufferSize)
		for {
			n, err := r.Read(buf)
			if uint64(n) > limit {
				return errors.New("the counter that the IV begins with ends before the data")
			}
			limit -= uint64(n)
			s.XORKeyStream(buf[:n], buf[:n])
			if err := write(w, buf[:n]); err != nil {
				return err
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
}

// write leaves out empty writes, which a pipe takes for an end.
func write(w io.Writer, p []byte) error {
	if len(p) == 0 {
		return nil
	}
	_, err := w.Write(p)
	return err
}

// wholeBlocks calls f with all of r in pieces of whole blocks, and returns what is
// left at the end.
func wholeBlocks(r io.Reader, size int, f func(blocks []byte) error) (rest []byte, err error) {
	buf := make([]byte, bufferSize)
	for {
		n, err := io.ReadFull(r, buf)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, err
		}
		whole := n - n%size
		if whole > 0 {
			if err := f(buf[:whole]); err != nil {
				return nil, err
			}
		}
		if err != nil {
			return buf[whole:n:n], nil
		}
	}
}

// padded encrypts with the padding of PKCS #7, or whole blocks only.
func padded(new newBlock, mode func(cipher.Block, []byte) cipher.BlockMode) func(key, iv []byte, padding bool) (process, error) {
	return func(key, iv []byte, padding bool) (process, error) {
		b, err := new(key)
		if err != nil {
			return nil, err
		}
		m, size := mode(b, iv), b.BlockSize()
		return func(w io.Writer, r io.Reader) error {
			crypt := func(blocks []byte) error {
				m.CryptBlocks(blocks, blocks)
				return write(w, blocks)
			}
			rest, err := wholeBlocks(r, size, crypt)
			switch {
			case err != nil:
				return err
			case padding:
				for n := size - len(rest)%size; len(rest) < size; {
					rest = append(rest, byte(n))
				}
				return crypt(rest)
			case len(rest) > 0:
				return notWhole(size)
			}
			return nil
		}, nil
	}
}

func notWhole(size int) error {
	return fmt.Errorf("the length is no multiple of the block, %d bytes, and there is no padding", size)
}

// errPadding is all that is told of a wrong end.
var errPadding = errors.New("the padding is wrong: wrong key, IV or password, or the data are damaged; or -iter or -md differ, or openssl had no -pbkdf2")

// unpadded undoes padded. The last block is held back until the end is known.
func unpadded(new newBlock, mode func(cipher.Block, []byte) cipher.BlockMode) func(key, iv []byte, padding bool) (process, error) {
	return func(key, iv []byte, padding bool) (process, error) {
		b, err := new(key)
		if err != nil {
			return nil, err
		}
		m, size := mode(b, iv), b.BlockSize()
		return func(w io.Writer, r io.Reader) error {
			var last []byte
			rest, err := wholeBlocks(r, size, func(blocks []byte) error {
				m.CryptBlocks(blocks, blocks)
				if !padding {
					return write(w, blocks)
				}
				if err := write(w, last); err != nil {
					return err
				}
				end := len(blocks) - size
				last = append(last[:0], blocks[end:]...)
				return write(w, blocks[:end])
			})
			switch {
			case err != nil:
				return err
			case padding:
				n, ok := paddingOf(last)
				if len(rest) > 0 || !ok {
					return errPadding
				}
				return write(w, last[:size-n])
			case len(rest) > 0:
				return notWhole(size)
			}
			return nil
		}, nil
	}
}

// paddingOf returns how many bytes of the last block are padding, in a time that
// does not tell what they are.
func paddingOf(block []byte) (n int, ok bool) {
	if len(block) == 0 {
		return 0, false
	}
	size := len(block)
	n = int(block[size-1])
	good := subtle.ConstantTimeLessOrEq(1, n) & subtle.ConstantTimeLessOrEq(n, size)
	for i, b := range block {
		inside := subtle.ConstantTimeLessOrEq(size-n, i)
		good &= subtle.ConstantTimeSelect(inside, subtle.ConstantTimeByteEq(b, byte(n)), 1)
	}
	return n, good == 1
}
