package asm

import "math"

// sights tell which pixel's ray leads to a point: x*t, y*t and t of the one to a point so far
// from where the rays begin, as rows of a matrix.
type sights struct {
	rows [3][3]float64
	of   *Rays // that they are made for
}

// from makes the sights of rays. Where these are too close together for single precision to
// tell them apart well, all is 0: no point is in front of where they begin.
func (s *sights) from(r *Rays) {
	*s = sights{of: r}
	var right, down, direction [3]float64
	var steps [2]float64
	length := 0.
	for k := range 3 {
		right[k], down[k], direction[k] = float64(r.DirectionRight[k]), float64(r.DirectionDown[k]), float64(r.Direction[k])
		steps[0], steps[1] = max(steps[0], math.Abs(right[k])), max(steps[1], math.Abs(down[k]))
		length = max(length, math.Abs(direction[k]))
	}
	// The picture is at most 5000 sides of a pixel away: depths, right to some 2^-21, put
	// the edges of a cube where they are to .0024 of a pixel.
	const closest = 2e-4
	rows := [3][3]float64{normal(&down, &direction), normal(&direction, &right), normal(&right, &down)}
	volume := right[0]*rows[0][0] + right[1]*rows[0][1] + right[2]*rows[0][2]
	if !(min(steps[0], steps[1]) > closest*length && length < moderate && math.Abs(volume) > 1/moderate) {
		return
	}
	for k := range 3 {
		for c := range 3 {
			s.rows[k][c] = rows[k][c] / volume
		}
	}
}

// normal is the cross product.
func normal(a, b *[3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// bounds are those of a box on the screen, in pixels; ok is false where it is not all in front
// of where the rays begin.
func (s *sights) bounds(low, high *[3]float64) (left, right, top, bottom float64, ok bool) {
	var corners [3][8]float64 // x*t, y*t and t
	for c := range 3 {
		row := &s.rows[c]
		x0, x1 := row[0]*low[0], row[0]*high[0]
		y0, y1 := row[1]*low[1], row[1]*high[1]
		z0, z1 := row[2]*low[2], row[2]*high[2]
		corners[c] = [8]float64{x0 + y0 + z0, x1 + y0 + z0, x0 + y1 + z0, x1 + y1 + z0, x0 + y0 + z1, x1 + y0 + z1, x0 + y1 + z1, x1 + y1 + z1}
	}
	left, right, top, bottom = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i, t := range corners[2] {
		if !(t > 0) {
			return 0, 0, 0, 0, false
		}
		inverse := 1 / t
		x, y := corners[0][i]*inverse, corners[1][i]*inverse
		if x < left {
			left = x
		}
		if x > right {
			right = x
		}
		if y < top {
			top = y
		}
		if y > bottom {
			bottom = y
		}
	}
	return left, right, top, bottom, true
}
