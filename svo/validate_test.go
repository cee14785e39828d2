package svo

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// full is packed with all nodes: 0; 1, 2; 3, 4.
func full(t require.TestingT) *Tree {
	p := packed(t)
	nodes := append(p.Nodes, NewNode(5, 3), NewNode(7, 1<<5))
	tree, err := New(3, nodes, p.Colours, p.Normals, p.Materials)
	require.NoError(t, err)
	return tree
}

// packed is a valid packed tree of depth 3 with all attributes: nodes 0; 1, 2;
// 3, 4, which are left out; voxels 5 to 7.
func packed(t require.TestingT) *Tree {
	b := NewBuilder(3)
	for i, at := range [][3]uint32{{0, 0, 0}, {1, 0, 0}, {7, 6, 5}} {
		require.NoError(t, b.Add(at[0], at[1], at[2], Voxel{Colour{uint8(i)}, uint8(1 + i), Normal(1 + i)}))
	}
	tree, err := b.Build(context.Background())
	require.NoError(t, err)
	return tree
}

// flaw is a way to spoil a tree, and what Validate says of it.
type flaw struct {
	name  string
	spoil func(*Tree)
	want  string
}

func requireFlaws(t *testing.T, sample func(require.TestingT) *Tree, flaws []flaw) {
	require.NoError(t, sample(t).Validate())
	for _, flaw := range flaws {
		t.Run(flaw.name, func(t *testing.T) {
			tree := sample(t)
			flaw.spoil(tree)
			require.EqualError(t, tree.Validate(), flaw.want)
			tree.Stats() // must not panic
		})
	}
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	requireFlaws(t, full, []flaw{
		{"depth 0", func(t *Tree) { t.Depth = 0 }, "octree: depth 0: must be 1 to 30"},
		{"depth 31", func(t *Tree) { t.Depth = 31 }, "octree: depth 31: must be 1 to 30"},
		{"too shallow", func(t *Tree) { t.Depth = 2 }, "octree: id 5 of 8 is neither a node nor a voxel of the tree: nothing leads to it; leave it out"},
		{"too deep", func(t *Tree) { t.Depth = 4 }, "octree: node 3 on level 2: its last child on level 3 is 6, but there are only 5 nodes; the tree is damaged or cut off"},
		{"child beyond the nodes", func(t *Tree) { t.Nodes[1] = NewNode(5, 1) }, "octree: node 1 on level 1: its last child on level 2 is 5, but there are only 5 nodes; the tree is damaged or cut off"},
		{"voxel beyond the ids", func(t *Tree) { t.Nodes[4] = NewNode(8, 1) }, "octree: node 4 on level 2: its last child on level 3 is 8, but there are only 8 ids; the tree is damaged or cut off"},
		{"id beyond 32 bits", func(t *Tree) { t.Nodes[3] = NewNode(1<<32-1, 3) }, "octree: node 3 on level 2: its last child on level 3 is 4294967296, but there are only 8 ids; the tree is damaged or cut off"},
		{"stray bits", func(t *Tree) { t.Nodes[2] |= 1 << 40 }, "octree: node 2 on level 1: 0x10000000408: bits above the 40th must be 0; the tree is damaged"},
		{"empty root", func(t *Tree) { t.Nodes[0] = 0 }, "octree: node 0 on level 0 holds nothing: clear its octant in its parent's mask"},
		{"empty node", func(t *Tree) { t.Nodes[4] = NewNode(7, 0) }, "octree: node 4 on level 2 holds nothing: clear its octant in its parent's mask"},
		{"no colours", func(t *Tree) { t.Colours = nil }, "octree: 0 colours for 5 nodes: every node and voxel needs one"},
		{"colour missing", func(t *Tree) { t.Colours = t.Colours[:7]; t.Normals = nil; t.Materials = nil }, "octree: node 4 on level 2: its last child on level 3 is 7, but there are only 7 ids; the tree is damaged or cut off"},
		{"normal missing", func(t *Tree) { t.Normals = t.Normals[:7] }, "octree: 7 normals for 8 colours: give one for each, or none at all"},
		{"material missing", func(t *Tree) { t.Materials = t.Materials[:7] }, "octree: 7 materials for 8 colours: give one for each, or none at all"},
		{"unreachable node", func(t *Tree) { t.Nodes[0] = NewNode(1, 1) }, "octree: id 2 of 8 is neither a node nor a voxel of the tree: nothing leads to it; leave it out"},
		{"unreachable voxel", func(t *Tree) { t.Nodes[3] = NewNode(5, 1) }, "octree: id 6 of 8 is neither a node nor a voxel of the tree: nothing leads to it; leave it out"},
		{"nodes of nothing", func(t *Tree) { t.Nodes = nil }, "octree: id 0 of 8 is neither a node nor a voxel of the tree: nothing leads to it; leave it out"},
		{"voxel count", func(t *Tree) { t.voxels++ }, "octree: 4 voxels counted, but the nodes hold 3: use New to make a tree"},
		{"lower bound", func(t *Tree) { t.min[1]++ }, "octree: bounds [0 1 0] to [8 7 6], but the voxels' are [0 0 0] to [8 7 6]: use New to make a tree"},
		{"upper bound", func(t *Tree) { t.max[2]-- }, "octree: bounds [0 0 0] to [8 7 5], but the voxels' are [0 0 0] to [8 7 6]: use New to make a tree"},
		{"bricks missing", func(t *Tree) { t.Bricks = nil }, "octree: 0 bricks for nodes that need 3: use New to make a tree"},
		{"wrong brick", func(t *Tree) { t.Bricks[1] ^= 4 }, "octree: brick 1 is 0x7, but the children of its node have 0x3: use New to make a tree"},
		{"a voxel elsewhere", func(t *Tree) { t.Nodes[4] = NewNode(7, 1<<4) }, "octree: brick 2 is 0x20000000, but the children of its node have 0x10000000: use New to make a tree"},
	})
}

