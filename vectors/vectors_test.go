package vectors

import (
	"crypto/sha256"
	"hash"
	"maps"
	"slices"
	"strings"
	"testing"
)

// contents is how many tests of which type each file has.
var contents = map[string]map[string]int{
	"bug_regressions":      {"AeadTest": 40, "StreamTest": 30, "MacTest": 18, "HashTest": 8},
	"chacha_poly1305":      {"AeadTest": 172},
	"chacha_stream":        {"StreamTest": 169},
	"chaskey_block":        {"BlockTest": 593},
	"chaskey_cbc":          {"BlockModeTest": 271},
	"chaskey_mac":          {"MacTest": 324},
	"cloc_aes128":          {"AeadTest": 323},
	"cloc_chaskey":         {"AeadTest": 317},
	"gost3413_modes":       {"BlockModeTest": 221},
	"hchacha":              {"HChaChaTest": 494},
	"hmac_streebog":        {"MacTest": 262},
	"kuznyechik_block":     {"BlockTest": 447},
	"kuznyechik_ctr":       {"StreamTest": 123},
	"kuznyechik_mgm":       {"AeadTest": 156},
	"kuznyechik_omac":      {"MacTest": 193},
	"magma_block":          {"BlockTest": 448},
	"magma_ctr":            {"StreamTest": 102},
	"magma_mgm":            {"AeadTest": 164},
	"magma_omac":           {"MacTest": 257},
	"saturnin_block":       {"BlockTest": 315},
	"saturnin_ctr":         {"StreamTest": 60},
	"saturnin_ctr_cascade": {"AeadTest": 154},
	"saturnin_hash":        {"HashTest": 186},
	"saturnin_short":       {"AeadTest": 329},
	"silc_aes128":          {"AeadTest": 339},
	"streebog256":          {"HashTest": 267},
	"streebog512":          {"HashTest": 249},
}

