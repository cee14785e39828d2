package project

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Bounds is where a box appears: the rectangle of pixels whose centres it may
// cover (upper ends exclusive, not clipped), its size in pixels along the wider
// side, and its range of depths. A box that reaches behind the camera covers
// the whole picture, unless it is certainly outside.
type Bounds struct {
	X0, X1, Y0, Y1 int
	Size           float64
	Near, Far      float64
	// Seen is false where the box is certainly outside the picture; then the
	// rectangle has no pixel of it.
	Seen bool
}

// Bounds projects the box from low to high in the tree's coordinates by its
// eight corners.
func (p *Pose) Bounds(low, high [3]uint32) Bounds {
	return p.View.bounds(&p.origin, &p.Axes, vec(low), vec(high), float64(p.Near))
}

// Bounds are those that a pose would tell, without making one: near is the
// transform's NearPlane.
func (v *View) Bounds(toWorld *mgl64.Mat4, low, high [3]uint32, near float64) Bounds {
	origin, axes := v.place(toWorld)
	return v.bounds(&origin, &axes, vec(low), vec(high), near)
}

// slack is far more than rounding moves a point of the box on its way to the
// camera, and far less than anybody sees.
func (v *View) slack(low, high *mgl64.Vec3) float64 {
	var far float64
	for k := range 3 {
		far += math.Abs(low[k]) + math.Abs(high[k]) + math.Abs(v.Eye[k])
	}
	return 1e-12 * far
}

// NearPlane is the depth of the plane before which nothing of a tree is drawn:
// a small part of the voxel's edge. A voxel wholly before it can only be seen
// from a point that almost touches it.
func NearPlane(toWorld *mgl64.Mat4) float64 {
	return float64(float32(shortestAxis(toWorld) / (1 << 12))) // as the kernels take it
}

// InRange tells whether NewPose takes every tree that stays within a distance
// of the world's origin; it may tell no where NewPose would take it.
func (v *View) InRange(distance float64) bool {
	return 4*(v.Eye.Len()+distance)*math.Max(1, v.Focal) < tooLarge
}

// bounds projects a box by its eight corners: origin and axes are those of its
// coordinates in camera space.
func (v *View) bounds(origin *[3]float64, axes *[3][3]float64, low, high mgl64.Vec3, near float64) Bounds {
	var corners [8][3]float64
	for c := range 3 {
		// The sums of ToCamera, each product taken once.
		o := origin[c]
		x0, x1 := float64(low[0]*axes[0][c]), float64(high[0]*axes[0][c])
		y0, y1 := float64(low[1]*axes[1][c]), float64(high[1]*axes[1][c])
		z0, z1 := float64(low[2]*axes[2][c]), float64(high[2]*axes[2][c])
		xy := [4]float64{x0 + y0, x1 + y0, x0 + y1, x1 + y1}
		for i, s := range xy {
			corners[i][c], corners[i+4][c] = o+(s+z0), o+(s+z1)
		}
	}
	b := Bounds{Near: corners[0][2], Far: corners[0][2]}
	for i := 1; i < 8; i++ {
		b.Near, b.Far = less(b.Near, corners[i][2]), greater(b.Far, corners[i][2])
	}
	cx, cy := v.Principal()
	right, bottom := float64(v.Width)-cx, float64(v.Height)-cy
	if !v.Parallel && b.Near <= near {
		if b.Seen = b.Far > 0 && !beyondOneSide(&corners, cx, right, cy, bottom); b.Seen {
			b.X1, b.Y1 = v.Width, v.Height
		}
		b.Size = math.Inf(1)
		return b
	}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range corners {
		x, y := corners[i][0], corners[i][1]
		if !v.Parallel {
			x, y = x/corners[i][2], y/corners[i][2]
		}
		x0, x1, y0, y1 = less(x0, x), greater(x1, x), less(y0, y), greater(y1, y)
	}
	margin := v.Margin()
	b.Size = greater(x1-x0, y1-y0)
	b.X0, b.X1 = pixel(x0+cx-margin), pixel(x1+cx+margin)
	b.Y0, b.Y1 = pixel(y0+cy-margin), pixel(y1+cy+margin)
	b.Seen = x1 >= -cx && x0 <= right && y1 >= -cy && y0 <= bottom
	return b
}

// beyondOneSide tells whether all corners lie beyond one side of the picture,
// as it is for those that are behind the eye too.
func beyondOneSide(corners *[8][3]float64, left, right, top, bottom float64) bool {
	outside := 0b1111
	for i := range corners {
		c, beyond := &corners[i], 0
		for side, past := range [4]bool{c[0] < -left*c[2], c[0] > right*c[2], c[1] < -top*c[2], c[1] > bottom*c[2]} {
			if past {
				beyond |= 1 << side
			}
		}
		outside &= beyond
	}
	return outside != 0
}

// less and greater are min and max of numbers that are not NaN.
func less(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}

