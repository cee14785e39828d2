// Package navigate moves the viewer's camera: around a model, through it, and
// to the places where people expect it. It knows no window: movements come in
// pixels, seconds and points of the world.
package navigate

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/project"
)

// Navigator is a camera that can be moved. It looks along a direction, told by
// yaw and pitch in the model's own terms, at a focus some way ahead: orbiting
// turns it about the focus, looking around about the eye.
type Navigator struct {
	// Up points up and Front to who looks at the model's front: unit vectors at
	// a right angle.
	Up, Front mgl64.Vec3
	// Yaw and Pitch in degrees are those of project.Viewpoint; Pitch is -90 to 90.
	Yaw, Pitch float64
	// Focus is what the camera turns about; Distance is how far the eye is from
	// it, in world units, above 0.
	Focus    mgl64.Vec3
	Distance float64
	// FovY is the vertical field of view in degrees. A parallel projection shows
	// what is at the focus as large as the perspective one does.
	FovY     float64
	Parallel bool
	// Extent is the length of the model's diagonal. Distances stay between small
	// parts and large multiples of it.
	Extent float64
	// Inertia lets a movement run on after it was let go.
	Inertia bool

	coast coast
	given *given
}

// given is a camera that was set as a whole. It is handed back as it came, to
// the last bit, until the camera is moved.
type given struct {
	camera project.Camera
	height int
}

// DefaultFovY is the field of view of `eightfold render`.
const DefaultFovY = 30

// New makes a navigator for a model with the given axes, and a diagonal of
// extent world units. It looks from the front left until it is told otherwise.
func New(up, front mgl64.Vec3, extent float64) *Navigator {
	if !(extent > 0) || math.IsInf(extent, 1) {
		extent = 1
	}
	n := &Navigator{Up: up, Front: front, FovY: DefaultFovY, Extent: extent, Distance: 2 * extent}
	n.Yaw, n.Pitch = project.ThreeQuarter.Yaw, project.ThreeQuarter.Pitch
	return n
}

// viewpoint is the side that the camera looks from.
func (n *Navigator) viewpoint() project.Viewpoint {
	return project.Viewpoint{Yaw: n.Yaw, Pitch: n.Pitch, Parallel: n.Parallel}
}

// Axes returns the direction of view and the top of the picture.
func (n *Navigator) Axes() (direction, top mgl64.Vec3) {
	return n.viewpoint().Axes(n.Up, n.Front)
}

// Eye is where the camera stands.
func (n *Navigator) Eye() mgl64.Vec3 {
	if n.given != nil {
		return n.given.camera.Eye
	}
	direction, _ := n.Axes()
	return n.Focus.Sub(direction.Mul(n.Distance))
}

// Camera is the camera for a picture that is height pixels high.
func (n *Navigator) Camera(height int) project.Camera {
	if n.given != nil {
		camera := n.given.camera
		if camera.Scale > 0 && height != n.given.height {
			camera.Scale *= float64(height) / float64(n.given.height)
		}
		return camera
	}
	camera := project.Camera{Eye: n.Eye(), Target: n.Focus, Up: n.Up, FovY: n.FovY}
	if math.Abs(n.Pitch) == 90 { // up is along the direction of view
		_, camera.Up = n.Axes()
	}
	if n.Parallel {
		camera.FovY, camera.Scale = 0, n.focal(height)/n.Distance
	}
	return camera
}

// focal is the focal length in pixels for a picture of the given height.
func (n *Navigator) focal(height int) float64 {
	return float64(height) / 2 / math.Tan(n.FovY*math.Pi/360)
}

// Set takes over a camera made for a picture of the given height, such as a
// fitted or a pasted one. Camera returns it unchanged until it is moved; moving
// it turns the model's up axis back to the top.
func (n *Navigator) Set(camera project.Camera, height int) {
	n.Stop()
	forward := camera.Target.Sub(camera.Eye)
	n.Distance, n.Focus = forward.Len(), camera.Target
	n.Yaw, n.Pitch = n.angles(forward.Normalize(), camera.Up)
	n.Parallel = camera.Scale > 0
	if n.Parallel {
		n.Distance = n.focal(height) / camera.Scale
	} else {
		n.FovY = camera.FovY
	}
	n.given = &given{camera, height}
}

