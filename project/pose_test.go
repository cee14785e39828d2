package project

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// posed draws a tree of depth 4 somewhere before, beside or around a camera.
func posed(t *rapid.T) (Pose, View) {
	coordinate := rapid.Float64Range(-40, 40)
	vector := func(name string) mgl64.Vec3 {
		return mgl64.Vec3{coordinate.Draw(t, name), coordinate.Draw(t, name), coordinate.Draw(t, name)}
	}
	camera := Camera{Eye: vector("eye"), Target: vector("target"), Up: vector("up"), FovY: rapid.Float64Range(1, 150).Draw(t, "fov")}
	if rapid.Bool().Draw(t, "on the grid") {
		for k := range 3 {
			camera.Eye[k], camera.Target[k] = math.Round(camera.Eye[k]), math.Round(camera.Target[k])
		}
	}
	if rapid.IntRange(0, 2).Draw(t, "parallel") == 0 {
		camera.Scale = rapid.Float64Range(.1, 20).Draw(t, "scale")
	}
	view, err := camera.View(64, 48)
	if err != nil {
		t.Skip(err)
	}
	m := mgl64.Ident4()
	if rapid.Bool().Draw(t, "transformed") {
		m = mgl64.Translate3D(1, 2, 3).Mul4(mgl64.HomogRotate3D(coordinate.Draw(t, "angle"), mgl64.Vec3{1, 2, 3}.Normalize())).
			Mul4(mgl64.Scale3D(rapid.Float64Range(.2, 5).Draw(t, "sx"), -1, 2))
	}
	p, err := NewPose(view, m, 4)
	require.NoError(t, err)
	return p, view
}

func cell(t *rapid.T) (low [3]int32, edge float64) {
	level := rapid.IntRange(0, 3).Draw(t, "level")
	n := rapid.Int32Range(0, 16>>level-1)
	for k := range low {
		low[k] = n.Draw(t, "low") << level
	}
	return low, math.Ldexp(1, level)
}

// A ray that enters a cube from outside passes within its silhouette, and one
// that passes within the silhouette enters it.
func TestSilhouetteIsWhereRaysEnter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, view := posed(t)
		low, edge := cell(t)
		cube, seen := p.Rays.Cube(low, edge)
		x, y := rapid.IntRange(0, view.Width-1).Draw(t, "x"), rapid.IntRange(0, view.Height-1).Draw(t, "y")
		depth, _, hit := p.Rays.Hit(low, edge, x, y)
		if !seen {
			require.LessOrEqual(t, depth, 0., "the eye is inside, or on a face")
			return
		}
		row := cube.Row(y)
		covers := row.Covers(x)
		// A hair's breadth from the border both answers are right.
		_, _, larger := p.Rays.Hit(low, edge+1e-9*edge, x, y)
		if hit == larger && (view.Parallel || math.Abs(depth) > 1e-9) {
			require.Equal(t, hit && (view.Parallel || depth > 0), covers || hit && !covers && p.grazes(low, edge, x, y))
		}
	})
}

// grazes tells whether a ray covers a cube, or misses it by rounding alone.
func (p *Pose) grazes(low [3]int32, edge float64, x, y int) bool {
	c, _ := p.Rays.Cube(low, edge)
	row := c.Row(y)
	for i := range row.n {
		v := row.at[i] + float64(x)*row.right[i]
		if v < -1e-9*(math.Abs(row.at[i])+math.Abs(float64(x)*row.right[i])) {
			return false
		}
	}
	return true
}

// Neighbours share their edges: no pixel inside a block of cubes is lost
// between them, wherever the centres fall.
func TestNoRayIsLostBetweenNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, view := posed(t)
		block, seen := p.Rays.Cube([3]int32{4, 4, 4}, 4)
		if !seen {
			t.Skip("the eye is inside")
		}
		for y := range view.Height {
			line := block.Row(y)
			for x := range view.Width {
				if !line.Covers(x) {
					continue
				}
				// A ray that lies in a plane of the lattice, but for rounding, may
				// be found on different sides of it by different pairs of axes.
				covered := false
				for i := range 64 {
					low := [3]int32{4 + int32(i%4), 4 + int32(i/4%4), 4 + int32(i/16)}
					c, seen := p.Rays.Cube(low, 1)
					row := c.Row(y)
					covered = covered || seen && (row.Covers(x) || p.grazes(low, 1, x, y))
				}
				require.True(t, covered, "pixel %d,%d", x, y)
			}
		}
	})
}

