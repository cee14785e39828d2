package asm

import "math"

// A leaf larger than a pixel is drawn as the cube it is. A pixel's centre lies
// in the cube's silhouette where up to six linear functions of the pixel's
// coordinates, one for each edge, are not negative; of the faces that are seen,
// three more tell which one it is. All nine are lanes of one vector.

// CubeLanes is one coefficient for each of the functions: lanes 0 to 5 are the
// edges of the silhouette, 8 to 10 the edges between the faces seen.
type CubeLanes [16]float32

// CubeView is what is common to the cubes of an instance under a camera. The
// function of an edge at the lattice point (u, v), both relative to the eye, is
// u*A + v*B + C; at pixel (0, 0) of the picture, per pixel to the right and per
// pixel down.
type CubeView struct{ A, B, C [3]CubeLanes }

// CubeCase is what depends on which faces are towards the eye.
type CubeCase struct {
	// U and V choose, for each lane, the coordinates of the edge's lattice point
	// from Cube.Corner.
	U, V [16]int32
	// Sign turns the functions so that they are not negative inside, or, between
	// faces, positive where the first face is seen; it is 0 where there is no
	// such edge, and Bias takes its place.
	Sign, Bias CubeLanes
	// Face is what a pixel sees on the x, y and z face.
	Face [3]uint32
}

// Cube is a leaf ready to be drawn.
type Cube struct {
	// Corner is the lower corner and the upper corner relative to the eye, in
	// voxels; two lanes are unused.
	Corner [8]float32
	// The rectangle of pixels that the cube may cover, in the picture, upper
	// ends exclusive.
	X0, X1, Y0, Y1 int32
	// Ref is what a pixel sees, the face being added.
	Ref Ref
	// Taken is how many pixels see the cube.
	Taken uint32
}

// DrawCube draws a cube: every open pixel of the rectangle whose centre it
// covers sees it. It sets Taken.
type DrawCube func(c *Canvas, cube *Cube, view *CubeView, kind *CubeCase)

func drawCubeGo(c *Canvas, cube *Cube, view *CubeView, kind *CubeCase) {
	var at, right, down CubeLanes
	for i := range at {
		u, v := cube.Corner[kind.U[i]], cube.Corner[kind.V[i]]
		for k, lanes := range [3]*CubeLanes{&at, &right, &down} {
			f := (float32(u*view.A[k][i]) + float32(v*view.B[k][i])) + view.C[k][i]
			lanes[i] = float32(f * kind.Sign[i])
			if k == 0 {
				lanes[i] += kind.Bias[i]
			} else {
				lanes[i] += 0 // turns -0 into 0
			}
		}
	}
	cube.Taken = 0
	first, last := (cube.X0-c.X)>>3, (cube.X1-1-c.X)>>3
	for strip := first; strip <= last; strip++ {
		for y := cube.Y0; y < cube.Y1; y++ {
			cell := &c.Cells[(int(strip)+Pad/8)*c.Height+int(y-c.Y)+Pad]
			if *cell == 0 {
				continue
			}
			var row CubeLanes
			for i := range row {
				row[i] = at[i] + float32(down[i]*float32(y))
			}
			for bit := range int32(8) {
				x := c.X + 8*strip + bit
				if *cell>>bit&1 == 0 || !row.covers(&right, float32(x)) {
					continue
				}
				*cell &^= 1 << bit
				c.Seen[int(y-c.Y)*c.Width+int(x-c.X)] = cube.Ref + Ref(kind.Face[row.face(&right, float32(x))])
				cube.Taken++
			}
		}
	}
}

// covers tells whether none of the silhouette's functions is negative. Only the
// sign bit counts, as for the vectors.
func (row *CubeLanes) covers(right *CubeLanes, x float32) bool {
	for i := range 6 {
		if math.Signbit(float64(row[i] + float32(right[i]*x))) {
			return false
		}
	}
	return true
}

// face is the axis of the face seen: the functions at lanes 8, 9 and 10 are
// positive where x comes before y, y before z, z before x.
func (row *CubeLanes) face(right *CubeLanes, x float32) int {
	before := func(i int) bool { return row[i]+float32(right[i]*x) > 0 }
	switch {
	case before(8) && !before(10):
		return 0
	case !before(8) && before(9):
		return 1
	}
	return 2
}
