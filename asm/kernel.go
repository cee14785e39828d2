// Package asm holds the vector kernels and the pure Go twin of each, which is
// its specification: both give the same bytes.
//
// A batch is the eight octants of a node, one to a vector lane. The kernels
// never round a product and a sum together and never use an approximate
// reciprocal, so that every maker's processor gives the same picture.
package asm

import (
	"fmt"
	"strings"
)

// Kernel names a family of kernels.
type Kernel int

// The kernels.
const (
	Auto Kernel = iota // the fastest this CPU offers
	Go                 // the pure Go twins
	AVX2
	AVX512
)

var kernelNames = [...]string{Auto: "auto", Go: "go", AVX2: "avx2", AVX512: "avx512"}

// String is the kernel's name as ParseKernel takes it.
func (k Kernel) String() string {
	if k < 0 || int(k) >= len(kernelNames) {
		return fmt.Sprintf("Kernel(%d)", int(k))
	}
	return kernelNames[k]
}

// ParseKernel is the kernel of a name: auto, go, avx2 or avx512.
func ParseKernel(name string) (Kernel, error) {
	for k, n := range kernelNames {
		if n == name {
			return Kernel(k), nil
		}
	}
	return Auto, fmt.Errorf("kernel %q: must be one of %s", name, strings.Join(kernelNames[:], ", "))
}

// Project projects the eight octants, of half size h, of the node whose centre
// in camera space is (x, y, z).
type Project func(b *Batch, l *Lens, x, y, z, h float32)

// Split puts the eight octants of a node around its centre (x, y) on the
// screen, in pixels. scale is 1 for the node that the step was made for, 1/2
// for its children, and so on.
type Split func(b *Batch, s *Step, x, y, scale float32)

// Kernels is one family, ready to be called.
type Kernels struct {
	Kernel Kernel // never Auto
	// The three ways to bound an octant on the screen.
	ProjectTwo, ProjectFour, ProjectEight Project
	// ProjectTight bounds them closest, but not across the near plane.
	ProjectTight Project
	Split        Split
	Fetch        func(p *uint64, lines int) // asks for cache lines; nil in Go
	MakeTable    MakeTable                  // nil where DrawBottoms takes Spans
	DrawBottoms  DrawBottoms
	DrawParents  DrawParents
	DrawLeaves   DrawLeaves
	Look         Look
	PaintRun     PaintRun
}

var pureGo = Kernels{
	Kernel:     Go,
	ProjectTwo: projectTwoGo, ProjectFour: projectFourGo, ProjectEight: projectEightGo,
	ProjectTight: projectTightGo, Split: splitGo,
	MakeTable: makeTableGo, DrawBottoms: drawBottomsGo, DrawParents: drawParentsGo, DrawLeaves: drawLeavesGo,
	Look: lookGo, PaintRun: paintRunGo,
}

// Select returns the kernels of a family, or an error where this CPU, or this
// build, does not offer them. Auto always succeeds.
func Select(k Kernel) (Kernels, error) {
	offered := Offered()
	if k == Auto {
		return offered[len(offered)-1], nil
	}
	for _, o := range offered {
		if o.Kernel == k {
			return o, nil
		}
	}
	return Kernels{}, fmt.Errorf("kernel %v: not offered by this CPU or this build; use auto or go", k)
}
