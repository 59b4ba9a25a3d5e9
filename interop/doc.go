// Package interop tests module xcipher against programs and libraries that
// nobody here wrote. It is a module of its own, so that what it needs binds no
// user, and is run with GOWORK=off:
//
//	GOWORK=off go -C interop test ./...
//
// Its root runs programs: those that Debian ships, and small ones in testdata
// that call a C library; gcc compiles them during the test. The folder clients
// hands our objects to Go libraries that take the standard library's interfaces.
// Both end with the count of what passed under each name; go test shows it with
// -v, or when it runs in the folder itself.
//
// The packages of Debian are: gostsum openssl libengine-gost-openssl nettle-bin
// rhash botan gcc libc6-dev libgcrypt20-dev libgnutls28-dev libbotan-2-dev
// libsodium-dev. A test that misses one is skipped, but fails if CI=true.
package interop
