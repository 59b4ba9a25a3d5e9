module xcipher/cmd/xcipher

go 1.26.0

require (
	github.com/schollz/progressbar/v3 v3.19.1
	github.com/secure-io/sio-go v0.3.1
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
	xcipher v0.0.0
)

require (
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
)

replace xcipher => ../..
