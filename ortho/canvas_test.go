package ortho_test

import (
	"context"
	"math"
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

// tile is a part of a picture that doesn't begin at its corner.
var tile = ortho.Rect{X0: 16, X1: 40, Y0: 5, Y1: 25}

var coverages = map[string]occlusion.Kind{"strips": occlusion.StripCoverage, "bytes": occlusion.ByteCoverage}

// treeOf is a tree of the given depth.
func treeOf(t require.TestingT, depth int, voxels ...[3]uint32) *svo.Tree {
	b := svo.NewBuilder(depth)
	for _, v := range voxels {
		require.NoError(t, b.Add(v[0], v[1], v[2], svo.Voxel{}))
	}
	tree, err := b.Build(context.Background())
	require.NoError(t, err)
	return tree
}

// crossing draws cubes of one voxel that are turned in several ways about the
// point that the middle of the tile looks at.
func crossing(t *rapid.T, n int) (scene ortho.Scene) {
	view, err := project.Camera{Eye: mgl64.Vec3{0, -9, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}.View(56, 30)
	require.NoError(t, err)
	tree := treeOf(t, 1, [3]uint32{})
	// In steps: no depths that differ, yet hardly.
	number := func(name string) float64 { return float64(rapid.IntRange(-32, 32).Draw(t, name)) / 32 }
	for range n {
		m := mgl64.Translate3D(number("x"), number("y"), number("z")).
			Mul4(mgl64.HomogRotate3D(3*number("angle"), mgl64.Vec3{1, 2, 3}.Normalize())).
			Mul4(mgl64.Scale3D(2, 2, 2)).Mul4(mgl64.Translate3D(-.5, -.5, -.5))
		pose, err := project.NewPose(view, m, tree.Depth)
		require.NoError(t, err)
		scene.Trees, scene.Poses = append(scene.Trees, tree), append(scene.Poses, pose)
	}
	return scene
}

// cube draws an instance of a crossing.
func cube(c *ortho.Canvas, instance int) {
	patch := asm.NewPatch([3]int32{}, int32(instance), 1, ortho.Single)
	c.Cube(tile, 1, &patch)
}

// contested draws in a rectangle, in which all pixels are contested.
func contested(c *ortho.Canvas, r ortho.Rect, rival func(int32) ortho.Rival, draw func()) {
	contestedBy(c, r, func(x, y int) { c.Reopen(x, y, r, rival) }, draw)
}

// contestedBy is contested with a way to reopen a cell.
func contestedBy(c *ortho.Canvas, r ortho.Rect, reopen func(x, y int), draw func()) {
	cells := c.Cells(r)
	c.Begin(cells)
	for y := cells.Y0; y < cells.Y1; y++ {
		for x := cells.X0; x < cells.X1; x++ {
			reopen(x, y)
		}
	}
	draw()
	c.End(func(int, int) {})
}

// seenBy lists the instance that each pixel of the tile sees, -1 for none.
func seenBy(c *ortho.Canvas) (list []int) {
	for y := tile.Y0; y < tile.Y1; y++ {
		for _, ref := range c.SeenRow(y) {
			instance := -1
			if ref != 0 {
				instance = int(c.Surface(ref).Instance)
			}
			list = append(list, instance)
		}
	}
	return list
}

// rounding bounds the difference of depths that ought to be the same.
const rounding = 1e-12

// nearest lists the instance that is seen first along the ray of each pixel of
// the tile, -1 for none: of two at the same depth the later or the earlier one.
func nearest(scene *ortho.Scene) (list []int) {
	for y := tile.Y0; y < tile.Y1; y++ {
		for x := tile.X0; x < tile.X1; x++ {
			instance, first := -1, math.Inf(1)
			for i := range scene.Poses {
				depth, _, hit := scene.Poses[i].Rays.Hit([3]int32{}, 1, x, y)
				same := math.Abs(depth-first) < rounding
				if hit && (!same && depth < first || same && scene.LaterWins) {
					instance, first = i, depth
				}
			}
			list = append(list, instance)
		}
	}
	return list
}

// Instances that cross each other are told apart pixel by pixel, in whatever
// order they are drawn; those that lie at the same place by the scene's rule.
func TestContestedInstancesShowTheNearest(t *testing.T) {
	for name, kind := range coverages {
		t.Run(name, func(t *testing.T) {
			several := false
			rapid.Check(t, func(t *rapid.T) {
				scene := crossing(t, 3)
				scene.LaterWins = rapid.Bool().Draw(t, "later wins")
				if rapid.Bool().Draw(t, "twice") {
					scene.Poses[2] = scene.Poses[0]
				}
				c := ortho.NewCanvas(kind)
				c.Reset(tile, scene, false)
				for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "order") {
					if rapid.Bool().Draw(t, "at once") {
						contestedBy(&c, tile, func(x, y int) { c.ReopenAll(x, y, tile, ortho.Crossing) }, func() { cube(&c, i) })
					} else {
						contested(&c, tile, func(int32) ortho.Rival { return ortho.Crossing }, func() { cube(&c, i) })
					}
				}
				got, want := seenBy(&c), nearest(&scene)
				for i, instance := range want {
					x, y := tile.X0+i%(tile.X1-tile.X0), tile.Y0+i/(tile.X1-tile.X0)
					require.Equal(t, instance, got[i], "pixel %d, %d", x, y)
					require.Equal(t, instance < 0, c.AnyOpen(ortho.Rect{X0: x, X1: x + 1, Y0: y, Y1: y + 1}))
					several = several || instance != want[0] && instance >= 0
				}
			})
			require.True(t, several)
		})
	}
}

// An instance that is certainly nearer keeps, or wins, all its pixels.
func TestInstancesInOrderAreNotMeasured(t *testing.T) {
	for name, kind := range coverages {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				scene := crossing(t, 2)
				c := ortho.NewCanvas(kind)
				c.Reset(tile, scene, false)
				cube(&c, 0)
				before := seenBy(&c)
				stands := rapid.SampledFrom([]ortho.Rival{ortho.Behind, ortho.Before}).Draw(t, "stands")
				if stands == ortho.Before && rapid.Bool().Draw(t, "at once") {
					contestedBy(&c, tile, func(x, y int) { c.ReopenAll(x, y, tile, stands) }, func() { cube(&c, 1) })
				} else {
					contested(&c, tile, func(int32) ortho.Rival { return stands }, func() { cube(&c, 1) })
				}
				alone := ortho.NewCanvas(kind)
				alone.Reset(tile, scene, false)
				cube(&alone, 1)
				second := seenBy(&alone)
				for i, instance := range seenBy(&c) {
					want := max(before[i], second[i]) // the second, if either is there
					if stands == ortho.Behind && before[i] == 0 {
						want = 0
					}
					require.Equal(t, want, instance)
				}
			})
		})
	}
}

