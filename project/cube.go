package project

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/cfef80af/eightfold/asm"
)

// Rays are the rays through the centres of a view's pixels, in the coordinates
// of a tree. The parameter along a ray is the depth: the distance from the eye
// along the direction of view, in world units.
type Rays struct {
	parallel bool
	// origin and direction of pixel (0, 0)'s ray, and what a pixel to the right
	// or downwards adds: to the direction, or to the origin if parallel.
	origin, direction [3]float64
	right, down       [3]float64
	// anchor is the point of the tree's lattice that the drawing kernel counts
	// from, start the depth at which its rays begin.
	anchor [3]float64
	start  float64
}

// pair is a plane of two of the tree's axes, into which rays and cubes are
// projected. A ray passes a corner (u, v) of a cube on one side or the other,
// as told by the sign of
//
//	edge = (u-ou)*dv - (v-ov)*du
//
// which is linear in the pixel's coordinates: its value at pixel (0, 0) and its
// slopes are (u-ou)*a + (v-ov)*b + c, one triple of a, b, c for each.
type pair struct {
	u, v    int
	a, b, c [3]float64 // at pixel (0, 0), per pixel to the right, per pixel down
}

// axesOfPair are the axes u and v of each pair.
var axesOfPair = [3][2]int{{0, 1}, {1, 2}, {2, 0}}

// set takes the pixels' rays into the coordinates of the tree whose linear
// part has the given inverse, whose origin stands at offset in the world and
// whose edge is so many voxels.
func (r *Rays) set(v *View, inverse *mgl64.Mat3, offset mgl64.Vec3, edge float64) {
	cx, cy := v.Principal()
	first := v.Right.Mul((0.5 - cx) / v.Focal).Add(v.Down.Mul((0.5 - cy) / v.Focal))
	r.parallel = v.Parallel
	r.right, r.down = inverse.Mul3x1(v.Right.Mul(1/v.Focal)), inverse.Mul3x1(v.Down.Mul(1/v.Focal))
	eye := v.Eye.Sub(offset)
	if v.Parallel {
		r.origin, r.direction = inverse.Mul3x1(eye.Add(first)), alongAxes(inverse.Mul3x1(v.Forward))
	} else {
		r.origin, r.direction = inverse.Mul3x1(eye), inverse.Mul3x1(v.Forward.Add(first))
	}
	r.setAnchor(inverse.Mul3x1(eye), inverse.Mul3x1(v.Forward), edge)
}

// pair is one of the three pairs of axes. Rays don't keep them: they are longer
// than all the rest.
func (r *Rays) pair(i int) (p pair) {
	u, v := axesOfPair[i][0], axesOfPair[i][1]
	p.u, p.v = u, v
	p.a[0], p.b[0] = r.direction[v], -r.direction[u]
	for k, slope := range [2]*[3]float64{&r.right, &r.down} {
		if r.parallel {
			p.c[k+1] = float64(slope[v]*r.direction[u]) - float64(slope[u]*r.direction[v])
		} else {
			p.a[k+1], p.b[k+1] = slope[v], -slope[u]
		}
	}
	return p
}

// setAnchor makes the anchor the point of a tree's lattice nearest to the eye, or,
// in a parallel projection, to the line of sight where it passes the tree's
// middle. Rays begin there where the eye is not near the tree.
func (r *Rays) setAnchor(eye, forward mgl64.Vec3, edge float64) {
	middle := mgl64.Vec3{edge / 2, edge / 2, edge / 2}
	from := eye
	if r.parallel {
		from = eye.Add(forward.Mul(middle.Sub(eye).Dot(forward) / forward.Dot(forward)))
	}
	var way mgl64.Vec3
	for k := range r.anchor {
		r.anchor[k] = math.Round(math.Max(0, math.Min(edge, from[k])))
		way[k] = r.anchor[k] - eye[k]
	}
	r.start = 0
	if r.parallel || way.Dot(way) > edge*edge {
		r.start = way.Dot(forward) / forward.Dot(forward)
	}
}

// alongAxes makes a direction that is parallel to a plane of the axes but for
// rounding exactly parallel: by which face a ray enters must not hang on that.
func alongAxes(d mgl64.Vec3) mgl64.Vec3 {
	largest := math.Max(math.Abs(d[0]), math.Max(math.Abs(d[1]), math.Abs(d[2])))
	for k := range d {
		if math.Abs(d[k]) < 1e-12*largest {
			d[k] = 0
		}
	}
	return d
}

// Edge is a linear function of the pixel's coordinates, at least 0 on the
// inner side of a line.
type Edge struct{ At, Right, Down float64 }

// Cube is the silhouette of a cube: up to six edges.
type Cube struct {
	edges [6]Edge
	n     int
}

