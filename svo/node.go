package svo

import "math/bits"

// Node is one inner node of an octree: the mask of its non-empty octants and
// the id of the first of its children. Children are packed: an octant's child
// has the id first + (how many non-empty octants have a lower index). The low
// 8 bits hold the mask, the 32 bits above it the first child's id.
//
// Octant o covers x + 2y + 4z: bit 0 of o is set on the high side of the
// node's mid-plane across x, bit 1 across y, bit 2 across z.
type Node uint64

// NewNode returns a node whose non-empty octants are the set bits of mask and
// whose children have the ids first, first+1, and so on.
func NewNode(first uint32, mask uint8) Node { return Node(first)<<8 | Node(mask) }

// Mask tells which octants are not empty: bit o for octant o.
func (n Node) Mask() uint8 { return uint8(n) }

// First is the id of the child in the lowest non-empty octant.
func (n Node) First() uint32 { return uint32(n >> 8) }

// Has tells whether octant o (0 to 7) is not empty.
func (n Node) Has(o int) bool { return n>>o&1 != 0 }

// Child is the id of the child in octant o (0 to 7), which must not be empty.
func (n Node) Child(o int) uint32 {
	return n.First() + uint32(bits.OnesCount8(n.Mask()&(1<<o-1)))
}
