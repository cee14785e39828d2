package ortho

import (
	"math"

	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
)

// Surface is a node or leaf that some pixel sees.
type Surface struct {
	Instance int32    // index of the instance it belongs to
	ID       uint32   // its id in the instance's tree
	Low      [3]int32 // its lower corner in voxels
	Edge     float64  // its size in voxels
	Level    uint8
}

// Rect is a rectangle of pixels, upper ends exclusive.
type Rect struct{ X0, X1, Y0, Y1 int }

// Canvas is a part of the picture while it is drawn: which pixels are taken,
// and what each sees. Coordinates are those of the whole picture.
//
// One instance is drawn front to back, so the first to take a pixel keeps it.
// Instances whose depths overlap can't be ordered as wholes: before such an
// instance, the pixels that it may still win are opened again, and whoever is
// nearer at the pixel's centre keeps it.
type Canvas struct {
	Rect     Rect // the part of the picture
	Cover    occlusion.Bytes
	Seen     []uint32  // per pixel of the part: 1 + index into Surfaces, 0 for nothing
	Surfaces []Surface // what is seen, in the order it was drawn
	Visits   []uint16  // nodes tested per pixel, nil if nobody asks

	poses     []project.Pose // of each instance
	laterWins bool
	contested bool // the instance being drawn competes with earlier ones
}

// Reset makes the canvas an empty picture of a rectangle. poses has one entry
// an instance; laterWins settles whose surface is seen where two lie at the
// same depth; visits asks for the count of tested nodes.
func (c *Canvas) Reset(r Rect, poses []project.Pose, laterWins, visits bool) {
	c.Rect, c.poses, c.laterWins, c.contested = r, poses, laterWins, false
	n := (r.X1 - r.X0) * (r.Y1 - r.Y0)
	c.Cover.Reset(r.X1-r.X0, r.Y1-r.Y0)
	c.Seen = cleared(c.Seen, n)
	c.Surfaces = c.Surfaces[:0]
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

// Contest opens the pixels of a rectangle that an earlier instance has taken
// and for which beatable holds: those that the next one may win. Settle ends it.
func (c *Canvas) Contest(r Rect, beatable func(instance int32) bool) {
	for y := r.Y0; y < r.Y1; y++ {
		for x := r.X0; x < r.X1; x++ {
			if seen := c.Seen[c.index(x, y)]; seen != 0 && beatable(c.Surfaces[seen-1].Instance) {
				c.Cover.Reopen(x-c.Rect.X0, y-c.Rect.Y0)
				c.contested = true
			}
		}
	}
}

// Settle closes the pixels that Contest has opened.
func (c *Canvas) Settle(r Rect) {
	if !c.contested {
		return
	}
	c.contested = false
	for y := r.Y0; y < r.Y1; y++ {
		for x := r.X0; x < r.X1; x++ {
			if c.Seen[c.index(x, y)] != 0 {
				c.Cover.Take(x-c.Rect.X0, y-c.Rect.Y0)
			}
		}
	}
}

// AnyOpen tells whether a pixel of the rectangle is still open.
func (c *Canvas) AnyOpen(r Rect) bool {
	return c.Cover.AnyOpen(r.X0-c.Rect.X0, r.X1-c.Rect.X0, r.Y0-c.Rect.Y0, r.Y1-c.Rect.Y0)
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

// Splat lets a surface take every open pixel of its footprint.
func (c *Canvas) Splat(r Rect, s *Surface) {
	pen := pen{canvas: c, surface: s}
	for y := r.Y0; y < r.Y1; y++ {
		row := c.Cover.Row(y - c.Rect.Y0)
		for x := r.X0; x < r.X1; x++ {
			if row[x-c.Rect.X0] == 0 {
				pen.take(x, y)
			}
		}
	}
}

// Cube lets a leaf take every open pixel of the rectangle whose centre its cube
// covers.
func (c *Canvas) Cube(r Rect, s *Surface) {
	cube, seen := c.poses[s.Instance].Rays.Cube(s.Low, s.Edge)
	if !seen {
		return
	}
	pen := pen{canvas: c, surface: s}
	for y := r.Y0; y < r.Y1; y++ {
		row := c.Cover.Row(y - c.Rect.Y0)
		line := cube.Row(y)
		for x := r.X0; x < r.X1; x++ {
			if row[x-c.Rect.X0] == 0 && line.Covers(x) {
				pen.take(x, y)
			}
		}
	}
}

// Depth is the depth of a surface at the centre of pixel (x, y), and the face
// seen: 2*axis, plus 1 for the face towards higher coordinates. Where the ray
// passes the cube by, as it may at level of detail, it is the depth of the
// cube's nearest corner.
func (c *Canvas) Depth(s *Surface, x, y int) (depth float64, face int) {
	pose := &c.poses[s.Instance]
	depth, face, hit := pose.Rays.Hit(s.Low, s.Edge, x, y)
	if !hit {
		half := s.Edge / 2
		centre := pose.ToCamera(float64(s.Low[0])+half, float64(s.Low[1])+half, float64(s.Low[2])+half)
		depth = centre[2] - half*pose.HalfExtents()[2]
	}
	return depth, face
}

func (c *Canvas) index(x, y int) int {
	return (y-c.Rect.Y0)*(c.Rect.X1-c.Rect.X0) + x - c.Rect.X0
}

// pen puts one surface on the canvas; it is entered into the list when the
// first pixel sees it.
type pen struct {
	canvas  *Canvas
	surface *Surface
	entry   uint32
}

func (p *pen) take(x, y int) {
	c := p.canvas
	c.Cover.Take(x-c.Rect.X0, y-c.Rect.Y0)
	seen := &c.Seen[c.index(x, y)]
	if *seen != 0 && !c.wins(p.surface, &c.Surfaces[*seen-1], x, y) {
		return
	}
	if p.entry == 0 {
		c.Surfaces = append(c.Surfaces, *p.surface)
		p.entry = uint32(len(c.Surfaces))
	}
	*seen = p.entry
}

// tie is the relative difference of depths below which two surfaces lie at the
// same place: far above rounding, far below anything a picture shows.
const tie = 1e-9

// wins tells whether surface a is seen before surface b at a pixel.
func (c *Canvas) wins(a, b *Surface, x, y int) bool {
	depthA, _ := c.Depth(a, x, y)
	depthB, _ := c.Depth(b, x, y)
	if math.Abs(depthA-depthB) > tie*math.Abs(depthB) {
		return depthA < depthB
	}
	return a.Instance > b.Instance == c.laterWins
}

// SeenRow is the part of Seen for row y of the picture.
func (c *Canvas) SeenRow(y int) []uint32 {
	return c.Seen[c.index(c.Rect.X0, y):c.index(c.Rect.X1, y)]
}

// VisitsRow is the part of Visits for row y of the picture.
func (c *Canvas) VisitsRow(y int) []uint16 {
	return c.Visits[c.index(c.Rect.X0, y):c.index(c.Rect.X1, y)]
}
