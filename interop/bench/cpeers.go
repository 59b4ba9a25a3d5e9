//go:build cpeers

package main

// cPeers returns the C libraries that can do an item.
func cPeers(name string) []contestant {
	peer := func(name string, m maker) contestant { return contestant{name: name, make: m} }
	landmark := func(name string, m maker) contestant { return contestant{name, m, true} }
	switch name {
	case "ChaCha20":
		return []contestant{peer("OpenSSL", opensslChaCha), peer("libsodium", sodiumChaCha)}
	case "ChaCha20-Poly1305 Seal":
		return []contestant{peer("OpenSSL", opensslSeal), peer("libsodium", sodiumSeal)}
	case "ChaCha20-Poly1305 Open":
		return []contestant{peer("OpenSSL", opensslOpen), peer("libsodium", sodiumOpen)}
	case "Streebog-512":
		return []contestant{peer("gost-engine", engineStreebog), peer("libgcrypt", gcryptStreebog), peer("nettle", nettleStreebog)}
	case "Kuznyechik CTR":
		return []contestant{peer("gost-engine", engineCTR("kuznyechik-ctr", 16))}
	case "Kuznyechik CBC decryption":
		return []contestant{peer("gost-engine", engineMode("kuznyechik-cbc", 16, decrypt))}
	case "Kuznyechik CMAC":
		return []contestant{peer("gost-engine", engineMAC("kuznyechik-mac")), landmark(engineCBC, engineMode("kuznyechik-cbc", 16, encrypt))}
	case "Kuznyechik NewCipher":
		return []contestant{peer("gost-engine", engineKey("kuznyechik-cbc", 16))}
	case "Magma CTR":
		return []contestant{peer("gost-engine", engineCTR("magma-ctr", 8))}
	case "Magma CMAC":
		return []contestant{peer("gost-engine", engineMAC("magma-mac")), landmark(engineCBC, engineMode("magma-cbc", 8, encrypt))}
	case "Magma NewCipher":
		return []contestant{peer("gost-engine", engineKey("magma-cbc", 8))}
	}
	return nil
}

func cVersions() []string {
	return []string{opensslVersion(), "its engine gost", gcryptVersion(), nettleVersion(), sodiumVersion()}
}
