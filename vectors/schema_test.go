package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A validator checks values against JSON Schemas of draft 7, in so far as ours use
// it. As there, a keyword applies to values of its own type only. One that the
// validator does not know is an error.
type validator struct {
	schemas  map[string]map[string]any
	patterns map[string]*regexp.Regexp
}

func newValidator() *validator {
	return &validator{make(map[string]map[string]any), make(map[string]*regexp.Regexp)}
}

// unmarshal keeps numbers as they are written, since counters exceed 2^53.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}

func (v *validator) load(name string) (map[string]any, error) {
	if s, ok := v.schemas[name]; ok {
		return s, nil
	}
	data, err := Schema(name)
	if err != nil {
		return nil, err
	}
	var s map[string]any
	if err := unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	v.schemas[name] = s
	return s, nil
}

// resolve follows a reference such as common.json#/definitions/Notes from the
// schema called base.
func (v *validator) resolve(base, ref string) (name string, schema map[string]any, err error) {
	name, pointer, _ := strings.Cut(ref, "#")
	if name == "" {
		name = base
	}
	if schema, err = v.load(name); err != nil {
		return "", nil, err
	}
	for _, key := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		next, ok := schema[key].(map[string]any)
		if !ok {
			return "", nil, fmt.Errorf("reference %s leads nowhere", ref)
		}
		schema = next
	}
	return name, schema, nil
}

// file checks the text of a file against a schema.
func (v *validator) file(name string, data []byte) error {
	s, err := v.load(name)
	if err != nil {
		return err
	}
	var x any
	if err := unmarshal(data, &x); err != nil {
		return err
	}
	return v.check(name, s, x, "")
}

// check checks x, found at a path in the file, against a schema found in base.
func (v *validator) check(base string, s map[string]any, x any, path string) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s", path+"/", fmt.Sprintf(format, args...))
	}
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		want := s[keyword]
		switch keyword {
		case "$schema", "title", "description", "definitions":
		case "$ref":
			name, target, err := v.resolve(base, want.(string))
			if err != nil {
				return err
			}
			if err := v.check(name, target, x, path); err != nil {
				return err
			}
		case "anyOf":
			var errs []string
			for _, one := range want.([]any) {
				if err := v.check(base, one.(map[string]any), x, path); err == nil {
					errs = nil
					break
				} else {
					errs = append(errs, err.Error())
				}
			}
			if errs != nil {
				return bad("none of several schemas fits: %s", strings.Join(errs, "; "))
			}
		case "type":
			if got := typeOf(x); got != want {
				return bad("%s instead of %s", got, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), x) {
				return bad("%v is none of %v", x, want)
			}
		case "minimum":
			if n, ok := x.(json.Number); ok && number(n).Cmp(number(want.(json.Number))) < 0 {
				return bad("%v is less than %v", x, want)
			}
		case "pattern":
			re := v.patterns[want.(string)]
			if re == nil {
				re = regexp.MustCompile(want.(string))
				v.patterns[want.(string)] = re
			}
			if text, ok := x.(string); ok && !re.MatchString(text) {
				return bad("%q does not match %v", x, want)
			}
		case "minItems":
			least, _ := want.(json.Number).Int64()
			if list, ok := x.([]any); ok && int64(len(list)) < least {
				return bad("fewer than %v items", want)
			}
		case "items":
			list, _ := x.([]any)
			for i, item := range list {
				if err := v.check(base, want.(map[string]any), item, fmt.Sprintf("%s/%d", path, i)); err != nil {
					return err
				}
			}
		case "required":
			o, isObject := x.(map[string]any)
			for _, name := range want.([]any) {
				if _, ok := o[name.(string)]; isObject && !ok {
					return bad("no member %s", name)
				}
			}
		case "properties", "additionalProperties": // below
		default:
			return fmt.Errorf("%s: keyword %s is not supported", base, keyword)
		}
	}
	if o, ok := x.(map[string]any); ok {
		return v.members(base, s, o, path)
	}
	return nil
}

