#include <gcrypt.h>

#include "peer.h"

static void check(gcry_error_t e) {
	if (e)
		die(gcry_strerror(e));
}

static void reverse(uint8_t *p, size_t n) {
	for (size_t i = 0; i < n / 2; i++) {
		uint8_t x = p[i];
		p[i] = p[n - 1 - i];
		p[n - 1 - i] = x;
	}
}

/* magma encrypts blocks with GOST 28147-89 and Magma's S-boxes, which reads the
   words of the key and the block from the other end. */
static int magma(bytes key, bytes in) {
	gcry_cipher_hd_t h;
	check(gcry_cipher_open(&h, GCRY_CIPHER_GOST28147, GCRY_CIPHER_MODE_ECB, 0));
	check(gcry_cipher_ctl(h, GCRYCTL_SET_SBOX, "1.2.643.7.1.2.5.1.1", 0));
	for (size_t i = 0; i < key.n; i += 4)
		reverse(key.p + i, 4);
	check(gcry_cipher_setkey(h, key.p, key.n));
	for (size_t i = 0; i < in.n; i += 8)
		reverse(in.p + i, 8);
	if (in.n)
		check(gcry_cipher_encrypt(h, in.p, in.n, NULL, 0));
	for (size_t i = 0; i < in.n; i += 8)
		reverse(in.p + i, 8);
	return output(in);
}

/* mac takes a key. */
static int mac(int id, bytes key, bytes in) {
	gcry_mac_hd_t h;
	bytes out = make(gcry_mac_get_algo_maclen(id));
	check(gcry_mac_open(&h, id, 0, NULL));
	check(gcry_mac_setkey(h, key.p, key.n));
	check(gcry_mac_write(h, in.p, in.n));
	check(gcry_mac_read(h, out.p, &out.n));
	return output(out);
}

int main(int argc, char **argv) {
	const char *alg = argc > 1 ? argv[1] : "";
	bytes a = arg(argc, argv, 2), b = arg(argc, argv, 3), c = arg(argc, argv, 4), in = input(), out;
	int md = strstr(alg, "streebog512") ? GCRY_MD_STRIBOG512 : GCRY_MD_STRIBOG256;
	gcry_cipher_hd_t h;

	gcry_check_version(NULL);
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	if (!strcmp(alg, "streebog256") || !strcmp(alg, "streebog512")) {
		out = make(gcry_md_get_algo_dlen(md));
		gcry_md_hash_buffer(md, out.p, in.p, in.n);
		return output(out);
	}
	if (!strcmp(alg, "hmac-streebog256"))
		return mac(GCRY_MAC_HMAC_STRIBOG256, a, in);
	if (!strcmp(alg, "hmac-streebog512"))
		return mac(GCRY_MAC_HMAC_STRIBOG512, a, in);
	if (!strcmp(alg, "aes-cmac"))
		return mac(GCRY_MAC_CMAC_AES, a, in);
	if (!strcmp(alg, "magma"))
		return magma(a, in);
	if (!strncmp(alg, "pbkdf2-", 7)) { /* salt, iterations; the input is the password */
		out = make(100);
		check(gcry_kdf_derive(in.p, in.n, GCRY_KDF_PBKDF2, md, a.p, a.n, b.p[0], out.n, out.p));
		return output(out);
	}
	if (!strcmp(alg, "chacha20")) { /* key, nonce of 8 or 12 bytes or counter and nonce of 16 */
		check(gcry_cipher_open(&h, GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_STREAM, 0));
		check(gcry_cipher_setkey(h, a.p, a.n));
		check(gcry_cipher_setiv(h, b.p, b.n));
		if (in.n)
			check(gcry_cipher_encrypt(h, in.p, in.n, NULL, 0));
		return output(in);
	}
	if (!strcmp(alg, "chacha20-poly1305")) { /* key, nonce, additional data */
		out = make(in.n + 16);
		check(gcry_cipher_open(&h, GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_POLY1305, 0));
		check(gcry_cipher_setkey(h, a.p, a.n));
		check(gcry_cipher_setiv(h, b.p, b.n));
		check(gcry_cipher_authenticate(h, c.p, c.n));
		check(gcry_cipher_encrypt(h, out.p, in.n, in.p, in.n));
		check(gcry_cipher_gettag(h, out.p + in.n, 16));
		return output(out);
	}
	die("unknown algorithm");
}
