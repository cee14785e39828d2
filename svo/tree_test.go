package svo_test

import (
	"bytes"
	"context"
	"maps"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/svo"
)

// same tells whether two trees are equal in all that a user sees; require.Equal
// takes minutes to compare large ones.
func same(a, b *svo.Tree) bool {
	aLow, aHigh := a.Bounds()
	bLow, bHigh := b.Bounds()
	return a.Depth == b.Depth && slices.Equal(a.Nodes, b.Nodes) && slices.Equal(a.Colours, b.Colours) &&
		slices.Equal(a.Normals, b.Normals) && bytes.Equal(a.Materials, b.Materials) &&
		slices.Equal(a.Bricks, b.Bricks) && slices.Equal(a.FirstLeaf, b.FirstLeaf) && a.Voxels() == b.Voxels() && aLow == bLow && aHigh == bHigh
}

// sponge keeps, of 4x4x4 cells, the 32 with at least two outer coordinates, and
// repeats itself in each. A root's 8 children each hold 4 cells: ids 1 to 8;
// their children are ids 9 to 12, all copies of the root.
func sponge(t require.TestingT, depth int) *svo.Tree {
	nodes := []svo.Node{svo.NewNode(1, 0xff)}
	for o := range 8 {
		mask := uint8(0)
		for p := range 8 {
			outer := 0
			for axis := range 3 {
				if o>>axis&1 == p>>axis&1 {
					outer++
				}
			}
			if outer >= 2 {
				mask |= 1 << p
			}
		}
		nodes = append(nodes, svo.NewNode(9, mask))
	}
	for range 4 {
		nodes = append(nodes, nodes[0])
	}
	tree, err := svo.New(depth, nodes, make([]svo.Colour, len(nodes)), nil, nil)
	require.NoError(t, err)
	require.NoError(t, tree.Validate())
	return tree
}

// solid is a full cube: on each level below the root, ids 1 to 8.
func solid(t require.TestingT, depth int) *svo.Tree {
	nodes := slices.Repeat([]svo.Node{svo.NewNode(1, 0xff)}, 9)
	tree, err := svo.New(depth, nodes, make([]svo.Colour, len(nodes)), nil, nil)
	require.NoError(t, err)
	require.NoError(t, tree.Validate())
	return tree
}

func TestSpongeWithoutEnd(t *testing.T) {
	for depth := 2; depth <= svo.MaxDepth; depth++ {
		tree := sponge(t, depth)
		want := math.Pow(32, float64(depth/2)) * math.Pow(8, float64(depth%2))
		if want >= 1<<64 {
			want = math.MaxUint64
		}
		require.Equal(t, want, float64(tree.Voxels()), "depth %d", depth)
		low, high := tree.Bounds()
		edge := uint32(1) << depth
		require.Equal(t, [3]uint32{}, low)
		require.Equal(t, [3]uint32{edge, edge, edge}, high)
		require.Len(t, tree.Nodes, 13)
		require.Len(t, tree.Bricks, min(13, []int{0, 0, 1, 9}[min(depth, 3)]+4*max(depth-3, 0)))

		first := 0
		for at := range tree.All() { // lazily: the first few of up to 2^75
			_, ok := tree.At(at[0], at[1], at[2])
			require.True(t, ok)
			if first++; first == 100 {
				break
			}
		}
		_, ok := tree.At(edge-1, edge-1, edge-1)
		require.True(t, ok)
		_, ok = tree.At(edge-1, edge/2-1, edge/2-1) // one outer coordinate
		require.False(t, ok)
	}
}

