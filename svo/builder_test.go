package svo_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/svo"
)

// build makes a tree that must be valid.
func build(t require.TestingT, depth int, voxels []placed) *svo.Tree {
	return buildWith(t, svo.NewBuilder(depth), voxels)
}

func buildWith(t require.TestingT, b *svo.Builder, voxels []placed) *svo.Tree {
	for _, v := range voxels {
		require.NoError(t, b.Add(v.x, v.y, v.z, v.Voxel))
	}
	tree, err := b.Build(context.Background())
	require.NoError(t, err)
	require.NoError(t, tree.Validate())
	return tree
}

// drawDepth and drawVoxels make small scenes with many duplicates: coordinates
// are drawn from a window, anywhere in the tree's cube, of a few voxels.
func drawDepth(t *rapid.T) int { return rapid.IntRange(1, svo.MaxBuiltDepth).Draw(t, "depth") }

func drawVoxels(t *rapid.T, depth int) []placed {
	window := uint32(1) << rapid.IntRange(0, depth).Draw(t, "window")
	corner := func(axis string) uint32 { return rapid.Uint32Range(0, 1<<depth-window).Draw(t, axis) }
	x, y, z := corner("x"), corner("y"), corner("z")
	normals, materials := rapid.Bool().Draw(t, "normals"), rapid.Bool().Draw(t, "materials")
	seed := rapid.Uint64().Draw(t, "seed")
	random := rand.New(rand.NewPCG(seed, 0))
	voxels := make([]placed, rapid.IntRange(0, 300).Draw(t, "count"))
	for i := range voxels {
		v := placed{x + random.Uint32N(window), y + random.Uint32N(window), z + random.Uint32N(window), svo.Voxel{}}
		v.Colour = svo.Colour{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32())}
		if normals {
			v.Normal = svo.NewNormal(mgl32.Vec3{random.Float32() - .5, random.Float32() - .5, random.Float32() - .5})
		}
		if materials {
			v.Material = uint8(random.Uint32N(4))
		}
		voxels[i] = v
	}
	return voxels
}

// lastWins is what the voxels come to.
func lastWins(voxels []placed) map[[3]uint32]svo.Voxel {
	places := map[[3]uint32]svo.Voxel{}
	for _, v := range voxels {
		places[[3]uint32{v.x, v.y, v.z}] = v.Voxel
	}
	return places
}

// look is the voxel that a tree holds under an id.
func look(t *svo.Tree, id uint32) svo.Voxel {
	v := svo.Voxel{Colour: t.Colours[id]}
	if t.Normals != nil {
		v.Normal = t.Normals[id]
	}
	if t.Materials != nil {
		v.Material = t.Materials[id]
	}
	return v
}

func TestTreeHoldsTheVoxelsAddedLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := drawDepth(t)
		voxels := drawVoxels(t, depth)
		tree := build(t, depth, voxels)
		want := lastWins(voxels)

		require.Equal(t, depth, tree.Depth)
		require.EqualValues(t, len(want), tree.Voxels())
		low, high := [3]uint32{1 << 31, 1 << 31, 1 << 31}, [3]uint32{}
		for at, v := range want {
			id, ok := tree.At(at[0], at[1], at[2])
			require.True(t, ok, "%v", at)
			require.Equal(t, v, look(tree, id), "%v", at)
			for axis := range 3 {
				low[axis], high[axis] = min(low[axis], at[axis]), max(high[axis], at[axis]+1)
			}
		}
		if len(want) == 0 {
			low = [3]uint32{}
		}
		gotLow, gotHigh := tree.Bounds()
		require.Equal(t, low, gotLow)
		require.Equal(t, high, gotHigh)

		for range 50 { // places near voxels and places anywhere
			at := [3]uint32{rapid.Uint32Range(0, 1<<depth).Draw(t, "x"), rapid.Uint32Range(0, 1<<depth).Draw(t, "y"), rapid.Uint32Range(0, 1<<depth).Draw(t, "z")}
			if len(voxels) > 0 && rapid.Bool().Draw(t, "near") {
				v := rapid.SampledFrom(voxels).Draw(t, "voxel")
				at = [3]uint32{v.x ^ at[0]&1, v.y ^ at[1]&1, v.z ^ at[2]&1}
			}
			_, held := want[at]
			_, ok := tree.At(at[0], at[1], at[2])
			require.Equal(t, held, ok, "%v", at)
		}
	})
}

func TestAllYieldsEveryVoxelInMortonOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := drawDepth(t)
		voxels := drawVoxels(t, depth)
		tree := build(t, depth, voxels)
		got := map[[3]uint32]svo.Voxel{}
		next := uint64(0)
		for at, id := range tree.All() {
			code := svo.EncodeMorton(at[0], at[1], at[2])
			require.GreaterOrEqual(t, code, next)
			next = code + 1
			got[at] = look(tree, id)
		}
		require.Equal(t, lastWins(voxels), got)
	})
}

// Inner nodes are compared with sums over the voxels in their cube.
func TestInnerNodesCarryMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := drawDepth(t)
		voxels := drawVoxels(t, depth)
		tree := build(t, depth, voxels)
		stats := tree.Stats()
		for level := range depth {
			cubes := map[[3]uint32][]svo.Voxel{}
			for at, v := range lastWins(voxels) {
				for axis := range at {
					at[axis] &^= 1<<(depth-level) - 1
				}
				cubes[at] = append(cubes[at], v)
			}
			found := 0
			for corner, id := range tree.Level(level) {
				require.Contains(t, cubes, corner)
				requireMean(t, cubes[corner], look(tree, id))
				found++
			}
			require.Equal(t, len(cubes), found)
			if len(voxels) > 0 {
				require.EqualValues(t, found, stats.Levels[level])
			}
		}
	})
}

func requireMean(t require.TestingT, voxels []svo.Voxel, got svo.Voxel) {
	var colour [3]float64
	var normal mgl32.Vec3
	var count [256]int
	for _, v := range voxels {
		for i := range colour {
			colour[i] += float64(v.Colour[i])
		}
		normal = normal.Add(v.Normal.Vec3())
		count[v.Material]++
	}
	for i := range colour {
		require.InDelta(t, colour[i]/float64(len(voxels)), float64(got.Colour[i]), .5)
	}
	if normal.Len() > 1e-3 {
		require.Greater(t, normal.Normalize().Dot(got.Normal.Vec3()), float32(.999))
	}
	for m := range count {
		require.LessOrEqual(t, count[m], count[got.Material])
		if count[m] == count[got.Material] {
			require.EqualValues(t, m, got.Material, "the lowest of the most frequent")
			break
		}
	}
}

// Trees large enough to be dealt out to subtrees and radix sorted must be the
// same from any number of workers, and hold what a map holds.
func TestLargeTreesDoNotDependOnWorkers(t *testing.T) {
	scenes := map[string]struct {
		depth  int
		voxels []placed
	}{
		"shell":       {11, shell(100_000)},
		"scattered":   {21, scattered(50_000, 21)},
		"dense":       {6, scattered(300_000, 6)},
		"far corner":  {21, append([]placed{{1<<21 - 1, 0, 7, svo.Voxel{}}}, scattered(60_000, 7)...)},
		"deep corner": {21, scattered(60_000, 7)},
		"outliers":    {21, outliers(300_000)},
		"one voxel":   {21, append([]placed{{1 << 20, 0, 0, svo.Voxel{}}}, slices.Repeat([]placed{{5, 6, 7, svo.Voxel{}}}, 300_000)...)},
	}
	for name, scene := range scenes {
		t.Run(name, func(t *testing.T) {
			for i := range scene.voxels {
				scene.voxels[i].Normal = svo.NewNormal(mgl32.Vec3{float32(i%7) - 3, float32(i%5) - 2, 1})
				scene.voxels[i].Material = uint8(i / 1000)
			}
			one := buildWith(t, withWorkers(scene.depth, 1), scene.voxels)
			for _, workers := range []int{2, 7, 500} {
				require.True(t, same(one, buildWith(t, withWorkers(scene.depth, workers), scene.voxels)), "%d workers", workers)
			}
			want := lastWins(scene.voxels)
			require.EqualValues(t, len(want), one.Voxels())
			for at, v := range want {
				id, ok := one.At(at[0], at[1], at[2])
				require.True(t, ok && look(one, id) == v, "%v", at)
			}
		})
	}
}

