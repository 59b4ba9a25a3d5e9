package vectors

import (
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

//go:embed data/*.json
var files embed.FS

//go:embed schemas/*.json
var schemas embed.FS

// A File is one file of test vectors.
type File struct {
	Name          string // name of the file without .json
	Algorithm     string
	Schema        string // name of its schema, see the function [Schema]
	NumberOfTests int
	Header        []string
	Notes         map[string]Note // by flag
	Groups        []*Group

	// Seed repeats the random choices of an earlier run: set it to the number that
	// a failure named. Zero takes a new one each time.
	Seed uint64

	without []string
}

// A Note explains a flag.
type Note struct {
	BugType     string   `json:"bugType"`
	Description string   `json:"description"`
	Effect      string   `json:"effect"`
	Links       []string `json:"links"`
	CVEs        []string `json:"cves"`
}

// A Source tells where the tests of a group come from.
type Source struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A Group is a list of tests that share their parameters. Sizes are in bits. What
// does not apply to a group is zero.
type Group struct {
	Type   string `json:"type"` // AeadTest, BlockTest, ...
	Source Source `json:"source"`

	KeySize    int `json:"keySize"` // may be 0 in a MacTest whose keys differ in length
	IVSize     int `json:"ivSize"`
	TagSize    int `json:"tagSize"`
	BlockSize  int `json:"blockSize"`
	OutputSize int `json:"outputSize"`
	UnitBits   int `json:"unitBits"`   // bits that a shift register mode uses of each block, 0 for all
	Rounds     int `json:"rounds"`     // of the cipher, where it comes with several
	Domain     int `json:"domain"`     // Saturnin: domain separator
	Iterations int `json:"iterations"` // BlockTest: how often each block is enciphered, 0 for once

	Algorithm string `json:"algorithm"` // in files with several
	Cipher    string `json:"cipher"`
	Mode      string `json:"mode"`
	Hash      string `json:"hash"`
	Variant   string `json:"variant"`
	Param     string `json:"param"`   // CLOC, SILC: parameter byte, empty for none
	Padding   string `json:"padding"` // "none" or "zero"
	Comment   string `json:"comment"`
	Note      string `json:"note"`

	Tests []*Test `json:"tests"`
}

// A Test is one test. A byte string that does not apply to it is nil, one that is
// empty is not.
type Test struct {
	ID      int      `json:"tcId"` // unique in the file
	Comment string   `json:"comment"`
	Flags   []string `json:"flags"`

	Key    HexBytes `json:"key"`
	IV     HexBytes `json:"iv"` // also called nonce
	AAD    HexBytes `json:"aad"`
	Msg    HexBytes `json:"msg"`
	CT     HexBytes `json:"ct"` // without the tag
	Tag    HexBytes `json:"tag"`
	Digest HexBytes `json:"digest"`
	Out    HexBytes `json:"out"`

	Counter    uint64   `json:"counter"`
	CounterHex HexBytes `json:"counterHex"` // big-endian; Counter has it too if it fits
	Repeat     int      `json:"repeat"`     // 0 for once

	AgreedBy []string `json:"agreedBy"` // independent implementations that gave this value
	Result   string   `json:"result"`   // "valid" (also where the file has none), "invalid" or "acceptable"
}

// Has reports whether the test carries a flag.
func (t *Test) Has(flag string) bool { return slices.Contains(t.Flags, flag) }

// HexBytes is a byte string that is hexadecimal in a file.
type HexBytes []byte

// UnmarshalText decodes hexadecimal digits. No digits give an empty slice, not nil.
func (b *HexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.AppendDecode(make([]byte, 0, len(text)/2), text)
	return err
}

// Names returns the names that Load knows, sorted.
func Names() []string {
	entries, err := files.ReadDir("data")
	if err != nil {
		panic("vectors: " + err.Error())
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".json")
	}
	return names
}

// Load returns a file of this package by its name.
func Load(name string) (*File, error) {
	text, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("vectors: no file %q", name)
	}
	return Parse(name, text)
}

// Schema returns the JSON Schema (draft 7) that File.Schema names. A $ref in it
// may name another schema, relative to itself.
func Schema(name string) ([]byte, error) {
	text, err := schemas.ReadFile("schemas/" + name)
	if err != nil {
		return nil, fmt.Errorf("vectors: no schema %q", name)
	}
	return text, nil
}

// Without returns a copy of f whose tests with at least one of the flags are left
// out: runners count them as Skipped. The groups are shared with f.
func (f *File) Without(flags ...string) *File {
	c := *f
	c.without = slices.Concat(f.without, flags)
	return &c
}

// leavesOut reports whether Without has taken t out of f.
func (f *File) leavesOut(t *Test) bool {
	return slices.ContainsFunc(f.without, t.Has)
}
