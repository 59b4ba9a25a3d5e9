#include <sodium.h>

#include "peer.h"

/* word reads a counter of 8 bytes in little-endian order. */
static uint64_t word(bytes b) {
	uint64_t v = 0;
	for (size_t i = b.n; i-- > 0;)
		v = v << 8 | b.p[i];
	return v;
}

int main(int argc, char **argv) {
	const char *alg = argc > 1 ? argv[1] : "";
	bytes a = arg(argc, argv, 2), b = arg(argc, argv, 3), c = arg(argc, argv, 4), in = input(), out = make(in.n + 32);
	unsigned long long n;
	int code = -1;

	if (sodium_init() < 0)
		die("sodium_init");
	out.n = in.n;
	if (!strcmp(alg, "chacha20")) { /* key, nonce, counter */
		if (b.n == 8)
			code = crypto_stream_chacha20_xor_ic(out.p, in.p, in.n, b.p, word(c), a.p);
		else if (b.n == 12)
			code = crypto_stream_chacha20_ietf_xor_ic(out.p, in.p, in.n, b.p, word(c), a.p);
		else if (b.n == 24)
			code = crypto_stream_xchacha20_xor_ic(out.p, in.p, in.n, b.p, word(c), a.p);
	} else if (!strcmp(alg, "hchacha20")) { /* key; the input is the nonce */
		out.n = 32;
		code = crypto_core_hchacha20(out.p, in.p, a.p, NULL);
	} else if (!strcmp(alg, "chacha20-poly1305")) { /* key, nonce, additional data */
		code = crypto_aead_chacha20poly1305_ietf_encrypt(out.p, &n, in.p, in.n, c.p, c.n, NULL, b.p, a.p);
		out.n = n;
	} else if (!strcmp(alg, "xchacha20-poly1305")) {
		code = crypto_aead_xchacha20poly1305_ietf_encrypt(out.p, &n, in.p, in.n, c.p, c.n, NULL, b.p, a.p);
		out.n = n;
	}
	if (code)
		die("failed");
	return output(out);
}
