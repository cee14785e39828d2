package main

import (
	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// variant is a way to draw: a name and what it changes in the options. nil
// changes nothing.
type variant struct {
	name   string
	change func(o *render.Options)
}

// apply returns the options as the variant wants them.
func (v variant) apply(o render.Options) render.Options {
	if v.change != nil {
		v.change(&o)
	}
	return o
}

// over is v on top of another variant.
func (v variant) over(base variant) variant {
	return variant{v.name, func(o *render.Options) { *o = v.apply(base.apply(*o)) }}
}

// The two cores with every optimisation there is.
var (
	bricks  = variant{"bricks", func(o *render.Options) { o.Core = render.CoreBricks }}
	classic = variant{"classic", func(o *render.Options) { o.Core = render.CoreClassic }}
)

// What can be left out of the classic core, by the name of what takes its place.
var (
	fourPoints   = variant{"4 points", func(o *render.Options) { o.Projection = project.FourPoints }}
	eightCorners = variant{"8 corners", func(o *render.Options) { o.Projection = project.EightCorners }}
	sortAll      = variant{"sort every node", func(o *render.Options) { o.SortAll = true }}
	noOrtho      = variant{"no orthographic mode", func(o *render.Options) { o.NoOrtho = true }}
	byteCoverage = variant{"byte coverage", func(o *render.Options) { o.Coverage = occlusion.ByteCoverage }}
)

// kernels are the kernels offered here up to the given one, the slowest first.
func kernels(best asm.Kernel) (list []variant) {
	for _, offered := range asm.Offered() {
		kernel := offered.Kernel
		list = append(list, variant{"kernels: " + kernel.String(), func(o *render.Options) { o.Kernel = kernel }})
		if kernel == best {
			break
		}
	}
	return list
}

// ablation is a core, and that core without each of its optimisations.
type ablation struct {
	full    variant
	without []variant
}

// ablations are those of both cores, drawing with the given kernels.
func ablations(kernel asm.Kernel) []ablation {
	all := kernels(kernel)
	slower := all[:len(all)-1]
	finer := variant{"nodes of 1 px, not 1.05", func(o *render.Options) { o.LOD = render.DefaultLOD }}
	list := []ablation{
		{bricks, append([]variant{classic, finer}, slower...)},
		{classic, append([]variant{fourPoints, eightCorners, sortAll, noOrtho, byteCoverage}, slower...)},
	}
	for _, a := range list {
		for i := range a.without {
			a.without[i] = a.without[i].over(a.full)
		}
	}
	return list
}

// comparison is a table of some ways to draw.
type comparison struct {
	title string
	rows  []variant
}

// comparisons are the tables of the source document, of the core that is the
// document's own, the slower way first; and the kernels of the brick core.
func comparisons(kernel asm.Kernel) []comparison {
	list := []comparison{
		{"projection", []variant{eightCorners, fourPoints, {name: "2 corners"}}},
		{"order", []variant{sortAll, {name: "inherit"}}},
		{"orthographic mode", []variant{{"off", noOrtho.change}, {name: "on"}}},
		{"coverage", []variant{{"bytes", byteCoverage.change}, {name: "strips of bits"}}},
	}
	for _, c := range list {
		for i := range c.rows {
			c.rows[i] = c.rows[i].over(classic)
		}
	}
	return append(list, comparison{"kernels", kernels(kernel)})
}
