package ortho

import (
	"math"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/project"
)

// Subtree is a node small enough that all bricks in it look alike but for their
// place: one table serves them.
type Subtree struct {
	Centre  [3]float64 // in camera space; with z = 1 in a parallel projection
	Half    float64    // half its size, in voxels
	Brick   float64    // half the size of its bricks, in voxels
	Nearest int        // the octant visited first
}

// The positions in a table are rounded: the offsets of octant and leaf, and the
// centre of the brick, by half a step each, and the phase by one.
const rounding = 2.5

// MaxSlack is the greatest width in 1/32 pixel by which perspective may widen
// the leaves of a subtree on each side.
const MaxSlack = 5

// Grid lays out the leaves of a subtree's bricks for a table. What changes
// inside the subtree widens them: bricks nearer or farther than its centre
// appear larger or smaller, and the line of sight to them is another. fits is
// false where that is more than MaxSlack, or more than a table can hold.
func (s *Subtree) Grid(p *project.Pose) (g asm.Grid, fits bool) {
	axes, depth := sheared(p, s.Centre)
	var subtree, brick [2]float64 // half extents in pixels
	for k := range 3 {
		for c := range 2 {
			brick[c] += math.Abs(axes[k][c]) * s.Brick
			subtree[c] += math.Abs(axes[k][c]) * s.Half
		}
	}
	// The relative depths that a subtree and a brick span.
	var deep, shallow float64
	if !p.View.Parallel {
		reach := p.HalfExtents()[2]
		deep = reach * s.Half / (depth - reach*s.Half)
		shallow = reach * s.Brick / (depth - reach*s.Half)
	}
	fits = true
	var half, extent [2]float64
	for c := range 2 {
		slack := asm.Unit * (deep*brick[c] + shallow*(subtree[c]+brick[c]))
		half[c] = math.Ceil(asm.Unit*brick[c]/4 + slack + rounding)
		extent[c] = math.Ceil(asm.Unit*brick[c] + slack + rounding)
		if !(slack <= MaxSlack && half[c] <= asm.MaxHalf && asm.Unit*brick[c]*.75 < asm.MaxOffset) {
			fits = false
		}
	}
	if !fits {
		return g, false
	}
	for i := range 8 {
		var d [2]float64
		for k := range 3 {
			sign := float64((i^s.Nearest)>>k&1*2 - 1)
			d[0] += sign * axes[k][0]
			d[1] += sign * axes[k][1]
		}
		g.DX[i], g.DY[i] = float32(asm.Unit*d[0]*s.Brick/2), float32(asm.Unit*d[1]*s.Brick/2)
	}
	g.HalfX, g.HalfY = int32(half[0]), int32(half[1])
	g.ReachX, g.ReachY = int32(extent[0]), int32(extent[1])
	return g, true
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
	for k, axis := range p.Axes {
		for c := range 2 {
			axes[k][c] = (axis[c] - slope[c]*axis[2]) / depth
		}
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