func load(t *testing.T, name string) *File {
	t.Helper()
	f, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestNames(t *testing.T) {
	if got, want := Names(), slices.Sorted(maps.Keys(contents)); !slices.Equal(got, want) {
		t.Errorf("Names() = %q, want %q", got, want)
	}
}

func TestLoad(t *testing.T) {
	for _, name := range Names() {
		f := load(t, name)
		got := make(map[string]int)
		for _, g := range f.Groups {
			got[g.Type] += len(g.Tests)
			if g.Source.Name == "" || g.Source.Version == "" {
				t.Errorf("%s: a group without source", name)
			}
			for _, test := range g.Tests {
				for _, flag := range test.Flags {
					if f.Notes[flag].Description == "" {
						t.Errorf("%s: test %d has the flag %q, which the notes do not explain", name, test.ID, flag)
					}
				}
				if test.Result == "acceptable" && len(test.Flags) == 0 {
					t.Errorf("%s: test %d is acceptable, but no flag says why", name, test.ID)
				}
			}
		}
		if !maps.Equal(got, contents[name]) {
			t.Errorf("%s: has %v, want %v", name, got, contents[name])
		}
		if f.Name != name || f.Algorithm == "" || len(f.Header) == 0 {
			t.Errorf("%s: name %q, algorithm %q, header %q", name, f.Name, f.Algorithm, f.Header)
		}
	}
	if f, err := Load("none"); f != nil || err == nil || err.Error() != `vectors: no file "none"` {
		t.Errorf("Load of a name that does not exist: %v, %v", f, err)
	}
}

func TestCounter(t *testing.T) {
	// Counters beyond 2^53 and, in counterHex, beyond 2^64.
	big, wide := 0, 0
	for _, name := range []string{"bug_regressions", "chacha_stream", "saturnin_ctr"} {
		for _, g := range load(t, name).Groups {
			for _, test := range g.Tests {
				if _, isWide := test.counter(); isWide {
					wide++
				} else if test.Counter > 1<<53 {
					big++
				}
			}
		}
	}
	if big < 15 || wide != 9 {
		t.Errorf("%d counters above 2^53, %d above 2^64", big, wide)
	}
}

const (
	head    = `{"algorithm": "A", "schema": "s", "header": [], "notes": {"F": {"bugType": "BASIC"}}, `
	group   = `"numberOfTests": 1, "testGroups": [{"type": "HashTest", "source": {"name": "n", "version": "v"}, "outputSize": 16, `
	aTest   = `{"tcId": 7, "comment": "", "flags": ["F"], "msg": "00ff", "digest": "ABcd"}`
	aFile   = head + group + `"tests": [` + aTest + `]}]}`
	ctrHead = `{"type": "StreamTest", "source": {"name": "n", "version": "v"}, "keySize": 8, "ivSize": 8, "tests": [`
)

func TestParse(t *testing.T) {
	f, err := Parse("mine", []byte(aFile))
	if err != nil {
		t.Fatal(err)
	}
	test := f.Groups[0].Tests[0]
	if f.Name != "mine" || test.ID != 7 || string(test.Msg) != "\x00\xff" || string(test.Digest) != "\xab\xcd" ||
		test.Result != "valid" || !test.Has("F") || test.Has("G") || test.Key != nil {
		t.Errorf("%+v: %+v", f, test)
	}

	stream := func(members string) string {
		return head + `"numberOfTests": 1, "testGroups": [` + ctrHead + `{"tcId": 1, "comment": "", "flags": [],
			"key": "", "iv": "", "msg": "", "ct": "", ` + members + `}]}]}`
	}
	for members, want := range map[string]uint64{
		`"counter": 18446744073709551615`:          1<<64 - 1,
		`"counterHex": "00000000ffffffffffffffff"`: 1<<64 - 1,
		`"counter": 258, "counterHex": "0102"`:     258,
		`"counterHex": "010000000000000000"`:       0,
	} {
		f, err := Parse("mine", []byte(stream(members)))
		if err != nil {
			t.Errorf("%s: %v", members, err)
		} else if got := f.Groups[0].Tests[0].Counter; got != want {
			t.Errorf("%s: counter %d, want %d", members, got, want)
		}
	}

	for _, c := range []struct{ text, want string }{
		{aFile[:len(aFile)-1], "unexpected EOF"},
		{aFile + "{}", "data after the end"},
		{strings.Replace(aFile, `"msg": "00ff"`, `"msg": "00fg"`, 1), "mine: test 7: encoding/hex: invalid byte: U+0067 'g'"},
		{strings.Replace(aFile, `"msg": "00ff"`, `"msg": "00f"`, 1), "mine: test 7: encoding/hex: odd length hex string"},
		{strings.Replace(aFile, `"msg": "00ff"`, `"msg": 5`, 1), "mine: test 7: "},
		{strings.Replace(aFile, `"msg": "00ff", `, ``, 1), "test 7: a byte string that every HashTest has is missing"},
		{strings.Replace(aFile, `"msg": "00ff"`, `"msg": null`, 1), "test 7: a byte string that every HashTest has is missing"},
		{strings.Replace(aFile, `"msg"`, `"salt": "", "msg"`, 1), `test 7: json: unknown field "salt"`},
		{strings.Replace(aFile, `"tcId": 7, `, `"salt": 1, `, 1), `test without tcId: json: unknown field "salt"`},
		{strings.Replace(aFile, `"outputSize"`, `"digestSize"`, 1), `unknown field "digestSize"`},
		{strings.Replace(aFile, `"header"`, `"headers"`, 1), `unknown field "headers"`},
		{strings.Replace(aFile, `"bugType"`, `"bug"`, 1), `unknown field "bug"`},
		{strings.Replace(aFile, `HashTest`, `XofTest`, 1), `group 0: unknown type "XofTest"`},
		{strings.Replace(aFile, `"outputSize": 16`, `"outputSize": -16`, 1), "group 0: negative number -16"},
		{strings.Replace(aFile, `"outputSize": 16`, `"outputSize": 24`, 1), "test 7: digest has 16 bits instead of 24"},
		{strings.Replace(aFile, `"msg"`, `"result": "invalid", "msg"`, 1), `test 7: a HashTest has no result "invalid"`},
		{strings.Replace(aFile, `"msg"`, `"result": "good", "msg"`, 1), `test 7: a HashTest has no result "good"`},
		{strings.Replace(aFile, `"msg"`, `"repeat": -1, "msg"`, 1), "test 7: repeat -1 is out of range"},
		{strings.Replace(aFile, `"msg"`, `"repeat": 1073741824, "msg"`, 1), "test 7: repeat 1073741824 is out of range"},
		{strings.Replace(aFile, `"numberOfTests": 1`, `"numberOfTests": 2`, 1), "numberOfTests is 2, but there are 1"},
		{strings.Replace(aFile, aTest, aTest+","+aTest, 1), "test 7: tcId occurs twice"},
		{strings.Replace(aFile, aTest, "null", 1), "group 0: a test is null"},
		{head + `"numberOfTests": 0, "testGroups": [null]}`, "group 0 is null"},
		{stream(`"counter": 18446744073709551616`), "test 1: json: cannot unmarshal number 18446744073709551616"},
		{stream(`"counterHex": "102"`), "test 1: encoding/hex: odd length hex string"},
		{stream(`"counter": -1`), "test 1: json: cannot unmarshal number -1"},
		{stream(`"counter": 1, "counterHex": "02"`), "test 1: counter and counterHex differ"},
		{stream(`"counter": 1, "counterHex": "010000000000000001"`), "test 1: counter and counterHex differ"},
		{strings.Replace(stream(`"counter": 1`), `"ct": ""`, `"ct": "00"`, 1), "test 1: ct has 8 bits instead of 0"},
		{strings.NewReplacer("HashTest", "BlockTest", `"outputSize": 16`, `"blockSize": 24`, `"digest": "ABcd"`, `"key": "", "ct": "00ff"`).
			Replace(aFile), "test 7: msg of 16 bits is no whole number of blocks"},
	} {
		f, err := Parse("mine", []byte(c.text))
		if f != nil || err == nil || !strings.HasPrefix(err.Error(), "vectors: mine: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%s): error %v, want %s", c.text, err, c.want)
		}
	}
}

