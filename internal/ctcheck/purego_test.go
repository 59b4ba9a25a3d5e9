//go:build purego

package ctcheck_test

const purego = true
