package vectors

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"slices"
	"testing"
)

type pickAEAD = func(g *Group) func(key []byte) (cipher.AEAD, error)

func gcm(key []byte) cipher.AEAD {
	a, err := cipher.NewGCM(aesBlock(key))
	if err != nil {
		panic(err)
	}
	return a
}

// aeadFile has 20 valid tests, then one invalid test of each kind.
func aeadFile() *File {
	g := &Group{Type: "AeadTest", KeySize: 128, IVSize: 96, TagSize: 128}
	add := func(i, msg, aad int) *Test {
		t := &Test{
			Key: randomBytes(uint64(i), 16),
			IV:  randomBytes(uint64(i), 12),
			Msg: randomBytes(uint64(i), msg),
			AAD: randomBytes(uint64(i), aad),
		}
		sealed := gcm(t.Key).Seal(nil, t.IV, t.Msg, t.AAD)
		t.CT, t.Tag = sealed[:msg], sealed[msg:]
		g.Tests = append(g.Tests, t)
		return t
	}
	for i := range 20 {
		add(i, i*i, i/2*7)
	}
	for i := 20; i < 30; i++ {
		t := add(i, i, i)
		r := newReplay(uint64(i), 0).Rand
		t.Result = "invalid"
		switch i {
		case 20:
			t.Tag = flip(t.Tag, r)
		case 21:
			t.CT = flip(t.CT, r)
		case 22:
			t.AAD = flip(t.AAD, r)
		case 23:
			t.IV = flip(t.IV, r)
		case 24:
			t.Tag = t.Tag[:15]
		case 25:
			t.Tag, t.CT = t.Tag[:0], t.CT[:3]
		case 26:
			t.IV = t.IV[:11]
		case 27:
			t.IV = append(t.IV, 0)
		case 28:
			t.Tag, t.Flags = flip(t.Tag, r), []string{"MessageTooLong"}
			t.Msg = make([]byte, 1<<10)
		case 29:
			t.Key = append(t.Key, 0)
		}
	}
	return newFile(g)
}

// validOf returns the valid tests of a file.
func validOf(f *File) *File {
	g := *f.Groups[0]
	g.Tests = g.Tests[:20]
	return &File{Groups: []*Group{&g}, Seed: f.Seed}
}

// fakeAEAD is GCM with some parts replaced.
type fakeAEAD struct {
	cipher.AEAD
	nonce, overhead int
	seal, open      operation
}

func (a *fakeAEAD) NonceSize() int { return a.nonce }
func (a *fakeAEAD) Overhead() int  { return a.overhead }

func (a *fakeAEAD) Seal(dst, nonce, in, aad []byte) []byte {
	out, err := a.seal(dst, nonce, in, aad)
	if err != nil {
		panic(err)
	}
	return out
}

func (a *fakeAEAD) Open(dst, nonce, in, aad []byte) ([]byte, error) {
	return a.open(dst, nonce, in, aad)
}

// fakeAEADs makes AEADs that are right, but for what change does. The messages of
// the tests are limited to 1000 bytes.
func fakeAEADs(change func(a *fakeAEAD, key []byte)) pickAEAD {
	return func(*Group) func(key []byte) (cipher.AEAD, error) {
		return func(key []byte) (cipher.AEAD, error) {
			if len(key) != 16 {
				return nil, errors.New("wrong key size")
			}
			a := &fakeAEAD{AEAD: gcm(key), nonce: 12, overhead: 16}
			a.open = a.AEAD.Open
			a.seal = func(dst, nonce, in, aad []byte) ([]byte, error) {
				if len(in) > 1000 {
					return nil, errors.New("message too long")
				}
				return a.AEAD.Seal(dst, nonce, in, aad), nil
			}
			if change != nil {
				change(a, key)
			}
			return a, nil
		}
	}
}

// both wraps Seal and Open.
func both(wrap func(op operation) operation) pickAEAD {
	return fakeAEADs(func(a *fakeAEAD, key []byte) { a.seal, a.open = wrap(a.seal), wrap(a.open) })
}

// after wraps Seal and Open with something done to the arguments of a call that
// had a result, and to the bytes that it appended.
func after(f func(dst, nonce, in, aad, added []byte)) pickAEAD {
	return both(func(op operation) operation {
		return func(dst, nonce, in, aad []byte) ([]byte, error) {
			out, err := op(dst, nonce, in, aad)
			if err == nil && len(out) > len(dst) {
				f(dst, nonce, in, aad, out[len(dst):])
			}
			return out, err
		}
	})
}

