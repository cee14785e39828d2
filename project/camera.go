// Package project takes nodes from the world to the screen: the camera, the
// screen-facing cube around a node and the ways to project it, the pixel
// rules, the exact edges of a leaf's cube, and the octant nearest the camera.
package project

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// MaxSide is the greatest width and height of a picture in pixels: pixel
// coordinates stay exact in single precision, with room for fractions.
const MaxSide = 1 << 15

// Camera says from where and how a scene is seen. World units are those of
// the scene; see docs/conventions.md.
type Camera struct {
	// Eye is where the camera stands, Target the point in the middle of the
	// picture.
	Eye, Target mgl64.Vec3
	// Up points to the top of the picture, as far as the direction of view
	// allows. Along the direction of view it is replaced by another axis.
	Up mgl64.Vec3
	// FovY is the vertical field of view in degrees, above 0 and below 180.
	// It has no meaning in a parallel projection.
	FovY float64
	// Scale, when above 0, makes the projection parallel: so many pixels per
	// world unit. The eye then only gives the direction and nothing is behind it.
	Scale float64
	// Shift moves the point that each pixel looks through from its centre, in
	// pixels to the right and down: frames of different shifts are samples of the
	// same picture. Each may be -MaxShift to MaxShift.
	Shift mgl64.Vec2
}

// MaxShift is the greatest Camera.Shift in pixels.
const MaxShift = 1

// View is a camera put before a picture of a given size: the orthonormal axes
// and the focal length in pixels that every projection works with.
type View struct {
	Width, Height int
	// Eye in world units; Right, Down and Forward are unit vectors.
	Eye, Right, Down, Forward mgl64.Vec3
	// Focal is the focal length in pixels, or the pixels per world unit where
	// the projection is parallel.
	Focal    float64
	Parallel bool
	// Shift is the camera's.
	Shift mgl64.Vec2
}

// Principal returns where the line of sight meets the picture, in pixels from
// its upper left corner.
func (v *View) Principal() (x, y float64) {
	return float64(v.Width)/2 - v.Shift[0], float64(v.Height)/2 - v.Shift[1]
}

// View puts the camera before a picture of width x height pixels. It fails
// where a number is not finite, the eye lies on the target, or a size or angle
// is out of range.
func (c Camera) View(width, height int) (View, error) {
	if width < 1 || height < 1 || width > MaxSide || height > MaxSide {
		return View{}, fmt.Errorf("picture size %dx%d: each side must be 1 to %d pixels", width, height, MaxSide)
	}
	for _, v := range []mgl64.Vec3{c.Eye, c.Target, c.Up} {
		if !finite(v[0]) || !finite(v[1]) || !finite(v[2]) {
			return View{}, fmt.Errorf("camera: eye %v, target %v and up %v must be finite numbers", c.Eye, c.Target, c.Up)
		}
	}
	v := View{Width: width, Height: height, Eye: c.Eye, Parallel: c.Scale != 0, Shift: c.Shift}
	for _, shift := range c.Shift {
		if !(math.Abs(shift) <= MaxShift) {
			return View{}, fmt.Errorf("camera: shift %v: must be %d to %d pixels", c.Shift, -MaxShift, MaxShift)
		}
	}
	forward := c.Target.Sub(c.Eye)
	// Dividing by the largest component first keeps huge and tiny distances in range.
	largest := math.Max(math.Abs(forward[0]), math.Max(math.Abs(forward[1]), math.Abs(forward[2])))
	switch {
	case largest == 0:
		return View{}, fmt.Errorf("camera: the eye %v must not lie on the target", c.Eye)
	case !finite(largest):
		return View{}, fmt.Errorf("camera: the eye %v and the target %v are too far apart", c.Eye, c.Target)
	}
	// Not multiplied by 1/largest, which may be infinite.
	v.Forward = mgl64.Vec3{forward[0] / largest, forward[1] / largest, forward[2] / largest}.Normalize()
	v.Right = perpendicular(v.Forward, c.Up)
	v.Down = v.Forward.Cross(v.Right)
	switch {
	case v.Parallel && (!(c.Scale > 0) || !finite(c.Scale)):
		return View{}, fmt.Errorf("camera: scale %g: must be a number of pixels above 0", c.Scale)
	case v.Parallel:
		v.Focal = c.Scale
	case !(c.FovY > 0 && c.FovY < 180):
		return View{}, fmt.Errorf("camera: field of view %g: must be above 0 and below 180 degrees", c.FovY)
	default:
		v.Focal = float64(height) / 2 / math.Tan(c.FovY*math.Pi/360)
	}
	return v, nil
}

// DepthOf is the depth of a point: its distance from the eye along the
// direction of view.
func (v *View) DepthOf(point mgl64.Vec3) float64 { return v.Forward.Dot(point.Sub(v.Eye)) }

// Ray returns the origin and direction (not of unit length) of the ray through
// pixel (i, j), j downwards: its centre, but for Shift.
func (v View) Ray(i, j int) (origin, direction mgl64.Vec3) {
	cx, cy := v.Principal()
	x, y := (float64(i)+0.5-cx)/v.Focal, (float64(j)+0.5-cy)/v.Focal
	offset := v.Right.Mul(x).Add(v.Down.Mul(y))
	if v.Parallel {
		return v.Eye.Add(offset), v.Forward
	}
	return v.Eye, v.Forward.Add(offset)
}

// perpendicular returns the unit vector to the right of forward when up points
// to the top; where up is (nearly) parallel to forward, the first of y, x and
// z that is not takes its place: looking down on a model shows its front below.
func perpendicular(forward, up mgl64.Vec3) mgl64.Vec3 {
	for _, u := range []mgl64.Vec3{up, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}} {
		if u.Len() == 0 || !finite(u.Len()) {
			continue
		}
		if right := forward.Cross(u.Normalize()); right.Len() > 1e-6 {
			return right.Normalize()
		}
	}
	return mgl64.Vec3{1, 0, 0} // not reached: forward is parallel to one axis at most
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
