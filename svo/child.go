package svo

import (
	"math/bits"
	"unsafe"
)

// Root is the root, 0 in an empty tree. Its id is 0.
func (t *Tree) Root() Node {
	if len(t.Nodes) == 0 {
		return 0
	}
	return t.Nodes[0]
}

// Child is the child in an octant (0 to 7), which must not be empty, of a node
// that is known with its id and its level: from the root down, this is the way
// to every node of any tree. Of a leaf there is but the id, its node is 0.
func (t *Tree) Child(parent uint32, node Node, level, octant int) (id uint32, child Node) {
	id = node.Child(octant)
	if level < t.Depth-1 && int(id) < len(t.Nodes) {
		return id, t.Nodes[id]
	}
	return id, t.lowest(parent, level, octant)
}

// lowest is the child, on level Depth-1, of a node of a packed tree: its mask is
// a byte of the brick, its first leaf comes after those of the bytes below. A
// leaf's is 0.
func (t *Tree) lowest(parent uint32, level, octant int) Node {
	if level == t.Depth-1 {
		return 0
	}
	brick, shift := t.Bricks[parent], 8*(octant&7)
	first := t.FirstLeaf[int(parent)-t.firstBottom()] + uint32(bits.OnesCount64(brick&(1<<shift-1)))
	return NewNode(first, uint8(brick>>shift))
}

// Inner is how many ids inner nodes have, which are the lowest. Where no nodes
// are shared the leaves have all others.
func (t *Tree) Inner() int {
	if len(t.FirstLeaf) > 0 {
		return int(t.FirstLeaf[0])
	}
	return len(t.Nodes)
}

// GrandchildIDs are the ids of the first grandchildren of the nodes of a level,
// beginning with node from, where grandchildren follow one another: the
// grandchild that is bit b of a node's brick comes after as many as there are
// bits below. It is nil where nodes may be shared.
func (t *Tree) GrandchildIDs(level int) (ids []uint32, from uint32) {
	switch {
	case !t.packed() || level > t.Depth-2:
		return nil, 0
	case level == t.Depth-2:
		return t.FirstLeaf, uint32(t.firstBottom())
	}
	return t.grandchildren, 0
}

// findGrandchildren fills in what GrandchildIDs tells of the levels above
// Depth-2.
func (t *Tree) findGrandchildren() {
	t.grandchildren = make([]uint32, t.firstBottom())
	for i := range t.grandchildren {
		t.grandchildren[i] = t.Nodes[t.Nodes[i].First()].First()
	}
}

// maxShared is the greatest number of nodes for which a tree that is not packed
// lists all grandchildren.
const maxShared = 1 << 14

// SharedGrandchildren has, in a small tree that New made, for each node the ids
// of its 64 grandchildren by the bits of its brick; nil in others. It ends with
// the last node that has grandchildren: where those whose children are voxels
// have the greatest ids, it is much the smaller for it.
func (t *Tree) SharedGrandchildren() []uint32 { return t.sharedGrandchildren }

// hasGrandchildren tells whether a node's children may be nodes themselves.
func (t *Tree) hasGrandchildren(n Node) bool { return int(n.First()) < len(t.Nodes) }

// findSharedGrandchildren fills in what SharedGrandchildren tells.
func (t *Tree) findSharedGrandchildren() {
	nodes := t.Nodes
	for len(nodes) > 0 && !t.hasGrandchildren(nodes[len(nodes)-1]) {
		nodes = nodes[:len(nodes)-1]
	}
	if len(nodes) > maxShared {
		return
	}
	t.sharedGrandchildren = make([]uint32, 64*len(nodes))
	for id, node := range nodes {
		for bit := range 64 {
			if !node.Has(bit >> 3) {
				continue
			}
			if child := node.Child(bit >> 3); int(child) < len(t.Nodes) && t.Nodes[child].Has(bit&7) {
				t.sharedGrandchildren[64*id+bit] = t.Nodes[child].Child(bit & 7)
			}
		}
	}
}

// Bytes are colours as bytes: red, green and blue of one after the other.
func Bytes(colours []Colour) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(colours))), 3*len(colours))
}

// Words are nodes as the numbers they are.
func Words(nodes []Node) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.SliceData(nodes)), len(nodes))
}
