package project

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
)

// Pose is an octree placed before a view: everything of its projection that
// does not change from node to node.
//
// Camera space has x to the right, y down and z forward, in world units, with
// x and y multiplied by the focal length (in a parallel projection, by the
// scale): x/z, or x itself, is then a distance in pixels from the principal
// point.
type Pose struct {
	View View
	// Lens is what the batch kernels need; its clip rectangle is still empty.
	Lens asm.Lens
	// Root is the centre of the root in camera space.
	Root [3]float64
	// Axes are the tree's x, y and z axes in camera space, for one voxel.
	Axes [3][3]float64
	// Rays are the pixels' rays in the tree's coordinates.
	Rays Rays

	origin [3]float64 // the tree's origin in camera space
	normal mgl64.Mat3 // takes directions of normals from the tree to the world
}

// tooLarge bounds camera coordinates: their products stay finite in single
// precision.
const tooLarge = 1e15

// NewPose places a tree of the given depth before a view; toWorld takes the
// tree's coordinates to the world's. It fails where toWorld is not affine, can
// not be inverted, or leads out of the range of numbers.
func NewPose(v View, toWorld mgl64.Mat4, depth int) (Pose, error) {
	linear := toWorld.Mat3()
	inverse := invert(linear)
	if bottom := toWorld.Row(3); bottom != (mgl64.Vec4{0, 0, 0, 1}) {
		return Pose{}, fmt.Errorf("transform: the bottom row is %v, must be 0 0 0 1", bottom)
	}
	if !allFinite(inverse[:]) || !allFinite(toWorld[:]) {
		return Pose{}, fmt.Errorf("transform: can't be inverted: every axis must have a finite length above 0")
	}
	p := Pose{View: v, normal: inverse.Transpose()}
	p.origin = v.toCamera(toWorld.Col(3).Vec3().Sub(v.Eye))
	half := math.Ldexp(1, depth-1)
	p.Root = p.origin
	for k := range 3 {
		p.Axes[k] = v.toCamera(linear.Col(k))
		for c := range 3 {
			p.Root[c] += half * p.Axes[k][c]
		}
	}
	for c := range 3 {
		if extent := math.Abs(p.Root[c]) + half*(math.Abs(p.Axes[0][c])+math.Abs(p.Axes[1][c])+math.Abs(p.Axes[2][c])); !(extent < tooLarge) {
			return Pose{}, fmt.Errorf("transform: the model reaches %.3g pixels from the camera, must be below %.0g", extent, tooLarge)
		}
	}
	p.Lens = p.lens()
	p.Rays = v.rays(inverse, toWorld.Col(3).Vec3())
	return p, nil
}

// invert returns the inverse of m, with numbers that are not finite where there
// is none. The library's own takes small determinants, those of finely divided
// models, for zero.
func invert(m mgl64.Mat3) mgl64.Mat3 {
	var largest float64
	for _, f := range m {
		largest = math.Max(largest, math.Abs(f))
	}
	m = m.Mul(1 / largest)
	a, b, c := m.Col(0), m.Col(1), m.Col(2)
	scale := 1 / (a.Dot(b.Cross(c)) * largest)
	return mgl64.Mat3FromRows(b.Cross(c), c.Cross(a), a.Cross(b)).Mul(scale)
}

// toCamera takes a world vector to camera space.
func (v View) toCamera(w mgl64.Vec3) [3]float64 {
	return [3]float64{v.Focal * v.Right.Dot(w), v.Focal * v.Down.Dot(w), v.Forward.Dot(w)}
}

func (p *Pose) lens() asm.Lens {
	cx, cy := p.View.Principal()
	l := asm.Lens{
		CX: float32(cx), CY: float32(cy),
		Margin:     float32(p.View.Margin()),
		OrthoError: 2 * OrthoError,
	}
	for o := range 8 {
		d := p.Octant(o, 1)
		l.DX[o], l.DY[o], l.DZ[o] = float32(d[0]), float32(d[1]), float32(d[2])
	}
	for k := range 3 {
		l.AX[k], l.AY[k], l.AZ[k] = float32(p.Axes[k][0]), float32(p.Axes[k][1]), float32(p.Axes[k][2])
	}
	// Rounded up: the screen-facing cube must not lose a corner to rounding.
	const up = 1 + 1./(1<<20)
	r := p.HalfExtents()
	l.RX, l.RY, l.RZ = float32(r[0]*up), float32(r[1]*up), float32(r[2]*up)
	l.Near = float32(p.near())
	return l
}

