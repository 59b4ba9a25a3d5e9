#include <botan/ffi.h>

#include "peer.h"

static void check(int code) {
	if (code)
		die(botan_error_description(code));
}

/* The algorithm is Botan's name of a stream cipher, AEAD or MAC. */
int main(int argc, char **argv) {
	const char *alg = argc > 1 ? argv[1] : "";
	bytes a = arg(argc, argv, 2), b = arg(argc, argv, 3), c = arg(argc, argv, 4), in = input(), out;

	if (strstr(alg, "MAC(")) { /* key */
		botan_mac_t h;
		check(botan_mac_init(&h, alg, 0));
		check(botan_mac_set_key(h, a.p, a.n));
		check(botan_mac_update(h, in.p, in.n));
		out = make(64);
		check(botan_mac_output_length(h, &out.n));
		check(botan_mac_final(h, out.p));
		return output(out);
	}
	botan_cipher_t h; /* key, nonce, additional data */
	size_t read;
	check(botan_cipher_init(&h, alg, BOTAN_CIPHER_INIT_FLAG_ENCRYPT));
	check(botan_cipher_set_key(h, a.p, a.n));
	if (strstr(alg, "Poly1305"))
		check(botan_cipher_set_associated_data(h, c.p, c.n));
	check(botan_cipher_start(h, b.p, b.n));
	out = make(in.n + 64);
	check(botan_cipher_update(h, BOTAN_CIPHER_UPDATE_FLAG_FINAL, out.p, out.n, &out.n, in.p, in.n, &read));
	if (read != in.n)
		die("the input was not read to its end");
	return output(out);
}
