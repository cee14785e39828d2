package svo

import (
	"fmt"
	"math/bits"
)

// packed tells whether the nodes of level Depth-1 are left out of Nodes.
func (t *Tree) packed() bool { return t.FirstLeaf != nil }

// firstBottom is the id of the first node of level Depth-2 of a packed tree.
func (t *Tree) firstBottom() int { return len(t.Nodes) - len(t.FirstLeaf) }

// checkPacked tells what is wrong with the order of a packed tree, in which the
// masks tell all ids: a child comes after those of all nodes before. A tree
// that passes can be walked safely.
func (t *Tree) checkPacked() error {
	if t.Depth < 2 || len(t.FirstLeaf) == 0 || len(t.FirstLeaf) > len(t.Nodes) || len(t.Bricks) != len(t.Nodes) {
		return fmt.Errorf("octree: depth %d, %d nodes, %d bricks and %d first leaves don't belong together; the tree is damaged",
			t.Depth, len(t.Nodes), len(t.Bricks), len(t.FirstLeaf))
	}
	start, end := 0, uint32(1) // of a level
	for level := range t.Depth - 1 {
		next := end
		for id := start; id < int(end); id++ {
			n := t.Nodes[id]
			if n.First() != next {
				return fmt.Errorf("octree: node %d on level %d: its first child is %d instead of %d, which comes next; the tree is damaged", id, level, n.First(), next)
			}
			if err := t.checkNode(uint32(id), n, level); err != nil {
				return err
			}
			next += uint32(bits.OnesCount8(n.Mask()))
		}
		if level == t.Depth-2 && (start != t.firstBottom() || int(end) != len(t.Nodes)) {
			return fmt.Errorf("octree: level %d has the nodes %d to %d, but of %d nodes the last %d have first leaves; the tree is damaged",
				level, start, end-1, len(t.Nodes), len(t.FirstLeaf))
		}
		start, end = int(end), next
	}
	leaf := uint64(end)
	for i, first := range t.FirstLeaf {
		id := t.firstBottom() + i
		brick := t.Bricks[id]
		if mask := nonZeroBytes(brick); mask != t.Nodes[id].Mask() {
			return fmt.Errorf("octree: brick %d is %#x, with children in the octants %#x, but its node has them in %#x; the tree is damaged", id, brick, mask, t.Nodes[id].Mask())
		}
		if uint64(first) != leaf {
			return fmt.Errorf("octree: node %d on level %d: its first leaf is %d instead of %d, which comes next; the tree is damaged", id, t.Depth-2, first, leaf)
		}
		leaf += uint64(bits.OnesCount64(brick))
		if leaf > uint64(len(t.Colours)) {
			return fmt.Errorf("octree: node %d on level %d: its last leaf is %d, but there are only %d ids; the tree is damaged or cut off", id, t.Depth-2, leaf-1, len(t.Colours))
		}
	}
	for id, first := range t.grandchildren {
		if want := t.Nodes[t.Nodes[id].First()].First(); first != want {
			return fmt.Errorf("octree: node %d: its first grandchild is %d instead of %d; the tree is damaged", id, first, want)
		}
	}
	return nil
}

// nonZeroBytes has bit o set where byte o is not 0.
func nonZeroBytes(brick uint64) (mask uint8) {
	for o := range 8 {
		if uint8(brick>>(8*o)) != 0 {
			mask |= 1 << o
		}
	}
	return mask
}