// near is a small part of the voxel's edge: a voxel wholly before this plane
// can only be seen from a point that almost touches it.
func (p *Pose) near() float64 {
	shortest := math.Inf(1)
	for _, a := range p.Axes {
		x, y := a[0]/p.View.Focal, a[1]/p.View.Focal
		shortest = math.Min(shortest, math.Sqrt(x*x+y*y+a[2]*a[2]))
	}
	return shortest / (1 << 12)
}

// OrthoError is the greatest error in pixels that subdividing a node on the
// screen may cause; footprints there are widened by as much.
const OrthoError = 1. / 8

// Margin is the width in pixels by which every footprint is widened on each
// side, so that rounding leaves no gap between neighbours.
func (v View) Margin() float64 {
	return math.Max(1./512, float64(max(v.Width, v.Height))/(1<<20))
}

// HalfExtents are the half extents of the screen-facing cube around a node of
// half size 1: the smallest box along the camera's axes that holds it.
func (p *Pose) HalfExtents() (r [3]float64) {
	for c := range 3 {
		r[c] = math.Abs(p.Axes[0][c]) + math.Abs(p.Axes[1][c]) + math.Abs(p.Axes[2][c])
	}
	return r
}

// Octant leads from the centre of a node to that of octant o, whose half size
// in voxels is half, in camera space.
func (p *Pose) Octant(o int, half float64) (d [3]float64) {
	for k := range 3 {
		h := half
		if o>>k&1 == 0 {
			h = -half
		}
		for c := range 3 {
			d[c] += h * p.Axes[k][c]
		}
	}
	return d
}

// ToCamera takes a point from the tree's coordinates to camera space.
func (p *Pose) ToCamera(x, y, z float64) [3]float64 {
	c := p.origin
	for i := range 3 {
		c[i] += x*p.Axes[0][i] + y*p.Axes[1][i] + z*p.Axes[2][i]
	}
	return c
}

// NormalMatrix takes normals from the tree's axes to the world's, but for their
// length.
func (p *Pose) NormalMatrix() mgl64.Mat3 { return p.normal }

// Normal takes a normal from the tree's axes to the world's, to unit length.
func (p *Pose) Normal(n mgl64.Vec3) mgl64.Vec3 { return p.normal.Mul3x1(n).Normalize() }

// Bounds is where a box appears: the rectangle of pixels whose centres it may
// cover (upper ends exclusive, not clipped), its size in pixels along the wider
// side, and its range of depths. A box that reaches behind the camera covers
// the whole picture.
type Bounds struct {
	X0, X1, Y0, Y1 int
	Size           float64
	Near, Far      float64
	// Seen is false where the box is certainly outside the picture.
	Seen bool
}

// Bounds projects the box from low to high in the tree's coordinates by its
// eight corners.
func (p *Pose) Bounds(low, high [3]uint32) Bounds {
	b := Bounds{Near: math.Inf(1), Far: math.Inf(-1)}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	outside := 0b1111 // sides of the picture that all corners so far lie beyond
	cx, cy := p.View.Principal()
	right, bottom := float64(p.View.Width)-cx, float64(p.View.Height)-cy
	for _, corner := range Corners(vec(low), vec(high)) {
		c := p.ToCamera(corner[0], corner[1], corner[2])
		b.Near, b.Far = math.Min(b.Near, c[2]), math.Max(b.Far, c[2])
		z := c[2]
		if p.View.Parallel {
			z = 1
		}
		beyond := 0
		for side, past := range [4]bool{c[0] < -cx*z, c[0] > right*z, c[1] < -cy*z, c[1] > bottom*z} {
			if past {
				beyond |= 1 << side
			}
		}
		outside &= beyond
		x, y := c[0]/z, c[1]/z
		x0, x1, y0, y1 = math.Min(x0, x), math.Max(x1, x), math.Min(y0, y), math.Max(y1, y)
	}
	b.Seen = outside == 0 && (p.View.Parallel || b.Far > 0)
	if !p.View.Parallel && b.Near <= float64(p.Lens.Near) {
		b.X1, b.Y1, b.Size = p.View.Width, p.View.Height, math.Inf(1)
		return b
	}
	margin := p.View.Margin()
	b.Size = math.Max(x1-x0, y1-y0)
	b.X0, b.X1 = pixel(x0+cx-margin), pixel(x1+cx+margin)
	b.Y0, b.Y1 = pixel(y0+cy-margin), pixel(y1+cy+margin)
	return b
}

// pixel is the first pixel whose centre is not before x, kept in range.
func pixel(x float64) int {
	return int(math.RoundToEven(math.Max(-1<<30, math.Min(1<<30, x))))
}

func vec(p [3]uint32) mgl64.Vec3 {
	return mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
}

func allFinite(numbers []float64) bool {
	for _, f := range numbers {
		if !finite(f) {
			return false
		}
	}
	return true
}
