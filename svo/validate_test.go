package svo

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// sample is a valid tree of depth 3 with all attributes: nodes 0; 1, 2; 3, 4;
// voxels 5 to 7.
func sample(t require.TestingT) *Tree {
	b := NewBuilder(3)
	for i, at := range [][3]uint32{{0, 0, 0}, {1, 0, 0}, {7, 6, 5}} {
		require.NoError(t, b.Add(at[0], at[1], at[2], Voxel{Colour{uint8(i)}, uint8(1 + i), Normal(1 + i)}))
	}
	tree, err := b.Build(context.Background())
	require.NoError(t, err)
	return tree
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	require.NoError(t, sample(t).Validate())
	for _, test := range []struct {
		name  string
		spoil func(*Tree)
		want  string
	}{
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
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := sample(t)
			test.spoil(tree)
			require.EqualError(t, tree.Validate(), test.want)
			tree.Stats() // must not panic
		})
	}
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
		tree := sample(t)
		for range rapid.IntRange(1, 4).Draw(t, "flips") {
			words := rapid.SampledFrom([]string{"nodes", "bricks"}).Draw(t, "where")
			bit := rapid.IntRange(0, 63).Draw(t, "bit")
			if words == "nodes" {
				tree.Nodes[rapid.IntRange(0, len(tree.Nodes)-1).Draw(t, "node")] ^= 1 << bit
			} else {
				tree.Bricks[rapid.IntRange(0, len(tree.Bricks)-1).Draw(t, "brick")] ^= 1 << bit
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
