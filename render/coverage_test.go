package render_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/occlusion"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
	"github.com/cfef80af/eightfold/svo"
)

// Strips look at nodes larger than a few pixels by tiles, and may open one of
// which no pixel is open: what is in it must not lie beside it, by rounding, where
// one is. Sheared and uneven trees close to the eye show it.
func TestThePictureDoesNotDependOnTheCoverageBuffer(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 3))
	sponge, err := models.Sponge(20)
	require.NoError(t, err)
	trees := []*svo.Tree{sponge, speckle(t, 2, 5, 200), speckle(t, 3, 12, 2000)}
	for range 3 {
		scene := &render.Scene{}
		for range 4 {
			tree := trees[random.IntN(len(trees))]
			size := math.Ldexp(1, -tree.Depth)
			uneven := func() float64 { return size * math.Exp(3*random.NormFloat64()) }
			m := mgl64.Translate3D(random.NormFloat64(), random.NormFloat64(), random.NormFloat64()).
				Mul4(mgl64.HomogRotate3DZ(6 * random.Float64())).
				Mul4(mgl64.ShearX3D(4*random.NormFloat64(), random.NormFloat64())).
				Mul4(mgl64.Scale3D(uneven(), uneven(), uneven()))
			scene.Instances = append(scene.Instances, render.Instance{Tree: tree, Transform: m})
		}
		camera := project.Camera{
			Eye:  mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()},
			Up:   mgl64.Vec3{0, 0, 1},
			FovY: []float64{3, 45, 100, 150}[random.IntN(4)],
		}
		if random.IntN(2) == 0 { // parallel
			camera.Scale = math.Exp(3 + 4*random.Float64())
		}
		options := render.Options{Width: 600, Height: 40, Core: render.CoreClassic, Planes: render.PlaneVoxel}
		strips := drawFrame(t, options, scene, camera)
		options.Coverage = occlusion.ByteCoverage
		bytes := drawFrame(t, options, scene, camera)
		require.Equal(t, bytes.Voxel, strips.Voxel)
		require.Equal(t, bytes.Colour.Pix, strips.Colour.Pix)
	}
}
