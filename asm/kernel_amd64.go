//go:build !purego

package asm

import "github.com/klauspost/cpuid/v2"

//go:generate go run -C _gen . -out ../kernels_amd64.s -pkg asm

var avx2 = Kernels{
	Kernel:     AVX2,
	ProjectTwo: projectTwoAVX2, ProjectFour: projectFourAVX2, ProjectEight: projectEightAVX2,
	ProjectTight: projectTightAVX2, Split: splitAVX2,
	Fetch: fetchAVX2, MakeTable: makeTableAVX2, DrawBottoms: drawBottomsAVX2, DrawParents: drawParentsAVX2,
	DrawLeaves: drawLeavesAVX2,
	Look:       lookAVX2, PaintRun: paintRunAVX2,
}

// avx512 takes over where wider vectors, masks or 64-bit counts help.
var avx512 = Kernels{
	Kernel:     AVX512,
	ProjectTwo: projectTwoAVX2, ProjectFour: projectFourAVX2, ProjectEight: projectEightAVX2,
	ProjectTight: projectTightAVX2, Split: splitAVX2,
	Fetch: fetchAVX2, DrawBottoms: drawBottomsAVX512, DrawParents: drawParentsAVX512,
	DrawLeaves: drawLeavesAVX512,
	Look:       lookAVX512, PaintRun: paintRunEither,
}

// paintRunEither leaves short runs to the narrower vectors, which hold them and
// take less time.
func paintRunEither(p *Paint, s *Sight, first int, pixels []uint32, x int32) {
	if len(pixels) <= 8 {
		paintRunAVX2(p, s, first, pixels, x)
	} else {
		paintRunAVX512(p, s, first, pixels, x)
	}
}

// Offered lists the kernels of this CPU and build, the fastest last.
func Offered() []Kernels {
	offered := []Kernels{pureGo}
	if cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT) {
		offered = append(offered, avx2)
		if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512BW, cpuid.AVX512VL, cpuid.AVX512VBMI, cpuid.AVX512VBMI2, cpuid.AVX512VPOPCNTDQ) {
			offered = append(offered, avx512)
		}
	}
	return offered
}

// The bodies stand in kernels_amd64.s, which asm/_gen writes.

//go:noescape
func projectTwoAVX2(b *Batch, l *Lens, x, y, z, h float32)

//go:noescape
func projectFourAVX2(b *Batch, l *Lens, x, y, z, h float32)

//go:noescape
func projectEightAVX2(b *Batch, l *Lens, x, y, z, h float32)

//go:noescape
func projectTightAVX2(b *Batch, l *Lens, x, y, z, h float32)

//go:noescape
func splitAVX2(b *Batch, s *Step, x, y, scale float32)

//go:noescape
func makeTableAVX2(t *Table, l *Line)

//go:noescape
func fetchAVX2(p *uint64, lines int)

//go:noescape
func drawParentsAVX2(c *Canvas, outer *Batch, p *Parents, b *Batch, n *Bottoms, o *Offsets)

//go:noescape
func drawParentsAVX512(c *Canvas, outer *Batch, p *Parents, b *Batch, n *Bottoms, o *Offsets)

//go:noescape
func drawBottomsAVX2(c *Canvas, b *Batch, n *Bottoms, o *Offsets)

//go:noescape
func drawBottomsAVX512(c *Canvas, b *Batch, n *Bottoms, o *Offsets)

//go:noescape
func drawLeavesAVX2(c *Canvas, b *Batch, l *Leaves, r *Rays)

//go:noescape
func drawLeavesAVX512(c *Canvas, b *Batch, l *Leaves, r *Rays)

//go:noescape
func paintRunAVX2(p *Paint, s *Sight, first int, pixels []uint32, x int32)

//go:noescape
func lookAVX2(s *Sight, l *Ledger, refs []Ref, instance int32) (others, nothing uint64)

//go:noescape
func paintRunAVX512(p *Paint, s *Sight, first int, pixels []uint32, x int32)

//go:noescape
func lookAVX512(s *Sight, l *Ledger, refs []Ref, instance int32) (others, nothing uint64)