func TestValidateNamesWhatIsWrongWithAPackedTree(t *testing.T) {
	requireFlaws(t, packed, []flaw{
		{"depth 1", func(t *Tree) { t.Depth = 1 }, "octree: depth 1, 3 nodes, 3 bricks and 2 first leaves don't belong together; the tree is damaged"},
		{"too shallow", func(t *Tree) { t.Depth = 2 }, "octree: level 0 has the nodes 0 to 0, but of 3 nodes the last 2 have first leaves; the tree is damaged"},
		{"too deep", func(t *Tree) { t.Depth = 4 }, "octree: node 1 on level 1: its last child on level 2 is 3, but there are only 3 nodes; the tree is damaged or cut off"},
		{"no nodes", func(t *Tree) { t.Nodes = nil }, "octree: id 0 of 8 is neither a node nor a voxel of the tree: nothing leads to it; leave it out"},
		{"no first leaves", func(t *Tree) { t.FirstLeaf = t.FirstLeaf[:0] }, "octree: depth 3, 3 nodes, 3 bricks and 0 first leaves don't belong together; the tree is damaged"},
		{"unpacked", func(t *Tree) { t.FirstLeaf = nil }, "octree: node 1 on level 1: its last child on level 2 is 3, but there are only 3 nodes; the tree is damaged or cut off"},
		{"first leaf missing", func(t *Tree) { t.FirstLeaf = t.FirstLeaf[1:] }, "octree: level 1 has the nodes 1 to 2, but of 3 nodes the last 1 have first leaves; the tree is damaged"},
		{"first leaves of all nodes", func(t *Tree) { t.FirstLeaf = []uint32{0, 5, 7} }, "octree: level 1 has the nodes 1 to 2, but of 3 nodes the last 3 have first leaves; the tree is damaged"},
		{"brick missing", func(t *Tree) { t.Bricks = t.Bricks[:2] }, "octree: depth 3, 3 nodes, 2 bricks and 2 first leaves don't belong together; the tree is damaged"},
		{"brick too many", func(t *Tree) { t.Bricks = append(t.Bricks, 0) }, "octree: depth 3, 3 nodes, 4 bricks and 2 first leaves don't belong together; the tree is damaged"},
		{"stray bits", func(t *Tree) { t.Nodes[2] |= 1 << 40 }, "octree: node 2 on level 1: 0x10000000408: bits above the 40th must be 0; the tree is damaged"},
		{"empty node", func(t *Tree) { t.Nodes[1] = NewNode(3, 0) }, "octree: node 1 on level 1 holds nothing: clear its octant in its parent's mask"},
		{"shared node", func(t *Tree) { t.Nodes[2] = NewNode(3, 1<<7) }, "octree: node 2 on level 1: its first child is 3 instead of 4, which comes next; the tree is damaged"},
		{"a node that contains itself", func(t *Tree) { t.Nodes[0] = NewNode(0, 1) }, "octree: node 0 on level 0: its first child is 0 instead of 1, which comes next; the tree is damaged"},
		{"a node too many", func(t *Tree) { t.Nodes[0] = NewNode(1, 0x83) }, "octree: node 0 on level 0: its last child on level 1 is 3, but there are only 3 nodes; the tree is damaged or cut off"},
		{"child without a brick", func(t *Tree) { t.Nodes[1] = NewNode(3, 3) }, "octree: node 2 on level 1: its first child is 4 instead of 5, which comes next; the tree is damaged"},
		{"brick of another octant", func(t *Tree) { t.Bricks[1] <<= 8 }, "octree: brick 1 is 0x300, with children in the octants 0x2, but its node has them in 0x1; the tree is damaged"},
		{"wrong upper brick", func(t *Tree) { t.Bricks[0] ^= 1 << 7 }, "octree: brick 0 is 0x800000000000081, but the children of its node have 0x800000000000001: use New to make a tree"},
		{"wrong first leaf", func(t *Tree) { t.FirstLeaf[1]++ }, "octree: node 2 on level 1: its first leaf is 8 instead of 7, which comes next; the tree is damaged"},
		{"first leaf among the nodes", func(t *Tree) { t.FirstLeaf[0] = 0 }, "octree: node 1 on level 1: its first leaf is 0 instead of 5, which comes next; the tree is damaged"},
		{"a voxel without a colour", func(t *Tree) { t.Bricks[2] |= 1 << 30 }, "octree: node 2 on level 1: its last leaf is 8, but there are only 8 ids; the tree is damaged or cut off"},
		{"a voxel elsewhere", func(t *Tree) { t.Bricks[2] <<= 1 }, "octree: bounds [0 0 0] to [8 7 6], but the voxels' are [0 0 0] to [7 8 6]: use New to make a tree"},
		{"voxel missing", func(t *Tree) { t.Bricks[1] = 1 }, "octree: node 2 on level 1: its first leaf is 7 instead of 6, which comes next; the tree is damaged"},
		{"unreachable voxel", func(t *Tree) { t.Colours = append(t.Colours, Colour{}); t.Normals = nil; t.Materials = nil }, "octree: id 8 of 9 is neither a node nor a voxel of the tree: nothing leads to it; leave it out"},
		{"no colours", func(t *Tree) { t.Colours = nil }, "octree: 0 colours for 3 nodes: every node and voxel needs one"},
		{"colours for nodes alone", func(t *Tree) { t.Colours = t.Colours[:4]; t.Normals = nil; t.Materials = nil }, "octree: node 2 on level 1: its last child on level 2 is 4, but there are only 4 ids; the tree is damaged or cut off"},
		{"voxel count", func(t *Tree) { t.voxels++ }, "octree: 4 voxels counted, but the nodes hold 3: use New to make a tree"},
	})
}

