package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// Shape is what a CullingManager watches: a Sphere, a Box or an Interval.
type Shape interface{ volume() volume }

// Sphere is a ball in world units.
type Sphere struct {
	Centre mgl64.Vec3
	Radius float64
}

// Box is a box along the world's axes.
type Box struct{ Low, High mgl64.Vec3 }

// Interval is everything whose coordinates along some axes lie from Low to High,
// whatever they are along the others: with X alone, a column of any height and
// depth.
type Interval struct {
	Axes      Axes
	Low, High mgl64.Vec3 // along the other axes without meaning
}

// Axes is a set of the world's axes.
type Axes uint8

// The axes.
const (
	AxisX Axes = 1 << iota
	AxisY
	AxisZ
)

// volume is a convex body: the hull of points, all widened by a radius, that
// goes on without end along rays. The edges are what its faces are made of.
type volume struct {
	points [8]mgl64.Vec3
	rays   [7]mgl64.Vec3
	edges  [7]mgl64.Vec3
	radius float64

	nPoints, nRays, nEdges int
}

func (b *volume) point(p mgl64.Vec3) { b.points[b.nPoints], b.nPoints = p, b.nPoints+1 }
func (b *volume) edge(e mgl64.Vec3)  { b.edges[b.nEdges], b.nEdges = e, b.nEdges+1 }

// ray sweeps the body along a direction without end.
func (b *volume) ray(r mgl64.Vec3) {
	b.rays[b.nRays], b.nRays = r, b.nRays+1
	b.edge(r)
}

func (s Sphere) volume() (b volume) {
	b.point(s.Centre)
	b.radius = s.Radius
	return b
}

func (s Box) volume() volume { return Interval{AxisX | AxisY | AxisZ, s.Low, s.High}.volume() }

func (s Interval) volume() (b volume) {
	low, high := s.Low, s.High
	for k := range 3 {
		var axis mgl64.Vec3
		axis[k] = 1
		if s.Axes>>k&1 == 0 {
			low[k], high[k] = 0, 0
			b.ray(axis)
			b.rays[b.nRays], b.nRays = axis.Mul(-1), b.nRays+1
		} else {
			b.edge(axis)
		}
	}
	for _, corner := range project.Corners(low, high) {
		b.point(corner)
	}
	return b
}

// along is what of an axis a body covers.
func (b *volume) along(axis mgl64.Vec3) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range b.points[:b.nPoints] {
		at := axis.Dot(b.points[i])
		low, high = min(low, at), max(high, at)
	}
	widened := b.radius * axis.Len()
	low, high = low-widened, high+widened
	for i := range b.rays[:b.nRays] {
		// What is square to the axis but for rounding doesn't move along it.
		switch slope := axis.Dot(b.rays[i]); {
		case math.Abs(slope) <= 1e-12*axis.Len()*b.rays[i].Len():
		case slope > 0:
			high = math.Inf(1)
		default:
			low = math.Inf(-1)
		}
	}
	return low, high
}

// apart tells whether an axis tells two bodies apart.
func (b *volume) apart(o *volume, axis mgl64.Vec3) bool {
	if axis.LenSqr() < 1e-24 {
		return false // of edges that are parallel
	}
	low, high := b.along(axis)
	otherLow, otherHigh := o.along(axis)
	slack := 1e-9 * axis.Len()
	return high+slack < otherLow || otherHigh+slack < low
}

// watch is what a view sees, as a body.
type watch struct {
	view    project.View
	frustum project.Frustum
	body    volume
	limited bool
}

func newWatch(v project.View, far float64) watch {
	w := watch{view: v, frustum: v.Frustum(), limited: far > 0 && !v.Parallel}
	cx, cy := v.Principal()
	for _, corner := range [4][2]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
		x, y := (corner[0]*float64(v.Width)-cx)/v.Focal, (corner[1]*float64(v.Height)-cy)/v.Focal
		aside := v.Right.Mul(x).Add(v.Down.Mul(y))
		switch {
		case v.Parallel:
			w.body.point(v.Eye.Add(aside))
		case w.limited:
			w.body.point(v.Eye.Add(aside.Add(v.Forward).Mul(far)))
			w.body.edge(aside.Add(v.Forward))
		default:
			w.body.ray(aside.Add(v.Forward).Normalize())
		}
	}
	switch {
	case v.Parallel:
		w.body.ray(v.Forward)
		w.body.rays[w.body.nRays], w.body.nRays = v.Forward.Mul(-1), w.body.nRays+1
		w.body.edge(v.Right)
		w.body.edge(v.Down)
	case w.limited:
		w.body.edge(v.Right)
		w.body.edge(v.Down)
		fallthrough
	default:
		w.body.point(v.Eye)
	}
	return w
}

// sees tells whether the view may see a shape, or its shadow: whether no axis
// tells the two bodies apart. Of two convex bodies that don't meet, one is square
// to two edges of either or both (S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree",
// 1996, section 5). A ball has no edges, and may seem to be seen beyond a corner.
func (w *watch) sees(s Shape, shaded bool, shadow mgl64.Vec3) bool {
	if box, ok := s.(Box); ok && !w.limited {
		switch outside, inside := w.frustum.Box(&box.Low, &box.High); {
		case inside:
			return true
		case outside && !shaded:
			return false
		}
	}
	b := s.volume()
	if shaded {
		b.ray(shadow.Normalize())
	}
	if w.body.apart(&b, w.view.Forward) {
		return false
	}
	var edges [14]mgl64.Vec3
	n := copy(edges[:], w.body.edges[:w.body.nEdges])
	n += copy(edges[n:], b.edges[:b.nEdges])
	for i := range edges[:n] {
		for k := range edges[:i] {
			if w.body.apart(&b, edges[i].Cross(edges[k])) {
				return false
			}
		}
	}
	return true
}
