package project

import (
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// Viewpoint is a side to look at a model from, told in the model's own terms.
type Viewpoint struct {
	// Yaw is how far the camera has gone around the model, in degrees from its
	// front: to the right (90 sees the side at the camera's right hand) where
	// positive, to the left where negative.
	Yaw float64
	// Pitch is how far the camera has risen, in degrees from level: 90 looks
	// straight down, -90 straight up. Beyond these the picture is upside down.
	Pitch float64
	// Parallel asks for a parallel projection.
	Parallel bool
}

// The viewpoints that have a name.
var (
	ThreeQuarter = Viewpoint{Yaw: 32, Pitch: 24}
	Isometric    = Viewpoint{Yaw: 45, Pitch: math.Atan(math.Sqrt2/2) * 180 / math.Pi, Parallel: true} // 35.264 degrees: the three axes look equally long
)

// ViewpointNamed returns the viewpoint called front, back, left, right, top,
// bottom, iso or three-quarter, and whether there is one of that name. Left and
// right are those of who looks at the front; looking at the top, the front is
// at the bottom of the picture.
func ViewpointNamed(name string) (Viewpoint, bool) {
	switch strings.ToLower(name) {
	case "front":
		return Viewpoint{}, true
	case "back":
		return Viewpoint{Yaw: 180}, true
	case "left":
		return Viewpoint{Yaw: -90}, true
	case "right":
		return Viewpoint{Yaw: 90}, true
	case "top":
		return Viewpoint{Pitch: 90}, true
	case "bottom":
		return Viewpoint{Pitch: -90}, true
	case "iso":
		return Isometric, true
	case "three-quarter":
		return ThreeQuarter, true
	}
	return Viewpoint{}, false
}

// Axes returns the direction of view, from the camera to the model, and the
// axis that points to the top of the picture. up and front belong to the model:
// unit vectors, at a right angle, that point up and to who looks at its front.
func (v Viewpoint) Axes(up, front mgl64.Vec3) (direction, top mgl64.Vec3) {
	sinYaw, cosYaw := sincos(v.Yaw)
	sinPitch, cosPitch := sincos(v.Pitch)
	side := front.Mul(cosYaw).Add(up.Cross(front).Mul(sinYaw))
	direction = side.Mul(-cosPitch).Add(up.Mul(-sinPitch))
	top = side.Mul(-sinPitch).Add(up.Mul(cosPitch))
	return direction, top
}

// sincos takes degrees and is exact for whole right angles, so that a view
// along an axis is along that axis.
func sincos(degrees float64) (sin, cos float64) {
	if quarters := degrees / 90; quarters == math.Trunc(quarters) {
		switch int(math.Mod(quarters, 4)+4) % 4 {
		case 0:
			return 0, 1
		case 1:
			return 1, 0
		case 2:
			return 0, -1
		default:
			return -1, 0
		}
	}
	return math.Sincos(degrees * math.Pi / 180)
}
