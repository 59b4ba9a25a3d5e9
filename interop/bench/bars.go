package main

import "fmt"

// A bar is what we expect on a CPU with AVX-512: the peer takes at least so many
// times as long as we do, for messages of from to to bytes. Without a peer,
// atLeast is keys per microsecond.
type bar struct {
	item, peer string
	from, to   int
	atLeast    float64
}

const whatever = 1 << 30

var bars = []bar{
	{"ChaCha20", "aead", 8192, whatever, 3.3},
	{"ChaCha20", "x/crypto", 8192, whatever, 11},
	{"ChaCha20", "OpenSSL", 8192, whatever, 1.4},
	{"ChaCha20", "aead", 1024, 1024, 2.2},
	{"ChaCha20", "x/crypto", 1024, 1024, 7.5},
	{"ChaCha20", "x/crypto", 256, 256, 2.0},

	{"ChaCha20-Poly1305 Seal", "x/crypto", 65536, whatever, 3.0},
	{"ChaCha20-Poly1305 Seal", "OpenSSL", 65536, whatever, 1.7},
	{"ChaCha20-Poly1305 Seal", "x/crypto", 8192, 8192, 2.9},
	{"ChaCha20-Poly1305 Seal", "OpenSSL", 8192, 8192, 1.8},
	{"ChaCha20-Poly1305 Seal", "x/crypto", 1024, 1024, 2.1},
	{"ChaCha20-Poly1305 Seal", "x/crypto", 64, 256, 1.1},
	{"ChaCha20-Poly1305 Open", ownSeal, 0, whatever, 0.95},

	{"Streebog-512", "nettle", 8192, whatever, 2.6},
	{"Streebog-512", "libgcrypt", 8192, whatever, 2.6},
	{"Streebog-512", "gost-engine", 8192, whatever, 2.8},
	{"Streebog-512", "gost-engine", 64, 64, 2.5},

	{"Kuznyechik CTR", "gost-engine", 64, 64, 3.5},
	{"Kuznyechik CTR", "gost-engine", 256, 256, 9},
	{"Kuznyechik CTR", "gost-engine", 1024, 1024, 15},
	{"Kuznyechik CTR", "gost-engine", 8192, whatever, 18},
	{"Kuznyechik CBC decryption", "gost-engine", 1024, whatever, 14},
	{"Kuznyechik CMAC", engineCBC, 1024, whatever, 1.5},
	{"Kuznyechik NewCipher", "", 0, 0, 2},

	{"Magma CTR", "gost-engine", 64, 64, 6},
	{"Magma CTR", "gost-engine", 256, 256, 20},
	{"Magma CTR", "gost-engine", 1024, whatever, 50},
	{"Magma CMAC", engineCBC, 1024, whatever, 0.9},
	{"Magma NewCipher", "", 0, 0, 2},

	{"MGM-Kuznyechik Seal", ownCTR, 8192, 8192, 1 / 2.6},
	{"MGM-Magma Seal", ownCTR, 8192, 8192, 1 / 2.4},
}

// shortfalls tells which figures are below their bar.
func (t *table) shortfalls(bars []bar) []string {
	var short []string
	for _, b := range bars {
		if b.item != t.it.name {
			continue
		}
		for _, r := range t.rows {
			if r.size < b.from || r.size > b.to {
				continue
			}
			if b.peer == "" && 1000/r.ns[0] < b.atLeast {
				short = append(short, fmt.Sprintf("%s: %.0f ns, wanted at most %.0f", t.it.name, r.ns[0], 1000/b.atLeast))
			}
			for i, c := range t.it.contestants {
				if ratio := r.ns[i] / r.ns[0]; c.name == b.peer && ratio < b.atLeast {
					short = append(short, fmt.Sprintf("%s, %s: %.2f times %s, wanted %.3g", t.it.name, sizeName(r.size), ratio, b.peer, b.atLeast))
				}
			}
		}
	}
	return short
}
