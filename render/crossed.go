package render

import "math/bits"

// drawCrossed draws some bricks of a bottom node that is crossed by an axis plane
// of the camera: it has no one order for all that is in it, so its bricks are
// drawn one by one, and where they are crossed too, octant by octant.
func (t *traverser) drawCrossed(s *stroke, bricks uint8, nearest int) {
	w := &t.bricks.bottom
	n := &w.single
	words, mask := n.Bricks, uint32(n.Nodes[0]&0xff)
	low, edge := s.parent.lowOf(s.octant), s.parent.edge/2
	for i := range 8 {
		brick := i ^ nearest
		if bricks>>brick&1 == 0 {
			continue
		}
		corner := octantAt(low, edge, brick)
		own, crossed := t.pose.Rays.Nearest(corner, edge/2)
		if !crossed {
			n.Bricks = words
			t.drawOrdered(s, 1<<brick, own)
			continue
		}
		n.Bricks = w.part[:]
		rank := bits.OnesCount32(mask & (1<<brick - 1))
		for j := range 8 {
			octant := j ^ own
			w.part[rank] = words[rank] & (0xff << (8 * octant))
			if w.part[rank] != 0 {
				own, _ := t.pose.Rays.Nearest(octantAt(corner, edge/2, octant), edge/4)
				t.drawOrdered(s, 1<<brick, own)
			}
		}
	}
}
