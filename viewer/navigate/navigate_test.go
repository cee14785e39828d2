package navigate

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

const width, height = 640, 360

// anyNavigator has been around.
func anyNavigator(t *rapid.T) *Navigator {
	n := New(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}, 100)
	if rapid.Bool().Draw(t, "y up") {
		n.Up, n.Front = mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}
	}
	coordinate := rapid.Float64Range(-200, 200)
	n.Focus = mgl64.Vec3{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z")}
	n.Yaw = rapid.Float64Range(-180, 180).Draw(t, "yaw")
	n.Pitch = rapid.SampledFrom([]float64{-90, -89, -30, 0, 24, 80, 90}).Draw(t, "pitch")
	n.Distance = rapid.Float64Range(1, 500).Draw(t, "distance")
	n.Parallel = rapid.Bool().Draw(t, "parallel")
	return n
}

// pixelOf is where a camera sees a point, and how far ahead of the eye.
func pixelOf(t require.TestingT, c project.Camera, p mgl64.Vec3) (x, y, depth float64) {
	view, err := c.View(width, height)
	require.NoError(t, err)
	d := p.Sub(view.Eye)
	depth = d.Dot(view.Forward)
	scale := view.Focal
	if !view.Parallel {
		scale /= depth
	}
	return width/2. + d.Dot(view.Right)*scale, height/2. + d.Dot(view.Down)*scale, depth
}

func (n *Navigator) project(t require.TestingT, p mgl64.Vec3) (x, y, depth float64) {
	return pixelOf(t, n.Camera(height), p)
}

func TestZoomKeepsThePointUnderTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNavigator(t)
		x, y := rapid.Float64Range(0, width).Draw(t, "cursor x"), rapid.Float64Range(0, height).Draw(t, "cursor y")
		p := n.PointAt(x, y, rapid.Float64Range(1, 300).Draw(t, "depth"), width, height)
		gotX, gotY, before := n.project(t, p)
		assert.InDelta(t, x, gotX, 1e-6, "PointAt is seen at the cursor")
		assert.InDelta(t, y, gotY, 1e-6)
		steps := rapid.Float64Range(-5, 5).Draw(t, "steps")
		n.Zoom(steps, p)
		gotX, gotY, after := n.project(t, p)
		assert.InDelta(t, x, gotX, 1e-6)
		assert.InDelta(t, y, gotY, 1e-6)
		if !n.Parallel {
			assert.InDelta(t, before*math.Pow(ZoomPerStep, steps), after, 1e-6)
		}
	})
}

func TestPanTakesThePointAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNavigator(t)
		depth := rapid.Float64Range(1, 300).Draw(t, "depth")
		p := n.PointAt(100, 200, depth, width, height)
		n.Pan(30, -40, depth, height)
		x, y, _ := n.project(t, p)
		assert.InDelta(t, 130, x, 1e-6)
		assert.InDelta(t, 160, y, 1e-6)
	})
}

func TestOrbitKeepsTheFocus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNavigator(t)
		distance := n.Distance
		n.Orbit(rapid.Float64Range(-900, 900).Draw(t, "dx"), rapid.Float64Range(-900, 900).Draw(t, "dy"))
		x, y, depth := n.project(t, n.Focus)
		assert.InDelta(t, width/2, x, 1e-6)
		assert.InDelta(t, height/2, y, 1e-6)
		assert.InDelta(t, distance, depth, 1e-6)
		assert.LessOrEqual(t, math.Abs(n.Pitch), 90.0)
		assert.LessOrEqual(t, math.Abs(n.Yaw), 180.0)
	})
}

func TestOrbitTurnsTheModelLikeTheHand(t *testing.T) {
	n := New(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}, 10)
	n.Yaw, n.Pitch = 0, 0
	before, _, _ := n.project(t, mgl64.Vec3{0, -1, 0})
	n.Orbit(50, 0)
	after, _, _ := n.project(t, mgl64.Vec3{0, -1, 0})
	assert.Greater(t, after, before, "dragged to the right, the front goes right")
	_, before, _ = n.project(t, mgl64.Vec3{0, -1, 0})
	n.Orbit(0, 50)
	_, after, _ = n.project(t, mgl64.Vec3{0, -1, 0})
	assert.Greater(t, after, before, "dragged down, the front goes down")
}

func TestLookKeepsTheEye(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNavigator(t)
		eye := n.Eye()
		n.Look(rapid.Float64Range(-300, 300).Draw(t, "dx"), rapid.Float64Range(-300, 300).Draw(t, "dy"))
		assert.InDelta(t, 0, eye.Sub(n.Eye()).Len(), 1e-6)
	})
}

func TestTheOtherProjectionShowsTheFocusAsLarge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNavigator(t)
		right, _ := n.screen()
		p := n.Focus.Add(right)
		before, _, _ := n.project(t, p)
		n.ToggleParallel()
		after, _, _ := n.project(t, p)
		assert.InDelta(t, before, after, 1e-6)
	})
}

