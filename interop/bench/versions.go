package main

import (
	"runtime/debug"
	"slices"
	"strings"
)

// peerModules are the modules that the peers written in Go come from.
var peerModules = []string{"golang.org/x/crypto", "github.com/aead/chacha20", "github.com/aead/chacha20poly1305", "github.com/aead/poly1305"}

// versions names the peers.
func versions() string {
	var list []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if slices.Contains(peerModules, m.Path) {
				list = append(list, m.Path+" "+m.Version)
			}
		}
	}
	return strings.Join(append(list, cVersions()...), ", ")
}
