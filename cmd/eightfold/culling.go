package main

import (
	"math"

	"github.com/cfef80af/eightfold/render"
)

// cullingFlags set the thresholds of the culling ladder, and leave rungs out.
type cullingFlags struct {
	MinSize  float64 `group:"Culling" placeholder:"PX" help:"Leave out instances whose radius in the picture is below so many pixels."`
	Subpixel float64 `group:"Culling" placeholder:"PX" help:"Leave out instances, and nodes of their octrees, smaller than this both across and down; 0.4 is hardly seen."`
	Without  string  `group:"Culling" placeholder:"RUNGS" help:"Leave out rungs of the culling ladder: all, or some of ${rungs}, separated by commas. The picture is the same, unless a threshold is left out."`
}

func (c *cullingFlags) check() error {
	switch {
	case !(c.MinSize >= 0) || math.IsInf(c.MinSize, 0):
		return usage("--min-size %g: must be a number of pixels, 0 or more", c.MinSize)
	case !(c.Subpixel >= 0 && c.Subpixel <= render.MaxLOD):
		return usage("--subpixel %g: must be 0 to %g pixels", c.Subpixel, render.MaxLOD)
	}
	if _, err := render.ParseRungs(c.Without); err != nil {
		return usage("--without: %v", err)
	}
	return nil
}

// set takes the flags over into the options; check has found nothing.
func (c *cullingFlags) set(o *render.Options) {
	o.Subpixel.Threshold = c.Subpixel
	o.Without, _ = render.ParseRungs(c.Without)
}

// culled prints what became of the instances that were not drawn.
func culled(c *render.InstanceCounts, row func(name string, n, of int, whole string)) {
	for _, fate := range []struct {
		name string
		n    int
	}{
		{"outside the view, in groups", c.Frustum}, {"outside the picture", c.Bounds}, {"cut away", c.Section},
		{"smaller than --min-size", c.ScreenSize}, {"smaller than --subpixel", c.Subpixel},
		{"occluded", c.Occlusion}, {"copies of others", c.Copies},
	} {
		if fate.n > 0 {
			row("  "+fate.name, fate.n, c.Tested, "instances")
		}
	}
}
