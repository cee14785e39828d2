//go:build !purego

package asm

import "github.com/klauspost/cpuid/v2"

//go:generate go run -C _gen . -out ../batch_amd64.s -pkg asm

var avx2 = Kernels{
	Kernel:     AVX2,
	ProjectTwo: projectTwoAVX2, ProjectFour: projectFourAVX2, ProjectEight: projectEightAVX2,
	Split: splitAVX2,
}

// Offered lists the kernels of this CPU and build, the fastest last.
func Offered() []Kernels {
	if cpuid.CPU.Supports(cpuid.AVX2) {
		return []Kernels{pureGo, avx2}
	}
	return []Kernels{pureGo}
}

// The bodies stand in batch_amd64.s, which asm/_gen writes.

//go:noescape
func projectTwoAVX2(b *Batch, l *Lens, x, y, z, h float32)

//go:noescape
func projectFourAVX2(b *Batch, l *Lens, x, y, z, h float32)

//go:noescape
func projectEightAVX2(b *Batch, l *Lens, x, y, z, h float32)

//go:noescape
func splitAVX2(b *Batch, s *Step, x, y, scale float32)
