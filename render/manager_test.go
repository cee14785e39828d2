package render_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

func viewOf(t require.TestingT, c project.Camera) project.View {
	v, err := c.View(160, 120)
	require.NoError(t, err)
	return v
}

// ahead looks from the origin along the x axis.
func ahead(t require.TestingT) project.View {
	return viewOf(t, project.Camera{Target: mgl64.Vec3{1, 0, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: 60})
}

func TestAShapeIsSeenWhereItMayBe(t *testing.T) {
	above := mgl64.Vec3{10, 0, 60}
	sun := mgl64.Vec3{0, 0, 1}
	for name, c := range map[string]struct {
		shape  render.Shape
		caster bool
		seen   bool
	}{
		"ball ahead":               {render.Sphere{Centre: mgl64.Vec3{10, 0, 0}, Radius: 1}, false, true},
		"ball behind":              {render.Sphere{Centre: mgl64.Vec3{-10, 0, 0}, Radius: 1}, false, false},
		"ball around the eye":      {render.Sphere{Centre: mgl64.Vec3{-10, 0, 0}, Radius: 11}, false, true},
		"ball above":               {render.Sphere{Centre: above, Radius: 1}, false, false},
		"ball above, its shadow":   {render.Sphere{Centre: above, Radius: 1}, true, true},
		"ball behind, its shadow":  {render.Sphere{Centre: mgl64.Vec3{-10, 0, 50}, Radius: 1}, true, false},
		"ball below, its shadow":   {render.Sphere{Centre: mgl64.Vec3{10, 0, -60}, Radius: 1}, true, false},
		"box above":                {render.Box{Low: above, High: above.Add(mgl64.Vec3{2, 2, 2})}, false, false},
		"box above, its shadow":    {render.Box{Low: above, High: above.Add(mgl64.Vec3{2, 2, 2})}, true, true},
		"column above":             {render.Interval{Axes: render.AxisX, Low: above, High: above.Add(mgl64.Vec3{2, 2, 2})}, false, true},
		"column behind":            {render.Interval{Axes: render.AxisX, Low: mgl64.Vec3{-9, 0, 0}, High: mgl64.Vec3{-8, 0, 0}}, false, false},
		"post to the left":         {render.Interval{Axes: render.AxisX | render.AxisY, Low: mgl64.Vec3{10, 20, 0}, High: mgl64.Vec3{11, 21, 0}}, false, false},
		"post ahead":               {render.Interval{Axes: render.AxisX | render.AxisY, Low: mgl64.Vec3{10, 3, 0}, High: mgl64.Vec3{11, 4, 0}}, false, true},
		"everything":               {render.Interval{}, false, true},
		"box far to the left":      {render.Box{Low: mgl64.Vec3{5, 50, -1}, High: mgl64.Vec3{6, 51, 1}}, false, false},
		"wall with the eye inside": {render.Box{Low: mgl64.Vec3{-1, -99, -99}, High: mgl64.Vec3{1, 99, 99}}, false, true},
	} {
		var m render.CullingManager
		register := m.Register
		if c.caster {
			register = m.RegisterCaster
		}
		told := 0
		h := register(c.shape, func(seen bool) {
			told++
			require.Equal(t, c.seen, seen, name)
		})
		_, known := m.Visible(h)
		require.False(t, known)
		for range 3 {
			counts := m.Cull(ahead(t), sun)
			require.Equal(t, counts.Tested, counts.Visible+counts.Culled)
		}
		require.Equal(t, 1, told, "%s: the first verdict is told, and none that is the same", name)
		seen, known := m.Visible(h)
		require.True(t, known)
		require.Equal(t, c.seen, seen)
	}
}

func TestNothingBeyondFarIsSeen(t *testing.T) {
	m := render.CullingManager{Far: 50}
	near := m.Register(render.Sphere{Centre: mgl64.Vec3{45, 0, 0}, Radius: 1}, nil)
	far := m.Register(render.Box{Low: mgl64.Vec3{55, -1, -1}, High: mgl64.Vec3{56, 1, 1}}, nil)
	m.Cull(ahead(t), mgl64.Vec3{})
	seen, _ := m.Visible(near)
	require.True(t, seen)
	seen, _ = m.Visible(far)
	require.False(t, seen)
}

// No shape is culled of which a point, or its shadow, lies in the view; and of
// boxes and intervals that are seen, some point does.
func TestNoShapeIsCulledThatTheViewMeets(t *testing.T) {
	met, culled := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		v := anyViewOf(t)
		number := func(name string) float64 { return float64(rapid.IntRange(-80, 80).Draw(t, name)) / 4 }
		low := mgl64.Vec3{number("x"), number("y"), number("z")}
		size := mgl64.Vec3{1 + math.Abs(number("w")), 1 + math.Abs(number("h")), 1 + math.Abs(number("d"))}
		high := low.Add(size)
		axes := render.Axes(7)
		var shape render.Shape
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			shape = render.Box{Low: low, High: high}
		case 1:
			axes = render.Axes(rapid.IntRange(0, 7).Draw(t, "axes"))
			shape = render.Interval{Axes: axes, Low: low, High: high}
		case 2:
			shape = render.Sphere{Centre: low.Add(high).Mul(0.5), Radius: size[0] / 2}
			high = low.Add(mgl64.Vec3{size[0], size[0], size[0]}.Mul(1 / math.Sqrt(3))) // the cube in the ball
			middle := shape.(render.Sphere).Centre
			low, high = middle.Sub(high.Sub(low).Mul(0.5)), middle.Add(high.Sub(low).Mul(0.5))
		}
		caster := rapid.Bool().Draw(t, "casts")
		sun := mgl64.Vec3{number("sx"), number("sy"), 1 + math.Abs(number("sz"))}
		var m render.CullingManager
		register := m.Register
		if caster {
			register = m.RegisterCaster
		}
		h := register(shape, nil)
		m.Cull(v, sun)
		seen, _ := m.Visible(h)
		random := rand.New(rand.NewPCG(1, 2))
		inView := false
		for range 300 {
			var p mgl64.Vec3
			for k := range p {
				p[k] = low[k] + random.Float64()*(high[k]-low[k])
				if axes>>k&1 == 0 {
					p[k] = 60 * random.NormFloat64()
				}
			}
			if caster && random.IntN(2) == 0 {
				p = p.Sub(sun.Normalize().Mul(60 * random.Float64()))
			}
			inView = inView || appears(v, p)
		}
		if inView {
			met++
			require.True(t, seen, "%+v", shape)
		} else if !seen {
			culled++
		}
	})
	if !testing.Short() { // rapid then tries a fifth, which may all be of one kind
		require.Greater(t, met, 10)
		require.Greater(t, culled, 10)
	}
}

