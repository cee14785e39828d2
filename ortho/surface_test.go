package ortho_test

import (
	"math"
	"math/bits"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/svo"
)

// at is a node of a tree: what a surface has to lead back to.
type at struct {
	id    uint32
	node  svo.Node
	low   [3]int32
	level int
}

func (n at) child(tree *svo.Tree, o int) (c at) {
	c.id, c.node = tree.Child(n.id, n.node, n.level, o)
	c.level = n.level + 1
	for k := range 3 {
		c.low[k] = n.low[k] + int32(o>>k&1)<<(tree.Depth-c.level)
	}
	return c
}

// drawn is a record and patch on a canvas, as drawing enters them.
func drawn(c *ortho.Canvas, patch at, kind ortho.Kind, octant int, r ortho.Record) int {
	r.Place = c.Place(asm.NewPatch(patch.low, 0, patch.level, kind), 1) | uint32(octant)
	c.Records = append(c.Records, r)
	return len(c.Records) - 1
}

// anyTree draws a tree of voxels, or one of a few nodes that stand in each other
// again and again.
func anyTree(t *rapid.T, depth int) *svo.Tree {
	if rapid.Bool().Draw(t, "shared") {
		nodes := []svo.Node{svo.NewNode(0, 0xff)} // itself and the seven others
		for range 7 {
			mask := uint8(rapid.IntRange(1, 255).Draw(t, "mask"))
			nodes = append(nodes, svo.NewNode(rapid.Uint32Range(0, uint32(8-bits.OnesCount8(mask))).Draw(t, "first"), mask))
		}
		tree, err := svo.New(depth, nodes, make([]svo.Colour, len(nodes)), nil, nil)
		require.NoError(t, err)
		return tree
	}
	var voxels [][3]uint32
	for range rapid.IntRange(1, 60).Draw(t, "voxels") {
		n := rapid.Uint32Range(0, 1<<depth-1)
		voxels = append(voxels, [3]uint32{n.Draw(t, "x"), n.Draw(t, "y"), n.Draw(t, "z")})
	}
	return treeOf(t, depth, voxels...)
}

// Whatever a pixel was drawn as, its surface is the node of the tree: id, place
// and size.
func TestSurfaceLeadsBackToTheNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const depth = 4
		tree := anyTree(t, depth)
		c := ortho.NewCanvas(occlusion.StripCoverage)
		c.Reset(tile, ortho.Scene{Trees: []*svo.Tree{tree}, Poses: make([]project.Pose, 1)}, false)
		requireSurface := func(record, part int, want at, face int) {
			require.Equal(t, ortho.Surface{
				ID: want.id, Low: want.low, Level: uint8(want.level), Face: int8(face),
				Edge: math.Ldexp(1, tree.Depth-want.level),
			}, c.Surface(ortho.NewRef(record, part)))
		}
		// patch enters a node in every way in which it may be drawn.
		patch := func(n at) {
			requireSurface(drawn(&c, n, ortho.Single, 0, ortho.Record{ID: n.id}), 0, n, -1)
			for mask := n.node.Mask(); mask != 0; mask &= mask - 1 {
				o := bits.TrailingZeros8(mask)
				brick := n.child(tree, o)
				if n.level == depth-1 {
					leaves := drawn(&c, n, ortho.LeafCubes, 0, ortho.Record{Leaves: asm.HalfBrick(n.node.Mask()), ID: n.node.First()})
					for face := range 6 {
						requireSurface(leaves, o<<3|face, brick, face)
					}
					continue
				}
				if n.level == depth-2 {
					half := drawn(&c, n, ortho.HalfBricks, o, ortho.Record{Leaves: asm.HalfBrick(brick.node.Mask()), ID: brick.node.First()})
					for part := range 64 {
						if brick.node.Has(part >> 3) {
							requireSurface(half, part, brick.child(tree, part>>3), -1)
						}
					}
					continue
				}
				var leaves []at
				var set uint64
				for part := range 64 {
					if brick.node.Has(part>>3) && brick.child(tree, part>>3).node.Has(part&7) {
						set |= 1 << part
						leaves = append(leaves, brick.child(tree, part>>3).child(tree, part&7))
					}
				}
				kind, id := ortho.Bricks, leaves[0].id
				if ids, _ := tree.GrandchildIDs(brick.level); ids == nil {
					kind, id = ortho.SharedBricks, brick.id
				}
				record := drawn(&c, n, kind, o, ortho.Record{Leaves: set, ID: id})
				for i := 0; set != 0; set &= set - 1 {
					requireSurface(record, bits.TrailingZeros64(set), leaves[i], -1)
					i++
				}
			}
		}
		var walk func(n at)
		walk = func(n at) {
			patch(n)
			for o := range 8 {
				if n.level < depth-1 && n.node.Has(o) {
					walk(n.child(tree, o))
				}
			}
		}
		walk(at{node: tree.Root()})
	})
}

// A surface's depth is that of the face under the pixel; beside the cube, where
// level of detail may draw it too, it stays within the cube's own depths.
func TestDepthLiesWithinTheCube(t *testing.T) {
	tree := treeOf(t, 1, [3]uint32{})
	view, err := project.Camera{Eye: mgl64.Vec3{.5, -9, .5}, Target: mgl64.Vec3{.5, 0, .5}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}.View(57, 31)
	require.NoError(t, err)
	pose, err := project.NewPose(view, mgl64.Ident4(), 1)
	require.NoError(t, err)
	c := ortho.NewCanvas(occlusion.StripCoverage)
	c.Reset(ortho.Rect{X1: 57, Y1: 31}, ortho.Scene{Trees: []*svo.Tree{tree}, Poses: []project.Pose{pose}}, false)
	s := ortho.Surface{Edge: 1}
	require.InDelta(t, 9, c.Depth(&s, 28, 15), 1e-9, "the front face is 9 units away")
	for x := range 57 {
		for y := range 31 {
			require.GreaterOrEqual(t, c.Depth(&s, x, y), 9-1e-9)
			require.LessOrEqual(t, c.Depth(&s, x, y), 10+1e-9)
		}
	}
}
