//go:build !(amd64 && gc && !purego)

package cpu

const assembly = false
