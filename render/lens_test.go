package render_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// However far away the eye is, the lens makes up for it: nothing may be lost to
// the distance. The pictures are high and narrow, since pixels and not degrees
// tell how long a lens is.
func TestLongLensesShowWhatTheRaysSee(t *testing.T) {
	const width, height = 40, 1000
	trees := bigVoxels(t)[2:3]
	trees = append(trees, ball(t), speckle(t, 9, 7, 20000))
	random := rand.New(rand.NewPCG(4, 40))
	for k, tree := range trees {
		scene := place(tree, mgl64.HomogRotate3D(1, mgl64.Vec3{1, 2, 3}.Normalize()).Mul4(mgl64.Scale3D(1, -1, 1.5)))
		truth := truthOf(scene, false)
		direction := mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		var cameras []project.Camera
		for _, fov := range []float64{3, 0.3, 0.03, 1e-3} {
			camera, err := scene.Fit(direction, mgl64.Vec3{0, 0, 1}, width, height, fov, 6)
			require.NoError(t, err)
			cameras = append(cameras, camera)
		}
		for _, away := range []float64{0, 1e3, 1e6} { // a parallel projection looks the same from anywhere
			camera, err := scene.Fit(direction, mgl64.Vec3{0, 0, 1}, width, height, 0, 6)
			require.NoError(t, err)
			camera.Eye = camera.Eye.Sub(camera.Target.Sub(camera.Eye).Mul(away))
			cameras = append(cameras, camera)
		}
		for i, camera := range fewer(cameras) {
			picture := truthPicture(t, truth, camera, width, height)
			for _, core := range []render.Core{render.CoreBricks, render.CoreClassic} {
				renderer := newRenderer(t, render.Options{Width: width, Height: height, Core: core})
				report := judge(t, fmt.Sprintf("lens%d-%d-%v", k, i, core), picture, renderer, scene, camera)
				require.Greater(t, report.Hits, width*height/10)
			}
		}
	}
}
