package xcipher_test

import (
	"bytes"
	"context"
	"crypto/cipher"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"xcipher/internal/catalog"
	"xcipher/internal/conform"
)

// The tests of this file, and those that CONTRIBUTING.md lists beside them, show
// that faults which other projects shipped are not here.

// transform is an algorithm as a function of whole and of cut input: it returns
// the output for the input that write was called with, piece by piece.
type transform struct {
	name string
	run  func(t *testing.T, pieces [][]byte) []byte
}

// transforms are all streams, hashes, MACs and counter modes of the catalog, with
// the same key at every call.
func transforms(t *testing.T) []transform {
	t.Helper()
	key := bytes.Repeat([]byte{0x5a, 0xc3}, 32)
	var all []transform
	stream := func(name string, make func() (cipher.Stream, error)) {
		all = append(all, transform{name, func(t *testing.T, pieces [][]byte) (out []byte) {
			s, err := make()
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pieces {
				p = bytes.Clone(p)
				s.XORKeyStream(p, p)
				out = append(out, p...)
			}
			return out
		}})
	}
	sum := func(name string, make func() (hash.Hash, error)) {
		all = append(all, transform{name, func(t *testing.T, pieces [][]byte) []byte {
			h, err := make()
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pieces {
				h.Write(p)
			}
			return h.Sum(nil)
		}})
	}
	for _, a := range catalog.Algorithms() {
		switch a.Kind {
		case catalog.Stream:
			for _, n := range a.NonceSizes {
				stream(a.Name, func() (cipher.Stream, error) { return catalog.NewStream(a.Name, key[:a.KeySize], key[:n]) })
			}
		case catalog.Block:
			stream("CTR over "+a.Name, func() (cipher.Stream, error) {
				b, err := catalog.NewBlock(a.Name, key[:a.KeySize])
				if err != nil {
					return nil, err
				}
				// The last byte of the counter soon wraps.
				return cipher.NewCTR(b, bytes.Repeat([]byte{0xf0}, a.BlockSize)), nil
			})
		case catalog.MAC:
			sum(a.Name, func() (hash.Hash, error) { return catalog.NewMAC(a.Name, key[:max(a.KeySize, 1)]) })
		case catalog.Hash:
			sum(a.Name, func() (hash.Hash, error) { return catalog.NewHash(a.Name) })
		}
	}
	return all
}

func cut(b []byte, size int) (pieces [][]byte) {
	return slices.Collect(slices.Chunk(b, size))
}

// T3: a call of any length, and what it leaves behind for the next one.
func TestT03Continuation(t *testing.T) {
	conform.Each(t, func(t *testing.T) {
		text := make([]byte, 1300)
		step := 1
		if testing.Short() {
			step = 13
		}
		for _, f := range transforms(t) {
			t.Run(f.name, func(t *testing.T) {
				for n := 1; n <= 1100; n += step {
					whole := f.run(t, [][]byte{text[:n+200]})
					if got := f.run(t, [][]byte{text[:n], text[n : n+200]}); !bytes.Equal(got, whole) {
						t.Fatalf("%d bytes and 200 bytes differ from both together", n)
					}
				}
			})
		}
	})
}

// T5: lengths around powers of two, where buffers end.
func TestT05InternalBuffers(t *testing.T) {
	sizes := []int{8 << 10, 16 << 10, 24 << 10, 32 << 10, 64 << 10, 1 << 20}
	if testing.Short() {
		sizes = sizes[:3]
	}
	text := make([]byte, sizes[len(sizes)-1]+17)
	for i := range text {
		text[i] = byte(i * i >> 5)
	}
	for _, f := range transforms(t) {
		t.Run(f.name, func(t *testing.T) {
			for _, size := range sizes {
				for _, n := range []int{size - 1, size, size + 1, size + 17} {
					if size == 1<<20 && n != size+1 {
						continue
					}
					if !bytes.Equal(f.run(t, [][]byte{text[:n]}), f.run(t, cut(text[:n], 4096-32))) {
						t.Errorf("%d bytes differ from the same in pieces", n)
					}
				}
			}
		})
	}
}