// angles are the yaw and pitch of a direction of view. Straight up or down the
// yaw is told by the top of the picture.
func (n *Navigator) angles(direction, top mgl64.Vec3) (yaw, pitch float64) {
	pitch = degrees(math.Asin(math.Max(-1, math.Min(1, -direction.Dot(n.Up)))))
	side := direction.Mul(-1)
	if flat := side.Sub(n.Up.Mul(side.Dot(n.Up))); flat.Len() < 1e-6 {
		side = top.Mul(-math.Copysign(1, pitch))
		pitch = math.Copysign(90, pitch)
	}
	x, y := side.Dot(n.Front), side.Dot(n.Up.Cross(n.Front))
	if math.Hypot(x, y) < 1e-9 {
		return 0, pitch
	}
	return degrees(math.Atan2(y, x)), pitch
}

func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// moved forgets a camera that was set as a whole.
func (n *Navigator) moved() { n.given = nil }

// TurnPerPixel is how many degrees a drag of one pixel turns the camera.
const TurnPerPixel = 0.4

// Orbit goes around the focus, as if the model were turned by a drag of dx and
// dy pixels, to the right and downwards.
func (n *Navigator) Orbit(dx, dy float64) {
	if dx == 0 && dy == 0 {
		return
	}
	n.moved()
	n.turn(-dx*TurnPerPixel, dy*TurnPerPixel)
}

func (n *Navigator) turn(yaw, pitch float64) {
	n.Yaw = math.Remainder(n.Yaw+yaw, 360)
	n.Pitch = math.Max(-90, math.Min(90, n.Pitch+pitch))
}

// Look turns the head about the eye by a drag of dx and dy pixels.
func (n *Navigator) Look(dx, dy float64) {
	if dx == 0 && dy == 0 {
		return
	}
	eye := n.Eye()
	n.moved()
	const perPixel = TurnPerPixel / 2
	n.turn(-dx*perPixel, dy*perPixel)
	direction, _ := n.Axes()
	n.Focus = eye.Add(direction.Mul(n.Distance))
}

// Pan moves the camera sideways so that what is depth world units ahead follows
// a drag of dx and dy pixels in a picture of the given height. A depth that is
// not above 0 stands for the focus.
func (n *Navigator) Pan(dx, dy, depth float64, height int) {
	if dx == 0 && dy == 0 {
		return
	}
	if !(depth > 0) || math.IsInf(depth, 1) || n.Parallel {
		depth = n.Distance
	}
	n.moved()
	perPixel := depth / n.focal(height)
	right, down := n.screen()
	n.Focus = n.Focus.Sub(right.Mul(dx * perPixel)).Sub(down.Mul(dy * perPixel))
}

// screen are the axes of the picture in the world.
func (n *Navigator) screen() (right, down mgl64.Vec3) {
	direction, top := n.Axes()
	return direction.Cross(top).Normalize(), top.Mul(-1)
}

// ZoomPerStep is by what a distance shrinks with one step of the wheel.
const ZoomPerStep = 0.85

// Zoom comes nearer by steps of the wheel (back where negative). The point at
// keeps its place in the picture: all distances from it shrink alike.
func (n *Navigator) Zoom(steps float64, at mgl64.Vec3) {
	if steps == 0 {
		return
	}
	n.moved()
	before := n.Distance
	n.setDistance(n.Distance * math.Pow(ZoomPerStep, steps))
	n.Focus = at.Add(n.Focus.Sub(at).Mul(n.Distance / before))
}

// setDistance keeps the distance where numbers are still good.
func (n *Navigator) setDistance(d float64) {
	n.Distance = math.Max(n.Extent*1e-7, math.Min(n.Extent*1e3, d))
}

