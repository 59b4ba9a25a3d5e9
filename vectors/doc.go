// Package vectors holds the test vectors of this module and runs them, on the
// algorithms of this module or on anyone else's.
//
// # Running them
//
// A runner takes the vectors and a function that picks a constructor for each
// group of tests, or nil to leave the group out:
//
//	func TestVectors(t *testing.T) {
//		f, err := vectors.Load("streebog256")
//		if err != nil {
//			t.Fatal(err)
//		}
//		got := vectors.RunHash(t, f, func(*vectors.Group) func() hash.Hash { return mystreebog.New256 })
//		if want := (vectors.Result{Run: 267}); got != want {
//			t.Errorf("ran %+v, want %+v", got, want)
//		}
//	}
//
// Compare the counts, as above: then a group that nobody runs any more is noticed.
// A runner that ran no test at all reports that as a failure.
//
// There is one runner for each type of group:
//
//	AeadTest       RunAEAD       cipher.AEAD
//	BlockTest      RunBlock      cipher.Block
//	BlockModeTest  RunBlockMode  cipher.BlockMode or cipher.Stream
//	StreamTest     RunStream     cipher.Stream
//	HashTest       RunHash       hash.Hash
//	MacTest        RunMAC        hash.Hash with a key
//	HChaChaTest    RunHChaCha    a function
//
// A file may hold groups of several types; a runner looks at those of its own.
//
// A runner does more than to compare one result. It repeats every test with the
// text in random pieces (empty ones among them), in place (dst and src the same
// slice), with every argument at an odd address, and with a dst that is longer
// than it needs to be or lies between bytes that must not change. Arguments are
// overwritten as soon as a constructor has returned, and must not have changed
// before that. A failure names the seed that these choices came from; the same
// number in File.Seed repeats them.
//
// # The three results
//
// A "valid" test must give the stated values, in both directions where there are
// two.
//
// An "invalid" test must be refused: Open returns an error and a nil slice, and
// does not panic; a tag does not equal the one computed, or the constructor does
// not take the key. If the nonce has another length than the AEAD's NonceSize,
// Seal and Open must panic instead, as those of crypto/cipher do. Where a test has
// the flag AadNotSupported, MessageTooLong or NonceTopBit, Seal must panic too;
// other invalid tests only say that Seal, if it works, gives something else.
//
// An "acceptable" test may be refused, by an error (in RunBlockMode also a panic)
// of the constructor, a panic of Seal or an error of Open. Such tests are counted
// in both Run and Refused. What is not refused must give the stated value.
//
// # Format
//
// The files follow Project Wycheproof's: an envelope with an algorithm, a header,
// notes that explain the flags, and groups of tests that share their parameters.
// Byte strings are hexadecimal; sizes of groups are in bits. Wycheproof's own
// files for AEADs and MACs can be read with Parse. [Schema] returns the JSON Schema
// that a file names; ours allow what Wycheproof's do, and more. Beyond its format:
//
//   - A BlockTest has a msg of one or more blocks, each enciphered by itself. With
//     iterations in its group, each block is enciphered that many times over.
//   - A BlockModeTest takes RunBlockMode to cipher.BlockMode for mode CBC and ECB,
//     to cipher.Stream for CTR, OFB and CFB. With padding "zero", ct deciphers
//     to msg followed by zeros up to its length. An ivSize of 0 is a mode without IV.
//   - A StreamTest starts at block counter (0 if there is none), a number of up to
//     64 bits. counterHex is the same number without that limit; RunStream counts
//     tests that exceed it as skipped.
//   - The ivSize of an MGM group is 63 or 127, since the top bit of the nonce is
//     fixed. In bytes it is a whole block.
//   - An AeadTest with a tagSize of 0 has its tag, or what stands in for one, in ct.
//   - A HashTest with a repeat has msg that many times in a row. Those with the
//     flag Slow are of more than 2^32 bits: use f.Without("Slow") under -short.
package vectors
