package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"xcipher/internal/catalog"
	"xcipher/internal/impl"
	"xcipher/vectors"
)

// What is refused or skipped, by file; all other tests run and pass.
var notRun = map[string]vectors.Result{
	"gost3413_modes":       {Refused: 15, Skipped: 87}, // registers of no whole block; units shorter than the block
	"kuznyechik_mgm":       {Refused: 1},               // empty text with empty data
	"magma_mgm":            {Refused: 1},
	"saturnin_block":       {Skipped: 8}, // fewer than 10 super-rounds
	"saturnin_ctr":         {Skipped: 9}, // counters of more than 64 bits
	"saturnin_ctr_cascade": {Refused: 2, Skipped: 5},
	"silc_aes128":          {Skipped: 113}, // short tags of the first round
	"streebog256":          {Skipped: 1},   // slow
	"streebog512":          {Skipped: 1},
}

// table reads the table of results: passed, failed, refused, skipped by the rest of
// the line.
func table(t *testing.T, text string) map[string][4]int {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if strings.Join(strings.Fields(lines[0]), " ") != "PASSED FAILED REFUSED SKIPPED FILE" {
		t.Fatalf("the table is\n%s", text)
	}
	rows := map[string][4]int{}
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		var counts [4]int
		for i := range counts {
			counts[i], _ = strconv.Atoi(fields[i])
		}
		rows[strings.Join(fields[4:], " ")] = counts
	}
	return rows
}

func TestVectors(t *testing.T) {
	got := table(t, works(t, "", "", "vectors"))
	if len(got) != len(vectors.Names())+1 {
		t.Errorf("%d lines, want one for each of %d files, and their sum", len(got), len(vectors.Names()))
	}
	var total [4]int
	for _, name := range vectors.Names() {
		f, err := vectors.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		not := notRun[name]
		if want := [4]int{f.NumberOfTests - not.Refused - not.Skipped, 0, not.Refused, not.Skipped}; got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		} else {
			for i, n := range want {
				total[i] += n
			}
		}
	}
	if got["in all"] != total {
		t.Errorf("in all %v, want %v", got["in all"], total)
	}
}

func TestVectorsTiers(t *testing.T) {
	got := table(t, works(t, "", "", "vectors", "-tiers", "magma_mgm", "saturnin_short"))
	var tiers []string
	eachTier(allPackages, func(tier string) { tiers = append(tiers, tier) })
	if len(got) != 2*len(tiers)+1 {
		t.Errorf("%d lines for the tiers %v", len(got), tiers)
	}
	for _, tier := range tiers {
		if got["magma_mgm "+tier] != [4]int{163, 0, 1, 0} || got["saturnin_short "+tier] != [4]int{329} {
			t.Errorf("%s: %v", tier, got)
		}
	}
}