func TestWithout(t *testing.T) {
	f := load(t, "streebog256")
	right := func(*Group) func() hash.Hash { return nil }
	var r recorder
	if got := RunHash(&r, f.Without("Slow"), right); got != (Result{Skipped: 267}) {
		t.Errorf("%+v", got)
	}
	if len(r.reports) != 1 || r.reports[0] != "streebog256: no HashTest was run, 267 were skipped" || r.fatal {
		t.Errorf("reports when nothing was run: %q", r.reports)
	}
	if len(f.without) != 0 {
		t.Errorf("Without changed its receiver")
	}
}

func TestNothingToRun(t *testing.T) {
	var r recorder
	RunHash(&r, load(t, "hchacha"), func(*Group) func() hash.Hash { return sha256.New })
	if len(r.reports) != 1 || r.reports[0] != "hchacha: no HashTest was run, 0 were skipped" {
		t.Errorf("reports for a file of another type: %q", r.reports)
	}
	r = recorder{}
	RunHash(&r, nil, func(*Group) func() hash.Hash { return sha256.New })
	if !r.fatal {
		t.Errorf("nil file: %q", r.reports)
	}
}

// TestSeed checks that a run can be repeated from the seed that it reported, and
// that another seed makes other choices.
func TestSeed(t *testing.T) {
	calls := func(seed uint64) (sizes []int, reported string) {
		f := hashFile()
		f.Seed = seed
		f.Groups[0].Tests[4].Digest[0] ^= 1
		var r recorder
		RunHash(&r, f, func(*Group) func() hash.Hash {
			return func() hash.Hash {
				return fake(sha256.New(), func(h *fakeHash) {
					h.write = func(h hash.Hash, p []byte) (int, error) {
						sizes = append(sizes, len(p))
						return h.Write(p)
					}
				})
			}
		})
		return sizes, r.reports[0]
	}
	a, report := calls(5)
	if again, _ := calls(5); !slices.Equal(a, again) {
		t.Error("the same seed gave other pieces")
	}
	if !strings.HasPrefix(report, "planted: test 5 (valid), seed 5: sum differs from byte 0 of 32 on: got ") {
		t.Errorf("report %q", report)
	}
	if b, _ := calls(6); slices.Equal(a, b) {
		t.Error("another seed gave the same pieces")
	}
	b, _ := calls(0)
	if c, _ := calls(0); slices.Equal(b, c) {
		t.Error("no seed twice gave the same pieces")
	}
}

func TestPieces(t *testing.T) {
	r := newReplay(1, 1)
	for n := range 200 {
		for _, unit := range []int{1, 16} {
			at, some, empty := 0, 0, 0
			err := r.pieces(n*unit, unit, 50*unit, func(from, to int) error {
				if from != at || to < from || (to-from)%unit != 0 || to-from > 50*unit {
					t.Fatalf("piece %d to %d after %d", from, to, at)
				}
				if at = to; from == to {
					empty++
				} else {
					some++
				}
				return nil
			})
			if err != nil || at != n*unit || some < min(n, 2) || empty == 0 {
				t.Fatalf("%d units of %d: ended at %d after %d pieces and %d empty ones, %v", n, unit, at, some, empty, err)
			}
		}
	}
}

// TestRegion changes every byte of the buffer of a region, one at a time.
func TestRegion(t *testing.T) {
	offsets := make(map[int]bool)
	for i := range 2000 {
		g := newReplay(1, i).copy([]byte("text"), 9)
		offsets[g.start-before] = true
		if string(g.b) != "text" || cap(g.b) != 13 || !g.intact() {
			t.Fatalf("region %q of capacity %d", g.b, cap(g.b))
		}
		if i > 3 {
			continue
		}
		for j := range g.buf {
			g.buf[j]++
			if g.intact() {
				t.Fatalf("change of byte %d was not noticed", j)
			}
			// From the second byte of text to the first behind it.
			if got, want := g.intactExcept(1, 5), j >= g.start+1 && j < g.start+5; got != want {
				t.Fatalf("change of byte %d, with text at %d: intactExcept is %t", j, g.start, got)
			}
			g.buf[j]--
		}
	}
	if len(offsets) != 64 {
		t.Errorf("%d different offsets, want 64", len(offsets))
	}
}
