package vectors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// envelope is a File as it is written.
type envelope struct {
	Algorithm        string          `json:"algorithm"`
	Schema           string          `json:"schema"`
	GeneratorVersion string          `json:"generatorVersion"` // Wycheproof's older files
	NumberOfTests    int             `json:"numberOfTests"`
	Header           []string        `json:"header"`
	Notes            map[string]Note `json:"notes"`
	TestGroups       []*Group        `json:"testGroups"`
}

// Parse reads a file. It is strict: a member that it does not know, a test that
// lacks a byte string, an unknown type of group, a tcId that occurs twice or a
// wrong numberOfTests is an error. name becomes File.Name and starts the errors.
func Parse(name string, data []byte) (*File, error) {
	f, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("vectors: %s: %w", name, err)
	}
	f.Name = name
	return f, nil
}

func parse(data []byte) (*File, error) {
	var e envelope
	if err := decode(data, &e); err != nil {
		return nil, err
	}
	seen := make(map[int]bool)
	for i, g := range e.TestGroups {
		if g == nil {
			return nil, fmt.Errorf("group %d is null", i)
		}
		if err := g.check(); err != nil {
			return nil, fmt.Errorf("group %d: %w", i, err)
		}
		for _, t := range g.Tests {
			if t == nil {
				return nil, fmt.Errorf("group %d: a test is null", i)
			}
			if seen[t.ID] {
				return nil, fmt.Errorf("test %d: tcId occurs twice", t.ID)
			}
			seen[t.ID] = true
			if err := t.check(g); err != nil {
				return nil, fmt.Errorf("test %d: %w", t.ID, err)
			}
		}
	}
	if len(seen) != e.NumberOfTests {
		return nil, fmt.Errorf("numberOfTests is %d, but there are %d", e.NumberOfTests, len(seen))
	}
	return &File{
		Algorithm:     e.Algorithm,
		Schema:        e.Schema,
		NumberOfTests: e.NumberOfTests,
		Header:        e.Header,
		Notes:         e.Notes,
		Groups:        e.TestGroups,
	}, nil
}

// decode decodes exactly one JSON value, without members that v does not have.
func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("data after the end of the file")
	}
	return nil
}

// UnmarshalJSON decodes a test. Errors name it by its tcId.
func (t *Test) UnmarshalJSON(data []byte) error {
	type plain Test // without this method
	err := decode(data, (*plain)(t))
	if err == nil {
		return nil
	}
	var id struct {
		ID json.Number `json:"tcId"`
	}
	if json.Unmarshal(data, &id) != nil || id.ID == "" {
		id.ID = "without tcId"
	}
	return fmt.Errorf("test %s: %w", id.ID, err)
}

// A format is what a type of group demands.
type format struct {
	strings func(t *Test) []HexBytes          // must all be there
	sizes   func(g *Group, t *Test) []measure // of what a valid test gives
	results []string
}

// A measure is a byte string and the size in bits that its group states.
type measure struct {
	name string
	b    HexBytes
	bits int
}

var (
	onlyValid = []string{"valid"}
	notBad    = []string{"valid", "acceptable"}
	anyResult = []string{"valid", "acceptable", "invalid"}
)

var formats = map[string]format{
	"AeadTest": {
		func(t *Test) []HexBytes { return []HexBytes{t.Key, t.IV, t.AAD, t.Msg, t.CT, t.Tag} },
		func(g *Group, t *Test) []measure { return []measure{{"tag", t.Tag, g.TagSize}} },
		anyResult,
	},
	"BlockTest": {
		func(t *Test) []HexBytes { return []HexBytes{t.Key, t.Msg, t.CT} },
		func(g *Group, t *Test) []measure { return []measure{{"ct", t.CT, 8 * len(t.Msg)}} },
		onlyValid,
	},
	"BlockModeTest": {
		func(t *Test) []HexBytes { return []HexBytes{t.Key, t.IV, t.Msg, t.CT} },
		nil, // ct may be padded
		notBad,
	},
	"StreamTest": {
		func(t *Test) []HexBytes { return []HexBytes{t.Key, t.IV, t.Msg, t.CT} },
		func(g *Group, t *Test) []measure { return []measure{{"ct", t.CT, 8 * len(t.Msg)}} },
		notBad,
	},
	"HashTest": {
		func(t *Test) []HexBytes { return []HexBytes{t.Msg, t.Digest} },
		func(g *Group, t *Test) []measure { return []measure{{"digest", t.Digest, g.OutputSize}} },
		onlyValid,
	},
	"MacTest": {
		func(t *Test) []HexBytes { return []HexBytes{t.Key, t.Msg, t.Tag} },
		func(g *Group, t *Test) []measure { return []measure{{"tag", t.Tag, g.TagSize}} },
		anyResult,
	},
	"HChaChaTest": {
		func(t *Test) []HexBytes { return []HexBytes{t.Key, t.IV, t.Out} },
		func(g *Group, t *Test) []measure { return []measure{{"out", t.Out, g.OutputSize}} },
		onlyValid,
	},
}

func (g *Group) check() error {
	if _, ok := formats[g.Type]; !ok {
		return fmt.Errorf("unknown type %q", g.Type)
	}
	for _, n := range []int{
		g.KeySize, g.IVSize, g.TagSize, g.BlockSize, g.OutputSize, g.UnitBits, g.Rounds, g.Domain, g.Iterations,
	} {
		if n < 0 {
			return fmt.Errorf("negative number %d", n)
		}
	}
	return nil
}

// check checks t and fills in what the file may leave out.
func (t *Test) check(g *Group) error {
	f := formats[g.Type]
	for _, b := range f.strings(t) {
		if b == nil {
			return fmt.Errorf("a byte string that every %s has is missing", g.Type)
		}
	}
	if t.Result == "" {
		t.Result = "valid"
	}
	if !slices.Contains(f.results, t.Result) {
		return fmt.Errorf("a %s has no result %q", g.Type, t.Result)
	}
	if t.Result == "valid" && f.sizes != nil {
		for _, m := range f.sizes(g, t) {
			if 8*len(m.b) != m.bits {
				return fmt.Errorf("%s has %d bits instead of %d", m.name, 8*len(m.b), m.bits)
			}
		}
	}
	if g.Type == "BlockTest" && (g.BlockSize <= 0 || 8*len(t.Msg)%g.BlockSize != 0) {
		return fmt.Errorf("msg of %d bits is no whole number of blocks", 8*len(t.Msg))
	}
	if t.Repeat < 0 || int64(t.Repeat)*int64(len(t.Msg)) > math.MaxInt32 {
		return fmt.Errorf("repeat %d is out of range", t.Repeat)
	}
	return t.checkCounter()
}

func (t *Test) checkCounter() error {
	if t.CounterHex == nil {
		return nil
	}
	c, wide := t.counter()
	if t.Counter != 0 && (wide || t.Counter != c) {
		return errors.New("counter and counterHex differ")
	}
	if !wide {
		t.Counter = c
	}
	return nil
}

// counter returns the block counter that the test starts at. wide reports that it
// has more than 64 bits.
func (t *Test) counter() (c uint64, wide bool) {
	if t.CounterHex == nil {
		return t.Counter, false
	}
	b := bytes.TrimLeft(t.CounterHex, "\x00")
	if len(b) > 8 {
		return 0, true
	}
	var x [8]byte
	copy(x[8-len(b):], b)
	return binary.BigEndian.Uint64(x[:]), false
}
