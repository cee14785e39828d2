package render

import "math/bits"

// drawCrossed draws some bricks of a bottom node that is crossed by an axis plane
// of the camera: it has no one order for all that is in it, so its bricks are
// drawn one by one, and where they are crossed too, octant by octant. The node
// begins at low and is so long; it is seen at (x, y).
func (t *traverser) drawCrossed(bricks uint8, low [3]int32, edge float64, nearest int, x, y float64) {
	w := &t.bricks
	b := &w.bottom
	words := b.Words
	for i := range 8 {
		brick := i ^ nearest
		if bricks>>brick&1 == 0 {
			continue
		}
		rank := bits.OnesCount32(b.Mask & (1<<brick - 1))
		corner := octantAt(low, edge, brick)
		own, crossed := t.pose.Rays.Nearest(corner, edge/2)
		if !crossed {
			b.Words = words
			t.drawOrdered(1<<brick, own, x, y)
			continue
		}
		// All its parts share one record.
		b.Words = w.part[:]
		record, next := b.Next, b.Next
		for j := range 8 {
			octant := j ^ own
			w.part[rank] = words[rank] & (0xff << (8 * octant))
			if w.part[rank] != 0 {
				own, _ := t.pose.Rays.Nearest(octantAt(corner, edge/2, octant), edge/4)
				b.Next = record
				t.drawOrdered(1<<brick, own, x, y)
				next = max(next, b.Next)
			}
		}
		b.Next = next
	}
}
