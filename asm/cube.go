package asm

import (
	"math"
	"math/bits"
)

// A leaf larger than a pixel is drawn as the cube it is. A pixel's centre lies
// in the cube's silhouette where up to six linear functions of the pixel's
// coordinates, one for each edge, are not negative; of the faces that are seen,
// three more tell which one it is. All nine are lanes of one vector.

// CubeLanes is one coefficient for each of the functions: lanes 0 to 5 are the
// edges of the silhouette, 8 to 10 the edges between the faces seen.
type CubeLanes [16]float32

// CubeView is what is common to the cubes of an instance under a camera. The
// function of an edge at the lattice point (u, v), counted from any other, is
// u*A + v*B + C; at pixel (0, 0) of the picture, per pixel to the right and per
// pixel down.
type CubeView struct{ A, B, C [3]CubeLanes }

// CubeCase is what depends on which faces are towards the eye.
type CubeCase struct {
	// U and V choose, for each lane, the coordinates of the edge's lattice point
	// from a cube's corners: its lower x, y and z, then its upper ones.
	U, V [16]int32
	// Sign turns the functions so that they are not negative inside, or, between
	// faces, positive where the first face is seen; it is 0 where there is no
	// such edge, and Bias takes its place.
	Sign, Bias CubeLanes
	// Face is what a pixel sees on the x, y and z face.
	Face [3]uint32
	_    uint32
}

// CubeCases are the cases by 9*x + 3*y + z, where x, y and z tell the viewer's
// side of a cube along each axis: 0 below, 1 neither, 2 above.
type CubeCases [27]CubeCase

// Leaves are the leaves of a node, ready to be drawn as cubes.
type Leaves struct {
	// Lower are the corners, as CubeCase counts them, of the leaf in octant 0,
	// Upper those of the leaf in octant 7, in voxels from the point for which
	// CubeView.C was made. The leaves between take some of each.
	Lower, Upper [8]float32
	// Case is each octant's case.
	Case [8]uint32
	// Records is where a record is entered for each leaf that is seen; at least
	// eight are free from Next on.
	Records []Record
	Mask    uint32  // octants that are not empty
	Visit   uint32  // those to be drawn, by the order of visiting
	Nearest uint32  // the octant visited first
	First   uint32  // id of the lowest octant that is not empty
	Place   uint32  // Record.Place of octant 0
	Next    uint32  // index of the next record
	Colours []uint8 // see Bottom
}

// DrawLeaves draws leaves front to back: every open pixel of a leaf's rectangle
// in the batch whose centre the cube covers sees it. It enters the records and
// advances Next.
type DrawLeaves func(c *Canvas, b *Batch, l *Leaves, view *CubeView, cases *CubeCases)

func drawLeavesGo(c *Canvas, b *Batch, l *Leaves, view *CubeView, cases *CubeCases) {
	for todo := l.Visit; todo != 0; todo &= todo - 1 {
		octant := uint32(bits.TrailingZeros32(todo)) ^ l.Nearest
		var corner [8]float32
		for axis := range 3 {
			from := &l.Lower
			if octant>>axis&1 != 0 {
				from = &l.Upper
			}
			corner[axis], corner[axis+3] = from[axis], from[axis+3]
		}
		cube := cube{
			at: [4]int32{b.X0[octant], b.X1[octant], b.Y0[octant], b.Y1[octant]}, ref: Ref(l.Next << 6),
		}
		if !cube.hidden(c) && cube.draw(c, &corner, view, &cases[l.Case[octant]]) {
			rank := uint32(bits.OnesCount32(l.Mask & (1<<octant - 1)))
			l.Records[l.Next] = Record{ID: l.First + rank, Place: l.Place | octant}
			l.Next++
		}
	}
}

// cube is one leaf while it is drawn.
type cube struct {
	at  [4]int32 // x0, x1, y0, y1
	ref Ref
}

// hidden tells whether no pixel of a small rectangle is open: the rest would find
// nothing either, but later.
func (cube *cube) hidden(c *Canvas) bool {
	width, height := cube.at[1]-cube.at[0], cube.at[3]-cube.at[2]
	if width > 8 || height > 8 {
		return false
	}
	columns, rows := everyByte*uint64(0xff>>(8-width)), ^uint64(0)>>(64-8*height)
	open := Window(c.Cells, c.Height, int(cube.at[0]-c.X)+Pad, int(cube.at[2]-c.Y)+Pad)
	return open&columns&rows == 0
}

// usedLanes are the lanes of the edges of the silhouette and between faces.
var usedLanes = [...]uint8{0, 1, 2, 3, 4, 5, 8, 9, 10}

// draw tells whether any pixel sees the cube.
func (cube *cube) draw(c *Canvas, corner *[8]float32, view *CubeView, kind *CubeCase) (seen bool) {
	var at, right, down CubeLanes
	for _, i := range usedLanes {
		u, v := corner[kind.U[i]], corner[kind.V[i]]
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
	first, last := (cube.at[0]-c.X)>>3, (cube.at[1]-1-c.X)>>3
	for strip := first; strip <= last; strip++ {
		for y := cube.at[2]; y < cube.at[3]; y++ {
			cell := &c.Cells[(int(strip)+Pad/8)*c.Height+int(y-c.Y)+Pad]
			if *cell == 0 {
				continue
			}
			var row CubeLanes
			for _, i := range usedLanes {
				row[i] = at[i] + float32(down[i]*float32(y))
			}
			for bit := range int32(8) {
				x := c.X + 8*strip + bit
				if *cell>>bit&1 == 0 || !row.covers(&right, float32(x)) {
					continue
				}
				*cell &^= 1 << bit
				c.Seen[int(y-c.Y)*c.Width+int(x-c.X)] = cube.ref + Ref(kind.Face[row.face(&right, float32(x))])
				seen = true
			}
		}
	}
	return seen
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