// The bricks of a shared tree say where its nodes' grandchildren are.
func TestBricks(t *testing.T) {
	for name, tree := range map[string]*svo.Tree{
		"sponge": sponge(t, 5), "solid": solid(t, 4), "shell": build(t, 11, shell(500)), "flat": build(t, 1, scattered(5, 1)),
	} {
		count := 0
		for level := range tree.Depth - 1 {
			want := map[uint32]uint64{}
			for at := range tree.Level(level + 2) {
				id, ok := idOf(tree, at, level)
				require.True(t, ok)
				o, p := 0, 0
				for axis := range 3 {
					o |= int(at[axis]>>(tree.Depth-1-level)&1) << axis
					p |= int(at[axis]>>(tree.Depth-2-level)&1) << axis
				}
				want[id] |= 1 << (8*o + p)
			}
			for id, brick := range want {
				require.Equal(t, brick, tree.Bricks[id], "%s, node %d", name, id)
				count = max(count, int(id)+1)
			}
		}
		require.Len(t, tree.Bricks, count, name)
	}
}

// idOf goes down to the node of a level that holds a place.
func idOf(t *svo.Tree, at [3]uint32, level int) (id uint32, ok bool) {
	node := t.Root()
	for l := range level {
		o := 0
		for axis := range at {
			o |= int(at[axis]>>(t.Depth-1-l)&1) << axis
		}
		if !node.Has(o) {
			return 0, false
		}
		id, node = t.Child(id, node, l, o)
	}
	return id, true
}

// unpacked is a tree of the same nodes, none of them left out.
func unpacked(t require.TestingT, tree *svo.Tree) *svo.Tree {
	nodes := make([]svo.Node, tree.Inner())
	var fill func(id uint32, node svo.Node, level int)
	fill = func(id uint32, node svo.Node, level int) {
		if level == tree.Depth {
			require.Zero(t, node, "a leaf")
			return
		}
		nodes[id] = node
		for o := range 8 {
			if node.Has(o) {
				child, n := tree.Child(id, node, level, o)
				fill(child, n, level+1)
			}
		}
	}
	if tree.Root() != 0 {
		fill(0, tree.Root(), 0)
	}
	full, err := svo.New(tree.Depth, nodes, tree.Colours, tree.Normals, tree.Materials)
	require.NoError(t, err)
	require.NoError(t, full.Validate())
	return full
}

// A packed tree and one of all its nodes are the same to whoever walks them.
func TestPackedTreeEqualsTheFullOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := drawDepth(t)
		tree := build(t, depth, drawVoxels(t, depth))
		full := unpacked(t, tree)
		if tree.Voxels() > 0 && depth > 1 {
			require.Less(t, len(tree.Nodes), len(full.Nodes))
			require.NotEmpty(t, tree.FirstLeaf)
		}
		require.Nil(t, full.FirstLeaf)
		require.Equal(t, full.Inner(), tree.Inner())
		require.Equal(t, full.Voxels(), tree.Voxels())
		require.Equal(t, full.Bricks, tree.Bricks)
		fullLow, fullHigh := full.Bounds()
		low, high := tree.Bounds()
		require.Equal(t, fullLow, low)
		require.Equal(t, fullHigh, high)
		stats, fullStats := tree.Stats(), full.Stats()
		require.Equal(t, fullStats.Levels, stats.Levels)
		require.Equal(t, fullStats.Nodes, stats.Nodes)
		require.Equal(t, fullStats.Leaves, stats.Leaves)
		require.Equal(t, fullStats.Colours, stats.Colours)
		for level := range depth + 1 {
			require.Equal(t, maps.Collect(full.Level(level)), maps.Collect(tree.Level(level)))
		}
	})
}

func TestSharedTreeEqualsTheBuiltOne(t *testing.T) {
	shared := sponge(t, 6)
	var voxels []placed
	for at := range shared.All() {
		voxels = append(voxels, placed{at[0], at[1], at[2], svo.Voxel{}})
	}
	require.Len(t, voxels, 32*32*32)
	built := build(t, 6, voxels)
	require.Equal(t, shared.Voxels(), built.Voxels())
	require.Equal(t, shared.Stats().Levels, built.Stats().Levels)
	for at := range built.All() {
		_, ok := shared.At(at[0], at[1], at[2])
		require.True(t, ok)
	}
}

