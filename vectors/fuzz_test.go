package vectors

import (
	"encoding/json"
	"testing"
)

// FuzzParse parses anything. A file that is accepted must be whole, so that no
// runner finds something missing.
func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		f.Add(smallest(f, name))
	}
	f.Add([]byte(`{"numberOfTests": 0}`))
	f.Add([]byte(`{"testGroups": [null, {"type": "HashTest", "tests": [null]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("name", data)
		if err != nil {
			if file != nil {
				t.Errorf("Parse returns a file and %v", err)
			}
			return
		}
		seen := make(map[int]bool)
		var flags []string
		byType := make(map[string]int)
		for _, g := range file.Groups {
			for _, test := range g.Tests {
				seen[test.ID] = true
				flags = append(flags, test.Flags...)
				byType[g.Type]++
				if test.Result != "valid" && test.Result != "acceptable" && test.Result != "invalid" {
					t.Errorf("test %d has the result %q", test.ID, test.Result)
				}
				for _, b := range formats[g.Type].strings(test) {
					if b == nil {
						t.Errorf("test %d lacks a byte string", test.ID)
					}
				}
			}
		}
		if len(seen) != file.NumberOfTests {
			t.Errorf("%d tests, numberOfTests is %d", len(seen), file.NumberOfTests)
		}
		// A group is skipped by its runner, and by no other.
		for groupType := range formats {
			var r recorder
			leftOut := run(&r, file.Without(flags...), groupType, func(*Group) check { return nil })
			if want := (Result{Skipped: byType[groupType]}); leftOut != want || len(r.reports) != 1 {
				t.Errorf("%s: %+v, want %+v; %q", groupType, leftOut, want, r.reports)
			}
		}
	})
}

// smallest returns a file with only the first test of each of its types of group.
func smallest(t testing.TB, name string) []byte {
	t.Helper()
	text, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	seen := make(map[any]bool)
	groups := []any{}
	for _, g := range file["testGroups"].([]any) {
		group := g.(map[string]any)
		if seen[group["type"]] {
			continue
		}
		seen[group["type"]] = true
		group["tests"] = group["tests"].([]any)[:1]
		groups = append(groups, group)
	}
	file["testGroups"], file["numberOfTests"] = groups, len(groups)
	delete(file, "header")
	text, err = json.Marshal(file)
	if err == nil {
		_, err = Parse(name, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}