func TestACameraThatWasSetComesBackToTheBit(t *testing.T) {
	scene, fit := island(t)
	low, high, _ := scene.Bounds()
	n := New(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}, high.Sub(low).Len())
	for _, fov := range []float64{0, 45} {
		direction, top := project.Viewpoint{Yaw: 17, Pitch: -33}.Axes(n.Up, n.Front)
		camera, err := fit(direction, top, fov)
		require.NoError(t, err)
		n.Set(camera, height)
		n.Orbit(0, 0)
		n.Pan(0, 0, 7, height)
		assert.Equal(t, camera, n.Camera(height))
		assert.InDelta(t, 17, n.Yaw, 1e-9)
		assert.InDelta(t, -33, n.Pitch, 1e-9)
		wide := n.Camera(2 * height)
		assert.Equal(t, 2*camera.Scale, wide.Scale, "a larger picture shows the same")

		n.Orbit(1e-9, 0) // moved, all but
		moved := n.Camera(height)
		assert.InDelta(t, camera.Scale, moved.Scale, 1e-9)
		for _, p := range []mgl64.Vec3{low, high} {
			x0, y0, _ := pixelOf(t, camera, p)
			x1, y1, _ := pixelOf(t, moved, p)
			assert.InDelta(t, x0, x1, 1e-3)
			assert.InDelta(t, y0, y1, 1e-3)
		}
	}
}

func TestAnglesAreThoseOfTheAxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNavigator(t)
		direction, top := n.Axes()
		yaw, pitch := n.angles(direction, top)
		// The arcsine is steep near the poles.
		assert.InDelta(t, n.Pitch, pitch, 1e-4)
		assert.InDelta(t, 0, math.Remainder(n.Yaw-yaw, 360), 1e-4)
	})
}

func TestNamedViews(t *testing.T) {
	scene, fit := island(t)
	low, high, _ := scene.Bounds()
	n := New(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}, high.Sub(low).Len())
	require.NoError(t, n.Reset(fit, height))
	reset := n.Camera(height)
	for name, want := range map[string]mgl64.Vec3{
		"front": {0, 1, 0}, "back": {0, -1, 0}, "right": {-1, 0, 0}, "left": {1, 0, 0}, "top": {0, 0, -1}, "bottom": {0, 0, 1},
	} {
		v, ok := project.ViewpointNamed(name)
		require.True(t, ok)
		n.From(v)
		view, err := n.Camera(height).View(width, height)
		require.NoError(t, err, name)
		assert.InDelta(t, 1, view.Forward.Dot(want), 1e-12, name)
		assert.False(t, view.Parallel, name)
		x, y, _ := n.project(t, n.Focus)
		assert.InDelta(t, width/2, x, 1e-6, name)
		assert.InDelta(t, height/2, y, 1e-6, name)
	}
	n.From(project.Isometric)
	assert.True(t, n.Parallel)
	require.NoError(t, n.Frame(fit, height))
	direction, top := project.Isometric.Axes(n.Up, n.Front)
	want, err := fit(direction, top, 0)
	require.NoError(t, err)
	assert.Equal(t, want, n.Camera(height), "framed, it is the picture of --view iso")
	require.NoError(t, n.Reset(fit, height))
	assert.Equal(t, reset, n.Camera(height))
}

func TestFocusOnMovesSideways(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNavigator(t)
		p := n.PointAt(100, 50, 40, width, height)
		n.FocusOn(p)
		x, y, depth := n.project(t, p)
		assert.InDelta(t, width/2, x, 1e-6)
		assert.InDelta(t, height/2, y, 1e-6)
		if !n.Parallel {
			assert.InDelta(t, 40, depth, 1e-6)
		}
	})
}

func TestFlyFollowsTheDistanceToTheSurface(t *testing.T) {
	n := New(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}, 100)
	direction, _ := n.Axes()
	eye := n.Eye()
	n.Fly(0, 0, 1, 0.5, 10)
	assert.InDelta(t, 0, n.Eye().Sub(eye.Add(direction.Mul(5))).Len(), 1e-9, "half the way in half a second")
	eye = n.Eye()
	n.Fly(0, 0, 1, 0.5, 0)
	assert.Greater(t, n.Eye().Sub(eye).Len(), 0.0, "inside a voxel it still gets out")
	eye = n.Eye()
	n.Fly(0, 1, 0, 1, 2)
	assert.InDelta(t, 2, n.Eye().Sub(eye)[2], 1e-9, "up is the model's")
	n.Fly(0, 0, 1, 1, math.Inf(1))
	assert.False(t, math.IsInf(n.Focus.Len(), 0), "nothing near: the model's size is the measure")

	n.Parallel = true
	before := n.Camera(height).Scale
	n.Fly(0, 0, 1, 1, 2)
	assert.Greater(t, n.Camera(height).Scale, before)
}

func TestInertiaRunsOnAndEnds(t *testing.T) {
	n := New(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}, 100)
	drag := func() {
		for range 10 {
			n.Orbit(5, 0)
			n.Dragged([2]float64{5, 0}, [2]float64{}, 1./60)
		}
		n.Release()
	}
	drag()
	assert.False(t, n.Coast(1./60, height), "none unless asked for")
	n.Inertia = true
	drag()
	yaw := n.Yaw
	frames := 0
	for n.Coast(1./60, height) {
		frames++
		require.Less(t, frames, 1000)
	}
	assert.Greater(t, frames, 10)
	assert.NotEqual(t, yaw, n.Yaw)
	drag()
	n.Stop()
	assert.False(t, n.Coast(1./60, height))
}

func island(t *testing.T) (*render.Scene, Fitter) {
	asset, err := models.Load("proc:island", models.Options{})
	require.NoError(t, err)
	scene, err := render.SceneOf(asset, 0)
	require.NoError(t, err)
	return scene, func(direction, top mgl64.Vec3, fovY float64) (project.Camera, error) {
		return scene.Fit(direction, top, width, height, fovY, project.DefaultFill)
	}
}
