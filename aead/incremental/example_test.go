package incremental_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"xcipher/aead/cloc"
	"xcipher/aead/incremental"
	"xcipher/aead/mgm"
	"xcipher/block/chaskey"
	"xcipher/block/kuznyechik"
)

// A sensor reports over frames of 20 bytes, and ends with the tag in a frame of
// its own. The receiver joins the frames and opens the message as a whole.
func ExampleNewSealer() {
	key, nonce := []byte("sixteen byte key"), []byte("message 0001")
	block, err := chaskey.NewCipher12(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := cloc.New(block)
	if err != nil {
		log.Fatal(err)
	}
	var air bytes.Buffer // every Write becomes a frame
	s, err := incremental.NewSealer(aead, &air, nonce, nil)
	if err != nil {
		log.Fatal(err)
	}
	report := []byte("temperature 21.5, humidity 40, battery 3.1, uptime 86400")
	for frame := range 3 {
		if _, err := s.Write(report[20*frame : min(20*frame+20, len(report))]); err != nil {
			log.Fatal(err)
		}
		fmt.Println("sent so far:", air.Len())
	}
	if err := s.Close(); err != nil { // sends the tag
		log.Fatal(err)
	}
	fmt.Println("with the tag:", air.Len())
	text, err := aead.Open(nil, nonce, air.Bytes(), nil)
	fmt.Printf("%s %v\n", text, err)
	// Output:
	// sent so far: 20
	// sent so far: 40
	// sent so far: 56
	// with the tag: 72
	// temperature 21.5, humidity 40, battery 3.1, uptime 86400 <nil>
}

// A gateway opens a file of any size. Nothing is returned before all of it has
// been verified.
func ExampleNewOpener() {
	block, err := kuznyechik.NewCipher(make([]byte, kuznyechik.KeySize))
	if err != nil {
		log.Fatal(err)
	}
	aead, err := mgm.New(block)
	if err != nil {
		log.Fatal(err)
	}
	nonce := make([]byte, aead.NonceSize())
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "sealed")
	if err := os.WriteFile(name, aead.Seal(nil, nonce, []byte("a large file"), nil), 0o600); err != nil {
		log.Fatal(err)
	}

	f, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	r, err := incremental.NewOpener(aead, f, nonce, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, r); err != nil {
		log.Fatal(err)
	}
	// Output: a large file
}
