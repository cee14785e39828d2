package ortho

import (
	"math"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// Fan makes the tables for the bricks of an instance when they are first looked
// at: one for each order of visiting and each line of sight to some columns, or
// rows, of the picture. They serve bricks of every size and in any place, so
// that they stay valid while the camera moves without turning.
type Fan struct {
	// Made counts the tables made.
	Made int

	tables []asm.Table // by the octant visited first, axis and line of sight
	steps  [2][lines]float64
	// made tells for which axes a table was made: it is valid where it has the
	// present generation.
	made       [8][2][lines]uint32
	generation uint32

	// What the tables are made for.
	axes     [3][3]float64
	perLine  [2]float64 // pixels from one line of sight to the next
	perPixel [2]float64 // its inverse; 0 in a parallel projection
	middle   [2]float64 // the line of sight to the principal point
	last     [2]float64
	perDepth float64 // half a brick at depth 1 is at most so deep
	around   float64 // how far the centres of bricks are from that of their node at most, in pixels
	parallel bool

	width, reach float64 // half the width and depth of a brick of half size 1
	grid         asm.Grid
}

// lines is how many lines of sight a fan holds along each axis.
const lines = 160

// slopes is how many lines of sight there are at most for a focal length:
// between two of them a leaf moves by less than 1/64 of a brick's depth.
const slopes = 64

// The half width of a brick and of a leaf, in places of a table.
const (
	brickHalf = 116
	leafHalf  = brickHalf / 4
)

// rounding widens a leaf by what is lost to whole places: half of one by the
// offset of the octant, by that of the leaf and by the place itself, and what
// the rounding of the brick's centre and size makes of one.
const rounding = 2.05

// thinnest is the part of a brick's width that the places of a table cover at
// least, along the other axis, too: where it appears thinner than that, it does
// not take up all of them.
const thinnest = 1. / 10

// mostPerDepth bounds what perspective may change within a brick; closer
// bricks have to be smaller.
const mostPerDepth = 1. / 32

// Set prepares the fan for an instance; bricks will appear at most pixels wide.
func (f *Fan) Set(p *project.Pose, pixels float64) {
	if f.tables == nil {
		f.tables = make([]asm.Table, 8*2*lines)
	}
	v := p.View
	parallel := v.Parallel
	around := pixels * .55
	perDepth := math.Min(mostPerDepth, around/v.Focal)
	r := p.HalfExtents()
	f.width, f.reach = math.Max(r[0], r[1]), r[2]
	var perLine [2]float64
	for c, side := range [2]int{v.Width, v.Height} {
		// A brick may be seen whose centre is some pixels outside.
		perLine[c] = math.Max(v.Focal/slopes, (float64(side)+24)/(lines-1))
	}
	if f.generation != 0 && f.axes == p.Axes && f.perLine == perLine && f.perDepth == perDepth && f.around == around && f.parallel == parallel {
		return
	}
	f.axes, f.perLine, f.perDepth, f.around, f.parallel = p.Axes, perLine, perDepth, around, parallel
	f.generation++
	for c, side := range [2]int{v.Width, v.Height} {
		f.last[c] = math.Ceil((float64(side) + 24) / perLine[c])
		f.perPixel[c] = 1 / perLine[c]
		if parallel {
			f.last[c], f.perPixel[c] = 0, 0
		}
		f.middle[c] = f.last[c] / 2
	}
}

// Serves tells whether the tables serve the bricks of a node: its centre's depth
// in camera space, and half the size of its bricks in voxels. They don't where
// perspective shows within a brick: a point q from its centre appears at
//
//	(q - slope*qz) / (z + qz)
//
// from it, where the tables have (q - slope*qz) / z.
func (f *Fan) Serves(depth, half float64) bool {
	return f.parallel || half*f.reach*(1+2*f.perDepth) <= f.perDepth*depth
}

// Aim gives a node of bricks its tables, and tells it what they count in; it
// has its place and the octant visited first.
func (f *Fan) Aim(k *asm.Kernels, b *asm.Bottom, x, y float64) {
	line := [2]int{f.line(0, x), f.line(1, y)}
	nearest := int(b.Nearest)
	for c, n := range line {
		if made := &f.made[nearest][c][n]; *made != f.generation {
			*made = f.generation
			f.make(k, nearest, c, n)
		}
	}
	b.Columns, b.Rows = f.table(nearest, 0, line[0]), f.table(nearest, 1, line[1])
	stepX, stepY := float32(f.steps[0][line[0]])/b.H, float32(f.steps[1][line[1]])/b.H
	b.StepX, b.StepY = stepX, stepY
	b.ReachX, b.ReachY = asm.Reach/stepX, asm.Reach/stepY
}

// line is the line of sight nearest to a place in pixels from the principal
// point.
func (f *Fan) line(c int, at float64) int {
	n := at*f.perPixel[c] + f.middle[c]
	switch {
	case !(n > 0):
		return 0
	case n > f.last[c]:
		return int(f.last[c])
	}
	return int(n + .5)
}

func (f *Fan) table(nearest, c, line int) *asm.Table {
	return &f.tables[(nearest*2+c)*lines+line]
}

// make makes the table for a line of sight.
func (f *Fan) make(k *asm.Kernels, nearest, c, line int) {
	slope := (float64(line) - f.middle[c]) * f.perLine[c]
	if f.parallel {
		slope = 0
	}
	var axes [3]float64
	extent := 0.
	for i, a := range f.axes {
		axes[i] = a[c] - slope*a[2]
		extent += math.Abs(axes[i])
	}
	perVoxel := brickHalf / math.Max(extent, thinnest*f.width)
	f.steps[c][line] = perVoxel * asm.StepUnit
	widening := rounding
	if !f.parallel {
		widening += brickHalf*f.perDepth + perVoxel*f.reach*(f.perLine[c]/2+f.around)
	}
	// What can't be held is taken to cover more than it does, never less.
	f.grid.Half = int32(math.Min(math.Ceil(leafHalf+widening), asm.MaxReach-brickHalf*3/4-1))
	// Away from the octant visited first; half a place back, since a place begins
	// before its number.
	for i := range axes {
		axes[i] *= perVoxel / 2
		if nearest>>i&1 != 0 {
			axes[i] = -axes[i]
		}
	}
	for i := range 8 {
		d := -1. / 3
		for k, a := range axes {
			if i>>k&1 == 0 {
				a = -a
			}
			d += a
		}
		f.grid.D[i] = float32(d)
	}
	f.Made++
	k.MakeTable(f.table(nearest, c, line), &f.grid)
}
