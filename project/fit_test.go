package project_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/project"
)

func drawVec(t *rapid.T, name string, reach float64) mgl64.Vec3 {
	c := rapid.Float64Range(-reach, reach)
	return mgl64.Vec3{c.Draw(t, name+" x"), c.Draw(t, name+" y"), c.Draw(t, name+" z")}
}

// pixel is where the camera shows a point, by the convention of Camera alone.
func pixel(v project.View, p mgl64.Vec3) (x, y float64) {
	d := p.Sub(v.Eye)
	scale := v.Focal
	if !v.Parallel {
		scale /= d.Dot(v.Forward)
	}
	return float64(v.Width)/2 + d.Dot(v.Right)*scale, float64(v.Height)/2 + d.Dot(v.Down)*scale
}

// Any box, seen from anywhere in a picture of any shape, lies in the middle
// and spans the wanted share of the frame in the tighter direction.
func TestFitFillsTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		min := drawVec(t, "min", 1e4)
		size := rapid.Float64Range(0.5, 4096)
		max := min.Add(mgl64.Vec3{size.Draw(t, "dx"), size.Draw(t, "dy"), size.Draw(t, "dz")})
		direction := drawVec(t, "direction", 1)
		if direction.Len() < 1e-3 {
			direction = mgl64.Vec3{0, 1, 0}
		}
		up := drawVec(t, "up", 1)
		width, height := rapid.IntRange(1, 4000).Draw(t, "width"), rapid.IntRange(1, 4000).Draw(t, "height")
		fov := rapid.SampledFrom([]float64{0, 1, 30, 60, 90, 150}).Draw(t, "fov")
		fill := rapid.SampledFrom([]float64{project.DefaultFill, 0.25, 1, 1.7}).Draw(t, "fill")

		corners := project.Corners(min, max)
		camera, err := project.Fit(corners[:], direction, up, width, height, fov, fill)
		require.NoError(t, err)
		view, err := camera.View(width, height)
		require.NoError(t, err)
		require.InDelta(t, 1, view.Forward.Dot(direction.Normalize()), 1e-9)

		nearest := math.Inf(1)
		left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for _, corner := range corners {
			nearest = math.Min(nearest, corner.Sub(view.Eye).Dot(view.Forward))
			x, y := pixel(view, corner)
			left, right = math.Min(left, x), math.Max(right, x)
			top, bottom = math.Min(top, y), math.Max(bottom, y)
		}
		fraction := 1e-3 // of a pixel
		require.InDelta(t, float64(width), left+right, fraction, "centred sideways")
		require.InDelta(t, float64(height), top+bottom, fraction, "centred up and down")
		share := math.Max((right-left)/float64(width), (bottom-top)/float64(height))
		fraction /= math.Max(float64(width), float64(height))
		closest := longestSide(view, corners[:]) / 16
		require.Positive(t, nearest, "every corner is before the eye")
		if view.Parallel || nearest > closest*(1+1e-6) {
			require.InDelta(t, fill, share, fraction, "touches in the tighter direction")
		} else {
			require.InEpsilon(t, closest, nearest, 1e-6, "as near as it may be")
			require.Less(t, share, fill+fraction)
		}
	})
}

// longestSide is the longest side of the box around the points along the axes
// of the view.
func longestSide(view project.View, points []mgl64.Vec3) (longest float64) {
	for _, axis := range []mgl64.Vec3{view.Right, view.Down, view.Forward} {
		for _, p := range points {
			for _, q := range points {
				longest = math.Max(longest, p.Sub(q).Dot(axis))
			}
		}
	}
	return longest
}

func TestFitPutsTheTargetInTheModel(t *testing.T) {
	corners := project.Corners(mgl64.Vec3{10, 20, 30}, mgl64.Vec3{14, 24, 34})
	for _, fov := range []float64{0, 45} {
		camera, err := project.Fit(corners[:], mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}, 100, 100, fov, 0.5)
		require.NoError(t, err)
		require.Equal(t, mgl64.Vec3{12, 22, 32}, camera.Target)
		require.Less(t, camera.Eye[1], 20.0, "the eye stands before the model")
		require.Equal(t, fov, camera.FovY)
	}
}

