package svo

import (
	"fmt"
	"math/bits"
)

// survey is what a walk over all levels finds out about a tree.
type survey struct {
	levels  []uint64 // nodes of each level, the voxels last, as often as they occur
	bricks  []uint64
	low     [3]uint32
	high    [3]uint32
	reached bitset // ids that occur, as inner nodes or as leaves
	leaves  bitset // ids that occur as leaves
}

// survey walks the tree level by level, each node once on every level where it
// occurs: shared nodes cost no more than others. It fails at the first node
// that can't be passed safely. There must be attributes for every node.
func (t *Tree) survey() (survey, error) {
	s := survey{
		levels:  make([]uint64, t.Depth+1),
		reached: newBitset(len(t.Colours)),
		leaves:  newBitset(len(t.Colours)),
	}
	if len(t.Nodes) == 0 {
		return s, nil
	}
	if t.packed() {
		if err := t.checkPacked(); err != nil {
			return s, err
		}
	}
	next := frontier{slot: make([]uint32, t.Inner())}
	next.add(0, t.Root(), 1)
	var here []member
	for level := range t.Depth {
		here, next.members = next.members, here[:0]
		for _, m := range here {
			if err := t.checkNode(m.id, m.node, level); err != nil {
				return s, err
			}
			s.reached.set(m.id)
			s.levels[level] = saturate(s.levels[level], m.ways)
			if level == t.Depth-1 {
				s.addLeaves(m)
				continue
			}
			brick := uint64(0)
			for mask := m.node.Mask(); mask != 0; mask &= mask - 1 {
				o := bits.TrailingZeros8(mask)
				child, node := t.Child(m.id, m.node, level, o)
				next.add(child, node, m.ways)
				brick |= uint64(node.Mask()) << (8 * o)
			}
			s.setBrick(m.id, brick)
		}
	}
	for i := range s.reached {
		s.reached[i] |= s.leaves[i]
	}
	for axis := range 3 {
		s.low[axis] = t.extreme(axis, 0, &next)
		s.high[axis] = t.extreme(axis, 1, &next) + 1
	}
	return s, nil
}

// checkNode tells what is wrong with a node on a level.
func (t *Tree) checkNode(id uint32, n Node, level int) error {
	known, kind := len(t.Nodes), "nodes"
	if level == t.Depth-1 || t.packed() && level == t.Depth-2 {
		known, kind = len(t.Colours), "ids"
	}
	last := uint64(n.First()) + uint64(bits.OnesCount8(n.Mask())) - 1
	switch {
	case n>>40 != 0:
		return fmt.Errorf("octree: node %d on level %d: %#x: bits above the 40th must be 0; the tree is damaged", id, level, uint64(n))
	case n.Mask() == 0:
		return fmt.Errorf("octree: node %d on level %d holds nothing: clear its octant in its parent's mask", id, level)
	case last >= uint64(known):
		return fmt.Errorf("octree: node %d on level %d: its last child on level %d is %d, but there are only %d %s; the tree is damaged or cut off",
			id, level, level+1, last, known, kind)
	}
	return nil
}

// addLeaves counts the leaves of a node of level Depth-1.
func (s *survey) addLeaves(m member) {
	leaves := &s.levels[len(s.levels)-1]
	first, count := m.node.First(), uint32(bits.OnesCount8(m.node.Mask()))
	for leaf := first; leaf-first < count; leaf++ {
		s.leaves.set(leaf)
		*leaves = saturate(*leaves, m.ways)
	}
}

func (s *survey) setBrick(id uint32, brick uint64) {
	if missing := int(id) + 1 - len(s.bricks); missing > 0 {
		s.bricks = append(s.bricks, make([]uint64, missing)...)
	}
	s.bricks[id] = brick
}

// extreme is the lowest (side 0) or highest (side 1) coordinate of any voxel.
// On each level only the nodes in the outermost slab matter: the children on
// their outer side if there are any, else those on the inner side.
func (t *Tree) extreme(axis, side int, slab *frontier) uint32 {
	high := [3]uint8{0b10101010, 0b11001100, 0b11110000}[axis]
	coordinate := uint32(0)
	here := []member{{node: t.Root()}}
	for level := range t.Depth {
		octants := high
		if side == 0 {
			octants = ^high
		}
		if !anyHas(here, octants) {
			octants = ^octants
		}
		coordinate <<= 1
		if octants == high {
			coordinate++
		}
		if level == t.Depth-1 {
			break
		}
		slab.members = slab.members[:0]
		for _, m := range here {
			for mask := m.node.Mask() & octants; mask != 0; mask &= mask - 1 {
				id, node := t.Child(m.id, m.node, level, bits.TrailingZeros8(mask))
				slab.add(id, node, 0)
			}
		}
		here, slab.members = slab.members, here
	}
	return coordinate
}

func anyHas(nodes []member, octants uint8) bool {
	for _, m := range nodes {
		if m.node.Mask()&octants != 0 {
			return true
		}
	}
	return false
}
