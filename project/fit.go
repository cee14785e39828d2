package project

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// DefaultFill is the share of the picture that a fitted model spans in the
// tighter direction.
const DefaultFill = 0.9

// Fit returns the camera that looks along direction and sees all the points in
// the middle of a picture of width x height pixels: their outermost ones lie
// fill*width (or fill*height, whichever is tighter) pixels apart, and as far
// from the left border as from the right one, from the top as from the bottom.
// A fill above 1 shows only the middle of them.
//
// fovY is the vertical field of view in degrees; 0 asks for a parallel
// projection, of which Fit then chooses the Scale. The target lies in the
// middle of the points' depth. With a very wide field of view no eye may be near
// enough for the fill: it then stays a sixteenth of the points' extent before
// the first of them (one unit where they are all at one place).
//
// It fails where there are no points, a number is not finite or out of range, or
// the direction is zero.
func Fit(points []mgl64.Vec3, direction, up mgl64.Vec3, width, height int, fovY, fill float64) (Camera, error) {
	if len(points) == 0 {
		return Camera{}, fmt.Errorf("camera: there is nothing to look at")
	}
	if !(fill > 0) || !finite(fill) {
		return Camera{}, fmt.Errorf("camera: fill %g: must be a number above 0", fill)
	}
	camera := Camera{Eye: direction.Mul(-1), Up: up, FovY: fovY}
	if fovY == 0 {
		camera.Scale = 1
	}
	view, err := camera.View(width, height)
	if err != nil {
		return Camera{}, err
	}
	middle := midpoint(points)
	seen := make([]mgl64.Vec3, len(points)) // in the camera's axes, about the middle: far from the origin nothing is lost
	for i, p := range points {
		p = p.Sub(middle)
		seen[i] = mgl64.Vec3{p.Dot(view.Right), p.Dot(view.Down), p.Dot(view.Forward)}
	}
	near, far := span(seen, 2)
	reach := mgl64.Vec2{fill * float64(width) / 2, fill * float64(height) / 2} // pixels from the middle
	var eye mgl64.Vec3
	if view.Parallel {
		eye, camera.Scale = fitParallel(seen, reach)
		eye[2] = near - math.Max(far-near, 1)
	} else {
		eye = fitPerspective(seen, reach.Mul(1/view.Focal))
	}
	world := func(p mgl64.Vec3) mgl64.Vec3 {
		return middle.Add(view.Right.Mul(p[0])).Add(view.Down.Mul(p[1])).Add(view.Forward.Mul(p[2]))
	}
	camera.Eye = world(eye)
	camera.Target = world(mgl64.Vec3{eye[0], eye[1], (near + far) / 2})
	_, err = camera.View(width, height)
	return camera, err
}

// Corners returns the eight corners of a box.
func Corners(min, max mgl64.Vec3) [8]mgl64.Vec3 {
	var corners [8]mgl64.Vec3
	for i := range corners {
		for axis := range 3 {
			corners[i][axis] = min[axis]
			if i>>axis&1 != 0 {
				corners[i][axis] = max[axis]
			}
		}
	}
	return corners
}

// fitParallel returns the point in the middle of the picture (at depth 0) and
// the pixels per unit at which the points reach as far from it as they may.
func fitParallel(points []mgl64.Vec3, reach mgl64.Vec2) (middle mgl64.Vec3, scale float64) {
	scale = math.Inf(1)
	for axis := range 2 {
		low, high := span(points, axis)
		middle[axis] = (low + high) / 2
		if high > low {
			scale = math.Min(scale, 2*reach[axis]/(high-low))
		}
	}
	if math.IsInf(scale, 1) {
		scale = 1
	}
	return middle, scale
}

// fitPerspective returns the eye from which the points appear under slopes of
// at most slope[0] sideways and slope[1] up and down.
//
// All points lie within the slope k to both sides of an eye at (x, z) where
// x - kz >= max(px - k*pz) and -x - kz >= max(-px - k*pz). Both hold with
// equality at one point, the nearest eye that will do; of the two axes, the one
// that needs more distance decides it.
func fitPerspective(points []mgl64.Vec3, slope mgl64.Vec2) mgl64.Vec3 {
	near, far := span(points, 2)
	extent := far - near
	eye := mgl64.Vec3{0, 0, math.Inf(1)}
	tight := 0
	for axis := range 2 {
		k := slope[axis]
		right, left := math.Inf(-1), math.Inf(-1)
		for _, p := range points {
			right = math.Max(right, p[axis]-k*p[2])
			left = math.Max(left, -p[axis]-k*p[2])
		}
		eye[axis] = (right - left) / 2
		if z := -(right + left) / (2 * k); z < eye[2] {
			eye[2], tight = z, axis
		}
		low, high := span(points, axis)
		extent = math.Max(extent, high-low)
	}
	if extent == 0 {
		extent = 16
	}
	if nearest := near - extent/16; eye[2] > nearest {
		eye[2] = nearest
		eye[tight] = centred(points, tight, nearest)
	}
	loose := 1 - tight
	eye[loose] = centred(points, loose, eye[2])
	return eye
}

// centred returns the eye's coordinate along an axis from which the points
// appear under the same greatest slope to both sides, seen from depth z. Their
// sum falls as the eye moves up the axis, so halving finds where it is zero.
func centred(points []mgl64.Vec3, axis int, z float64) float64 {
	low, high := span(points, axis)
	for range 80 {
		at := (low + high) / 2
		least, most := math.Inf(1), math.Inf(-1)
		for _, p := range points {
			slope := (p[axis] - at) / (p[2] - z)
			least, most = math.Min(least, slope), math.Max(most, slope)
		}
		if least+most > 0 {
			low = at
		} else {
			high = at
		}
	}
	return (low + high) / 2
}

func midpoint(points []mgl64.Vec3) (middle mgl64.Vec3) {
	for axis := range 3 {
		low, high := span(points, axis)
		middle[axis] = low/2 + high/2
	}
	return middle
}

// span returns the least and the greatest coordinate of the points.
func span(points []mgl64.Vec3, axis int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = math.Min(low, p[axis]), math.Max(high, p[axis])
	}
	return low, high
}
