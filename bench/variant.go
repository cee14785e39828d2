package main

import (
	"github.com/cfef80af/eightfold/asm"
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

// full is the core with every optimisation there is.
var full = variant{name: "full"}

// leftOut are the optimisations of a core with the given kernels that can be
// left out, by the name of what takes their place.
func leftOut(kernel asm.Kernel) []variant {
	list := []variant{
		{"four points", func(o *render.Options) { o.Projection = project.FourPoints }},
		{"eight corners", func(o *render.Options) { o.Projection = project.EightCorners }},
		{"sort every node", func(o *render.Options) { o.SortAll = true }},
		{"no orthographic mode", func(o *render.Options) { o.NoOrtho = true }},
	}
	for _, offered := range asm.Offered() { // the slowest first
		if offered.Kernel == kernel {
			break
		}
		list = append(list, variant{"kernels: " + offered.Kernel.String(), func(o *render.Options) { o.Kernel = offered.Kernel }})
	}
	return list
}

// comparison is one of the tables of the source document.
type comparison struct {
	title string
	rows  []variant
}

// comparisons are those tables, the slower way first.
func comparisons() []comparison {
	return []comparison{
		{"projection", []variant{
			{"8 corners", func(o *render.Options) { o.Projection = project.EightCorners }},
			{"4 points", func(o *render.Options) { o.Projection = project.FourPoints }},
			{"2 corners", func(o *render.Options) { o.Projection = project.TwoCorners }},
		}},
		{"order", []variant{
			{"sort every node", func(o *render.Options) { o.SortAll = true }},
			{"inherit", func(o *render.Options) { o.SortAll = false }},
		}},
		{"orthographic mode", []variant{
			{"off", func(o *render.Options) { o.NoOrtho = true }},
			{"on", func(o *render.Options) { o.NoOrtho = false }},
		}},
	}
}