func greater(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// pixel is the first pixel whose centre is not before x, kept in range.
func pixel(x float64) int {
	return int(math.RoundToEven(less(1<<30, greater(-1<<30, x))))
}

// Frustum is what a view sees of the world. It bounds boxes along the world's
// axes, and with them whatever is inside, much faster than View.Bounds would.
type Frustum struct {
	view   View
	planes [5]plane
	n      int

	rows   [3]mgl64.Vec3 // the world's axes in camera space are its columns
	reach  [3]mgl64.Vec3 // the same without signs
	cx, cy float64
}

// plane has the points w with normal*w + at >= 0 on its inner side.
type plane struct {
	normal mgl64.Vec3
	at     float64
}

// Frustum is the view's, without a far end.
func (v *View) Frustum() Frustum {
	f := Frustum{view: *v}
	f.cx, f.cy = v.Principal()
	right, bottom := float64(v.Width)-f.cx, float64(v.Height)-f.cy
	across, down := v.Right.Mul(v.Focal), v.Down.Mul(v.Focal)
	for _, side := range []struct {
		normal mgl64.Vec3
		reach  float64
	}{{across, f.cx}, {across.Mul(-1), right}, {down, f.cy}, {down.Mul(-1), bottom}} {
		p := plane{normal: side.normal, at: side.reach}
		if !v.Parallel {
			p = plane{normal: side.normal.Add(v.Forward.Mul(side.reach))}
		}
		f.add(p)
	}
	if !v.Parallel {
		f.add(plane{normal: v.Forward})
	}
	f.rows = [3]mgl64.Vec3{across, down, v.Forward}
	for c := range 3 {
		for k := range 3 {
			f.reach[c][k] = math.Abs(f.rows[c][k])
		}
	}
	return f
}

func (f *Frustum) add(p plane) {
	p.at -= p.normal.Dot(f.view.Eye)
	f.planes[f.n] = p
	f.n++
}

// Box tells whether a box is certainly outside, with everything in it, or
// certainly inside.
func (f *Frustum) Box(low, high *mgl64.Vec3) (outside, inside bool) {
	slack := f.view.slack(low, high)
	inside = true
	for i := range f.planes[:f.n] {
		p := &f.planes[i]
		middle, reach := p.at, 0.0
		for k, n := range p.normal {
			middle += n * (low[k] + high[k]) / 2
			reach += math.Abs(n) * ((high[k]-low[k])/2 + 4*slack)
		}
		if middle < -reach {
			return true, false
		}
		inside = inside && middle >= reach
	}
	return false, inside
}

// Bounds bounds a box: View.Bounds of everything in it, rounding included, lie
// in these, with a pixel to spare on each side, if no NearPlane is beyond near.
// The box is taken for the smallest along the camera's axes that holds it, which
// is no matter for boxes that are far away for their size; others are projected
// by their corners.
func (f *Frustum) Bounds(low, high *mgl64.Vec3, near float64) Bounds {
	slack, eye := f.view.slack(low, high), &f.view.Eye
	// Number by number: sums in arrays would wait for memory.
	x, y, z := (low[0]+high[0])/2-eye[0], (low[1]+high[1])/2-eye[1], (low[2]+high[2])/2-eye[2]
	long, wide, deep := (high[0]-low[0])/2+slack, (high[1]-low[1])/2+slack, (high[2]-low[2])/2+slack
	var middle, half [3]float64
	for c := range 3 {
		row, reach := &f.rows[c], &f.reach[c]
		middle[c] = row[0]*x + row[1]*y + row[2]*z
		half[c] = reach[0]*long + reach[1]*wide + reach[2]*deep
	}
	b := Bounds{Near: middle[2] - half[2], Far: middle[2] + half[2]}
	x0, x1, y0, y1 := middle[0]-half[0], middle[0]+half[0], middle[1]-half[1], middle[1]+half[1]
	switch {
	case f.view.Parallel:
	case b.Near <= near+slack || b.Near < closeBox*half[2]:
		return f.cornerBounds(low, high, near+slack, slack)
	default:
		// The nearer side of the box appears larger, on either side of the middle.
		nearer, farther := 1/b.Near, 1/b.Far
		x0, x1 = x0*pick(x0 < 0, nearer, farther), x1*pick(x1 > 0, nearer, farther)
		y0, y1 = y0*pick(y0 < 0, nearer, farther), y1*pick(y1 > 0, nearer, farther)
	}
	b.Size = greater(x1-x0, y1-y0)
	b.X0, b.X1 = pixel(x0+f.cx)-2, pixel(x1+f.cx)+2
	b.Y0, b.Y1 = pixel(y0+f.cy)-2, pixel(y1+f.cy)+2
	b.Seen = b.X1 > 0 && b.X0 < f.view.Width && b.Y1 > 0 && b.Y0 < f.view.Height
	return b
}

// closeBox is below how many times half their depth boxes are too close to be
// taken for one along the camera's axes.
const closeBox = 6

func pick(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}

// cornerBounds are Bounds by the eight corners.
func (f *Frustum) cornerBounds(low, high *mgl64.Vec3, near, slack float64) Bounds {
	var from, to mgl64.Vec3
	for k := range 3 {
		from[k], to[k] = low[k]-slack-f.view.Eye[k], high[k]+slack-f.view.Eye[k]
	}
	var axes [3][3]float64
	for c := range 3 {
		for k := range 3 {
			axes[k][c] = f.rows[c][k]
		}
	}
	b := f.view.bounds(&[3]float64{}, &axes, from, to, near)
	if b.X0 < b.X1 && b.Y0 < b.Y1 {
		b.X0, b.X1, b.Y0, b.Y1 = b.X0-2, b.X1+2, b.Y0-2, b.Y1+2
	}
	return b
}
