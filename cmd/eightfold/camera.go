package main

import (
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/models"
	"github.com/cfef80af/eightfold/project"
	"github.com/cfef80af/eightfold/render"
)

// defaultFov is a moderate telephoto lens: it keeps a model's proportions.
const defaultFov = 30

// cameraFlags choose the camera: by numbers, or by a view that is fitted to
// the model.
type cameraFlags struct {
	View  string   `group:"Camera" default:"three-quarter" placeholder:"NAME" help:"Side to look from, the model fitted to the frame: three-quarter, front, back, left, right, top, bottom, or iso, which is a parallel view. Or one of the views that the model itself brings (info lists them)."`
	Yaw   float64  `group:"Camera" placeholder:"DEG" help:"Go around the model from there: to the right where positive."`
	Pitch float64  `group:"Camera" placeholder:"DEG" help:"Rise above the model from there; sink where negative."`
	Zoom  float64  `group:"Camera" default:"1" help:"Size of the fitted model: 1 fills 90 % of the frame, 2 is twice as large."`
	Eye   *vector  `group:"Camera" placeholder:"X,Y,Z" help:"Stand here instead, in the model's own units."`
	At    *vector  `group:"Camera" name:"target" placeholder:"X,Y,Z" help:"Look here from the eye; without it, at the model's middle."`
	Up    *axis    `group:"Camera" placeholder:"X,Y,Z" help:"Direction of the picture's top, also x, y, z, -x ...; by the file format's custom where not given."`
	Fov   *float64 `group:"Camera" placeholder:"DEG" help:"Vertical field of view in degrees, 30 where not given."`
	Ortho bool     `group:"Camera" help:"Parallel projection."`
	Scale float64  `group:"Camera" placeholder:"PX" help:"Pixels per voxel in a parallel projection; fitted to the frame where not given."`
}

// check finds flags that contradict each other.
func (f *cameraFlags) check() error {
	parallel := f.Ortho || f.View == "iso"
	switch turned := f.View != "three-quarter" || f.Yaw != 0 || f.Pitch != 0 || f.Zoom != 1; {
	case f.Eye != nil && turned:
		return usage("--eye and a fitted view exclude each other: leave out --eye, or --view, --yaw, --pitch and --zoom")
	case f.Eye == nil && f.At != nil:
		return usage("--target needs --eye: say where the camera stands")
	case f.Fov != nil && parallel:
		return usage("--fov and a parallel projection exclude each other: leave out --fov, or --ortho and --view iso")
	case f.Fov != nil && !(*f.Fov > 0 && *f.Fov < 180):
		return usage("--fov %g: must be above 0 and below 180 degrees", *f.Fov)
	case f.Scale != 0 && !parallel:
		return usage("--scale needs a parallel projection: add --ortho")
	case !(f.Scale >= 0 && f.Scale < 1e9):
		return usage("--scale %g: must be a number of pixels above 0 and below 1e9", f.Scale)
	case !(f.Zoom > 0 && f.Zoom < 1e9):
		return usage("--zoom %g: must be above 0 and below 1e9", f.Zoom)
	case !(f.Yaw-f.Yaw == 0 && f.Pitch-f.Pitch == 0):
		return usage("--yaw %g --pitch %g: must be finite numbers of degrees", f.Yaw, f.Pitch)
	}
	return nil
}

// camera places the camera before a scene made of the asset.
func (f *cameraFlags) camera(asset *models.Asset, scene *render.Scene, picture size) (project.Camera, error) {
	up, front := asset.Up, asset.Front
	if f.Up != nil {
		up, front = turnUp(mgl64.Vec3(*f.Up).Normalize(), up, front)
	}
	fov := float64(defaultFov)
	if f.Fov != nil {
		fov = *f.Fov
	}
	if own, ok := asset.View(f.View); ok {
		return f.ownView(own)
	}
	viewpoint, ok := project.ViewpointNamed(f.View)
	if !ok {
		names := []string{"three-quarter", "front", "back", "left", "right", "top", "bottom", "iso"}
		for _, own := range asset.Views {
			names = append(names, own.Name)
		}
		return project.Camera{}, usage("--view %q: must be one of %s", f.View, strings.Join(names, ", "))
	}
	if f.Ortho || viewpoint.Parallel {
		fov = 0
	}
	viewpoint.Yaw += f.Yaw
	viewpoint.Pitch += f.Pitch
	direction, top := viewpoint.Axes(up, front)
	if f.Eye != nil {
		target := f.At
		if target == nil {
			low, high, _ := scene.Bounds()
			target = (*vector)(new(low.Add(high).Mul(0.5)))
		}
		camera := project.Camera{Eye: mgl64.Vec3(*f.Eye), Target: mgl64.Vec3(*target), Up: up, FovY: fov, Scale: f.Scale}
		if fov > 0 || f.Scale > 0 {
			return camera, nil
		}
		fitted, err := scene.Fit(camera.Target.Sub(camera.Eye), up, picture.width, picture.height, 0, project.DefaultFill)
		camera.Scale = fitted.Scale
		return camera, err
	}
	camera, err := scene.Fit(direction, top, picture.width, picture.height, fov, project.DefaultFill*f.Zoom)
	if f.Scale > 0 {
		camera.Scale = f.Scale
	}
	return camera, err
}

// ownView is a camera that the model brings; only its lens may be changed.
func (f *cameraFlags) ownView(own models.View) (project.Camera, error) {
	if f.Yaw != 0 || f.Pitch != 0 || f.Zoom != 1 || f.Ortho || f.Up != nil {
		return project.Camera{}, usage("--view %s is a camera of the model: leave out --yaw, --pitch, --zoom, --up and --ortho, or give --eye", f.View)
	}
	if f.Fov != nil {
		own.Camera.FovY = *f.Fov
	}
	return own.Camera, nil
}

// turnUp makes another direction point up. The front stays where it can; where
// it would be above or below, what was up is looked at.
func turnUp(up, oldUp, oldFront mgl64.Vec3) (newUp, front mgl64.Vec3) {
	for _, f := range []mgl64.Vec3{oldFront, oldUp} {
		if level := f.Sub(up.Mul(f.Dot(up))); level.Len() > 1e-6 {
			return up, level.Normalize()
		}
	}
	return oldUp, oldFront // not reached: up is parallel to one of two at most
}