func (v *validator) members(base string, s, o map[string]any, path string) error {
	known, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		member, ok := known[name].(map[string]any)
		if !ok {
			switch other := s["additionalProperties"].(type) {
			case bool:
				if !other {
					return fmt.Errorf("%s/%s: no such member", path, name)
				}
				continue
			case map[string]any:
				member = other
			default:
				continue
			}
		}
		if err := v.check(base, member, o[name], path+"/"+name); err != nil {
			return err
		}
	}
	return nil
}

func typeOf(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case json.Number:
		if number(x).IsInt() {
			return "integer"
		}
	}
	return "number"
}

func number(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		panic("not a number: " + n)
	}
	return r
}

func TestSchemas(t *testing.T) {
	v := newValidator()
	used := map[string]bool{"common.json": true}
	for _, name := range Names() {
		data, err := files.ReadFile("data/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		schema := load(t, name).Schema
		used[schema] = true
		if err := v.file(schema, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	entries, err := schemas.ReadDir("schemas")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !used[e.Name()] {
			t.Errorf("no file uses %s", e.Name())
		}
	}
	if _, err := Schema("none.json"); err == nil || err.Error() != `vectors: no schema "none.json"` {
		t.Errorf("Schema of a name that does not exist: error %v", err)
	}
}

// TestSchemasRefuse checks that the schemas, and the validator, refuse something.
func TestSchemasRefuse(t *testing.T) {
	v := newValidator()
	good := strings.Replace(aFile, `"schema": "s"`, `"schema": "hash_test_schema_v1.json"`, 1)
	good = strings.Replace(good, "ABcd", "abcd", 1)
	if err := v.file("hash_test_schema_v1.json", []byte(good)); err != nil {
		t.Fatal(err)
	}
	mixed := strings.Replace(good, "hash_test", "mixed_test", 1)
	if err := v.file("mixed_test_schema_v1.json", []byte(mixed)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"hash_test`, `"mac_test`, "/schema/: mac_test_schema_v1.json is none of"},
		{`"tcId": 7`, `"tcId": "7"`, "/testGroups/0/tests/0/tcId/: string instead of integer"},
		{`"tcId": 7`, `"tcId": 7.5`, "/testGroups/0/tests/0/tcId/: number instead of integer"},
		{`"tcId": 7`, `"tcId": 0`, "/testGroups/0/tests/0/tcId/: 0 is less than 1"},
		{`"abcd"`, `"abcg"`, `/testGroups/0/tests/0/digest/: "abcg" does not match`},
		{`"abcd"`, `"abc"`, `/testGroups/0/tests/0/digest/: "abc" does not match`},
		{`"digest": "abcd"`, `"result": "valid"`, "/testGroups/0/tests/0/: no member digest"},
		{`"digest"`, `"result": "invalid", "digest"`, "/testGroups/0/tests/0/result/: invalid is none of"},
		{`"digest"`, `"tag": "", "digest"`, "/testGroups/0/tests/0/tag: no such member"},
		{`"outputSize"`, `"domain": 1, "outputSize"`, "/testGroups/0/domain: no such member"},
		{`"bugType"`, `"bug"`, "/notes/F/"},
		{`["F"]`, `"F"`, "/testGroups/0/tests/0/flags/: string instead of array"},
		{`["F"]`, `[null]`, "/testGroups/0/tests/0/flags/0/: null instead of string"},
		{`[` + strings.Replace(aTest, "ABcd", "abcd", 1) + `]`, `[]`, "/testGroups/0/tests/: fewer than 1 items"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if err := v.file("hash_test_schema_v1.json", []byte(text)); text == good || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.new, err, c.want)
		}
	}
	bad := strings.Replace(mixed, "HashTest", "MacTest", 1)
	if err := v.file("mixed_test_schema_v1.json", []byte(bad)); err == nil || !strings.Contains(err.Error(), "none of several schemas fits") {
		t.Errorf("mixed: error %v", err)
	}
	if err := v.check("x", map[string]any{"maximum": json.Number("1")}, json.Number("1"), ""); err == nil {
		t.Error("an unknown keyword was ignored")
	}
	if err := v.check("common.json", map[string]any{"$ref": "#/definitions/None"}, "", ""); err == nil {
		t.Error("a reference to nothing was ignored")
	}
}
