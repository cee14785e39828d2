package svo

// path holds the nodes on the way from the root to the latest voxel. As voxels
// come in Morton order, a node that the path leaves is complete: it is written
// and counted into its parent. One pass thus writes all levels at once.
type path struct {
	tree *Tree
	// The path's nodes lie on the levels top to bottom-1. What hangs below them
	// is voxels or, above the subtrees, the roots of these.
	top, bottom int
	entered     bool
	code        uint64                    // the latest voxel
	leaf        uint32                    // id that the next voxel takes
	next        [MaxBuiltDepth + 1]uint32 // ids that the next nodes take
	open        [MaxBuiltDepth]openNode
	counts      [256]uint32 // all zero between uses
}

// openNode is a node some of whose children are still to come.
type openNode struct {
	id, first uint32
	leaf      uint32 // id of its first voxel
	mask      uint8
	brick     uint64
	sum       sum
}

// enter makes the path lead to a voxel, down to level bottom.
func (p *path) enter(code uint64, bottom int) {
	shared := p.top - 1 // the lowest level whose node stays on the path
	if p.entered {
		shared = p.tree.Depth - levels(code^p.code)
		if shared < p.bottom-1 {
			p.close(shared + 1)
		}
	}
	p.entered, p.code, p.bottom = true, code, bottom
	for level := shared + 1; level < p.bottom; level++ {
		p.open[level] = openNode{id: p.next[level], first: p.next[level+1], leaf: p.leaf}
		p.next[level]++
	}
	for level := max(shared, p.top); level < p.bottom; level++ {
		p.open[level].mask |= 1 << p.octant(level)
	}
}

// octant is where the path goes on from a level.
func (p *path) octant(level int) uint64 { return p.code >> (3 * (p.tree.Depth - 1 - level)) & 7 }

// addVoxel puts a voxel to the end of the path.
func (p *path) addVoxel(v Voxel) {
	t, id := p.tree, p.leaf
	sum := &p.open[p.bottom-1].sum
	t.Colours[id] = v.Colour
	sum.addColour(v.Colour)
	if t.Normals != nil {
		t.Normals[id] = v.Normal
		sum.addNormal(v.Normal)
	}
	if t.Materials != nil {
		t.Materials[id] = v.Material
	}
	p.leaf++
	p.next[p.bottom] = p.leaf
}

// addSubtree puts a subtree, which is written already, to the end of a path to
// its root.
func (p *path) addSubtree(s *subtree) {
	p.next, p.leaf = s.next, s.next[s.depth]
	p.enter(s.code, s.level)
	p.addNode(s.level, s.mask, &s.sum)
	p.leaf += uint32(len(s.entries))
}

// addNode adds a node on the path, or just below it, to its parent.
func (p *path) addNode(level int, mask uint8, sum *sum) {
	parent := &p.open[level-1]
	parent.brick |= uint64(mask) << (8 * p.octant(level-1))
	parent.sum.add(sum)
}

// close writes the path's nodes from the bottom up to the given level.
func (p *path) close(level int) {
	t := p.tree
	for l := p.bottom - 1; l >= level; l-- {
		n := &p.open[l]
		if int(n.id) < len(t.Nodes) {
			t.Nodes[n.id] = NewNode(n.first, n.mask)
		}
		if l < t.Depth-1 {
			t.Bricks[n.id] = n.brick
		}
		if l == t.Depth-2 {
			t.FirstLeaf[int(n.id)-t.firstBottom()] = n.leaf
		}
		t.Colours[n.id] = n.sum.colour()
		if t.Normals != nil {
			t.Normals[n.id] = n.sum.meanNormal()
		}
		if t.Materials != nil {
			t.Materials[n.id] = mostFrequent(t.Materials[n.leaf:p.leaf], &p.counts)
		}
		if l > p.top {
			p.addNode(l, n.mask, &n.sum)
		}
	}
}