func anyViewOf(t *rapid.T) project.View {
	number := func(name string) float64 { return float64(rapid.IntRange(-64, 64).Draw(t, name)) / 4 }
	c := project.Camera{
		Eye: mgl64.Vec3{number("ex"), number("ey"), number("ez")}, Target: mgl64.Vec3{number("tx"), number("ty"), 17},
		Up: mgl64.Vec3{0, 0, 1}, FovY: float64(rapid.IntRange(10, 120).Draw(t, "fov")),
	}
	if rapid.Bool().Draw(t, "parallel") {
		c.Scale = float64(rapid.IntRange(5, 40).Draw(t, "scale"))
	}
	return viewOf(t, c)
}

// appears tells whether a point appears in the picture.
func appears(v project.View, p mgl64.Vec3) bool {
	d := p.Sub(v.Eye)
	x, y, z := v.Focal*v.Right.Dot(d), v.Focal*v.Down.Dot(d), v.Forward.Dot(d)
	if v.Parallel {
		z = 1
	}
	cx, cy := v.Principal()
	return z > 0 && math.Abs(x) <= cx*z && math.Abs(y) <= cy*z
}

// Handles stay what they are, whatever else comes and goes: against a map.
func TestHandlesStayValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m render.CullingManager
		want := map[render.CullHandle]bool{} // whether it stands ahead
		var handles, dead []render.CullHandle
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch kind := rapid.IntRange(0, 3).Draw(t, "step"); {
			case kind < 2 || len(handles) == 0:
				seen := rapid.Bool().Draw(t, "ahead")
				h := m.Register(standing(seen), nil)
				require.NotZero(t, h)
				require.NotContains(t, want, h)
				require.NotContains(t, dead, h)
				want[h] = seen
				handles = append(handles, h)
			case kind == 2:
				i := rapid.IntRange(0, len(handles)-1).Draw(t, "which")
				require.True(t, m.Unregister(handles[i]))
				require.False(t, m.Unregister(handles[i]))
				delete(want, handles[i])
				dead = append(dead, handles[i])
				handles = append(handles[:i], handles[i+1:]...)
			default:
				h := handles[rapid.IntRange(0, len(handles)-1).Draw(t, "which")]
				want[h] = !want[h]
				require.True(t, m.Move(h, standing(want[h])))
			}
		}
		m.Cull(ahead(t), mgl64.Vec3{})
		require.Equal(t, len(want), m.Len())
		for h, seen := range want {
			got, known := m.Visible(h)
			require.True(t, known)
			require.Equal(t, seen, got)
		}
		for _, h := range dead {
			_, known := m.Visible(h)
			require.False(t, known)
			require.False(t, m.Move(h, standing(true)))
		}
	})
}