func TestANodeMayContainItself(t *testing.T) {
	tree, err := New(MaxDepth, []Node{NewNode(0, 1)}, make([]Colour, 1), nil, nil)
	require.NoError(t, err)
	require.NoError(t, tree.Validate())
	require.EqualValues(t, 1, tree.Voxels())
}

// A flipped bit is found, or it leaves a tree that is safe to use.
func TestFlippedBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample, words := packed, []string{"nodes", "bricks", "first leaves"}
		if rapid.Bool().Draw(t, "full") {
			sample, words = full, words[:2]
		}
		tree := sample(t)
		for range rapid.IntRange(1, 4).Draw(t, "flips") {
			bit := rapid.IntRange(0, 63).Draw(t, "bit")
			switch rapid.SampledFrom(words).Draw(t, "where") {
			case "nodes":
				tree.Nodes[rapid.IntRange(0, len(tree.Nodes)-1).Draw(t, "node")] ^= 1 << bit
			case "bricks":
				tree.Bricks[rapid.IntRange(0, len(tree.Bricks)-1).Draw(t, "brick")] ^= 1 << bit
			case "first leaves":
				tree.FirstLeaf[rapid.IntRange(0, len(tree.FirstLeaf)-1).Draw(t, "first leaf")] ^= 1 << (bit % 32)
			}
		}
		if tree.Validate() == nil {
			use(t, tree)
		}
	})
}

