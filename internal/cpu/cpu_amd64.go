//go:build amd64 && gc && !purego

package cpu

import "golang.org/x/sys/cpu"

//go:generate env GOWORK=off go -C ../../_asm run ./cpu -out ../internal/cpu/cpu_amd64.s -stubs ../internal/cpu/cpu_amd64_stubs.go -pkg cpu

const gfniBit = 1 << 8 // of ECX, CPUID leaf 7

func init() {
	x := &cpu.X86
	AVX2 = x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasPCLMULQDQ && x.HasAES
	// x/sys tells of GFNI only where there is AVX-512; client CPUs have it without.
	// HasAVX2 stands for leaf 7 and for the operating system saving the registers.
	AVX2GFNI = AVX2 && leaf7()&gfniBit != 0
	AVX512 = AVX2GFNI &&
		x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL &&
		x.HasAVX512VBMI && x.HasAVX512VBMI2 && x.HasAVX512IFMA &&
		x.HasAVX512GFNI && x.HasAVX512VAES && x.HasAVX512VPCLMULQDQ
}