// outliers is a cloud of 512^3 in one corner, with a voxel at every power of two
// beyond it: however the octree is split, most of it hangs on one node.
func outliers(n int) []placed {
	voxels := scattered(n, 9)
	for bit := 9; bit < 21; bit++ {
		voxels = append(voxels, placed{1 << bit, 3, 1 << bit, svo.Voxel{}})
	}
	return voxels
}

func withWorkers(depth, workers int) *svo.Builder {
	b := svo.NewBuilder(depth)
	b.Workers = workers
	return b
}

func TestAutoDepthIsTheSmallestThatFits(t *testing.T) {
	for _, test := range []struct {
		at    [3]uint32
		depth int
	}{
		{[3]uint32{0, 0, 0}, 1},
		{[3]uint32{1, 1, 1}, 1},
		{[3]uint32{0, 2, 0}, 2},
		{[3]uint32{7, 0, 0}, 3},
		{[3]uint32{0, 0, 8}, 4},
		{[3]uint32{1<<21 - 1, 0, 0}, 21},
	} {
		var b svo.Builder
		tree := buildWith(t, &b, []placed{{test.at[0], test.at[1], test.at[2], svo.Voxel{}}})
		require.Equal(t, test.depth, tree.Depth, "%v", test.at)
	}
	require.Equal(t, 1, build(t, svo.AutoDepth, nil).Depth)
}

func TestBuilderRefuses(t *testing.T) {
	require.EqualError(t, svo.NewBuilder(3).Add(0, 8, 0, svo.Voxel{}),
		"octree: voxel (0, 8, 0) lies outside: coordinates must be below 8 at depth 3; choose a greater depth or a coarser grid")
	require.ErrorContains(t, svo.NewBuilder(svo.AutoDepth).Add(0, 0, 1<<21, svo.Voxel{}), "below 2097152")
	for _, depth := range []int{-1, svo.MaxBuiltDepth + 1, 1 << 30} {
		b := svo.NewBuilder(depth)
		_ = b.Add(1, 2, 3, svo.Voxel{}) // may fail; Build must
		_, err := b.Build(context.Background())
		require.ErrorContains(t, err, "can't be built: choose 1 to 21")
	}
}

func TestBuildStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := svo.NewBuilder(4)
	require.NoError(t, b.Add(1, 2, 3, svo.Voxel{}))
	_, err := b.Build(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func TestBuilderIsEmptyAfterBuild(t *testing.T) {
	b := svo.NewBuilder(4)
	first := buildWith(t, b, []placed{{1, 2, 3, svo.Voxel{Material: 5}}})
	second := buildWith(t, b, []placed{{3, 2, 1, svo.Voxel{}}})
	require.EqualValues(t, 1, first.Voxels())
	require.EqualValues(t, 1, second.Voxels())
	require.Nil(t, second.Materials)
	require.Equal(t, 4, second.Depth)
}

func TestAttributesNobodyGaveTakeNoMemory(t *testing.T) {
	tree := build(t, 3, []placed{{1, 2, 3, svo.Voxel{Colour: svo.Colour{9, 8, 7}}}})
	require.Nil(t, tree.Normals)
	require.Nil(t, tree.Materials)
	// Two nodes and their bricks, four colours, a first leaf and a first grandchild.
	require.EqualValues(t, 8*2+3*4+8*2+4*1+4*1, tree.Bytes())
}
