/* What the peers share: each is called with an algorithm and hexadecimal
   arguments, reads the message from standard input and writes the result to
   standard output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	uint8_t *p;
	size_t n;
} bytes;

static void die(const char *why) {
	fprintf(stderr, "%s\n", why);
	exit(1);
}

/* make returns n zero bytes. */
static bytes make(size_t n) {
	bytes b = {calloc(1, n + 1), n};
	if (!b.p)
		die("out of memory");
	return b;
}

/* arg returns argument i, empty if there is none. */
static bytes arg(int argc, char **argv, int i) {
	const char *s = i < argc ? argv[i] : "";
	bytes b = make(strlen(s) / 2);
	for (size_t j = 0; j < b.n; j++) {
		unsigned v;
		if (sscanf(s + 2 * j, "%2x", &v) != 1)
			die("not hexadecimal");
		b.p[j] = v;
	}
	return b;
}

static bytes input(void) {
	bytes b = make(1 << 16);
	size_t n = 0, m;
	while ((m = fread(b.p + n, 1, b.n - n, stdin)) > 0)
		if ((n += m) == b.n && !(b.p = realloc(b.p, b.n *= 2)))
			die("out of memory");
	b.n = n;
	return b;
}

static int output(bytes b) {
	if (fwrite(b.p, 1, b.n, stdout) != b.n || fflush(stdout))
		die("cannot write");
	return 0;
}