// Whatever hides behind something comes later: along any ray, of two octants
// that it enters, the one entered first comes first in the order.
func TestNearestOrdersOctantsFrontToBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, view := posed(t)
		low, edge := cell(t)
		if edge < 2 {
			t.Skip("a leaf")
		}
		nearest, _ := p.Rays.Nearest(low, edge)
		byDistance := p.Rays.ByDistance(low, edge)
		x, y := rapid.IntRange(0, view.Width-1).Draw(t, "x"), rapid.IntRange(0, view.Height-1).Draw(t, "y")
		for name, order := range map[string]func(i int) int{
			"nearest":  func(i int) int { return i ^ nearest },
			"distance": func(i int) int { return int(byDistance[i]) },
		} {
			last := math.Inf(-1)
			for i := range 8 {
				o := order(i)
				half := int32(edge / 2)
				corner := [3]int32{low[0] + half*int32(o&1), low[1] + half*int32(o>>1&1), low[2] + half*int32(o>>2&1)}
				depth, _, hit := p.Rays.Hit(corner, edge/2, x, y)
				if !hit || !view.Parallel && depth <= 0 { // the eye is inside, or touches it
					continue
				}
				require.GreaterOrEqual(t, depth, last-1e-9*math.Abs(last), name)
				last = depth
			}
		}
	})
}

// A node that no axis plane of its parent crosses has its parent's order.
func TestTheOrderIsInheritedExceptAcrossAxisPlanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := posed(t)
		low, edge := cell(t)
		nearest, crossed := p.Rays.Nearest(low, edge)
		if crossed || p.Rays.besidePlane() {
			t.Skip("crossed, or too little beside to tell")
		}
		for o := range 8 {
			half := int32(edge / 2)
			corner := [3]int32{low[0] + half*int32(o&1), low[1] + half*int32(o>>1&1), low[2] + half*int32(o>>2&1)}
			child, crossed := p.Rays.Nearest(corner, edge/2)
			require.False(t, crossed)
			if !p.Rays.onPlane(corner, edge/2) {
				require.Equal(t, nearest, child)
			}
		}
	})
}

// onPlane tells whether the eye lies exactly on a mid-plane, where both sides
// are as near.
func (r *Rays) onPlane(low [3]int32, edge float64) bool {
	for k := range 3 {
		if r.origin[k] == float64(low[k])+edge/2 {
			return true
		}
	}
	return false
}

// besidePlane tells whether the eye lies so little beside a border or mid-plane
// of some cell that rounding decides on which side.
func (r *Rays) besidePlane() bool {
	for _, at := range r.origin {
		if beside := math.Abs(at - math.Round(2*at)/2); beside != 0 && beside < 1e-12 {
			return true
		}
	}
	return false
}

// Each corner of a box that is seen lies within its bounds.
func TestBoundsHoldTheCorners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, view := posed(t)
		low, edge := cell(t)
		var from, to [3]uint32
		for k := range 3 {
			from[k], to[k] = uint32(low[k]), uint32(low[k])+uint32(edge)
		}
		b := p.Bounds(from, to)
		for _, corner := range Corners(vec(from), vec(to)) {
			c := p.ToCamera(corner[0], corner[1], corner[2])
			require.InDelta(t, math.Max(b.Near, math.Min(b.Far, c[2])), c[2], 1e-9)
			z := c[2]
			if view.Parallel {
				z = 1
			} else if z <= float64(p.Near) {
				continue
			}
			x, y := c[0]/z+float64(view.Width)/2, c[1]/z+float64(view.Height)/2
			if x >= 0 && x < float64(view.Width) && y >= 0 && y < float64(view.Height) {
				require.True(t, b.Seen)
				require.True(t, float64(b.X0) <= x+.5 && x-.5 <= float64(b.X1), "%v %v", x, b)
				require.True(t, float64(b.Y0) <= y+.5 && y-.5 <= float64(b.Y1), "%v %v", y, b)
			}
		}
	})
}

// Finely divided models are as good as coarse ones.
func TestTheInverseOfAnyScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := math.Ldexp(1, rapid.IntRange(-60, 60).Draw(t, "scale"))
		m := mgl64.HomogRotate3D(rapid.Float64Range(-9, 9).Draw(t, "angle"), mgl64.Vec3{1, 2, 3}.Normalize()).
			Mul4(mgl64.Scale3D(scale, -3*scale, scale)).Mat3()
		ident, product := mgl64.Ident3(), m.Mul3(invert(m))
		// Not ApproxEqualThreshold, which allows zeros no rounding.
		require.InDeltaSlice(t, ident[:], product[:], 1e-12)
	})
}