// T19: the collector, the tracer, the profiler and a growing stack at any point of
// the work. It is meant for kernels, and must hold without them.
func TestT19Interruptions(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no threads, no profiler")
	}
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
	if testing.Short() {
		ctx, stop = context.WithTimeout(t.Context(), time.Second/2)
	}
	defer stop()
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err == nil {
		defer trace.Stop()
	}
	text := make([]byte, 64<<10)
	var work sync.WaitGroup
	for _, f := range transforms(t) {
		want := f.run(t, [][]byte{text})
		work.Go(func() {
			for ctx.Err() == nil {
				if !bytes.Equal(deep(20, func() []byte { return f.run(t, [][]byte{text}) }), want) {
					t.Errorf("%s: another result", f.name)
					return
				}
			}
		})
	}
	work.Go(func() {
		for ctx.Err() == nil {
			runtime.GC()
		}
	})
	work.Wait()
}

// deep calls f on a stack that has to grow.
func deep(n int, f func() []byte) []byte {
	var room [1024]byte
	if n == 0 {
		return f()
	}
	room[n] = byte(n)
	out := deep(n-1, f)
	room[0] = room[n]
	return out
}

// T24: nothing compares with an early exit what may be a tag.
func TestT24Comparisons(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // another test's temporary file
			return nil
		case err != nil:
			return err
		case d.IsDir():
			if path != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(
				[]string{"testdata", "conform", "mutate", "asmcheck", "cmd", "interop", "_asm", "vectors"}, d.Name())) {
				return fs.SkipDir // no production code of the library, or no secrets
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && slices.Contains(
					[]string{"bytes.Equal", "bytes.Compare", "reflect.DeepEqual", "slices.Equal", "slices.Compare"}, x.Name+"."+s.Sel.Name) {
					t.Errorf("%s: %s.%s: use crypto/subtle", set.Position(n.Pos()), x.Name, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 && runtime.GOOS != "js" {
		t.Errorf("only %d files were read", files)
	}
}

// T25: decryption undoes encryption, also of blocks that are all alike and of
// single bits.
func TestT25Inverse(t *testing.T) {
	each(t, catalog.Block, func(t *testing.T, a catalog.Algorithm) {
		for key := range 3 {
			b, err := catalog.NewBlock(a.Name, bytes.Repeat([]byte{byte(key * 0x7f)}, a.KeySize))
			if err != nil {
				t.Fatal(err)
			}
			check := func(x []byte) {
				y := make([]byte, len(x))
				b.Encrypt(y, x)
				b.Decrypt(y, y)
				if !bytes.Equal(x, y) {
					t.Errorf("Decrypt(Encrypt(%x)) = %x", x, y)
				}
				b.Decrypt(y, x)
				b.Encrypt(y, y)
				if !bytes.Equal(x, y) {
					t.Errorf("Encrypt(Decrypt(%x)) = %x", x, y)
				}
			}
			for v := range 256 {
				check(bytes.Repeat([]byte{byte(v)}, a.BlockSize))
			}
			for bit := range 8 * a.BlockSize {
				x := make([]byte, a.BlockSize)
				x[bit/8] = 0x80 >> (bit % 8)
				check(x)
			}
		}
	})
}

// T26: nil where nothing is given.
func TestT26Nil(t *testing.T) {
	for _, f := range transforms(t) {
		if a, b := f.run(t, [][]byte{nil, {}, nil}), f.run(t, nil); !bytes.Equal(a, b) {
			t.Errorf("%s: nil writes change the result", f.name)
		}
	}
	each(t, catalog.AEAD, func(t *testing.T, a catalog.Algorithm) {
		aead, err := catalog.NewAEAD(a.Name, make([]byte, a.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		nonce := make([]byte, aead.NonceSize())
		sealed := aead.Seal(nil, nonce, nil, nil)
		if !bytes.Equal(sealed, aead.Seal([]byte{}, nonce, []byte{}, []byte{})) {
			t.Error("nil and empty differ")
		}
		if text, err := aead.Open(nil, nonce, sealed, nil); err != nil || len(text) != 0 {
			t.Errorf("%x, %v", text, err)
		}
		if text, err := aead.Open(nil, nonce, nil, nil); err == nil || text != nil {
			t.Errorf("nil opens: %x, %v", text, err)
		}
	})
}
