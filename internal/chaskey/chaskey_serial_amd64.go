//go:build amd64 && gc && !purego

package chaskey

func absorb(s, w State, m []byte, rounds int) State {
	if !useAVX2 || len(m) < 3*Size { // for fewer the call costs more than it gains
		return absorbGeneric(s, w, m, rounds)
	}
	state := [4]uint32{s.v0, s.v1, s.v2, s.v3}
	between := [4]uint32{w.v0, w.v1, w.v2, w.v3}
	for len(m) >= Size {
		n := min(len(m)/Size, longestRun)
		absorbAVX2(&state, &between, &m[0], n, rounds)
		m = m[n*Size:]
	}
	return State{state[0], state[1], state[2], state[3]}
}

func chain(k *Kernel, s, w State, dst, src []byte) State {
	if !useAVX2 {
		return chainGeneric(k, s, w, dst, src)
	}
	state := [4]uint32{s.v0, s.v1, s.v2, s.v3}
	for len(src) > 0 {
		n := min(len(src)/Size, longestRun)
		chainAVX2(&k.words, &state, &dst[0], &src[0], n, k.rounds)
		dst, src = dst[n*Size:], src[n*Size:]
	}
	return State{state[0], state[1], state[2], state[3]}
}

func encryptMAC(k *Kernel, dst, src []byte, c *[Size]byte, st *[2 * Size]byte, fix int) {
	if !useAVX2 {
		encryptMACGeneric(k, dst, src, c, st, fix)
		return
	}
	var top [4]uint32
	top[fix/4] = 0x80 << (fix % 4 * 8)
	for len(src) > 0 {
		n := min(len(src)/Size, longestRun)
		if useAVX512 {
			encryptMACAVX512(&k.words, &dst[0], &src[0], n, k.rounds, &top, c, st)
		} else {
			encryptMACAVX2(&k.words, &dst[0], &src[0], n, k.rounds, &top, c, st)
		}
		dst, src = dst[n*Size:], src[n*Size:]
	}
}
