package witness

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/svo"
)

// window is a rectangle of the picture, in pixels.
type window struct{ x0, y0, x1, y1 float64 }

// around is the window of the 3x3 pixels whose middle one is (i, j).
func around(i, j int) window {
	x, y := float64(i), float64(j)
	return window{x - 1, y - 1, x + 2, y + 2}
}

// raysPerPixel is the side of the grid of rays that searches a pixel, and
// smallFootprint the edge in pixels from which a voxel cannot hide between
// those rays: whatever way it is turned, a circle of that diameter fits in.
const (
	raysPerPixel   = 8
	smallFootprint = 0.25
)

// search casts a dense grid of rays into a window until one of them pleases.
func (p *Picture) search(w window, pleases func(Hit) bool) bool {
	const step = 1.0 / raysPerPixel
	for y := w.y0 + step/2; y < w.y1; y += step {
		for x := w.x0 + step/2; x < w.x1; x += step {
			if pleases(p.cast(x, y)) {
				return true
			}
		}
	}
	return false
}

// empty tells whether there is nothing at all in a window. Rays find what is
// larger than a quarter of a pixel; smaller voxels, which could lie between
// them, are looked for by their outlines.
func (p *Picture) empty(w window) bool {
	for m := range p.spaces {
		sp := &p.spaces[m]
		if sp.tree != nil && p.smallVoxelIn(w, sp, 0, sp.tree.Root(), 0, [3]int32{}) {
			return false
		}
	}
	return !p.search(w, func(h Hit) bool { return h.seen() })
}

// smallVoxelIn tells whether a leaf of at most smallFootprint pixels below a
// node touches the window, by the rectangle around its outline.
func (p *Picture) smallVoxelIn(w window, sp *space, id uint32, node svo.Node, level int, corner [3]int32) bool {
	size := int32(1) << (sp.tree.Depth - level)
	o := p.outline(sp, corner, size)
	if !o.crossesEye && (o.x1 < w.x0 || o.x0 > w.x1 || o.y1 < w.y0 || o.y0 > w.y1) {
		return false
	}
	if o.z1 <= 0 && !p.lens.parallel {
		return false
	}
	if !o.crossesEye && (level == sp.tree.Depth || p.scene.MaxFootprint > 0) {
		footprint := sp.edge * float64(size) * p.lens.pixels(o.z0)
		if level == sp.tree.Depth || footprint < p.scene.MaxFootprint {
			return footprint <= smallFootprint
		}
	}
	if level == sp.tree.Depth {
		return false
	}
	for octant := range 8 {
		if !node.Has(octant) {
			continue
		}
		c := corner
		for axis := range c {
			if octant>>axis&1 != 0 {
				c[axis] += size / 2
			}
		}
		childID, child := sp.tree.Child(id, node, level, octant)
		if p.smallVoxelIn(w, sp, childID, child, level+1, c) {
			return true
		}
	}
	return false
}

// outline is what bounds a cube on the screen, and its range in depth.
type outline struct {
	window
	z0, z1     float64
	crossesEye bool // part of it is not in front of the eye: the window has no meaning
}

// around tells whether a point of the picture is inside, or less than a pixel
// off, so that no rounding matters.
func (o *outline) around(x, y float64) bool {
	return o.crossesEye || x > o.x0-1 && x < o.x1+1 && y > o.y0-1 && y < o.y1+1
}

// outline projects the eight corners of a cube of the tree.
func (p *Picture) outline(sp *space, corner [3]int32, size int32) outline {
	inf := math.Inf(1)
	o := outline{window{inf, inf, -inf, -inf}, inf, -inf, false}
	for i := range 8 {
		var v mgl64.Vec3
		for axis := range v {
			v[axis] = float64(corner[axis]) + float64(size)*float64(i>>axis&1)
		}
		x, y, z := p.lens.at(mgl64.TransformCoordinate(v, sp.matrix))
		o.x0, o.x1 = min(o.x0, x), max(o.x1, x)
		o.y0, o.y1 = min(o.y0, y), max(o.y1, y)
		o.z0, o.z1 = min(o.z0, z), max(o.z1, z)
	}
	o.crossesEye = o.z0 <= 0 && !p.lens.parallel
	return o
}
