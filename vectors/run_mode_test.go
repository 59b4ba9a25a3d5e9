package vectors

import (
	"crypto/cipher"
	"errors"
	"testing"
)

type pickModes = func(g *Group) *Modes

// fakeMode is a cipher.BlockMode or a cipher.Stream.
type fakeMode struct {
	size  int
	crypt transform
}

func (m *fakeMode) BlockSize() int               { return m.size }
func (m *fakeMode) CryptBlocks(dst, src []byte)  { m.crypt(dst, src) }
func (m *fakeMode) XORKeyStream(dst, src []byte) { m.crypt(dst, src) }

// ecb returns Encrypt or Decrypt of every block.
func ecb(crypt transform) *fakeMode {
	return &fakeMode{16, func(dst, src []byte) {
		for i := 0; i < len(src); i += 16 {
			crypt(dst[i:], src[i:])
		}
	}}
}

// aesModes is the right answer for every group of modeFile. wrap, if not nil, is
// put around every transform in the direction that it is asked for.
func aesModes(wrap func(f transform, decrypt bool) transform) pickModes {
	if wrap == nil {
		wrap = func(f transform, decrypt bool) transform { return f }
	}
	newMode := func(g *Group, decrypt bool) func(key, iv []byte) (cipher.BlockMode, error) {
		return func(key, iv []byte) (cipher.BlockMode, error) {
			b := aesBlock(key)
			var m cipher.BlockMode
			switch {
			case g.Mode == "ECB" && len(iv) > 0:
				return nil, errors.New("ECB has no IV")
			case g.Mode == "ECB" && decrypt:
				m = ecb(b.Decrypt)
			case g.Mode == "ECB":
				m = ecb(b.Encrypt)
			case decrypt:
				m = cipher.NewCBCDecrypter(b, iv)
			default:
				m = cipher.NewCBCEncrypter(b, iv)
			}
			return &fakeMode{16, wrap(m.CryptBlocks, decrypt)}, nil
		}
	}
	newStream := func(decrypt bool) func(key, iv []byte) (cipher.Stream, error) {
		return func(key, iv []byte) (cipher.Stream, error) {
			return &fakeMode{0, wrap(cipher.NewCTR(aesBlock(key), iv).XORKeyStream, decrypt)}, nil
		}
	}
	return func(g *Group) *Modes {
		if g.Mode == "CTR" {
			return &Modes{NewStreamEncrypter: newStream(false), NewStreamDecrypter: newStream(true)}
		}
		return &Modes{NewEncrypter: newMode(g, false), NewDecrypter: newMode(g, true)}
	}
}

func modeFile() *File {
	f := newFile(
		&Group{Type: "BlockModeTest", Mode: "ECB", BlockSize: 128},
		&Group{Type: "BlockModeTest", Mode: "CBC", BlockSize: 128, IVSize: 128, Padding: "none"},
		&Group{Type: "BlockModeTest", Mode: "OWN-CBC", IVSize: 128, Padding: "zero"},
		&Group{Type: "BlockModeTest", Mode: "CTR", BlockSize: 128, IVSize: 128},
	)
	for i, g := range f.Groups {
		for j := range 12 {
			t := &Test{
				Key: randomBytes(uint64(j), 16),
				IV:  randomBytes(uint64(j), g.IVSize/8),
				Msg: randomBytes(uint64(j), 16*j),
			}
			b := aesBlock(t.Key)
			switch i {
			case 0:
				t.CT = make([]byte, 16*j)
				ecb(b.Encrypt).CryptBlocks(t.CT, t.Msg)
			case 1:
				t.CT = make([]byte, 16*j)
				cipher.NewCBCEncrypter(b, t.IV).CryptBlocks(t.CT, t.Msg)
			case 2: // 0 to 11 bytes of padding, and one message that is all padding
				t.CT = make([]byte, 16*max(j, 1))
				t.Msg = t.Msg[:max(0, 16*j-j)]
				copy(t.CT, t.Msg)
				cipher.NewCBCEncrypter(b, t.IV).CryptBlocks(t.CT, t.CT)
			case 3:
				t.Msg = append(t.Msg, randomBytes(uint64(j), 5*j)...)
				t.CT = make([]byte, len(t.Msg))
				cipher.NewCTR(b, t.IV).XORKeyStream(t.CT, t.Msg)
			}
			g.Tests = append(g.Tests, t)
		}
	}
	return newFile(f.Groups...)
}