func TestRunAEAD(t *testing.T) {
	right := fakeAEADs(nil)
	mustPass(t, RunAEAD, aeadFile, right, Result{Run: 30})
	mustPass(t, RunAEAD, aeadFile, func(g *Group) func(key []byte) (cipher.AEAD, error) {
		return fakeAEADs(func(a *fakeAEAD, key []byte) { // Open may use what dst has, and clear the tag
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				out, err := a.AEAD.Open(dst, nonce, in, aad)
				if err != nil {
					clear(dst[len(dst):cap(dst)])
				} else if len(in) > len(out) && sameStart(out, in) {
					clear(in[len(out):])
				}
				return out, err
			}
		})(g)
	}, Result{Run: 30})

	plants := []plant[pickAEAD]{
		{"bit of ct", func(f *File) { flipOne(validOf(f), func(t *Test) *HexBytes { return &t.CT }) }, right, "sealing: result differs"},
		{"bit of tag", func(f *File) { flipOne(validOf(f), func(t *Test) *HexBytes { return &t.Tag }) }, right, "sealing: result differs"},
		{"bit of msg", func(f *File) { flipOne(validOf(f), func(t *Test) *HexBytes { return &t.Msg }) }, right, "sealing: result differs"},
		{"bit of aad", func(f *File) { flipOne(validOf(f), func(t *Test) *HexBytes { return &t.AAD }) }, right, "sealing: result differs"},
		{"invalid accepted", func(f *File) { f.Groups[0].Tests[7].Result = "invalid" }, right, "opening with no room in dst: accepted"},
		{"empty invalid accepted", func(f *File) { f.Groups[0].Tests[0].Result = "invalid" }, right, "opening with no room in dst: accepted"},
		{"nonce of valid", func(f *File) { f.Groups[0].Tests[7].IV = make([]byte, 13) }, right, "NonceSize is 12, but the nonce has 13"},
		{"key of valid", func(f *File) { f.Groups[0].Tests[7].Key = make([]byte, 17) }, right, "the constructor says: wrong key size"},
		{"no limit", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.seal = func(dst, nonce, in, aad []byte) ([]byte, error) { return a.AEAD.Seal(dst, nonce, in, aad), nil }
		}), "no panic of Seal"},
		{"acceptable but wrong", func(f *File) {
			t := f.Groups[0].Tests[7]
			t.Result, t.Msg = "acceptable", flip(t.Msg, newReplay(f.Seed, 0).Rand)
		}, right, "sealing: result differs"},
		{"constructor error", nil, func(*Group) func(key []byte) (cipher.AEAD, error) {
			return func(key []byte) (cipher.AEAD, error) { return nil, errors.New("planted") }
		}, "the constructor says: planted"},
		{"Open of valid fails", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) { return nil, errors.New("planted") }
		}), "opening: planted"},
		{"Open in place fails", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				if sameStart(dst[:min(1, cap(dst))], in) {
					return nil, errors.New("planted")
				}
				return a.AEAD.Open(dst, nonce, in, aad)
			}
		}), "opening: in place: planted"},
		{"Open refuses what Seal gives", func(f *File) { f.Groups[0].Tests[7].Result = "invalid" }, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				if len(nonce) != 12 {
					panic("nonce")
				}
				return nil, errors.New("planted")
			}
		}), "Seal gives the ciphertext"},
		{"Seal of valid panics", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.seal = func(dst, nonce, in, aad []byte) ([]byte, error) { panic("planted") }
		}), "unexpected panic: planted"},
		{"no verification", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				if len(nonce) != 12 {
					panic("nonce")
				}
				if len(in) < 16 {
					return nil, errors.New("too short")
				}
				out := a.AEAD.Seal(nil, nonce, in[:len(in)-16], aad)
				return append(dst, out[:len(in)-16]...), nil
			}
		}), "accepted"},
		{"Open panics for a short input", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				return a.AEAD.Open(dst, nonce, slices.Concat(in[:len(in)-16], in[len(in)-16:]), aad)
			}
		}), "unexpected panic: runtime error: slice bounds"},
		{"Open returns a slice and an error", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				out, err := a.AEAD.Open(dst, nonce, in, aad)
				if err != nil {
					out = dst[:0:0]
				}
				return out, err
			}
		}), "a slice was returned with the error"},
		{"failed Open writes to the prefix", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				out, err := a.AEAD.Open(dst, nonce, in, aad)
				if err != nil && len(dst) > 0 {
					dst[0]++
				}
				return out, err
			}
		}), "bytes outside dst changed"},
		{"failed Open changes its input", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				out, err := a.AEAD.Open(dst, nonce, in, aad)
				if err != nil && len(in) > 0 {
					in[0]++
				}
				return out, err
			}
		}), "an argument changed"},
		{"Seal takes any nonce", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			seal := a.seal
			a.seal = func(dst, nonce, in, aad []byte) ([]byte, error) {
				return seal(dst, append(nonce[:len(nonce):len(nonce)], make([]byte, 12)...)[:12], in, aad)
			}
		}), "no panic of Seal for a nonce of"},
		{"Open refuses a wrong nonce by an error", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
				if len(nonce) != 12 {
					return nil, errors.New("wrong nonce size")
				}
				return a.AEAD.Open(dst, nonce, in, aad)
			}
		}), "no panic of Open for a nonce of"},
		{"NonceSize", nil, fakeAEADs(func(a *fakeAEAD, key []byte) { a.nonce = 8 }), "NonceSize is 8, but the nonce has 12"},
		{"Overhead", nil, fakeAEADs(func(a *fakeAEAD, key []byte) { a.overhead = 12 }), "wrong Overhead 12"},
		{"key kept", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.seal = func(dst, nonce, in, aad []byte) ([]byte, error) { return gcm(key).Seal(dst, nonce, in, aad), nil }
		}), "sealing: result differs"},
		{"key changed", nil, fakeAEADs(func(a *fakeAEAD, key []byte) { clear(key) }), "changed its arguments"},
		{"dst forgotten", nil, both(func(op operation) operation {
			return func(dst, nonce, in, aad []byte) ([]byte, error) { return op(dst[:0], nonce, in, aad) }
		}), "the result does not start with dst"},
		{"in place", nil, after(func(dst, nonce, in, aad, added []byte) {
			if sameStart(added, in) {
				added[0] ^= 1
			}
		}), "in place: result differs"},
		{"unaligned", nil, after(func(dst, nonce, in, aad, added []byte) {
			if unaligned(in) && unaligned(nonce) && unaligned(aad) {
				added[0] ^= 1
			}
		}), "unaligned: result differs"},
		{"past the result", nil, after(func(dst, nonce, in, aad, added []byte) {
			if n := len(added); cap(added) > n {
				added[:n+1][n] ^= 1
			}
		}), "with spare capacity: bytes outside the result changed"},
		{"nonce changed", nil, after(func(dst, nonce, in, aad, added []byte) { nonce[11]++ }), "an argument changed"},
		{"data changed", nil, after(func(dst, nonce, in, aad, added []byte) { clear(aad) }), "an argument changed"},
		{"input changed", nil, after(func(dst, nonce, in, aad, added []byte) {
			if !sameStart(added, in) {
				clear(in)
			}
		}), "an argument changed"},
	}
	mustReport(t, RunAEAD, aeadFile, plants)
}

