package ortho_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
)

// Instances without end may contest the same pixels: what they leave behind
// stays bounded, and each pixel goes on seeing what won it.
func TestRecordsOfContestedInstancesStayBounded(t *testing.T) {
	const width, instances = 64, 1000
	const bound = 1<<20 + 2*width*width
	view, err := project.Camera{Eye: mgl64.Vec3{0, -99, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}.View(width, width)
	require.NoError(t, err)
	tree := treeOf(t, 1, [3]uint32{})
	scene := ortho.Scene{}
	for i := range instances {
		// Each stands nearer than the one before, but every third.
		y := float64(-i) / instances
		if i%3 == 0 {
			y = 1
		}
		pose, err := project.NewPose(view, mgl64.Translate3D(0, y, 0), tree.Depth)
		require.NoError(t, err)
		scene.Trees, scene.Poses = append(scene.Trees, tree), append(scene.Poses, pose)
	}
	c := ortho.NewCanvas(occlusion.StripCoverage)
	whole := ortho.Rect{X1: width, Y1: width}
	c.Reset(whole, scene, false)
	want := make([]int32, width*width)
	most := 0
	for i := range int32(instances) {
		// The first columns are left to the instances before: some records live
		// through all that is dropped.
		part := ortho.Rect{X0: int(i) % width, X1: width, Y1: width}
		if i == 0 || i%3 != 0 {
			for y := range width {
				for x := part.X0; x < width; x++ {
					want[y*width+x] = i
				}
			}
		}
		patch := asm.NewPatch([3]int32{}, i, 1, ortho.Single)
		contested(&c, part, func(int32) ortho.Rival { return ortho.Crossing }, func() {
			for y := range width {
				for x := part.X0; x < width; x++ {
					c.Splat(ortho.Rect{X0: x, X1: x + 1, Y0: y, Y1: y + 1}, 1, &patch)
				}
			}
		})
		most = max(most, len(c.Records), len(c.Patches))
	}
	require.LessOrEqual(t, most, bound)
	require.Greater(t, most, 1<<20, "the bound was reached")
	for y := range width {
		for x, ref := range c.SeenRow(y) {
			require.Equal(t, want[y*width+x], c.Surface(ref).Instance, "pixel %d, %d", x, y)
		}
	}
}