// silhouette names, for a viewer seen from a square's corner regions, the two
// corners (bit 0: high u, bit 1: high v) between which the square appears:
// clockwise first, then counter-clockwise. The index is 3*(side across u + 1)
// + side across v + 1, where a side is -1 below, 0 beside and 1 above.
var silhouette = [9][2]int{
	{0b01, 0b10}, {0b00, 0b10}, {0b00, 0b11},
	{0b01, 0b00}, {-1, -1}, {0b10, 0b11},
	{0b11, 0b00}, {0b11, 0b01}, {0b10, 0b01},
}

// side tells on which side of the cube along axis k the viewer is: -1 below
// (the face towards lower coordinates is seen), 1 above, 0 neither.
func (r *Rays) side(k int, low, high float64) int {
	at, below, above := r.origin[k], low, high
	if r.parallel {
		at, below, above = -r.direction[k], 0, 0
	}
	switch {
	case at < below:
		return -1
	case at > above:
		return 1
	}
	return 0
}

// Cube returns the silhouette of the cube with the given lower corner and edge,
// in voxels. seen is false where the eye is inside: no face is towards it. The
// edges of neighbouring cubes come from their common lattice points alone, so
// that a ray is never lost between them.
func (r *Rays) Cube(low [3]int32, edge float64) (c Cube, seen bool) {
	var ends [3][2]float64
	var sides [3]int
	for k := range 3 {
		ends[k] = [2]float64{float64(low[k]), float64(low[k]) + edge}
		sides[k] = r.side(k, ends[k][0], ends[k][1])
	}
	for i := range axesOfPair {
		p := r.pair(i)
		corners := silhouette[3*(sides[p.u]+1)+sides[p.v]+1]
		if corners[0] < 0 {
			continue
		}
		for turn, corner := range corners {
			u, v := ends[p.u][corner&1]-r.origin[p.u], ends[p.v][corner>>1]-r.origin[p.v]
			e := Edge{p.slope(0, u, v), p.slope(1, u, v), p.slope(2, u, v)}
			if turn == 1 {
				e = Edge{-e.At, -e.Right, -e.Down}
			}
			c.edges[c.n] = e
			c.n++
		}
	}
	return c, c.n > 0
}

// slope is rounded step by step: fused, it would differ between processors.
func (p *pair) slope(k int, u, v float64) float64 {
	return float64(u*p.a[k]) + float64(v*p.b[k]) + p.c[k]
}

// Row is a cube's silhouette along one row of pixels.
type Row struct {
	at, right [6]float64
	n         int
}

// Row narrows the silhouette to row y.
func (c *Cube) Row(y int) (r Row) {
	r.n = c.n
	for i := range c.n {
		r.at[i] = c.edges[i].At + float64(float64(y)*c.edges[i].Down)
		r.right[i] = c.edges[i].Right
	}
	return r
}

// Covers tells whether the centre of pixel x lies within the silhouette, its
// border included.
func (r *Row) Covers(x int) bool {
	fx := float64(x)
	for i := range r.n {
		if r.at[i]+float64(fx*r.right[i]) < 0 {
			return false
		}
	}
	return true
}

// Hit returns the depth at which pixel (x, y)'s ray enters a cube and the face
// it enters by: 2*axis, plus 1 for the face towards higher coordinates. Where
// the ray passes the cube by, hit is false and the face is the one whose plane
// it meets last.
func (r *Rays) Hit(low [3]int32, edge float64, x, y int) (depth float64, face int, hit bool) {
	enter, leave, face := r.Through(low, edge, x, y)
	return enter, face, enter <= leave
}

// Through returns the depths at which pixel (x, y)'s ray enters and leaves a
// cube, and the face it enters by as for Hit; it passes the cube by where it
// would leave before it enters.
func (r *Rays) Through(low [3]int32, edge float64, x, y int) (enter, leave float64, face int) {
	enter, leave = math.Inf(-1), math.Inf(1)
	for k := range 3 {
		shift := float64(float64(x)*r.right[k]) + float64(float64(y)*r.down[k])
		origin, direction := r.origin[k], r.direction[k]
		if r.parallel {
			origin += shift
		} else {
			direction += shift
		}
		near, far, high := float64(low[k]), float64(low[k])+edge, 0
		if direction < 0 {
			near, far, high = far, near, 1
		}
		if direction == 0 {
			if origin < near || origin > far {
				leave = math.Inf(-1)
			}
			continue
		}
		if t := (near - origin) / direction; t > enter {
			enter, face = t, 2*k+high
		}
		if t := (far - origin) / direction; t < leave {
			leave = t
		}
	}
	return enter, leave, face
}

// RayRow is the rays of one row of pixels.
type RayRow struct {
	origin, direction         [3]float64 // of pixel 0
	originStep, directionStep [3]float64 // what a pixel to the right adds
}

// Row narrows the rays to row y.
func (r *Rays) Row(y int) (row RayRow) {
	row.origin, row.direction = r.origin, r.direction
	moving, step := &row.direction, &row.directionStep
	if r.parallel {
		moving, step = &row.origin, &row.originStep
	}
	for k := range 3 {
		moving[k] += float64(float64(y) * r.down[k])
		step[k] = r.right[k]
	}
	return row
}