// TestRunAEADAcceptable goes through the ways to refuse an acceptable test.
func TestRunAEADAcceptable(t *testing.T) {
	file := func() *File {
		f := aeadFile()
		f.Groups[0].Tests[0].Result = "acceptable" // the only one that is empty
		return f
	}
	empty := func(in, aad []byte) bool { return len(in) == 0 && len(aad) == 0 }
	mustPass(t, RunAEAD, file, fakeAEADs(nil), Result{Run: 30})
	mustPass(t, RunAEAD, file, fakeAEADs(func(a *fakeAEAD, key []byte) {
		seal := a.seal
		a.seal = func(dst, nonce, in, aad []byte) ([]byte, error) {
			if empty(in, aad) {
				panic("empty")
			}
			return seal(dst, nonce, in, aad)
		}
	}), Result{Run: 30, Refused: 1})
	refuse := fakeAEADs(func(a *fakeAEAD, key []byte) {
		a.open = func(dst, nonce, in, aad []byte) ([]byte, error) {
			if len(nonce) == 12 && len(in) >= 16 && empty(in[16:], aad) {
				return nil, errors.New("empty")
			}
			return a.AEAD.Open(dst, nonce, in, aad)
		}
	})
	mustPass(t, RunAEAD, file, refuse, Result{Run: 30, Refused: 1})
	mustPass(t, RunAEAD, file, func(g *Group) func(key []byte) (cipher.AEAD, error) {
		return func(key []byte) (cipher.AEAD, error) {
			if bytes.Equal(key, g.Tests[0].Key) {
				return nil, errors.New("that key")
			}
			return fakeAEADs(nil)(g)(key)
		}
	}, Result{Run: 30, Refused: 1})
	mustPass(t, RunAEAD, func() *File {
		f := file()
		f.Groups[0].Tests[0].IV = f.Groups[0].Tests[0].IV[:8]
		return f
	}, fakeAEADs(nil), Result{Run: 30, Refused: 1})

	mustReport(t, RunAEAD, file, []plant[pickAEAD]{
		{"Seal refuses, Open is wrong", func(f *File) {
			tag := f.Groups[0].Tests[0].Tag
			f.Groups[0].Tests[0].Msg = tag
		}, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.seal = func(dst, nonce, in, aad []byte) ([]byte, error) { panic("planted") }
		}), "opening: result has 0 bytes instead of 16"},
		{"Open refuses, Seal is wrong", func(f *File) {
			t := f.Groups[0].Tests[0]
			t.Tag = flip(t.Tag, newReplay(f.Seed, 0).Rand)
		}, refuse, "sealing: result differs"},
		{"Open refuses by a panic", nil, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) { panic("planted") }
		}), "unexpected panic: planted"},
		{"wrong nonce not refused", func(f *File) { f.Groups[0].Tests[0].IV = make([]byte, 8) }, fakeAEADs(func(a *fakeAEAD, key []byte) {
			a.open = func(dst, nonce, in, aad []byte) ([]byte, error) { return nil, errors.New("planted") }
		}), "no panic of Open for a nonce of 8 bytes"},
	})
}
