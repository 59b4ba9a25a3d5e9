//go:build cpeers

package main

/*
#cgo CFLAGS: -O2
#cgo LDFLAGS: -lgcrypt -lnettle -lsodium
#include <gcrypt.h>
#include <nettle/streebog.h>
#include <nettle/version.h>
#include <sodium.h>

static gcry_md_hd_t gcrypt_new(void) {
	gcry_md_hd_t h;
	if (!gcry_check_version(NULL)) return NULL;
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	return gcry_md_open(&h, GCRY_MD_STRIBOG512, 0) ? NULL : h;
}

static void gcrypt_run(gcry_md_hd_t h, long n, unsigned char *dst, const unsigned char *src, size_t size) {
	for (; n > 0; n--) {
		gcry_md_reset(h);
		gcry_md_write(h, src, size);
		memcpy(dst, gcry_md_read(h, 0), 64);
	}
}

static void nettle_run(long n, unsigned char *dst, const unsigned char *src, size_t size) {
	struct streebog512_ctx c;
	streebog512_init(&c);
	for (; n > 0; n--) {
		streebog512_update(&c, size, src);
		streebog512_digest(&c, 64, dst);
	}
}

static const char *nettle_version(void) {
	static char s[32];
	snprintf(s, sizeof s, "nettle %d.%d", nettle_version_major(), nettle_version_minor());
	return s;
}

static void sodium_run(long n, const unsigned char *key, const unsigned char *nonce, unsigned char *dst, const unsigned char *src, size_t size) {
	for (; n > 0; n--) crypto_stream_chacha20_ietf_xor(dst, src, size, nonce, key);
}

static void sodium_seal_run(long n, const unsigned char *key, const unsigned char *nonce, unsigned char *dst, const unsigned char *src, size_t size) {
	for (; n > 0; n--) crypto_aead_chacha20poly1305_ietf_encrypt(dst, NULL, src, size, NULL, 0, NULL, nonce, key);
}

static int sodium_open_run(long n, const unsigned char *key, const unsigned char *nonce, unsigned char *dst, const unsigned char *src, size_t size) {
	int failed = 0;
	for (; n > 0; n--) failed |= crypto_aead_chacha20poly1305_ietf_decrypt(dst, NULL, NULL, src, size, NULL, 0, nonce, key);
	return failed;
}
*/
import "C"

import (
	"sync"

	"xcipher/aead/chachapoly"
)

func gcryptVersion() string { return "libgcrypt " + C.GoString(C.gcry_check_version(nil)) }
func nettleVersion() string { return C.GoString(C.nettle_version()) }
func sodiumVersion() string { return "libsodium " + C.GoString(C.sodium_version_string()) }

func gcryptStreebog(j *job) func(int) {
	h := C.gcrypt_new()
	if h == nil {
		panic("libgcrypt has no Streebog")
	}
	return func(n int) {
		C.gcrypt_run(h, C.long(n), u(j.dst), u(j.src), C.size_t(len(j.src)))
	}
}

func nettleStreebog(j *job) func(int) {
	return func(n int) {
		C.nettle_run(C.long(n), u(j.dst), u(j.src), C.size_t(len(j.src)))
	}
}

// initSodium lets libsodium choose its fastest code.
var initSodium = sync.OnceFunc(func() {
	if C.sodium_init() < 0 {
		panic("libsodium does not start")
	}
})

func sodiumChaCha(j *job) func(int) {
	initSodium()
	return func(n int) {
		C.sodium_run(C.long(n), u(j.key), u(j.nonce), u(j.dst), u(j.src), C.size_t(len(j.src)))
	}
}

func sodiumSeal(j *job) func(int) {
	initSodium()
	return func(n int) {
		C.sodium_seal_run(C.long(n), u(j.key), u(j.nonce), u(j.dst), u(j.src), C.size_t(len(j.src)))
	}
}

func sodiumOpen(j *job) func(int) {
	initSodium()
	sealed := must(chachapoly.New(j.key)).Seal(nil, j.nonce, j.src, nil)
	return func(n int) {
		if C.sodium_open_run(C.long(n), u(j.key), u(j.nonce), u(j.dst), u(sealed), C.size_t(len(sealed))) != 0 {
			panic("libsodium does not open")
		}
	}
}