// Each algorithm runs the vectors that are for it, and those only.
func TestVectorsOfAlgorithm(t *testing.T) {
	dir := t.TempDir()
	for _, name := range vectors.Names() {
		text, err := os.ReadFile(filepath.Join("..", "..", "vectors", "data", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, name+".json", string(text))
	}
	// Passed and refused, by algorithm and file; nothing fails.
	want := map[string]map[string][2]int{
		"magma":                {"magma_block": {448, 0}, "gost3413_modes": {59, 8}},
		"kuznyechik":           {"kuznyechik_block": {447, 0}, "gost3413_modes": {60, 7}},
		"saturnin":             {"saturnin_block": {40, 0}},
		"chaskey8":             {"chaskey_block": {194, 0}, "chaskey_cbc": {27, 0}},
		"chaskey12":            {"chaskey_block": {199, 0}, "chaskey_cbc": {31, 0}},
		"chaskey-lts":          {"chaskey_block": {200, 0}, "chaskey_cbc": {27, 0}},
		"kuznyechik-mgm":       {"kuznyechik_mgm": {155, 1}, "bug_regressions": {20, 0}},
		"magma-mgm":            {"magma_mgm": {163, 1}, "bug_regressions": {20, 0}},
		"aes128-cloc":          {"cloc_aes128": {50, 0}},
		"chaskey8-cloc":        {"cloc_chaskey": {35, 0}},
		"chaskey12-cloc":       {"cloc_chaskey": {31, 0}},
		"aes128-silc":          {"silc_aes128": {121, 0}},
		"saturnin-ctr-cascade": {"saturnin_ctr_cascade": {104, 0}},
		"saturnin-short":       {"saturnin_short": {329, 0}},
		"chacha20-poly1305":    {"chacha_poly1305": {34, 0}},
		"chacha12-poly1305":    {"chacha_poly1305": {36, 0}},
		"chacha8-poly1305":     {"chacha_poly1305": {33, 0}},
		"xchacha20-poly1305":   {"chacha_poly1305": {29, 0}},
		"xchacha12-poly1305":   {"chacha_poly1305": {34, 0}},
		"xchacha8-poly1305":    {"chacha_poly1305": {6, 0}},
		"kuznyechik-cmac":      {"kuznyechik_omac": {193, 0}, "bug_regressions": {9, 0}},
		"magma-cmac":           {"magma_omac": {257, 0}, "bug_regressions": {9, 0}},
		"aes-cmac":             nil, // Wycheproof has them
		"chaskey8-mac":         {"chaskey_mac": {112, 0}},
		"chaskey12-mac":        {"chaskey_mac": {103, 0}},
		"chaskey-lts-mac":      {"chaskey_mac": {109, 0}},
		"hmac-streebog256":     {"hmac_streebog": {131, 0}},
		"hmac-streebog512":     {"hmac_streebog": {131, 0}},
		"streebog256":          {"streebog256": {266, 0}, "bug_regressions": {4, 0}},
		"streebog512":          {"streebog512": {248, 0}, "bug_regressions": {4, 0}},
		"saturnin-hash":        {"saturnin_hash": {186, 0}},
		"chacha20":             {"chacha_stream": {69, 0}, "bug_regressions": {8, 0}},
		"chacha12":             {"chacha_stream": {49, 0}, "bug_regressions": {6, 0}},
		"chacha8":              {"chacha_stream": {51, 0}, "bug_regressions": {8, 0}},
		"kuznyechik-ctr":       {"kuznyechik_ctr": {123, 0}, "bug_regressions": {4, 0}},
		"magma-ctr":            {"magma_ctr": {102, 0}, "bug_regressions": {4, 0}},
	}
	for _, a := range catalog.Algorithms() {
		files, ok := want[a.Name]
		if !ok {
			t.Errorf("%s: which files are for it?", a.Name)
		}
		var list []string
		for file := range files {
			list = append(list, file+".json")
		}
		if len(list) == 0 {
			continue
		}
		rows := table(t, works(t, dir, "", append([]string{"vectors", "-a", a.Name}, list...)...))
		for file, counts := range files {
			if got := rows[file]; got[0] != counts[0] || got[1] != 0 || got[2] != counts[1] {
				t.Errorf("%s, %s: %v, want %v", a.Name, file, got, counts)
			}
		}
	}
}

// Vectors in Wycheproof's form of 2024, of which no group says what it is for: the
// example of RFC 4493, a forgery and a key that is too short.
func TestVectorsOfWycheproof(t *testing.T) {
	const file = `{
	"algorithm": "AES-CMAC", "schema": "mac_test_schema_v1.json", "numberOfTests": 3,
	"header": [], "notes": {},
	"testGroups": [
		{"type": "MacTest", "source": {"name": "x", "version": "1"}, "keySize": 128, "tagSize": 128, "tests": [
			{"tcId": 1, "comment": "", "flags": [], "key": "2b7e151628aed2a6abf7158809cf4f3c", "msg": "", "tag": "bb1d6929e95937287fa37d129b756746", "result": "valid"},
			{"tcId": 2, "comment": "", "flags": [], "key": "2b7e151628aed2a6abf7158809cf4f3c", "msg": "", "tag": "bb1d6929e95937287fa37d129b756747", "result": "invalid"}]},
		{"type": "MacTest", "source": {"name": "x", "version": "1"}, "keySize": 8, "tagSize": 128, "tests": [
			{"tcId": 3, "comment": "", "flags": [], "key": "2b", "msg": "", "tag": "bb1d6929e95937287fa37d129b756746", "result": "invalid"}]}]}`
	dir := t.TempDir()
	writeFile(t, dir, "aes_cmac.json", file)
	if got := table(t, works(t, dir, "", "vectors", "-a", "aes-cmac", "aes_cmac.json")); got["aes_cmac"] != [4]int{3} {
		t.Errorf("%v", got)
	}
	writeFile(t, dir, "wrong.json", strings.Replace(file, `"invalid"`, `"valid"`, 1))
	got := program(t, dir, "", "vectors", "-a", "aes-cmac", "wrong.json")
	if rows := table(t, got.out); rows["wrong"] != [4]int{2, 1} || got.status != exitFailed {
		t.Errorf("%+v", got)
	}
}

func TestVectorsFail(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("../../vectors/data/streebog256.json")
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), `"digest": "3`, `"digest": "4`, 1)
	if broken == string(text) {
		broken = strings.Replace(string(text), `"digest":"3`, `"digest":"4`, 1)
	}
	writeFile(t, dir, "broken.json", broken)
	got := program(t, dir, "", "vectors", "-a", "streebog256", "broken.json")
	if rows := table(t, got.out); got.status != exitFailed || rows["broken"] != [4]int{265, 1, 0, 1} || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "broken: test ") {
		t.Errorf("a wrong digest: %+v", got)
	}
	got = program(t, dir, "", "vectors", "-a", "streebog512", "broken.json")
	if rows := table(t, got.out); got.status != exitFailed || rows["broken"] != [4]int{0, 0, 0, 267} || !strings.Contains(got.err, "no test was run") {
		t.Errorf("nothing to run: %+v", got)
	}
	writeFile(t, dir, "text", "text")
	for _, c := range []struct {
		args   string
		status int
		text   string
	}{
		{"streebog", exitFailed, `no file "streebog"`},
		{"-a streebog512 none.json", exitFailed, "no such file"},
		{"-a streebog512 text", exitFailed, "text: "},
		{"-a streebog512", exitUsage, "give a file"},
		{"-a streebog broken.json", exitUsage, "unknown algorithm"},
	} {
		got := program(t, dir, "", append([]string{"vectors"}, strings.Fields(c.args)...)...)
		if got.status != c.status || !strings.Contains(got.err, c.text) {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}

// Whatever is switched off is on again afterwards.
func TestEachTier(t *testing.T) {
	states := func() (on []bool) {
		for _, s := range impl.Switches() {
			on = append(on, *s.Enabled)
		}
		return on
	}
	before := states()
	var tiers []string
	eachTier(allPackages, func(tier string) {
		tiers = append(tiers, tier)
		for _, s := range impl.Switches() {
			if tier == "generic" && *s.Enabled {
				t.Errorf("%s of %s is on in generic", s.Tier, s.Package)
			}
		}
	})
	if !slices.Equal(states(), before) || tiers[len(tiers)-1] != "generic" {
		t.Errorf("%v before, %v after %v", before, states(), tiers)
	}
	eachTier(func(string) bool { return false }, func(tier string) {
		if tier != "generic" {
			t.Errorf("%s for no package", tier)
		}
	})
}