func standing(ahead bool) render.Shape {
	if ahead {
		return render.Sphere{Centre: mgl64.Vec3{10, 0, 0}, Radius: 1}
	}
	return render.Sphere{Centre: mgl64.Vec3{-10, 0, 0}, Radius: 1}
}

// A callback may register and unregister, itself too, and cull again.
func TestCallbacksMayChangeTheManager(t *testing.T) {
	var m render.CullingManager
	told := map[string]int{}
	var a, b, c render.CullHandle
	a = m.Register(standing(true), func(bool) {
		told["a"]++
		m.Unregister(a)
		m.Unregister(b)
		for range 20 {
			m.Register(standing(true), func(bool) { told["born in a callback"]++ })
		}
		m.Cull(ahead(t), mgl64.Vec3{})
	})
	b = m.Register(standing(true), func(bool) { told["b"]++ })
	c = m.Register(standing(false), func(seen bool) {
		told["c"]++
		require.False(t, seen)
		require.False(t, m.Unregister(a))
	})
	m.Cull(ahead(t), mgl64.Vec3{})
	m.Cull(ahead(t), mgl64.Vec3{})
	require.Equal(t, map[string]int{"a": 1, "c": 1, "born in a callback": 20}, told)
	require.Equal(t, 21, m.Len())
	_, known := m.Visible(c)
	require.True(t, known)
}

func TestCullingAllocatesNothing(t *testing.T) {
	var m render.CullingManager
	for i := range 200 {
		at := mgl64.Vec3{float64(i%20) - 5, float64(i/20) - 5, 0}
		m.Register(render.Sphere{Centre: at, Radius: 1}, nil)
		m.RegisterCaster(render.Interval{Axes: render.AxisX, Low: at, High: at}, nil)
		m.RegisterCaster(render.Box{Low: at, High: at.Add(mgl64.Vec3{1, 1, 1})}, nil)
	}
	views := []project.View{ahead(t), viewOf(t, project.Camera{Target: mgl64.Vec3{-1, 0, 0}, Up: mgl64.Vec3{0, 0, 1}, FovY: 60})}
	turn := 0
	cull := func() {
		turn++
		m.Cull(views[turn&1], mgl64.Vec3{1, 1, 1})
	}
	cull()
	cull()
	require.Zero(t, testing.AllocsPerRun(5, cull))
}
