package saturnin_test

import (
	"fmt"
	"io"

	"xcipher/hash/saturnin"
)

func ExampleNew() {
	h := saturnin.New()
	io.WriteString(h, "The quick brown fox jumps over the lazy dog")
	fmt.Printf("%x\n", h.Sum(nil))
	// Output:
	// 6c472dddae249e70da3e6b5eb7e99ca8a72ed5a90bb334e5ea31dafef8d2b8fc
}

func ExampleSum256() {
	fmt.Printf("%x\n", saturnin.Sum256(nil))
	// Output:
	// 83b15641b09569b04c606108fc8ae268ac0dc9288741b5735d8612d69c0afdfe
}