// A chain whose every node is shared on every level has 2^30 voxels in a line.
func TestBoundsOfASharedLine(t *testing.T) {
	line := svo.NewNode(1, 1<<2|1<<6) // octants (0, 1, 0) and (0, 1, 1): along z
	tree, err := svo.New(svo.MaxDepth, []svo.Node{line, line, line}, make([]svo.Colour, 3), nil, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1<<30, tree.Voxels())
	low, high := tree.Bounds()
	require.Equal(t, [3]uint32{0, 1<<30 - 1, 0}, low)
	require.Equal(t, [3]uint32{1, 1 << 30, 1 << 30}, high)
}

func TestEmptyTree(t *testing.T) {
	made, err := svo.New(7, nil, nil, nil, nil)
	require.NoError(t, err)
	for _, tree := range []*svo.Tree{made, build(t, 7, nil)} {
		require.NoError(t, tree.Validate())
		require.Zero(t, tree.Voxels())
		require.Zero(t, tree.Bytes())
		_, ok := tree.At(0, 0, 0)
		require.False(t, ok)
		for range tree.All() {
			require.Fail(t, "an empty tree yields nothing")
		}
		low, high := tree.Bounds()
		require.Equal(t, low, high)
		require.Zero(t, tree.Stats().BytesPerVoxel)
	}
}

func TestStats(t *testing.T) {
	red, blue := svo.Voxel{Colour: svo.Colour{255, 0, 0}}, svo.Voxel{Colour: svo.Colour{0, 0, 255}}
	tree := build(t, 2, []placed{{0, 0, 0, red}, {1, 0, 0, blue}, {3, 3, 3, red}})
	require.Equal(t, svo.Stats{
		Levels: []uint64{1, 2, 3}, Nodes: 3, Leaves: 3, Colours: 2,
		Bytes: 8 + 6*3 + 8 + 4, BytesPerVoxel: 38. / 3,
	}, tree.Stats())

	stats := solid(t, 3).Stats()
	require.Equal(t, []uint64{1, 8, 64, 512}, stats.Levels)
	require.Equal(t, 9, stats.Nodes)
	require.Equal(t, 8, stats.Leaves)
}

func TestLevelsOutsideTheTreeAreEmpty(t *testing.T) {
	tree := solid(t, 2)
	for _, level := range []int{-1, 3, 100} {
		for range tree.Level(level) {
			require.Fail(t, "no such level", "%d", level)
		}
	}
}

// In a packed tree the grandchildren of a node follow one another, in the order
// of its brick's bits.
func TestGrandchildrenFollowOneAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(2, 6).Draw(t, "depth")
		b := svo.NewBuilder(depth)
		at := rapid.Uint32Range(0, 1<<depth-1)
		for range rapid.IntRange(1, 60).Draw(t, "voxels") {
			require.NoError(t, b.Add(at.Draw(t, "x"), at.Draw(t, "y"), at.Draw(t, "z"), svo.Voxel{}))
		}
		tree, err := b.Build(context.Background())
		require.NoError(t, err)
		var check func(id uint32, node svo.Node, level int)
		check = func(id uint32, node svo.Node, level int) {
			if level > depth-2 {
				return
			}
			ids, from := tree.GrandchildIDs(level)
			first, brick := ids[id-from], tree.Bricks[id]
			for bit := range 64 {
				if brick>>bit&1 == 0 {
					continue
				}
				child, n := tree.Child(id, node, level, bit>>3)
				grandchild, _ := tree.Child(child, n, level+1, bit&7)
				require.Equal(t, grandchild, first+uint32(bits.OnesCount64(brick&(1<<bit-1))))
			}
			for o := range 8 {
				if node.Has(o) {
					child, n := tree.Child(id, node, level, o)
					check(child, n, level+1)
				}
			}
		}
		check(0, tree.Root(), 0)
	})
}
