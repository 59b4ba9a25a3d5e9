#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include "peer.h"

static void check(int code) {
	if (code < 0)
		die(gnutls_strerror(code));
}

int main(int argc, char **argv) {
	const char *alg = argc > 1 ? argv[1] : "";
	bytes a = arg(argc, argv, 2), b = arg(argc, argv, 3), c = arg(argc, argv, 4), in = input(), out;

	static const struct {
		const char *name;
		int id;
	} macs[] = {
	    {"hmac-streebog256", GNUTLS_MAC_STREEBOG_256},
	    {"hmac-streebog512", GNUTLS_MAC_STREEBOG_512},
	    {"magma-omac", GNUTLS_MAC_MAGMA_OMAC},
	    {"kuznyechik-omac", GNUTLS_MAC_KUZNYECHIK_OMAC},
	}, hashes[] = {
	    {"streebog256", GNUTLS_DIG_STREEBOG_256},
	    {"streebog512", GNUTLS_DIG_STREEBOG_512},
	}, kdfs[] = {
	    {"pbkdf2-streebog256", GNUTLS_MAC_STREEBOG_256},
	    {"pbkdf2-streebog512", GNUTLS_MAC_STREEBOG_512},
	}, ciphers[] = {
	    /* Plain CTR in the first section, 1024 and 4096 bytes. */
	    {"magma-ctr", GNUTLS_CIPHER_MAGMA_CTR_ACPKM},
	    {"kuznyechik-ctr", GNUTLS_CIPHER_KUZNYECHIK_CTR_ACPKM},
	    /* The 16 bytes of IV are counter and nonce. */
	    {"chacha20-64", GNUTLS_CIPHER_CHACHA20_64},
	    {"chacha20-32", GNUTLS_CIPHER_CHACHA20_32},
	};
	for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
		if (!strcmp(alg, hashes[i].name)) {
			out = make(gnutls_hash_get_len(hashes[i].id));
			check(gnutls_hash_fast(hashes[i].id, in.p, in.n, out.p));
			return output(out);
		}
	for (size_t i = 0; i < sizeof macs / sizeof *macs; i++)
		if (!strcmp(alg, macs[i].name)) { /* key */
			out = make(gnutls_hmac_get_len(macs[i].id));
			check(gnutls_hmac_fast(macs[i].id, a.p, a.n, in.p, in.n, out.p));
			return output(out);
		}
	for (size_t i = 0; i < sizeof kdfs / sizeof *kdfs; i++)
		if (!strcmp(alg, kdfs[i].name)) { /* salt, iterations; the input is the password */
			gnutls_datum_t key = {in.p, in.n}, salt = {a.p, a.n};
			out = make(100);
			check(gnutls_pbkdf2(kdfs[i].id, &key, &salt, b.p[0], out.p, out.n));
			return output(out);
		}
	for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++)
		if (!strcmp(alg, ciphers[i].name)) { /* key, IV */
			gnutls_cipher_hd_t h;
			gnutls_datum_t key = {a.p, a.n}, iv = {b.p, b.n};
			check(gnutls_cipher_init(&h, ciphers[i].id, &key, &iv));
			check(gnutls_cipher_encrypt(h, in.p, in.n));
			return output(in);
		}
	if (!strcmp(alg, "chacha20-poly1305")) { /* key, nonce, additional data */
		gnutls_aead_cipher_hd_t h;
		gnutls_datum_t key = {a.p, a.n};
		check(gnutls_aead_cipher_init(&h, GNUTLS_CIPHER_CHACHA20_POLY1305, &key));
		out = make(in.n + 16);
		check(gnutls_aead_cipher_encrypt(h, b.p, b.n, c.p, c.n, 16, in.p, in.n, out.p, &out.n));
		return output(out);
	}
	die("unknown algorithm");
}
