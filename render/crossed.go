package render

import (
	"math/bits"

	"github.com/cfef80af/eightfold/project"
)

// An axis plane of the camera, through the eye along two axes of the tree, parts
// what is seen, for no ray passes through it: the pixels on one side of it see what
// lies there, in the one order that this has. A bottom node that is crossed by such
// planes is drawn sector by sector, each between all of them.

// sector is the part of a bottom node, and of the picture, on one side of some
// planes.
type sector struct {
	across uint8 // the axes that the planes cross
	side   uint8 // of these, those along which it is on the high side
	on     bool  // the planes themselves instead: pixels too close to tell
}

// drawCrossed draws some bricks of a bottom node that is crossed by axis planes of
// the camera. nearest is its octant on the camera's side.
func (t *traverser) drawCrossed(s *stroke, bricks uint8, nearest int) {
	w := &t.bricks.bottom
	n := &w.single
	words, mask := n.Bricks, uint32(n.Nodes[0]&0xff)
	const layers = 8 // of leaves
	from, to := t.pose.Rays.Layers(s.parent.lowOf(s.octant), s.parent.edge/2, layers)
	all := sector{on: true}
	for k := range from {
		if 0 < to[k] && from[k] < layers {
			all.across |= 1 << k
		}
	}
	n.Bricks = w.part[:]
	for side := all.across; ; side = (side - 1) & all.across {
		s.sector = sector{across: all.across, side: side}
		drawn := uint8(0)
		for rest := bricks; rest != 0; rest &= rest - 1 {
			brick := bits.TrailingZeros8(rest)
			rank := bits.OnesCount32(mask & (1<<brick - 1))
			if w.part[rank] = words[rank] & s.sector.leaves(brick, &from, &to); w.part[rank] != 0 {
				drawn |= 1 << brick
			}
		}
		if drawn != 0 {
			t.drawOrdered(s, drawn, nearest&^int(all.across)|int(all.across&^side))
		}
		if side == 0 {
			break
		}
	}
	n.Bricks, s.sector = words, all
	t.drawOrdered(s, bricks, nearest)
}

// leaves are those of a brick that are in a sector; from and to are what
// project.Rays.Layers tells. Those that a plane runs through are on both sides.
func (s sector) leaves(brick int, from, to *[3]int) uint64 {
	leaves := ^uint64(0)
	for k := range from {
		if s.across>>k&1 == 0 {
			continue
		}
		before := brick >> k & 1 * 4 // layers of leaves
		if s.side>>k&1 != 0 {
			leaves &^= lowLayers[k][min(max(from[k]-before, 0), 4)]
		} else {
			leaves &= lowLayers[k][min(max(to[k]-before, 0), 4)]
		}
	}
	return leaves
}

// sides are the pixels of a window on the low and on the high side of the planes
// across the axes.
type sides struct {
	x, y      int
	known     bool
	low, high [3]uint64
}

// pixels are those of a window whose rays are in the sector.
func (s *stroke) pixels(rays *project.Rays, x, y int) uint64 {
	pixels, across := uint64(everyPixel), s.sector.across
	if across == 0 {
		return pixels
	}
	w := &s.sides
	if !w.known || w.x != x || w.y != y {
		w.x, w.y, w.known = x, y, true
		for k := range w.low {
			if across>>k&1 != 0 {
				w.low[k], w.high[k] = rays.Sides(k, x, y)
			}
		}
	}
	between := uint64(0)
	for k := range w.low {
		if across>>k&1 == 0 {
			continue
		}
		between |= ^(w.low[k] | w.high[k])
		if s.sector.side>>k&1 != 0 {
			pixels &= w.high[k]
		} else {
			pixels &= w.low[k]
		}
	}
	if s.sector.on {
		return between
	}
	return pixels
}

// lowLayers are the leaves in the lowest 0 to 4 layers of a brick across an axis.
var lowLayers = func() (leaves [3][5]uint64) {
	for k := range leaves {
		for n := range leaves[k] {
			for leaf := range 64 {
				if layer := leaf>>3>>k&1*2 + leaf>>k&1; layer < n {
					leaves[k][n] |= 1 << leaf
				}
			}
		}
	}
	return leaves
}()