// acceptableFile has tests with an IV of a size that cipher.NewCBCEncrypter refuses
// by a panic.
func acceptableFile() *File {
	f := modeFile()
	for _, t := range f.Groups[1].Tests {
		t.IV, t.Result = t.IV[:12], "acceptable"
	}
	return f
}

func TestRunBlockMode(t *testing.T) {
	right := aesModes(nil)
	mustPass(t, RunBlockMode, modeFile, right, Result{Run: 48})
	mustPass(t, RunBlockMode, acceptableFile, right, Result{Run: 48, Refused: 12})
	mustPass(t, RunBlockMode, acceptableFile, func(g *Group) *Modes {
		no := func(key, iv []byte) (cipher.BlockMode, error) { return nil, errors.New("no such IV") }
		switch g.Mode {
		case "CBC":
			return &Modes{NewEncrypter: no, NewDecrypter: no}
		case "ECB":
			return nil
		}
		return right(g)
	}, Result{Run: 36, Refused: 12, Skipped: 12})

	plants := []plant[pickModes]{
		{"bit of ct", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.CT }) }, right, "encrypting: output differs"},
		{"bit of msg", func(f *File) { flipOne(f, func(t *Test) *HexBytes { return &t.Msg }) }, right, "encrypting: output differs"},
		{"bit of iv", func(f *File) {
			f.Groups = f.Groups[1:2]
			t := f.Groups[0].Tests[3]
			t.IV = flip(t.IV, newReplay(f.Seed, 0).Rand)
		}, right, "encrypting: output differs"},
		{"valid refused", func(f *File) { f.Groups[1].Tests[4].IV = make([]byte, 12) }, right, "the constructor says: panic: "},
		{"acceptable but wrong", func(f *File) {
			t := f.Groups[3].Tests[4]
			t.Result = "acceptable"
			t.CT = flip(t.CT, newReplay(f.Seed, 0).Rand)
		}, right, "encrypting: output differs"},
		{"ct too long", func(f *File) { t := f.Groups[3].Tests[4]; t.CT = append(t.CT, 0) }, right, "bytes of input but"},
		{"partial block", func(f *File) {
			t := f.Groups[1].Tests[4]
			t.CT, t.Msg = t.CT[:60], t.Msg[:60]
		}, right, "no multiple of 16"},
		{"unknown padding", func(f *File) { f.Groups[2].Padding = "ones" }, right, `unknown padding "ones"`},
		{"too much padding", func(f *File) { t := f.Groups[2].Tests[4]; t.Msg = t.Msg[:40] }, right, "bytes of padding"},
		{"wrong kind", nil, func(g *Group) *Modes {
			m := right(g)
			m.NewEncrypter, m.NewDecrypter = nil, nil
			return m
		}, "mode CBC: no constructors"},
		{"BlockSize of zero", nil, func(g *Group) *Modes {
			m := func(key, iv []byte) (cipher.BlockMode, error) { return &fakeMode{}, nil }
			return &Modes{NewEncrypter: m, NewDecrypter: m}
		}, "BlockSize is not positive"},
		{"wrong BlockSize", nil, func(g *Group) *Modes {
			m := func(key, iv []byte) (cipher.BlockMode, error) { return &fakeMode{size: 8}, nil }
			return &Modes{NewEncrypter: m, NewDecrypter: m}
		}, "BlockSize is 8"},
		// CBC that decrypts in place from the first block on.
		{"chain in place", nil, func(g *Group) *Modes {
			m := right(g)
			if g.Mode == "CBC" {
				m.NewDecrypter = func(key, iv []byte) (cipher.BlockMode, error) {
					b, prev := aesBlock(key), append([]byte(nil), iv...)
					return &fakeMode{16, func(dst, src []byte) {
						last := prev
						for i := 0; i < len(src); i += 16 {
							b.Decrypt(dst[i:], src[i:])
							for j := range 16 {
								dst[i+j] ^= last[j]
							}
							last = src[i : i+16] // dst, if in place
						}
						copy(prev, last)
					}}, nil
				}
			}
			return m
		}, "decrypting: in place"},
	}
	whole := func(src []byte) int { return len(src) }
	for _, f := range transformFaults {
		for _, decrypt := range []bool{false, true} {
			name := map[bool]string{false: "encrypting", true: "decrypting"}[decrypt]
			want := name + ": "
			if f.name == "panic" {
				want = f.want
			}
			plants = append(plants, plant[pickModes]{name + ": " + f.name, nil, aesModes(func(g transform, direction bool) transform {
				if direction != decrypt {
					return g
				}
				return f.wrap(g, whole)
			}), want})
		}
	}
	mustReport(t, RunBlockMode, modeFile, plants)
}
