package render_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

// drawScene makes a scene of a few thin models, turned, mirrored and stretched,
// one of them hidden, and lists the corners of the voxels that are seen.
func drawScene(t *rapid.T) (*render.Scene, []mgl64.Vec3) {
	number := rapid.Float64Range(-3, 3)
	scene := &render.Scene{}
	var corners []mgl64.Vec3
	for i := range rapid.IntRange(2, 4).Draw(t, "instances") {
		depth := rapid.IntRange(1, 6).Draw(t, "depth")
		builder := svo.NewBuilder(depth)
		coordinate := rapid.Uint32Range(0, 1<<depth-1)
		for range rapid.IntRange(1, 12).Draw(t, "voxels") {
			require.NoError(t, builder.Add(coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z"), svo.Voxel{}))
		}
		tree, err := builder.Build(t.Context())
		require.NoError(t, err)
		turn := mgl64.HomogRotate3D(number.Draw(t, "angle"), mgl64.Vec3{number.Draw(t, "ax"), number.Draw(t, "ay"), 1}.Normalize())
		transform := mgl64.Translate3D(20*number.Draw(t, "tx"), 20*number.Draw(t, "ty"), 20*number.Draw(t, "tz")).
			Mul4(turn).Mul4(mgl64.Scale3D(-1, rapid.Float64Range(0.2, 2).Draw(t, "stretch"), 1))
		scene.Instances = append(scene.Instances, render.Instance{Tree: tree, Transform: transform, Hidden: i == 1})
		if i == 1 {
			continue
		}
		for p := range tree.All() {
			low := mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
			for _, corner := range project.Corners(low, low.Add(mgl64.Vec3{1, 1, 1})) {
				corners = append(corners, mgl64.TransformCoordinate(corner, transform))
			}
		}
	}
	return scene, corners
}

// The voxels, not the boxes around them, lie in the middle of the picture and
// span the wanted share of it, from wherever they are looked at.
func TestFitIsExactToTheVoxel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scene, corners := drawScene(t)
		number := rapid.Float64Range(-1, 1)
		direction := mgl64.Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")}
		if direction.Len() < 1e-3 {
			direction = mgl64.Vec3{0, 1, 0}
		}
		side := rapid.IntRange(20, 1000)
		width, height := side.Draw(t, "width"), side.Draw(t, "height")
		fov := rapid.SampledFrom([]float64{0, 10, 30, 60}).Draw(t, "fov")
		camera, err := scene.Fit(direction, mgl64.Vec3{0, 0, 1}, width, height, fov, 0.9)
		require.NoError(t, err)
		view, err := camera.View(width, height)
		require.NoError(t, err)
		var seen [3][2]float64 // the span in the camera's axes
		left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for n, corner := range corners {
			d := corner.Sub(view.Eye)
			scale := view.Focal
			for i, axis := range []mgl64.Vec3{view.Right, view.Down, view.Forward} {
				if v := d.Dot(axis); n == 0 {
					seen[i] = [2]float64{v, v}
				} else {
					seen[i] = [2]float64{math.Min(seen[i][0], v), math.Max(seen[i][1], v)}
				}
			}
			if !view.Parallel {
				scale /= d.Dot(view.Forward)
			}
			x, y := d.Dot(view.Right)*scale, d.Dot(view.Down)*scale
			left, right, top, bottom = math.Min(left, x), math.Max(right, x), math.Min(top, y), math.Max(bottom, y)
		}
		const fraction = 0.01 // of a pixel
		require.InDelta(t, 0, left+right, fraction, "centred sideways")
		require.InDelta(t, 0, top+bottom, fraction, "centred up and down")
		share := math.Max((right-left)/float64(width), (bottom-top)/float64(height))
		nearest, extent := seen[2][0], 0.0
		for _, s := range seen {
			extent = math.Max(extent, s[1]-s[0])
		}
		require.Positive(t, nearest, "all voxels are before the eye")
		require.Less(t, share, 0.9+fraction/float64(max(width, height)))
		// Some scenes have to be kept at a distance: see project.Fit.
		if view.Parallel || nearest > extent/15 {
			require.InDelta(t, 0.9, share, fraction/float64(max(width, height)))
		}
	})
}

// A tree that contains itself has more voxels than could ever be looked at.
func TestFitOfAnEndlessTree(t *testing.T) {
	const octants = 0b0110_1001 // 0, 3, 5 and 6: Sierpinski's tetrahedron
	node := svo.NewNode(0, octants)
	tree, err := svo.New(svo.MaxDepth, []svo.Node{node, node, node, node}, make([]svo.Colour, 4), nil, nil)
	require.NoError(t, err)
	scene := &render.Scene{Instances: []render.Instance{{Tree: tree, Transform: mgl64.Scale3D(0x1p-30, 0x1p-30, 0x1p-30)}}}
	for _, fov := range []float64{0, 40} {
		camera, err := scene.Fit(mgl64.Vec3{1, 2, -1.5}, mgl64.Vec3{0, 0, 1}, 400, 300, fov, 0.9)
		require.NoError(t, err)
		vertices := []mgl64.Vec3{{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}
		want, err := project.Fit(vertices, mgl64.Vec3{1, 2, -1.5}, mgl64.Vec3{0, 0, 1}, 400, 300, fov, 0.9)
		require.NoError(t, err)
		require.InDelta(t, 0, want.Eye.Sub(camera.Eye).Len(), 1e-3)
		require.InDelta(t, want.Scale, camera.Scale, 0.1)
	}
}

func TestBoundsAndCorners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scene, corners := drawScene(t)
		low, high, ok := scene.Bounds()
		require.True(t, ok)
		for _, corner := range corners {
			for axis := range 3 {
				require.LessOrEqual(t, low[axis], corner[axis]+1e-9)
				require.GreaterOrEqual(t, high[axis], corner[axis]-1e-9)
			}
		}
	})
	nothing := render.Scene{Instances: []render.Instance{{Transform: mgl64.Ident4()}, {Tree: &svo.Tree{}}}}
	_, _, ok := nothing.Bounds()
	require.False(t, ok)
	_, err := nothing.Fit(mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}, 10, 10, 45, 0.9)
	require.ErrorContains(t, err, "nothing to look at")
}
