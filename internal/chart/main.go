// Command chart takes the figures of interop/RESULTS.md over into the documents: it
// draws docs/speed.svg, and rewrites in README.md what stands between the comments
// "algorithms" and "speed". Run it at the root of the module after a measurement:
//
//	go run ./internal/chart
//
// Its test fails while the documents show other figures than RESULTS.md.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

// run rewrites the documents of the module in root.
func run(root string) error {
	documents, err := draw(root)
	if err != nil {
		return err
	}
	for name, now := range documents {
		path := filepath.Join(root, name)
		if was, err := os.ReadFile(path); err == nil && string(was) == now {
			continue
		}
		if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
			return err
		}
		fmt.Println("wrote", path)
	}
	return nil
}

// draw returns the documents as they should be.
func draw(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "interop", "RESULTS.md"))
	if err != nil {
		return nil, err
	}
	results, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("RESULTS.md: %w", err)
	}
	picture, err := results.svg()
	if err != nil {
		return nil, fmt.Errorf("RESULTS.md: %w", err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	now, err := results.readme(string(readme))
	if err != nil {
		return nil, fmt.Errorf("README.md: %w", err)
	}
	return map[string]string{"docs/speed.svg": picture, "README.md": now}, nil
}
