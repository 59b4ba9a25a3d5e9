package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// measured tells for each algorithm, as the tool and the table in README call it,
// which item of RESULTS.md gives its speed: block ciphers in CTR mode, AEADs when
// they seal, HMAC as its hash. There is none for messages of up to 15 bytes.
var measured = map[string]string{
	"kuznyechik":           "Kuznyechik CTR",
	"magma":                "Magma CTR",
	"saturnin":             "Saturnin CTR",
	"chaskey8":             "Chaskey-8 CTR",
	"chaskey12":            "Chaskey-12 CTR",
	"chaskey-lts":          "Chaskey-LTS CTR",
	"kuznyechik-mgm":       "MGM-Kuznyechik Seal",
	"magma-mgm":            "MGM-Magma Seal",
	"aes128-cloc":          "CLOC-AES-128 Seal",
	"chaskey8-cloc":        "CLOC-Chaskey-8 Seal",
	"chaskey12-cloc":       "CLOC-Chaskey-12 Seal",
	"aes128-silc":          "SILC-AES-128 Seal",
	"saturnin-ctr-cascade": "Saturnin-CTR-Cascade Seal",
	"saturnin-short":       "",
	"chacha20-poly1305":    "ChaCha20-Poly1305 Seal",
	"xchacha20-poly1305":   "XChaCha20-Poly1305 Seal",
	"chacha12-poly1305":    "ChaCha12-Poly1305 Seal",
	"xchacha12-poly1305":   "ChaCha12-Poly1305 Seal",
	"chacha8-poly1305":     "ChaCha8-Poly1305 Seal",
	"xchacha8-poly1305":    "ChaCha8-Poly1305 Seal",
	"kuznyechik-cmac":      "Kuznyechik CMAC",
	"magma-cmac":           "Magma CMAC",
	"aes-cmac":             "AES-128 CMAC",
	"chaskey8-mac":         "Chaskey-8 MAC",
	"chaskey12-mac":        "Chaskey-12 MAC",
	"chaskey-lts-mac":      "Chaskey-LTS MAC",
	"hmac-streebog256":     "Streebog-512",
	"hmac-streebog512":     "Streebog-512",
	"streebog256":          "Streebog-512",
	"streebog512":          "Streebog-512",
	"saturnin-hash":        "Saturnin-Hash",
	"chacha20":             "ChaCha20",
	"chacha12":             "ChaCha12",
	"chacha8":              "ChaCha8",
	"kuznyechik-ctr":       "Kuznyechik CTR",
	"magma-ctr":            "Magma CTR",
}

// compared are the rows of README's table of speeds.
var compared = []string{
	"Streebog-512", "Kuznyechik CTR", "Kuznyechik CBC decryption", "Kuznyechik CMAC", "MGM-Kuznyechik Seal",
	"Magma CTR", "Magma CMAC", "MGM-Magma Seal",
	"ChaCha20", "ChaCha12", "ChaCha8", "ChaCha20-Poly1305 Seal", "ChaCha20-Poly1305 Open", "XChaCha20-Poly1305 Seal",
	"Saturnin CTR", "Saturnin-CTR-Cascade Seal", "Saturnin-Hash",
	"Chaskey-8 CTR", "Chaskey-12 CTR", "Chaskey-8 MAC", "Chaskey-12 MAC",
	"CLOC-AES-128 Seal", "CLOC-Chaskey-12 Seal", "SILC-AES-128 Seal",
}

// readme rewrites the marked parts of README.md.
func (r *results) readme(text string) (string, error) {
	text, err := between(text, "algorithms", r.algorithms)
	if err != nil {
		return "", err
	}
	return between(text, "speed", func(string) (string, error) { return r.speeds() })
}

// between replaces what stands between two comments.
func between(text, name string, f func(old string) (string, error)) (string, error) {
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, found := strings.Cut(text, begin)
	old, after, also := strings.Cut(rest, end)
	if !found || !also {
		return "", fmt.Errorf("the comments %q and %q are missing", begin, end)
	}
	now, err := f(old)
	return before + begin + now + end + after, err
}

var code = regexp.MustCompile("`([^`]+)`")

// algorithms fills the last column of the table of algorithms, whose first column
// has their names.
func (r *results) algorithms(table string) (string, error) {
	var b strings.Builder
	seen := map[string]bool{}
	for i, line := range slices.Collect(strings.Lines(table)) {
		c := cells(line)
		if c == nil || i == 0 {
			b.WriteString(line)
			continue
		}
		var speeds []string
		for _, m := range code.FindAllStringSubmatch(c[0], -1) {
			name, known := measured[m[1]]
			if !known {
				return "", fmt.Errorf("no item for the algorithm %s", m[1])
			}
			seen[m[1]] = true
			if name == "" {
				continue
			}
			it, err := r.find(tiers[0].name, name)
			if err != nil {
				return "", err
			}
			if s := it.rows[0].time[shown]; !slices.Contains(speeds, s) {
				speeds = append(speeds, s)
			}
		}
		c[len(c)-1] = strings.Join(speeds, ", ")
		fmt.Fprintf(&b, "| %s |\n", strings.Join(c, " | "))
	}
	for name := range measured {
		if !seen[name] {
			return "", fmt.Errorf("the table lacks the algorithm %s", name)
		}
	}
	return b.String(), nil
}

// speeds makes the table of speeds, and the lists of what is slower than elsewhere.
func (r *results) speeds() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Nanoseconds per byte of a message of %s, on one core; 0.1 is 10 GB/s. × says how\n"+
		"many times as long a peer takes as we do with %s.\n\n* CPU: %s\n* system: %s\n\n",
		shown, tiers[0].title, r.about["CPU"], r.about["system"])
	b.WriteString("| |")
	for _, t := range tiers {
		fmt.Fprintf(&b, " %s |", t.title)
	}
	b.WriteString(" peers |\n|---|" + strings.Repeat("--:|", len(tiers)) + "---|\n")
	for _, name := range compared {
		fmt.Fprintf(&b, "| %s |", name)
		var peers []string
		for i, t := range tiers {
			it, err := r.find(t.name, name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " %s |", it.rows[0].time[shown])
			for _, p := range it.rows[1:] {
				if i == 0 && !p.landmark {
					peers = append(peers, p.who+" "+p.ratio[shown])
				}
			}
		}
		fmt.Fprintf(&b, " %s |\n", strings.Join(peers, ", "))
	}
	for _, t := range tiers[:3] {
		if t.name == "avx2gfni" || len(r.notes[t.name]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\nWhere a peer is faster than we with %s:\n\n%s", t.title, strings.Join(r.notes[t.name], ""))
	}
	return b.String(), nil
}
