package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// renderReport is what --json prints about a model drawn; --stats prints the
// same as a table.
type renderReport struct {
	Model    string           `json:"model"`
	Output   string           `json:"output,omitempty"`
	Frame    int              `json:"frame"`
	Size     [2]int           `json:"size"`
	Samples  int              `json:"samples"`
	Section  []float64        `json:"section,omitempty"` // as --section takes it
	Camera   cameraReport     `json:"camera"`
	Core     string           `json:"core"`
	Kernel   string           `json:"kernel"`
	Threads  int              `json:"threads"`
	Counters render.Stats     `json:"counters"`
	Culling  render.ViewStats `json:"culling"`
	Switches render.DrawStats `json:"switches"`
	MS       timesReport      `json:"ms"`

	times render.Times // of the last drawing
}

// cameraReport is the camera in the form that the flags take: a picture can be
// drawn again from it. It has either a field of view or a scale.
type cameraReport struct {
	Eye    mgl64.Vec3 `json:"eye"`
	Target mgl64.Vec3 `json:"target"`
	Up     mgl64.Vec3 `json:"up"`
	Fov    float64    `json:"fov,omitempty"`
	Scale  float64    `json:"scale,omitempty"`
}

func newCameraReport(c project.Camera) cameraReport {
	return cameraReport{c.Eye, c.Target, c.Up, c.FovY, c.Scale}
}

// timesReport holds milliseconds. Cull, traverse and resolve are those of the
// last drawing, the latter two summed over threads; draw is the wall clock of a
// drawing, the median and the least of all. A drawing is all samples of a
// picture.
type timesReport struct {
	Load     float64 `json:"load"`
	Cull     float64 `json:"cull"`
	Traverse float64 `json:"traverse"`
	Resolve  float64 `json:"resolve"`
	Draw     float64 `json:"draw"`
	DrawMin  float64 `json:"draw_min"`
	Repeat   int     `json:"repeat"`
	Write    float64 `json:"write"`
}

// draw takes over what drawing counted and how long each drawing took.
func (r *renderReport) draw(renderer *render.Renderer, stats render.Stats, times []time.Duration) {
	r.Culling, r.Switches = renderer.CullStats().Views[0], renderer.DrawStats()
	r.Counters, r.times = stats, stats.Times
	r.MS.Cull = milliseconds(stats.Cull)
	r.MS.Traverse = milliseconds(stats.Traverse)
	r.MS.Resolve = milliseconds(stats.Resolve)
	times = slices.Sorted(slices.Values(times))
	r.MS.Draw = milliseconds((times[(len(times)-1)/2] + times[len(times)/2]) / 2)
	r.MS.DrawMin = milliseconds(times[0])
	r.MS.Repeat = len(times)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// table prints the counters and times for people, with the shares that matter.
func (r *renderReport) table(w io.Writer) {
	c := r.Counters
	fmt.Fprintf(w, "%s, %dx%d pixels, core %s, kernels %s, threads %d\n", r.Model, r.Size[0], r.Size[1], r.Core, r.Kernel, r.Threads)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, n, of int, whole string) {
		share := ""
		if of > 0 {
			share = fmt.Sprintf("%.1f %% of %s", 100*float64(n)/float64(of), whole)
		}
		// The name stands outside of the right-aligned cells.
		fmt.Fprintf(t, "  %-32s\t%s\t  %s\n", name, grouped(n), share)
	}
	row("instances", c.Instances, 0, "")
	culled(&r.Culling.Instances, row)
	row("nodes tested", c.Tested, 0, "")
	row("  behind the camera", c.Behind, c.Tested, "nodes")
	row("  outside the picture", c.Outside, c.Tested, "nodes")
	row("  between pixel centres", c.Empty, c.Tested, "nodes")
	row("  below a pixel", c.Subpixel, c.Tested, "nodes")
	row("  occluded", c.Occluded, c.Tested, "nodes")
	row("  opened", c.Opened, c.Tested, "nodes")
	row("  drawn", c.Drawn, c.Tested, "nodes")
	row("    as exact cubes", c.Cubes, c.Drawn, "nodes drawn")
	row("batches of eight", c.Batches, 0, "")
	row("  orthographic", c.OrthoBatches, c.Batches, "batches")
	row("  of bricks", c.Bottoms, c.Batches, "batches")
	row("tables for bricks", c.Tables, 0, "")
	row("orders of children", c.OrderInherited+c.OrderDecided, 0, "")
	row("  inherited", c.OrderInherited, c.OrderInherited+c.OrderDecided, "orders")
	row("  decided anew", c.OrderDecided, c.OrderInherited+c.OrderDecided, "orders")
	row("pixels that see the model", c.Pixels, r.Size[0]*r.Size[1], "pixels")
	ms := func(name string, v float64, note string) { fmt.Fprintf(t, "  %-32s\t%.3f\t  ms%s\n", name, v, note) }
	ms("load", r.MS.Load, "")
	ms("cull", r.MS.Cull, "")
	ms("traverse", r.MS.Traverse, ", summed over threads")
	ms("  walking down in perspective", milliseconds(r.times.LevelA), "")
	ms("  tables, bricks and nodes", milliseconds(r.times.Ortho), "")
	ms("  exact cubes", milliseconds(r.times.Leaves), "")
	ms("  instances in front of others", milliseconds(r.times.Contest), "")
	ms("resolve", r.MS.Resolve, ", summed over threads")
	ms("  colours", milliseconds(r.times.Shade), "")
	if r.MS.Repeat > 1 {
		ms("draw, median", r.MS.Draw, fmt.Sprintf(" of %d", r.MS.Repeat))
		ms("draw, least", r.MS.DrawMin, "")
	} else {
		ms("draw", r.MS.Draw, "")
	}
	if r.Output != "" {
		ms("write", r.MS.Write, "")
	}
	t.Flush()
}

// grouped writes a count in groups of three digits.
func grouped[N int | uint64](n N) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
