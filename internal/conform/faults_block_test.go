package conform

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"xcipher/internal/keystream"
)

// fault is something wrong in an implementation, and what the suite must say.
type fault struct {
	name, report string
}

// plant runs the suite over an implementation with each fault.
func plant(t *testing.T, faults []fault, run func(t suite, name string)) {
	t.Helper()
	defer func(d time.Duration) { budget = d }(budget)
	budget /= 20
	for _, f := range append(faults, fault{"none", ""}) {
		t.Run(f.name, func(t *testing.T) {
			r := newRecorder(t)
			r.Run("suite", func(t suite) { run(t, f.name) })
			r.check(t, f.report)
		})
	}
}

var sink []byte

// beside returns the byte at index i of p, which may lie outside it.
//
//go:nocheckptr
func beside(p []byte, i int) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(p)), i))
}

// behind reads the byte behind p.
func behind(p []byte) byte { return *beside(p, len(p)) }

// onPageEdge tells whether p ends a page, as a fault that reads further is harmless elsewhere.
func onPageEdge(p []byte) bool {
	return len(p) > 0 && (uintptr(unsafe.Pointer(unsafe.SliceData(p)))+uintptr(len(p)))%4096 == 0
}

// toyBlock is AES with a fault.
type toyBlock struct {
	cipher.Block
	fault   string
	key     []byte
	scratch []byte
}

func newToyBlock(fault string, key []byte) (cipher.Block, error) {
	if len(key) != 16 {
		switch fault {
		case "typed nil":
			return (*toyBlock)(nil), keySizeError(len(key))
		case "any key size":
			key = append(bytes.Clone(key), make([]byte, 16)...)[:16]
		case "key size not in error":
			return nil, errors.New("toy: bad key")
		case "panics for wrong key size":
			panic("toy: bad key")
		default:
			return nil, keySizeError(len(key))
		}
	}
	own := bytes.Clone(key)
	switch fault {
	case "key bit ignored":
		own[7] |= 0x10
	case "key changed":
		key[3] = 0
	case "reads behind key":
		if onPageEdge(key) {
			own[0] ^= behind(key)
		}
	}
	b, err := newAES(own)
	toy := &toyBlock{Block: b, fault: fault, key: key, scratch: make([]byte, 16)}
	if fault == "extra method" {
		return struct {
			*toyBlock
			rounder
		}{toyBlock: toy}, err
	}
	return toy, err
}

type rounder struct{}

func (rounder) Rounds() int { return 10 }

func (b *toyBlock) BlockSize() int {
	if b.fault == "no block size" {
		return 0
	}
	return b.Block.BlockSize()
}

func (b *toyBlock) Decrypt(dst, src []byte) {
	b.Block.Decrypt(dst, src)
	if b.fault == "decrypts one block wrong" && string(dst[:16]) == "wwwwwwwwwwwwwwww" {
		dst[3] ^= 1
	}
}

func (b *toyBlock) Encrypt(dst, src []byte) {
	crypt := b.Block.Encrypt
	switch b.fault {
	case "reads behind src":
		if len(src) > 16 && &src[0] != &dst[0] {
			src = append(bytes.Clone(src[:15]), src[15]^src[16])
		}
	case "depends on capacity of src":
		if cap(src) > 16 {
			src = append(bytes.Clone(src[:15]), src[:17][16])
		}
	case "writes behind dst":
		if len(dst) >= 16 && cap(dst) > 16 {
			defer func(d []byte) { d[16]++ }(dst[:17])
		}
	case "writes a second block":
		if len(dst) >= 32 && len(src) >= 32 {
			crypt(dst[16:], src[16:])
		}
	case "writes before dst":
		if len(dst) >= 16 && len(src) >= 16 && cap(dst) > margin { // where there is something before
			*beside(dst, -1) ^= 1
		}
	case "writes page after dst":
		if onPageEdge(dst) {
			*beside(dst, len(dst)) = 1
		}
	case "short dst accepted":
		if len(src) >= 16 && len(dst) < 16 {
			out := make([]byte, 16)
			crypt(out, src)
			copy(dst, out)
			return
		}
	case "short src accepted":
		if len(src) < 16 && cap(src) >= 16 {
			src = src[:16]
		}
	case "overlap accepted":
		src = bytes.Clone(src)
	case "overlap by one accepted":
		if len(dst) >= 16 && len(src) >= 16 && &dst[15] == &src[0] {
			src = bytes.Clone(src)
		}
	case "overlap of unused bytes refused":
		if len(dst) > 16 && len(src) >= 32 && &dst[0] == &src[16] {
			panic("toy: invalid buffer overlap")
		}
	case "no checks":
		_, _ = src[15], dst[15]
	case "writes before it panics":
		if len(dst) >= 16 && len(src) < 16 {
			dst[0]++
		}
	case "src changed":
		if len(src) >= 16 && len(dst) >= 16 && &src[0] != &dst[0] && cap(src) > margin {
			defer func() { src[5] ^= 1 }()
		}
	case "in place wrong":
		if len(src) >= 16 && len(dst) >= 16 && &src[0] == &dst[0] {
			src[0]++
		}
	case "old dst matters":
		if len(dst) >= 16 && len(src) >= 16 {
			defer func(old byte) { dst[0] ^= old & 1 }(dst[0])
		}
	case "alignment matters":
		if len(dst) >= 16 && len(src) >= 16 && uintptr(unsafe.Pointer(&dst[0]))%16 == 5 {
			defer func() { dst[0] ^= 1 }()
		}
	case "reads page behind src":
		if onPageEdge(src) {
			src = append(bytes.Clone(src[:15]), src[15]|behind(src))
		}
	case "key kept":
		if c, err := newAES(b.key); err == nil {
			crypt = c.Encrypt
		}
	case "allocates":
		sink = make([]byte, 16)
	case "not for goroutines":
		if cap(src) == 16 && cap(dst) == 16 && &src[0] != &dst[0] {
			crypt(b.scratch, src)
			runtime.Gosched()
			copy(dst, b.scratch)
			return
		}
	}
	crypt(dst, src)
}

