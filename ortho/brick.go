package ortho

import (
	"math"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// Pattern is what a table is made for: bricks of one size, visited in one order,
// near one place. Others that look alike, up to a small slack by which all
// leaves are widened, are served by the same table.
type Pattern struct {
	half    float64    // half the size of a brick, in voxels
	nearest int        // the octant visited first
	depth   float64    // of the place
	slope   [2]float64 // of the line of sight to it
	extent  [2]float64 // half the size of a brick there, in pixels
	slack   float64    // in 1/32 pixel
}

// The positions in a table are rounded: the offsets of octant and leaf, and the
// centre of the brick, by half a step each, and the phase by one.
const rounding = 2.5

// The slack in 1/32 pixel. Between bricks of one node perspective makes a
// difference of its own; a pattern allows at least leastSlack, or that and
// moreSlack. A difference of more than mostSlack is too much.
const (
	leastSlack = 1.5
	moreSlack  = .5
	mostSlack  = 2
)

// NewPattern lays out a table for the bricks of a node: its centre is given in
// camera space (with z = 1 in a parallel projection), half the size of its
// bricks in voxels, and the octant visited first. fits is false where
// perspective makes its bricks too different, or they are more than a table can
// hold.
func NewPattern(p *project.Pose, centre [3]float64, half float64, nearest int) (t Pattern, g asm.Grid, fits bool) {
	axes, depth := sheared(p, centre)
	t = Pattern{half: half, nearest: nearest, depth: depth, slope: [2]float64{centre[0] / depth, centre[1] / depth}}
	fits = true
	for c := range 2 {
		for k := range 3 {
			t.extent[c] += math.Abs(axes[k][c]) * half
		}
		fits = fits && asm.Unit*t.extent[c]*.75 < asm.MaxOffset
	}
	t.slack = math.Max(leastSlack, t.slackAt(p, centre)+moreSlack)
	width, height := math.Ceil(asm.Unit*t.extent[0]/4+t.slack+rounding), math.Ceil(asm.Unit*t.extent[1]/4+t.slack+rounding)
	if !(fits && t.slack <= mostSlack && width <= asm.MaxHalf && height <= asm.MaxHalf) {
		return Pattern{}, g, false
	}
	g.HalfX, g.HalfY = int32(width), int32(height)
	g.ReachX = int32(math.Ceil(asm.Unit*t.extent[0] + t.slack + rounding))
	g.ReachY = int32(math.Ceil(asm.Unit*t.extent[1] + t.slack + rounding))
	for c, d := range [2]*[8]float32{&g.DX, &g.DY} {
		// From the centre along each axis, away from the octant visited first.
		var a [3]float64
		for k := range a {
			a[k] = axes[k][c] * asm.Unit / 2 * half
			if nearest>>k&1 != 0 {
				a[k] = -a[k]
			}
		}
		for i, sum := range [4]float64{-a[0] - a[1], a[0] - a[1], a[1] - a[0], a[0] + a[1]} {
			d[i], d[i+4] = float32(sum-a[2]), float32(sum+a[2])
		}
	}
	return t, g, true
}

// Serves tells whether the bricks of another node, given as for NewPattern, are
// served by the same table.
func (t *Pattern) Serves(p *project.Pose, centre [3]float64, half float64, nearest int) bool {
	return t.half == half && t.nearest == nearest && t.slackAt(p, centre) <= t.slack
}

// slackAt is by how many 1/32 pixels a leaf of a node's bricks may lie beside
// its place in the table. A point q from a brick's centre appears at
//
//	(q - slope*qz) / (z + qz)
//
// from it, z and slope being those of the brick; the table has the pattern's.
func (t *Pattern) slackAt(p *project.Pose, centre [3]float64) (slack float64) {
	if p.View.Parallel {
		return 0
	}
	reach := p.HalfExtents()[2] * t.half // how deep half a brick is
	near := centre[2] - 2*reach          // the least z + qz
	if !(near > 0) {
		return math.Inf(1)
	}
	perNear, perDepth := 1/near, 1/centre[2]
	scale := (math.Abs(centre[2]-t.depth) + 2*reach) * perNear
	shallow := reach * perNear
	for c := range 2 {
		turn := math.Abs(centre[c]*perDepth - t.slope[c])
		turn += 2 * (t.extent[c]*(1+scale) + turn*shallow) // from the node's centre to its bricks'
		if s := asm.Unit * (scale*t.extent[c] + shallow*turn); s > slack {
			slack = s // math.Max costs as much as the rest
		}
	}
	return slack
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

// Offsets lead to the octants of a node in the order of visiting, for the eight
// orders.
func Offsets(p *project.Pose) (all [8]asm.Offsets) {
	for nearest := range all {
		o := &all[nearest]
		for i := range 8 {
			d := p.Octant(i^nearest, 1)
			o.DX[i], o.DY[i], o.DZ[i] = float32(d[0]), float32(d[1]), float32(d[2])
			if p.View.Parallel {
				o.DZ[i] = 0
			}
		}
	}
	return all
}

// InOrder puts a mask of octants into the order of visiting.
func InOrder(mask uint8, nearest int) uint8 { return inOrder[nearest][mask] }

var inOrder = func() (table [8][256]uint8) {
	for nearest := range table {
		for mask := range table[nearest] {
			for i := range 8 {
				table[nearest][mask] |= uint8(mask>>(i^nearest)&1) << i
			}
		}
	}
	return table
}()

// HalfBrick is the brick of a node whose octants are leaves: each leaf as the
// eight octants that it would have.
func HalfBrick(mask uint8) uint64 {
	const firstBits = 0x0101010101010101
	// Bit o of the mask comes to bit 0 of byte o.
	spread := (uint64(mask) * firstBits) & 0x8040201008040201
	return ((spread + 0x7f7f7f7f7f7f7f7f) >> 7 & firstBits) * 0xff
}