// Face is the face by which pixel px's ray enters the cube with the lower
// corner (x, y, z), 2*axis plus 1 for the face towards higher coordinates; where
// it passes the cube by, the face whose plane it meets last. It is Hit's face,
// found without a division: of the planes' depths a/b, cross products tell the
// greatest. It runs once a pixel, on numbers held in registers: no loops, no
// arrays.
func (row *RayRow) Face(x, y, z, edge float64, px int) int {
	f := float64(px)
	ax, bx, highX := row.plane(0, x, edge, f)
	ay, by, highY := row.plane(1, y, edge, f)
	az, bz, highZ := row.plane(2, z, edge, f)
	return int(faceOf[order(ax*by > ay*bx)|order(ay*bz > az*by)<<1|order(az*bx > ax*bz)<<2][highX|highY<<1|highZ<<2])
}

// Paint sets up the painting kernel for what all rows of pixels have in common.
// It can't where the eye is too far from the tree for whole voxels to be
// counted.
func (r *Rays) Paint(p *asm.Paint) (ok bool) {
	step, still := &p.Turn, &p.Move
	if r.parallel {
		step, still = still, step
	}
	for k := range 3 {
		step[k], still[k] = float32(r.right[k]), 0
		p.Slope[k] = float32(r.direction[k])
	}
	return standAt(p, &r.origin) || r.parallel
}

// PaintRow sets up the painting kernel for row y of the pixels, after Paint. It
// can't where Paint couldn't.
func (r *Rays) PaintRow(p *asm.Paint, y int) (ok bool) {
	fy := float64(y)
	if r.parallel {
		var origin [3]float64
		for k := range origin {
			origin[k] = r.origin[k] + float64(fy*r.down[k])
		}
		return standAt(p, &origin)
	}
	for k := range 3 {
		p.Slope[k] = float32(r.direction[k] + float64(fy*r.down[k]))
	}
	return true
}

// standAt puts the eye of the painting kernel.
func standAt(p *asm.Paint, origin *[3]float64) (ok bool) {
	const farthest = 1 << 29
	for k, at := range origin {
		if !(math.Abs(at) < farthest) {
			return false
		}
		cell := math.Floor(at)
		p.Cell[k], p.Offset[k] = int32(cell), float32(at-cell)
	}
	return true
}

// plane is the depth a/b of the face across axis k that the ray meets first,
// and whether it is the one towards higher coordinates.
func (row *RayRow) plane(k int, low, edge, px float64) (a, b float64, high int) {
	b = row.direction[k] + float64(px*row.directionStep[k])
	a = low - (row.origin[k] + float64(px*row.originStep[k]))
	if b < 0 {
		return -(a + edge), -b, 1
	}
	return a, b, 0
}

func order(before bool) int {
	if before {
		return 1
	}
	return 0
}

// faceOf is the face seen by which planes come last (bit 0: x after y, bit 1: y
// after z, bit 2: z after x) and by the axes along which the ray descends.
var faceOf = func() (table [8][8]uint8) {
	for last := range table {
		axis := 2
		switch {
		case last&1 != 0 && last&4 == 0:
			axis = 0
		case last&1 == 0 && last&2 != 0:
			axis = 1
		}
		for high := range table[last] {
			table[last][high] = uint8(2*axis + high>>axis&1)
		}
	}
	return table
}()

// Kernel is the rays as the drawing kernel takes them, in single precision: from
// an eye far away, with a long lens, voxels would be as small as the rounding, so
// that rays begin near the tree, not at the eye.
func (r *Rays) Kernel() (k asm.Rays) {
	// The unit of depth is no matter; directions are to be in range.
	scale := 1 / math.Max(math.Abs(r.direction[0]), math.Max(math.Abs(r.direction[1]), math.Abs(r.direction[2])))
	for i := range 3 {
		origin := r.origin[i] - r.anchor[i] + r.start*r.direction[i]
		k.Origin[i], k.Direction[i] = float32(origin), float32(scale*r.direction[i])
		if r.parallel {
			k.OriginRight[i], k.OriginDown[i] = float32(r.right[i]), float32(r.down[i])
			continue
		}
		k.OriginRight[i], k.OriginDown[i] = float32(r.start*r.right[i]), float32(r.start*r.down[i])
		k.DirectionRight[i], k.DirectionDown[i] = float32(scale*r.right[i]), float32(scale*r.down[i])
	}
	k.First = float32(-r.start / scale)
	if r.parallel {
		k.First = float32(math.Inf(-1))
	}
	return k
}

// FromAnchor puts a corner of the lattice as the drawing kernel counts it.
func (r *Rays) FromAnchor(low *[3]int32, from *[3]float32) {
	for k := range from {
		from[k] = float32(low[k] - int32(r.anchor[k]))
	}
}
