package svo

import "math/bits"

// brick is the mask of an inner node's grandchildren: that of the child in
// octant o in bits 8*o to 8*o+7. The children must be inner nodes too.
func (t *Tree) brick(n Node) uint64 {
	brick := uint64(0)
	child := n.First()
	for mask := n.Mask(); mask != 0; mask &= mask - 1 {
		brick |= uint64(t.Nodes[child].Mask()) << (8 * bits.TrailingZeros8(mask))
		child++
	}
	return brick
}
