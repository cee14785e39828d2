package project_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/project"
)

func anyView(t *rapid.T) project.View {
	number := func(name string) float64 { return float64(rapid.IntRange(-64, 64).Draw(t, name)) / 4 }
	c := project.Camera{
		Eye: mgl64.Vec3{number("ex"), number("ey"), number("ez")}, Target: mgl64.Vec3{number("tx"), number("ty"), 17},
		Up: mgl64.Vec3{0, 0, 1}, FovY: float64(rapid.IntRange(10, 120).Draw(t, "fov")),
	}
	if rapid.Bool().Draw(t, "parallel") {
		c.Scale = float64(rapid.IntRange(1, 40).Draw(t, "scale"))
	}
	v, err := c.View(rapid.IntRange(1, 300).Draw(t, "width"), rapid.IntRange(1, 300).Draw(t, "height"))
	require.NoError(t, err)
	return v
}

func anyTransform(t *rapid.T) mgl64.Mat4 {
	number := func(name string) float64 { return float64(rapid.IntRange(-60, 60).Draw(t, name)) / 4 }
	return mgl64.Translate3D(number("x"), number("y"), number("z")).
		Mul4(mgl64.HomogRotate3D(number("turn")/4, mgl64.Vec3{1, 2, 3}.Normalize())).
		Mul4(mgl64.Scale3D(0.25, 0.5, math.Exp(number("stretch")/16)))
}

// Bounds are the same with a pose and without.
func TestBoundsNeedNoPose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, m := anyView(t), anyTransform(t)
		pose, err := project.NewPose(v, m, 4)
		require.NoError(t, err)
		low, high := [3]uint32{1, 0, 2}, [3]uint32{9, 16, 5}
		require.Equal(t, pose.Bounds(low, high), v.Bounds(&m, low, high, project.NearPlane(&m)))
	})
}

// What a frustum tells of a box around several trees holds for each of them.
func TestBoundsOfABoxHoldForAllInIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t)
		f := v.Frustum()
		inf := math.Inf(1)
		low, high, near := mgl64.Vec3{inf, inf, inf}, mgl64.Vec3{-inf, -inf, -inf}, 0.0
		from, to := [3]uint32{1, 0, 2}, [3]uint32{9, 16, 5}
		var all []project.Bounds
		for range rapid.IntRange(1, 3).Draw(t, "trees") {
			m := anyTransform(t)
			for _, corner := range project.Corners(mgl64.Vec3{1, 0, 2}, mgl64.Vec3{9, 16, 5}) {
				at := mgl64.TransformCoordinate(corner, m)
				for k := range 3 {
					low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
				}
			}
			near = max(near, project.NearPlane(&m))
			all = append(all, v.Bounds(&m, from, to, project.NearPlane(&m)))
		}
		group := f.Bounds(&low, &high, near)
		outside, inside := f.Box(&low, &high)
		for _, b := range all {
			require.LessOrEqual(t, group.Near, b.Near)
			require.GreaterOrEqual(t, group.Far, b.Far)
			// Within the picture: what may be clipped away is.
			x0, x1, y0, y1 := max(b.X0, 0), min(b.X1, v.Width), max(b.Y0, 0), min(b.Y1, v.Height)
			shown := b.Seen && x0 < x1 && y0 < y1
			if shown {
				require.False(t, outside)
				require.True(t, group.Seen)
				require.LessOrEqual(t, max(group.X0, 0), max(x0-1, 0))
				require.LessOrEqual(t, max(group.Y0, 0), max(y0-1, 0))
				require.GreaterOrEqual(t, min(group.X1, v.Width), min(x1+1, v.Width))
				require.GreaterOrEqual(t, min(group.Y1, v.Height), min(y1+1, v.Height))
			}
			if inside {
				require.True(t, b.Seen)
			}
		}
	})
}

// A frustum tells what is certain: boxes ahead are inside, boxes beyond a side or
// behind the eye outside, those across a side neither.
func TestWhichBoxesAreInside(t *testing.T) {
	for _, scale := range []float64{0, 10} {
		v, err := project.Camera{Target: mgl64.Vec3{1, 0, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: 60, Scale: scale}.View(100, 100)
		require.NoError(t, err)
		f := v.Frustum()
		for name, c := range map[string]struct {
			at              mgl64.Vec3
			outside, inside bool
		}{
			"ahead": {mgl64.Vec3{10, 0, 0}, false, true}, "left": {mgl64.Vec3{10, 30, 0}, true, false}, "right": {mgl64.Vec3{10, -30, 0}, true, false},
			"above": {mgl64.Vec3{10, 0, 30}, true, false}, "below": {mgl64.Vec3{10, 0, -30}, true, false},
			"behind": {mgl64.Vec3{-10, 0, 0}, scale == 0, scale != 0}, "across": {mgl64.Vec3{10, 5.5, 0}, false, false},
		} {
			low, high := c.at.Sub(mgl64.Vec3{1, 1, 1}), c.at.Add(mgl64.Vec3{1, 1, 1})
			outside, inside := f.Box(&low, &high)
			require.Equal(t, c.outside, outside, name)
			require.Equal(t, c.inside, inside, name)
		}
	}
}
