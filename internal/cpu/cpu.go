// Package cpu names the instruction sets that kernels are written for.
//
// A tier is one boolean that stands for every CPU bit its kernels use, so that
// none can be forgotten where a kernel is chosen. golang.org/x/sys/cpu does the
// detection, including that of the operating system's support, and obeys
// GODEBUG=cpu.avx512f=off, cpu.avx2=off and so on. Without assembly (other
// architectures, the build tag purego) all tiers are false.
package cpu

// The tiers. Each implies those after it.
var (
	AVX512   bool // F, BW, DQ, VL, VBMI, VBMI2, IFMA, GFNI, VAES, VPCLMULQDQ, and AVX2GFNI
	AVX2GFNI bool // GFNI in its VEX form, and AVX2
	AVX2     bool // AVX2, BMI1, BMI2, PCLMULQDQ, AES
)