func TestFitOfPointsWithoutExtent(t *testing.T) {
	for _, fov := range []float64{0, 45} {
		camera, err := project.Fit([]mgl64.Vec3{{1, 2, 3}, {1, 5, 3}}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}, 64, 64, fov, 0.9)
		require.NoError(t, err)
		view, err := camera.View(64, 64)
		require.NoError(t, err)
		x, y := pixel(view, mgl64.Vec3{1, 5, 3})
		require.Equal(t, [2]float64{32, 32}, [2]float64{x, y})
		require.Less(t, camera.Eye[1], 2.0)
	}
}

func TestFitRefuses(t *testing.T) {
	box := []mgl64.Vec3{{0, 0, 0}, {1, 1, 1}}
	along, up := mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}
	for name, fit := range map[string]func() (project.Camera, error){
		"no points":       func() (project.Camera, error) { return project.Fit(nil, along, up, 8, 8, 45, 0.9) },
		"no direction":    func() (project.Camera, error) { return project.Fit(box, mgl64.Vec3{}, up, 8, 8, 45, 0.9) },
		"no picture":      func() (project.Camera, error) { return project.Fit(box, along, up, 0, 8, 45, 0.9) },
		"fill 0":          func() (project.Camera, error) { return project.Fit(box, along, up, 8, 8, 45, 0) },
		"fill not finite": func() (project.Camera, error) { return project.Fit(box, along, up, 8, 8, 45, math.Inf(1)) },
		"half turn":       func() (project.Camera, error) { return project.Fit(box, along, up, 8, 8, 180, 0.9) },
		"NaN point": func() (project.Camera, error) {
			return project.Fit([]mgl64.Vec3{{math.NaN(), 0, 0}, {1, 1, 1}}, along, up, 8, 8, 45, 0.9)
		},
	} {
		_, err := fit()
		require.Error(t, err, name)
	}
}

func TestNamedViewpoints(t *testing.T) {
	up, front := mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0} // as in a .vox file
	for _, c := range []struct {
		name           string
		direction, top mgl64.Vec3
	}{
		{"front", mgl64.Vec3{0, 1, 0}, up},
		{"back", mgl64.Vec3{0, -1, 0}, up},
		{"left", mgl64.Vec3{1, 0, 0}, up},
		{"right", mgl64.Vec3{-1, 0, 0}, up},
		{"top", mgl64.Vec3{0, 0, -1}, mgl64.Vec3{0, 1, 0}},
		{"bottom", mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0}},
	} {
		viewpoint, ok := project.ViewpointNamed(c.name)
		require.True(t, ok, c.name)
		direction, top := viewpoint.Axes(up, front)
		require.Equal(t, c.direction, direction.Add(mgl64.Vec3{}), c.name)
		require.Equal(t, c.top, top.Add(mgl64.Vec3{}), c.name)
	}
	_, ok := project.ViewpointNamed("sideways")
	require.False(t, ok)
}

// In an isometric picture the three axes are equally long and none is hidden.
func TestIsometricAxesAreEquallyLong(t *testing.T) {
	iso, ok := project.ViewpointNamed("iso")
	require.True(t, ok)
	require.True(t, iso.Parallel)
	direction, top := iso.Axes(mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, -1, 0})
	view, err := project.Camera{Eye: direction.Mul(-10), Up: top, Scale: 100}.View(640, 480)
	require.NoError(t, err)
	origin := func() mgl64.Vec2 { x, y := pixel(view, mgl64.Vec3{}); return mgl64.Vec2{x, y} }()
	for axis := range 3 {
		var p mgl64.Vec3
		p[axis] = 1
		x, y := pixel(view, p)
		require.InDelta(t, 100*math.Sqrt(2./3), mgl64.Vec2{x, y}.Sub(origin).Len(), 1e-9)
	}
}

// The axes of a viewpoint are those of a camera: unit vectors at a right angle,
// whichever way it has turned.
func TestViewpointAxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(-720, 720)
		v := project.Viewpoint{Yaw: angle.Draw(t, "yaw"), Pitch: angle.Draw(t, "pitch")}
		direction, top := v.Axes(mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1})
		require.InDelta(t, 1, direction.Len(), 1e-12)
		require.InDelta(t, 1, top.Len(), 1e-12)
		require.InDelta(t, 0, direction.Dot(top), 1e-12)
		whole := project.Viewpoint{Yaw: v.Yaw + 360, Pitch: v.Pitch - 360}
		again, _ := whole.Axes(mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1})
		require.InDelta(t, 0, again.Sub(direction).Len(), 1e-9)
	})
}
