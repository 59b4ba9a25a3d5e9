//go:build race || msan || asan

package conform

const sanitized = true
