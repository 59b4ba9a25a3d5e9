// Package clients hands the objects of module xcipher to Go libraries that take a
// cipher.AEAD, a cipher.Block or a hash.Hash. Each library runs all algorithms
// that it can take, and must refuse what was tampered with. Where it has an
// algorithm of ours too, both sides must give the same bytes. Network traffic
// stays on the loopback interface.
package clients
