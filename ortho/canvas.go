package ortho

import (
	"math"
	"slices"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// Rect is a rectangle of pixels, upper ends exclusive.
type Rect = occlusion.Rect

// Canvas is a part of the picture while it is drawn: which pixels are taken,
// and what each sees. Coordinates are those of the whole picture.
//
// One instance is drawn front to back, so the first to take a pixel keeps it.
// Instances whose depths overlap can't be ordered as wholes: between Begin and
// End such an instance is drawn on a layer of its own, over pixels that are
// opened again if it may win them, and the layer is merged by the depth at each
// pixel's centre.
type Canvas struct {
	Rect    Rect // the part of the picture
	Strips  *occlusion.Strips
	Records []Record
	Patches []Patch
	Visits  []uint16 // nodes tested per pixel, nil if nobody asks

	cover     occlusion.Coverage // the same buffer as Strips, if that is set
	seen      []Ref
	layer     []Ref
	contest   contest
	target    []Ref // seen, or the layer while an instance is contested
	poses     []project.Pose
	trees     []*svo.Tree
	laterWins bool
}

// NewCanvas makes a canvas with a kind of coverage buffer.
func NewCanvas(kind occlusion.Kind) Canvas {
	c := Canvas{cover: occlusion.New(kind)}
	c.Strips, _ = c.cover.(*occlusion.Strips)
	return c
}

// Scene is what a canvas has to know to tell surfaces apart: the tree and the
// pose of each instance, and whose surface is seen where two lie at the same
// depth.
type Scene struct {
	Trees     []*svo.Tree
	Poses     []project.Pose
	LaterWins bool
}

// Reset makes the canvas an empty picture of a rectangle; visits asks for the
// count of tested nodes.
func (c *Canvas) Reset(r Rect, s Scene, visits bool) {
	c.Rect, c.trees, c.poses, c.laterWins = r, s.Trees, s.Poses, s.LaterWins
	n := (r.X1 - r.X0) * (r.Y1 - r.Y0)
	c.cover.Reset(r.X1-r.X0, r.Y1-r.Y0)
	c.seen = cleared(c.seen, n)
	c.target = c.seen
	// Entry 0 means nothing, see Ref.
	c.Records, c.Patches = append(c.Records[:0], Record{}), c.Patches[:0]
	if visits {
		c.Visits = cleared(c.Visits, n)
	}
}

func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// each visits the pixels of a rectangle by their place on the canvas.
func (c *Canvas) each(r Rect, visit func(x, y, i int)) {
	for y := r.Y0; y < r.Y1; y++ {
		for x := r.X0; x < r.X1; x++ {
			visit(x-c.Rect.X0, y-c.Rect.Y0, c.index(x, y))
		}
	}
}

// AnyOpen tells whether a pixel of the rectangle may still be open.
func (c *Canvas) AnyOpen(r Rect) bool {
	return c.cover.AnyOpen(r.X0-c.Rect.X0, r.X1-c.Rect.X0, r.Y0-c.Rect.Y0, r.Y1-c.Rect.Y0)
}

// Visit counts a node tested on each pixel of the rectangle.
func (c *Canvas) Visit(r Rect) {
	for y := r.Y0; y < r.Y1; y++ {
		row := c.Visits[c.index(r.X0, y):c.index(r.X1, y)]
		for i := range row {
			if row[i]++; row[i] == 0 {
				row[i]-- // stays at the greatest number
			}
		}
	}
}

// Splat lets a node take every open pixel of its footprint.
func (c *Canvas) Splat(r Rect, id uint32, p *Patch) {
	pen := pen{canvas: c, id: id, patch: p}
	c.each(r, func(x, y, i int) {
		if c.cover.Open(x, y) {
			pen.take(x, y, i)
		}
	})
}

// Cube lets a leaf take every open pixel of the rectangle whose centre its cube
// covers.
func (c *Canvas) Cube(r Rect, id uint32, p *Patch) {
	cube, seen := c.poses[p.Instance()].Rays.Cube(p.Low, math.Ldexp(1, c.trees[p.Instance()].Depth-p.Level()))
	if !seen {
		return
	}
	pen := pen{canvas: c, id: id, patch: p}
	for y := r.Y0; y < r.Y1; y++ {
		line := cube.Row(y)
		for x := r.X0; x < r.X1; x++ {
			if c.cover.Open(x-c.Rect.X0, y-c.Rect.Y0) && line.Covers(x) {
				pen.take(x-c.Rect.X0, y-c.Rect.Y0, c.index(x, y))
			}
		}
	}
}

// pen puts one node on the canvas; it is entered into the lists when the first
// pixel sees it.
type pen struct {
	canvas *Canvas
	id     uint32
	patch  *Patch
	ref    Ref
}

func (p *pen) take(x, y, i int) {
	c := p.canvas
	if p.ref == 0 {
		p.ref = NewRef(len(c.Records), 0)
		c.Records = append(c.Records, Record{ID: p.id, Place: NewPlace(len(c.Patches), 0)})
		c.Patches = append(c.Patches, *p.patch)
	}
	c.cover.Take(x, y)
	c.target[i] = p.ref
}

func (c *Canvas) index(x, y int) int {
	return (y-c.Rect.Y0)*(c.Rect.X1-c.Rect.X0) + x - c.Rect.X0
}

// SeenRow is what the pixels of row y of the picture see.
func (c *Canvas) SeenRow(y int) []Ref {
	return c.seen[c.index(c.Rect.X0, y):c.index(c.Rect.X1, y)]
}

// VisitsRow is the part of Visits for row y of the picture.
func (c *Canvas) VisitsRow(y int) []uint16 {
	return c.Visits[c.index(c.Rect.X0, y):c.index(c.Rect.X1, y)]
}

// Turns numbers the nodes of which some pixel is seen, beginning with 1, in the
// order of drawing: the turn of each patch, to be looked up by Patch; 0 for those
// that nobody sees. It uses turns' memory.
func (c *Canvas) Turns(turns []uint32) []uint32 {
	turns = cleared(turns, len(c.Patches))
	for _, ref := range c.seen {
		if ref != 0 {
			turns[c.Patch(ref)] = 1
		}
	}
	turn := uint32(0)
	for i := range turns {
		if turns[i] != 0 {
			turn++
			turns[i] = turn
		}
	}
	return turns
}

// Patch is the index of the patch of what a pixel sees; r must not be 0.
func (c *Canvas) Patch(r Ref) int { return int(c.Records[r>>6].Place >> 3) }

// Kernel is the canvas as the drawing kernels see it, until the instance ends.
// It needs the strip buffer.
func (c *Canvas) Kernel() asm.Canvas {
	return asm.Canvas{
		Cells: c.Strips.Pixels.Cells, Height: c.Strips.Pixels.Height,
		Seen: c.target, Width: c.Rect.X1 - c.Rect.X0,
		X: int32(c.Rect.X0), Y: int32(c.Rect.Y0),
	}
}

// Place enters a patch and returns the place of its octant 0; it makes sure
// that so many records can be added.
func (c *Canvas) Place(p Patch, records int) uint32 {
	c.Patches = append(c.Patches, p)
	c.Records = slices.Grow(c.Records, records)
	return NewPlace(len(c.Patches)-1, 0)
}

// Reserve makes sure that so many records can be added and returns the index of
// the first.
func (c *Canvas) Reserve(records int) uint32 {
	c.Records = slices.Grow(c.Records, records)
	return uint32(len(c.Records))
}

// EnterLeaves enters a node of leaves, with a record at an index that was
// reserved, and returns its patch, which is yet to be filled. Records left out
// before it are seen by nobody.
func (c *Canvas) EnterLeaves(record int, node svo.Node) *Patch {
	c.Records = c.Records[:record+1]
	r := &c.Records[record]
	r.Leaves, r.ID, r.Place = asm.HalfBrick(node.Mask()), node.First(), NewPlace(len(c.Patches), 0)
	n := len(c.Patches)
	c.Patches = slices.Grow(c.Patches, 1)[:n+1]
	return &c.Patches[n]
}
