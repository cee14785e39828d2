package ortho_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/asm"
	"github.com/cfef80af/eightfold/ortho"
	"github.com/cfef80af/eightfold/project"
)

// depth of the trees that are posed.
const depth = 12

// posed draws a tree that is turned, mirrored and stretched, and a camera that
// sees the point target of it somewhere in the picture, one voxel there being
// about as large as size pixels.
func posed(t *rapid.T, target mgl64.Vec3, size float64) project.Pose {
	number := func(low, high float64, name string) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
	toWorld := mgl64.Translate3D(number(-99, 99, "move"), 2, 3).
		Mul4(mgl64.HomogRotate3D(number(-3, 3, "angle"), mgl64.Vec3{1, 2, 3}.Normalize())).
		Mul4(mgl64.Scale3D(number(.02, 2, "scale"), -1, 1))
	const width, height = 640, 480
	camera := project.Camera{FovY: number(5, 100, "fov"), Up: mgl64.Vec3{0, 0, 1}}
	distance := height / (2 * math.Tan(camera.FovY*math.Pi/360)) / size
	if rapid.IntRange(0, 3).Draw(t, "parallel") == 0 {
		camera.Scale = size
	}
	direction := mgl64.SphericalToCartesian(1, number(0, math.Pi, "theta"), number(-math.Pi, math.Pi, "phi"))
	camera.Target = mgl64.TransformCoordinate(target, toWorld)
	camera.Eye = camera.Target.Sub(direction.Mul(distance))
	// Look aside, so that the point is not in the middle.
	camera.Target = camera.Target.Add(mgl64.Vec3{number(-.3, .3, "aside"), number(-.3, .3, "aside"), 0}.Mul(distance))
	view, err := camera.View(width, height)
	require.NoError(t, err)
	pose, err := project.NewPose(view, toWorld, depth)
	require.NoError(t, err)
	return pose
}

// cell draws a node of the tree: its centre and half its size, in voxels.
func cell(t *rapid.T, level int) (centre mgl64.Vec3, half float64) {
	half = math.Ldexp(1, depth-level-1)
	for k := range 3 {
		centre[k] = float64(2*rapid.IntRange(0, 1<<level-1).Draw(t, "cell")+1) * half
	}
	return centre, half
}

// onScreen is a point of the tree in pixels.
func onScreen(p *project.Pose, v mgl64.Vec3) [2]float64 {
	c := p.ToCamera(v[0], v[1], v[2])
	z := c[2]
	if p.View.Parallel {
		z = 1
	}
	return [2]float64{c[0]/z + float64(p.View.Width)/2, c[1]/z + float64(p.View.Height)/2}
}

// inCamera is a point as NewPattern and NewStep take it.
func inCamera(p *project.Pose, v mgl64.Vec3) [3]float64 {
	c := p.ToCamera(v[0], v[1], v[2])
	if p.View.Parallel {
		c[2] = 1
	}
	return c
}

// shadow is the exact extent of a cube on the screen.
func shadow(p *project.Pose, centre mgl64.Vec3, half float64) (low, high [2]float64) {
	low, high = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for o := range 8 {
		at := onScreen(p, octantOf(centre, o, half))
		for c := range 2 {
			low[c], high[c] = math.Min(low[c], at[c]), math.Max(high[c], at[c])
		}
	}
	return low, high
}

// octantOf is the centre of an octant whose half size is half.
func octantOf(centre mgl64.Vec3, o int, half float64) mgl64.Vec3 {
	for k := range 3 {
		centre[k] += half * float64(o>>k&1*2-1)
	}
	return centre
}

// A node that is subdivided on the screen stays where perspective puts it, down
// to its voxels: no exact extent leaves a footprint, and no footprint is wider
// than the margin makes it.
func TestStepKeepsToTheExactProjection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.IntRange(4, 8).Draw(t, "level")
		centre, half := cell(t, level)
		p := posed(t, centre, rapid.Float64Range(1, 40).Draw(t, "pixels")/(2*half))
		step, x, y := ortho.NewStep(&p, inCamera(&p, centre), half)
		require.InDeltaSlice(t, []float64{onScreen(&p, centre)[0], onScreen(&p, centre)[1]}, []float64{x, y}, 1e-6)
		scale := 1.
		for level++; level <= depth; level++ {
			o := rapid.IntRange(0, 7).Draw(t, "octant")
			x, y = x+scale*float64(step.DX[o]), y+scale*float64(step.DY[o])
			half /= 2
			centre = octantOf(centre, o, half)
			low, high := shadow(&p, centre, half)
			at, margin := [2]float64{x, y}, float64(step.Margin)
			extent := [2]float64{scale * float64(step.EX), scale * float64(step.EY)}
			for c := range 2 {
				require.LessOrEqual(t, at[c]-extent[c]-margin, low[c])
				require.GreaterOrEqual(t, at[c]+extent[c]+margin, high[c])
				require.LessOrEqual(t, low[c], at[c]-extent[c]+margin)
				require.GreaterOrEqual(t, high[c], at[c]+extent[c]-margin)
			}
			scale /= 2
		}
	})
}

// Where the kernels tell that a node may be subdivided on the screen, the error
// is at most what project promises.
func TestStepErrsAtMostAsPromised(t *testing.T) {
	kernels, err := asm.Select(asm.Auto)
	require.NoError(t, err)
	ready := 0
	checkAll(t, func(t *rapid.T) {
		centre, half := cell(t, rapid.IntRange(4, 8).Draw(t, "level"))
		p := posed(t, centre, rapid.Float64Range(1, 60).Draw(t, "pixels")/(2*half))
		if p.View.Parallel {
			return
		}
		var batch asm.Batch
		var lens asm.Lens
		p.Lens(&lens, new([8][3]float64))
		c := p.ToCamera(centre[0], centre[1], centre[2])
		kernels.ProjectTwo(&batch, &lens, float32(c[0]), float32(c[1]), float32(c[2]), float32(half/2))
		for o := range 8 {
			if batch.Ortho>>o&1 != 0 {
				ready++
				step, _, _ := ortho.NewStep(&p, inCamera(&p, octantOf(centre, o, half/2)), half/2)
				require.LessOrEqual(t, float64(step.Margin), (p.View.Margin()+project.OrthoError)*(1+1e-5))
			}
		}
	}, &ready)
}
