//go:build !purego

package ctcheck_test

const purego = false