func TestBlockFaults(t *testing.T) {
	faults := []fault{
		{"typed nil", "want a nil interface"},
		{"any key size", "no error"},
		{"key size not in error", "error \"toy: bad key\""},
		{"panics for wrong key size", "panic"},
		{"key bit ignored", "Bits"},
		{"key changed", "KeyKept: the Key, or a byte beside it, is changed"},
		{"key kept", "KeyKept: the Key is not copied"},
		{"extra method", "has the extra method Rounds"},
		{"no block size", "block size 0"},
		{"decrypts one block wrong", "Roundtrip"},
		{"reads behind src", "OneBlock"},
		{"depends on capacity of src", "Encrypt/Bounds"},
		{"writes behind dst", "a byte beside dst is changed"},
		{"writes a second block", "more than the first block is changed"},
		{"writes before dst", "a byte beside dst is changed"},
		{"short dst accepted", "no panic, want one with \"output not full block\""},
		{"short src accepted", "no panic, want one with \"input not full block\""},
		{"overlap accepted", "no panic, want one with \"invalid buffer overlap\""},
		{"overlap by one accepted", "no panic, want one with \"invalid buffer overlap\""},
		{"overlap of unused bytes refused", "unexpected panic"},
		{"no checks", "want one with"},
		{"writes before it panics", "before the panic"},
		{"src changed", "src, or a byte beside it, is changed"},
		{"in place wrong", "in place differs"},
		{"old dst matters", "Encrypt/Bounds"},
		{"alignment matters", "Encrypt/Bounds"},
		{"not for goroutines", "used by several goroutines"},
	}
	if countsAllocs() {
		faults = append(faults, fault{"allocates", "1 allocations, want at most 0"})
	}
	if hasGuardPages {
		faults = append(faults,
			fault{"reads page behind src", "outside its slices"},
			fault{"writes page after dst", "outside its slices"},
			fault{"reads behind key", "outside its slices"})
	}
	plant(t, faults, func(t suite, fault string) {
		testBlock(t, []int{16}, func(key []byte) (cipher.Block, error) { return newToyBlock(fault, key) })
	})
}

// toyHooks is AES with hooks of its own.
type toyHooks struct {
	*toyBlock
}

func (b toyHooks) NewCTR(iv []byte) cipher.Stream {
	if len(iv) != 16 {
		if b.fault == "CTR takes any IV" {
			return stream{cipher.NewCTR(hidden{b}, make([]byte, 16))}
		}
		panic("toy: IV length must equal block size")
	}
	s := &toyStream{Stream: cipher.NewCTR(hidden{b}, iv), fault: b.fault}
	switch b.fault {
	case "CTR wraps after 32 bits":
		return &wrap32{b: b, ctr: [16]byte(iv)}
	case "CTR keeps its IV":
		s.late = func() cipher.Stream { return cipher.NewCTR(hidden{b}, iv) }
	}
	return s
}

// wrap32 is CTR with a counter of 32 bits.
type wrap32 struct {
	b      cipher.Block
	ctr    [16]byte
	block  [16]byte
	unread int
}

func (s *wrap32) XORKeyStream(dst, src []byte) {
	keystream.Check("toy", dst, src)
	for i, v := range src {
		if s.unread == 0 {
			s.b.Encrypt(s.block[:], s.ctr[:])
			binary.BigEndian.PutUint32(s.ctr[12:], binary.BigEndian.Uint32(s.ctr[12:])+1)
			s.unread = 16
		}
		dst[i] = v ^ s.block[16-s.unread]
		s.unread--
	}
}

func (b toyHooks) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	return &toyMode{BlockMode: cipher.NewCBCEncrypter(hidden{b}, iv), fault: b.fault}
}

func (b toyHooks) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	return &toyMode{BlockMode: cipher.NewCBCDecrypter(hidden{b}, iv), fault: b.fault}
}

// oneHook has one hook of two.
type oneHook struct{ *toyBlock }

func (b oneHook) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	return mode{cipher.NewCBCDecrypter(hidden{b}, iv)}
}

func TestHookFaults(t *testing.T) {
	plant(t, []fault{
		{"CTR takes any IV", "want one with \"IV length must equal block size\""},
		{"CTR wraps after 32 bits", "CTR through the hook"},
		{"CTR keeps its IV", "the IV is not copied"},
		{"loses key stream", "CTRHook/State"},
		{"one hook", "only one of"},
		{"wrong after 65 blocks", "blocks at once differ"},
	}, func(t suite, fault string) {
		b, err := newToyBlock(fault, bytesOf(Rand(t), 16))
		if err != nil {
			t.Fatal(err)
		}
		if fault == "one hook" {
			one := oneHook{b.(*toyBlock)}
			testHooks(t, twins[cipher.Block]{one, one})
			return
		}
		both := toyHooks{b.(*toyBlock)}
		testHooks(t, twins[cipher.Block]{both, both})
	})
}
