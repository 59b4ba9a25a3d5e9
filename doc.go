// Package xcipher is the root of a module that gives Go the ciphers, MACs and
// hashes which the standard library and golang.org/x/crypto lack. It has no code:
// import the package of the algorithm.
//
// Everything is used through the standard interfaces, so that a program swaps
// one constructor and stays as it is.
//
// Folder block has cipher.Block, and cipher.BlockMode and cipher.Stream made
// from one:
//
//   - xcipher/block/kuznyechik: Kuznyechik (GOST R 34.12-2015, RFC 7801)
//   - xcipher/block/magma: Magma (GOST R 34.12-2015, RFC 8891)
//   - xcipher/block/saturnin: Saturnin, with 256-bit blocks
//   - xcipher/block/chaskey: Chaskey as a block cipher, 8, 12 and 16 rounds
//   - xcipher/block/ecb: electronic codebook mode
//   - xcipher/block/gost3413: CTR, CBC, CFB and OFB as GOST R 34.13-2015 has them
//
// Folder aead has cipher.AEAD:
//
//   - xcipher/aead/mgm: MGM (RFC 9058) over 64- and 128-bit blocks
//   - xcipher/aead/cloc and xcipher/aead/silc: CLOC and SILC (CAESAR)
//   - xcipher/aead/saturnin: Saturnin-CTR-Cascade and Saturnin-Short
//   - xcipher/aead/chachapoly: ChaCha20-Poly1305 and XChaCha20-Poly1305, also
//     with 12 and 8 rounds
//   - xcipher/aead/randnonce: an AEAD with a random nonce that it carries itself,
//     of 12 bytes or more
//   - xcipher/aead/incremental: sealing and opening in pieces, with the AEADs above
//     but Saturnin-Short and those of randnonce
//
// Folder mac has hash.Hash with a key:
//
//   - xcipher/mac/cmac: CMAC (OMAC1), the MAC of GOST R 34.13-2015
//   - xcipher/mac/chaskey: Chaskey
//
// Folder hash has hash.Hash:
//
//   - xcipher/hash/streebog: Streebog-256 and -512 (GOST R 34.11-2012, RFC 6986)
//   - xcipher/hash/saturnin: Saturnin-Hash
//
// Folder stream has cipher.Stream:
//
//   - xcipher/stream/chacha: ChaCha20, ChaCha12 and ChaCha8 with nonces of 64, 96
//     and 192 bits
//
// Two packages are for reading data of old devices, in formats that are broken:
//
//   - xcipher/block/chaskey/hutorny: the CBC of hutorny/chaskey
//   - xcipher/aead/cloc/hutorny: its CLOC
//
// Package xcipher/vectors has the test vectors of all of them, and runners for
// whoever wants to test other implementations with them.
//
// All code is constant-time (over crypto/aes: as that is): no secret indexes memory or
// decides a branch. Each package has examples in its file example_test.go. README.md
// has programs to copy and a table of all algorithms, SECURITY.md the limits of each,
// docs/migrating.md the calls of other libraries and ours beside them.
package xcipher
