// Package ortho is the end of the traversal, where a node is so small that
// perspective no longer shows: subdividing on the screen, and putting nodes and
// voxels onto the canvas.
package ortho

import (
	"math"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// NewStep prepares to subdivide a node on the screen: its octants lie by fixed
// offsets around its centre, their octants by half of these, and so on (seeds
// of the method, "Orthographic Mode": midpoints between every edge). The node's
// centre is given in camera space, its half size in voxels; x and y are its
// centre in pixels.
//
// What perspective would still move is at most the node's half extent on the
// screen times its relative depth; the footprints are widened by as much. Both
// are measured along the node's own line of sight: the original compares the
// corners' pixels, which away from the middle of the picture never agree.
func NewStep(p *project.Pose, centre [3]float64, half float64) (s asm.Step, x, y float64) {
	axes, depth := sheared(p, centre)
	cx, cy := p.View.Principal() // as the lens has them, in single precision
	x, y = centre[0]/depth+float64(float32(cx)), centre[1]/depth+float64(float32(cy))
	var extent [2]float64
	for k := range 3 {
		for c := range 2 {
			extent[c] += math.Abs(axes[k][c]) * half
		}
	}
	for o := range 8 {
		var d [2]float64
		for k := range 3 {
			sign := float64(o>>k&1*2 - 1)
			d[0] += sign * axes[k][0] * half / 2
			d[1] += sign * axes[k][1] * half / 2
		}
		s.DX[o], s.DY[o] = float32(d[0]), float32(d[1])
	}
	s.EX, s.EY = float32(extent[0]/2), float32(extent[1]/2)
	s.Margin = float32(p.View.Margin())
	if !p.View.Parallel {
		reach := p.HalfExtents()[2] * half
		s.Margin += float32(math.Max(extent[0], extent[1]) * reach / (depth - reach))
	}
	return s, x, y
}

// sheared are the tree's axes on the screen, for one voxel, as seen along the
// line of sight to a point in camera space; and the depth by which they were
// divided.
func sheared(p *project.Pose, point [3]float64) (axes [3][2]float64, depth float64) {
	depth = point[2]
	slope := [2]float64{point[0] / depth, point[1] / depth}
	if p.View.Parallel {
		depth, slope = 1, [2]float64{}
	}
	perDepth := 1 / depth
	for k := range p.Axes {
		axis := &p.Axes[k]
		axes[k][0] = (axis[0] - slope[0]*axis[2]) * perDepth
		axes[k][1] = (axis[1] - slope[1]*axis[2]) * perDepth
	}
	return axes, depth
}