// PointAt is the point of the world seen at (x, y) in a picture of the given
// size, depth world units ahead; a depth not above 0, or infinite, stands for
// that of the focus.
func (n *Navigator) PointAt(x, y, depth float64, width, height int) mgl64.Vec3 {
	if !(depth > 0) || math.IsInf(depth, 1) {
		depth = n.Distance
	}
	direction, _ := n.Axes()
	right, down := n.screen()
	at := depth
	if n.Parallel {
		at = n.Distance
	}
	perPixel := at / n.focal(height)
	dx, dy := (x-float64(width)/2)*perPixel, (y-float64(height)/2)*perPixel
	return n.Eye().Add(direction.Mul(depth)).Add(right.Mul(dx)).Add(down.Mul(dy))
}

// FocusOn puts a point into the middle of the picture, as far away as it is:
// the camera moves sideways only.
func (n *Navigator) FocusOn(p mgl64.Vec3) {
	direction, _ := n.Axes()
	depth := p.Sub(n.Eye()).Dot(direction)
	n.moved()
	n.Focus = p
	if !n.Parallel && depth > 0 {
		n.setDistance(depth)
	}
}

// Fly moves the eye for some seconds to the right, upwards and forwards, each
// -1 to 1. Its speed is such that the nearest surface, nearest world units away,
// would be reached in about a second: fast in the open, careful near walls.
func (n *Navigator) Fly(right, up, forward, seconds, nearest float64) {
	if right == 0 && up == 0 && forward == 0 {
		return
	}
	eye := n.Eye()
	n.moved()
	slowest := n.Extent * 1e-4
	step := math.Max(math.Min(nearest, n.Extent), slowest) * seconds
	direction, _ := n.Axes()
	across, _ := n.screen()
	if n.Parallel { // coming nearer shows nothing: the picture grows instead
		n.setDistance(n.Distance * math.Exp(-forward*seconds))
		forward = 0
		step = n.Distance * seconds / 2
		eye = n.Focus.Sub(direction.Mul(n.Distance))
	}
	move := across.Mul(right).Add(n.Up.Mul(up)).Add(direction.Mul(forward)).Mul(step)
	n.Focus = eye.Add(move).Add(direction.Mul(n.Distance))
}

// From turns to a viewpoint about the focus. The distance stays; the projection
// becomes parallel where the viewpoint asks for it.
func (n *Navigator) From(v project.Viewpoint) {
	n.Stop()
	n.moved()
	n.Yaw, n.Pitch = v.Yaw, v.Pitch
	n.Parallel = n.Parallel || v.Parallel
}

// ToggleParallel changes between perspective and parallel projection; what is
// at the focus stays as large as it is.
func (n *Navigator) ToggleParallel() {
	n.moved()
	n.Parallel = !n.Parallel
}

// Fitter fits a camera to the model that looks along direction, with top at
// the picture's top; fovY 0 asks for a parallel projection.
type Fitter func(direction, top mgl64.Vec3, fovY float64) (project.Camera, error)

// Frame shows the whole model from the side that the camera looks from.
func (n *Navigator) Frame(fit Fitter, height int) error {
	direction, top := n.Axes()
	fov := n.FovY
	if n.Parallel {
		fov = 0
	}
	camera, err := fit(direction, top, fov)
	if err != nil {
		return err
	}
	yaw, pitch := n.Yaw, n.Pitch
	n.Set(camera, height)
	n.Yaw, n.Pitch = yaw, pitch // as they were told, without the way through a vector
	return nil
}

// Reset shows the whole model from its front left, as `eightfold render` does.
func (n *Navigator) Reset(fit Fitter, height int) error {
	n.Yaw, n.Pitch, n.Parallel, n.FovY = project.ThreeQuarter.Yaw, project.ThreeQuarter.Pitch, false, DefaultFovY
	return n.Frame(fit, height)
}
