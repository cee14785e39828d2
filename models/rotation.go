package models

import "github.com/go-gl/mathgl/mgl64"

// rotation is a signed permutation matrix: the rotations and mirrorings that
// take the voxel grid to itself. Row i holds sign[i] in column axis[i].
type rotation struct {
	axis [3]uint8
	sign [3]int8
}

var identity = rotation{axis: [3]uint8{0, 1, 2}, sign: [3]int8{1, 1, 1}}

func (r rotation) apply(v [3]int64) (w [3]int64) {
	for i := range w {
		w[i] = int64(r.sign[i]) * v[r.axis[i]]
	}
	return w
}

// mul is the rotation s followed by r.
func (r rotation) mul(s rotation) (m rotation) {
	for i := range 3 {
		m.axis[i] = s.axis[r.axis[i]]
		m.sign[i] = r.sign[i] * s.sign[r.axis[i]]
	}
	return m
}

// motion is a rotation and then a move by whole voxels. It acts on voxel
// centres, half-integers on each axis, and takes them to voxel centres: so
// motions compose like any linear map, with nothing to round in between.
type motion struct {
	r rotation
	t [3]int64
}

// mul is the motion n followed by m.
func (m motion) mul(n motion) motion {
	t := m.r.apply(n.t)
	for i := range t {
		t[i] += m.t[i]
	}
	return motion{m.r.mul(n.r), t}
}

// matrix is the motion for a model that turns about pivot, in its own voxels:
// x -> R (x - pivot) + t. A centre v + 0.5 then lands on the centre of the cell
// floor(R (v + 0.5 - pivot)) + t, and the voxel's cube on that cell, since a
// signed permutation takes a cube to a cube with the image of its centre.
func (m motion) matrix(pivot [3]int64) mgl64.Mat4 {
	shift := m.r.apply(pivot)
	matrix := mgl64.Ident4()
	for row := range 3 {
		for column := range 3 {
			matrix.Set(row, column, 0)
		}
		matrix.Set(row, int(m.r.axis[row]), float64(m.r.sign[row]))
		matrix.Set(row, 3, float64(m.t[row]-shift[row]))
	}
	return matrix
}
