package asmcheck

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strconv"
)

var dataLine = regexp.MustCompile(`(?m)^DATA (\w+)<>\+(\d+)\(SB\)/8, \$(0x[0-9a-f]+)$`)

// Constants returns the read-only data of a file of assembly that is written in words
// of 8 bytes, by name: tests compare it with tables that they compute.
func Constants(file string) (map[string][]byte, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := map[string][]byte{}
	for _, line := range dataLine.FindAllSubmatch(src, -1) {
		name := string(line[1])
		v, err := strconv.ParseUint(string(line[3]), 0, 64)
		if off, _ := strconv.Atoi(string(line[2])); err != nil || off != len(m[name]) {
			return nil, fmt.Errorf("%s: cannot read %s", file, line[0])
		}
		m[name] = binary.LittleEndian.AppendUint64(m[name], v)
	}
	return m, nil
}