// However far or near the target is, the direction of view is that to it.
func TestTheDirectionOfViewAtAnyDistance(t *testing.T) {
	for _, distance := range []float64{math.SmallestNonzeroFloat64, 1e-310, 1e-160, 1, 1e160, 1e300, math.MaxFloat64} {
		v, err := Camera{Target: mgl64.Vec3{distance}, Up: mgl64.Vec3{0, 0, 1}, FovY: 45}.View(4, 3)
		require.NoError(t, err)
		require.Equal(t, mgl64.Vec3{1, 0, 0}, v.Forward)
	}
	_, err := Camera{Eye: mgl64.Vec3{-math.MaxFloat64}, Target: mgl64.Vec3{math.MaxFloat64}, FovY: 45}.View(4, 3)
	require.ErrorContains(t, err, "too far apart")
}

func TestPoseRefusesBrokenTransforms(t *testing.T) {
	view, err := Camera{Eye: mgl64.Vec3{0, -10, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: 40}.View(10, 10)
	require.NoError(t, err)
	projective := mgl64.Ident4()
	projective[3] = 1
	nan := mgl64.Ident4()
	nan[12] = math.NaN()
	for name, m := range map[string]mgl64.Mat4{
		"flat": mgl64.Scale3D(1, 0, 1), "projective": projective, "not a number": nan,
		"far away": mgl64.Translate3D(1e18, 0, 0), "zero": {},
		"a plane": mgl64.Mat3{1, 2, 3, 2, 4, 6, 0, 0, 1}.Mat4(), "below single precision": mgl64.Scale3D(1, 1, 1e-31), "vanishing": mgl64.Scale3D(1e-200, 1e-200, 1e-200),
	} {
		_, err := NewPose(view, m, 3)
		require.Error(t, err, name)
	}
	_, err = NewPose(view, mgl64.Scale3D(1e-30, 1e-30, -1e-30), 3)
	require.NoError(t, err)
}

// A ray enters only those layers of a node that lie on its side of the camera's axis
// plane.
func TestRaysStayOnTheirSideOfAxisPlanes(t *testing.T) {
	entered, crossed := 0, 0
	check := func(t *rapid.T) {
		low, edge := cell(t)
		at, centre, eye := low, mgl64.Vec3{}, mgl64.Vec3{}
		for c := range at {
			at[c] += rapid.Int32Range(0, int32(edge)-1).Draw(t, "voxel")
			centre[c] = float64(at[c]) + .5
			eye[c] = centre[c] + rapid.Float64Range(-20, 20).Draw(t, "eye")
		}
		k := rapid.IntRange(0, 2).Draw(t, "axis")
		eye[k] = float64(low[k]) + edge*rapid.Float64Range(-.2, 1.2).Draw(t, "beside")
		if rapid.Bool().Draw(t, "on the grid") {
			eye[k] = math.Round(eye[k])
		}
		m := mgl64.Translate3D(1, 2, 3).Mul4(mgl64.HomogRotate3D(1, mgl64.Vec3{1, 2, 3}.Normalize())).Mul4(mgl64.Scale3D(2, -1, 2))
		camera := Camera{Eye: mgl64.TransformCoordinate(eye, m), Target: mgl64.TransformCoordinate(centre, m), Up: mgl64.Vec3{0, 0, 1}, FovY: 60}
		if rapid.IntRange(0, 7).Draw(t, "parallel") == 0 {
			camera.Scale = 1
		}
		const side = 8
		view, err := camera.View(side, side)
		if err != nil {
			t.Skip(err)
		}
		p, err := NewPose(view, m, 4)
		require.NoError(t, err)

		from, to := p.Rays.Layers(low, edge, int(edge))
		require.LessOrEqual(t, from[k], to[k])
		require.LessOrEqual(t, to[k]-from[k], 1)
		below, above := p.Rays.Sides(k, 0, 0)
		require.Zero(t, below&above)
		if view.Parallel {
			require.Zero(t, below|above)
			return
		}
		if below != 0 && above != 0 {
			crossed++
		}
		layer := int(at[k] - low[k])
		for pixel := range side * side {
			depth, _, hit := p.Rays.Hit(at, 1, pixel%side, pixel/side)
			if !hit || depth <= 0 {
				continue
			}
			entered++
			if below>>pixel&1 != 0 {
				require.Less(t, layer, to[k])
			}
			if above>>pixel&1 != 0 {
				require.GreaterOrEqual(t, layer, from[k])
			}
		}
	}
	for try := 0; try < 20 && (entered == 0 || crossed == 0); try++ { // few checks may all miss
		rapid.Check(t, check)
	}
	require.Positive(t, entered)
	require.Positive(t, crossed)
}
