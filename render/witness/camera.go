package witness

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// lens makes rays out of a camera's numbers, by the formula of the
// conventions and by nothing else: it must not inherit a mistake from
// project.View.
type lens struct {
	width, height      float64
	eye                mgl64.Vec3
	right, up, forward mgl64.Vec3 // orthonormal
	focal              float64    // pixels per unit at distance 1, or per world unit where parallel
	parallel           bool
	shift              mgl64.Vec2 // of each pixel's point from its centre
}

func newLens(c project.Camera, width, height int) (lens, error) {
	if width < 1 || height < 1 {
		return lens{}, fmt.Errorf("witness: picture size %dx%d: must be at least one pixel", width, height)
	}
	l := lens{width: float64(width), height: float64(height), eye: c.Eye, parallel: c.Scale > 0, shift: c.Shift}
	l.forward = c.Target.Sub(c.Eye).Normalize()
	for _, up := range []mgl64.Vec3{c.Up, {0, 1, 0}, {1, 0, 0}} {
		if l.right = l.forward.Cross(up.Normalize()); l.right.Len() > 1e-6 {
			break
		}
	}
	l.right = l.right.Normalize()
	l.up = l.right.Cross(l.forward)
	l.focal = l.height / 2 / math.Tan(mgl64.DegToRad(c.FovY)/2)
	if l.parallel {
		l.focal = c.Scale
	}
	if sum := l.right.Len() + l.focal; !(sum > 0) || math.IsInf(sum, 0) {
		return lens{}, fmt.Errorf("witness: camera %+v cannot see: check eye, target and field of view", c)
	}
	return l, nil
}

// offset is how far to the right and up of the line of sight the ray through
// the point (x, y) of the picture runs, in pixels from its top left corner, y
// downwards. A parallel ray starts there; in perspective it is there at distance
// 1. So all directions have a forward part of one, and the ray's parameter is
// the camera's z.
func (l *lens) offset(x, y float64) (right, up float64) {
	return (x + l.shift[0] - l.width/2) / l.focal, (l.height/2 - y - l.shift[1]) / l.focal
}

// at returns where a point is seen, in pixels, and its camera z. The position
// has no meaning behind the eye (z <= 0) unless the projection is parallel.
func (l *lens) at(point mgl64.Vec3) (x, y, z float64) {
	v := point.Sub(l.eye)
	z = v.Dot(l.forward)
	scale := l.pixels(z)
	return l.width/2 - l.shift[0] + v.Dot(l.right)*scale, l.height/2 - l.shift[1] - v.Dot(l.up)*scale, z
}

// pixels is the number of pixels that a world unit across the line of sight
// takes at camera z.
func (l *lens) pixels(z float64) float64 {
	if l.parallel {
		return l.focal
	}
	return l.focal / z
}
