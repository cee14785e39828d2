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
//
// A scene has one for each of its instances, so that a pose holds no more than
// what can't be found faster than it is read from memory.
type Pose struct {
	// View is that before which the tree was placed; it must not change.
	View *View
	// Axes are the tree's x, y and z axes in camera space, for one voxel.
	Axes [3][3]float64
	// Root is the centre of the root in camera space.
	Root [3]float64
	// Near is the depth of the NearPlane.
	Near float32
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
func NewPose(v View, toWorld mgl64.Mat4, depth int) (p Pose, err error) {
	if err := CheckTransform(&toWorld); err != nil {
		return Pose{}, err
	}
	p.Place(&v, &toWorld, depth, NearPlane(&toWorld))
	half := math.Ldexp(1, depth-1)
	for c, r := range p.HalfExtents() {
		if extent := math.Abs(p.Root[c]) + half*r; !(extent < tooLarge) {
			return Pose{}, fmt.Errorf("transform: the model reaches %.3g pixels from the camera, must be below %.0g", extent, tooLarge)
		}
	}
	return p, nil
}

// Place makes p the pose that NewPose would make, where it stands and without a
// check: CheckTransform and View.InRange must have told that NewPose would make
// one. near is the transform's NearPlane.
func (p *Pose) Place(v *View, toWorld *mgl64.Mat4, depth int, near float64) {
	p.Near, p.normal = float32(near), invert(toWorld.Mat3()).Transpose()
	p.Move(v, toWorld, depth)
}

// Move is Place for a pose that was placed with the same transform and depth, but in
// another view.
func (p *Pose) Move(v *View, toWorld *mgl64.Mat4, depth int) {
	inverse := p.normal.Transpose()
	p.View = v
	p.origin, p.Axes = v.place(toWorld)
	half := math.Ldexp(1, depth-1)
	p.Root = p.origin
	for k := range 3 {
		for c := range 3 {
			p.Root[c] += half * p.Axes[k][c]
		}
	}
	p.Rays.set(v, &inverse, toWorld.Col(3).Vec3(), 2*half)
}

// CheckTransform tells why NewPose would refuse a transform, whatever the view.
func CheckTransform(toWorld *mgl64.Mat4) error {
	_, err := inverseOf(toWorld)
	return err
}

// inverseOf is the inverse of the linear part of an affine transform.
func inverseOf(toWorld *mgl64.Mat4) (mgl64.Mat3, error) {
	if bottom := toWorld.Row(3); bottom != (mgl64.Vec4{0, 0, 0, 1}) {
		return mgl64.Mat3{}, fmt.Errorf("transform: the bottom row is %v, must be 0 0 0 1", bottom)
	}
	inverse := invert(toWorld.Mat3())
	if !allFinite(inverse[:]) || !allFinite(toWorld[:]) {
		return mgl64.Mat3{}, fmt.Errorf("transform: can't be inverted: every axis must have a finite length above 0, and not lie in a plane with the others")
	}
	if shortest := shortestAxis(toWorld); shortest < shortestVoxel {
		return mgl64.Mat3{}, fmt.Errorf("transform: an axis has the length %.3g, must be %g at least", shortest, shortestVoxel)
	}
	return inverse, nil
}

// shortestVoxel is the shortest edge of a voxel in the world: its parts and its
// inverse stay in the range of single precision.
const shortestVoxel = 1e-30

// shortestAxis is the length of the shortest axis of a transform.
func shortestAxis(toWorld *mgl64.Mat4) float64 {
	shortest := math.Inf(1)
	for k := range 3 {
		x, y, z := toWorld[4*k], toWorld[4*k+1], toWorld[4*k+2]
		shortest = math.Min(shortest, math.Sqrt(x*x+y*y+z*z))
	}
	return shortest
}

// place takes a tree's origin and its axes, for one voxel, to camera space.
func (v *View) place(toWorld *mgl64.Mat4) (origin [3]float64, axes [3][3]float64) {
	m := toWorld
	origin[0], origin[1], origin[2] = v.toCamera(m[12]-v.Eye[0], m[13]-v.Eye[1], m[14]-v.Eye[2])
	for k := range axes {
		a := &axes[k]
		a[0], a[1], a[2] = v.toCamera(m[4*k], m[4*k+1], m[4*k+2])
	}
	return origin, axes
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

// toCamera takes a world vector to camera space. It is given number by number, for the
// compiler keeps arrays in memory.
func (v *View) toCamera(x, y, z float64) (right, down, forward float64) {
	right = v.Focal * (v.Right[0]*x + v.Right[1]*y + v.Right[2]*z)
	down = v.Focal * (v.Down[0]*x + v.Down[1]*y + v.Down[2]*z)
	return right, down, v.Forward[0]*x + v.Forward[1]*y + v.Forward[2]*z
}

// Lens sets up what the batch kernels need, but for the level of detail and the
// part of the picture; octants lead from the centre of a node to those of its
// octants, for octants of half size 1, in double precision.
func (p *Pose) Lens(l *asm.Lens, octants *[8][3]float64) {
	cx, cy := p.View.Principal()
	l.CX, l.CY, l.Near = float32(cx), float32(cy), p.Near
	l.Margin, l.OrthoError = float32(p.View.Margin()), 2*OrthoError
	x, y, z := &p.Axes[0], &p.Axes[1], &p.Axes[2]
	for c := range 3 {
		// The sums of Octant, each taken once.
		sum, difference := x[c]+y[c], x[c]-y[c]
		octants[0][c], octants[7][c] = -sum-z[c], sum+z[c]
		octants[1][c], octants[6][c] = difference-z[c], -difference+z[c]
		octants[2][c], octants[5][c] = -difference-z[c], difference+z[c]
		octants[3][c], octants[4][c] = sum-z[c], -sum+z[c]
	}
	for o, d := range octants {
		l.DX[o], l.DY[o], l.DZ[o] = float32(d[0]), float32(d[1]), float32(d[2])
	}
	for k, axis := range &p.Axes {
		l.AX[k], l.AY[k], l.AZ[k] = float32(axis[0]), float32(axis[1]), float32(axis[2])
	}
	// Rounded up: the screen-facing cube must not lose a corner to rounding.
	const up = 1 + 1./(1<<20)
	r := p.HalfExtents()
	l.RX, l.RY, l.RZ = float32(r[0]*up), float32(r[1]*up), float32(r[2]*up)
}

// OrthoError is the greatest error in pixels that subdividing a node on the
// screen may cause; footprints there are widened by as much.
const OrthoError = 1. / 8

// Margin is the width in pixels by which every footprint is widened on each
// side, so that rounding leaves no gap between neighbours.
func (v *View) Margin() float64 {
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

// Depth is the depth of a point in the tree's coordinates.
func (p *Pose) Depth(x, y, z float64) float64 {
	return p.origin[2] + x*p.Axes[0][2] + y*p.Axes[1][2] + z*p.Axes[2][2]
}

// NormalMatrix takes normals from the tree's axes to the world's, but for their
// length.
func (p *Pose) NormalMatrix() mgl64.Mat3 { return p.normal }

// Normal takes a normal from the tree's axes to the world's, to unit length.
func (p *Pose) Normal(n mgl64.Vec3) mgl64.Vec3 { return p.normal.Mul3x1(n).Normalize() }

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