// The first to take a pixel keeps it.
func TestFirstWriteWins(t *testing.T) {
	for name, kind := range coverages {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				scene := crossing(t, 2)
				c := ortho.NewCanvas(kind)
				c.Reset(tile, scene, false)
				want := map[[2]int]uint32{}
				for id := range uint32(5) {
					x, y := rapid.IntRange(tile.X0, tile.X1-1), rapid.IntRange(tile.Y0, tile.Y1-1)
					r := ortho.Rect{X0: x.Draw(t, "x0"), X1: x.Draw(t, "x1") + 1, Y0: y.Draw(t, "y0"), Y1: y.Draw(t, "y1") + 1}
					patch := asm.NewPatch([3]int32{}, 0, 1, ortho.Single)
					c.Splat(r, id, &patch)
					for y := r.Y0; y < r.Y1; y++ {
						for x := r.X0; x < r.X1; x++ {
							if _, taken := want[[2]int{x, y}]; !taken {
								want[[2]int{x, y}] = id
							}
						}
					}
				}
				got := map[[2]int]uint32{}
				for y := tile.Y0; y < tile.Y1; y++ {
					for i, ref := range c.SeenRow(y) {
						if ref != 0 {
							got[[2]int{tile.X0 + i, y}] = c.Surface(ref).ID
						}
					}
				}
				require.Equal(t, want, got)
			})
		})
	}
}

// A canvas that is used again shows nothing of what was there.
func TestResetIsAnEmptyPicture(t *testing.T) {
	for name, kind := range coverages {
		t.Run(name, func(t *testing.T) {
			scene := ortho.Scene{Trees: []*svo.Tree{treeOf(t, 1, [3]uint32{})}, Poses: make([]project.Pose, 1)}
			c := ortho.NewCanvas(kind)
			c.Reset(tile, scene, true)
			c.Splat(tile, 0, &ortho.Patch{})
			c.Visit(tile)
			require.False(t, c.AnyOpen(tile))
			smaller := ortho.Rect{X0: 8, X1: 20, Y0: 0, Y1: 3}
			c.Reset(smaller, scene, true)
			for y := range 3 {
				require.Equal(t, make([]ortho.Ref, 12), c.SeenRow(y))
				require.Equal(t, make([]uint16, 12), c.VisitsRow(y))
			}
			for x := smaller.X0; x < smaller.X1; x++ {
				require.True(t, c.AnyOpen(ortho.Rect{X0: x, X1: x + 1, Y0: 2, Y1: 3}))
			}
		})
	}
}

// Counts of visits stay at the greatest number there is instead of wrapping.
func TestVisitsAreCountedPerPixel(t *testing.T) {
	c := ortho.NewCanvas(occlusion.ByteCoverage)
	c.Reset(tile, ortho.Scene{}, true)
	one := ortho.Rect{X0: 17, X1: 18, Y0: 6, Y1: 7}
	c.Visit(tile)
	for range 3 {
		c.Visit(one)
	}
	require.Equal(t, []uint16{1, 4, 1}, c.VisitsRow(6)[:3])
	require.Equal(t, []uint16{1, 1, 1}, c.VisitsRow(7)[:3])
	for range math.MaxUint16 {
		c.Visit(one)
	}
	require.Equal(t, []uint16{1, math.MaxUint16, 1}, c.VisitsRow(6)[:3])
}
