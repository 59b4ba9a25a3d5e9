//go:build cpeers

package main

/*
#cgo CFLAGS: -O2 -Wno-deprecated-declarations
#cgo LDFLAGS: -lcrypto
#include <stdlib.h>
#include <string.h>
#include <openssl/crypto.h>
#include <openssl/engine.h>
#include <openssl/evp.h>

// All functions return 0 when something failed. What they make lives as long as
// the process.

// gost_load must come before all else: with a later or a partial registration,
// kuznyechik-mac returns the MAC of Magma and eight bytes of whatever was in memory.
static int gost_load(void) {
	ENGINE_load_builtin_engines();
	ENGINE *e = ENGINE_by_id("gost");
	return e && ENGINE_init(e) && ENGINE_set_default(e, ENGINE_METHOD_ALL);
}

// cipher_new keeps the key, so that the others only set an IV.
static EVP_CIPHER_CTX *cipher_new(const char *name, int encrypt, const unsigned char *key) {
	const EVP_CIPHER *type = EVP_get_cipherbyname(name);
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	if (!type || !c || !EVP_CipherInit_ex(c, type, NULL, key, NULL, encrypt)) return NULL;
	EVP_CIPHER_CTX_set_padding(c, 0);
	return c;
}

// cipher_run takes a key that is not NULL anew for each message. Without one, it
// has to clear the engine's counter itself, which lies behind the IV proper: the
// engine does so only along with a new key, which would take longer.
static int cipher_run(EVP_CIPHER_CTX *c, long n, const unsigned char *key, const unsigned char *iv,
		unsigned char *dst, const unsigned char *src, int size) {
	int done, ivlen = EVP_CIPHER_CTX_get_iv_length(c);
	for (; n > 0; n--) {
		if (!EVP_CipherInit_ex(c, NULL, NULL, key, iv, -1)) return 0;
		if (!key) memset(EVP_CIPHER_CTX_iv_noconst(c) + ivlen, 0, EVP_MAX_IV_LENGTH - ivlen);
		if (!EVP_CipherUpdate(c, dst, &done, src, size)) return 0;
	}
	return 1;
}

static int seal_run(EVP_CIPHER_CTX *c, long n, const unsigned char *iv, unsigned char *dst, const unsigned char *src, int size) {
	for (int done; n > 0; n--)
		if (!EVP_EncryptInit_ex(c, NULL, NULL, NULL, iv) || !EVP_EncryptUpdate(c, dst, &done, src, size) ||
			!EVP_EncryptFinal_ex(c, dst + size, &done) ||
			!EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, dst + size)) return 0;
	return 1;
}

static int open_run(EVP_CIPHER_CTX *c, long n, const unsigned char *iv, unsigned char *dst, const unsigned char *src, int size) {
	for (int done; n > 0; n--)
		if (!EVP_DecryptInit_ex(c, NULL, NULL, NULL, iv) ||
			!EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(src + size)) ||
			!EVP_DecryptUpdate(c, dst, &done, src, size) || !EVP_DecryptFinal_ex(c, dst + size, &done)) return 0;
	return 1;
}

// key_run sets n keys up and encrypts a block under the last.
static int key_run(EVP_CIPHER_CTX *c, long n, const unsigned char *key, const unsigned char *iv,
		unsigned char *dst, const unsigned char *src, int size) {
	for (int i = 0; i < n; i++)
		if (!EVP_EncryptInit_ex(c, NULL, NULL, key, iv)) return 0;
	int done;
	return EVP_EncryptUpdate(c, dst, &done, src, size);
}

static int digest_run(EVP_MD_CTX *c, long n, const EVP_MD *type, unsigned char *dst, const unsigned char *src, size_t size) {
	for (; n > 0; n--)
		if (!EVP_DigestInit_ex(c, type, NULL) || !EVP_DigestUpdate(c, src, size) || !EVP_DigestFinal_ex(c, dst, NULL)) return 0;
	return 1;
}

// mac_new keeps the key, for mac_run to copy.
static EVP_MD_CTX *mac_new(const char *name, const unsigned char *key, int size) {
	EVP_PKEY *k = EVP_PKEY_new_mac_key(OBJ_sn2nid(name), NULL, key, size);
	EVP_MD_CTX *c = EVP_MD_CTX_new();
	return k && c && EVP_DigestSignInit(c, NULL, NULL, NULL, k) ? c : NULL;
}

static int mac_run(EVP_MD_CTX *keyed, EVP_MD_CTX *c, long n, unsigned char *dst, size_t room, const unsigned char *src, size_t size) {
	for (; n > 0; n--) {
		size_t done = room;
		if (!EVP_MD_CTX_copy_ex(c, keyed) || !EVP_DigestSignUpdate(c, src, size) || !EVP_DigestSignFinal(c, dst, &done)) return 0;
	}
	return 1;
}
*/
import "C"

