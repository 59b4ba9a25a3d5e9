//go:build !cpeers

package main

// cPeers returns the C libraries that can do an item: none without the tag cpeers.
func cPeers(string) []contestant { return nil }

func cVersions() []string { return nil }
