package svo

import (
	"iter"
	"math/bits"
)

// Bounds are the coordinates of the voxels: low <= voxel < high on each axis.
// Both are zero for an empty tree.
func (t *Tree) Bounds() (low, high [3]uint32) { return t.min, t.max }

// Voxels is how many voxels the tree holds, those of shared nodes as often as
// they occur. It stays at the greatest uint64 where there are more.
func (t *Tree) Voxels() uint64 { return t.voxels }

// At finds the voxel at a place. It returns the leaf's id, and false where
// there is no voxel.
func (t *Tree) At(x, y, z uint32) (id uint32, ok bool) {
	if len(t.Nodes) == 0 || (x|y|z)>>t.Depth != 0 {
		return 0, false
	}
	n := t.Root()
	for level := range t.Depth {
		bit := t.Depth - 1 - level
		o := int(x>>bit&1 | y>>bit&1<<1 | z>>bit&1<<2)
		if !n.Has(o) {
			return 0, false
		}
		id, n = t.Child(id, n, level, o)
	}
	return id, true
}

// All yields the place and the id of every voxel, in Morton order. Shared nodes
// are followed each time they occur: what is yielded may have no practical end.
func (t *Tree) All() iter.Seq2[[3]uint32, uint32] { return t.Level(t.Depth) }

// Level yields, in Morton order, the lowest corner and the id of every node of
// a level, or of the voxels where level is Depth. Other levels have no nodes.
func (t *Tree) Level(level int) iter.Seq2[[3]uint32, uint32] {
	return func(yield func([3]uint32, uint32) bool) {
		if len(t.Nodes) > 0 && 0 <= level && level <= t.Depth {
			t.visit(0, t.Root(), 0, [3]uint32{}, level, yield)
		}
	}
}

// visit yields what lies below a node on the level last. It returns false once
// yield has.
func (t *Tree) visit(id uint32, n Node, level int, corner [3]uint32, last int, yield func([3]uint32, uint32) bool) bool {
	if level == last {
		return yield(corner, id)
	}
	half := uint32(1) << (t.Depth - 1 - level)
	for mask := n.Mask(); mask != 0; mask &= mask - 1 {
		o := uint32(bits.TrailingZeros8(mask))
		at := [3]uint32{corner[0] + half*(o&1), corner[1] + half*(o>>1&1), corner[2] + half*(o>>2)}
		child, node := t.Child(id, n, level, int(o))
		if !t.visit(child, node, level+1, at, last, yield) {
			return false
		}
	}
	return true
}