import (
	"unsafe"

	"xcipher/aead/chachapoly"
)

const (
	decrypt = 0
	encrypt = 1
)

func opensslVersion() string { return C.GoString(C.OpenSSL_version(C.OPENSSL_VERSION)) }

// u is the address of a slice for C.
func u(b []byte) *C.uchar { return (*C.uchar)(unsafe.SliceData(b)) }

func check(ok C.int) {
	if ok != 1 {
		panic("OpenSSL failed")
	}
}

func init() {
	if C.gost_load() != 1 {
		panic("the engine gost of OpenSSL is missing")
	}
}

func newEVP(name string, direction C.int, key []byte) *C.EVP_CIPHER_CTX {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	c := C.cipher_new(s, direction, u(key))
	if c == nil {
		panic("OpenSSL has no " + name)
	}
	return c
}

func opensslChaCha(j *job) func(int) {
	c := newEVP("chacha20", encrypt, j.key)
	iv := append(make([]byte, 4), j.nonce...) // the counter comes first
	return func(n int) {
		check(C.cipher_run(c, C.long(n), u(j.key), u(iv), u(j.dst), u(j.src), C.int(len(j.src))))
	}
}

func opensslSeal(j *job) func(int) {
	c := newEVP("chacha20-poly1305", encrypt, j.key)
	return func(n int) {
		check(C.seal_run(c, C.long(n), u(j.nonce), u(j.dst), u(j.src), C.int(len(j.src))))
	}
}

func opensslOpen(j *job) func(int) {
	c := newEVP("chacha20-poly1305", decrypt, j.key)
	sealed := must(chachapoly.New(j.key)).Seal(nil, j.nonce, j.src, nil)
	return func(n int) {
		check(C.open_run(c, C.long(n), u(j.nonce), u(j.dst), u(sealed), C.int(len(j.src))))
	}
}

func engineCTR(name string, blockSize int) maker {
	return func(j *job) func(int) {
		c := newEVP(name, encrypt, j.key)
		iv := j.ctrIV(blockSize)
		return func(n int) {
			check(C.cipher_run(c, C.long(n), nil, u(iv), u(j.dst), u(j.src), C.int(len(j.src))))
		}
	}
}

func engineMode(name string, blockSize int, direction C.int) maker {
	return func(j *job) func(int) {
		c := newEVP(name, direction, j.key)
		iv := j.cbcIV(blockSize)
		return func(n int) {
			check(C.cipher_run(c, C.long(n), nil, u(iv), u(j.dst), u(j.src), C.int(len(j.src))))
		}
	}
}

func engineKey(name string, blockSize int) maker {
	return func(j *job) func(int) {
		c := newEVP(name, encrypt, j.key)
		zero, block := make([]byte, blockSize), j.cbcIV(blockSize)
		return func(n int) {
			check(C.key_run(c, C.long(n), u(j.key), u(zero), u(j.dst), u(block), C.int(blockSize)))
		}
	}
}

func engineStreebog(j *job) func(int) {
	name := C.CString("md_gost12_512")
	defer C.free(unsafe.Pointer(name))
	c, streebog := C.EVP_MD_CTX_new(), C.EVP_get_digestbyname(name)
	if streebog == nil {
		panic("the engine has no Streebog")
	}
	return func(n int) {
		check(C.digest_run(c, C.long(n), streebog, u(j.dst), u(j.src), C.size_t(len(j.src))))
	}
}

func engineMAC(name string) maker {
	return func(j *job) func(int) {
		s := C.CString(name)
		defer C.free(unsafe.Pointer(s))
		c, keyed := C.EVP_MD_CTX_new(), C.mac_new(s, u(j.key), C.int(len(j.key)))
		if keyed == nil {
			panic("the engine has no " + name)
		}
		return func(n int) {
			check(C.mac_run(keyed, c, C.long(n), u(j.dst), C.size_t(len(j.dst)), u(j.src), C.size_t(len(j.src))))
		}
	}
}
