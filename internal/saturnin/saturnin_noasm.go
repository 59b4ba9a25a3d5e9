//go:build !(amd64 && gc && !purego)

package saturnin

type (
	kernelConstants struct{}
	kernelKeys      struct{}
)

func (dom *Domain) expand() {}

func (c *Cipher) expandKernels() {}

func (dom *Domain) cascade(t *[KeySize]byte, data []byte, last *Domain, block *[BlockSize]byte) {
	dom.cascadeBoth(t, data, last, block)
}

func (c *Cipher) encryptBlocks(dst, src []byte) { c.encryptGeneric(dst, src) }

func (c *Cipher) decryptBlocks(dst, src []byte) { c.decryptGeneric(dst, src) }

func (c *Cipher) xorCounter(dst, src, ctr []byte, from, to int) {
	c.xorCounterGeneric(dst, src, ctr, from, to)
}