// use walks a valid tree by every way there is and compares them.
func use(t require.TestingT, tree *Tree) {
	const enough = 2000
	low, high := tree.Bounds()
	for level := range tree.Depth + 1 {
		count := uint64(0)
		for at, id := range tree.Level(level) {
			require.Less(t, int(id), len(tree.Colours))
			if level == tree.Depth {
				found, ok := tree.At(at[0], at[1], at[2])
				require.True(t, ok)
				require.Equal(t, id, found)
				for axis := range 3 {
					require.GreaterOrEqual(t, at[axis], low[axis])
					require.Less(t, at[axis], high[axis])
				}
			}
			if count++; count == enough {
				break
			}
		}
		if level == tree.Depth {
			require.Equal(t, min(tree.Voxels(), enough), count)
		}
	}
	tree.At(1<<tree.Depth-1, 0, 1<<tree.Depth-1)
	tree.At(1<<31, 0, 0)
	require.Equal(t, tree.Voxels(), tree.Stats().Levels[tree.Depth])
}

// FuzzValidate makes trees of arbitrary nodes (4 bytes each: the mask and 24
// bits of the first child's id) over as many ids as they refer to.
func FuzzValidate(f *testing.F) {
	f.Add(uint8(2), uint16(1), []byte{0, 0, 0, 0})
	f.Add(uint8(1), uint16(9), []byte{255, 1, 0, 0})
	f.Add(uint8(30), uint16(3), []byte{0x44, 1, 0, 0, 0x44, 1, 0, 0, 0x44, 1, 0, 0})
	f.Add(uint8(3), uint16(8), []byte{0x81, 1, 0, 0, 1, 3, 0, 0, 0x80, 4, 0, 0, 3, 5, 0, 0, 0x20, 7, 0, 0})
	f.Fuzz(func(t *testing.T, depth uint8, ids uint16, data []byte) {
		var nodes []Node
		for word := range slices.Chunk(data, 4) {
			word = append(slices.Clone(word), 0, 0, 0)
			n := binary.LittleEndian.Uint32(word)
			nodes = append(nodes, NewNode(n>>8, uint8(n)))
		}
		tree, err := New(int(depth), nodes, make([]Colour, ids), nil, nil)
		if err != nil {
			return
		}
		require.NoError(t, tree.Validate())
		use(t, tree)
		tree.Nodes = slices.Clone(tree.Nodes)
		for i := range tree.Nodes {
			tree.Nodes[i] ^= 1 << (i % 8)
			if tree.Validate() == nil {
				use(t, tree)
			}
		}
	})
}

// FuzzValidatePacked makes packed trees of arbitrary nodes (4 bytes each, as
// above), bricks (8 bytes) and first leaves (1 byte).
func FuzzValidatePacked(f *testing.F) {
	f.Add(uint8(2), uint16(4), []byte{3, 1, 0, 0}, []byte{1, 2, 0, 0, 0, 0, 0, 0}, []byte{3})
	f.Add(uint8(3), uint16(8), []byte{0x81, 1, 0, 0, 1, 3, 0, 0, 0x80, 4, 0, 0},
		[]byte{1, 0, 0, 0, 0, 0, 0, 0x80, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20}, []byte{5, 7})
	f.Add(uint8(1), uint16(2), []byte{1, 1, 0, 0}, []byte{1, 0, 0, 0, 0, 0, 0, 0}, []byte{1})
	f.Add(uint8(30), uint16(3), []byte{}, []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, depth uint8, ids uint16, nodes, bricks, firstLeaves []byte) {
		tree := &Tree{Depth: int(depth), Colours: make([]Colour, ids), FirstLeaf: []uint32{}}
		for ; len(nodes) >= 4; nodes = nodes[4:] {
			n := binary.LittleEndian.Uint32(nodes)
			tree.Nodes = append(tree.Nodes, NewNode(n>>8, uint8(n)))
		}
		for ; len(bricks) >= 8; bricks = bricks[8:] {
			tree.Bricks = append(tree.Bricks, binary.LittleEndian.Uint64(bricks))
		}
		for _, first := range firstLeaves {
			tree.FirstLeaf = append(tree.FirstLeaf, uint32(first))
		}
		s, err := tree.inspect()
		if err != nil {
			return
		}
		tree.voxels, tree.min, tree.max = s.levels[depth], s.low, s.high
		if tree.Validate() == nil {
			use(t, tree)
		}
	})
}
